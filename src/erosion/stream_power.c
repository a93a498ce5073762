// Stream power in physical units: the model of landscape evolution that the literature runs,
//
//     dz/dt = U - K A^m S^n + D ∇²z
//
// (Howard 1994; Whipple and Tucker 1999), with A the drained area in m², S the slope towards the receiver.
// Each step adds the uplift, erodes by the implicit scheme of Braun and Willett 2013 (equations 21 to 26),
// and lets hillslopes creep. stream_erosion, which needs no units, makes land for pictures at once.

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/summary.h"
#include "erosion/erodibility.h"
#include "water/drainage.h"
#include "water/drainage_tree.h"
#include "water/flow.h"

#include <float.h>
#include <math.h>

typedef struct StreamPower {
    double years, erodibility, m, n, uplift, diffusivity, sea_level, cell;
    int steps, outlets;
    const Field *uplift_map, *rain, *mask;
} StreamPower;

enum {
    OUTLETS_ALL,
    OUTLETS_LEFT_RIGHT,
    OUTLETS_TOP_BOTTOM,
    OUTLETS_LEFT,
    OUTLETS_RIGHT,
    OUTLETS_TOP,
    OUTLETS_BOTTOM
};

enum { HEIGHT, AREA, RATE };

// A ring of cells as high as nothing else lies around the field: the tree takes pits along its own border for
// outlets, and those of the field are outlets only where its sides are open.
#define RING 1e30f

// Cells are those of the tree. Lengths are in metres, times in years.
typedef struct Evolution {
    const Call *call;
    const StreamPower *rule;
    DrainageTree tree;
    double *z;       // heights
    double *area;    // that drains through each cell, times the rain
    double *rate;    // how fast it was eroded in the last step
    float *height;   // z in floats, by which water finds its way
    float *ground;   // the same, with outlets below all else and the ring above
    bool *fixed;     // outlets: their height stays
    CellShape *side; // of a cell of each row
    double metres;   // of the unit of heights
    double step;
} Evolution;

static size_t cell_at(const Evolution *evolution, int x, int y) {
    return padded_at(&evolution->tree.grid, x + 1, y + 1);
}

static Status each_row(Evolution *evolution, double cost, RowsBody *body) {
    const Call *call = evolution->call;
    return parallel_rows(call->run, call->height, call->width * cost, body, evolution);
}

// --- the way of water --------------------------------------------------------------------------------------

static ptrdiff_t offset_of(const PaddedGrid *grid, int neighbour) {
    return neighbour_y[neighbour] * (ptrdiff_t)padded_stride(grid) + neighbour_x[neighbour];
}

static uint32_t receiver_towards(const PaddedGrid *grid, size_t cell, int neighbour) {
    return (uint32_t)((ptrdiff_t)cell + offset_of(grid, neighbour)) * 2 + (uint32_t)(neighbour & 1);
}

static double distance_towards(CellShape side, int neighbour) {
    const double across = neighbour_x[neighbour] * side.across, down = neighbour_y[neighbour] * side.down;
    return sqrt(across * across + down * down);
}

// The steepest descent (O'Callaghan and Mark 1984); of several one drawn by the place. Cells of the ring
// drain inwards.
static void find_receivers(void *context, int first, int end) {
    const Evolution *evolution = context;
    const PaddedGrid *grid = &evolution->tree.grid;
    const RandomKey key = random_key((uint64_t)grid->width, 1);
    for (int y = first; y < end; y++) {
        float nearness[NEIGHBOURS];
        for (int i = 0; i < NEIGHBOURS; i++)
            nearness[i] = (float)(1 / distance_towards(evolution->side[y], i));
        for (int x = 0; x < evolution->call->width; x++) {
            const size_t cell = cell_at(evolution, x, y);
            const float own = evolution->height[cell];
            float steepest = 0;
            int count = 0;
            evolution->tree.order[cell] = NOT_A_CELL;
            for (int i = 0; i < NEIGHBOURS; i++) {
                const float other = evolution->height[(size_t)((ptrdiff_t)cell + offset_of(grid, i))];
                const float slope = (own - other) * nearness[i];
                if (slope <= 0 || slope < steepest)
                    continue;
                count = slope > steepest ? 1 : count + 1;
                steepest = slope;
                if (count == 1 || random_unit(key, (uint32_t)cell, (uint32_t)count) * (float)count < 1)
                    evolution->tree.order[cell] = receiver_towards(grid, cell, i);
            }
        }
    }
}

