// Downstream visits: every cell once, after all that drain into it, on any number of threads.

#include "support.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"
#include "water/downstream.h"
#include "water/drainage.h"

#include <string.h>

typedef struct Course {
    int width, height;
    uint8_t *direction, *second, *visited;
    bool parts, after_donors, true_donors;
} Course;

static size_t receiver(const Course *course, size_t cell, int direction) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[direction] * (ptrdiff_t)course->width +
                    neighbour_x[direction]);
}

static Course course_new(int width, int height) {
    const size_t cells = (size_t)width * (size_t)height;
    Error error;
    Course course = { .width = width, .height = height };
    course.direction = memory_new_zeroed(cells, 1, &error);
    course.second = memory_new(cells, 1, &error);
    course.visited = memory_new_zeroed(cells, 1, &error);
    memset(course.second, NO_SECOND, cells);
    return course;
}

static void course_free(Course *course) {
    memory_free(course->direction);
    memory_free(course->second);
    memory_free(course->visited);
}

// The directions in which cells lie that drain into a cell, as bits.
static unsigned donors_of(const Course *course, size_t cell) {
    const int x = (int)(cell % (size_t)course->width), y = (int)(cell / (size_t)course->width);
    unsigned donors = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int from_x = x + neighbour_x[i], from_y = y + neighbour_y[i];
        if (from_x < 0 || from_y < 0 || from_x >= course->width || from_y >= course->height)
            continue;
        const int back = (i + NEIGHBOURS / 2) % NEIGHBOURS;
        const size_t from = receiver(course, cell, i);
        donors |= (unsigned)(course->direction[from] == back || course->second[from] == back) << i;
    }
    return donors;
}

static void visit(void *context, const uint32_t *cells, int count, const uint8_t *donors) {
    Course *course = context;
    for (int k = 0; k < count; k++) {
        course->visited[cells[k]]++;
        if (donors[cells[k]] != donors_of(course, cells[k]))
            course->true_donors = false;
        for (int i = 0; i < NEIGHBOURS; i++)
            if ((donors[cells[k]] >> i & 1) && !course->visited[receiver(course, cells[k], i)])
                course->after_donors = false;
    }
}

// The donors that the directions give are those that visitors are told.
static void check(Course *course) {
    const size_t cells = (size_t)course->width * (size_t)course->height;
    for (int threads = 1; threads <= 5; threads += 2) {
        Error error;
        const Downstream downstream = { .width = course->width,
                                        .height = course->height,
                                        .direction = course->direction,
                                        .second = course->parts ? course->second : NULL,
                                        .visit = visit,
                                        .context = course };
        memset(course->visited, 0, cells);
        course->after_donors = course->true_donors = true;
        assert_ok(visit_downstream(&(Run){ .threads = threads }, &downstream, &error), error);
        assert_true(course->after_donors && course->true_donors);
        for (size_t i = 0; i < cells; i++)
            assert_int_equal(course->visited[i], course->direction[i] <= DRAINS_OFF);
    }
}

// Rivers of seven columns each, down one and up the next: they cross every edge between bands seven times.
static void rivers_through_all_cells(void **state) {
    (void)state;
    Course course = course_new(700, 900);
    for (int y = 0; y < 900; y++)
        for (int x = 0; x < 700; x++) {
            const bool down = x % 7 % 2 == 0, turns = y == (down ? 899 : 0);
            course.direction[(size_t)y * 700 + (size_t)x] = (uint8_t)(turns  ? (x % 7 < 6 ? 0 : DRAINS_OFF)
                                                                      : down ? 2
                                                                             : 6);
        }
    check(&course);
    course_free(&course);
}

// Up a diagonal, each of whose cells leaves one behind that could be next: more than are remembered.
static void more_ready_cells_than_room(void **state) {
    (void)state;
    enum { SIDE = 330 };
    Course course = course_new(SIDE, SIDE);
    course.parts = true;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const size_t cell = (size_t)y * SIDE + (size_t)x;
            const bool below = x + y >= SIDE, parts = x + y == SIDE - 1 && y > 0;
            course.direction[cell] = below || y == 0 ? DRAINS_OFF : 6;
            course.second[cell] = parts ? 7 : NO_SECOND;
        }
    check(&course);
    course_free(&course);
}

// Water falls by rank of hashes, parts, and ends; some cells are left out.
static void random_courses(void **state) {
    (void)state;
    const RandomKey key = random_key(7, 0);
    Course course = course_new(1000, 400);
    course.parts = true;
    for (int y = 0; y < 400; y++)
        for (int x = 0; x < 1000; x++) {
            const size_t cell = (size_t)y * 1000 + (size_t)x;
            const int to = (int)(random_unit(key, (uint32_t)x, (uint32_t)y) * 12) - 3; // down, but for some
            const bool inside = x > 0 && x < 999 && y < 399;
            course.direction[cell] = (uint8_t)(to == -3 || to == 8 ? UNSEEN : DRAINS_OFF);
            if (inside && to >= 1 && to <= 3) {
                course.direction[cell] = (uint8_t)to;
                course.second[cell] = to == 2 ? 3 : NO_SECOND;
            }
        }
    check(&course);
    course_free(&course);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(rivers_through_all_cells),
                                        cmocka_unit_test(more_ready_cells_than_room),
                                        cmocka_unit_test(random_courses) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
