// The maximum over a neighbourhood that is a sum of steps, one maximum of two cells a step: each step joins
// the neighbourhood with itself moved by the step (Xu 1991, "Decomposition of convex polygonal morphological
// structuring elements into neighborhood subsets"). A run of n + 1 cells takes the logarithm of n.

#ifndef ESKER_STEP_MAX_H
#define ESKER_STEP_MAX_H

#include "core/field.h"
#include "core/parallel.h"

typedef struct Step {
    int x, y; // in cells
} Step;

typedef struct StepMax {
    const Field *from;
    Field *to;         // of the same size, another field
    const Gaps *gaps;  // cells that do not count; NULL: none
    float sign;        // 1; or -1: the minimum
    bool wraps;        // otherwise cells beyond the edges do not count
    Step first;        // from a cell to the one that it takes without any step
    const Step *steps; // any of them may be taken or not: down (y > 0), or right where y is 0
    int step_count;
    const Step *others; // from a cell to others that count, too
    int other_count;
} StepMax;

Status step_max(const Run *run, const StepMax *task, Error *error);

enum { STEP_RUN_MAX = 32 };

// Appends the steps, at most STEP_RUN_MAX, that reach all multiples of `step` up to `times`; returns how many
// there are then.
int step_run(Step *steps, int count, Step step, int times);

#endif
