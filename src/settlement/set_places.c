// A zoomable map's own places: towns and villages of its author.

#include "core/math.h"
#include "core/memory.h"
#include "places/points.h"
#include "rivermap/eroded/atlas.h"
#include "rivermap/globe.h"
#include "rivermap/operations/map_edits.h"
#include "settlement/grid.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SetPlaces {
    const Field *like;
    double population, ashore;
    int others;
} SetPlaces;

typedef struct AddPlaces {
    Numbers at;
    const char *name;
    const Field *like;
    double population, ashore;
} AddPlaces;

extern const Operation op_add_places; // whose declaration has the limits of attributes, too

enum { PLACES_MAX = 10000 };
#define NAME_LETTERS 60
#define LEAST_PEOPLE 1
#define MOST_PEOPLE 1e10

typedef struct Setting {
    const Call *call;
    const SetPlaces *params;
    const OwnPlaces *before; // those that stay; NULL: none do
    RiverMap *copy;
    const Points *points;
    Shapes *placed; // a shape for each point, in shares of the map's side
} Setting;

// --- attributes --------------------------------------------------------------------------------------------

// The text of a point's attribute; NULL: none, or no text.
static const char *text_of(const Points *points, const char *name, int row) {
    const Attributes *table = points->attributes;
    const Attribute value = attributes_get(table, max(attributes_find(table, name), 0), row);
    return attributes_find(table, name) >= 0 && value.kind == ATTRIBUTE_TEXT && *attributes_text(table, value)
               ? attributes_text(table, value)
               : NULL;
}

typedef struct Called {
    char text[256];
} Called;

// What messages call a point.
static Called called(const Points *points, int row) {
    Called called;
    const char *name = text_of(points, "name", row);
    if (name)
        snprintf(called.text, sizeof called.text, "%s", name);
    else
        snprintf(called.text, sizeof called.text, "place %d", row + 1);
    return called;
}

static Status find_population(const Setting *setting, int row, double *population, Error *error) {
    const Attributes *table = setting->points->attributes;
    const Param *limits = operation_param(&op_add_places, "population");
    const int column = attributes_find(table, "population");
    const Attribute value = attributes_get(table, max(column, 0), row);
    *population = setting->params->population;
    if (column < 0 || value.kind == ATTRIBUTE_NONE)
        return STATUS_OK;
    *population = value.number;
    if (value.kind != ATTRIBUTE_NUMBER)
        return fail(error, STATUS_INVALID, "the population of %s must be a number",
                    called(setting->points, row).text);
    return value.number >= limits->min && value.number <= limits->max
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "the population of %s must be %s to %s, got %s",
                      called(setting->points, row).text, digits_of(limits->min).text,
                      digits_of(limits->max).text, digits_of(value.number).text);
}

// Whether a point's attribute may be a name: so may its kind.
static Status check_text(const Points *points, int row, const char *attribute, Error *error) {
    Param limits = *operation_param(&op_add_places, "name");
    char name[32];
    const char *text = text_of(points, attribute, row);
    snprintf(name, sizeof name, "%s of place %d", attribute, row + 1);
    limits.name = name;
    return text ? param_check_text(&limits, text, error) : STATUS_OK;
}

static Status check_attributes(const Setting *setting, int row, Error *error) {
    double population;
    Status status = check_text(setting->points, row, "name", error);
    if (status == STATUS_OK)
        status = check_text(setting->points, row, "kind", error);
    return status == STATUS_OK ? find_population(setting, row, &population, error) : status;
}

// --- where they are ----------------------------------------------------------------------------------------

// Pixels around a point, at most around one in a lake; and grids below that of level 0, of maps with lakes of
// one's own, which are on fine ones alone.
enum { LOOKED = 4, LAKE = 32, BESIDE = 2, USUAL = 3, FINER = 5, FINER_WITH_EDITS = 8 };
#define CLOSE 250.0 // metres: finer pixels are not looked at

// A place on a face of the map, in shares of its side.
typedef struct Spot {
    int face;
    Vec2 at;
} Spot;

