// What is known of one place of a heightfield or a zoomable map: altitude, slope, what drains through it, and
// where its water leaves the land. The slope is that of gradient_angle, the water's way that of
// flow_direction.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivermap/view.h"
#include "surface/nine_points.h"
#include "water/drainage.h"
#include "water/flow.h"

#include <math.h>

typedef struct Identify {
    Decimal x, y;
    double zoom, sea_level;
    int face;
} Identify;

typedef struct Facts {
    double altitude, slope;         // degrees
    double river;                   // width in pixels
    double discharge;               // m³/s; 0 without a climate
    double water, lake_level;       // depth and level of a lake; 0: none
    double drained, outlet_drained; // shares of the whole
    double distance;                // to the outlet, along the water's way: a share of the longer side
    double outlet_x, outlet_y;
} Facts;

typedef struct Cell {
    int x, y;
} Cell;

static Cell cell_at(const Field *field, double x, double y) {
    return (Cell){ index_within(x * field->width, field->width),
                   index_within(y * field->height, field->height) };
}

static size_t number_of(const Field *field, Cell cell) {
    return (size_t)cell.y * (size_t)field->width + (size_t)cell.x;
}

// --- the slope ---------------------------------------------------------------------------------------------

enum { BEFORE = 1, AROUND = 3 };

typedef struct Around { // the 3 × 3 cells around one
    float rows[AROUND][AROUND];
} Around;

static Around cells_around(const Field *height, Cell cell) {
    Around around = { 0 };
    for (int i = 0; i < AROUND; i++)
        nine_points_row(height, height->wraps, cell.x, 1, cell.y + i - 1, around.rows[i] + BEFORE);
    return around;
}

static NinePoints points_of(const Around *around, CellShape shape) {
    return (NinePoints){ .up = around->rows[0] + BEFORE,
                         .row = around->rows[1] + BEFORE,
                         .down = around->rows[2] + BEFORE,
                         .per_width = (float)(1 / shape.across),
                         .per_height = (float)(1 / shape.down) };
}

static double degrees_of(float tangent) {
    return (double)(angle_of(tangent, 1) * DEGREES_PER_RADIAN);
}

