// Water in rivers: the mean runoff that streams inherit, against the sum over the ground that drains into
// them.

#include "rivermap/maps.h"

#include "land/level.h"
#include "land/runoff.h"
#include "rivermap/eroded/atlas.h"
#include "rivermap/eroded/map_climate.h"

static const Run alone = { .threads = 1 };

static RiverMap *make_watered(uint64_t seed, double south, double north, double lakes) {
    _Alignas(16) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_river_map, params);
    Numbers *latitudes = (void *)(params + operation_param(&op_river_map, "latitudes")->offset);
    *latitudes = (Numbers){ .count = 2, .at = { south, north } };
    *(double *)(void *)(params + operation_param(&op_river_map, "side")->offset) = 2e6;
    *(double *)(void *)(params + operation_param(&op_river_map, "lakes")->offset) = lakes;
    assert_ok(run_operation(&op_river_map, (Call){ .seed = seed }, params, outputs, &error), error);
    return outputs[0].value;
}

static void open_atlas(const RiverMap *map, View *view, Atlas *atlas, int size) {
    const Call call = { .inputs = { { .value = map } }, .width = size, .height = size, .run = &alone };
    const WindowRequest asked = { .x = { .number = 0.5 }, .y = { .number = 0.5 }, .zoom = 1 };
    Error error;
    *view = (View){ 0 };
    assert_ok(view_set(view, &call, &asked, &error), error);
    assert_ok(atlas_open(atlas, view, atlas_depth(view), 0, &error), error);
}

// --- the exact sums ----------------------------------------------------------------------------------------

typedef struct Sums {
    double *water, *cells; // of each cell: runoff and cells that drain through it
} Sums;

// Cells after their donors.
static Sums sum_up(const Atlas *atlas, const Climate *climate, double height) {
    const LandWindow *land = &atlas->land.on[0];
    const int count = land->width * land->height;
    Sums sums = { calloc((size_t)count, sizeof(double)), calloc((size_t)count, sizeof(double)) };
    int *donors = calloc((size_t)count, sizeof *donors);
    for (int i = 0; i < count; i++) {
        const AtlasCell cell = { 0, i % land->width, i / land->width, 0 };
        const float above = (float)(altitude_of(atlas, cell) * height);
        const Air air =
            climate_at(climate, (cell.x + 0.5) / land->width, (cell.y + 0.5) / land->height, above);
        sums.water[i] += (double)air.rain - (double)air.evaporation;
        sums.cells[i] += 1;
        if (land->receiver[i] < NEIGHBOURS)
            donors[window_towards(land, (size_t)i, land->receiver[i])]++;
    }
    for (int head = 0; head < count; head++)
        for (int at = head; donors[at] == 0;) {
            donors[at] = -1;
            if (land->receiver[at] >= NEIGHBOURS)
                break;
            const int to = (int)window_towards(land, (size_t)at, land->receiver[at]);
            sums.water[to] += sums.water[at];
            sums.cells[to] += sums.cells[at];
            donors[to]--;
            at = to;
        }
    free(donors);
    return sums;
}

// --- errors ------------------------------------------------------------------------------------------------

typedef struct Errors {
    double *at;
    int count;
} Errors;

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double percentile(const Errors *errors, double share) {
    return errors->at[(int)(share * (errors->count - 1))];
}

static void say(const char *name, Errors *errors) {
    qsort(errors->at, (size_t)errors->count, sizeof *errors->at, compare);
    if (getenv("ESKER_FIGURES"))
        printf("%s: %d cells, %.2f %% (median), %.1f (90th), %.1f (95th), %.1f (99th)\n", name, errors->count,
               100 * percentile(errors, 0.5), 100 * percentile(errors, 0.9), 100 * percentile(errors, 0.95),
               100 * percentile(errors, 0.99));
}

// Of the mean runoff of stream cells that drain `least` to `most` cells.
static Errors errors_of(const Atlas *atlas, const Sums *sums, float least, float most) {
    const LandWindow *land = &atlas->land.on[0];
    const int count = land->width * land->height;
    Errors errors = { calloc((size_t)count, sizeof(double)), 0 };
    for (int i = 0; i < count; i++) {
        const double exact = sums->water[i] / sums->cells[i], ratio = sums->cells[i] / (double)land->area[i];
        if (land->receiver[i] >= NEIGHBOURS || land->area[i] < least || land->area[i] >= most ||
            ratio < 0.9 || ratio > 1.1)
            continue;
        errors.at[errors.count++] = fabs((double)runoff_of(land->runoff[i]) - exact) / fmax(exact, 1);
    }
    return errors;
}

