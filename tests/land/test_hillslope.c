// Hillslopes: below their length streams end, and ground is soil.

#include "support.h"

#include "core/math.h"
#include "core/parallel.h"
#include "land/land.h"
#include "water/drainage.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 40, WINDOW = 120 };

static const Run alone = { .threads = 1 };

// An island with ridges, as steep as land is when levels have passed over it.
static Land *island(float hillslope) {
    Field field;
    Land *land;
    Error error;
    LandRules rules = land_rules_default;
    rules.hillslope = hillslope;
    rules.graded = 4; // the last level whose cells are not below a length of 0.3
    assert_ok(field_create(&field, SIDE, SIDE, &error), error);
    const RandomKey key = random_key(11, 0);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const float dx = (float)x - SIDE / 2.0f, dy = (float)y - SIDE / 2.0f;
            const uint32_t column = (uint32_t)x / 3, row = (uint32_t)y / 3;
            const float bump = random_signed(key, column, row);
            field_row(&field, y)[x] = 7 - 0.4f * sqrtf(dx * dx + dy * dy) + bump;
        }
    assert_ok(land_create(&land, &rules, &field, true, &alone, &error), error);
    field_free(&field);
    return land;
}

static LandWindow window_near(Land *land, int level, double at, int size) {
    LandWindow window;
    Error error;
    const Int128 start = (Int128)(at * SIDE * ldexp(1, level)) & ~(Int128)1;
    assert_ok(land_window(land, &alone, level, start, start, size, size, &window, &error), error);
    return window;
}

static bool inside(const LandWindow *window, int x, int y) {
    return x >= 0 && y >= 0 && x < window->width && y < window->height;
}

static size_t cell_at(const LandWindow *window, int x, int y) {
    return (size_t)y * (size_t)window->width + (size_t)x;
}

static bool is_land(const LandWindow *window, size_t cell) {
    return window->base + window->altitude[cell] > 0;
}

typedef struct Figures {
    double slope, streams; // the mean slope, and the share of cells that drain `least`
} Figures;

static Figures figures_of(const LandWindow *window, float least) {
    Figures sum = { 0 };
    int count = 0;
    for (int y = 1; y < window->height - 1; y++)
        for (int x = 1; x < window->width - 1; x++) {
            const size_t cell = cell_at(window, x, y), row = (size_t)window->width;
            const double across = window->altitude[cell + 1] - window->altitude[cell - 1],
                         down = window->altitude[cell + row] - window->altitude[cell - row];
            sum.slope += sqrt(across * across + down * down) / 2 / ldexp(1, land_rules_default.unit_bits);
            sum.streams += window->receiver[cell] < NEIGHBOURS && window->area[cell] >= least;
            count++;
        }
    return (Figures){ sum.slope / count, sum.streams / count };
}

// Places down to one ten thousandth of a cell of level 0.
static Figures mean_figures(float hillslope, int level, int places) {
    Land *land = island(hillslope);
    Figures mean = { 0 };
    for (int place = 0; place < places; place++) {
        LandWindow window = window_near(land, level, 0.36 + 0.3 / places * place, WINDOW);
        const Figures figures = figures_of(&window, 24);
        mean.slope += figures.slope / places;
        mean.streams += figures.streams / places;
        land_window_free(&window);
    }
    land_free(land);
    return mean;
}

static void slopes_stay_below_the_hillslope_length(void **state) {
    (void)state;
    enum { PLACES = 15 }; // half a cell of level 0 may have one long hillslope
    const Figures above = mean_figures(0.3f, 6, PLACES), below = mean_figures(0.3f, 12, PLACES);
    print_message("slope %.3f at level 6, %.3f at level 12\n", above.slope, below.slope);
    assert_true(fabs(below.slope / above.slope - 1) < 0.3);
}

// Every level's detail adds to slopes, but steep ground is not sharpened.
static void levels_steepen_ground_little(void **state) {
    (void)state;
    const Figures below = mean_figures(0, 8, 5);
    print_message("slope %.3f at level 8\n", below.slope);
    assert_true(below.slope < 0.95);
}

static void streams_end_at_the_hillslope_length(void **state) {
    (void)state;
    Land *land = island(0.3f);
    for (int level = 4; level <= 12; level += 2) {
        double streams = 0;
        const float least = level == 4 ? 24 : ldexpf(0.09f, 2 * level);
        for (int place = 0; place < 5; place++) {
            LandWindow window = window_near(land, level, 0.36 + 0.06 * place, WINDOW);
            streams += figures_of(&window, least).streams / 5;
            land_window_free(&window);
        }
        print_message("level %d: %.2f %% streams\n", level, 100 * streams);
        assert_true(level == 4 ? streams > 0.1 && streams < 0.145 : streams < 0.14 * ldexp(1, 5 - level));
    }
    land_free(land);
}

// The mean curvature of a block against its mean slope, a cell.
static double sharpness_of(const LandWindow *window, int left, int top, int side) {
    double curved = 0, sloping = 0;
    for (int y = top; y < top + side; y++)
        for (int x = left; x < left + side; x++) {
            const size_t cell = cell_at(window, x, y), row = (size_t)window->width;
            const int32_t *z = window->altitude + cell;
            const double across = z[1] - z[-1], down = z[row] - z[-(ptrdiff_t)row];
            curved += abs(z[1] + z[-1] + z[row] + z[-(ptrdiff_t)row] - 4 * z[0]);
            sloping += sqrt(across * across + down * down) / 2;
        }
    return curved / sloping;
}

