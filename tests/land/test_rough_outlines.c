// Straight edges of outlines that get bends: corners stay, and nothing moves farther than
// asked.

#include "land/edits.h"
#include "support.h"

#include <math.h>

static const EditPoint square[] = { { 0.2, 0.2 }, { 0.4, 0.2 }, { 0.4, 0.4 }, { 0.2, 0.4 }, { 0.2, 0.2 } };

static const EditChart flat = { 0 };

static EditPoint rough[8 + OUTLINE_MORE], other[8 + OUTLINE_MORE];

// The greatest distance from y = 0.2 of the points between the first two corners.
static double greatest_bend(int count) {
    double bend = 0;
    for (int i = 1; i < count && !(rough[i].x == 0.4 && rough[i].y == 0.2); i++)
        bend = fmax(bend, fabs(rough[i].y - 0.2));
    return bend;
}

static void straight_edges_stay(void **state) {
    (void)state;
    assert_int_equal(outline_roughen(&flat, square, 5, 0, 0.001, rough), 5);
    assert_memory_equal(rough, square, sizeof square);
}

static void edges_bend_as_asked(void **state) {
    (void)state;
    const int gentle = outline_roughen(&flat, square, 5, 0.25, 0.001, rough);
    const double little = greatest_bend(gentle);
    const int count = outline_roughen(&flat, square, 5, 1, 0.001, rough);
    const double much = greatest_bend(count);
    assert_true(little > 0 && much > 2 * little && much < 0.1); // the sum of 0.05 + 0.025 + … is 0.1
    assert_in_range(count, 30, 5 + OUTLINE_MORE);
}

static void corners_stay(void **state) {
    (void)state;
    const int count = outline_roughen(&flat, square, 5, 1, 0.001, rough);
    int found = 0;
    for (int i = 0; i < count && found < 5; i++)
        found += rough[i].x == square[found].x && rough[i].y == square[found].y;
    assert_int_equal(found, 5);
}

static void the_direction_does_not_matter(void **state) {
    (void)state;
    EditPoint reverse[5];
    for (int i = 0; i < 5; i++)
        reverse[i] = square[4 - i];
    const int count = outline_roughen(&flat, square, 5, 1, 0.001, rough);
    assert_int_equal(outline_roughen(&flat, reverse, 5, 1, 0.001, other), count);
    for (int i = 0; i < count; i++)
        assert_memory_equal(&rough[i], &other[count - 1 - i], sizeof *rough);
}

static void halves_meet_the_limit(void **state) {
    (void)state;
    EditPoint many[200];
    for (int i = 0; i < 200; i++) {
        const double angle = i * 0.031573;
        many[i] = (EditPoint){ 0.5 + 0.4 * cos(angle), 0.5 + 0.4 * sin(angle) };
    }
    EditPoint room[200 + OUTLINE_MORE];
    assert_in_range(outline_roughen(&flat, many, 200, 1, 1e-9, room), 200, 200 + OUTLINE_MORE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_edges_stay),   cmocka_unit_test(edges_bend_as_asked),
        cmocka_unit_test(corners_stay),          cmocka_unit_test(the_direction_does_not_matter),
        cmocka_unit_test(halves_meet_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
