#include "vectors/azgaar_world.h"

#include "core/math.h"
#include "core/memory.h"
#include "places/points.h"

#include <math.h>
#include <string.h>

const char *const azgaar_shape_names[WORLD_SHAPES + 1] = { "rivers", "lakes", "places", "routes", NULL };

enum { WINDOW = 1024 }; // cells of the shapes' window
#define BEYOND 0.01     // shares of the square's side that a river which leaves the map flows on
#define DOT 3           // radius of a town's dot in a picture, in cells of the window

typedef struct Making {
    const AzgaarGround *ground;
    Shapes *shapes;
    Status status;
    Error *error;
} Making;

// --- parts -------------------------------------------------------------------------------------------------

static void note(Making *making, Status status) {
    making->status = making->status == STATUS_OK ? status : making->status;
}

static void add_share(Making *making, AzgaarPlace share, double altitude) {
    const ShapePoint point = { share.x * WINDOW, share.y * WINDOW, (float)altitude };
    if (making->status == STATUS_OK)
        note(making, shapes_add_point(making->shapes, point, making->error));
}

static void add_pixel(Making *making, AzgaarPlace pixel) {
    add_share(making, azgaar_share(making->ground, pixel), 0);
}

// Ends a shape of one part; returns whether it has at least `least` points. One that has fewer is none.
static bool end_shape(Making *making, int least) {
    Shapes *shapes = making->shapes;
    const ShapePart *last = shapes->part_count ? &shapes->parts[shapes->part_count - 1] : NULL;
    const int first = last ? last->first + last->count : 0;
    if (making->status == STATUS_OK && shapes->point_count - first < least)
        shapes->point_count = first;
    if (making->status != STATUS_OK || shapes->point_count == first)
        return false;
    note(making, shapes_end_part(shapes, false, making->error));
    if (making->status == STATUS_OK)
        note(making, shapes_end_shape(shapes, making->error));
    return making->status == STATUS_OK;
}

static int column_of(Making *making, const char *name) {
    int column = 0;
    Attributes *table = making->status == STATUS_OK ? shapes_attributes(making->shapes, making->error) : NULL;
    note(making, table ? attributes_column(table, name, &column, making->error) : STATUS_MEMORY);
    return column;
}

// Of the last shape.
static void set_number(Making *making, const char *name, double number) {
    const int column = column_of(making, name);
    if (making->status == STATUS_OK)
        note(making, attributes_set_number(making->shapes->attributes, column, making->shapes->count - 1,
                                           number, making->error));
}

static void set_flag(Making *making, const char *name, bool flag) {
    const int column = column_of(making, name);
    const Attribute value = { .kind = ATTRIBUTE_FLAG, .number = flag };
    if (making->status == STATUS_OK)
        note(making, attributes_set(making->shapes->attributes, column, making->shapes->count - 1, value,
                                    making->error));
}

static void set_text(Making *making, const char *name, size_t text) {
    const int column = column_of(making, name);
    if (making->status == STATUS_OK)
        note(making,
             attributes_set_text(making->shapes->attributes, column, making->shapes->count - 1,
                                 ATTRIBUTE_TEXT, azgaar_text(making->ground->map, text), making->error));
}

// --- kinds -------------------------------------------------------------------------------------------------

// A river that leaves the map does so at the border next to it, and goes on to the sea there or, where the
// ground goes on, to the edge of the square.
static void leave_map(Making *making, AzgaarPlace from) {
    const AzgaarGround *ground = making->ground;
    const double across = ground->left / ground->pixels, down = ground->top / ground->pixels;
    const AzgaarPlace at = azgaar_share(ground, from);
    const double left = at.x - across, right = 1 - across - at.x, top = at.y - down, bottom = 1 - down - at.y,
                 least = min(min(left, right), min(top, bottom));
    const double on = ground->continued ? 1 : BEYOND;
    AzgaarPlace end = at;
    if (left == least)
        end.x = max(across - on, 0.0);
    else if (right == least)
        end.x = min(1 - across + on, 1.0);
    else if (top == least)
        end.y = max(down - on, 0.0);
    else
        end.y = min(1 - down + on, 1.0);
    add_share(making, end, 0);
}

