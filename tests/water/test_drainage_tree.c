#include "support.h"

#include "core/math.h"
#include "core/memory.h"
#include "water/drainage.h"
#include "water/drainage_tree.h"

#include <float.h>
#include <string.h>

static const PaddedGrid grids[] = { { 1, 1, true }, { 1, 1, false },  { 2, 2, true },   { 1, 60, false },
                                    { 7, 3, true }, { 40, 31, true }, { 40, 31, false } };
enum { GRIDS = sizeof grids / sizeof *grids };

typedef struct Land {
    PaddedGrid grid;
    float *ground;
    DrainageTree tree;
    float sea;
    uint32_t *order; // each cell before the one into which it drains
    size_t count;
} Land;

static void add_cells(void *context, const uint32_t *cells, size_t count) {
    Land *land = context;
    memcpy(land->order + land->count, cells, count * sizeof *cells);
    land->count += count;
}

// Few heights, so that there are flats and ties.
static Land drain(PaddedGrid grid, uint64_t seed, float sea) {
    Land land = { .grid = grid, .sea = sea };
    Error error;
    const RandomKey key = random_key(seed, 5);
    const Run run = { .threads = 2 };
    land.ground = memory_new(padded_count(&grid), sizeof(float), &error);
    for (int y = 0; y < grid.height; y++)
        for (int x = 0; x < grid.width; x++)
            land.ground[padded_at(&grid, x, y)] =
                max((float)(random_bits(key, (uint32_t)x, (uint32_t)y) % 50), sea);
    padded_close(&grid, land.ground, FLT_MAX);
    assert_ok(drainage_tree_create(&land.tree, grid, &error), error);
    assert_ok(drainage_tree_find(&run, &land.tree, land.ground, sea, 1, false, &error), error);
    assert_ok(drainage_order_find(&run, &land.tree, &error), error);
    const Run alone = { .threads = 1 };
    land.order = memory_new(padded_count(&grid), sizeof *land.order, &error);
    assert_ok(drainage_order_down(&alone, &land.tree, 1, add_cells, &land), error);
    return land;
}

static void land_free(Land *land) {
    drainage_tree_free(&land->tree);
    memory_free(land->ground);
    memory_free(land->order);
}

static void every_cell_comes_before_its_receiver(void **state) {
    (void)state;
    for (int i = 0; i < GRIDS; i++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            Land land = drain(grids[i], seed, seed % 2 ? 9 : -1);
            const size_t count = padded_count(&land.grid);
            assert_int_equal(land.count, (size_t)land.grid.width * (size_t)land.grid.height);
            bool *met = memory_new_zeroed(count, sizeof *met, NULL);
            for (size_t k = land.count; k > 0; k--) {
                const size_t cell = land.order[k - 1];
                assert_false(met[cell]);
                assert_true(is_outlet(&land.tree, cell) || met[receiver_of(&land.tree, cell)]);
                met[cell] = true;
            }
            memory_free(met);
            land_free(&land);
        }
}

typedef struct Sums {
    const DrainageTree *tree;
    double *of;
} Sums;

static void fill_with_fractions(double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = 1.0 / (double)(i + 3);
}

static void add_up(void *context, const uint32_t *cells, size_t count) {
    const Sums *sums = context;
    for (size_t k = 0; k < count; k++)
        if (!is_outlet(sums->tree, cells[k]))
            sums->of[receiver_of(sums->tree, cells[k])] += sums->of[cells[k]];
}

// From each cell without donors, row by row, downstream as long as it was the last donor.
static void add_up_row_by_row(const Land *land, double *sums) {
    const DrainageTree *tree = &land->tree;
    int *donors = memory_new_zeroed(padded_count(&land->grid), sizeof *donors, NULL);
    for (size_t k = 0; k < land->count; k++)
        donors[receiver_of(tree, land->order[k])] += !is_outlet(tree, land->order[k]);
    for (int y = 0; y < land->grid.height; y++)
        for (int x = 0; x < land->grid.width; x++) {
            size_t cell = padded_at(&land->grid, x, y), to;
            if (donors[cell] != 0)
                continue;
            do {
                donors[cell] = -1;
                to = receiver_of(tree, cell);
                sums[to] += to != cell ? sums[cell] : 0;
                cell = to;
            } while (donors[to] > 0 && --donors[to] == 0);
        }
    memory_free(donors);
}

