// Heights along lines, and points moved to channels.

#include "core/math.h"
#include "core/memory.h"
#include "core/sample.h"
#include "places/overlay.h"
#include "places/points.h"
#include "vectors/outlets.h"

#include <math.h>

// --- profile -----------------------------------------------------------------------------------------------

typedef struct Profile {
    double step;
} Profile;

// Where points are added: counted first, and then set.
typedef struct Sampling {
    const Field *height;
    double step, unit; // `unit`: metres of a cell, or 1
    Points *points;    // NULL: they are counted
    int64_t count;
    int line, column_line, column_distance;
    double distance, next; // along the line, in cells: how far it has been followed, and of the next point
    Status status;
    Error *error;
} Sampling;

static void add_sample(Sampling *sampling, double x, double y) {
    const Field *height = sampling->height;
    const int64_t at = sampling->count++;
    if (!sampling->points || sampling->status != STATUS_OK)
        return;
    const double altitude = grid_sample(height->cells, height->width, height->height, x - 0.5, y - 0.5);
    sampling->points->at[at] = (PlacePoint){ .x = x, .y = y, .altitude = (float)altitude, .species = 1 };
    Attributes *attributes = sampling->points->attributes;
    sampling->status =
        attributes_set_number(attributes, sampling->column_line, (int)at, sampling->line, sampling->error);
    if (sampling->status == STATUS_OK)
        sampling->status = attributes_set_number(attributes, sampling->column_distance, (int)at,
                                                 sampling->distance * sampling->unit, sampling->error);
}

static bool is_inside(const Field *height, double x, double y) {
    return x >= 0 && y >= 0 && x <= height->width && y <= height->height;
}

// The points between a and b at whole steps, by the sides of the cells between them.
static void sample_piece(Sampling *sampling, const ShapePoint *a, const ShapePoint *b) {
    const Field *height = sampling->height;
    const CellShape shape = field_row_shape(height, whole_within(0.5 * (a->y + b->y), 0, height->height - 1));
    const double dx = b->x - a->x, dy = b->y - a->y, across = dx * shape.across, down = dy * shape.down;
    const double length = sqrt(across * across + down * down), begin = sampling->distance;
    for (; length > 0 && sampling->next <= begin + length && sampling->count < SHAPE_POINTS_MAX;
         sampling->next += sampling->step) {
        const double share = (sampling->next - begin) / length, x = a->x + share * dx, y = a->y + share * dy;
        sampling->distance = sampling->next;
        if (is_inside(height, x, y))
            add_sample(sampling, x, y);
    }
    sampling->distance = begin + length;
}

static bool rows_differ(const Field *field) {
    const CellShape first = field_row_shape(field, 0), last = field_row_shape(field, field->height - 1);
    return first.across != last.across || first.down != last.down;
}

// Where rows have cells of their own size, long sides are measured in pieces of few rows.
static void sample_side(Sampling *sampling, const ShapePoint *a, const ShapePoint *b) {
    const double rows = 8, dx = b->x - a->x, dy = b->y - a->y;
    const int pieces = rows_differ(sampling->height) ? whole_within(ceil(fabs(dy) / rows), 1, SIDE_MAX) : 1;
    ShapePoint from = *a;
    for (int i = 1; i <= pieces; i++) {
        const double share = (double)i / pieces;
        const ShapePoint to =
            i < pieces ? (ShapePoint){ .x = a->x + share * dx, .y = a->y + share * dy } : *b;
        sample_piece(sampling, &from, &to);
        from = to;
    }
}

static void sample_all(Sampling *sampling, const Shapes *shapes) {
    sampling->count = 0;
    for (int i = 0; i < shapes->count; i++) {
        sampling->line = i + 1;
        sampling->distance = sampling->next = 0;
        for (int k = shapes->shapes[i].first; k < shapes->shapes[i].first + shapes->shapes[i].count; k++) {
            const ShapePart *part = &shapes->parts[k];
            const ShapePoint *points = shapes->points + part->first, *last = points + part->count - 1;
            for (int m = 1; m < part->count; m++)
                sample_side(sampling, &points[m - 1], &points[m]);
            const bool ends_between = sampling->next - sampling->step < sampling->distance;
            if (k + 1 == shapes->shapes[i].first + shapes->shapes[i].count && ends_between &&
                is_inside(sampling->height, last->x, last->y))
                add_sample(sampling, last->x, last->y);
        }
    }
}

static Status run_profile(const Call *call, Error *error) {
    const Profile *params = call->params;
    const Field *height = call->inputs[0].field;
    const Window window = window_of_field("height", height);
    const double metres = frame_cell_metres(&height->frame, height->width, height->height);
    Sampling sampling = {
        .height = height, .step = params->step, .unit = metres > 0 ? metres : 1, .error = error
    };
    Shapes *shapes;
    Status status = overlay_new(&call->inputs[1], &window, &shapes, error);
    if (status != STATUS_OK)
        return status;
    sample_all(&sampling, shapes);
    Points *points = NULL;
    if (sampling.count >= SHAPE_POINTS_MAX)
        status = fail(error, STATUS_INVALID, "more than %d points: step is too small", SHAPE_POINTS_MAX);
    else if (!(points = points_new((int)sampling.count, error)) || !points_attributes(points, error))
        status = STATUS_MEMORY;
    call->outputs[0].value = sampling.points = points;
    if (status == STATUS_OK && points)
        status = attributes_column(points->attributes, "line", &sampling.column_line, error);
    if (status == STATUS_OK && points)
        status = attributes_column(points->attributes, "distance", &sampling.column_distance, error);
    if (status == STATUS_OK && points) {
        points->width = height->width;
        points->height = height->height;
        sample_all(&sampling, shapes);
        status = sampling.status;
    }
    shapes_free(shapes);
    return status;
}

