// Fields of heights that are added to a land: what is left out on the level before, on each level up to that
// whose cells are as small as the field's.

#ifndef ESKER_PAINTS_H
#define ESKER_PAINTS_H

#include "land/edits.h"

enum {
    PAINT_FIRST = 16,     // cells of a field's side on the level that it enters, at least
    PAINT_PARTS_MAX = 7,  // levels that it may enter
    PAINT_SIDE_MAX = 512, // cells
};

typedef struct PaintForm {
    double share;  // 0 … 1: how far it is there, less along its border
    double height; // that a part adds
    double slope;  // of all that is added up to it
} PaintForm;

PaintForm paint_form(const LandEdits *edits, const LandEdit *edit, double x, double y);

// How many levels a field with so many cells along its side enters; and along the side of its means there.
int paint_parts(int side);
int paint_cells(int side, int part);

// Points that hold these heights, two each.
static inline int paint_points(int cells) {
    return (cells * cells + 1) / 2;
}

// Sets cells × cells means of a square field.
void paint_means(const Field *field, int cells, double scale, EditPoint *means);

#endif