// What drains through a cell does so whichever bands it comes from, its donors in the order of the last cells
// without donors that drain through them: fractions, whose sum depends on their order, show it.
static void sums_are_added_in_one_order(void **state) {
    (void)state;
    const PaddedGrid large[] = {
        { 1100, 200, true }, { 1030, 130, false }, { 2, 33000, true }, { 1024, 700, false }
    };
    for (int i = 0; i < 4; i++) {
        Land land = drain(large[i], 7, 9);
        const size_t count = padded_count(&land.grid);
        assert_int_equal(land.count, (size_t)land.grid.width * (size_t)land.grid.height);
        assert_true(land.tree.band_count > 1 && land.tree.bands[0].left > 0);
        Sums sums = { &land.tree, memory_new(count, sizeof(double), NULL) };
        double *expected = memory_new(count, sizeof *expected, NULL);
        fill_with_fractions(sums.of, count);
        fill_with_fractions(expected, count);
        const Run run = { .threads = 2 };
        assert_int_equal(drainage_order_down(&run, &land.tree, 100, add_up, &sums), STATUS_OK);
        add_up_row_by_row(&land, expected);
        for (int y = 0; y < land.grid.height; y++)
            assert_memory_equal(sums.of + padded_at(&land.grid, 0, y), expected + padded_at(&land.grid, 0, y),
                                (size_t)land.grid.width * sizeof(double));
        memory_free(sums.of);
        memory_free(expected);
        land_free(&land);
    }
}

static void receivers_are_neighbours(void **state) {
    (void)state;
    for (int i = 0; i < GRIDS; i++) {
        Land land = drain(grids[i], 3, -1);
        const PaddedGrid *grid = &land.grid;
        for (int y = 0; y < grid->height; y++)
            for (int x = 0; x < grid->width; x++) {
                const size_t cell = padded_at(grid, x, y), to = receiver_of(&land.tree, cell);
                bool found = to == cell;
                for (int n = 0; n < NEIGHBOURS; n++) {
                    const int to_x = x + neighbour_x[n], to_y = y + neighbour_y[n];
                    const bool inside = to_x >= 0 && to_y >= 0 && to_x < grid->width && to_y < grid->height;
                    if ((inside || grid->wraps) && padded_cell(grid, to_x, to_y) == to)
                        found = found || (n % 2 == 1) == (land.tree.receiver[cell] & 1);
                }
                assert_true(found);
            }
        land_free(&land);
    }
}

// One round of lowering every level to the lowest way over a neighbour, or to the ground.
static bool relax(const Land *land, float *level) {
    const PaddedGrid *grid = &land->grid;
    bool changed = false;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            for (int n = 0; n < NEIGHBOURS; n++) {
                const int to_x = x + neighbour_x[n], to_y = y + neighbour_y[n];
                const bool inside = to_x >= 0 && to_y >= 0 && to_x < grid->width && to_y < grid->height;
                if (!inside && !grid->wraps)
                    continue;
                const size_t cell = padded_at(grid, x, y);
                const float over = max(level[padded_cell(grid, to_x, to_y)], land->ground[cell]);
                changed = changed || over < level[cell];
                level[cell] = min(level[cell], over);
            }
    return changed;
}

// The highest point on each cell's way down is as low as any way to an outlet allows.
static void pits_drain_over_their_lowest_pass(void **state) {
    (void)state;
    const PaddedGrid bands = { 1030, 130, true };
    for (int i = 0; i <= GRIDS; i++)
        for (uint64_t seed = 0; seed < (i < GRIDS ? 20 : 1); seed++) {
            Land land = drain(i < GRIDS ? grids[i] : bands, seed, seed % 2 ? 9 : -1);
            const size_t count = padded_count(&land.grid);
            float *level = memory_new(count, sizeof *level, NULL);
            for (size_t k = 0; k < land.count; k++) {
                const size_t cell = land.order[k];
                level[cell] = is_outlet(&land.tree, cell) ? land.ground[cell] : FLT_MAX;
            }
            while (relax(&land, level)) {
            }
            for (size_t k = 0; k < land.count; k++) {
                float highest = -FLT_MAX;
                size_t cell = land.order[k];
                for (; !is_outlet(&land.tree, cell); cell = receiver_of(&land.tree, cell))
                    highest = max(highest, land.ground[cell]);
                highest = max(highest, land.ground[cell]);
                assert_near(highest, level[land.order[k]], 0);
            }
            memory_free(level);
            land_free(&land);
        }
}