// The same in the plane or in space, where the side of a face is 1.
static Vec3 spot_middle(const RiverMap *map, const Spot *spot) {
    if (!map->tiling->planet)
        return (Vec3){ spot->at.x, spot->at.y, 0 };
    const Vec3 at = place_on_planet(eroded_of(map)->axes, 1, spot->face, spot->at.x, spot->at.y);
    return (Vec3){ at.x * (2 / PI), at.y * (2 / PI), at.z * (2 / PI) };
}

// Where a point is, in the coordinates of render.
static Spot spot_of(const RiverMap *map, const ShapePoint *point) {
    if (!map->tiling->planet)
        return (Spot){ 0, { point->x, point->y } };
    const CubePlace place = grid_place(eroded_of(map)->axes, 1, globe_place((Vec2){ point->x, point->y }));
    return (Spot){ place.face, { clamp(place.x, 0, 1), clamp(place.y, 0, 1) } };
}

// On a planet beyond the edges of the face, too.
static Status draw_around(const Setting *setting, int bits, const Spot *spot, int looked, Grids *grids,
                          Error *error) {
    const bool planet = setting->copy->tiling->planet;
    const int side = 1 << bits, x = index_within(ldexp(spot->at.x, bits), side),
              y = index_within(ldexp(spot->at.y, bits), side), least = planet ? 1 - side : 0,
              most = planet ? 2 * side - 1 : side;
    const int left = max(x - looked, least), top = max(y - looked, least), right = min(x + looked + 1, most),
              bottom = min(y + looked + 1, most);
    GridBox boxes[CUBE_FACES] = { { 0 } };
    boxes[spot->face] = (GridBox){ left, top, right - left, bottom - top };
    return grids_draw(grids, setting->copy, bits, boxes, setting->call->run, error);
}

static bool is_in_water(const Grid *grid, Vec2 at) {
    const double side = ldexp(1, grid->bits);
    return grid_is_open_water(grid, grid_index(grid, index_within(at.x * side, 1 << grid->bits),
                                               index_within(at.y * side, 1 << grid->bits)));
}

// Moves a point from water to the middle of the nearest pixel on land. Sets whether there is water beside it,
// where finer grids may have some.
static bool move_ashore(const Grid *grid, Spot *spot, bool *water) {
    const double side = ldexp(1, grid->bits);
    const GridBox *box = &grid->box;
    const bool wet = is_in_water(grid, spot->at);
    const Vec2 from = spot->at;
    double nearest = INFINITY;
    *water = false;
    for (int y = box->y; y < box->y + box->height; y++)
        for (int x = box->x; x < box->x + box->width; x++) {
            const Vec2 middle = { (x + 0.5) / side, (y + 0.5) / side };
            const double distance = vec2_distance(middle, from);
            if (is_on_no_face(grid, x, y))
                continue;
            if (grid_is_open_water(grid, grid_index(grid, x, y)))
                *water = *water || distance * side < BESIDE;
            else if (wet && distance < nearest) {
                nearest = distance;
                spot->at = middle;
            }
        }
    return !wet || nearest < INFINITY;
}

// Brings a place beyond an edge to the face where it is.
static void enter_face(const Grid *grid, Spot *spot) {
    const double side = ldexp(1, grid->bits);
    double x = spot->at.x * side, y = spot->at.y * side;
    spot->face = grid_face_of(grid, &x, &y);
    spot->at = (Vec2){ x / side, y / side };
}

// The same on a grid of which at most `far` pixels around the point are looked at, and no more than it takes.
static Status move_on_grid(const Setting *setting, int bits, int far, Spot *spot, bool *water, bool *found,
                           Error *error) {
    bool done = false;
    Status status = STATUS_OK;
    for (int looked = LOOKED; !done && status == STATUS_OK; looked = min(4 * looked, far)) {
        Grids grids = { 0 };
        Spot to = *spot;
        status = draw_around(setting, bits, spot, looked, &grids, error);
        const Grid *grid = &grids.on[spot->face];
        *found = status == STATUS_OK && move_ashore(grid, &to, water);
        done = looked >= far || (*found && vec2_distance(to.at, spot->at) * ldexp(1, bits) <= looked);
        if (done && status == STATUS_OK && grid->axes)
            enter_face(grid, &to);
        *spot = done ? to : *spot;
        grids_free(&grids);
    }
    return status;
}

