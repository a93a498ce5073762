// Roads in a window of a zoomable map, as lines, and where they cross rivers, as points.

#include "core/memory.h"
#include "places/points.h"
#include "settlement/roads.h"
#include "settlement/window.h"

#include <math.h>

typedef struct RoadsWindow {
    SettlementWindow window; // first: its parameters are declared by its own offsets
    bool lanes;
} RoadsWindow;

// --- classes -----------------------------------------------------------------------------------------------

static const char *class_of(const Settlement *settlement, int level) {
    const double square = square_metres(settlement, level);
    return square > 90e3 ? "highway" : square > 20e3 ? "road" : "track";
}

// --- lines -------------------------------------------------------------------------------------------------

enum { LINE_CLASS, LINE_LEVEL, LINE_FROM, LINE_TO, LINE_COLUMNS };
static const char *const line_columns[LINE_COLUMNS] = { "class", "level", "from", "to" };

enum { POINT_KIND, POINT_WIDTH, POINT_CLASS, POINT_COLUMNS };
static const char *const point_columns[POINT_COLUMNS] = { "kind", "width", "class" };

typedef struct Drawing {
    const SettlementView *shown;
    const Grid *grid; // of the stretch
    const Network *network;
    bool lanes;
    Shapes *lines;
    Shapes *crossings; // a point each
    int line_at[LINE_COLUMNS], point_at[POINT_COLUMNS];
} Drawing;

static bool is_shown(const Drawing *drawing, Vec2 place) {
    return place.x >= 0 && place.y >= 0 && place.x <= drawing->shown->view.width &&
           place.y <= drawing->shown->view.height;
}

static Status put_point(Drawing *drawing, const RoadPoint *point, Vec2 place, Error *error) {
    const float altitude = drawing->grid->altitude.cells[grid_index(drawing->grid, point->x, point->y)];
    return shapes_add_point(drawing->lines, (ShapePoint){ place.x, place.y, max(altitude, 0) }, error);
}

static Status end_part(Drawing *drawing, bool *open, Error *error) {
    const bool was_open = *open;
    *open = false;
    return was_open ? shapes_end_part(drawing->lines, false, error) : STATUS_OK;
}

// From the point before to a point, if the window shows one of them; begins a part where none is open.
static Status add_step(Drawing *drawing, const RoadPoint *point, Vec2 before, Vec2 place, bool *open,
                       Error *error) {
    if (!is_shown(drawing, before) && !is_shown(drawing, place))
        return STATUS_OK;
    const Status status = *open ? STATUS_OK : put_point(drawing, point - 1, before, error);
    *open = true;
    return status == STATUS_OK ? put_point(drawing, point, place, error) : status;
}

// How many cells to the right a place is of where it would be beside the one before: none, or the width of a
// map that meets itself, where a road leaves it at one side and comes back at the other.
static double turn_between(const View *view, Vec2 before, Vec2 place) {
    const double round = ldexp(1, PLACE_BITS) / (double)view->pixel;
    return view_goes_round(view) ? round * floor((place.x - before.x) / round + 0.5) : 0;
}

// The parts of a stretch in the window, each with a point beyond where it leaves.
static Status add_parts(Drawing *drawing, const Stretch *stretch, bool *any, Error *error) {
    const RoadPoint *points = drawing->network->points + stretch->first;
    Status status = STATUS_OK;
    bool open = false, was_known = false;
    Vec2 before = { 0 };
    for (int k = 0; k < stretch->count && status == STATUS_OK; k++) {
        Vec2 place = { 0 };
        const bool known =
            settlement_place(drawing->shown, drawing->grid, points[k].at.x, points[k].at.y, &place);
        const double turn = known && was_known ? turn_between(&drawing->shown->view, before, place) : 0;
        if (known && was_known)
            status = add_step(drawing, &points[k], before, (Vec2){ place.x - turn, place.y }, &open, error);
        *any = *any || open;
        if (status == STATUS_OK && (!known || turn != 0 || !is_shown(drawing, place)))
            status = end_part(drawing, &open, error);
        if (status == STATUS_OK && turn != 0)
            status = add_step(drawing, &points[k], (Vec2){ before.x + turn, before.y }, place, &open, error);
        *any = *any || open;
        before = place;
        was_known = known;
    }
    return status == STATUS_OK ? end_part(drawing, &open, error) : status;
}

static Status set_text(Attributes *table, int column, int row, const char *text, Error *error) {
    return attributes_set_text(table, column, row, ATTRIBUTE_TEXT, text, error);
}

