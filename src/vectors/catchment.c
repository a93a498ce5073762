// What drains to given places: catchments, and the longest way of water in each.

#include "core/memory.h"
#include "places/overlay.h"
#include "places/points.h"
#include "vectors/outlets.h"
#include "water/flow.h"
#include "water/outlet_routes.h"

#include <math.h>
#include <string.h>

typedef struct Catchment {
    OUTLET_MEMBERS;
    Numbers at;
} Catchment;

enum { PLACES_MAX = 1 << 24 }; // whole numbers that a cell holds

typedef struct Basin { // a drainage, and the outlets in it
    const Call *call;
    const Field *height;
    Drainage drainage;
    Field sum; // what drains through each cell
    size_t *outlets;
    int count;
} Basin;

static void basin_free(Basin *basin) {
    memory_free(basin->drainage.direction);
    memory_free(basin->outlets);
    field_free(&basin->sum);
}

// --- outlets -----------------------------------------------------------------------------------------------

static Status find_drainage(Basin *basin, double sea_level, Error *error) {
    const Field *height = basin->height;
    Status status = field_create(&basin->sum, height->width, height->height, error);
    if (status != STATUS_OK)
        return status;
    basin->drainage = (Drainage){ .height = height, .filled = basin->sum, .sea_level = sea_level };
    status = drainage_find(basin->call->run, &basin->drainage, error);
    return status == STATUS_OK
               ? count_cells_above(basin->call->run, basin->drainage.direction, &basin->sum, error)
               : status;
}

// The cells at places, before any moves. `points`: the second input; NULL: places of the parameter `at`.
static Status place_outlets(const Field *size, const Catchment *params, const Input *points, size_t **outlets,
                            int *count, Error *error) {
    Shapes *placed = NULL;
    const Window window = window_of_field("height", size);
    Status status = points ? overlay_new(points, &window, &placed, error) : STATUS_OK;
    if (status == STATUS_OK && placed && placed->count > PLACES_MAX)
        status = fail(error, STATUS_INVALID, "more than %d points", PLACES_MAX);
    *count = placed ? placed->count : params->at.count / 2;
    *outlets = memory_new((size_t)*count + 1, sizeof **outlets, error);
    if (status == STATUS_OK && !*outlets)
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = placed ? cells_of_points(placed, size, *outlets, error)
                        : cells_of_shares(&params->at, size, *outlets, error);
    shapes_free(placed);
    return status;
}

static Status find_outlets(Basin *basin, const Catchment *params, const Input *points, Error *error) {
    Status status = place_outlets(basin->height, params, points, &basin->outlets, &basin->count, error);
    if (status == STATUS_OK)
        status = find_drainage(basin, params->sea_level, error);
    double radius = 0;
    if (status == STATUS_OK)
        status = field_cells_of_length(basin->height, params->snap, &radius, error);
    for (int i = 0; status == STATUS_OK && i < basin->count; i++) {
        const int y = (int)(basin->outlets[i] / (size_t)basin->height->width);
        basin->outlets[i] = snap_cell(&basin->sum, basin->outlets[i],
                                      (SnapReach){ radius, field_row_shape(basin->height, y) });
    }
    return status;
}

// Of a field larger than memory, of which only size and frame are known: how far outlets are moved, and of
// each before the column, the row, and the shape of a cell there.
static Status run_outlets(const Call *call, Error *error) {
    const Field *size = call->inputs[0].field;
    const Catchment *params = call->params;
    size_t *outlets;
    int count;
    Status status =
        place_outlets(size, params, call->inputs[1].value ? &call->inputs[1] : NULL, &outlets, &count, error);
    double radius = 0;
    if (status == STATUS_OK)
        status = field_cells_of_length(size, params->snap, &radius, error);
    double *numbers = status == STATUS_OK ? memory_new(4 * (size_t)count + 1, sizeof *numbers, error) : NULL;
    if (numbers) {
        numbers[0] = radius;
        for (int i = 0; i < count; i++) {
            const size_t x = outlets[i] % (size_t)size->width, y = outlets[i] / (size_t)size->width;
            const CellShape shape = field_row_shape(size, (int)y);
            const double each[4] = { (double)x, (double)y, shape.across, shape.down };
            memcpy(&numbers[4 * i + 1], each, sizeof each);
        }
        call->outputs[0].numbers.count = 4 * count + 1;
        call->outputs[0].numbers.at = numbers;
    } else if (status == STATUS_OK) {
        status = STATUS_MEMORY;
    }
    memory_free(outlets);
    return status;
}

