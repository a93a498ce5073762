// Lays roads on finished ground. A road's stations, which lie no farther apart than `step`, get the height of
// the ground. Over water the road is a bridge: its deck is a straight slope from bank to bank, raised until
// it clears the water, and ramps lead up to it.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/sample.h"
#include "core/whole.h"
#include "places/overlay.h"
#include "places/shapes.h"
#include "rivers/network.h"

#include <math.h>

typedef struct Grade {
    const Field *water;
    double clearance, slope, step, width;
} Grade;

typedef enum Support { ON_GROUND, ON_RAMP, ON_DECK } Support;

typedef struct Station {
    double x, y;  // cells
    double along; // in sides of a cell (frame_cell)
    double ground, level;
    bool wet;
    Support support;
} Station;

typedef struct Road {
    const Field *height;
    const Grade *grade;
    int count, room;
    Station *at;
} Road;

typedef struct Columns { // of bridges
    int width, length, span, altitude;
} Columns;

// --- stations ----------------------------------------------------------------------------------------------

// Whether the ground at a place is interpolated from water.
static bool is_wet(const Road *road, double x, double y) {
    const Field *water = road->grade->water;
    if (!water)
        return false;
    const int left = index_within(x - 0.5, water->width), right = index_within(ceil(x - 0.5), water->width);
    const float *above = field_row(water, index_within(y - 0.5, water->height)),
                *below = field_row(water, index_within(ceil(y - 0.5), water->height));
    return max(max(above[left], above[right]), max(below[left], below[right])) > 0.5f;
}

