// Canals and new courses of one's own on a zoomable map.

#include "rivermap/operations/map_edits.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "land/canals.h"
#include "places/points.h"
#include "rivermap/operations/map_charts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Carve {
    Numbers along;
    double width, depth;
    const Field *like;
} Carve;

enum {
    AWAY = 2,        // cells between a river and a canal that begins beside it
    TO_END = 6,      // cells from a line's end to the water in which it ends
    BEYOND = 16,     // cells of a line beyond that water, at most
    FOLLOWED = 1024, // of a brook that it follows, at most
    ROOM = CANAL_CELLS_MAX + FOLLOWED,
};
#define DEPTH 0.05 // of the width
#define BANK 0.05  // the same
#define ADVICE "; lead it to the sea, a lake or a river that is as wide"
#define FARTHEST 1e3 // more than the square of TO_END
#define TAKEN 0.25   // of what a canal drains: streams that drain more are no brooks

// --- the cells of a line -----------------------------------------------------------------------------------

typedef struct Course {
    const EditLine *line;
    double depth;     // below the ground
    double bank;      // above it, at most, where a plain is lower than the river in which it ends
    double area;      // that it drains
    double cells;     // of its level, along the side of its face
    double around;    // and along the map's side, or around a planet
    int level, count; // of its cells
    int followed;     // from which on it follows a brook
    CanalCell *at;    // room for CANAL_CELLS_MAX and the way to its end
} Course;

// The middle of cell i.
static EditPlace place_of(const Course *course, int i) {
    const CanalCell *cell = &course->at[i];
    return place_on_face(course->line->chart.round, course->cells, cell->face, (double)cell->x + 0.5,
                         (double)cell->y + 0.5);
}

static Vec2 place_on_map(const Course *course, const EditPlace *place) {
    return course->line->chart.round ? map_place(course->line->copy, place->at)
                                     : (Vec2){ place->flat.x, place->flat.y };
}

static Vec2 map_place_of(const Course *course, int i) {
    const EditPlace place = place_of(course, i);
    return place_on_map(course, &place);
}

static Status fail_at(const Course *course, int i, const char *what, const char *advice, Error *error) {
    const Vec2 at = map_place_of(course, i);
    return fail(error, STATUS_INVALID, "shape %d %s at (%.6f, %.6f)%s", course->line->number, what, at.x,
                at.y, advice);
}

static bool is_same(const CanalCell *a, const CanalCell *b) {
    return a->face == b->face && a->x == b->x && a->y == b->y;
}

// Also over an edge of a planet's cube.
static bool are_beside(const Course *course, const CanalCell *a, const CanalCell *b) {
    CubeCell other = { b->face, b->x, b->y, 0 };
    return cube_unfold(whole_128(course->cells), a->face, &other) && a->x - other.x <= 1 &&
           other.x - a->x <= 1 && a->y - other.y <= 1 && other.y - a->y <= 1;
}

// The cell at a place of a face, also beyond an edge of that; false: the land has none.
static bool cell_at(const Course *course, int face, Int128 x, Int128 y, CanalCell *cell) {
    const Int128 side = whole_128(course->cells);
    CubeCell found = { face, x, y, 0 };
    const bool exists = !course->line->chart.round || cube_resolve(side, &found);
    *cell = (CanalCell){ found.face, found.x, found.y };
    if (!course->line->chart.round)
        *cell = (CanalCell){ face, clamp(x, (Int128)1, side - 2), clamp(y, (Int128)1, side - 2) };
    return exists;
}

// Loops are cut, and corners where the way over them is as good.
static void add_cell(Course *course, int face, Int128 x, Int128 y) {
    CanalCell cell;
    if (!cell_at(course, face, x, y, &cell))
        return;
    for (int i = 0; i < course->count; i++)
        if (is_same(&course->at[i], &cell)) {
            course->count = i + 1;
            return;
        }
    if (course->count > 1 && are_beside(course, &course->at[course->count - 2], &cell))
        course->count--;
    course->at[course->count++] = cell;
}

enum { FLAT_STEPS = 2, ROUND_STEPS = 4 }; // along a cell: those at a face's corners are smaller

