// The squig curve alone: a river in a triangle (Prusinkiewicz and Hammel 1993, figures 6 to 8), with
// branches (figures 11 and 12).

#include "core/math.h"
#include "core/operation.h"
#include "squig/squig.h"

#include <math.h>

typedef struct SquigCurve {
    int levels, entry, exit, branch_levels;
    double tributaries, river_width;
} SquigCurve;

enum { SIDE_LEFT, SIDE_RIGHT, SIDE_BOTTOM };

// The upper triangle as an equilateral one on its diagonal, as large as the window allows.
static SquigFrame stand_upright(const Call *call, double river_width) {
    const double tall = sqrt(3) / 2, margin = 0.04;
    const double wide = (1 - 2 * margin) * call->width, high = (1 - 2 * margin) * call->height / tall;
    const double side = min(wide, high);
    return (SquigFrame){ .width = call->width,
                         .height = call->height,
                         .left = 0.5 * (call->width - side),
                         .top = 0.5 * (call->height + tall * side),
                         .right_x = 0.5 * side,
                         .right_y = -tall * side,
                         .bottom_x = 0.5 * side,
                         .bottom_y = tall * side,
                         .scale = 1,
                         .river_width = river_width };
}

static Status run(const Call *call, Error *error) {
    static const uint8_t edges[] = {
        [SIDE_LEFT] = SQUIG_ACROSS, [SIDE_RIGHT] = SQUIG_DOWN, [SIDE_BOTTOM] = SQUIG_DIAGONAL
    };
    static const char *const names[] = { "left", "right", "bottom" };
    const SquigCurve *params = call->params;
    if (params->entry == params->exit)
        return fail(error, STATUS_INVALID, "entry and exit must be two edges, got \"%s\" for both",
                    names[params->entry]);
    const SquigTriangle whole = { .entries = (uint8_t)(1 << edges[params->entry]),
                                  .exit = edges[params->exit] };
    Squig squig = { .tributaries = params->tributaries, .branch_levels = params->branch_levels };
    Status status = squig_begin(&squig, call->seed, &whole, 1, error);
    while (status == STATUS_OK && squig.level < params->levels) {
        status = run_advance(call->run, squig.level, params->levels);
        if (status == STATUS_OK)
            status = squig_reserve(&squig, error);
        if (status == STATUS_OK) {
            squig_subdivide(&squig, 0);
            squig_advance(&squig);
        }
    }
    if (status == STATUS_OK) {
        const double side = min(call->width, call->height);
        const SquigFrame frame = stand_upright(call, params->river_width * side);
        NetworkBuilder builder = { 0 };
        RiverNetwork *network;
        squig_reserve_nodes(&squig, &builder);
        squig_connect(&squig, &frame, &builder);
        status = squig_network(&squig, &frame, &builder, STATUS_OK, call->run, &network, error);
        call->outputs[0].value = network;
    }
    squig_free(&squig);
    return status;
}

#define SIDES CHOICES("left", "right", "bottom")

static const Param params[] = {
    PARAM(SquigCurve, levels, .initial = 7, .min = 0, .max = 14, .doc = "number of subdivisions"),
    PARAM(SquigCurve, entry, .choices = SIDES, .doc = "edge where the river enters"),
    PARAM(SquigCurve, exit, .initial = SIDE_RIGHT, .choices = SIDES, .doc = "and where it leaves"),
    PARAM(SquigCurve, tributaries, .initial = 0, .min = 0, .max = 1,
          .doc = "probability that a triangle gets a tributary when it is subdivided"),
    PARAM(SquigCurve, branch_levels, .initial = 5, .min = 0, .max = 14,
          .doc = "number of levels, from the first, at which tributaries begin"),
    PARAM(SquigCurve, river_width, .initial = 0.006, .min = 0, .max = 0.5,
          .doc = "width where the river leaves, in sides of the window; elsewhere proportional to the "
                 "square root of the drained area"),
    { 0 },
};

const Operation op_squig_curve = {
    .name = "squig_curve",
    .category = "rivers",
    .keywords = "mandelbrot river course fractal curve",
    .summary = "Makes a river's course by subdividing triangles: Mandelbrot's squig curve, with "
               "branches",
    .description = "The river crosses a triangle from its entry to its exit edge. Each level cuts every "
                   "triangle into four. A hash of an edge's ends chooses which half of the edge the "
                   "river crosses, so further levels refine the course without changing it, and it "
                   "never crosses itself.",
    .source = "Prusinkiewicz and Hammel 1993, Squig curves revisited; figures 6 to 8, 11 and 12",
    .outputs = { { "network", "the river; without tributaries, one reach", &type_network } },
    .params = params,
    .params_size = sizeof(SquigCurve),
    .sized = true,
    .seeded = true,
    .any_sizes = true,
    .example = "local river = esker.squig_curve{ levels = 6, seed = 3, size = 128 }",
    .picture = "local function river(levels, tributaries)\n"
               "    local curve = esker.squig_curve{ levels = levels, size = 160, seed = 1, tributaries = "
               "tributaries }\n"
               "    return curve:draw{ line = 1.2 }\n"
               "end\n"
               "return river(3), river(5), river(9), river(7, 0.4)",
    .see_also = "squig_mountain draw",
    .run = run,
};
