// Where edits lie on a level, and what they want of its cells: a function of place, whatever the level makes
// of it (level_edits.c; internal to src/land).

#ifndef ESKER_EDIT_WISHES_H
#define ESKER_EDIT_WISHES_H

#include "land/edits.h"
#include "land/level.h"

// The edits that matter to a level's window.
typedef struct LocalEdits {
    const Level *level;
    const LandEdits *edits;
    const int *numbers;
    int count;
    Region box;                  // of the level, that a step goes over
    bool levelled;               // whether any is level ground or a crater, which take what is made before
    double cells, units;         // cells along a flat land's side or around a planet; what a height of 1 is
    struct LatticeRows *lattice; // of all, where slopes alone are asked (land/edit_slopes.h); or NULL
} LocalEdits;

LocalEdits local_edits(const Level *level);

typedef struct EditRows {
    int first, end;
} EditRows;

// Where a row of a level's arrays lies.
typedef struct FaceRow {
    int face;
    Int128 x, y; // on the face, of its first cell
    Int128 top;  // of the face, on the grid of all
    double side; // cells along that of the face
} FaceRow;

FaceRow row_on_face(const Level *level, int y);

// The place of a cell of the arrays, also beyond an edge of its face.
EditPlace place_in_level(const Level *level, size_t cell);

// The part of a patch whose cells are valid: where it ends at an edge of its face, all of that.
Region known_part(const Level *level, const PatchPlace *place);

// What a box of its face covers of a patch.
Region box_in_patch(const Level *level, const PatchPlace *place, const EditBox *box);

// A cell of a face in the arrays, and whether they have it and all around it, computed so far.
bool cell_on_face(const Level *level, int face, Int128 x, Int128 y, size_t *cell);

// The same of a patch, as its arrays are; the cell may lie beyond an edge of its face.
bool cell_in_patch(const Level *level, const PatchPlace *place, Int128 x, Int128 y, size_t *cell);

// The cells that a box covers and `more` around it, but not the land's edge. False: they are not known as a
// whole. On a planet they lie on one face.
bool known_box(const Level *level, const EditBox on[CUBE_FACES], int more, Region *cells);

enum { ROW_EDITS = 256 }; // of a row that are listed

// An edit in a row, which of a level's it is, and the columns that it may change.
typedef struct RowEdit {
    int which, first, end;
} RowEdit;

// Those that a row meets and of which something is asked, or all if these are many.
typedef struct RowEdits {
    FaceRow at;
    int count;
    int first, end; // columns that any may change
    bool all;
    RowEdit own[ROW_EDITS];
} RowEdits;

// What is asked: how level the ground is; the slopes of those that have entered before; what those want that
// enter here.
typedef enum WishFor { WISH_LEVEL, WISH_SLOPES, WISH_GROUND } WishFor;

// The columns of a row that one of a level's may change. False: none.
bool edit_in_row(const LocalEdits *local, int which, const FaceRow *row, RowEdit *own);

void edits_of_row(const LocalEdits *local, WishFor what, int y, RowEdits *row);

// The first column from x on that an edit may change, or the end of the row's.
int next_column(const RowEdits *row, int x);

// What the edits of a row want of a cell, in their order: a form stands on level ground that is made before
// it, and level ground takes what is made before.
typedef struct EditWish {
    int32_t added;        // units: a sum of whole numbers, so that the order of forms does not matter
    double rises;         // the share of the sea's depth that is added as well
    double land;          // how high the sea becomes land, in units; 0: it stays sea
    double share, target; // of level ground that enters, and the share's sum of altitudes
    double flat;          // the share of level ground that is there already
    double steep;         // units per cell
    double sunk;          // the same of what sinks, where it is sunk
    bool top;             // on top of a hill or ridge
    int crater;           // MARK_SHORE or more: in a crater,
    int owner;            // which
    bool pool;            // in its lake, which is
    int32_t water;        // so high
} EditWish;

// What a form that has entered before adds to `steep` and `sunk`.
typedef struct EditSlope {
    double steep, sunk;
} EditSlope;

EditSlope edit_slope(const LocalEdits *local, const LandEdit *edit, const EditForm *form);

// The slope that the law gives a hill's flanks where they are steepest, against its height over half its
// width, in units per cell: hills keep their volume, in the median (docs/edits.md).
#define STEEP 1.04
double edit_slope_of(const LocalEdits *local, const LandEdit *edit);

EditWish wish_at(const LocalEdits *local, const RowEdits *row, int x);

// The same of columns `first` … `end` - 1 of a row, edit by edit, where hills and valleys alone enter: what
// wish_at() says of `added`, `rises` and `top`. False: others do.
bool has_forms_alone(const LocalEdits *local, const RowEdits *row);
void wish_forms(const LocalEdits *local, const RowEdits *row, int first, int end, EditWish *wishes);

// A height as an altitude of the level.
int32_t edit_altitude(const LocalEdits *local, double height);

// A height as a whole number of units.
int32_t units_of(double height);

// Sets level->edits.
Status find_edits(Level *level, Error *error);

// Around the cells of a level that an edit may change; there may be others of other patches between.
Region edit_box(const Level *level, const LandEdit *edit);

// Around all those of a level, or around those that enter there.
Region edits_box(const Level *level, bool entering);

// Whether finer levels leave its ground alone.
bool edit_stays_level(const LandEdit *edit);

#endif