static void close_ring(const Evolution *evolution) {
    const PaddedGrid *grid = &evolution->tree.grid;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x += y == 0 || y == grid->height - 1 ? 1 : grid->width - 1) {
            const size_t cell = padded_at(grid, x, y);
            const int dx = (x == 0) - (x == grid->width - 1), dy = (y == 0) - (y == grid->height - 1);
            const ptrdiff_t inwards = dy * (ptrdiff_t)padded_stride(grid) + dx;
            evolution->height[cell] = evolution->ground[cell] = RING;
            evolution->fixed[cell] = false;
            evolution->tree.order[cell] =
                (uint32_t)((ptrdiff_t)cell + inwards) * 2 + (uint32_t)(dx != 0 && dy != 0);
        }
}

static void take_heights(void *context, int first, int end) {
    const Evolution *evolution = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < evolution->call->width; x++) {
            const size_t cell = cell_at(evolution, x, y);
            evolution->height[cell] = (float)evolution->z[cell];
            evolution->ground[cell] = evolution->fixed[cell] ? -FLT_MAX : evolution->height[cell];
        }
}

static void begin_areas(void *context, int first, int end) {
    const Evolution *evolution = context;
    const Field *rain = evolution->rule->rain;
    for (int y = first; y < end; y++) {
        const double own = evolution->side[y].across * evolution->side[y].down;
        for (int x = 0; x < evolution->call->width; x++)
            evolution->area[cell_at(evolution, x, y)] = own * (rain ? (double)field_row(rain, y)[x] : 1);
    }
}

static void add_areas(void *context, const uint32_t *cells, size_t count) {
    const Evolution *evolution = context;
    for (size_t k = 0; k < count; k++) {
        const size_t cell = cells[k], to = receiver_of(&evolution->tree, cell);
        if (to != cell)
            evolution->area[to] += evolution->area[cell];
    }
}

static Status drain(Evolution *evolution, Error *error) {
    const Run *run = evolution->call->run;
    DrainageTree *tree = &evolution->tree;
    Status status = each_row(evolution, 1, take_heights);
    close_ring(evolution);
    if (status == STATUS_OK)
        status = each_row(evolution, 12, find_receivers);
    if (status == STATUS_OK)
        status = drainage_tree_find(run, tree, evolution->ground, -FLT_MAX, 1, true, error);
    if (status == STATUS_OK)
        status = drainage_order_find(run, tree, error);
    if (status == STATUS_OK)
        status = each_row(evolution, 1, begin_areas);
    return status == STATUS_OK ? drainage_order_down(run, tree, 4, add_areas, evolution) : status;
}

// --- erosion -----------------------------------------------------------------------------------------------

// The y of y + c y^n = drop, 0 … drop (Braun and Willett 2013, equation 25): Newton's method, which comes
// from one side as the curve bends one way. Below n = 1 that of y^n does.
static double drop_left(double drop, double c, double n) {
    if (n == 1)
        return drop / (1 + c);
    const bool root = n < 1;
    const double exponent = root ? 1 / n : n, low = root ? c : 1, high = root ? 1 : c;
    double w = root ? min(power(drop, n), drop / c) : drop;
    for (int i = 0; i < 60 && w > 0; i++) {
        const double bent = high * power(w, exponent);
        const double next = w - (low * w + bent - drop) / (low + exponent * bent / w);
        if (!(next < w * (1 - 1e-12)))
            break;
        w = max(next, 0.0);
    }
    return root ? power(w, exponent) : w;
}

static double powered(double area, double m) {
    return m == 0.5 ? sqrt(area) : power(area, m);
}

