// A zoomable map's own rivers: lines that level 0 drains along.

#include "rivermap/operations/map_edits.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "land/cube.h"
#include "places/overlay.h"
#include "rivermap/operations/map_charts.h"
#include "rivers/network.h"
#include "water/drainage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SetRivers {
    const Field *like;
    int inland;
    const char *area;
} SetRivers;

enum { REFUSE, SKIP }; // what ends inland

// Of lines on planets.
enum { STEPS_A_CELL = 4 };
#define WIDEST_ANGLE 3 // between points

// --- cells of level 0 --------------------------------------------------------------------------------------

typedef struct Tracing {
    LandCourses *courses;
    const RiverMap *map;   // of a planet; NULL: flat
    Vec2 at;               // there the place that is visited
    int side, number;      // cells along a side, of a planet's face; of the line
    int begin, count;      // of the course that is traced: its first cell, and all cells so far
    int room, course_room; // for cells and courses
    Status status;
    Error *error;
} Tracing;

static bool on_grid_beside(int side, int a, int b) {
    return abs(a % side - b % side) <= 1 && abs(a / side - b / side) <= 1;
}

static int cell_on_cube(int side, int face, int x, int y) {
    return (face * side + y) * side + x;
}

static bool are_beside(const Tracing *tracing, int a, int b) {
    const int side = tracing->side, face = a / side / side, x = a % side, y = a / side % side;
    if (!tracing->map || face == b / side / side)
        return on_grid_beside(side, a, b);
    bool beside = false;
    for (int d = 0; d < NEIGHBOURS && !beside; d++) {
        CubeCell cell = { .face = face, .x = x + neighbour_x[d], .y = y + neighbour_y[d] };
        beside = cube_resolve(side, &cell) && cell_on_cube(side, cell.face, (int)cell.x, (int)cell.y) == b;
    }
    return beside;
}

static void end_course(Tracing *tracing) {
    LandCourses *courses = tracing->courses;
    if (tracing->status != STATUS_OK || tracing->count == tracing->begin)
        return;
    if (courses->count == tracing->course_room) {
        const int room = 2 * courses->count + 64;
        int *numbers = memory_enlarge(courses->numbers, (size_t)courses->count, (size_t)room, sizeof *numbers,
                                      tracing->error);
        courses->numbers = numbers ? numbers : courses->numbers;
        int *ends = numbers ? memory_enlarge(courses->ends, (size_t)courses->count, (size_t)room,
                                             sizeof *ends, tracing->error)
                            : NULL;
        courses->ends = ends ? ends : courses->ends;
        if (!ends) {
            tracing->status = STATUS_MEMORY;
            return;
        }
        tracing->course_room = room;
    }
    courses->numbers[courses->count] = tracing->number;
    courses->ends[courses->count++] = tracing->count;
    tracing->begin = tracing->count;
}

// Lines step over sides; courses take the way over a corner where one is as good. A line that leaves the map
// ends there, and begins anew where it comes back.
static void add_cell(void *context, size_t visited) {
    Tracing *tracing = context;
    LandCourses *courses = tracing->courses;
    const int cell = (int)visited, count = tracing->count - tracing->begin;
    const int last = count ? courses->cells[tracing->count - 1] : cell,
              before = count > 1 ? courses->cells[tracing->count - 2] : cell;
    if (tracing->status != STATUS_OK || (count && last == cell))
        return;
    if (count > 1 && are_beside(tracing, before, cell))
        tracing->count--;
    else if (!are_beside(tracing, last, cell))
        end_course(tracing);
    if (tracing->count == tracing->room) {
        const int room = 2 * tracing->count + 1024;
        int *cells = memory_enlarge(courses->cells, (size_t)tracing->count, (size_t)room, sizeof *cells,
                                    tracing->error);
        tracing->status = cells ? tracing->status : STATUS_MEMORY;
        if (!cells)
            return;
        courses->cells = cells;
        double *places = tracing->map ? memory_enlarge(courses->places, 2 * (size_t)tracing->count,
                                                       2 * (size_t)room, sizeof *places, tracing->error)
                                      : NULL;
        courses->places = places ? places : courses->places;
        tracing->status = places || !tracing->map ? tracing->status : STATUS_MEMORY;
        if (tracing->status != STATUS_OK)
            return;
        tracing->room = room;
    }
    if (tracing->map) {
        courses->places[2 * (size_t)tracing->count] = tracing->at.x;
        courses->places[2 * (size_t)tracing->count + 1] = tracing->at.y;
    }
    courses->cells[tracing->count++] = cell;
}