// Whether a point is in water where a grid shows it.
static Status look_for_water(const Setting *setting, int bits, const Spot *spot, bool *wet, Error *error) {
    Grids grids = { 0 };
    const Status status = draw_around(setting, bits, spot, LOOKED, &grids, error);
    if (status == STATUS_OK)
        *wet = is_in_water(&grids.on[spot->face], spot->at);
    grids_free(&grids);
    return status;
}

// A point stays where it is if a fine grid shows land there. One in water goes to the nearest land: from grid
// to grid, where a coast is. What edits make of the sea is on fine grids alone.
static Status find_land(const Setting *setting, int row, Spot *spot, double *moved, Error *error) {
    const RiverMap *map = setting->copy;
    const Spot asked = *spot;
    const ShapePoint *point = &setting->placed->points[row];
    const int first = eroded_of(map)->depth - (map->tiling->planet ? 2 : 0); // of a face
    const double side = face_metres(map);
    const bool edited = map->edits && map_has_lakes(map);
    int last = first;
    while (last < first + (edited ? (int)FINER_WITH_EDITS : (int)FINER) && ldexp(side, -last - 1) >= CLOSE)
        last++;
    const double cell = ldexp(side, -first),
                 most = isnan(setting->params->ashore) ? USUAL * cell : setting->params->ashore;
    const int far = max(whole_within(ceil(most / cell), 0, 1 << first), (int)LOOKED);
    bool water = true, wet = true, found = true;
    Status status = map->edits ? look_for_water(setting, last, spot, &wet, error) : STATUS_OK;
    *moved = 0;
    if (status != STATUS_OK || !wet)
        return status;
    for (int bits = first; bits <= last && (water || edited) && status == STATUS_OK; bits++) {
        const int near = edited ? (int)LAKE : (int)LOOKED;
        status = move_on_grid(setting, bits, bits == first ? far : near, spot, &water, &found, error);
        if (status == STATUS_OK && !found && bits == first)
            status =
                fail(error, STATUS_INVALID, "%s lies in the sea, at (%s, %s)",
                     called(setting->points, row).text, digits_of(point->x).text, digits_of(point->y).text);
    }
    if (status == STATUS_OK && edited && !found)
        status = fail(error, STATUS_INVALID, "%s lies in water, at (%s, %s), and no land is near",
                      called(setting->points, row).text, digits_of(point->x).text, digits_of(point->y).text);
    if (status != STATUS_OK ||
        (spot->face == asked.face && spot->at.x == asked.at.x && spot->at.y == asked.at.y))
        return status;
    status = look_for_water(setting, last, &asked, &wet, error);
    if (!wet)
        *spot = asked;
    *moved = sqrt(squared_distance(spot_middle(map, spot), spot_middle(map, &asked))) * side;
    return status != STATUS_OK || *moved <= most
               ? status
               : fail(error, STATUS_INVALID, "%s lies in water, %.0f m from land; ashore lets it move %.0f m",
                      called(setting->points, row).text, *moved, most);
}

static Status check_place(const Setting *setting, int row, Error *error) {
    const ShapePoint *point = &setting->placed->points[row];
    const bool planet = ((const RiverMap *)setting->call->inputs[0].value)->tiling->planet;
    const double top = planet ? 0.25 : 0;
    if (point->x >= 0 && point->x <= 1 && point->y >= top && point->y <= 1 - top)
        return STATUS_OK;
    return fail(error, STATUS_INVALID,
                planet ? "%s lies outside the map: x must be 0 to 1 and y 0.25, the north pole, to 0.75, got "
                         "(%s, %s)"
                       : "%s lies outside the map: x and y must be 0 to 1, got (%s, %s)",
                called(setting->points, row).text, digits_of(point->x).text, digits_of(point->y).text);
}