static void erode_cells(void *context, const uint32_t *cells, size_t count) {
    const Evolution *evolution = context;
    const StreamPower *rule = evolution->rule;
    const size_t stride = padded_stride(&evolution->tree.grid);
    for (size_t k = count; k > 0; k--) {
        const size_t cell = cells[k - 1], to = receiver_of(&evolution->tree, cell);
        if (to == cell || evolution->fixed[cell] || evolution->height[cell] == RING)
            continue;
        const int x = (int)(cell % stride) - 2, y = (int)(cell / stride) - 2;
        const double before = evolution->z[cell], drop = before - evolution->z[to];
        double eroded = 0;
        if (drop > 0) { // else it lies in a lake
            const CellShape side = evolution->side[y];
            const double across =
                             (size_t)((ptrdiff_t)cell % (ptrdiff_t)stride) == to % stride ? 0 : side.across,
                         down = cell / stride == to / stride ? 0 : side.down;
            const double distance = sqrt(across * across + down * down);
            const double mask = rule->mask ? (double)field_row(rule->mask, y)[x] : 1;
            const double c = evolution->step * rule->erodibility * mask *
                             powered(evolution->area[cell], rule->m) / power(distance, rule->n);
            eroded = c > 0 ? drop - drop_left(drop, c, rule->n) : 0;
        }
        evolution->z[cell] = before - eroded;
        evolution->rate[cell] = eroded / evolution->step;
    }
}

static void uplift_rows(void *context, int first, int end) {
    const Evolution *evolution = context;
    const StreamPower *rule = evolution->rule;
    const double rise = rule->uplift * 1e-3 * evolution->step;
    for (int y = first; y < end; y++)
        for (int x = 0; x < evolution->call->width; x++) {
            const size_t cell = cell_at(evolution, x, y);
            const double share = rule->uplift_map ? (double)field_row(rule->uplift_map, y)[x] : 1;
            if (!evolution->fixed[cell])
                evolution->z[cell] += rise * share;
        }
}

// --- creep -------------------------------------------------------------------------------------------------

// D ∇²z, implicit along rows and then along columns: whatever the step, no height leaves the range of those
// around it. Outlets keep their height; over other sides nothing creeps.

typedef struct Creep {
    const Evolution *evolution;
    double *across, *down; // of each row D dt over the square of a cell's side
    double *factors;       // of each line the multipliers of the elimination
} Creep;

typedef struct Line {
    size_t start;
    ptrdiff_t step; // to the next cell
    int count;
    const double *along; // of all cells of a row; of each cell of a column
    bool is_row;
} Line;

// Solves (1 - r δ²) z' = z, δ² the second difference along the line, by elimination.
static void creep_line(const bool *fixed, double *z, const Line *line, double *factor) {
    for (int i = 0; i < line->count; i++) {
        const size_t cell = (size_t)((ptrdiff_t)line->start + i * line->step);
        const double r = line->along[line->is_row ? 0 : i];
        const double low = i > 0 ? r : 0, high = i + 1 < line->count ? r : 0;
        const double pivot = 1 + low + high - (i > 0 ? low * factor[i - 1] : 0);
        const double before = i > 0 ? z[(size_t)((ptrdiff_t)cell - line->step)] : 0;
        factor[i] = fixed[cell] ? 0 : high / pivot;
        z[cell] = fixed[cell] ? z[cell] : (z[cell] + low * before) / pivot;
    }
    for (int i = line->count - 2; i >= 0; i--) {
        const size_t cell = (size_t)((ptrdiff_t)line->start + i * line->step);
        z[cell] += factor[i] * z[(size_t)((ptrdiff_t)cell + line->step)];
    }
}

static void creep_along_rows(void *context, int first, int end) {
    const Creep *creep = context;
    const Evolution *evolution = creep->evolution;
    const int width = evolution->call->width;
    for (int y = first; y < end; y++) {
        const Line line = { cell_at(evolution, 0, y), 1, width, creep->across + y, true };
        creep_line(evolution->fixed, evolution->z, &line, creep->factors + (size_t)y * (size_t)width);
    }
}