// A river that ends in a lake goes on to the lake's outlet, so that its water reaches the sea.
static void cross_lake(Making *making, int last) {
    const AzgaarGround *ground = making->ground;
    const int lake = last >= 0 ? ground->lakes[last] : -1;
    const int outlet = lake >= 0 ? ground->outlets[lake] : -1;
    if (outlet >= 0 && outlet != last)
        add_pixel(making, *azgaar_places(ground->map, azgaar_cells(ground->map)[outlet].place));
}

// m² for 1 m³/s, where 300 mm of rain run off in a year.
#define AREA_OF_DISCHARGE (365.25 * 86400 / 0.3)

static void add_river(Making *making, const AzgaarRiver *river) {
    const Azgaar *map = making->ground->map;
    const int *cells = azgaar_numbers(map, river->cells);
    AzgaarPlace last = { 0 };
    int count = 0;
    for (int k = 0; k < river->points.count; k++, count++)
        add_pixel(making, last = azgaar_places(map, river->points)[k]);
    for (int k = 0; k < river->cells.count; k++)
        if (cells[k] < 0 && count) {
            leave_map(making, last);
            break;
        } else if (cells[k] >= 0 && !river->points.count) {
            add_pixel(making, last = *azgaar_places(map, azgaar_cells(map)[cells[k]].place));
            count++;
        }
    if (count)
        cross_lake(making, river->cells.count ? cells[river->cells.count - 1] : -1);
    if (!end_shape(making, 2))
        return;
    set_text(making, "name", river->name);
    set_text(making, "type", river->type);
    set_number(making, "discharge", river->discharge);
    set_number(making, "area", river->discharge * AREA_OF_DISCHARGE);
    set_number(making, "width", river->width * making->ground->side / making->ground->pixels);
}

static void add_lake(Making *making, int index) {
    const AzgaarGround *ground = making->ground;
    const Azgaar *map = ground->map;
    const AzgaarFeature *lake = (const AzgaarFeature *)map->features.at + index;
    const int *corners = azgaar_numbers(map, lake->corners);
    if (strcmp(azgaar_text(map, lake->type), "lake") != 0)
        return;
    for (int k = 0; k <= lake->corners.count && lake->corners.count > 2; k++) {
        const int corner = corners[k % lake->corners.count];
        if (k < lake->corners.count && k && corner == corners[k - 1])
            continue;
        if (k == lake->corners.count && corners[k - 1] == corner)
            break; // the outline is closed already
        add_share(making, azgaar_share(ground, azgaar_vertex(map, corner)), ground->water[index]);
    }
    if (!end_shape(making, 4))
        return;
    set_text(making, "name", lake->name);
    set_text(making, "kind", lake->group);
    set_number(making, "altitude", ground->water[index]);
}

static void add_burg(Making *making, const AzgaarBurg *burg) {
    const AzgaarGround *ground = making->ground;
    const AzgaarSettings *settings = &ground->map->settings;
    if (burg->removed)
        return;
    add_share(making, azgaar_share(ground, (AzgaarPlace){ burg->x, burg->y }),
              burg->cell >= 0 ? azgaar_altitude(ground, burg->cell) : 0);
    if (!end_shape(making, 1))
        return;
    set_text(making, "name", burg->name);
    set_number(making, "population",
               max(floor(burg->population * settings->population * settings->urbanization + 0.5), 1));
    set_flag(making, "capital", burg->capital != 0);
    set_flag(making, "port", burg->port != 0);
    set_text(making, "kind", burg->group);
    set_number(making, "radius", DOT);
}

static void add_route(Making *making, const AzgaarRoute *route) {
    const Azgaar *map = making->ground->map;
    for (int k = 0; k < route->points.count; k++)
        add_pixel(making, azgaar_places(map, route->points)[k]);
    if (!end_shape(making, 2))
        return;
    set_text(making, "name", route->name);
    set_text(making, "kind", route->group);
}

