// Measures of land as numbers, by which real and made land can be told apart. None but `slope` depends on the
// vertical scale, none on the size of the field but for chance.

#ifndef ESKER_REALISM_H
#define ESKER_REALISM_H

#include "core/field.h"
#include "core/parallel.h"

// Each is an output of `realism` and of `realism_ranges`, in this order.
#define REALISM_MEASURES(X)                                                                                  \
    X(slope, "mean slope, rise over run; 0 without vertical_scale")                                          \
    X(slope_variation, "slopes' standard deviation over their mean")                                         \
    X(slope_tail, "the slope that 5 % of the land surpasses, over the mean")                                 \
    X(flat, "share of the land with less than a quarter of the mean slope")                                  \
    X(spectrum, "β: the power of a wave falls with the β-th power of its number, over waves of 4 to 64 "   \
                "cells")                                                                                     \
    X(anisotropy, "how much one direction has more of that power than the one across it, 0 to 1")            \
    X(grid, "how much the power lies along rows and columns; below 0: along diagonals")                      \
    X(hypsometric, "hypsometric integral: mean height between the lowest and the highest")                   \
    X(curvature, "mean magnitude of the Laplacian over the mean slope, per cell")                            \
    X(concave, "share of the curved land that is concave, as valleys are")                                   \
    X(hollows, "share of the land in closed hollows")                                                        \
    X(bifurcation, "Horton's ratio of stream numbers")                                                       \
    X(length_ratio, "Horton's ratio of stream lengths")                                                      \
    X(hack, "Hack's exponent: the longest way to a divide goes with this power of the area")                 \
    X(concavity, "θ: slope along channels falls with this power of the area")                                \
    X(density, "channel length for each cell of land, times the side of a square of `channel` cells")        \
    X(sinuosity, "length of channels between confluences over the straight way")                             \
    X(coast, "dimension of the coast, by the area around it; 0 without sea")

#define REALISM_ENUM(name, doc) MEASURE_##name,
typedef enum Measure { REALISM_MEASURES(REALISM_ENUM) MEASURES } Measure;
#undef REALISM_ENUM

typedef struct MeasureRange {
    double low, high;
} MeasureRange;

// Of real land: docs/realism.md.
extern const MeasureRange realism_ranges[MEASURES];

typedef struct Survey {
    const Run *run;
    const Field *height;
    bool wraps;            // slopes, curvature: across the edges. Water leaves over them
    float sea_level;       // lower cells are sea
    double vertical_scale; // cells that a height of 1 stands for; 0: not known
    int channel;           // cells that drain as many are channels
    double value[MEASURES];
    bool known[MEASURES]; // where the land has it
} Survey;

static inline void survey_set(Survey *survey, Measure measure, double value) {
    survey->value[measure] = value;
    survey->known[measure] = true;
}

static inline bool survey_is_land(const Survey *survey, size_t cell) {
    return survey->height->cells[cell] >= survey->sea_level;
}

Status survey_slopes(Survey *survey, Error *error);   // slopes, hypsometry, curvature
Status survey_spectrum(Survey *survey, Error *error); // spectrum, anisotropy, grid
Status survey_streams(Survey *survey, Error *error);  // hollows to sinuosity
Status survey_coast(Survey *survey, Error *error);

#endif