// --- catchments --------------------------------------------------------------------------------------------

// Each cell belongs to the first outlet on its way: water ends there.
static Status label(const Basin *basin, Field *labels, Error *error) {
    const size_t cells = field_count(labels);
    uint32_t *end = memory_new(cells, sizeof *end, error);
    if (!end)
        return STATUS_MEMORY;
    float *numbers = field_cells(labels);
    for (size_t i = 0; i < cells; i++)
        numbers[i] = 0;
    for (int i = basin->count - 1; i >= 0; i--) { // of several at one cell the first has it
        basin->drainage.direction[basin->outlets[i]] = DRAINS_OFF;
        numbers[basin->outlets[i]] = (float)(i + 1);
    }
    const Status status =
        routes_follow(basin->call->run, labels, basin->drainage.direction, &(Routes){ .end = end }, error);
    for (size_t i = 0; status == STATUS_OK && i < cells; i++)
        if (end[i] != i)
            numbers[i] = basin->height->cells[i] < (float)basin->drainage.sea_level ? 0 : numbers[end[i]];
    memory_free(end);
    return status;
}

static Status run_catchment(const Call *call, Error *error) {
    Basin basin = { .call = call, .height = call->inputs[0].field };
    Status status =
        find_outlets(&basin, call->params, call->inputs[1].value ? &call->inputs[1] : NULL, error);
    if (status == STATUS_OK)
        status = label(&basin, &call->outputs[0].field, error);
    basin_free(&basin);
    return status;
}

// --- the longest way ---------------------------------------------------------------------------------------

typedef struct Ways {
    const Basin *basin;
    double *length;  // of the longest way down to each cell, in cells
    uint32_t *order; // cells, each after its donors
    uint8_t *donors; // that are not in the order yet
} Ways;

static double step_length(const Field *height, size_t cell, int direction) {
    const CellShape shape = field_row_shape(height, (int)(cell / (size_t)height->width));
    const double across = neighbour_x[direction] * shape.across, down = neighbour_y[direction] * shape.down;
    return sqrt(across * across + down * down);
}

static bool drains_into(const Basin *basin, size_t cell, int neighbour, size_t *from) {
    const Field *height = basin->height;
    const int x = (int)(cell % (size_t)height->width) + neighbour_x[neighbour],
              y = (int)(cell / (size_t)height->width) + neighbour_y[neighbour];
    if (!within_field(height, x, y))
        return false;
    *from = (size_t)y * (size_t)height->width + (size_t)x;
    return basin->drainage.direction[*from] == (neighbour + NEIGHBOURS / 2) % NEIGHBOURS &&
           height->cells[*from] >= (float)basin->drainage.sea_level;
}

static void find_lengths(Ways *ways) {
    const Field *height = ways->basin->height;
    const uint8_t *direction = ways->basin->drainage.direction;
    size_t count = 0, from;
    for (size_t i = 0; i < field_count(height); i++) {
        for (int k = 0; k < NEIGHBOURS; k++)
            ways->donors[i] = (uint8_t)(ways->donors[i] + drains_into(ways->basin, i, k, &from));
        if (!ways->donors[i])
            ways->order[count++] = (uint32_t)i;
    }
    for (size_t at = 0; at < count; at++) {
        const size_t cell = ways->order[at];
        if (direction[cell] >= NEIGHBOURS || height->cells[cell] < (float)ways->basin->drainage.sea_level)
            continue;
        const size_t to = neighbour_of(height, cell, direction[cell]);
        const double length = ways->length[cell] + step_length(height, cell, direction[cell]);
        if (length > ways->length[to])
            ways->length[to] = length;
        if (--ways->donors[to] == 0)
            ways->order[count++] = (uint32_t)to;
    }
}