static Status field_slope(const Field *height, Cell cell, double *slope, Error *error) {
    Field filled = { 0 };
    const Status status = height->gaps ? gaps_fill(height, height->wraps, &filled, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    const Around around = cells_around(height->gaps ? &filled : height, cell);
    const NinePoints at = points_of(&around, field_row_shape(height, cell.y));
    *slope = degrees_of(slope_at(GRADIENT_HORN, at, 0, cells_per_height(height, 1)));
    field_free(&filled);
    return STATUS_OK;
}

// A face of the cube is the plane that touches the unit sphere in the face's middle, and a place (a, b) of
// it, -1 to 1, the point of the sphere below (a, b, 1). With r² = 1 + a² + b², the metric of the sphere there
// is
//
//     (1 + b², -ab; -ab, 1 + a²) / r⁴
//
// and its inverse measures gradients: |∇h|² = r² ((1 + a²) h_a² + 2 ab h_a h_b + (1 + b²) h_b²).
static double face_slope(const View *view, const Field *height) {
    const Around around = cells_around(height, (Cell){ 1, 1 });
    float across, down;
    gradient_at(GRADIENT_HORN, points_of(&around, (CellShape){ 1, 1 }), 0, &across, &down);
    const double a = 2 * ldexp((double)view->x, -PLACE_BITS) - 1,
                 b = 2 * ldexp((double)view->y, -PLACE_BITS) - 1;
    const double per_radius = MAP_HEIGHT / view_height(view) * view->pixels / 2; // a face is two radii long
    const double p = (double)across * per_radius, q = (double)down * per_radius;
    const double square = (1 + a * a) * p * p + 2 * a * b * p * q + (1 + b * b) * q * q;
    return degrees_of((float)sqrt((1 + a * a + b * b) * square));
}

// --- the water ---------------------------------------------------------------------------------------------

static double step_length(const Field *height, int y, int direction) {
    const CellShape shape = field_row_shape(height, y);
    const double across = neighbour_x[direction] * shape.across, down = neighbour_y[direction] * shape.down;
    return sqrt(across * across + down * down);
}

// To the last cell of the land, before the sea, a gap (GAPS_SEA) or the border. `sum` has what drains through
// each cell.
static void follow_down(const Drainage *drainage, const Field *sum, size_t cell, Facts *facts) {
    const Field *height = drainage->height;
    const float sea = (float)drainage->sea_level;
    const size_t width = (size_t)height->width;
    const double cells = (double)field_count(height);
    if (height->cells[cell] < sea)
        return;
    facts->drained = (double)sum->cells[cell] / cells;
    for (int direction; (direction = drainage->direction[cell]) < NEIGHBOURS;) {
        const size_t next = neighbour_of(height, cell, direction);
        if (height->cells[next] < sea)
            break;
        facts->distance += step_length(height, (int)(cell / width), direction) / field_side(height);
        cell = next;
    }
    facts->outlet_drained = (double)sum->cells[cell] / cells;
    const size_t column = cell % width, row = cell / width;
    facts->outlet_x = ((double)column + 0.5) / height->width;
    facts->outlet_y = ((double)row + 0.5) / height->height;
}

static Status follow_water(const Run *run, const Field *height, double sea_level, Cell cell, Facts *facts,
                           Error *error) {
    Field sum = { 0 }; // first the filled heights
    Status status = field_create(&sum, height->width, height->height, error);
    if (status != STATUS_OK)
        return status;
    Drainage drainage = { .height = height, .filled = sum, .sea_level = sea_level };
    status = drainage_find(run, &drainage, error);
    if (status == STATUS_OK)
        status = count_cells_above(run, drainage.direction, &sum, error);
    if (status == STATUS_OK)
        follow_down(&drainage, &sum, number_of(height, cell), facts);
    const double metres = field_cell_metres(height);
    facts->distance *= metres > 0 ? metres * field_side(height) : 1;
    memory_free(drainage.direction);
    field_free(&sum);
    return status;
}

// --- maps --------------------------------------------------------------------------------------------------

enum { WHOLE_SIDE = 512, USUAL_ZOOM = 1024, FIELDS = 7 };

// Draws the window; the fields are freed by the caller, also after a failure.
static Status draw(View *view, Field fields[FIELDS], Error *error) {
    view->altitude = &fields[0];
    view->river = &fields[1];
    view->flow = &fields[2];
    view->water = &fields[3];
    view->lake_level = &fields[4];
    view->discharge = &fields[5];
    view->wadi = &fields[6];
    Status status = view_draw(view, error);
    if (status == STATUS_OK)
        status = view_raise(view);
    if (status == STATUS_OK)
        fields[0].frame = view_frame(view);
    return status;
}

static void free_fields(Field fields[FIELDS]) {
    for (int i = 0; i < FIELDS; i++)
        field_free(&fields[i]);
}

// What the pixels around the place show.
static Status look_around(const View *place, Facts *facts, Error *error) {
    View view = *place;
    Datum datum;
    Field fields[FIELDS] = { 0 };
    view_shrink(&view, AROUND);
    Status status = view_datum(&view, &datum, error);
    view.datum = &datum;
    if (status == STATUS_OK)
        status = draw(&view, fields, error);
    if (status == STATUS_OK && view.projection == PROJECTION_CUBE)
        facts->slope = face_slope(&view, &fields[0]);
    else if (status == STATUS_OK)
        status = field_slope(&fields[0], (Cell){ 1, 1 }, &facts->slope, error);
    if (status == STATUS_OK) {
        const Datum sea = { .depth = 0 };
        facts->altitude = datum_above(&datum, &sea) * view_height(&view);
        facts->river = (double)field_row(&fields[1], 1)[1];
        facts->water = fields[3].cells ? (double)field_row(&fields[3], 1)[1] : 0;
        facts->lake_level = facts->water > 0 ? (double)field_row(&fields[4], 1)[1] * view_height(&view) : 0;
        facts->discharge = fields[5].cells && facts->altitude >= 0 ? (double)field_row(&fields[5], 1)[1] : 0;
        if (fields[2].cells && facts->altitude >= 0)
            facts->drained = (double)field_row(&fields[2], 1)[1] / view.pixels / view.pixels;
    }
    free_fields(fields);
    return status;
}

// Where water goes, on the whole of a flat map.
static Status look_at_whole(const Call *call, double x, double y, Facts *facts, Error *error) {
    const WindowRequest asked = { .x = { .number = 0.5 }, .y = { .number = 0.5 }, .zoom = 1 };
    View view = { .projection = PROJECTION_EQUIRECTANGULAR };
    Field fields[FIELDS] = { 0 };
    const double drained = facts->drained;
    Status status = view_set(&view, call, &asked, error);
    if (status == STATUS_OK)
        status = draw(&view, fields, error);
    if (status == STATUS_OK)
        status = follow_water(call->run, &fields[0], 0, cell_at(&fields[0], x, y), facts, error);
    if (fields[2].cells)
        facts->drained = drained; // of finer pixels
    free_fields(fields);
    return status;
}

static Status identify_on_map(const Call *call, Facts *facts, Error *error) {
    const Identify *params = call->params;
    if (params->sea_level != 0)
        return fail(error, STATUS_INVALID, "sea_level is for fields: a map's sea is at 0");
    Call window = *call;
    window.width = window.height = WHOLE_SIDE;
    const WindowRequest asked = { .x = params->x,
                                  .y = params->y,
                                  .zoom = isnan(params->zoom) ? USUAL_ZOOM : params->zoom };
    View view;
    Status status = view_on_face(&view, call->inputs[0].value, params->face, error);
    if (status == STATUS_OK)
        status = view_set_point(&view, &window, &asked, error);
    if (status == STATUS_OK)
        status = look_around(&view, facts, error);
    if (status == STATUS_OK && !view.map->tiling->planet && facts->altitude >= 0)
        status = look_at_whole(&window, params->x.number, params->y.number, facts, error);
    return status;
}

// -----------------------------------------------------------------------------------------------------------

static Status identify_on_field(const Call *call, Facts *facts, Error *error) {
    const Identify *params = call->params;
    const Field *height = call->inputs[0].field;
    const Cell cell = cell_at(height, params->x.number, params->y.number);
    if (!isnan(params->zoom) || params->face)
        return fail(error, STATUS_INVALID, "zoom and face are for maps: this is a field");
    if (!field_has_data(height, number_of(height, cell)))
        return fail(error, STATUS_INVALID, "there is no data at x = %s, y = %s",
                    digits_of(params->x.number).text, digits_of(params->y.number).text);
    facts->altitude = (double)height->cells[number_of(height, cell)];
    facts->outlet_x = params->x.number;
    facts->outlet_y = params->y.number;
    Status status = field_slope(height, cell, &facts->slope, error);
    if (status == STATUS_OK)
        status = follow_water(call->run, height, params->sea_level, cell, facts, error);
    double place[2];
    if (status == STATUS_OK)
        status = operation_place_as_given(call, facts->outlet_x, facts->outlet_y, place, error);
    if (status == STATUS_OK)
        facts->outlet_x = place[0], facts->outlet_y = place[1];
    return status;
}

static Status run(const Call *call, Error *error) {
    const Identify *params = call->params;
    Facts facts = { .outlet_x = params->x.number, .outlet_y = params->y.number };
    const Status status =
        call->inputs[0].field ? identify_on_field(call, &facts, error) : identify_on_map(call, &facts, error);
    const double numbers[] = { facts.altitude, facts.slope,      facts.river,    facts.drained,
                               facts.distance, facts.outlet_x,   facts.outlet_y, facts.outlet_drained,
                               facts.water,    facts.lake_level, facts.discharge };
    for (size_t i = 0; status == STATUS_OK && i < sizeof numbers / sizeof *numbers; i++)
        call->outputs[i].number = numbers[i];
    return status;
}

static const Param params[] = {
    PARAM(Identify, x, .initial = 0.5, .min = 0, .max = 1, .unit = UNIT_PLACE,
          .doc = "the place, from 0 at the left of the field or map to 1 at its right; of maps digits as in "
                 "render"),
    PARAM(Identify, y, .initial = 0.5, .min = 0, .max = 1, .unit = UNIT_PLACE,
          .doc =
              "the same from top to bottom; on the equirectangular map of a planet 0.25, the north pole, to "
              "0.75"),
    PARAM(Identify, zoom, .min = 1, .max = 0x1p100, .optional = true,
          .doc = "for maps: the slope, the river and the drained area are those of pixels whose side is the "
                 "map's divided by 512 times zoom; by default 1024"),
    FACE_PARAM(Identify),
    PARAM(Identify, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "for fields: ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_identify = {
    .name = "identify",
    .category = "analysis",
    .keywords = "point probe sample query click height slope outlet mouth catchment downstream trace",
    .summary = "Describes one place: altitude, slope, drained area, and where its water leaves the land",
    .description =
        "The slope is that of gradient_angle. Water flows as in flow_direction, and leaves the land at the "
        "last cell before the sea or a gap, or at the border. In the sea nothing drains: the outlet is the "
        "place itself, at a distance of 0.\n\n"
        "On a flat map the outlet is found on 512 × 512 pixels of the whole map, and so is the drained area "
        "of raw land. On planets water is not followed: the outlet is the place itself. Within one and a "
        "half pixels of a map's edge, the slope is that of the nearest pixel with eight neighbours.",
    .source = "D8: O'Callaghan and Mark 1984; slope: Horn 1981",
    .gaps = GAPS_SEA,
    .measures = MEASURES_CELLS,
    .inputs = { { "land", "heights, or a map made by river_map", { &type_field, &type_map } } },
    .outputs = { { "altitude", "the height of the cell; of a map as altitude_at gives it", &type_number,
                   .dimension = DIMENSION_HEIGHT },
                 { "slope", "0 to 90", &type_number, .dimension = DIMENSION_ANGLE },
                 { "river",
                   "for maps: the width of the river there, in pixels, as render gives it; otherwise 0",
                   &type_number },
                 { "drained",
                   "what drains through the place: a share of all cells, of the map's area, or of that of "
                   "the cube's face; 0 in the sea",
                   &type_number },
                 { "distance", "to the outlet, along the water's way; on raw maps a share of the side",
                   &type_number, .dimension = DIMENSION_LENGTH },
                 { "outlet_x", "where the water leaves the land, in the coordinates of x", &type_number },
                 { "outlet_y", "the same, as y", &type_number },
                 { "outlet_drained", "what drains there, as drained; 0 in the sea and on planets",
                   &type_number },
                 { "water",
                   "for maps: how deep the lake is there, in the unit of altitudes; 0 where there is none",
                   &type_number },
                 { "lake_level", "how high its water is, the same at every zoom; 0 where there is none",
                   &type_number },
                 { "discharge",
                   "for maps with a climate: what flows through the place, m³/s in the mean of the year; "
                   "otherwise 0",
                   &type_number } },
    .record = true,
    .params = params,
    .params_size = sizeof(Identify),
    .example = "local place = height:identify{ x = 0.3, y = 0.6 }\n"
               "print(place.altitude, place.slope, place.outlet_x, place.outlet_y)",
    .see_also = "altitude_at gradient_angle flow_direction flow_accumulation basins",
    .run = run,
};