static Status set_line(Drawing *drawing, const Stretch *stretch, Error *error) {
    const Settlement *settlement = &drawing->shown->settlement;
    const char *class = drawing->lanes ? "lane" : class_of(settlement, stretch->level);
    Attributes *table = drawing->lines->attributes;
    const int row = drawing->lines->count, *at = drawing->line_at;
    char name[NAME_MAX_BYTES];
    Status status = set_text(table, at[LINE_CLASS], row, class, error);
    if (status == STATUS_OK)
        status = attributes_set_number(table, at[LINE_LEVEL], row, stretch->level, error);
    if (status == STATUS_OK)
        status = set_text(table, at[LINE_FROM], row, site_name(settlement, &stretch->from, name), error);
    if (status == STATUS_OK)
        status = set_text(table, at[LINE_TO], row, site_name(settlement, &stretch->to, name), error);
    return status == STATUS_OK ? shapes_end_shape(drawing->lines, error) : status;
}

// --- bridges and fords -------------------------------------------------------------------------------------

static Status add_crossing(Drawing *drawing, const Stretch *stretch, int k, double width, float altitude,
                           Error *error) {
    const Vec2 at_grid = drawing->network->points[stretch->first + k].at;
    Vec2 place;
    if (!settlement_place(drawing->shown, drawing->grid, at_grid.x, at_grid.y, &place) ||
        !is_shown(drawing, place))
        return STATUS_OK;
    Shapes *crossings = drawing->crossings;
    const int row = crossings->count, *at = drawing->point_at;
    Status status = shapes_add_point(crossings, (ShapePoint){ place.x, place.y, altitude }, error);
    if (status == STATUS_OK)
        status = shapes_end_part(crossings, false, error);
    if (status == STATUS_OK)
        status = set_text(crossings->attributes, at[POINT_KIND], row, width > FORD_METRES ? "bridge" : "ford",
                          error);
    if (status == STATUS_OK)
        status = attributes_set_number(crossings->attributes, at[POINT_WIDTH], row,
                                       floor(width * 10 + 0.5) / 10, error);
    if (status == STATUS_OK)
        status = set_text(crossings->attributes, at[POINT_CLASS], row,
                          class_of(&drawing->shown->settlement, stretch->level), error);
    return status == STATUS_OK ? shapes_end_shape(crossings, error) : status;
}

// Metres of water at a pixel: of a river, or of the pixel where open water is; 0: none.
static double water_at(const Drawing *drawing, int x, int y) {
    const Grid *grid = drawing->grid;
    const size_t at = grid_index(grid, x, y);
    return grid_is_open_water(grid, at) ? grid->metres
           : grid_has_river(grid, at)   ? flow_metres(&drawing->shown->settlement, grid, grid->flow.cells[at])
                                        : 0;
}

// The same at a point and on the step to the next one: a diagonal one crosses what lies on both sides.
static double water_from(const Drawing *drawing, const Stretch *stretch, int k) {
    const RoadPoint *point = drawing->network->points + stretch->first + k;
    const double own = water_at(drawing, point->x, point->y);
    if (k + 1 == stretch->count || point[1].x == point->x || point[1].y == point->y)
        return own;
    return max(own, min(water_at(drawing, point[1].x, point->y), water_at(drawing, point->x, point[1].y)));
}

// In the middle of each run of points in a river, or on a causeway.
static Status add_crossings(Drawing *drawing, const Stretch *stretch, Error *error) {
    const RoadPoint *points = drawing->network->points + stretch->first;
    Status status = STATUS_OK;
    for (int k = 0; k < stretch->count && status == STATUS_OK; k++) {
        const int first = k;
        double width = 0, water;
        float altitude = 0;
        for (; k < stretch->count && (water = water_from(drawing, stretch, k)) > 0; k++) {
            width = max(width, water);
            altitude = max(
                altitude, drawing->grid->altitude.cells[grid_index(drawing->grid, points[k].x, points[k].y)]);
        }
        if (k > first)
            status = add_crossing(drawing, stretch, (first + k - 1) / 2, width, altitude, error);
    }
    return status;
}

// -----------------------------------------------------------------------------------------------------------

