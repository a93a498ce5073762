// Courses of level 0: rivers that follow given cells. Their beds are carved before pits are filled, as little
// as a fall in each cell needs; then their cells drain along the course, whatever lies beside them.

#include "land/root.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "land/hillslope.h"

#include <math.h>
#include <string.h>

struct RootCourses {
    uint8_t *way; // of each cell: the direction of the next one of its course, with SPRING at its source;
                  // LAND_NONE: it has no course
    int *cells;   // of all courses; once they are carved, each after those that lead to it
    int count;
    int *open;     // of each course the cell at which it ends inland, or NO_CELL
    bool *skipped; // whether it is left out
    int *first;    // its first cell; NO_CELL: it has none
    int *last;     // its last one before its mouth
    int *upward;   // all of them, each after those that lead to it
    const LandCourses *given;
    int *place; // of a cell in the course that is laid, from 1; 0: it is none of its
    int *path;  // the cells of that course
};

enum { SPRING = 16 };

// --- laying ------------------------------------------------------------------------------------------------

static bool ends_water(const Root *root, int cell) {
    return root->window->receiver[cell] == LAND_SEA;
}

static int direction_to(const Root *root, int from, int to) {
    int d = 0;
    while (d < NEIGHBOURS && cell_beside(root, (size_t)from, d) != to)
        d++;
    return d;
}

bool root_courses_has(const RootCourses *courses, size_t cell) {
    return courses && courses->way[cell] != LAND_NONE;
}

static int next_of(const Root *root, const RootCourses *courses, int cell) {
    return (int)cell_beside(root, (size_t)cell, courses->way[cell] % SPRING);
}

static void set_next(const Root *root, RootCourses *courses, int cell, int next) {
    courses->way[cell] = (uint8_t)direction_to(root, cell, next);
    courses->cells[courses->count++] = cell;
}

static void take_back(RootCourses *courses, int *length, int to) {
    while (*length > to)
        courses->place[courses->path[--*length]] = 0;
}

// A course's cells up to the first at which water ends or another course runs, that one included; without its
// loops, and without what lies in the sea, along the edge or on another course before.
static int trace(const Root *root, RootCourses *courses, const int *cells, int count) {
    int length = 0, first = 0;
    while (first < count &&
           (ends_water(root, cells[first]) || root_courses_has(courses, (size_t)cells[first])))
        first++;
    for (int i = first; i < count; i++) {
        const int cell = cells[i];
        take_back(courses, &length, courses->place[cell] ? courses->place[cell] - 1 : length);
        courses->path[length++] = cell;
        courses->place[cell] = length;
        if (ends_water(root, cell) || root_courses_has(courses, (size_t)cell))
            break;
    }
    return length;
}

// Whether the course at a cell leads to the one that is laid.
static bool leads_back(const Root *root, const RootCourses *courses, int cell) {
    bool back = false;
    while (!back && root_courses_has(courses, (size_t)cell)) {
        cell = next_of(root, courses, cell);
        back = courses->place[cell] > 0;
    }
    return back;
}

// Where a map shows a cell of a course.
static void place_of(const Root *root, const LandCourses *given, int course, int cell, double *x, double *y) {
    const LandWindow *window = root->window;
    *x = (cell % window->width + 0.5) / window->width;
    *y = (cell / window->width + 0.5) / window->height; // NOLINT(bugprone-integer-division): the row
    for (int i = course ? given->ends[course - 1] : 0; given->places && i < given->ends[course]; i++)
        if (given->cells[i] == cell) {
            *x = given->places[2 * (size_t)i];
            *y = given->places[2 * (size_t)i + 1];
        }
}

static Status refuse(const Root *root, const LandCourses *given, int course, int cell, const char *why,
                     Error *error) {
    double x, y;
    place_of(root, given, course, cell, &x, &y);
    return fail(error, STATUS_INVALID,
                "river %d %s at (%.4f, %.4f); lines lead from the source to the sea%s or another line",
                given->numbers[course], why, x, y, root->land->rules.planet ? "" : ", the map's edge");
}