// The shortest way on a planet, in steps of a quarter of a cell, which are longer in the middle of long ways.
static void trace_way(Tracing *tracing, const ShapePoint *from, const ShapePoint *to) {
    const int side = tracing->side;
    const Vec3 a = map_direction(tracing->map, (Vec2){ from->x, from->y }),
               b = map_direction(tracing->map, (Vec2){ to->x, to->y }), apart = vec3_cross(a, b);
    const double angle = arctangent2(sqrt(vec3_dot(apart, apart)), vec3_dot(a, b));
    const int steps = max(whole_int(ceil(angle * STEPS_A_CELL * 2 * side / PI)), 1);
    if (angle > WIDEST_ANGLE && tracing->status == STATUS_OK)
        tracing->status = fail(tracing->error, STATUS_INVALID,
                               "river %d: (%.4f, %.4f) and (%.4f, %.4f) lie on opposite sides of the planet; "
                               "give points between",
                               tracing->number, from->x, from->y, to->x, to->y);
    for (int i = 0; i <= steps && tracing->status == STATUS_OK; i++) {
        const double share = (double)i / steps, left = 1 - share;
        const Vec3 chord = { left * a.x + share * b.x, left * a.y + share * b.y, left * a.z + share * b.z };
        const double length = sqrt(vec3_dot(chord, chord));
        const Vec3 at = { chord.x / length, chord.y / length, chord.z / length };
        const CubePlace place = cube_place(side, at);
        const int x = clamp(whole_int(floor(place.x)), 0, side - 1),
                  y = clamp(whole_int(floor(place.y)), 0, side - 1);
        tracing->at = map_place(tracing->map, at);
        add_cell(tracing, (size_t)cell_on_cube(side, place.face, x, y));
    }
}

static Status check_places(const Shapes *shapes, Error *error) {
    for (int i = 0; i < shapes->count; i++)
        for (int k = shapes->shapes[i].first; k < shapes->shapes[i].first + shapes->shapes[i].count; k++)
            for (int n = shapes->parts[k].first; n < shapes->parts[k].first + shapes->parts[k].count; n++) {
                const ShapePoint *point = &shapes->points[n];
                if (!(point->y >= 0.25 && point->y <= 0.75 && point->x >= -1 && point->x <= 2))
                    return fail(
                        error, STATUS_INVALID,
                        "river %d lies outside the map: x must be -1 to 2 and y 0.25, the north pole, to "
                        "0.75, got (%s, %s)",
                        i + 1, digits_of(point->x).text, digits_of(point->y).text);
            }
    return STATUS_OK;
}

static void trace_line(Tracing *tracing, const Shapes *shapes, const Shape *line) {
    for (int i = line->first; i < line->first + line->count; i++) {
        const ShapePart *part = &shapes->parts[i];
        const ShapePoint *points = shapes->points + part->first;
        for (int k = 1; k < part->count && tracing->map; k++)
            trace_way(tracing, &points[k - 1], &points[k]);
        for (int k = 1; k < part->count && !tracing->map; k++)
            line_cells(&points[k - 1], &points[k], tracing->side, tracing->side, add_cell, tracing);
        end_course(tracing);
    }
}

// `copy`: the map that gets them.
static Status find_courses(const Call *call, const RiverMap *copy, LandCourses *courses, Error *error) {
    Shapes *shapes = NULL;
    const bool planet = copy->tiling->planet;
    const int cells = 1 << eroded_of(copy)->depth;
    Tracing tracing = {
        .courses = courses, .map = planet ? copy : NULL, .side = planet ? cells / 4 : cells, .error = error
    };
    tracing.status = map_shapes(call->inputs[0].value, &call->inputs[1],
                                ((const SetRivers *)call->params)->like, planet ? 1 : cells, &shapes, error);
    if (planet && tracing.status == STATUS_OK && shapes)
        tracing.status = check_places(shapes, error);
    for (int i = 0; tracing.status == STATUS_OK && shapes && i < shapes->count; i++) {
        tracing.number = i + 1;
        trace_line(&tracing, shapes, &shapes->shapes[i]);
    }
    shapes_free(shapes);
    if (tracing.status == STATUS_OK && !courses->count)
        return fail(error, STATUS_INVALID, "no line passes through the map");
    return tracing.status;
}