static Status add_station(Road *road, double x, double y, Error *error) {
    if (road->count == road->room) {
        const int room = road->room ? 2 * road->room : 256;
        Station *at = memory_enlarge(road->at, (size_t)road->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        road->at = at;
        road->room = room;
    }
    const Field *height = road->height;
    const double ground = grid_sample(height->cells, height->width, height->height, x - 0.5, y - 0.5);
    Station station = { .x = x, .y = y, .ground = ground, .level = ground, .wet = is_wet(road, x, y) };
    if (road->count > 0) {
        const Station *last = &road->at[road->count - 1];
        const CellShape shape =
            field_row_shape(height, whole_within(0.5 * (y + last->y), 0, height->height - 1));
        const double dx = (x - last->x) * shape.across, dy = (y - last->y) * shape.down;
        station.along = last->along + sqrt(dx * dx + dy * dy);
    }
    road->at[road->count++] = station;
    return STATUS_OK;
}

static Status survey(Road *road, const Shapes *lines, const ShapePart *part, Error *error) {
    const ShapePoint *points = lines->points + part->first;
    road->count = 0;
    Status status = add_station(road, points[0].x, points[0].y, error);
    for (int i = 1; i < part->count && status == STATUS_OK; i++) {
        const double dx = points[i].x - points[i - 1].x, dy = points[i].y - points[i - 1].y;
        const int pieces =
            whole_within(ceil(sqrt(dx * dx + dy * dy) / road->grade->step), 1, SHAPE_POINTS_MAX);
        if (road->count > SHAPE_POINTS_MAX - pieces)
            return fail(error, STATUS_INVALID, "more than %d points: step is too small", SHAPE_POINTS_MAX);
        for (int k = 1; k <= pieces && status == STATUS_OK; k++)
            status = add_station(road, points[i - 1].x + dx * k / pieces, points[i - 1].y + dy * k / pieces,
                                 error);
    }
    return status;
}

// --- bridges -----------------------------------------------------------------------------------------------

// The deck from station `first` to `last`: where these are dry, they are its banks.
static void lay_deck(Road *road, int first, int last) {
    Station *from = &road->at[first], *to = &road->at[last];
    const double length = to->along - from->along;
    const double start = from->wet ? to->ground : from->ground, end = to->wet ? start : to->ground;
    double rise = 0;
    for (int pass = 0; pass < 2; pass++)
        for (Station *at = from; at <= to; at++) {
            const double share = length > 0 ? (at->along - from->along) / length : 0;
            const double level = start + (end - start) * share;
            if (pass == 0 && at->wet)
                rise = max(rise, at->ground + road->grade->clearance - level);
            if (pass == 1) {
                at->level = max(at->support == ON_GROUND ? level + rise : at->level, level + rise);
                at->support = ON_DECK;
            }
        }
}

// The ramp from the end of a deck onto the ground, one step after another in the direction `on`. Where the
// road ends before, the ramp is steeper.
static void lay_ramp(Road *road, int deck, int on) {
    const Station *top = &road->at[deck];
    double slope = road->grade->slope;
    for (int i = deck + on;; i += on) {
        if (i < 0 || i >= road->count) {
            const Station *end = &road->at[i - on];
            const double length = fabs(end->along - top->along);
            slope = length > 0 ? (top->level - end->ground) / length : slope;
            break;
        }
        if (top->level - slope * fabs(road->at[i].along - top->along) <= road->at[i].ground)
            break;
    }
    for (int i = deck + on; i >= 0 && i < road->count; i += on) {
        Station *at = &road->at[i];
        const double level = top->level - slope * fabs(at->along - top->along);
        if (level <= at->ground)
            break;
        at->level = max(at->level, level);
        at->support = max(at->support, ON_RAMP);
    }
}

static void lay_bridges(Road *road) {
    for (int first = 0, last; first < road->count; first = last + 1) {
        last = first;
        if (!road->at[first].wet)
            continue;
        while (last + 1 < road->count && road->at[last + 1].wet)
            last++;
        if (first == 0 && last == road->count - 1)
            return; // all of it lies in water
        lay_deck(road, max(first - 1, 0), min(last + 1, road->count - 1));
    }
    for (int i = 0; i < road->count; i++)
        if (road->at[i].support == ON_DECK && !road->at[i].wet) {
            lay_ramp(road, i, -1);
            lay_ramp(road, i, 1);
        }
}

// --- results -----------------------------------------------------------------------------------------------

static Status add_points(Shapes *shapes, const Road *road, int first, int last, Error *error) {
    Status status = STATUS_OK;
    for (int i = first; i <= last && status == STATUS_OK; i++)
        status = shapes_add_point(
            shapes, (ShapePoint){ road->at[i].x, road->at[i].y, (float)road->at[i].level }, error);
    return status == STATUS_OK ? shapes_end_part(shapes, false, error) : status;
}

// Metres of a cell, or its share of N.
static double cell_length(const Field *height) {
    const double metres = field_cell_metres(height);
    return metres > 0 ? metres : 1 / (double)field_side(height);
}

static Status set_bridge(Shapes *bridges, const Columns *columns, const Road *road, int first, int last,
                         double width, Error *error) {
    const double cell = cell_length(road->height);
    double span = 0, altitude = road->at[first].level, begin = 0;
    for (int i = first; i <= last; i++) {
        const Station *at = &road->at[i];
        if (at->support == ON_DECK && (i == first || road->at[i - 1].support != ON_DECK))
            begin = at->along;
        span = at->support == ON_DECK ? max(span, at->along - begin) : span;
        altitude = max(altitude, at->level);
    }
    const int row = bridges->count - 1;
    Attributes *table = bridges->attributes;
    Status status = attributes_set_number(table, columns->width, row, width * cell, error);
    if (status == STATUS_OK)
        status = attributes_set_number(table, columns->length, row,
                                       (road->at[last].along - road->at[first].along) * cell, error);
    if (status == STATUS_OK)
        status = attributes_set_number(table, columns->span, row, span * cell, error);
    return status == STATUS_OK ? attributes_set_number(table, columns->altitude, row, altitude, error)
                               : status;
}

// Each stretch that does not lie on the ground, from the ground on one side to that on the other.
static Status add_bridges(Shapes *bridges, const Columns *columns, const Road *road, double width,
                          Error *error) {
    Status status = STATUS_OK;
    for (int first = 0, last; first < road->count && status == STATUS_OK; first = last + 1) {
        last = first;
        if (road->at[first].support == ON_GROUND)
            continue;
        while (last + 1 < road->count && road->at[last + 1].support != ON_GROUND)
            last++;
        const bool ramp = road->at[first].support == ON_RAMP, down = road->at[last].support == ON_RAMP;
        const int from = max(first - ramp, 0), to = min(last + down, road->count - 1);
        status = add_points(bridges, road, from, to, error);
        if (status == STATUS_OK)
            status = shapes_end_shape(bridges, error);
        if (status == STATUS_OK)
            status = set_bridge(bridges, columns, road, from, to, width, error);
    }
    return status;
}

static Shapes *new_lines(const Call *call, Error *error) {
    Shapes *shapes = shapes_new(error);
    if (!shapes)
        return NULL;
    shapes->width = call->width;
    shapes->height = call->height;
    shapes->has_altitudes = true;
    return shapes;
}

// How wide a line is, in cells of the field.
static double width_of(const Call *call, int line) {
    const Grade *grade = call->params;
    const Input *input = &call->inputs[1];
    if (!isnan(grade->width))
        return grade->width;
    if (input->type != &type_network)
        return 0.005 * field_side(call->inputs[0].field);
    const RiverNetwork *network = input->value;
    const Reach *reach = &network->reaches[line];
    double widest = 0;
    for (int i = reach->first; i < reach->first + reach->count; i++)
        widest = max(widest, (double)network->points[i].width);
    return widest * call->width / network->width;
}

static Status lay(const Call *call, const Shapes *lines, Shapes *roads, Shapes *bridges, Error *error) {
    Road road = { .height = call->inputs[0].field, .grade = call->params };
    const double cell = cell_length(road.height);
    Columns columns;
    int width_column = -1, length_column = -1;
    Status status = attributes_column(bridges->attributes, "width", &columns.width, error);
    if (status == STATUS_OK)
        status = attributes_column(bridges->attributes, "length", &columns.length, error);
    if (status == STATUS_OK)
        status = attributes_column(bridges->attributes, "span", &columns.span, error);
    if (status == STATUS_OK)
        status = attributes_column(bridges->attributes, "altitude", &columns.altitude, error);
    if (status == STATUS_OK && shapes_attributes(roads, error))
        status = attributes_column(roads->attributes, "width", &width_column, error);
    if (status == STATUS_OK)
        status = attributes_column(roads->attributes, "length", &length_column, error);
    for (int i = 0; i < lines->count && status == STATUS_OK; i++) {
        const Shape *shape = &lines->shapes[i];
        const double width = width_of(call, i);
        double length = 0;
        for (int k = shape->first; k < shape->first + shape->count && status == STATUS_OK; k++) {
            status = survey(&road, lines, &lines->parts[k], error);
            if (status != STATUS_OK)
                break;
            lay_bridges(&road);
            length += road.at[road.count - 1].along;
            status = add_points(roads, &road, 0, road.count - 1, error);
            if (status == STATUS_OK)
                status = add_bridges(bridges, &columns, &road, width, error);
        }
        if (status == STATUS_OK)
            status = shapes_end_shape(roads, error);
        if (status == STATUS_OK)
            status = attributes_set_number(roads->attributes, width_column, i, width * cell, error);
        if (status == STATUS_OK)
            status = attributes_set_number(roads->attributes, length_column, i, length * cell, error);
    }
    memory_free(road.at);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field, *water = ((const Grade *)call->params)->water;
    if (water && (water->width != height->width || water->height != height->height))
        return fail(error, STATUS_INVALID, "water is %d × %d, but height is %d × %d", water->width,
                    water->height, height->width, height->height);
    const Window window = window_of_field("height", call->inputs[0].field);
    Shapes *lines = NULL, *roads = new_lines(call, error), *bridges = roads ? new_lines(call, error) : NULL;
    call->outputs[0].value = roads;
    call->outputs[1].value = bridges;
    if (!bridges || !shapes_attributes(bridges, error))
        return STATUS_MEMORY;
    Status status = overlay_new(&call->inputs[1], &window, &lines, error);
    const Attributes *attributes = input_attributes(&call->inputs[1]);
    if (status == STATUS_OK && attributes)
        status = attributes_duplicate(attributes, lines->count, &roads->attributes, error);
    if (status == STATUS_OK)
        status = lay(call, lines, roads, bridges, error);
    shapes_free(lines);
    return status;
}

static const Param params[] = {
    PARAM(Grade, water, .doc = "a mask of water; without it there are no bridges"),
    PARAM(Grade, clearance, .initial = 0, .min = 0, .max = HEIGHT_MAX, .unit = UNIT_HEIGHTS,
          .doc = "how high a bridge is above the heights in water, at least"),
    PARAM(Grade, slope, .initial = 1.6, .min = 0.001, .max = 1e6, .unit = UNIT_SLOPE,
          .doc = "of ramps, which lead onto bridges that are higher than their banks"),
    PARAM(Grade, step, .initial = 1, .min = 0.01, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "distance between the points of a road, at most"),
    PARAM(Grade, width, .min = 0, .max = 1, .optional = true, .unit = UNIT_SIDES,
          .doc = "of the roads, as a share of N; by default that of path's lines, or 0.005"),
    { 0 },
};

const Operation op_grade = {
    .name = "grade",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_SQUARES,
    .any_sizes = true,
    .category = "places",
    .summary = "Lays roads on the ground and over water: their altitudes, bridges and ramps",
    .description =
        "Each road gets the heights of the ground as its altitudes, at its own points and between them. "
        "Level the ground before, so that both agree. Over water it is a bridge: a straight slope from "
        "bank to bank, raised until it clears the water. The second result has a line for each bridge "
        "with its ramps. Both have `width` and `length`; a bridge also has `span`, the length of its "
        "longest part over water; and the `altitude` of its highest point. Lengths are metres if the "
        "frame gives them, otherwise shares of N. Roads of another window or number of cells are placed "
        "by their coordinates.",
    .inputs = { { "height", "heights" },
                { "roads", "roads, as path gives them", { &type_lines, &type_network } } },
    .outputs = { { "roads", "the roads, with altitudes", &type_lines },
                 { "bridges", "the bridges, with altitudes of their decks", &type_lines } },
    .params = params,
    .params_size = sizeof(Grade),
    .example = "local water = height:select{ height = { 0, 0.3 } }\n"
               "local road = height:path{ water = water }\n"
               "local land = height:flatten(road, { water = water })\n"
               "local roads, bridges = land:grade(road, { water = water, clearance = 0.02 })",
    .picture = "local land = height:stream_erosion{ age = 0.8 }\n"
               "local water = land:select{ height = { 0, 0.2 } }\n"
               "local road = land:path{ water = water, paths = { { 0.05, 0.1, 0.95, 0.9 } } }\n"
               "local built = land:flatten(road, { water = water })\n"
               "local roads, bridges = built:grade(road, { water = water, clearance = 0.02 })\n"
               "return built:relief{ rivers = water }:paint(roads, { colour = \"#7a2810\" })\n"
               "    :paint(bridges, { colour = \"#101010\", line = 2 })",
    .keywords = "road bridge ramp deck drape altitude elevation spline profile embankment",
    .see_also = "path flatten profile",
    .run = run,
};