static Status lay(const Root *root, RootCourses *courses, const LandCourses *given, int course,
                  Error *error) {
    const int first = course ? given->ends[course - 1] : 0;
    int length = trace(root, courses, given->cells + first, given->ends[course] - first);
    const int last = length ? courses->path[length - 1] : NO_CELL;
    courses->open[course] = courses->first[course] = NO_CELL;
    if (!length)
        return STATUS_OK;
    if (leads_back(root, courses, last))
        return refuse(root, given, course, last, "flows back to itself", error);
    if (!ends_water(root, last) && !root_courses_has(courses, (size_t)last))
        courses->open[course] = last;
    for (int i = 0; i + 1 < length; i++)
        set_next(root, courses, courses->path[i], courses->path[i + 1]);
    if (length > 1) {
        courses->first[course] = courses->path[0];
        courses->last[course] = courses->path[length - 2];
    }
    take_back(courses, &length, 0);
    return STATUS_OK;
}

// A cell beside the last one of a course, at which water ends or another course runs that does not lead here.
static int mouth_beside(const Root *root, RootCourses *courses, int cell) {
    int mouth = NO_CELL;
    courses->place[cell] = 1;
    for (int d = 0; d < NEIGHBOURS && (mouth == NO_CELL || !ends_water(root, mouth)); d++) {
        const int beside = (int)cell_beside(root, (size_t)cell, d);
        if (beside != NO_CELL &&
            (ends_water(root, beside) || (root_courses_has(courses, (size_t)beside) && mouth == NO_CELL &&
                                          !leads_back(root, courses, beside))))
            mouth = beside;
    }
    courses->place[cell] = 0;
    return mouth;
}

// A course may end a cell before its mouth, or where another one begins or passes. `skipped`: a course that
// ends inland and is to be left out.
static Status end_courses(const Root *root, RootCourses *courses, const LandCourses *given, bool *skipped,
                          Error *error) {
    for (int i = 0; i < given->count; i++) {
        const int cell = courses->open[i];
        if (cell == NO_CELL || root_courses_has(courses, (size_t)cell))
            continue;
        const int mouth = mouth_beside(root, courses, cell);
        if (mouth != NO_CELL) {
            set_next(root, courses, cell, mouth);
            courses->first[i] = courses->first[i] == NO_CELL ? cell : courses->first[i];
            courses->last[i] = cell;
            continue;
        }
        if (i >= given->skips)
            return refuse(root, given, i, cell, "ends inland", error);
        courses->skipped[i] = *skipped = true;
    }
    return STATUS_OK;
}

// Lays all courses that are not left out. Where one is, those that would end in it may end inland, too.
static Status lay_all(const Root *root, RootCourses *courses, const LandCourses *given, Error *error) {
    bool skipped = true;
    Status status = STATUS_OK;
    while (skipped && status == STATUS_OK) {
        skipped = false;
        courses->count = 0;
        for (size_t i = 0; i < root->count; i++)
            courses->way[i] = LAND_NONE;
        for (int i = 0; i < given->count && status == STATUS_OK; i++) {
            courses->open[i] = courses->first[i] = NO_CELL;
            if (!courses->skipped[i])
                status = lay(root, courses, given, i, error);
        }
        if (status == STATUS_OK)
            status = end_courses(root, courses, given, &skipped, error);
    }
    return status;
}

// --- carving -----------------------------------------------------------------------------------------------

// Each cell after those that lead to it: the way down from each source, as far as all others have been
// passed.
static void sort_downward(const Root *root, RootCourses *courses) {
    int *before = root->inland, *sorted = courses->path, count = 0;
    for (size_t i = 0; i < root->count; i++)
        before[i] = 0;
    for (int i = 0; i < courses->count; i++)
        before[next_of(root, courses, courses->cells[i])]++;
    for (int i = 0; i < courses->count; i++)
        courses->way[courses->cells[i]] |= before[courses->cells[i]] ? 0 : SPRING;
    for (int i = 0; i < courses->count; i++) {
        int cell = courses->cells[i];
        if (!(courses->way[cell] & SPRING))
            continue;
        do {
            sorted[count++] = cell;
            cell = next_of(root, courses, cell);
        } while (--before[cell] == 0 && root_courses_has(courses, (size_t)cell));
    }
    courses->path = courses->cells;
    courses->cells = sorted;
}

