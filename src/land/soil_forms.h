// What shapes soil below the hillslope length: hollows and gullies, slides with their lobes, benches, stones.

#ifndef ESKER_SOIL_FORMS_H
#define ESKER_SOIL_FORMS_H

#include "land/level.h"

typedef struct SoilForm SoilForm;

// Those around the cells of a level, in rows of blocks.
typedef struct SoilForms {
    SoilForm *forms;
    int *first; // of each row of blocks of each lattice, and the end
} SoilForms;

// Draws those that reach a level on soil.
Status soil_forms_draw(const Level *level, SoilForms *forms, Error *error);
void soil_forms_free(SoilForms *forms);

// The ground of a row: the direction in which it rises, of length 1, and two noises of about -1 to 1, by
// which forms are bent.
typedef struct SoilRow {
    const float *east, *south, *aside, *off;
} SoilRow;

// How far they raise and sink the cells of row y, in slopes over a cell: `raised` and `sunk` begin as 0.
// Where forms overlap the most of each counts: what falls along the slope with one of them, and with another,
// falls with both.
void soil_forms_add(const Level *level, const SoilForms *forms, int y, const SoilRow *ground, float *raised,
                    float *sunk);

#endif