static void add_all(Making *making, int kind) {
    const Azgaar *map = making->ground->map;
    const AzgaarArray *const lists[] = { &map->rivers, &map->features, &map->burgs, &map->routes };
    for (int i = 0; i < lists[kind]->count && making->status == STATUS_OK; i++)
        if (kind == WORLD_RIVERS)
            add_river(making, (const AzgaarRiver *)map->rivers.at + i);
        else if (kind == WORLD_LAKES)
            add_lake(making, i);
        else if (kind == WORLD_PLACES)
            add_burg(making, (const AzgaarBurg *)map->burgs.at + i);
        else
            add_route(making, (const AzgaarRoute *)map->routes.at + i);
}

static Status check_outlines(const Shapes *shapes, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; i < shapes->count && status == STATUS_OK; i++) {
        Error why;
        status = shapes_check_crossings(shapes, &shapes->shapes[i], &why);
        if (status == STATUS_INVALID)
            return fail(error, STATUS_FILE, "lake %d: %.150s", i + 1, why.text);
    }
    return status;
}

Status azgaar_shapes(const AzgaarGround *ground, int kind, Shapes **made, Error *error) {
    Shapes *shapes = *made = shapes_new(error);
    if (!shapes)
        return STATUS_MEMORY;
    Making making = { ground, shapes, STATUS_OK, error };
    shapes->width = shapes->height = WINDOW;
    shapes->frame = azgaar_frame(ground, WINDOW, false);
    shapes->has_altitudes = kind == WORLD_LAKES || kind == WORLD_PLACES;
    add_all(&making, kind);
    if (making.status == STATUS_OK && kind == WORLD_LAKES)
        making.status = check_outlines(shapes, error);
    if (making.status == STATUS_OK && shapes->count)
        return STATUS_OK;
    shapes_free(shapes);
    *made = NULL;
    return making.status;
}

// --- the format --------------------------------------------------------------------------------------------

static Status give_shapes(const AzgaarGround *ground, int kind, Reading *reading, Error *error) {
    Shapes *shapes;
    Points *points = NULL;
    Status status = azgaar_shapes(ground, kind, &shapes, error);
    if (status != STATUS_OK)
        return status;
    if (!shapes)
        return fail(error, STATUS_FILE, "'%.200s' has no %s", reading->path, reading->layer);
    reading->type = kind == WORLD_PLACES ? &type_points : kind == WORLD_LAKES ? &type_polygons : &type_lines;
    reading->value = shapes;
    if (kind == WORLD_PLACES) {
        status = points_of_shapes(shapes, &points, error);
        shapes_free(shapes);
        reading->value = points;
    }
    return status;
}

static Status give(const AzgaarGround *ground, Reading *reading, Error *error) {
    const char *layer = reading->layer ? reading->layer : "";
    int *cells, kind = 0;
    while (azgaar_shape_names[kind] && strcmp(azgaar_shape_names[kind], layer) != 0)
        kind++;
    if (kind < WORLD_SHAPES)
        return give_shapes(ground, kind, reading, error);
    if (*layer && strcmp(layer, "heights") != 0)
        return fail(error, STATUS_INVALID,
                    "layer must be heights, rivers, lakes, places or routes, got '%.40s'", layer);
    const Status status = azgaar_guide(ground, azgaar_guide_side(ground->map), reading->field, &cells, error);
    memory_free(cells);
    return status;
}

Status read_azgaar(Reading *reading, Error *error) {
    Azgaar *map;
    AzgaarGround ground = { 0 };
    Status status = azgaar_read(reading->stream, reading->path, &map, error);
    if (status == STATUS_OK)
        status = azgaar_ground_create(&ground, map, NAN, false, error);
    if (status == STATUS_OK)
        status = give(&ground, reading, error);
    azgaar_ground_free(&ground);
    azgaar_free(map);
    return status;
}

const FileFormat format_azgaar = {
    .name = "Azgaar's map",
    .endings = "json",
    .media_type = "application/json",
    .holds = { { &type_field }, { &type_points }, { &type_lines }, { &type_polygons } },
    .read = read_azgaar,
    .keeps = KEEPS_PLACE | KEEPS_UNIT,
    .numbers = "heights in metres, by the map's exponent",
    .load_takes = "layer",
    .doc = "The full export to JSON of Azgaar's Fantasy Map Generator; load_world reads all of it",
};
