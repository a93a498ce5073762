// Rivers as wide as what they drain: the same in every window, as deep as places have digits, and as wide on
// the ground at every zoom.

#include "rivermap/maps.h"

#include "core/math.h"
#include "rivermap/eroded/eroded.h"

#include <limits.h>

// Seeds whose maps have a wide river inland.
static void wide_rivers_agree_in_all_windows(void **state) {
    (void)state;
    static const double zooms[] = { 1, 2, 3, 8 };
    static const char *const tilings[] = { "right", "penrose", "scalene" };
    for (size_t t = 0; t < sizeof tilings / sizeof *tilings; t++) {
        RiverMap *map = make_wide(3, tilings[t]);
        for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++)
            check_windows(map, zooms[i]);
        memory_free(map);
    }
}

// A place in units of 2^-120 of the map's side, to its last digit.
typedef struct AllDigits {
    char text[128];
} AllDigits;

static AllDigits digits_of_place(Int128 place) {
    AllDigits digits = { "0." };
    for (int i = 2; i < 122; i++) {
        place *= 10;
        digits.text[i] = (char)('0' + (int)(place >> 120));
        place &= ((Int128)1 << 120) - 1;
    }
    return digits;
}

// `size` pixels from column x, row y on of the grid of 2^-depth of the map's side.
static void render_cells(const RiverMap *map, int depth, Int128 x, Int128 y, int size, Output *outputs) {
    const Int128 half_cell = (Int128)1 << (119 - depth);
    const AllDigits across = digits_of_place((2 * x + size) * half_cell),
                    down = digits_of_place((2 * y + size) * half_cell);
    const MapWindow view = { .x_text = across.text,
                             .y_text = down.text,
                             .zoom = ldexp(1.0 / size, depth),
                             .width = size,
                             .height = size };
    render_well(map, view, outputs);
}

static bool is_water(const Field *river, int x, int y) {
    return field_row(river, y)[x] >= 0.5f;
}

// The cell nearest to the middle of a window where water meets land; false: only the wettest one.
static bool find_bank(const Field *river, int *found_x, int *found_y) {
    int least = INT_MAX;
    float wettest = -1;
    for (int y = 0; y + 1 < river->height; y++)
        for (int x = 0; x < river->width; x++) {
            const int off_x = x - river->width / 2, off_y = y - river->height / 2;
            const int off = off_x * off_x + off_y * off_y;
            const bool bank = is_water(river, x, y) != is_water(river, x, y + 1);
            const float wet = field_row(river, y)[x];
            if (bank ? off >= least : least < INT_MAX || wet <= wettest)
                continue;
            least = bank ? off : least;
            wettest = wet;
            *found_x = x;
            *found_y = y;
        }
    return least < INT_MAX;
}

// How many pixels the longest straight piece of a bank has that runs along rows or columns.
static int longest_straight(const Field *river) {
    int longest = 0;
    for (int y = 0; y + 1 < river->height; y++)
        for (int x = 0, across = 0, down = 0; x < river->width; x++) {
            across = is_water(river, x, y) != is_water(river, x, y + 1) ? across + 1 : 0;
            down = is_water(river, y, x) != is_water(river, y + 1, x) ? down + 1 : 0;
            longest = max(longest, max(across, down));
        }
    return longest;
}

// Down along a bank, as deep as places have digits: windows of one grid, of which one holds the other, are
// the same; and as deep as doubles have, the bank keeps its place and its detail.
static void wide_rivers_agree_at_any_depth(void **state) {
    (void)state;
    enum { DEEPER = 3 };
    RiverMap *map = make_wide(3, "right");
    Int128 x = 0, y = 0;
    for (int depth = 6; depth <= 98; depth += DEEPER) {
        Output whole[OUTPUTS_MAX] = { 0 }, part[OUTPUTS_MAX] = { 0 };
        render_cells(map, depth, x, y, 64, whole);
        render_cells(map, depth, x + 9, y + 3, 40, part);
        for (int i = 0; i < 2; i++)
            check_part(&whole[i].field, &part[i].field, 9, 3);
        int column = 0, row = 0;
        const bool bank = find_bank(&whole[1].field, &column, &row);
        const int straight = longest_straight(&whole[1].field);
        if (depth > 12 && depth <= 60 && (!bank || straight > 20))
            fail_msg("at depth %d, %d of 64 pixels of the bank are in a line", depth, straight);
        x = (x + column) * (1 << DEEPER) - 32;
        y = (y + row) * (1 << DEEPER) - 32;
        outputs_free(whole);
        outputs_free(part);
    }
    memory_free(map);
}

