// Level 0 while it is solved (internal to root*.c, level_zero_seas.c).

#ifndef ESKER_ROOT_H
#define ESKER_ROOT_H

#include "land/level.h"

enum { NO_CELL = -1 };

typedef struct RootLakes RootLakes;
typedef struct RootCourses RootCourses;

typedef struct Root {
    const Land *land;
    const LandWindow *window;
    size_t count;
    int32_t fall;  // the least, in units
    int fall_bits; // of the random falls of flooded ground
    double *z;
    uint8_t *edge; // whether a cell lies along that of its grid
    uint8_t *seen; // by the flood; while water's ways are sorted, how many cells drain into each
    int *order;    // cells from the water's end upward
    size_t ends;   // of these, those where water ends: the first ones
    int *target;   // the cell that each drains into
    int *inland;   // cells where water does not end, row by row; before the flood scratch
    int *former,
        *mended;      // what each drained into, NO_CELL: nothing, when areas were set; scratch of the order
    int32_t *first;   // heights before seas are joined and pits filled, in units; NULL: no lakes wanted
    RootLakes *lakes; // NULL: none
    RootCourses *courses; // the same
} Root;

// The cell beside one along the edge of its grid, or NO_CELL.
ptrdiff_t root_over_edge(const Root *root, size_t cell, int direction);

// The cell beside one, or NO_CELL.
static inline ptrdiff_t cell_beside(const Root *root, size_t cell, int direction) {
    return root->edge[cell] ? root_over_edge(root, cell, direction)
                            : (ptrdiff_t)window_towards(root->window, cell, direction);
}

// Whether all cells of the row from `start` on have all neighbours, but the first and the last one.
static inline bool root_has_inside(const Root *root, size_t start) {
    return root->window->width > 2 && !root->edge[start + 1];
}

// Joins closed seas to open ones, or makes them land.
Status open_closed_seas(const Root *root, Error *error);

// Makes the floor of the sea smooth. Overwrites z.
Status smooth_sea_floor(const Root *root, const Run *run, Error *error);

// Fills pits up to where they spill.
Status root_flood(const Root *root, const Run *run, Error *error);

// --- drainage (root_drain.c)
// ---------------------------------------------------------------------------------

// What cells drain into, their order and their areas.
void root_list_inland(Root *root); // first, once it is known where water ends
Status root_drain(Root *root, const Run *run);

// The same after a little has changed. The order is another one.
Status root_drain_again(Root *root, const Run *run);

// --- lakes (root_lakes.c), once water's ways are known -----------------------------------------------------

// Chooses depressions that stay filled, if lakes are wanted.
Status root_lakes_choose(Root *root, Error *error);
void root_lakes_free(RootLakes *lakes); // NULL is allowed

// Whether a cell is a lake's, other than its outlet; and that of a lake's cell.
bool root_lakes_has(const RootLakes *lakes, size_t cell);
size_t root_lakes_outlet(const RootLakes *lakes, size_t cell);

// Water leaves each lake through its outlet.
void root_lakes_route(const Root *root);

// Lakes are as high as their outlets, what lies around them is higher.
void root_lakes_hold(const Root *root);

// Marks their cells.
void root_lakes_end(const Root *root);

// --- courses (root_courses.c), before pits are filled
// -------------------------------------------------------

// Lays and carves courses. STATUS_INVALID if one ends inland, or leads back to itself.
Status root_courses_lay(Root *root, const LandCourses *given, Error *error);
void root_courses_free(RootCourses *courses); // NULL is allowed

bool root_courses_has(const RootCourses *courses, size_t cell);

// Beds that erosion has left above the ground beside them are cut below it, and so are all downstream of
// them.
void root_courses_carve(const Root *root);

// Their cells drain along them.
void root_courses_route(const Root *root);

// Their sources get so much water that finer levels inherit them.
void root_courses_spring(const Root *root);

// Where less drains at their mouths than was asked for, the rest comes in at their sources. Once areas are
// known.
void root_courses_bring(const Root *root);

#endif
