// What the files that inherit streams share (internal to src/land): the coarse cells of a level, and the
// children through which their streams run.

#ifndef ESKER_HERITAGE_H
#define ESKER_HERITAGE_H

#include "land/level.h"

#include <string.h>

enum { NO_CHILD = 4 }; // children are numbered 0 to 3 in reading order

// A diagonal step would stay diagonal at every level, in straight lines, so some steps detour around a
// corner. The end of a meander bulges: its step leads through the cell to one side of the receiver.
typedef enum Detour { STRAIGHT, ACROSS_FIRST, DOWN_FIRST, BULGE_RIGHT, BULGE_LEFT } Detour;

typedef struct Heritage {
    Level *level;
    const Parent *parent;
    int width, height; // of the coarse cells that have children here
    uint8_t *exit, *entry, *detour;
} Heritage;

// A coarse cell: its position among those with children, and in the parent's window.
typedef struct Coarse {
    int x, y;
    size_t own, cell;
} Coarse;

static inline Coarse coarse_at(const Heritage *heritage, int x, int y) {
    const Parent *parent = heritage->parent;
    return (Coarse){ x, y, (size_t)y * (size_t)heritage->width + (size_t)x,
                     (size_t)(parent->row + y) * (size_t)parent->window->width +
                         (size_t)(parent->column + x) };
}

static inline size_t child_of(const Heritage *heritage, int x, int y, int child) {
    return (size_t)(2 * y + child / 2) * (size_t)heritage->level->width + (size_t)(2 * x + child % 2);
}

// The first of a row's cells from x on that has a child in `children`, or `width`.
static inline int next_child(const uint8_t *children, int x, int width) {
    const uint64_t none = UINT64_C(0x0101010101010101) * NO_CHILD;
    for (uint64_t eight; x + (int)sizeof eight <= width; x += (int)sizeof eight) {
        memcpy(&eight, children + x, sizeof eight);
        if (eight != none)
            break;
    }
    while (x < width && children[x] == NO_CHILD)
        x++;
    return x;
}

enum { COURSE_REACH = 4 }; // cells up and downstream that decide where a course goes on

// Of a stream's step to its receiver: where it leaves its own cell, what is between, where it enters the
// other.
typedef enum CoursePart { COURSE_EXIT, COURSE_BETWEEN, COURSE_ENTRY } CoursePart;

// On which side of the line between two cells the course lies: 1: right, -1: left, 0: neither.
int course_lean(const LandWindow *window, size_t cell, CoursePart part);

// The side to which the nearest bend turns; 0: there is none near, or the step leads from one bend to
// another.
int course_side(const LandWindow *window, size_t cell, CoursePart part);

// Whether there is no bend up or downstream within COURSE_REACH, or on one side alone, and not close. Spread
// by that one, all cells would lie on the same side of the course, and so be straight again.
bool course_runs_on(const LandWindow *window, size_t cell);

// On which side a step lies outside, in the middle between two bends to the other one; 0: it is not there.
int course_bulge(const LandWindow *window, size_t cell);

// How far the course, as a smooth line, lies to the right of the middle of a step, in cells.
float course_offset(const LandWindow *window, size_t cell);

// Sets the streams of the children of rows `first` … `end` - 1 from their exits and entries; a RowsBody.
void set_inherited_streams(void *heritage, int first, int end);

#endif