// From point to point of its line.
static void add_leg(Course *course, const EditPoint *a, const EditPoint *b) {
    const EditChart *chart = &course->line->chart;
    const double x = b->x - a->x, y = b->y - a->y;
    const int each = chart->round ? ROUND_STEPS : FLAT_STEPS,
              steps = whole_int(ceil(each * course->around * max(fabs(x), fabs(y)))) + 1;
    for (int k = 0; k <= steps; k++) {
        const EditPoint point = { a->x + x * k / steps, a->y + y * k / steps };
        const CubePlace place = chart_place(chart, point, course->cells);
        add_cell(course, place.face, whole_128(floor(place.x)), whole_128(floor(place.y)));
    }
}

static Status trace(Course *course, Error *error) {
    const EditLine *line = course->line;
    const double longest = CANAL_CELLS_MAX / course->around;
    double length = 0;
    for (int i = 1; i < line->count; i++) {
        const double x = line->points[i].x - line->points[i - 1].x,
                     y = line->points[i].y - line->points[i - 1].y;
        length += sqrt(x * x + y * y);
    }
    if (length > longest / 2)
        return fail(
            error, STATUS_INVALID,
            "shape %d is too long for its width: it may be %s m long, got %s m; add_rivers makes long "
            "rivers",
            line->number, digits_of(longest / 2 * line->side).text, digits_of(length * line->side).text);
    for (int i = 1; i < line->count; i++)
        add_leg(course, &line->points[i - 1], &line->points[i]);
    return course->count > 1
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "shape %d is shorter than its width", line->number);
}

// --- where it begins and ends ------------------------------------------------------------------------------

static bool ends_canal(const Course *course, const CanalCell *cell) {
    return cell->water || cell->area >= course->area;
}

static bool is_river(const Course *course, const CanalCell *cell) {
    return cell->water || cell->area > TAKEN * course->area;
}

// A canal that is drawn from a river on begins beside it.
static Status leave_river(Course *course, Error *error) {
    int first = 0;
    while (first < course->count && is_river(course, &course->at[first]))
        first++;
    first += first > 0 ? AWAY : 0;
    if (first + 1 >= course->count)
        return fail_at(course, 0, "lies in water or in a river", "", error);
    course->count -= first;
    memmove(course->at, course->at + first, (size_t)course->count * sizeof *course->at);
    return STATUS_OK;
}

// Adds the way to the nearest water around the last cell, or else to the nearest brook; false: there is none.
static Status reach_water(Course *course, Land *land, bool *found, Error *error) {
    enum { ACROSS = 2 * TO_END + 1 };
    CanalCell around[ACROSS * ACROSS];
    const CanalCell last = course->at[course->count - 1];
    const int count = ACROSS * ACROSS;
    int nearest = -1;
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        if (!cell_at(course, last.face, last.x + i % ACROSS - TO_END, last.y + i / ACROSS - TO_END,
                     &around[i]))
            around[i] = last;
    const Status status = land_look_along(land, course->line->call->run, course->level, around, count, error);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const int x = i % ACROSS - TO_END, y = i / ACROSS - TO_END;
        const double away = (double)(x * x + y * y) + (ends_canal(course, &around[i]) ? 0 : FARTHEST);
        if ((ends_canal(course, &around[i]) || around[i].area > 0) && away < least) {
            least = away;
            nearest = i;
        }
    }
    *found = nearest >= 0;
    for (int k = 1; *found && k <= TO_END; k++) {
        const double share = (double)k / TO_END;
        const int x = nearest % ACROSS - TO_END, y = nearest / ACROSS - TO_END;
        add_cell(course, last.face, last.x + whole_128(floor(share * x + 0.5)),
                 last.y + whole_128(floor(share * y + 0.5)));
    }
    return status;
}

static int mouth_of(const Course *course) {
    int mouth = 0;
    while (mouth < course->count && !ends_canal(course, &course->at[mouth]))
        mouth++;
    return mouth;
}

static double width_of(const Course *course, double area) {
    return 2 * course->line->half * course->line->side * sqrt(area / course->area);
}

