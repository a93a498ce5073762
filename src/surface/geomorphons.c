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

enum { LEVEL_BOTH, LEVEL_DIFFERENCE };

typedef struct Geomorphons {
    double radius, skip, flat, exaggeration;
    int level;
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
    double radius;  // sides of a cell
    int skip;       // cells that are left out in each direction
    float per_cell; // rise of a unit of height over a cell, as a slope
    float flat;     // radians
    bool by_difference;
} Looking;

typedef struct Direction {
    int first, last; // cells
    float nearness;  // rise of a unit of height over the first cell, as a slope
} Direction;

// Over cells of a shape. At least one cell is looked at. Cells as far away as the radius do not count, nor if
// their sides are a little shorter, as in degrees.
static Direction direction_of(const Looking *looking, int direction, CellShape shape) {
    const Field *height = looking->call->inputs[0].field;
    const double nearly = 0.999, across = neighbour_x[direction] * shape.across,
                 down = neighbour_y[direction] * shape.down, step = sqrt(across * across + down * down);
    const int first = looking->skip + 1, around = max(height->width, height->height); // of a field that wraps
    return (Direction){ .first = first,
                        .last = whole_within(ceil(nearly * looking->radius / step) - 1, min(first, around),
                                             around),
                        .nearness = looking->per_cell / (float)step };
}

// How much more ground rises above a place than falls below it in a direction, as an angle: the sum of the
// elevation angles of the highest and the lowest ground, which is the nadir angle less the zenith angle. 0 if
// the ground is level.
static float horizon(const Looking *looking, int x, int y, int direction, const Direction *along) {
    const Field *height = looking->call->inputs[0].field;
    const bool wraps = looking->call->wraps;
    const float own = field_row(height, y)[x];
    float highest = -FLT_MAX, lowest = FLT_MAX;
    for (int k = along->first; k <= along->last; k++) {
        int to_x = x + k * neighbour_x[direction], to_y = y + k * neighbour_y[direction];
        if (wraps) {
            to_x = (to_x % height->width + height->width) % height->width;
            to_y = (to_y % height->height + height->height) % height->height;
        } else if (!within_field(height, to_x, to_y)) {
            break;
        }
        const size_t cell = (size_t)to_y * (size_t)height->width + (size_t)to_x;
        if (!field_has_data(height, cell))
            continue;
        const float slope = (height->cells[cell] - own) * along->nearness / (float)k;
        highest = max(highest, slope);
        lowest = min(lowest, slope);
    }
    if (highest < lowest) // there is no cell
        return 0;
    const float above = angle_of(highest, 1), below = angle_of(lowest, 1), sum = above + below;
    const float most = looking->by_difference ? fabsf(sum) : max(fabsf(above), fabsf(below));
    return most > looking->flat ? sum : 0;
}

static void classify_rows(void *context, int first, int end) {
    const Looking *looking = context;
    const Field *height = looking->call->inputs[0].field;
    for (int y = first; y < end; y++) {
        const CellShape shape = field_row_shape(height, y);
        Direction directions[NEIGHBOURS];
        for (int k = 0; k < NEIGHBOURS; k++)
            directions[k] = direction_of(looking, k, shape);
        float *out = field_row(&looking->call->outputs[0].field, y);
        for (int x = 0; x < height->width; x++) {
            int above = 0, below = 0;
            for (int k = 0; k < NEIGHBOURS; k++) {
                const float rise = horizon(looking, x, y, k, &directions[k]);
                above += rise > 0;
                below += rise < 0;
            }
            out[x] = form_of(below, above);
        }
    }
}

static Status run(const Call *call, Error *error) {
    const Geomorphons *params = call->params;
    const Field *height = call->inputs[0].field;
    Looking looking = { .call = call,
                        .radius = 10,
                        .per_cell = cells_per_height(height, params->exaggeration),
                        .flat = (float)params->flat / DEGREES_PER_RADIAN,
                        .by_difference = params->level == LEVEL_DIFFERENCE };
    Status status = isnan(params->radius)
                        ? STATUS_OK
                        : field_cells_of_length(height, params->radius, &looking.radius, error);
    double skip = 0;
    if (status == STATUS_OK)
        status = field_cells_of_length(height, params->skip, &skip, error);
    const CellShape shape = field_cell_shape(height);
    looking.skip = whole_within(mend_rounding(skip / max(shape.across, shape.down)), 0, SIDE_MAX - 1);
    return status == STATUS_OK ? parallel_rows(call->run, call->height, call->width * 16.0 * looking.radius,
                                               classify_rows, &looking)
                               : status;
}

static const Param params[] = {
    PARAM(Geomorphons, radius, .optional = true, .min = 1e-6, .max = 1e9, .unit = UNIT_GROUND,
          .doc = "how far the horizon is looked for: cells nearer than this count; by default ten cells"),
    PARAM(Geomorphons, skip, .initial = 0, .min = 0, .max = 1e9, .unit = UNIT_GROUND,
          .doc = "nearer ground is left out: the whole cells of this length, as many in all directions, as "
                 "in r.geomorphon"),
    PARAM(Geomorphons, flat, .initial = 1, .min = 0, .max = 90, .unit = UNIT_DEGREES,
          .doc = "largest angle that still counts as level"),
    PARAM(Geomorphons, level, .choices = CHOICES("both", "difference"),
          .doc = "what is level: both angles are at most `flat`, as in r.geomorphon; or their difference is, "
                 "as in the paper"),
    PARAM(Geomorphons, exaggeration, .initial = 1, .min = 0, .max = 1e6, .unit = UNIT_EXAGGERATION,
          .doc = "factor on slopes; 16/N a cell is 45° where the unit of heights is not known"),
    { 0 },
};

const Operation op_geomorphons = {
    .name = "geomorphons",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "landform classification terrain forms r.geomorphon ridge valley shoulder spur hollow "
                "footslope mrvbf bottom",
    .summary = "Classifies landforms by which horizons lie above and below",
    .description =
        "1 flat, 2 peak, 3 ridge, 4 shoulder, 5 spur, 6 slope, 7 hollow, 8 footslope, 9 valley, 10 pit. In "
        "each of eight directions the highest and the lowest ground within the radius rise and fall by an "
        "angle. The larger one says whether that direction is above or below, unless it is level. Beyond an "
        "edge, and without data, there is no ground.",
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