// Courses in the order in which their last cells are passed.
static void sort_courses(RootCourses *courses, int count) {
    int *ends = courses->place, sorted = 0;
    for (int i = 0; i < count; i++)
        if (courses->first[i] != NO_CELL)
            ends[courses->last[i]] = i + 1;
    for (int k = 0; k < courses->count; k++)
        if (ends[courses->cells[k]])
            courses->upward[sorted++] = ends[courses->cells[k]] - 1;
    for (int i = 0; i < sorted; i++)
        ends[courses->last[courses->upward[i]]] = 0;
    while (sorted < count)
        courses->upward[sorted++] = NO_CELL;
}

// The lowest ground beside a cell of a course that is none of a course's itself, or its own.
static double lowest_bank(const Root *root, const RootCourses *courses, int cell) {
    double lowest = root->z[cell];
    for (int d = 0; d < NEIGHBOURS; d++) {
        const ptrdiff_t beside = cell_beside(root, (size_t)cell, d);
        if (beside != NO_CELL && !ends_water(root, (int)beside) && !root_courses_has(courses, (size_t)beside))
            lowest = min(lowest, root->z[beside]);
    }
    return lowest;
}

// How far the ground along a course rises above the lowest of it before.
static float rise_of(const Root *root, const LandCourses *given, int course) {
    int32_t lowest = INT32_MAX, rise = 0;
    for (int i = course ? given->ends[course - 1] : 0; i < given->ends[course]; i++) {
        const int cell = given->cells[i];
        if (ends_water(root, cell))
            continue;
        lowest = min(lowest, root->window->altitude[cell]);
        rise = max(rise, root->window->altitude[cell] - lowest);
    }
    return (float)rise / (float)root->land->cell;
}

// First each bed passes its height on downstream, then each rises above the one below it.
static void carve(const Root *root, double fall, bool below_banks) {
    const RootCourses *courses = root->courses;
    double *z = root->z;
    for (int i = 0; i < courses->count; i++) {
        const int cell = courses->cells[i], next = next_of(root, courses, cell);
        z[cell] = below_banks ? lowest_bank(root, courses, cell) : z[cell];
        if (z[next] > 0)
            z[next] = clamp(z[cell] - fall, 1.0, z[next]);
    }
    for (int i = courses->count; i-- > 0;) {
        const int cell = courses->cells[i], next = next_of(root, courses, cell);
        z[cell] = max(z[cell], max(z[next], 0.0) + fall);
    }
}

void root_courses_carve(const Root *root) {
    if (root->courses)
        carve(root, root->fall, true);
}

// Beds fall by more than the flood may raise ground, so that it leaves them as they are.
static void carve_before_flood(const Root *root) {
    int32_t *altitude = root->window->altitude;
    for (size_t i = 0; i < root->count; i++)
        root->z[i] = altitude[i];
    carve(root, root->fall + ldexp(1, root->fall_bits), false);
    for (size_t i = 0; i < root->count; i++)
        altitude[i] = whole_int(root->z[i]);
}

Status root_courses_lay(Root *root, const LandCourses *given, Error *error) {
    if (!given || !given->count)
        return STATUS_OK;
    RootCourses *courses = memory_new_zeroed(1, sizeof *courses, error);
    root->courses = courses;
    if (!courses)
        return STATUS_MEMORY;
    courses->way = memory_new(root->count, sizeof *courses->way, error);
    courses->cells = memory_new(root->count, sizeof *courses->cells, error);
    courses->open = memory_new((size_t)given->count, sizeof *courses->open, error);
    courses->skipped = memory_new_zeroed((size_t)given->count, sizeof *courses->skipped, error);
    courses->first = memory_new((size_t)given->count, sizeof *courses->first, error);
    courses->last = memory_new((size_t)given->count, sizeof *courses->last, error);
    courses->upward = memory_new((size_t)given->count, sizeof *courses->upward, error);
    courses->path = memory_new(root->count + 1, sizeof *courses->path, error);
    courses->place = memory_new_zeroed(root->count, sizeof *courses->place, error);
    if (!courses->way || !courses->cells || !courses->open || !courses->skipped || !courses->path ||
        !courses->place || !courses->first || !courses->last || !courses->upward)
        return STATUS_MEMORY;
    const Status status = lay_all(root, courses, given, error);
    if (status != STATUS_OK)
        return status;
    if (given->skips && !courses->count)
        return fail(error, STATUS_INVALID, "all rivers end inland");
    for (int i = 0; i < given->count && given->rises; i++)
        given->rises[i] = courses->skipped[i] ? 0 : rise_of(root, given, i);
    sort_downward(root, courses);
    sort_courses(courses, given->count);
    courses->given = given;
    carve_before_flood(root);
    return STATUS_OK;
}

