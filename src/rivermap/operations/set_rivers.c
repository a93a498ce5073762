// A zoomable map's own rivers: lines that level 0 drains along.

#include "rivermap/operations/map_edits.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "land/canals.h"
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

typedef struct AddRivers {
    Numbers along;
    const Field *like;
    int inland;
    double width;
    const char *area;
} AddRivers;

enum { REFUSE, SKIP, FOLLOW }; // what ends inland

// What both are given.
typedef struct Asked {
    const Numbers *along; // places of one line; NULL: lines are an input
    const Field *like;
    int inland;
    const char *area; // an attribute of lines; "": none
    double width;     // of each where it ends, at least, in metres; NAN: as its land makes it
    bool adds;        // whether those that the map has stay
    int first;        // of the courses that are added
} Asked;

// Of lines on planets.
enum { STEPS_A_CELL = 4 };
#define WIDEST_ANGLE 3 // between points

// --- cells of level 0 --------------------------------------------------------------------------------------

typedef struct Tracing {
    LandCourses *courses;
    const RiverMap *map; // of a planet; NULL: flat
    const Land *land;    // whose streams lead those on that end inland; NULL: none do
    int *owner;          // scratch: of each cell the course that has it, from 1
    Error *notice;
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

// --- what ends inland --------------------------------------------------------------------------------------

static bool is_sea(const Tracing *tracing, int cell) {
    return land_next_cell(tracing->land, cell) == -1;
}

// Whether water ends in or beside a cell, or another course runs there.
static bool is_led_on(const Tracing *tracing, int course, int cell) {
    const int side = tracing->side, face = cell / side / side;
    bool led = is_sea(tracing, cell);
    for (int d = 0; d <= NEIGHBOURS && !led; d++) {
        CubeCell beside = { .face = face, .x = cell % side, .y = cell / side - face * side };
        beside.x += d < NEIGHBOURS ? neighbour_x[d] : 0;
        beside.y += d < NEIGHBOURS ? neighbour_y[d] : 0;
        const bool inside = beside.x >= 0 && beside.y >= 0 && beside.x < side && beside.y < side;
        if (!inside && (!tracing->map || !cube_resolve(side, &beside)))
            continue;
        const int at = cell_on_cube(side, beside.face, (int)beside.x, (int)beside.y);
        led = is_sea(tracing, at) || (tracing->owner[at] && tracing->owner[at] != course + 1);
    }
    return led;
}

static Vec2 place_of_cell(const Tracing *tracing, int cell) {
    const int side = tracing->side, row = cell / side, face = row / side;
    const double x = cell % side + 0.5, y = row - face * side + 0.5;
    return tracing->map ? map_place(tracing->map, cube_direction(side, face, x, y))
                        : (Vec2){ x / side, y / side };
}

// A course that ends inland gets another one from there on, along the streams of the map as it was, to
// water's end or another course.
static void lead_on(Tracing *tracing, int course) {
    const int from = tracing->courses->cells[tracing->courses->ends[course] - 1], own = course + 1;
    const Vec2 at = place_of_cell(tracing, from);
    tracing->number = tracing->courses->numbers[course];
    for (int cell = from; tracing->status == STATUS_OK && !is_led_on(tracing, course, cell);) {
        const int next = land_next_cell(tracing->land, cell);
        if (next < 0 || tracing->owner[next] == own)
            tracing->status =
                fail(tracing->error, STATUS_INVALID,
                     "river %d ends inland at (%.4f, %.4f), from where water runs %s; lead it to "
                     "the sea or another line",
                     tracing->number, at.x, at.y, next < 0 ? "into a lake" : "back to it");
        for (int k = cell == from ? 0 : 1; k < 2 && tracing->status == STATUS_OK; k++) {
            cell = k ? next : cell;
            tracing->at = place_of_cell(tracing, cell);
            tracing->owner[cell] = own;
            add_cell(tracing, (size_t)cell);
        }
    }
    if (tracing->count > tracing->begin && tracing->notice)
        tell(tracing->notice, "river %d goes on along the stream at (%.4f, %.4f)", tracing->number, at.x,
             at.y);
    end_course(tracing);
}

static bool is_last_of_line(const LandCourses *courses, int course) {
    return course + 1 == courses->count || courses->numbers[course + 1] != courses->numbers[course];
}

static void lead_all_on(Tracing *tracing, const Asked *asked) {
    const LandCourses *courses = tracing->courses;
    const int side = tracing->side, count = courses->count;
    const size_t cells = (size_t)side * (size_t)side * (tracing->map ? CUBE_FACES : 1);
    tracing->owner = memory_new_zeroed(cells, sizeof *tracing->owner, tracing->error);
    tracing->status = tracing->owner ? STATUS_OK : STATUS_MEMORY;
    for (int course = 0; course < count && tracing->owner; course++)
        for (int i = course ? courses->ends[course - 1] : 0; i < courses->ends[course]; i++)
            tracing->owner[courses->cells[i]] = course + 1;
    bool *last = memory_new((size_t)count, sizeof *last, tracing->error);
    tracing->status = last ? tracing->status : STATUS_MEMORY;
    for (int course = 0; course < count && last; course++)
        last[course] = course >= asked->first && is_last_of_line(courses, course);
    for (int course = asked->first; course < count && tracing->status == STATUS_OK; course++)
        if (last[course])
            lead_on(tracing, course);
    memory_free(last);
    memory_free(tracing->owner);
}

// --- what rivers bring -------------------------------------------------------------------------------------

// The side of a cell of level 0 in metres; of a planet that of the mean cell.
static double cell_side(const RiverMap *map) {
    const double face = map->metres * sqrt(4 * PI / CUBE_FACES);
    return ldexp(map->tiling->planet ? 4 * face : map->metres, -eroded_of(map)->depth);
}

// In metres; of a planet the equator's length.
static double side_of(const RiverMap *map) {
    return map->metres * (map->tiling->planet ? 2 * PI : 1);
}

// In cells of level 0, of each course that is added: what the attribute says of its line, whose last part has
// it, or what makes it as wide as asked for. There is room for twice as many.
static Status find_areas(const Call *call, const Asked *asked, const RiverMap *map, LandCourses *courses,
                         Error *error) {
    const Input *lines = &call->inputs[1];
    const Attributes *table = *asked->area ? input_attributes(lines) : NULL;
    const double cell = cell_side(map), most = (double)COURSE_AREA_MAX * cell * cell;
    const double share = isnan(asked->width)
                             ? 0
                             : canal_area(&eroded_of(map)->rules, asked->width / side_of(map)),
                 wide = ldexp(share, 2 * eroded_of(map)->depth);
    int column = -1;
    const Status status = *asked->area ? attributes_require(table, asked->area, &column, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (!(wide <= (double)COURSE_AREA_MAX))
        return fail(error, STATUS_INVALID, "width must be at most %s m, got %s m",
                    digits_of(floor(asked->width * sqrt((double)COURSE_AREA_MAX / wide))).text,
                    digits_of(asked->width).text);
    if (!*asked->area && wide <= 0 && !courses->areas)
        return STATUS_OK;
    float *areas = memory_new_zeroed(2 * (size_t)courses->count, sizeof *areas, error);
    if (!areas)
        return STATUS_MEMORY;
    for (int i = 0; i < asked->first && courses->areas; i++)
        areas[i] = courses->areas[i];
    memory_free(courses->areas);
    courses->areas = areas;
    for (int i = asked->first; i < courses->count; i++) {
        const int number = courses->numbers[i];
        const Attribute value =
            *asked->area ? attributes_get(table, column, number - 1) : (Attribute){ .kind = ATTRIBUTE_NONE };
        if (!is_last_of_line(courses, i))
            continue;
        if (value.kind != ATTRIBUTE_NONE &&
            (value.kind != ATTRIBUTE_NUMBER || !(value.number >= 0 && value.number <= most)))
            return fail(error, STATUS_INVALID, "area: \"%s\" of river %d must be a number of m², 0 to %s",
                        asked->area, number, digits_of(most).text);
        const double drained = value.kind == ATTRIBUTE_NUMBER ? value.number / (cell * cell) : 0;
        areas[i] = (float)floor(max(drained, wide));
    }
    return STATUS_OK;
}

// ------------------------------------------------------------------------------------------------------------

static Status place_line(const Numbers *along, double side, Shapes **placed, Error *error) {
    Shapes *shapes = *placed = shapes_new(error);
    Status status = shapes ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < along->count && status == STATUS_OK; i += 2)
        status =
            shapes_add_point(shapes, (ShapePoint){ along->at[i] * side, along->at[i + 1] * side, 0 }, error);
    if (status == STATUS_OK)
        status = shapes_end_part(shapes, false, error);
    return status == STATUS_OK ? shapes_end_shape(shapes, error) : status;
}

// `copy`: the map that gets them.
static Status find_courses(const Call *call, const Asked *asked, const RiverMap *copy, LandCourses *courses,
                           Error *error) {
    Shapes *shapes = NULL;
    const bool planet = copy->tiling->planet;
    const int cells = 1 << eroded_of(copy)->depth, count = asked->first ? courses->ends[asked->first - 1] : 0;
    Tracing tracing = { .courses = courses,
                        .map = planet ? copy : NULL,
                        .side = planet ? cells / 4 : cells,
                        .begin = count,
                        .count = count,
                        .room = count,
                        .course_room = asked->first,
                        .error = error };
    const double side = planet ? 1 : cells;
    tracing.status =
        asked->along ? place_line(asked->along, side, &shapes, error)
                     : map_shapes(call->inputs[0].value, &call->inputs[1], asked->like, side, &shapes, error);
    if (planet && tracing.status == STATUS_OK && shapes)
        tracing.status = check_places(shapes, error);
    for (int i = 0; tracing.status == STATUS_OK && shapes && i < shapes->count; i++) {
        tracing.number = i + 1;
        trace_line(&tracing, shapes, &shapes->shapes[i]);
    }
    shapes_free(shapes);
    if (tracing.status == STATUS_OK && courses->count == asked->first)
        return fail(error, STATUS_INVALID, "no line passes through the map");
    if (tracing.status == STATUS_OK)
        tracing.status = find_areas(call, asked, copy, courses, error);
    if (tracing.status == STATUS_OK && asked->inland == FOLLOW) {
        Land *land = NULL;
        tracing.status = eroded_land(call->inputs[0].value, call->run, &land, error);
        tracing.land = land;
        tracing.notice = call->notice;
    }
    if (tracing.status == STATUS_OK && tracing.land)
        lead_all_on(&tracing, asked);
    return tracing.status;
}

// --- rivers that run uphill --------------------------------------------------------------------------------

enum { TOLD = 3 };    // rivers that are named
#define LEAST_RISE 10 // metres, and this share of the highest ground, that are told
#define LEAST_SHARE 0.01

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

static Status make(const Call *call, const Asked *given, Error *error) {
    const RiverMap *map = call->inputs[0].value;
    if (!map->land->create)
        return fail(error, STATUS_INVALID, "own rivers are for maps with land = \"eroded\"");
    Asked asked = *given;
    RiverMap *copy = call->outputs[0].value = map_copy(map, error);
    if (!copy)
        return STATUS_MEMORY;
    LandCourses *courses = copy->courses = land_courses_copy(asked.adds ? map->courses : NULL, error);
    Status status = courses ? eroded_copy(map, copy, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        asked.first = courses->count;
        status = find_courses(call, &asked, copy, courses, error);
    }
    if (status != STATUS_OK)
        return status;
    courses->skips = asked.inland == SKIP ? courses->count : courses->skips;
    courses->rises = memory_new_zeroed((size_t)courses->count, sizeof *courses->rises, error);
    if (!courses->rises)
        return STATUS_MEMORY;
    Land *land;
    status = eroded_land(copy, call->run, &land, error);
    for (int i = 0; i < asked.first; i++)
        courses->rises[i] = 0;
    if (status == STATUS_OK)
        tell_uphill(call, copy, courses);
    return status;
}

static Status run(const Call *call, Error *error) {
    const SetRivers *params = call->params;
    return make(
        call, &(Asked){ .like = params->like, .inland = params->inland, .area = params->area, .width = NAN },
        error);
}

static Status run_adding(const Call *call, Error *error) {
    const AddRivers *params = call->params;
    const bool given = input_is_given(&call->inputs[1]);
    if (given == (params->along.count > 0))
        return fail(error, STATUS_INVALID,
                    given ? "give lines or along, not both"
                          : "give along, a list of points { x, y }, or lines");
    if (!given && *params->area)
        return fail(error, STATUS_INVALID, "area is an attribute of lines; give width with along");
    static const int inland[] = { FOLLOW, REFUSE, SKIP };
    return make(call,
                &(Asked){ .along = given ? NULL : &params->along,
                          .like = params->like,
                          .inland = inland[params->inland],
                          .area = params->area,
                          .width = params->width,
                          .adds = true },
                error);
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
    .see_also = "add_rivers river_map carve burn rivers",
    .run = run,
};

static const Param adding_params[] = {
    PARAM(AddRivers, along, .columns = 2, .min = 0, .max = 1, .rows_min = 2, .optional = true,
          .doc = "places { x, y } in the coordinates of render, 0 to 1, of one river from its source on"),
    PARAM(AddRivers, width, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "of the water where the line ends, at least: where the land that drains there makes it "
                 "narrower, the rest comes in at its source"),
    PARAM(AddRivers, like,
          .doc = "a field that shows the whole map, as its guide does, for lines with coordinates of a "
                 "system; others are placed as shares of their window"),
    PARAM(AddRivers, inland, .choices = CHOICES("follow", "refuse", "skip"),
          .doc = "a line that ends inland; \"follow\": goes on along the streams of the map; \"refuse\": is "
                 "an error; \"skip\": is left out, with the lines that would end in it"),
    PARAM(AddRivers, area, .initial_text = "",
          .doc = "a number among the attributes: the area that a river drains where its line ends, in m²"),
    { 0 },
};

const Operation op_add_rivers = {
    .name = "add_rivers",
    .category = "zoomable maps",
    .keywords = "own course edit draw line stream author",
    .summary = "Adds rivers of your own to those of a zoomable map, at every zoom",
    .description =
        "The rivers are made as those of set_rivers, but what was set or added before stays, and ends what "
        "meets it. A line that ends inland goes on along the stream that the map has there, down to the sea "
        "or another line, and a message says so.\n\n"
        "A course is kept within about a cell of the coarsest level, a 256th of the side; carve makes "
        "smaller rivers and canals. All of the map may change a little, because the coarsest level does.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "lines",
                  "the rivers; may be left out where along is given",
                  { &type_lines, &type_network },
                  .optional = true } },
    .outputs = { { "map", "the map with these rivers, too", &type_map } },
    .params = adding_params,
    .params_size = sizeof(AddRivers),
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local along = { { 0.385, 0.46 }, { 0.375, 0.5 }, { 0.39, 0.53 }, { 0.37, 0.57 } }\n"
               "local watered = map:add_rivers{ along = along, width = 3000 }",
    .picture = "local map, window = esker.river_map{ seed = 2 }, { x = 0.4, y = 0.5, zoom = 4, size = 160 }\n"
               "local before, streams = map:render(window)\n"
               "local along = { { 0.385, 0.46 }, { 0.375, 0.5 }, { 0.39, 0.53 }, { 0.37, 0.57 } }\n"
               "local added = map:add_rivers{ along = along, width = 3000 }\n"
               "local after, rivers = added:render(window)\n"
               "return before:relief{ rivers = streams }, after:relief{ rivers = rivers }",
    .see_also = "set_rivers carve river_map rivers",
    .run = run_adding,
};