static void creep_along_columns(void *context, int first, int end) {
    const Creep *creep = context;
    const Evolution *evolution = creep->evolution;
    const int height = evolution->call->height;
    const ptrdiff_t down = (ptrdiff_t)padded_stride(&evolution->tree.grid);
    for (int x = first; x < end; x++) {
        const Line line = { cell_at(evolution, x, 0), down, height, creep->down, false };
        creep_line(evolution->fixed, evolution->z, &line, creep->factors + (size_t)x * (size_t)height);
    }
}

static Status creep_create(Creep *creep, const Evolution *evolution, Error *error) {
    const int height = evolution->call->height;
    const double amount = evolution->rule->diffusivity * evolution->step;
    *creep = (Creep){ .evolution = evolution };
    if (!(creep->across = memory_new((size_t)height, sizeof(double), error)) ||
        !(creep->down = memory_new((size_t)height, sizeof(double), error)) ||
        !(creep->factors = memory_new_cells(evolution->call->width, height, sizeof(double), error)))
        return STATUS_MEMORY;
    for (int y = 0; y < height; y++) {
        const CellShape side = evolution->side[y];
        creep->across[y] = amount / (side.across * side.across);
        creep->down[y] = amount / (side.down * side.down);
    }
    return STATUS_OK;
}

static void creep_free(Creep *creep) {
    memory_free(creep->across);
    memory_free(creep->down);
    memory_free(creep->factors);
}

static Status creep_step(Creep *creep) {
    const Call *call = creep->evolution->call;
    if (creep->evolution->rule->diffusivity == 0)
        return STATUS_OK;
    const Status status = parallel_rows(call->run, call->height, call->width * 12.0, creep_along_rows, creep);
    return status == STATUS_OK
               ? parallel_rows(call->run, call->width, call->height * 20.0, creep_along_columns, creep)
               : status;
}

// --- all ---------------------------------------------------------------------------------------------------

static bool is_open(const Call *call, int outlets, int x, int y) {
    const bool left = x == 0, right = x == call->width - 1, top = y == 0, bottom = y == call->height - 1;
    const bool open[] = { [OUTLETS_ALL] = left || right || top || bottom,
                          [OUTLETS_LEFT_RIGHT] = left || right,
                          [OUTLETS_TOP_BOTTOM] = top || bottom,
                          [OUTLETS_LEFT] = left,
                          [OUTLETS_RIGHT] = right,
                          [OUTLETS_TOP] = top,
                          [OUTLETS_BOTTOM] = bottom };
    return open[outlets];
}

static bool is_below_sea(const Evolution *evolution, int x, int y) {
    return (double)field_row(evolution->call->inputs[0].field, y)[x] < evolution->rule->sea_level;
}

// Streams end at the water of the sea, not at its floor.
static void begin_rows(void *context, int first, int end) {
    const Evolution *evolution = context;
    const Field *height = evolution->call->inputs[0].field;
    for (int y = first; y < end; y++)
        for (int x = 0; x < evolution->call->width; x++) {
            const size_t cell = cell_at(evolution, x, y);
            const bool sea = is_below_sea(evolution, x, y);
            evolution->fixed[cell] = sea || is_open(evolution->call, evolution->rule->outlets, x, y);
            evolution->z[cell] =
                (sea ? evolution->rule->sea_level : (double)field_row(height, y)[x]) * evolution->metres;
            evolution->rate[cell] = 0;
        }
}

static void take_rows(void *context, int first, int end) {
    const Evolution *evolution = context;
    const Call *call = evolution->call;
    const Field *before = call->inputs[0].field;
    for (int y = first; y < end; y++)
        for (int x = 0; x < call->width; x++) {
            const size_t cell = cell_at(evolution, x, y);
            const bool stays = evolution->fixed[cell] || evolution->rule->years == 0;
            field_row(&call->outputs[HEIGHT].field, y)[x] =
                stays ? field_row(before, y)[x] : (float)(evolution->z[cell] / evolution->metres);
            field_row(&call->outputs[AREA].field, y)[x] = (float)evolution->area[cell];
            field_row(&call->outputs[RATE].field, y)[x] = (float)(evolution->rate[cell] * 1e3);
        }
}