// The donor from which the longest way comes, of several the first; `cell` itself at a spring.
static size_t longest_donor(const Ways *ways, size_t cell) {
    size_t best = cell, from;
    double longest = -1;
    for (int k = 0; k < NEIGHBOURS; k++)
        if (drains_into(ways->basin, cell, k, &from)) {
            const double length = ways->length[from] +
                                  step_length(ways->basin->height, from, (k + NEIGHBOURS / 2) % NEIGHBOURS);
            if (length > longest) {
                longest = length;
                best = from;
            }
        }
    return best;
}

// From its spring down to the outlet.
static Status add_way(const Ways *ways, size_t outlet, double unit, Shapes *shapes, Error *error) {
    const Field *height = ways->basin->height;
    size_t count = 0;
    for (size_t cell = outlet, above;; cell = above) { // up, into `order`, which is free now
        ways->order[count++] = (uint32_t)cell;
        above = longest_donor(ways, cell);
        if (above == cell)
            break;
    }
    Status status = STATUS_OK;
    for (size_t i = count; status == STATUS_OK && i > 0; i--) {
        const size_t at = ways->order[i - 1];
        const int x = (int)(at % (size_t)height->width), y = (int)(at / (size_t)height->width);
        status = shapes_add_point(shapes, (ShapePoint){ x + 0.5, y + 0.5, height->cells[at] }, error);
    }
    if (status == STATUS_OK && count == 1) // a line has two ends
        status = shapes_add_point(shapes, shapes->points[shapes->point_count - 1], error);
    if (status == STATUS_OK)
        status = shapes_end_part(shapes, false, error);
    Attributes *attributes = status == STATUS_OK ? shapes_attributes(shapes, error) : NULL;
    int column;
    if (status == STATUS_OK)
        status = attributes ? attributes_column(attributes, "length", &column, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = attributes_set_number(attributes, column, shapes->count, ways->length[outlet] * unit, error);
    return status == STATUS_OK ? shapes_end_shape(shapes, error) : status;
}

// The cell that is the end of the longest way of all.
static size_t find_longest(const Ways *ways) {
    size_t best = 0;
    for (size_t i = 1; i < field_count(ways->basin->height); i++)
        best = ways->length[i] > ways->length[best] ? i : best;
    return best;
}

static Status make_ways(const Basin *basin, Shapes *shapes, Error *error) {
    const Field *height = basin->height;
    const size_t cells = field_count(height);
    Ways ways = { .basin = basin };
    const double metres = frame_cell_metres(&height->frame, height->width, height->height),
                 unit = metres > 0 ? metres : 1;
    ways.length = memory_new_zeroed(cells, sizeof *ways.length, error);
    ways.order = ways.length ? memory_new(cells, sizeof *ways.order, error) : NULL;
    ways.donors = ways.order ? memory_new_zeroed(cells, 1, error) : NULL;
    Status status = ways.donors ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        find_lengths(&ways);
    for (int i = 0; status == STATUS_OK && i < basin->count; i++)
        status = add_way(&ways, basin->outlets[i], unit, shapes, error);
    if (status == STATUS_OK && !basin->count)
        status = add_way(&ways, find_longest(&ways), unit, shapes, error);
    memory_free(ways.length);
    memory_free(ways.order);
    memory_free(ways.donors);
    return status;
}

static Status run_longest(const Call *call, Error *error) {
    Basin basin = { .call = call, .height = call->inputs[0].field };
    Shapes *shapes = shapes_new(error);
    call->outputs[0].value = shapes;
    Status status = shapes ? find_outlets(&basin, call->params, NULL, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        shapes->width = call->width;
        shapes->height = call->height;
        shapes->has_altitudes = true;
        status = make_ways(&basin, shapes, error);
    }
    basin_free(&basin);
    return status;
}

// --- declarations ------------------------------------------------------------------------------------------

static const Param catchment_params[] = {
    PARAM(Catchment, at, .initial_numbers = NUMBERS(0.5, 0.5), .rows_min = 1, .columns = 2, .min = 0,
          .max = 1, .unit = UNIT_PLACE,
          .doc = "a row { x, y } for each outlet, as shares of width and height"),
    OUTLET_PARAMS(Catchment),
    { 0 },
};

const Operation op_catchment = {
    .name = "catchment",
    .category = "vectors",
    .measures = MEASURES_SHAPES,
    .keywords = "watershed basin pour point outlet upstream area delineate r.water.outlet drains",
    .summary = "Marks the cells that drain through given places",
    .description =
        "Cells are 1 for the first place, 2 for the second, and 0 where water passes none. Where one place "
        "lies upstream of another, a cell belongs to the first place that its water reaches. Water flows as "
        "in flow_accumulation with method \"d8\", over filled pits. polygonize gives the outline.",
    .source = "D8: O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "catchment", "labels" } },
    .params = catchment_params,
    .params_size = sizeof(Catchment),
    .example =
        "local above = height:catchment{ at = { 0.5, 0.9 }, snap = 5 }\nlocal outline = above:polygonize()",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .always_finite = "labels are whole numbers up to 2^24",
    .see_also = "catchments basins longest_flow_path polygonize snap",
    .run = run_catchment,
};

const Operation outlets_of_catchment = {
    .name = "catchment",
    .gaps = GAPS_OWN,
    .inputs = { { "height", "heights" }, { "points", "the outlets", { &type_points }, .optional = true } },
    .outputs = { { "cells", "the radius, and column, row and shape of each", &type_numbers } },
    .params = catchment_params,
    .params_size = sizeof(Catchment),
    .any_sizes = true,
    .shapes_outputs = true,
    .wrapping = WRAPPING_LOST,
    .run = run_outlets,
};

static const Param catchments_params[] = {
    OUTLET_PARAMS(Catchment),
    { 0 },
};

const Operation op_catchments = {
    .name = "catchments",
    .category = "vectors",
    .measures = MEASURES_SHAPES,
    .keywords = "watersheds gauges pour points outlets upstream area delineate r.stream.basins",
    .summary = "Marks the cells that drain through each of a list of points",
    .description = "As catchment, for points of any window in the same coordinate system: label 1 is that of "
                   "the first point.",
    .source = "D8: O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" }, { "points", "the outlets", { &type_points } } },
    .outputs = { { "catchments", "labels" } },
    .params = catchments_params,
    .params_size = sizeof(Catchment),
    .any_sizes = true,
    .example = "local gauges = esker.points{ size = 64, list = { { 20, 50 }, { 40, 30 } } }\n"
               "local above = height:catchments(gauges, { snap = 3 })",
    .wrapping = WRAPPING_LOST,
    .always_finite = "labels are whole numbers up to 2^24",
    .see_also = "catchment basins snap",
    .run = run_catchment,
};

static const Param longest_params[] = {
    PARAM(Catchment, at, .rows_min = 1, .columns = 2, .min = 0, .max = 1, .optional = true,
          .unit = UNIT_PLACE,
          .doc = "a row { x, y } for each outlet, as shares of width and height; none: the end of the "
                 "longest way of "
                 "all"),
    OUTLET_PARAMS(Catchment),
    { 0 },
};

const Operation op_longest_flow_path = {
    .name = "longest_flow_path",
    .category = "vectors",
    .measures = MEASURES_CELLS,
    .keywords = "main channel stem time of concentration lfp r.lfp drain trace",
    .summary = "Finds the longest way of water to given places",
    .description = "There is a line for each place, from the spring down, with the heights along it. The "
                   "attribute `length` is in metres if the field's frame gives them, otherwise in cells. "
                   "Water flows as in catchment. Ways over filled pits are level and their lengths depend "
                   "on the grid: breach first, and water follows the bottoms of pits.",
    .source = "D8: O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "lines", "a line for each place", &type_lines } },
    .params = longest_params,
    .params_size = sizeof(Catchment),
    .example = "local longest = height:longest_flow_path()",
    .wrapping = WRAPPING_LOST,
    .see_also = "catchment profile breach",
    .run = run_longest,
};
