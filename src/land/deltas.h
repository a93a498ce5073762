// Deltas of large rivers, chosen on level 0 and built on the level where they are 8 to 16 cells long: a plain
// beyond the former coast, and arms. The river keeps its way down, along one of them; the others are streams
// that begin beside it with a share of its water. Finer levels inherit them like all streams.

#ifndef ESKER_DELTAS_H
#define ESKER_DELTAS_H

#include "land/root.h"

typedef struct LandDelta {
    int x, y;    // the river's last cell on level 0
    float area;  // cells of level 0 that it drains
    int level;   // on which it is built
    float reach; // from the river's mouth to the ends of arms, in that level's cells
} LandDelta;

struct LandDeltas {
    int count;
    LandDelta at[];
};

// Chooses the mouths of level 0 that may get one: not those of given courses.
Status deltas_choose(const Root *root, Land *land, Error *error);

// Cells by which building the deltas near a window shrinks the region of its level, 0 if there are none: so
// many that each is in it as a whole, as far as it matters. `margin`: what the other steps need.
int deltas_reach(const Land *land, const LandWindow *wanted, int margin);

// The beginnings of arms, which their level or the parents' has.
Status find_delta_springs(Level *level, const Parent *parents, Error *error);

Status build_deltas(Level *level, Error *error);

#endif