static Int128 place_at(double share) {
    const Int128 side = (Int128)1 << PLACE_BITS, at = whole_128(ldexp(share, PLACE_BITS));
    return min(at, side - 1);
}

static Status place_point(const Setting *setting, int row, OwnPlace *place, double *moved, Error *error) {
    Spot spot = spot_of(setting->copy, &setting->placed->points[row]);
    const Status status = find_land(setting, row, &spot, moved, error);
    place->face = spot.face;
    place->x = place_at(spot.at.x);
    place->y = place_at(spot.at.y);
    place->at = spot_middle(setting->copy, &spot);
    return status == STATUS_OK ? find_population(setting, row, &place->population, error) : status;
}

// --- the list ----------------------------------------------------------------------------------------------

static size_t text_size(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

static size_t add_text(OwnPlaces *places, const char *text) {
    const size_t at = places->size, size = text_size(text);
    if (size)
        memcpy((char *)places + at, text, size);
    places->size += size;
    return size ? at : 0;
}

// A text of a place that stays; NULL: it has none.
static const char *text_before(const OwnPlaces *before, size_t text) {
    return text ? own_text(before, text) : NULL;
}

// The places that stay, and after them room for the points, whose texts are there.
static OwnPlaces *make_list(const Setting *setting, Error *error) {
    const Points *points = setting->points;
    const OwnPlaces *before = setting->before;
    const int first = before ? before->count : 0, count = first + points->count;
    size_t size = sizeof(OwnPlaces) + (size_t)count * sizeof(OwnPlace) + (before ? before->size : 0);
    for (int i = 0; i < points->count; i++)
        size += text_size(text_of(points, "name", i)) + text_size(text_of(points, "kind", i));
    OwnPlaces *places = memory_new_zeroed(size, 1, error);
    if (!places)
        return NULL;
    places->others = (OtherPlaces)setting->params->others;
    places->count = count;
    places->size = sizeof(OwnPlaces) + (size_t)count * sizeof(OwnPlace);
    for (int i = 0; i < first; i++) {
        places->at[i] = before->at[i];
        places->at[i].name = add_text(places, text_before(before, before->at[i].name));
        places->at[i].kind = add_text(places, text_before(before, before->at[i].kind));
    }
    for (int i = 0; i < points->count; i++) {
        places->at[first + i].name = add_text(places, text_of(points, "name", i));
        places->at[first + i].kind = add_text(places, text_of(points, "kind", i));
    }
    return places;
}

// Texts are in the order of the points, so that equal places stay in it, too.
static int compare_population(const void *first, const void *second) {
    const OwnPlace *a = first, *b = second;
    if (a->population != b->population)
        return a->population < b->population ? 1 : -1;
    if (a->face != b->face)
        return a->face - b->face;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->x != b->x ? (a->x < b->x ? -1 : 1) : (a->name > b->name) - (a->name < b->name);
}

static void find_distances(OwnPlaces *places) {
    for (int i = 0; i < places->count; i++) {
        OwnPlace *place = &places->at[i];
        place->apart = INFINITY;
        for (int k = 0; k < i; k++)
            place->apart = min(place->apart, sqrt(squared_distance(place->at, places->at[k].at)));
    }
}

static void tell_moved(const Setting *setting, int count, int farthest, double most) {
    if (count)
        tell(setting->call->notice, "%d of %d %s in water, moved to land: %s by %.0f m%s", count,
             setting->points->count, setting->points->count > 1 ? "places lay" : "place lay",
             called(setting->points, farthest).text, most, count > 1 ? ", the farthest" : "");
}

static Status set_places(const Setting *setting, Error *error) {
    OwnPlaces *places = setting->copy->places = make_list(setting, error);
    Status status = places ? STATUS_OK : STATUS_MEMORY;
    int count = 0, farthest = 0;
    double most = 0;
    const int first = setting->before ? setting->before->count : 0;
    for (int i = 0; status == STATUS_OK && i < setting->points->count; i++) {
        double moved = 0;
        status = place_point(setting, i, &places->at[first + i], &moved, error);
        count += moved > 0;
        if (moved > most) {
            most = moved;
            farthest = i;
        }
    }
    if (status != STATUS_OK)
        return status;
    if (places->count > 0)
        qsort(places->at, (size_t)places->count, sizeof *places->at, compare_population);
    find_distances(places);
    tell_moved(setting, count, farthest, most);
    return STATUS_OK;
}

// -----------------------------------------------------------------------------------------------------------

// The map's land stays: places change nothing of it.
static Status keep_land(const RiverMap *map, const RiverMap *copy, const Run *run, Error *error) {
    Land *land;
    const Status status = eroded_land(map, run, &land, error);
    if (status != STATUS_OK)
        return status;
    land = land_with_edits(land, copy->edits, error);
    if (!land)
        return STATUS_MEMORY;
    atomic_store(&((Eroded *)copy->land_state)->land, land);
    return STATUS_OK;
}

static Status check(const RiverMap *map, const Points *points, const OwnPlaces *before, Error *error) {
    if (!map->land->create)
        return fail(error, STATUS_INVALID, "own places are for maps with land = \"eroded\"");
    if (points->count > PLACES_MAX)
        return fail(error, STATUS_INVALID, "points must be %d or fewer, got %d", PLACES_MAX, points->count);
    if (before && points->count > PLACES_MAX - before->count)
        return fail(error, STATUS_INVALID, "a map may have %d own places, and has %d; got %d more",
                    PLACES_MAX, before->count, points->count);
    return STATUS_OK;
}

// Two places at one point would have one dot, and no road between them.
static Status check_doubles(const Setting *setting, int row, Error *error) {
    const ShapePoint *points = setting->placed->points;
    const OwnPlaces *before = setting->before;
    const Spot spot = spot_of(setting->call->inputs[0].value, &points[row]);
    for (int i = 0; i < row; i++)
        if (points[i].x == points[row].x && points[i].y == points[row].y)
            return fail(error, STATUS_INVALID, "%s lies where %s does, at (%s, %s)",
                        called(setting->points, row).text, called(setting->points, i).text,
                        digits_of(points[row].x).text, digits_of(points[row].y).text);
    for (int i = 0; before && i < before->count; i++)
        if (before->at[i].face == spot.face && before->at[i].x == place_at(spot.at.x) &&
            before->at[i].y == place_at(spot.at.y))
            return fail(error, STATUS_INVALID, "%s lies where a place of the map's own does, at (%s, %s)",
                        called(setting->points, row).text, digits_of(points[row].x).text,
                        digits_of(points[row].y).text);
    return STATUS_OK;
}

// What is wrong is said before any land is made.
static Status check_points(const Setting *setting, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; i < setting->points->count && status == STATUS_OK; i++) {
        status = check_attributes(setting, i, error);
        if (status == STATUS_OK)
            status = check_place(setting, i, error);
        if (status == STATUS_OK)
            status = check_doubles(setting, i, error);
    }
    return status;
}