// Outlets are the sea, pits along a border, or one lowest cell.
static void outlets_are_where_water_can_leave(void **state) {
    (void)state;
    for (int i = 0; i < GRIDS; i++)
        for (int wet = 0; wet < 2; wet++) {
            Land land = drain(grids[i], 11, wet ? 9 : -1);
            int dry_outlets = 0, sea = 0;
            for (size_t k = 0; k < land.count; k++) {
                const size_t cell = land.order[k], stride = padded_stride(&land.grid);
                const bool outlet = is_outlet(&land.tree, cell), under = land.ground[cell] <= land.sea;
                const bool border =
                    padded_border(&land.grid, (int)(cell % stride) - 1, (int)(cell / stride) - 1);
                assert_true(outlet || !under);
                sea += under;
                dry_outlets += outlet && !under;
                assert_true(!outlet || under || land.grid.wraps || border);
            }
            if (land.grid.wraps)
                assert_int_equal(dry_outlets, sea == 0);
            land_free(&land);
        }
}

// A bowl: no cell of its border is a pit.
static void a_bowl_spills_over_the_lowest_of_its_border(void **state) {
    (void)state;
    const Run run = { .threads = 2 };
    const PaddedGrid grid = { 40, 31, false };
    const size_t lowest = padded_at(&grid, 20, 0);
    Error error;
    Land land = { .grid = grid, .ground = memory_new(padded_count(&grid), sizeof(float), &error) };
    for (int y = 0; y < grid.height; y++)
        for (int x = 0; x < grid.width; x++)
            land.ground[padded_at(&grid, x, y)] = (float)((x - 20) * (x - 20) + (y - 14) * (y - 14));
    padded_close(&grid, land.ground, FLT_MAX);
    assert_ok(drainage_tree_create(&land.tree, grid, &error), error);
    assert_ok(drainage_tree_find(&run, &land.tree, land.ground, -1, 1, false, &error), error);
    for (int y = 0; y < grid.height; y++)
        for (int x = 0; x < grid.width; x++) {
            const size_t cell = padded_at(&grid, x, y);
            assert_int_equal(is_outlet(&land.tree, cell), cell == lowest);
        }
    land_free(&land);
}

// Water of a plane keeps to a way across it, at every second step uphill.
static void kept_receivers_stay(void **state) {
    (void)state;
    const Run run = { .threads = 2 };
    const PaddedGrid grid = { 40, 31, false };
    Error error;
    Land land = { .grid = grid, .ground = memory_new(padded_count(&grid), sizeof(float), &error) };
    for (int y = 0; y < grid.height; y++)
        for (int x = 0; x < grid.width; x++)
            land.ground[padded_at(&grid, x, y)] = (float)y;
    padded_close(&grid, land.ground, FLT_MAX);
    assert_ok(drainage_tree_create(&land.tree, grid, &error), error);
    for (size_t i = 0; i < padded_count(&grid); i++)
        land.tree.order[i] = NOT_A_CELL;
    for (int x = 5; x < 20; x++)
        land.tree.order[padded_at(&grid, x, 15 + x % 2)] =
            (uint32_t)(2 * padded_at(&grid, x + 1, 15 + (x + 1) % 2)) + 1;
    assert_ok(drainage_tree_find(&run, &land.tree, land.ground, -1, 1, true, &error), error);
    for (int x = 5; x < 20; x++) {
        const size_t cell = padded_at(&grid, x, 15 + x % 2);
        assert_int_equal(receiver_of(&land.tree, cell), padded_at(&grid, x + 1, 15 + (x + 1) % 2));
        assert_true(receiver_nearness(&land.tree, cell) < 0.8f);
    }
    assert_ok(drainage_tree_find(&run, &land.tree, land.ground, 50, 1, true, &error), error);
    assert_true(is_outlet(&land.tree, padded_at(&grid, 7, 16))); // in the sea
    land_free(&land);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_comes_before_its_receiver),
        cmocka_unit_test(sums_are_added_in_one_order),
        cmocka_unit_test(receivers_are_neighbours),
        cmocka_unit_test(pits_drain_over_their_lowest_pass),
        cmocka_unit_test(outlets_are_where_water_can_leave),
        cmocka_unit_test(a_bowl_spills_over_the_lowest_of_its_border),
        cmocka_unit_test(kept_receivers_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
