// Edits of a land: forms that its user adds, as points and lengths. Each enters one level, on which it is a
// few cells wide, as a function of place: so windows agree, coarser levels and far ground keep every bit, and
// finer levels carve it as they do all ground. Streams are inherited from the coarser level, so they cut
// through what is raised, and no water takes another way.

#ifndef ESKER_EDITS_H
#define ESKER_EDITS_H

#include "land/land.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Level Level;

typedef enum LandEditKind {
    EDIT_RAISE, // adds `height`
    EDIT_LEVEL, // ground becomes level, at `height`
} LandEditKind;

// Places are shares of the land's side. Heights are in sides of a cell of the last graded level.
typedef struct EditPoint {
    double x, y;
} EditPoint;

typedef struct LandEdit {
    LandEditKind kind;
    bool outline;     // its points are a ring, not a line
    int first, count; // its points
    double half;      // half its width
    double height;
    int entry;                       // the level that it enters
    double left, top, right, bottom; // what it may change on that level
    uint64_t key;                    // of its noise
} LandEdit;

// One block of memory, freed by memory_free.
struct LandEdits {
    int count, point_count;
    LandEdit *at;
    EditPoint *points;
};

enum {
    EDIT_ENTRY_MAX = 28, // the finest level that edits enter
    EDIT_HALF_CELLS = 4, // half the width of one there, at least; on the level before less
    EDIT_POINTS_MAX = 1 << 20,
};

LandEdits *land_edits_copy(const LandEdits *edits, Error *error);

// A copy of `edits` (NULL: none) with one more, whose kind, outline, count, half and height are set; NULL if
// memory runs out. `cells`: of level 0 along the side.
LandEdits *land_edits_with(const LandEdits *edits, const LandEdit *added, const EditPoint *points, int cells,
                           Error *error);

// The level that something so wide enters; above EDIT_ENTRY_MAX: it is too small.
int edit_entry(double half, int cells);

// --- on a level (internal to src/land) ---------------------------------------------------------------------

// Adds edits to the interpolated ground of their level, and to the slopes that its law and finer levels' ask.
Status enter_edits(const Level *level, Error *error);

// Lifts the streams that begin on what is raised here; after straightening, before their profiles are evened.
Status raise_heads(Level *level);

// Whether anything is raised on a level.
bool edits_raise(const LandEdits *edits, int level);

// Keeps erosion from level ground; once erosion's rates are set.
void hold_edits(const Level *level);

#endif