static Status evolution_create(Evolution *evolution, Error *error) {
    const Call *call = evolution->call;
    const Field *height = call->inputs[0].field;
    const PaddedGrid grid = { .width = call->width + 2, .height = call->height + 2 };
    const size_t count = padded_count(&grid);
    const double cell = frame_is_set(&height->frame) ? field_cell_metres(height) : evolution->rule->cell;
    Status status = drainage_tree_create(&evolution->tree, grid, error);
    double **const doubles[] = { &evolution->z, &evolution->area, &evolution->rate };
    for (int i = 0; i < 3 && status == STATUS_OK; i++)
        status = (*doubles[i] = memory_new_zeroed(count, sizeof(double), error)) ? STATUS_OK : STATUS_MEMORY;
    if (status != STATUS_OK ||
        !(evolution->height = memory_new_zeroed(count, sizeof *evolution->height, error)) ||
        !(evolution->ground = memory_new_zeroed(count, sizeof *evolution->ground, error)) ||
        !(evolution->fixed = memory_new_zeroed(count, sizeof *evolution->fixed, error)) ||
        !(evolution->side = memory_new((size_t)call->height, sizeof *evolution->side, error)))
        return STATUS_MEMORY;
    for (int y = 0; y < call->height; y++) {
        const CellShape shape = field_row_shape(height, y);
        evolution->side[y] = (CellShape){ cell * shape.across, cell * shape.down };
    }
    padded_close(&grid, evolution->ground, FLT_MAX);
    return each_row(evolution, 1, begin_rows);
}

static void evolution_free(Evolution *evolution) {
    drainage_tree_free(&evolution->tree);
    memory_free(evolution->z);
    memory_free(evolution->area);
    memory_free(evolution->rate);
    memory_free(evolution->height);
    memory_free(evolution->ground);
    memory_free(evolution->fixed);
    memory_free(evolution->side);
}

static Status evolve(Evolution *evolution, Error *error) {
    const Run *run = evolution->call->run;
    const int steps = evolution->rule->years > 0 ? evolution->rule->steps : 0;
    Creep creep = { 0 };
    Status status = creep_create(&creep, evolution, error);
    for (int i = 0; i < steps && status == STATUS_OK; i++) {
        status = each_row(evolution, 1, uplift_rows);
        if (status == STATUS_OK)
            status = drain(evolution, error);
        if (status == STATUS_OK)
            status = drainage_order_up(run, &evolution->tree, 20, erode_cells, evolution);
        if (status == STATUS_OK)
            status = creep_step(&creep);
        if (status == STATUS_OK)
            status = run_advance(run, i + 1, steps);
    }
    creep_free(&creep);
    return status == STATUS_OK ? drain(evolution, error) : status; // the areas of what comes out
}

static Status check(const Call *call, Error *error) {
    const StreamPower *rule = call->params;
    const Field *height = call->inputs[0].field;
    double lowest, highest;
    Status status = erodibility_check(call, rule->mask, error);
    if (status == STATUS_OK)
        status = uplift_map_check(call, rule->uplift_map, error);
    if (status == STATUS_OK)
        status = flow_check_rain(rule->rain, error);
    if (status == STATUS_OK)
        status = field_range(call->run, height, &lowest, &highest, error);
    if (status != STATUS_OK)
        return status;
    if (frame_is_set(&height->frame) &&
        (field_cell_metres(height) == 0 || frame_height_metres(&height->frame) == 0))
        return fail(error, STATUS_INVALID,
                    "cells and heights of the frame must be lengths: georeference{ like = height, cell = 30, "
                    "unit = \"m\" } says that a cell is 30 m wide and heights are metres");
    return fabs(lowest) < 1e9 && fabs(highest) < 1e9
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "heights must be within 1e9, got %s to %s",
                      digits_of(lowest).text, digits_of(highest).text);
}

static Status run(const Call *call, Error *error) {
    const StreamPower *rule = call->params;
    const Frame *frame = &call->inputs[0].field->frame;
    const Status status = check(call, error);
    if (status != STATUS_OK)
        return status;
    Evolution evolution = { .call = call,
                            .rule = rule,
                            .metres = frame_is_set(frame) ? frame_height_metres(frame) : 1,
                            .step = rule->years / rule->steps };
    Status done = evolution_create(&evolution, error);
    if (done == STATUS_OK)
        done = evolve(&evolution, error);
    if (done == STATUS_OK)
        done = each_row(&evolution, 2, take_rows);
    evolution_free(&evolution);
    return done;
}

