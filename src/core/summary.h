// Minimum, maximum, mean, standard deviation and sum of a field, the same bits for any number of threads:
// summed in lanes along a row, added in a fixed order, one partial per row.

#ifndef ESKER_SUMMARY_H
#define ESKER_SUMMARY_H

#include "core/field.h"
#include "core/parallel.h"

typedef struct Summary {
    double min, max, mean, stddev, sum;
} Summary;

// Cells without data are left out; a field that has none gives 0. stddev is that of the population (divided
// by the number of cells). Fails if memory runs out (one small record per row) or when stopped.
Status field_summarise(const Run *run, const Field *field, Summary *summary, Error *error);

// The summary of a field that comes in parts, rows after rows from the top: zeroed before the first.
typedef struct SummaryParts {
    bool begun;
    double shift; // any height of the field: it keeps the squares of differences precise
    double cells, sum, squares, min, max;
} SummaryParts;

Status summary_add(const Run *run, const Field *part, SummaryParts *parts, Error *error);
Summary summary_of(const SummaryParts *parts);

typedef struct Bounds {
    float least, most;
} Bounds;

// The bounds of `count` cells, 1 or more.
Bounds bounds_of(const float *cells, int count);

// The bounds of `count` parts together, 1 or more.
Bounds bounds_join(const Bounds *parts, int count);

// Minimum and maximum of a field only, in a third of the time; fails in the same ways.
Status field_range(const Run *run, const Field *field, double *min, double *max, Error *error);

// The heights between which a field lies: 0 and 1, extended to the field's heights, so that equal heights are
// alike in all fields; or the field's own range if it is all above 1 or below -1, that is, in other units.
Status field_extent(const Run *run, const Field *field, double *low, double *high, Error *error);

#define MAP_DEPTH 0.5 // how deep the sea of a map is drawn, in shares of how high its ground is

// A picture's scale.
typedef struct HeightScale {
    double low, high; // the heights that have the colours of its ends
    double range;     // of heights: what is raised by as much in any picture
} HeightScale;

// `low` and `high` are used as given unless both are 0, which means not given: then the field's extent, or
// its own range where that is less than a quarter of it, and would look flat. A window of a map has the
// colours of the map, whose sea counts as half as deep as its ground is high; where its own range would be
// taken, it gets half of them: its middle has the one that it has on the map. `sea`: the height of the shore;
// where a given `low` is that, a map's sea keeps its colours. Fails with STATUS_INVALID unless a given high
// is above low.
Status field_scale(const Run *run, const Field *field, double sea, double low, double high,
                   HeightScale *scale, Error *error);

#endif