static Status make_copy(Setting *setting, Error *error) {
    const Call *call = setting->call;
    const RiverMap *map = call->inputs[0].value;
    setting->copy = call->outputs[0].value = map_copy(map, error);
    if (!setting->copy)
        return STATUS_MEMORY;
    memory_free(setting->copy->places);
    setting->copy->places = NULL;
    const Status status = eroded_copy(map, setting->copy, error);
    return status == STATUS_OK ? keep_land(map, setting->copy, call->run, error) : status;
}

static Status make(const Call *call, const Input *input, const SetPlaces *params, const OwnPlaces *before,
                   Error *error) {
    const RiverMap *map = call->inputs[0].value;
    Setting setting = { .call = call, .params = params, .before = before, .points = input->value };
    Status status = check(map, setting.points, before, error);
    if (status == STATUS_OK)
        status = map_shapes(map, input, params->like, 1, &setting.placed, error);
    if (status == STATUS_OK)
        status = check_points(&setting, error);
    if (status == STATUS_OK)
        status = make_copy(&setting, error);
    if (status == STATUS_OK)
        status = set_places(&setting, error);
    shapes_free(setting.placed);
    return status;
}

static Status run(const Call *call, Error *error) {
    return make(call, &call->inputs[1], call->params, NULL, error);
}