static const Param params[] = {
    PARAM(StreamPower, years, .initial = 1e6, .min = 0, .max = 1e10, .doc = "how long, in years"),
    PARAM(StreamPower, steps, .initial = 100, .min = 1, .max = 1e6,
          .doc = "number of steps; any number is stable, more follow waves of erosion more closely"),
    PARAM(StreamPower, uplift, .initial = 1, .min = 0, .max = 1000, .doc = "U, in millimetres a year"),
    PARAM(StreamPower, uplift_map,
          .doc = "share of the uplift by which each cell rises, 0 to 1; by default 1"),
    PARAM(StreamPower, erodibility, .initial = 5e-6, .min = 0, .max = 1e6,
          .doc = "K, in m^(1 - 2m) a year: the rate of erosion in metres a year where A^m S^n is 1"),
    PARAM(StreamPower, m, .initial = 0.5, .min = 0, .max = 3, .doc = "exponent of the drained area in m²"),
    PARAM(StreamPower, n, .initial = 1, .min = 0.1, .max = 8, .doc = "exponent of the slope"),
    PARAM(StreamPower, diffusivity, .initial = 0, .min = 0, .max = 1e4,
          .doc = "D of creeping hillslopes, in m² a year. What creeps into streams has to be carried off: "
                 "they become "
                 "steeper"),
    PARAM(StreamPower, outlets,
          .choices = CHOICES("all", "left_right", "top_bottom", "left", "right", "top", "bottom"),
          .doc = "sides of the field over which water leaves: their cells keep their height. The others are "
                 "divides"),
    PARAM(StreamPower, cell, .initial = 100, .min = 1e-6, .max = 1e9, .unit = UNIT_METRES,
          .doc = "width of a cell where the field has no frame; then heights are metres"),
    PARAM(StreamPower, rain, .doc = "rain on each cell, 0 or more, by which its area counts; by default 1"),
    PARAM(StreamPower, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea, in which streams end; it stays as it is"),
    PARAM_MASK(StreamPower),
    { 0 },
};

const Operation op_stream_power = {
    .name = "stream_power",
    .measures = MEASURES_CELLS,
    .category = "erosion",
    .keywords =
        "landscape evolution model lem fastscape landlab badlands fluvial incision detachment limited "
        "uplift tectonics knickpoint steady state diffusion physical",
    .summary = "Lets land rise and wear down for years: stream power and creep in physical units",
    .description =
        "dz/dt = U - K A^m S^n + D ∇²z, with A the drained area in m² and S the slope. Water follows the "
        "steepest descent, and crosses lakes by their lowest pass. K, m and n are those of the literature. "
        "In the steady state without creep slopes are (U / K)^(1/n) A^(-m/n), and `rate` is the uplift. A "
        "wave of erosion travels upstream with K A^m where n is 1. Land is detachment-limited: nothing "
        "settles. For land that looks mature at once, without units, there is stream_erosion.\n\nCells and "
        "heights have the lengths of the frame. A flat start needs a little noise for water to find its way.",
    .source = "Braun and Willett 2013; Cordonnier, Bovy and Braun 2019",
    .inputs = { { "height", "heights, in a frame" } },
    .outputs = { { "height", "heights after these years", .heights = true },
                 { "area", "drained area in m², times the rain" },
                 { "rate", "erosion by streams in the last step, in millimetres a year" } },
    .params = params,
    .params_size = sizeof(StreamPower),
    .example =
        "local flat = (height * 10):georeference{ cell = 200, unit = \"m\" }\n"
        "local range, area, rate = flat:stream_power{ years = 2e6, steps = 40, outlets = \"left_right\" }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local flat = (height * 10):georeference{ cell = 200, unit = \"m\" }\n"
               "return (flat:stream_power{ years = 4e6, steps = 60 }):relief{}",
    .see_also = "stream_erosion river_profiles flow_accumulation",
    .run = run,
};