void root_courses_free(RootCourses *courses) {
    if (!courses)
        return;
    memory_free(courses->way);
    memory_free(courses->cells);
    memory_free(courses->open);
    memory_free(courses->skipped);
    memory_free(courses->first);
    memory_free(courses->last);
    memory_free(courses->upward);
    memory_free(courses->path);
    memory_free(courses->place);
    memory_free(courses);
}

// Memory with a copy of what is there, if anything is. Clears `well` if there is none left.
static void *copied(const void *from, size_t count, size_t size, bool *well, Error *error) {
    void *to = from && *well ? memory_new(count, size, error) : NULL;
    if (to)
        memcpy(to, from, count * size);
    *well = *well && (to || !from);
    return to;
}

LandCourses *land_courses_copy(const LandCourses *courses, Error *error) {
    LandCourses *copy = memory_new_zeroed(1, sizeof *copy, error);
    if (!copy || !courses)
        return copy;
    const size_t count = (size_t)courses->count, cells = (size_t)courses->ends[count - 1];
    bool well = true;
    copy->count = courses->count;
    copy->skips = courses->skips;
    copy->numbers = copied(courses->numbers, count, sizeof *copy->numbers, &well, error);
    copy->ends = copied(courses->ends, count, sizeof *copy->ends, &well, error);
    copy->cells = copied(courses->cells, cells, sizeof *copy->cells, &well, error);
    copy->places = copied(courses->places, 2 * cells, sizeof *copy->places, &well, error);
    copy->areas = copied(courses->areas, count, sizeof *copy->areas, &well, error);
    if (well)
        return copy;
    land_courses_free(copy);
    return NULL;
}

void land_courses_free(LandCourses *courses) {
    if (!courses)
        return;
    memory_free(courses->numbers);
    memory_free(courses->ends);
    memory_free(courses->cells);
    memory_free(courses->places);
    memory_free(courses->areas);
    memory_free(courses->rises);
    memory_free(courses);
}

// --- water -------------------------------------------------------------------------------------------------

void root_courses_route(const Root *root) {
    const RootCourses *courses = root->courses;
    for (int i = 0; courses && i < courses->count; i++) {
        const int cell = courses->cells[i];
        root->window->receiver[cell] = courses->way[cell] % SPRING;
        root->target[cell] = next_of(root, courses, cell);
    }
}

void root_courses_spring(const Root *root) {
    const RootCourses *courses = root->courses;
    for (int i = 0; courses && i < courses->count; i++)
        if (courses->way[courses->cells[i]] & SPRING)
            root->window->area[courses->cells[i]] += STREAM_CELLS;
}

// Adds what comes into a cell to all that it runs through.
static void bring(const Root *root, int cell, float area) {
    while (cell != NO_CELL && area > 0) {
        root->window->area[cell] += area;
        cell = root->window->receiver[cell] < NEIGHBOURS ? root->target[cell] : NO_CELL;
    }
}

void root_courses_bring(const Root *root) {
    const RootCourses *courses = root->courses;
    const float *areas = courses ? courses->given->areas : NULL;
    for (int i = 0; areas && i < courses->given->count; i++) {
        const int course = courses->upward[i];
        if (course == NO_CELL)
            break;
        const float more = areas[course] - root->window->area[courses->last[course]];
        bring(root, courses->first[course], more);
    }
}