static Status fail_crossing(const Course *course, int i, Error *error) {
    char what[80];
    const double width = width_of(course, course->at[i].area);
    snprintf(what, sizeof what, "crosses a river %s m wide", digits_of(floor(10 * width + 0.5) / 10).text);
    return fail_at(course, i, what, "; end it there, or lead it around", error);
}

static Status check_crossings(const Course *course, int mouth, Error *error) {
    for (int i = 0; i < mouth; i++)
        if (is_river(course, &course->at[i]))
            return fail_crossing(course, i, error);
    if (course->count - 1 - mouth > BEYOND)
        return fail_at(course, mouth, "meets a river, a lake or the sea",
                       " and goes on beyond; end it there, and begin another one on the other side", error);
    return STATUS_OK;
}

// A brook that leads back along the canal or over it would make it a ring: the canal turns into it where it
// first comes beside it.
static void cut_ring(Course *course, int at) {
    for (int i = 0; i < at; i++)
        for (int k = course->count - 1; k > at + 1; k--) {
            const CanalCell *cell = &course->at[i], *beyond = &course->at[k];
            if (!are_beside(course, cell, beyond))
                continue;
            const int next = is_same(cell, beyond) ? k + 1 : k;
            memmove(course->at + i + 1, course->at + next, (size_t)(course->count - next) * sizeof *cell);
            course->count -= next - i - 1;
            course->followed = i;
            return;
        }
}

// From a brook on, cell `at`, the canal takes its course.
static Status follow_brook(Course *course, Land *land, int at, Error *error) {
    course->count = at + 1;
    const int most = min(at + FOLLOWED, ROOM);
    const Status status = land_follow_stream(land, course->line->call->run, course->level, course->area,
                                             course->at, &course->count, most, error);
    course->followed = at;
    if (status == STATUS_OK && !ends_canal(course, &course->at[course->count - 1]))
        return fail_at(course, at, "would follow a brook for too long", ADVICE, error);
    if (status == STATUS_OK)
        cut_ring(course, at);
    return status;
}

static Status find_mouth(Course *course, Land *land, Error *error) {
    const Run *run = course->line->call->run;
    Status status = land_look_along(land, run, course->level, course->at, course->count, error);
    if (status == STATUS_OK)
        status = leave_river(course, error);
    bool found = true;
    if (status == STATUS_OK && mouth_of(course) == course->count) {
        const int before = course->count;
        status = reach_water(course, land, &found, error);
        if (status == STATUS_OK && found)
            status = land_look_along(land, run, course->level, course->at + before - 1,
                                     course->count - before + 1, error);
    }
    if (status != STATUS_OK)
        return status;
    const int mouth = mouth_of(course);
    status = check_crossings(course, mouth, error);
    if (status == STATUS_OK && !found)
        return fail_at(course, course->count - 1, "ends inland", ADVICE, error);
    if (status == STATUS_OK && mouth == course->count)
        return follow_brook(course, land, course->count - 1, error);
    course->count = mouth + 1;
    return status;
}

// --- its bed -----------------------------------------------------------------------------------------------

typedef struct Bed {
    double *at;
    double deepest; // below the ground
    int deepest_at;
} Bed;

// As high as it can be that falls all the way, but no lower than where it ends. In `low`, the first brook
// that is too low for that, or else the lowest ground; -1: none is.
static void lay_bed(const Course *course, Bed *bed, int *low) {
    const int last = course->count - 1;
    double above = INFINITY, lowest = 0;
    for (int i = 0; i < last; i++) {
        const CanalCell *cell = &course->at[i];
        bed->at[i] = above = min(cell->lowest - course->depth, above - cell->fall);
    }
    bed->at[last] = course->at[last].surface;
    bed->deepest = 0;
    bool brook = false;
    *low = -1;
    for (int i = last; i-- > 0;) {
        const CanalCell *cell = &course->at[i];
        bed->at[i] = max(bed->at[i], bed->at[i + 1] + cell->fall);
        const double rise = bed->at[i] - cell->surface, cut = -rise;
        if (cell->area > 0 ? rise > 0 : !brook && rise > max(course->bank, lowest)) {
            brook = cell->area > 0;
            lowest = rise;
            *low = i;
        }
        if (cut > bed->deepest) {
            bed->deepest = cut;
            bed->deepest_at = i;
        }
    }
}