typedef struct Level2 {
    RiverMap *map;
    View view;
    Atlas atlas;
    const Climate *climate;
} Level2;

// Cells of level 2, along the map and a cell of level 0; and those of the level from which land knows what
// runs off.
enum { SIZE = 1024, PER_SIDE = 4, KNOWN_LEVEL = 1, KNOWN_SIDE = SIZE / 2 };

static Level2 begin_level(void) {
    Level2 level = { .map = make_watered(7, 15, 45, 0) };
    Error error;
    open_atlas(level.map, &level.view, &level.atlas, SIZE);
    assert_ok(map_climate(level.map, &alone, &level.climate, &error), error);
    return level;
}

static void end_level(Level2 *level, Sums *sums) {
    free(sums->water);
    free(sums->cells);
    atlas_close(&level->atlas);
    value_free(&type_map, &level->map);
}

// Streams that begin on level 0, and those of finer levels.
static void assert_errors(const Level2 *level, const Sums *sums, double median, double most,
                          double new_median) {
    const float scale = PER_SIDE * PER_SIDE;
    Errors old = errors_of(&level->atlas, sums, 24 * scale, INFINITY),
           new = errors_of(&level->atlas, sums, 24, 24 * scale);
    say("streams of level 0", &old);
    say("streams of finer levels", &new);
    assert_true(old.count > 5000 && new.count > 20000);
    assert_true(percentile(&old, 0.5) < median && percentile(&old, 0.95) < most);
    assert_true(percentile(&new, 0.5) < new_median && percentile(&new, 0.95) < most);
    free(old.at);
    free(new.at);
}

static void discharge_is_that_of_the_ground_drained(void **state) {
    (void)state;
    if (UNDER_SANITIZERS)
        return;
    Level2 level = begin_level();
    Sums sums = sum_up(&level.atlas, level.climate, view_height(&level.view));
    assert_errors(&level, &sums, 0.028, 0.14, 0.02);
    end_level(&level, &sums);
}

// Discharge falls downstream along few streams, where more than a level can pass on in some cells is missing;
// elsewhere only by what codes are rounded by.
static void discharge_falls_nowhere(void **state) {
    (void)state;
    RiverMap *map = make_watered(3, 15, 45, 0);
    Land *land;
    LandWindow window;
    Error error;
    int streams = 0, falls = 0, large = 0;
    assert_ok(eroded_land(map, &alone, &land, &error), error);
    assert_ok(land_window(land, &alone, 3, 600, 600, SIZE / 2, SIZE / 2, &window, &error), error);
    for (int i = 0; i < window.width * window.height; i++) {
        const int x = i % window.width, y = i / window.width;
        if (window.receiver[i] >= NEIGHBOURS || window.area[i] < 24 || x == 0 || y == 0 ||
            x == window.width - 1 || y == window.height - 1)
            continue;
        const size_t to = window_towards(&window, (size_t)i, window.receiver[i]);
        const float water = window.area[i] * runoff_of(window.runoff[i]),
                    below = window.area[to] * runoff_of(window.runoff[to]);
        if (window.receiver[to] >= NEIGHBOURS)
            continue;
        streams++;
        falls += below < 0.999f * water;
        large += below < 0.99f * water;
    }
    if (getenv("ESKER_FIGURES"))
        printf("%d streams, %d fall by 0.1 %%, %d by 1 %%\n", streams, falls, large);
    assert_true(streams > 5000 && falls < streams / 1000 && large < streams / 2000);
    land_window_free(&window);
    value_free(&type_map, &map);
}

// The mean over the children of each cell of the known level.
static void set_exact_ground(const Level2 *level) {
    enum { CHILDREN = SIZE / KNOWN_SIDE };
    float *local = calloc((size_t)KNOWN_SIDE * KNOWN_SIDE, sizeof *local);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            const AtlasCell cell = { 0, x, y, 0 };
            const double height = altitude_of(&level->atlas, cell) * view_height(&level->view);
            const Air air = climate_at(level->climate, (x + 0.5) / SIZE, (y + 0.5) / SIZE, (float)height);
            local[y / CHILDREN * KNOWN_SIDE + x / CHILDREN] +=
                (air.rain - air.evaporation) / (CHILDREN * CHILDREN);
        }
    Land *land;
    Error error;
    assert_ok(eroded_land(level->map, &alone, &land, &error), error);
    assert_ok(land_set_runoff(land, local, local, &error), error);
    free(local);
}