// Points of a list of places in shares of the map's side.
static Status list_points(const AddPlaces *params, Points **made, Error *error) {
    const int count = params->at.count / 2;
    Points *points = *made = points_new(count, error);
    if (!points)
        return STATUS_MEMORY;
    points->width = points->height = 1;
    for (int i = 0; i < count; i++)
        points->at[i] =
            (PlacePoint){ .x = params->at.at[2 * i], .y = params->at.at[2 * i + 1], .species = 1 };
    if (!*params->name)
        return STATUS_OK;
    int column;
    Attributes *table = points_attributes(points, error);
    const Status status = table ? attributes_column(table, "name", &column, error) : STATUS_MEMORY;
    return status == STATUS_OK ? attributes_set_text(table, column, 0, ATTRIBUTE_TEXT, params->name, error)
                               : status;
}

static Status run_adding(const Call *call, Error *error) {
    const AddPlaces *params = call->params;
    const OwnPlaces *before = ((const RiverMap *)call->inputs[0].value)->places;
    const SetPlaces setting = { .like = params->like,
                                .population = params->population,
                                .ashore = params->ashore,
                                .others = before ? (int)before->others : OTHERS_ALL };
    const bool given = input_is_given(&call->inputs[1]);
    if (given == (params->at.count > 0))
        return fail(error, STATUS_INVALID,
                    given ? "give points or at, not both" : "give at, a list of places { x, y }, or points");
    if (*params->name && (given || params->at.count > 2))
        return fail(error, STATUS_INVALID, "name is that of one place in at; points have an attribute name");
    for (int i = 0; before && *params->name && i < before->count; i++)
        if (before->at[i].name && strcmp(own_text(before, before->at[i].name), params->name) == 0)
            return fail(error, STATUS_INVALID, "the map has a place of its own called %s already",
                        params->name);
    if (given)
        return make(call, &call->inputs[1], &setting, before, error);
    Points *points = NULL;
    Status status = list_points(params, &points, error);
    if (status == STATUS_OK)
        status = make(call, &(Input){ .value = points, .type = &type_points }, &setting, before, error);
    points_free(points);
    return status;
}

static const Param params[] = {
    PARAM(SetPlaces, others, .choices = CHOICES("all", "smaller", "none"),
          .doc = "which other places there are: \"all\"; \"smaller\": those with fewer people than your "
                 "smallest town; \"none\""),
    PARAM(SetPlaces, population, .initial = 1000, .min = LEAST_PEOPLE, .max = MOST_PEOPLE,
          .doc = "people of points without the attribute population"),
    PARAM(SetPlaces, ashore, .optional = true, .min = 0, .max = 1e9, .unit = UNIT_METRES,
          .doc = "how far a point in the sea or a lake may move to land; by default three cells of the map's "
                 "coarsest level, which is a hundredth of the side or less"),
    PARAM(SetPlaces, like,
          .doc = "a field that shows the whole map, as its guide does, for points with coordinates of a "
                 "system; others are placed as shares of their window"),
    { 0 },
};