// On the last graded level hills are round in some places and sharp in others: standard deviation of blocks'
// sharpness against its mean. 0.08 where hillslopes are equally long everywhere.
static void hillslopes_differ_from_place_to_place(void **state) {
    (void)state;
    enum { WIDE = 400, BLOCK = 40 };
    Land *land = island(0.3f);
    LandWindow window = window_near(land, 4, 0.19, WIDE);
    double sum = 0, squares = 0;
    int count = 0;
    for (int y = 1; y + BLOCK < WIDE; y += BLOCK)
        for (int x = 1; x + BLOCK < WIDE; x += BLOCK) {
            const double sharp = sharpness_of(&window, x, y, BLOCK);
            sum += sharp, squares += sharp * sharp, count++;
        }
    const double mean = sum / count, spread = sqrt(squares / count - mean * mean) / mean;
    print_message("sharpness %.3f, varies by %.3f\n", mean, spread);
    assert_true(spread > 0.15);
    land_window_free(&window);
    land_free(land);
}

// What drains enough runs into what drains as much, or nearly, except one cell in 500, where a bend was cut
// off, and all land falls: no stubs, no pits. (The smallest streams end in the first levels below the length,
// and four times as large ones in none.)
static void streams_on_hillslopes_lead_on(void **state) {
    (void)state;
    Land *land = island(0.3f);
    int streams = 0, ends = 0;
    for (int level = 5; level <= (UNDER_SANITIZERS ? 6 : 13); level++) {
        LandWindow window = window_near(land, level, 0.4, WINDOW);
        const float least = ldexpf(4 * 0.09f, 2 * level);
        for (int y = 0; y < WINDOW; y++)
            for (int x = 0; x < WINDOW; x++) {
                const size_t cell = cell_at(&window, x, y);
                const int way = window.receiver[cell];
                if (!is_land(&window, cell) || way == LAND_SEA)
                    continue;
                assert_int_not_equal(way, LAND_NONE);
                if (!inside(&window, x + neighbour_x[way], y + neighbour_y[way]))
                    continue;
                const size_t to = cell_at(&window, x + neighbour_x[way], y + neighbour_y[way]);
                assert_true(window.altitude[to] < window.altitude[cell]);
                if (window.area[cell] < least || !is_land(&window, to))
                    continue;
                streams++;
                ends += window.area[to] < 0.5f * window.area[cell];
            }
        land_window_free(&window);
    }
    print_message("%d of %d cells of streams lead into less\n", ends, streams);
    assert_true(streams > 500 && ends <= streams / 250);
    land_free(land);
}

// A level's ground is that of the coarser one and forms on it, without steps that no fill or ditch explains:
// from cell to cell of the coarser level it changes little. And it is no plane.
static void soil_follows_the_coarser_ground(void **state) {
    (void)state;
    Land *land = island(0.3f);
    for (int level = 11; level <= 13; level++) {
        LandWindow coarse = window_near(land, level - 1, 0.4, WINDOW / 2 + 2),
                   fine = window_near(land, level, 0.4, WINDOW);
        int far = 0, plane = 0, count = 0;
        for (int y = 4; y < WINDOW - 4; y += 2) {
            int before = 0;
            for (int x = 4; x < WINDOW - 4; x += 2) {
                const size_t cell = cell_at(&fine, x, y), below = cell + (size_t)fine.width;
                const int to_x = (int)((fine.x + x) / 2 - coarse.x),
                          to_y = (int)((fine.y + y) / 2 - coarse.y);
                if (!inside(&coarse, to_x, to_y))
                    continue;
                const Int128 sum = (Int128)fine.altitude[cell] + fine.altitude[cell + 1] +
                                   fine.altitude[below] + fine.altitude[below + 1] + 4 * fine.base;
                const Int128 twice = 8 * (coarse.base + coarse.altitude[cell_at(&coarse, to_x, to_y)]);
                const int off = (int)((sum - twice) / 4);
                const int bend = fine.altitude[cell - 1] + fine.altitude[cell + 1] - 2 * fine.altitude[cell];
                count++;
                far += x > 4 && abs(off - before) > 3 * ldexp(1, land_rules_default.unit_bits) / 8;
                plane += abs(bend) <= 2;
                before = off;
            }
        }
        print_message("level %d: %d of %d far off, %d plane\n", level, far, count, plane);
        assert_true(count > 1000 && far < count / 50 && plane < count / 10);
        land_window_free(&coarse);
        land_window_free(&fine);
    }
    land_free(land);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_on_hillslopes_lead_on),
        // Statistics of many windows, which take a minute under sanitizers and would show them nothing new:
        cmocka_unit_test(slopes_stay_below_the_hillslope_length),
        cmocka_unit_test(levels_steepen_ground_little),
        cmocka_unit_test(streams_end_at_the_hillslope_length),
        cmocka_unit_test(hillslopes_differ_from_place_to_place),
        cmocka_unit_test(soil_follows_the_coarser_ground),
    };
    return _cmocka_run_group_tests("tests", tests, UNDER_SANITIZERS ? 1 : sizeof tests / sizeof *tests, NULL,
                                   NULL);
}
