// A basin: the pit or the outline of an edit whose ground becomes a lake or a sea on the level that it enters
// (internal to src/land).

#ifndef ESKER_BASINS_H
#define ESKER_BASINS_H

#include "land/edit_wishes.h"
#include "land/level.h"

#include <math.h>

// In level->flow: what a cell of the basin's box is.
enum {
    INSIDE = 1,    // may become water
    DRAINS = 2,    // its water reaches the outlet within the basin
    KEPT = 4,      // drains into a river that only passes through
    BELOW = 8,     // the stream below the outlet
    ENCLOSED = 16, // all around is higher than the water
    LAKE = 32,
    BANK = 64, // of the shore, as far as it is eased
};

typedef struct Basin {
    const Level *level;
    const LandEdit *edit;
    int left, top, right, bottom; // cells of the level, the last ones excluded
    size_t outlet;
    float area;           // what leaves it
    float most;           // outlets drain less,
    int32_t above;        // or are higher
    int deeper;           // how far the water is below the bed of the outlet, if no height is asked for
    double height;        // of the water, as asked for; NAN: as high as the outlet
    int32_t water, least; // altitudes: of the water, and the lowest that it may have
    int count;            // cells of its list, in level->fresh
    int inside;           // cells of an outline, with the streams that leave it and come back
} Basin;

// Which cells of a basin become water: a lake, with its outlet and the height of its water, or a sea. False:
// none do. They are the basin's list, in level->fresh.
bool find_basin(Basin *basin);

// The largest river of the box; `kept`: of those that keep their valleys in the outline. 0: there is none.
size_t find_river(const Basin *basin, bool kept);

static inline size_t cell_of(const Basin *basin, int x, int y) {
    return (size_t)y * (size_t)basin->level->width + (size_t)x;
}

static inline bool is_outline(const Basin *basin) {
    return basin->edit->kind != EDIT_RAISE;
}

static inline bool is_sea(const Basin *basin) {
    return basin->edit->kind == EDIT_SEA;
}

// Cells in the box but not along its edge have neighbours there.
static inline bool is_within(const Basin *basin, size_t cell) {
    const int x = (int)(cell % (size_t)basin->level->width), y = (int)(cell / (size_t)basin->level->width);
    return x > basin->left && x < basin->right - 1 && y > basin->top && y < basin->bottom - 1;
}

static inline bool has(const Basin *basin, size_t cell, int state) {
    return (basin->level->flow[cell] & state) != 0;
}

static inline void add_state(const Basin *basin, size_t cell, int state) {
    basin->level->flow[cell] |= (uint16_t)state;
}

static inline void push(Basin *basin, size_t cell) {
    basin->level->fresh[basin->count++] = (int)cell;
}

static inline bool is_ground(const Level *level, size_t cell) {
    return level->receiver[cell] < NEIGHBOURS && level->z[cell] > level->sea && !is_outlet(level, cell);
}

static inline size_t below(const Level *level, size_t cell) {
    return towards(level, cell, level->receiver[cell]);
}

// The middle of a cell in an edit's chart.
static inline EditPoint point_of(const Level *level, const LandEdit *edit, size_t cell) {
    const EditPlace place = place_in_level(level, cell);
    return point_in(&edit->chart, &place);
}

static inline bool overlap(const LandEdit *a, const LandEdit *b) {
    bool any = false;
    for (int face = 0; face < CUBE_FACES && !any; face++)
        any = a->on[face].left < b->on[face].right && b->on[face].left < a->on[face].right &&
              a->on[face].top < b->on[face].bottom && b->on[face].top < a->on[face].bottom;
    return any;
}

#endif