static Status fail_low(const Course *course, const Bed *bed, int i, Error *error) {
    char what[120];
    snprintf(what, sizeof what, "passes ground %.1f m lower than the water in which it ends",
             (bed->at[i] - course->at[i].surface) * course->line->cell);
    return fail_at(course, i, what, "", error);
}

// A brook that is lower than a canal which crosses it takes its water.
static Status find_bed(Course *course, Land *land, Bed *bed, Error *error) {
    Status status = STATUS_OK;
    int low = 0;
    while (low >= 0 && status == STATUS_OK) {
        lay_bed(course, bed, &low);
        if (low >= 0)
            status = low < course->followed && course->at[low].area > 0
                         ? follow_brook(course, land, low, error)
                         : fail_low(course, bed, low, error);
    }
    return status;
}

static Status add_parts(const Course *course, const Bed *bed, Error *error) {
    const EditLine *line = course->line;
    const int last = course->count - 1, parts = (last + CANAL_CELLS - 1) / CANAL_CELLS;
    EditPoint points[2 * (CANAL_CELLS + 1) + 1];
    LandEdits *edits =
        land_edits_copy(line->copy->edits, parts, parts * (int)(sizeof points / sizeof *points), error);
    if (!edits)
        return STATUS_MEMORY;
    memory_free(line->copy->edits);
    line->copy->edits = edits;
    for (int first = 0; first < last; first += CANAL_CELLS) {
        const int count = min(CANAL_CELLS, last - first) + 1;
        LandEdit part = { .kind = EDIT_CANAL,
                          .count = count,
                          .data = canal_data(count),
                          .half = line->half,
                          .carries = course->area,
                          .spring = first == 0 };
        if (line->chart.round)
            part.chart = map_chart_at(line->copy, place_of(course, first + count / 2).at);
        for (int i = 0; i < count; i++) {
            const EditPlace place = place_of(course, first + i);
            points[i] = point_in(&part.chart, &place);
            EditPoint *pair = &points[count + i / 2];
            *(i % 2 ? &pair->y : &pair->x) = bed->at[first + i];
        }
        land_edits_add(edits, &part, points, line->cells);
    }
    return STATUS_OK;
}

#define TOLD 4 // times its depth: deeper cuts are told

static void tell_course(const Course *course, const Bed *bed) {
    const EditLine *line = course->line;
    if (line->call->notice && course->followed < course->count - 1) {
        const Vec2 at = map_place_of(course, course->followed);
        tell(line->call->notice, "shape %d follows a brook from (%.6f, %.6f) on, for %.0f m", line->number,
             at.x, at.y, (course->count - 1 - course->followed) / course->around * line->side);
    }
    const Vec2 deepest = map_place_of(course, bed->deepest_at);
    if (line->call->notice &&
        bed->deepest > max(TOLD * course->depth, 2 * line->half * line->side / line->cell))
        tell(line->call->notice, "shape %d is cut %.0f m deep into the ground at (%.6f, %.6f)", line->number,
             bed->deepest * line->cell, deepest.x, deepest.y);
}

static Status check_line(const Course *course, const Land *land, Error *error) {
    const EditLine *line = course->line;
    const double least = canal_area_min(land, course->level);
    if (course->area < least)
        return fail(error, STATUS_INVALID, "width must be %s m or more, as the map's streams are, got %s m",
                    digits_of(width_of(course, least)).text, digits_of(2 * line->half * line->side).text);
    return STATUS_OK;
}

