// The slope-area law of rivers, S = ks A^-theta (Flint 1974, "Stream gradient as a function of order,
// magnitude, and discharge"; Whipple and Tucker 1999), by which graded levels make their relief.
//
// On graded levels altitudes keep their unit from level to level, so a fall stays the same while cells become
// half as wide. Vertically a cell counts as one of the last graded level, whose sides it has there: in such
// cells a level's own streams, which drain as many cells on each level, have nearly the same slope on each
// level.

#ifndef ESKER_LAW_H
#define ESKER_LAW_H

#include "land/level.h"

#include "core/whole.h"

enum { LAW_CELLS_MAX = 4095 }; // what drain.h counts

struct Law {
    float *steepness;               // of each cell of level 0
    float *first_slopes;            // of each cell of level 0, as law_row gives them; NULL until they are set
    float power[LAW_CELLS_MAX + 1]; // ((a + SHED)/(STREAM_CELLS + SHED))^theta for a drained cells
    float per_level;                // what a level's slopes are, in cells, against those of the next one
    double shares;                  // the sum of law_share over the graded levels below level 0
    double rise;                    // what altitudes of level 0 become on the last graded level (land_rise)
};

// Sets the powers, and the steepness of every cell to 1.
Status law_create(Land *land, Error *error);
void law_free(Law *law);

static inline bool is_graded(const LandRules *rules, int level) {
    return level <= rules->graded;
}

// How often altitudes have doubled on a level.
static inline int doublings(const LandRules *rules, int level) {
    return max(level - rules->graded, 0);
}

// The power of the law for cells that drain any number of cells.
double law_power_of_many(const Land *land, double cells); // computes it
static inline double law_power(const Land *land, double cells) {
    return cells <= LAW_CELLS_MAX ? (double)land->law->power[whole_within(cells, 0, LAW_CELLS_MAX)]
                                  : law_power_of_many(land, cells);
}

// What the slopes of a level are against those of the last graded one.
float law_share(const Land *land, int level);

// How high the summits of the finest level stand above ground of level 0 of an altitude, at most, in units.
double law_top(const Land *land, size_t cell, double altitude);

// The least fall of a stream from cell to cell, in units, but half as much beside detours, and that of filled
// ground: each finer level has half of it. On other levels 1.
int32_t least_fall(const LandRules *rules, int level);
int32_t filled_fall(const LandRules *rules, int level);

// The slope, in units per cell, of the streams that begin on a graded level: `count` cells from x on of row
// y. The faces of a planet lie below each other. `numbers`, unless NULL: by how much slopes vary there.
void law_row(const Land *land, int level, int face, Int128 x, Int128 y, int count, float *slope,
             float *numbers);

// Sets the slopes of level 0, from the steepness of its cells.
Status law_set_first_slopes(Land *land, Error *error);

#endif