static void streams_inherit_what_they_carry(void **state) {
    (void)state;
    if (UNDER_SANITIZERS)
        return;
    Level2 level = begin_level();
    Sums sums = sum_up(&level.atlas, level.climate, view_height(&level.view));
    set_exact_ground(&level);
    atlas_close(&level.atlas);
    open_atlas(level.map, &level.view, &level.atlas, SIZE);
    assert_errors(&level, &sums, 0.02, 0.12, 0.02);
    end_level(&level, &sums);
}

// --- given runoffs -----------------------------------------------------------------------------------------

// Runs off the ground, and off lakes.
static void set_ground(Land *land, float ground, float lake) {
    const int side = KNOWN_SIDE;
    LandWindow window;
    Error error;
    float *local = calloc((size_t)side * (size_t)side, sizeof *local);
    assert_ok(land_window(land, &alone, KNOWN_LEVEL, 0, 0, side, side, &window, &error), error);
    for (int i = 0; i < side * side; i++)
        local[i] = window.receiver[i] == LAND_LAKE ? lake : ground;
    land_window_free(&window);
    assert_ok(land_set_runoff(land, local, local, &error), error);
    free(local);
}

// Cells in a window of a level that drain `least` cells or more and have a runoff between two, and all of
// those.
static int count_cells(Land *land, int level, float least, float from, float to, int *all) {
    LandWindow window;
    Error error;
    int count = 0;
    assert_ok(land_window(land, &alone, level, 0, 0, SIZE / PER_SIDE, SIZE / PER_SIDE, &window, &error),
              error);
    *all = 0;
    for (int i = 0; i < window.width * window.height; i++) {
        const float runoff = runoff_of(window.runoff[i]);
        if (window.receiver[i] >= NEIGHBOURS || window.area[i] < least)
            continue;
        count += runoff >= from && runoff <= to;
        ++*all;
    }
    land_window_free(&window);
    return count;
}

// Where as much runs off everywhere, every mean is that; and lakes take what they evaporate from what leaves
// them.
static void means_are_means(void **state) {
    (void)state;
    RiverMap *map = make_watered(7, 15, 45, 0.1);
    Land *land;
    Error error;
    int all, sum = 0;
    assert_ok(eroded_land(map, &alone, &land, &error), error);
    set_ground(land, 100, 100);
    for (int level = 0; level < 4; level++) {
        const int even = count_cells(land, level, 1, 99.5f, 100.5f, &all);
        assert_int_equal(even, all);
        sum += all;
    }
    assert_true(sum > 40000);
    set_ground(land, 100, -1e5f);
    for (int level = 0; level < 2; level++) {
        const int dry = count_cells(land, level, 100, 0, 1, &all),
                  not_wetter = count_cells(land, level, 1, 0, 100.5f, &all),
                  even = count_cells(land, level, 1, 99.5f, 100.5f, &all);
        assert_true(dry > 5 && not_wetter == all && even > all / 2);
    }
    value_free(&type_map, &map);
}

// --- numbers -----------------------------------------------------------------------------------------------

static void codes_hold_runoffs(void **state) {
    (void)state;
    assert_true(runoff_of(runoff_code(0)) == 0 && runoff_of(runoff_code(-1)) == 0 &&
                runoff_of(RUNOFF_UNKNOWN) == 0);
    assert_int_not_equal(runoff_code(0), RUNOFF_UNKNOWN);
    for (float runoff = 0x1p-13f; runoff < 1e5f; runoff *= 1.37f)
        assert_near((double)(runoff_of(runoff_code(runoff)) / runoff), 1, 1 / 4096.0);
    assert_true(isfinite(runoff_of(runoff_code(INFINITY))));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(codes_hold_runoffs),
                                        cmocka_unit_test(means_are_means),
                                        cmocka_unit_test(discharge_is_that_of_the_ground_drained),
                                        cmocka_unit_test(discharge_falls_nowhere),
                                        cmocka_unit_test(streams_inherit_what_they_carry) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
