// Measures of land as numbers, by which real and made land can be told apart. None but `slope` depends on the
// vertical scale, and on the size of the field only by chance. What real land has depends on the size of
// cells.

#ifndef ESKER_SURVEY_H
#define ESKER_SURVEY_H

#include "core/field.h"
#include "core/parallel.h"

// Each is an output of `realism` and of `realism_ranges`, in this order.
#define REALISM_MEASURES(X)                                                                                  \
    X(slope, "mean slope, rise over run; 0 where the scale of heights is not known")                         \
    X(slope_variation, "standard deviation of the slopes divided by their mean")                             \
    X(slope_tail, "95th percentile of the slopes divided by their mean")                                     \
    X(flat, "share of the land with less than a quarter of the mean slope")                                  \
    X(spectrum, "β: the power spectrum is proportional to (wave number)^-β, for waves of 4 to 64 "         \
                "cells")                                                                                     \
    X(anisotropy, "anisotropy of the power spectrum, 0 to 1: 0 if all directions are equal")                 \
    X(grid, "above 0 if the power lies along rows and columns, below 0 if along diagonals")                  \
    X(hypsometric, "hypsometric integral: the mean height, 0 at the lowest and 1 at the highest")            \
    X(curvature, "mean magnitude of the Laplacian divided by the mean slope, per cell")                      \
    X(concave, "share that is concave, like valleys, of the land with at least the mean curvature")          \
    X(hollows, "share of the land in closed hollows")                                                        \
    X(bifurcation, "Horton's ratio of stream numbers")                                                       \
    X(length_ratio, "Horton's ratio of stream lengths")                                                      \
    X(hack, "Hack's exponent: the longest flow path is proportional to this power of the area")              \
    X(concavity, "θ: channel slope is proportional to area^-θ")                                              \
    X(density, "channel length per cell of land, times √channel")                                            \
    X(sinuosity, "length of channels between confluences divided by the straight distance")                  \
    X(coast, "fractal dimension of the coast (Minkowski); 0 without sea")

#define REALISM_ENUM(name, doc) MEASURE_##name,
typedef enum Measure { REALISM_MEASURES(REALISM_ENUM) MEASURES } Measure;
#undef REALISM_ENUM

typedef struct MeasureRange {
    double low, median, high;
} MeasureRange;

typedef struct Survey {
    const Run *run;
    const Field *height;
    bool wraps;            // slopes, curvature: across the edges. Water leaves over them
    float sea_level;       // lower cells are sea
    double vertical_scale; // cells that a height of 1 stands for; 0: not known
    double cell;           // metres; 0: not known, or no real land with such cells was measured
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

#endif