// --- what rivers bring -------------------------------------------------------------------------------------

// The side of a cell of level 0 in metres; of a planet that of the mean cell.
static double cell_side(const RiverMap *map) {
    const double face = map->metres * sqrt(4 * PI / CUBE_FACES);
    return ldexp(map->tiling->planet ? 4 * face : map->metres, -eroded_of(map)->depth);
}

// In cells of level 0, of each course: what the attribute says of its line, whose last part has it.
static Status find_areas(const Call *call, double cell, LandCourses *courses, Error *error) {
    const Input *lines = &call->inputs[1];
    const char *name = ((const SetRivers *)call->params)->area;
    const Attributes *table = input_attributes(lines);
    int column = -1;
    const Status status = *name ? attributes_require(table, name, &column, error) : STATUS_OK;
    if (!*name || status != STATUS_OK)
        return status;
    courses->areas = memory_new_zeroed((size_t)courses->count, sizeof *courses->areas, error);
    if (!courses->areas)
        return STATUS_MEMORY;
    for (int i = 0; i < courses->count; i++) {
        const int number = courses->numbers[i];
        const Attribute value = attributes_get(table, column, number - 1);
        const double most = (double)COURSE_AREA_MAX * cell * cell;
        if (value.kind == ATTRIBUTE_NONE || (i + 1 < courses->count && courses->numbers[i + 1] == number))
            continue;
        if (value.kind != ATTRIBUTE_NUMBER || !(value.number >= 0 && value.number <= most))
            return fail(error, STATUS_INVALID, "area: \"%s\" of river %d must be a number of m², 0 to %s",
                        name, number, digits_of(most).text);
        courses->areas[i] = (float)floor(value.number / (cell * cell));
    }
    return STATUS_OK;
}

// --- rivers that run uphill --------------------------------------------------------------------------------

enum { TOLD = 3 };    // rivers that are named
#define LEAST_RISE 10 // metres, and this share of the highest ground, that are told
#define LEAST_SHARE 0.01

// In metres; of a planet the equator's length.
static double side_of(const RiverMap *map) {
    return map->metres * (map->tiling->planet ? 2 * PI : 1);
}

// The name of a line, or its number.
static void name_line(const Input *lines, int number, char *name, size_t size) {
    const Attributes *table = input_attributes(lines);
    const int column = attributes_find(table, "name");
    const Attribute value = attributes_get(table, max(column, 0), number - 1);
    if (column >= 0 && value.kind == ATTRIBUTE_TEXT && *attributes_text(table, value))
        snprintf(name, size, "%.60s", attributes_text(table, value));
    else
        snprintf(name, size, "river %d", number);
}

// A guide is the author's own ground: where a river of the same author does not follow it, one of them is
// wrong.
static void tell_uphill(const Call *call, const RiverMap *map, const LandCourses *courses) {
    const Eroded *eroded = eroded_of(map);
    const double cell = ldexp(side_of(map), -eroded->depth - eroded->rules.graded);
    const float least = (float)max(LEAST_RISE / cell, LEAST_SHARE * eroded->relief);
    char told[300] = "";
    int count = 0, left = TOLD;
    for (int i = 0; i < courses->count; i++)
        count += courses->rises[i] >= least;
    for (; map->guide.width > 0 && left > 0 && left > TOLD - count; left--) {
        int most = 0;
        for (int i = 1; i < courses->count; i++)
            most = courses->rises[i] > courses->rises[most] ? i : most;
        char name[80];
        const size_t used = strlen(told);
        name_line(&call->inputs[1], courses->numbers[most], name, sizeof name);
        snprintf(told + used, sizeof told - used, "%s%s by %.0f m", used ? ", " : "", name,
                 (double)courses->rises[most] * cell);
        courses->rises[most] = 0;
    }
    if (*told)
        tell(call->notice, "the guide rises along %d of these rivers, which are cut into it: %s%s", count,
             told, count > TOLD ? ", …" : "");
}