const Operation op_set_places = {
    .name = "set_places",
    .category = "zoomable maps",
    .keywords = "own towns cities villages settlements burgs author edit import azgaar",
    .summary = "Gives a zoomable map your own towns and villages",
    .description = "Points with the attributes name, population and kind become places of the map: places "
                   "shows them with the others, roads joins them, and they stay where they are at every "
                   "zoom. The map sets missing attributes.\n\n"
                   "With others = \"all\" a town's level follows from its population, like that of other "
                   "places. With \"smaller\" or \"none\" it follows from its rank: a town is on the coarsest "
                   "level on which no town with more people is near. Other places keep a distance from your "
                   "towns, and have none of their names.\n\n"
                   "A point in water moves to the nearest land, and a message says so. One too far from "
                   "land, or outside the map, is an error that names it.\n\n"
                   "Places that were set before are replaced.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "points", "the places", { &type_points } } },
    .outputs = { { "map", "the map with these places", &type_map } },
    .params = params,
    .params_size = sizeof(SetPlaces),
    .any_sizes = true,
    .example = "local towns = esker.points{ size = 256, list = {\n"
               "    { x = 107, y = 146, attributes = { name = \"Aldhaven\", population = 40000 } } } }\n"
               "local map = esker.river_map{ seed = 2 }:set_places(towns)",
    .picture =
        "local list = { { 0.58, 0.34 }, { 0.66, 0.43 }, { 0.63, 0.31 }, { 0.54, 0.47 }, { 0.69, 0.36 } }\n"
        "local map, window = esker.river_map{ seed = 7, latitudes = { 15, 45 } }, { size = 256, zoom = "
        "3, x = 0.6, y = 0.4 }\n"
        "map = map:set_places(esker.points{ size = 1, list = list }, { others = \"none\" })\n"
        "local altitude, river = map:render(window)\n"
        "return altitude:relief{ rivers = river, drape = map:cover(window).image }\n"
        "    :paint((map:roads(window)), { colour = \"#7a2810\", line = 1.2 })\n"
        "    :paint(map:places(window), { colour = \"#201010\" })",
    .see_also = "add_places places roads set_rivers load_world",
    .run = run,
};

static const Param adding_params[] = {
    PARAM(AddPlaces, at, .columns = 2, .min = 0, .max = 1, .optional = true,
          .doc = "places { x, y } in the coordinates of render, 0 to 1; on a planet x is "
                 "longitude / 360 + 0.5, and y 0.5 - latitude / 360"),
    PARAM(AddPlaces, name, .initial_text = "", .max = NAME_LETTERS,
          .doc = "of a single place in at; without one the map names it"),
    PARAM(AddPlaces, population, .initial = 1000, .min = LEAST_PEOPLE, .max = MOST_PEOPLE,
          .doc = "people of places in at, and of points without the attribute population"),
    PARAM(AddPlaces, ashore, .optional = true, .min = 0, .max = 1e9, .unit = UNIT_METRES,
          .doc = "how far a place in the sea or a lake may move to land, as in set_places"),
    PARAM(AddPlaces, like,
          .doc = "a field that shows the whole map, as its guide does, for points with coordinates of a "
                 "system; others are placed as shares of their window"),
    { 0 },
};

const Operation op_add_places = {
    .name = "add_places",
    .category = "zoomable maps",
    .keywords = "own town city village settlement burg author edit marker name label",
    .summary = "Adds towns and villages of your own to those of a zoomable map",
    .description =
        "They become places of the map as those of set_places do, but what was set or added before "
        "stays. The map's other places stay, too, unless set_places was told otherwise.\n\n"
        "A place in water moves to the nearest land, and a message says so.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "points",
                  "the places; may be left out where at is given",
                  { &type_points },
                  .optional = true } },
    .outputs = { { "map", "the map with these places, too", &type_map } },
    .params = adding_params,
    .params_size = sizeof(AddPlaces),
    .any_sizes = true,
    .example =
        "local map = esker.river_map{ seed = 2 }\n"
        "local town = map:add_places{ at = { { 0.42, 0.57 } }, name = \"Aldhaven\", population = 40000 }",
    .picture =
        "local map, window = esker.river_map{ seed = 7, latitudes = { 15, 45 } }, { size = 256, zoom = "
        "12, x = 0.6, y = 0.4 }\n"
        "map = map:add_places{ at = { { 0.61, 0.41 } }, name = \"Aldhaven\", population = 900000 }\n"
        "local altitude, river = map:render(window)\n"
        "return altitude:relief{ rivers = river, drape = map:cover(window).image }\n"
        "    :paint((map:roads(window)), { colour = \"#7a2810\", line = 1.2 })\n"
        "    :paint(map:places(window), { colour = \"#201010\", labels = \"name\" })",
    .see_also = "set_places places roads level",
    .run = run_adding,
};