static Status draw_roads(void *context, const Grids *grids, const Network *network, Error *error) {
    Drawing *drawing = context;
    drawing->network = network;
    Status status = STATUS_OK;
    for (int i = 0; i < network->count && status == STATUS_OK; i++) {
        const Stretch *stretch = &network->at[i];
        drawing->grid = &grids->on[stretch->face];
        drawing->lanes = drawing->grid->is_sea;
        bool any = false;
        status = add_parts(drawing, stretch, &any, error);
        if (status == STATUS_OK && any)
            status = set_line(drawing, stretch, error);
        if (status == STATUS_OK && !drawing->lanes)
            status = add_crossings(drawing, stretch, error);
    }
    return status;
}

static Status make_shapes(const SettlementView *shown, const char *const *names, int count, int *columns,
                          Shapes **made, Error *error) {
    Shapes *shapes = *made = shapes_new(error);
    if (!shapes || !shapes_attributes(shapes, error))
        return STATUS_MEMORY;
    shapes->width = shown->view.width;
    shapes->height = shown->view.height;
    shapes->frame = view_frame(&shown->view);
    shapes->has_altitudes = true;
    Status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = attributes_column(shapes->attributes, names[i], &columns[i], error);
    return status;
}

static Status run(const Call *call, Error *error) {
    SettlementView shown;
    Drawing drawing = { .shown = &shown };
    Shapes *lines = NULL;
    Points *points = NULL;
    Status status = settlement_view(&shown, call, error);
    if (status == STATUS_OK)
        status = make_shapes(&shown, line_columns, LINE_COLUMNS, drawing.line_at, &lines, error);
    call->outputs[0].value = drawing.lines = lines;
    if (status == STATUS_OK)
        status =
            make_shapes(&shown, point_columns, POINT_COLUMNS, drawing.point_at, &drawing.crossings, error);
    if (status == STATUS_OK)
        status = find_roads(&shown.settlement, &shown.region, shown.level, shown.bits,
                            ((const RoadsWindow *)call->params)->lanes, draw_roads, &drawing, error);
    if (status == STATUS_OK) {
        status = points_of_shapes(drawing.crossings, &points, error);
        call->outputs[1].value = points;
    }
    for (int i = 0; i < (points ? points->count : 0); i++)
        points->at[i].radius = 1;
    shapes_free(drawing.crossings);
    return status;
}

static const Param params[] = {
    SETTLEMENT_PARAMS,
    PARAM(RoadsWindow, lanes, .doc = "whether there are sea lanes between harbours, too"),
    { 0 },
};

const Operation op_roads = {
    .name = "roads",
    .category = "zoomable maps",
    .keywords = "highway street track way path network bridges fords passes transport lines",
    .summary =
        "Gives the roads between the places in a window of a zoomable map, and their bridges and fords",
    .description =
        "Neighbouring places of each level are joined by the cheapest route: steep ground costs more, and so "
        "do rivers, by their width, ground above the tree line, ice and crests. Roads do not cross the sea "
        "or lakes. Roads of finer levels prefer "
        "existing roads, so that they join them. A finer window draws a road in more detail between fixed "
        "points of it, so that windows agree and a road keeps its course.\n\n"
        "A line is a stretch that belongs to one pair of places. Its attributes are class (highway, road, "
        "track or lane), level, from and to. Lanes lead over the sea between harbours and mouths of rivers. "
        "A point is where one crosses a river, with kind (bridge over rivers "
        "wider than 20 m, or ford), width in metres and class.\n\n"
        "Give places and roads the same spacing, largest, smallest and ports.",
    .source = "Galin et al. 2010, Procedural generation of roads; Gabriel and Sokal 1969 (neighbours)",
    .inputs = { { "map", "a map with eroded land", { &type_map } } },
    .outputs = { { "roads", "the roads", &type_lines }, { "crossings", "bridges and fords", &type_points } },
    .params = params,
    .params_size = sizeof(RoadsWindow),
    .sized = true,
    .example = "local map = esker.river_map{ seed = 7, latitudes = { 15, 45 } }\n"
               "local roads, crossings = map:roads{ size = 256 }",
    .picture =
        "local map, window = esker.river_map{ seed = 7, latitudes = { 15, 45 } }, { size = 256, zoom = "
        "3, x = 0.6, y = 0.4 }\n"
        "local altitude, river = map:render(window)\n"
        "return altitude:relief{ rivers = river, drape = map:cover(window).image }\n"
        "    :paint((map:roads(window)), { colour = \"#7a2810\", line = 1.2 })\n"
        "    :paint(map:places(window), { colour = \"#201010\" })",
    .see_also = "places rivers path paint",
    .run = run,
};