// ------------------------------------------------------------------------------------------------------------

static Status check(const RiverMap *map, Error *error) {
    if (!map->land->create)
        return fail(error, STATUS_INVALID, "own rivers are for maps with land = \"eroded\"");
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const RiverMap *map = call->inputs[0].value;
    Status status = check(map, error);
    if (status != STATUS_OK)
        return status;
    RiverMap *copy = call->outputs[0].value = map_copy(map, error);
    if (copy)
        copy->courses = memory_new_zeroed(1, sizeof *copy->courses, error);
    status = copy && copy->courses ? eroded_copy(map, copy, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = find_courses(call, copy, copy->courses, error);
    if (status == STATUS_OK)
        status = find_areas(call, cell_side(map), copy->courses, error);
    if (status == STATUS_OK)
        copy->courses->skips = ((const SetRivers *)call->params)->inland == SKIP;
    if (status == STATUS_OK)
        copy->courses->rises =
            memory_new_zeroed((size_t)copy->courses->count, sizeof *copy->courses->rises, error);
    if (status == STATUS_OK && !copy->courses->rises)
        status = STATUS_MEMORY;
    Land *land;
    if (status == STATUS_OK)
        status = eroded_land(copy, call->run, &land, error);
    if (status == STATUS_OK)
        tell_uphill(call, copy, copy->courses);
    return status;
}

static const Param params[] = {
    PARAM(SetRivers, like,
          .doc = "a field that shows the whole map, as its guide does, for lines with coordinates of a "
                 "system; others are placed as shares of their window"),
    PARAM(SetRivers, inland, .choices = CHOICES("refuse", "skip"),
          .doc = "a line that ends inland; \"refuse\": is an error; \"skip\": is left out, with the lines "
                 "that would end in it"),
    PARAM(SetRivers, area, .initial_text = "",
          .doc =
              "a number among the attributes: the area that a river drains where it ends, in m². Where the "
              "map has less, the rest comes in at its source"),
    { 0 },
};

const Operation op_set_rivers = {
    .name = "set_rivers",
    .category = "zoomable maps",
    .keywords = "own courses hydrography lines burn author edit import",
    .summary = "Gives a zoomable map your own rivers, at every zoom",
    .description =
        "The map's coarsest level drains along the lines, whatever its ground, with the least carving; the "
        "land beside them drains into them. Finer levels inherit these rivers like all others, so a course "
        "is kept within about a cell of the coarsest level: a 256th of the side, or the guide's cell. On "
        "planets lines take the shortest way from point to point.\n\n"
        "Lines lead from the source to the sea, to the map's edge or to another line. A line that meets an "
        "earlier one ends there. A line that ends inland is an error, or is left out (inland). Parts in the "
        "sea or along the border are left out. A source gets the water that a stream of the coarsest level "
        "needs.\n\n"
        "Rivers that were set before are replaced.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "lines", "the rivers", { &type_lines, &type_network } } },
    .outputs = { { "map", "the map with these rivers", &type_map } },
    .params = params,
    .params_size = sizeof(SetRivers),
    .any_sizes = true,
    .example =
        "local course = esker.lines{ size = 256, list = { { { 128, 100 }, { 90, 140 }, { 60, 256 } } } }\n"
        "local map = esker.river_map{ seed = 2 }:set_rivers(course)",
    .picture =
        "local course = esker.lines{ size = 256, list = { { { 128, 100 }, { 90, 140 }, { 60, 256 } } } }\n"
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.36, y = 0.54, zoom = 6, size = 192 }\n"
        "local before, streams = map:render(window)\n"
        "local after, rivers = map:set_rivers(course):render(window)\n"
        "return before:relief{ rivers = streams }, after:relief{ rivers = rivers }",
    .see_also = "river_map carve burn rivers",
    .run = run,
};
