// Geomorphons (Jasiewicz and Stepinski 2013, "Geomorphons: a pattern recognition approach to classification
// and mapping of landforms", section 2 and figure 4): in each of eight directions the horizon within a radius
// lies above or below what a flat surface would have, or at it, and how many lie above and below is the
// landform.

#include "core/gaps.h"
#include "core/math.h"
#include "surface/nine_points.h"
#include "water/drainage.h"

#include <float.h>
#include <math.h>

typedef struct Geomorphons {
    double radius, skip, flat, exaggeration;
} Geomorphons;

// By the number of directions below (rows) and above (columns) the place; with all eight above it is a pit.
static const char *const forms[NEIGHBOURS + 1] = {
    "11188999", "11888999", "1466779", "446667", "44566", "3355", "333", "33", "2",
};

enum { PIT = 10 };

static float form_of(int below, int above) {
    return above == NEIGHBOURS ? PIT : (float)(forms[below][above] - '0');
}

typedef struct Looking {
    const Call *call;
    int first, last; // cells along a direction
    float per_cell;  // rise of a unit of height over a cell, as a slope
    float flat;      // radians
} Looking;

// The sum of the elevation angles of the highest and the lowest ground in a direction: the nadir angle less
// the zenith angle.
static float horizon(const Looking *looking, int x, int y, int direction, CellShape shape) {
    const Field *height = looking->call->inputs[0].field;
    const bool wraps = looking->call->wraps;
    const double across = neighbour_x[direction] * shape.across, down = neighbour_y[direction] * shape.down;
    const float nearness = looking->per_cell / (float)sqrt(across * across + down * down);
    const float own = field_row(height, y)[x];
    float highest = -FLT_MAX, lowest = FLT_MAX;
    for (int k = looking->first; k <= looking->last; k++) {
        int to_x = x + k * neighbour_x[direction], to_y = y + k * neighbour_y[direction];
        if (wraps) {
            to_x = (to_x % height->width + height->width) % height->width;
            to_y = (to_y % height->height + height->height) % height->height;
        } else if (!within_field(height, to_x, to_y)) {
            break;
        }
        const float slope = (field_row(height, to_y)[to_x] - own) * nearness / (float)k;
        highest = max(highest, slope);
        lowest = min(lowest, slope);
    }
    return highest < lowest ? 0 : angle_of(highest, 1) + angle_of(lowest, 1); // 0: there is no cell
}

static void classify_rows(void *context, int first, int end) {
    const Looking *looking = context;
    const Field *height = looking->call->inputs[0].field;
    for (int y = first; y < end; y++) {
        const CellShape shape = field_row_shape(height, y);
        float *out = field_row(&looking->call->outputs[0].field, y);
        for (int x = 0; x < height->width; x++) {
            int above = 0, below = 0;
            for (int k = 0; k < NEIGHBOURS; k++) {
                const float difference = horizon(looking, x, y, k, shape);
                above += difference > looking->flat;
                below += difference < -looking->flat;
            }
            out[x] = form_of(below, above);
        }
    }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const Geomorphons *params = call->params;
    Looking looking = { .call = call,
                        .first = 1 + whole_within(params->skip, 0, SIDE_MAX - 1),
                        .last = whole_within(params->radius, 1, SIDE_MAX),
                        .per_cell = cells_per_height(call->inputs[0].field, params->exaggeration),
                        .flat = (float)params->flat / DEGREES_PER_RADIAN };
    return parallel_rows(call->run, call->height, call->width * 16.0 * params->radius, classify_rows,
                         &looking);
}

static const Param params[] = {
    PARAM(Geomorphons, radius, .initial = 10, .min = 1, .max = 1000, .unit = UNIT_CELLS,
          .doc = "how far the horizon is looked for"),
    PARAM(Geomorphons, skip, .initial = 0, .min = 0, .max = 999, .unit = UNIT_CELLS,
          .doc = "the nearest cells that are left out"),
    PARAM(Geomorphons, flat, .initial = 1, .min = 0, .max = 90, .unit = UNIT_DEGREES,
          .doc = "difference of angles that still counts as level"),
    PARAM(Geomorphons, exaggeration, .initial = 1, .min = 0, .max = 1e6, .unit = UNIT_EXAGGERATION,
          .doc = "factor on slopes; 16/N a cell is 45° where the unit of heights is not known"),
    { 0 },
};

const Operation op_geomorphons = {
    .name = "geomorphons",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords =
        "landform classification terrain forms r.geomorphon ridge valley shoulder spur hollow footslope",
    .summary = "Classifies landforms by which horizons lie above and below",
    .description =
        "1 flat, 2 peak, 3 ridge, 4 shoulder, 5 spur, 6 slope, 7 hollow, 8 footslope, 9 valley, 10 pit. In "
        "each of "
        "eight directions the highest and the lowest ground within the radius give the angles of the zenith "
        "and of the nadir; their difference, if it exceeds `flat`, is above or below. Beyond an edge there "
        "is no ground.",
    .source = "Jasiewicz and Stepinski 2013, Geomorphons",
    .inputs = { { "height", "heights" } },
    .outputs = { { "forms", "whole numbers, 1 to 10" } },
    .params = params,
    .params_size = sizeof(Geomorphons),
    .wrapping = WRAPPING_CHOSEN,
    .always_finite = "whole numbers, 1 to 10",
    .example = "local forms = height:geomorphons{ radius = 8 }",
    .picture = "return height:geomorphons{ flat = 3 }:colorize{ palette = \"heights\", low = 1, high = 10 }",
    .see_also = "position_index curvature openness",
    .run = run,
};