static Status add_canal(const EditLine *line, Error *error) {
    const Carve *params = line->call->params;
    const LandRules *rules = &eroded_of(line->copy)->rules;
    const double width = 2 * line->half * line->side;
    Course course = { .line = line,
                      .level = edit_entry(2 * EDIT_HALF_CELLS * line->half, line->cells),
                      .area = canal_area(rules, 2 * line->half) };
    course.around = ldexp(line->cells, course.level);
    course.cells = course.around / (line->chart.round ? 4 : 1);
    course.followed = ROOM;
    const double shown = line->cell * (1 + land_rise(rules, course.level) * 0x1p-16);
    course.depth = (isnan(params->depth) ? DEPTH * width : params->depth) / shown;
    course.bank = BANK * width / shown;
    Status status = check_line(&course, line->land, error);
    if (status != STATUS_OK)
        return status;
    Land *land = land_with_edits(line->land, line->copy->edits, error);
    const size_t room = ROOM;
    course.at = land ? memory_new(room, sizeof *course.at, error) : NULL;
    Bed bed = { .at = course.at ? memory_new(room, sizeof *bed.at, error) : NULL };
    status = bed.at ? trace(&course, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = find_mouth(&course, land, error);
    if (status == STATUS_OK)
        status = find_bed(&course, land, &bed, error);
    if (status == STATUS_OK)
        status = add_parts(&course, &bed, error);
    if (status == STATUS_OK)
        tell_course(&course, &bed);
    memory_free(bed.at);
    memory_free(course.at);
    land_free(land);
    return status;
}

// ------------------------------------------------------------------------------------------------------------

extern const Operation op_carve;

static Status run(const Call *call, Error *error) {
    const Carve *params = call->params;
    const RiverMap *map = call->inputs[0].value;
    const double width = isnan(params->width) ? map->metres / 32768 : params->width;
    if (params->depth > width)
        return fail(error, STATUS_INVALID, "depth must be at most the width, %s m, got %s m",
                    digits_of(width).text, digits_of(params->depth).text);
    const MapEdit edit = { .operation = &op_carve,
                           .kind = EDIT_CANAL,
                           .list_name = "along",
                           .list = &params->along,
                           .like = params->like,
                           .width = width,
                           .add_line = add_canal };
    return map_edit(call, &edit, error);
}

static const Param params[] = {
    PARAM(Carve, along, .columns = 2, .min = 0, .max = 1, .rows_min = 2, .optional = true,
          .doc = "places { x, y } in the coordinates of render, 0 to 1, from where it begins to the river, "
                 "lake or sea in which it ends"),
    PARAM(Carve, width, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "of the water; by default a 32768th of the map's side"),
    PARAM(Carve, depth, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc =
              "how far its bed lies below the ground beside it, at least, and at most the width; it is cut "
              "deeper where the ground rises on its way. By default a twentieth of the width"),
    PARAM(Carve, like,
          .doc =
              "a field that shows the whole map, for lines with coordinates of a system; others are placed "
              "as shares of their window"),
    { 0 },
};

const Operation op_carve = {
    .name = "carve",
    .category = "zoomable maps",
    .keywords = "edit canal channel ditch course river divert trench author own",
    .summary = "Carves a canal or a new course of a river on a zoomable map, at every zoom",
    .description =
        "Water comes in where it begins, as from a great spring, and makes it as wide as asked for. Its bed "
        "falls all the way, with the least carving. Brooks that it crosses end in it, and begin anew on its "
        "other side. A brook that is lower than where it ends takes its water and leads it on, as does the "
        "brook at its end. It may not cross rivers that are half as wide or wider. The river in which it "
        "ends must be as wide, and carries no more for it.\n\n"
        "It enters the level on which it is 1 to 2 cells wide, so coarser zooms do not show it; finer levels "
        "bend it as other rivers, by about its width. Rivers that are wider than a cell of the map's "
        "coarsest level are made by add_rivers.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "lines",
                  "lines, each a canal; may be left out where along is given",
                  { &type_lines, &type_network },
                  .optional = true } },
    .outputs = { { "map", "the map with this canal", &type_map } },
    .params = params,
    .params_size = sizeof(Carve),
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local carved = map:carve{ along = { { 0.41, 0.57 }, { 0.42, 0.56 } }, width = 150 }",
    .picture =
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.418, y = 0.564, zoom = 160, size = 192 }\n"
        "local before, streams = map:render(window)\n"
        "local carved = map:carve{ along = { { 0.41, 0.57 }, { 0.42, 0.56 } }, width = 150 }\n"
        "local after, rivers = carved:render(window)\n"
        "return before:relief{ rivers = streams, exaggeration = 3 },\n"
        "    after:relief{ rivers = rivers, exaggeration = 3 }",
    .see_also = "river_map add_rivers raise lake render",
    .run = run,
};