static const Param profile_params[] = {
    PARAM(Profile, step, .initial = 1, .min = 1e-3, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "distance between points"),
    { 0 },
};

const Operation op_profile = {
    .name = "profile",
    .category = "vectors",
    .measures = MEASURES_CELLS,
    .keywords = "cross section transect elevation along line sample r.profile",
    .summary = "Samples heights along lines",
    .description = "A point every step along each line, from its first position, and one at its end. Their "
                   "altitudes are the heights there, interpolated between the centres of cells. The "
                   "attributes are `line`, its number in the list, and `distance` along it, in metres if the "
                   "field's frame gives them, otherwise in cells. Places outside the field are left out; "
                   "lines wholly outside are an error.",
    .inputs = { { "height", "heights" },
                { "lines",
                  "lines, or the outlines of polygons",
                  { &type_lines, &type_network, &type_polygons } } },
    .outputs = { { "points", "places along the lines", &type_points } },
    .params = profile_params,
    .params_size = sizeof(Profile),
    .gaps = GAPS_KEPT,
    .any_sizes = true,
    .example = "local line = esker.lines{ size = 64, list = { { { 5, 5 }, { 60, 40 } } } }\n"
               "local points = height:profile(line)",
    .see_also = "longest_flow_path river_profiles viewshed",
    .run = run_profile,
};

// --- snap --------------------------------------------------------------------------------------------------

typedef struct Snap {
    double radius, threshold;
} Snap;

// The nearest cell within reach with at least this flow, of several the first; `cell` itself if there is
// none.
static size_t nearest_channel(const Field *flow, size_t cell, SnapReach reach, float threshold) {
    const int columns = snap_columns(reach), rows = snap_rows(reach);
    const int x = (int)(cell % (size_t)flow->width), y = (int)(cell / (size_t)flow->width);
    size_t best = cell;
    double nearest = reach.radius * reach.radius;
    bool found = false;
    for (int j = max(y - rows, 0); j <= min(y + rows, flow->height - 1); j++)
        for (int i = max(x - columns, 0); i <= min(x + columns, flow->width - 1); i++) {
            const double across = (i - x) * reach.shape.across, down = (j - y) * reach.shape.down,
                         squared = across * across + down * down;
            if (field_row(flow, j)[i] >= threshold && (squared < nearest || (!found && squared <= nearest))) {
                found = true;
                nearest = squared;
                best = (size_t)j * (size_t)flow->width + (size_t)i;
            }
        }
    return best;
}

static Status run_snap(const Call *call, Error *error) {
    const Snap *params = call->params;
    const Points *from = call->inputs[0].value;
    const Field *flow = call->inputs[1].field;
    const Window window = window_of_field("flow", flow);
    Shapes *placed;
    Status status = overlay_new(&call->inputs[0], &window, &placed, error);
    Points *points = status == STATUS_OK ? points_new(from->count, error) : NULL;
    size_t *cells = points ? memory_new((size_t)from->count + 1, sizeof *cells, error) : NULL;
    call->outputs[0].value = points;
    if (status == STATUS_OK)
        status = cells ? cells_of_points(placed, flow, cells, error) : STATUS_MEMORY;
    double radius = 5;
    if (status == STATUS_OK && !isnan(params->radius))
        status = field_cells_of_length(flow, params->radius, &radius, error);
    for (int i = 0; status == STATUS_OK && i < from->count; i++) {
        const SnapReach reach = { radius, field_row_shape(flow, (int)(cells[i] / (size_t)flow->width)) };
        const size_t cell = params->threshold > 0
                                ? nearest_channel(flow, cells[i], reach, (float)params->threshold)
                                : snap_cell(flow, cells[i], reach);
        points->at[i] = from->at[i];
        const int x = (int)(cell % (size_t)flow->width), y = (int)(cell / (size_t)flow->width);
        points->at[i].x = x + 0.5;
        points->at[i].y = y + 0.5;
    }
    if (status == STATUS_OK) {
        points->width = flow->width;
        points->height = flow->height;
        points->frame = flow->frame;
        frame_drop_heights(&points->frame);
        status = attributes_duplicate(from->attributes, from->count, &points->attributes, error);
    }
    memory_free(cells);
    shapes_free(placed);
    return status;
}

static const Param snap_params[] = {
    PARAM(Snap, radius, .optional = true, .min = 0, .max = 1e9, .unit = UNIT_GROUND,
          .doc = "how far a point is moved at most; by default five cells"),
    PARAM(Snap, threshold, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "0: to the cell with the greatest flow; above: to the nearest cell with at least this flow, "
                 "or nowhere"),
    { 0 },
};

const Operation op_snap = {
    .name = "snap",
    .category = "vectors",
    .keywords = "pour point gauge outlet channel stream move r.stream.snap",
    .summary = "Moves points to the channel beside them",
    .description =
        "Points come to lie in the centres of cells of `flow`, as flow_accumulation gives it, and keep their "
        "attributes and altitudes.",
    .inputs = { { "points", "places beside streams", { &type_points } },
                { "flow", "what drains through each cell" } },
    .outputs = { { "points", "places in streams", &type_points } },
    .params = snap_params,
    .params_size = sizeof(Snap),
    .framing = FRAMING_SET,
    .gaps = GAPS_KEPT,
    .any_sizes = true,
    .example = "local gauges = esker.points{ size = 64, list = { { 20, 50 }, { 40, 30 } } }\n"
               "local moved = gauges:snap(height:flow_accumulation{}, { radius = 4 })",
    .see_also = "catchments burn flow_accumulation",
    .run = run_snap,
};