static double water_share(const Field *river) {
    double sum = 0;
    for (size_t i = 0; i < field_count(river); i++)
        sum += (double)(river->cells[i] < 1 ? river->cells[i] : 1);
    return sum / (double)field_count(river);
}

// On the last of their way to the sea, where rivers fade into it, none is left along the banks alone.
static void wide_rivers_have_no_outlines(void **state) {
    (void)state;
    RiverMap *map = make_wide(3, "right");
    Output outputs[OUTPUTS_MAX] = { 0 };
    render_well(map, (MapWindow){ .x = 0.5, .y = 0.5, .zoom = 1, .width = 512, .height = 512 }, outputs);
    const Field *river = &outputs[1].field;
    int cells = 0,
        beside_none = 0; // cells of rivers at least 3 wide; of them those with a neighbour that has none
    for (int y = 1; y < 511; y++)
        for (int x = 1; x < 511; x++) {
            const float *at = field_row(river, y) + x;
            cells += at[0] >= 3;
            beside_none += at[0] >= 3 && (at[-1] == 0 || at[1] == 0 || at[-512] == 0 || at[512] == 0);
        }
    if (cells < 50 || beside_none > cells / 8)
        fail_msg("%d of %d cells", beside_none, cells);
    outputs_free(outputs);
    memory_free(map);
}

static void a_river_is_as_wide_on_the_ground_at_every_zoom(void **state) {
    (void)state;
    RiverMap *map = make_wide(3, "right");
    double shares[3];
    for (int i = 0; i < 3; i++) {
        Output outputs[OUTPUTS_MAX] = { 0 };
        const int size = 150 << i;
        render_well(map, (MapWindow){ .x = 0.1, .y = 0.65, .zoom = 8, .width = size, .height = size },
                    outputs);
        shares[i] = water_share(&outputs[1].field);
        const Field *altitude = &outputs[0].field, *river = &outputs[1].field;
        double widest = 0, above = 0, beside = 0;
        for (size_t c = 0; c < field_count(river); c++) {
            widest = (double)river->cells[c] > widest ? (double)river->cells[c] : widest;
            above += (double)(river->cells[c] >= 1 ? altitude->cells[c] : 0);
            beside += (double)(river->cells[c] == 0 ? altitude->cells[c] : 0);
        }
        assert_true(widest > size * 8 * 0.004 && widest < size * 8 * 0.05); // in cells
        const double count = (double)field_count(river);
        assert_true(above / (shares[i] * count) < beside / ((1 - shares[i]) * count)); // it lies in a valley
        outputs_free(outputs);
    }
    print_message("# water in a window of 150, 300, 600 pixels: %.4f, %.4f, %.4f\n", shares[0], shares[1],
                  shares[2]);
    assert_true(shares[0] > 0.03);
    assert_near(shares[1], shares[0], 0.1 * shares[0]);
    assert_near(shares[2], shares[0], 0.1 * shares[0]);
    memory_free(map);
}

// Of one that runs along rows, whatever lies between it and the middles of pixels; otherwise streams are
// beads.
static void a_thin_line_is_as_strong_everywhere(void **state) {
    (void)state;
    for (double half = 0.01; half < 0.5; half += 0.02)
        for (double off = 0; off < 1; off += 0.05) {
            double sum = 0;
            for (int row = -3; row <= 3; row++)
                sum += (double)river_cover(half, fabs(row - off));
            assert_near(sum, sqrt(min(8 * half, 1)), 1e-6);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_rivers_agree_in_all_windows),
        cmocka_unit_test(wide_rivers_agree_at_any_depth),
        cmocka_unit_test(wide_rivers_have_no_outlines),
        cmocka_unit_test(a_river_is_as_wide_on_the_ground_at_every_zoom),
        cmocka_unit_test(a_thin_line_is_as_strong_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
