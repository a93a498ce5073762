#include "support.h"

#include "operations.h"

#include <stdlib.h>

static const int sizes[][2] = { { 1, 1 },    { 1, 9 },    { 2, 2 },    { 3, 7 },    { 50, 2 },
                                { 48, 3 },   { 63, 5 },   { 64, 64 },  { 100, 37 }, { 257, 70 },
                                { 61, 300 }, { 57, 333 }, { 127, 400 } };
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct Case {
    const Operation *operation;
    const char *method;
} Case;

static const Case cases[] = {
    { &op_thermal_erosion, "fast" },   { &op_thermal_erosion, "reference" },
    { &op_hydraulic_erosion, "fast" }, { &op_hydraulic_erosion, "reference" },
    { &op_olsen_erosion, NULL },
};
enum { CASES = sizeof cases / sizeof *cases };

// Wraps as the field does.
static Field erode_masked(const Case *each, const Field *field, const Field *mask, int iterations,
                          int threads) {
    _Alignas(16) unsigned char params[1024];
    Error error;
    params_initialise(each->operation, params);
    assert_ok(param_set_number(operation_param(each->operation, "iterations"), params, iterations, &error),
              error);
    if (each->method)
        assert_ok(param_set_text(operation_param(each->operation, "method"), params, each->method, &error),
                  error);
    if (mask)
        *(const Field **)(void *)(params + operation_param(each->operation, "mask")->offset) = mask;
    const Run run = { .threads = threads };
    return run_field(each->operation, (Call){ .run = &run, .inputs = { { .field = field } } }, params);
}

static Field erode(const Case *each, const Field *field, int iterations, int threads) {
    return erode_masked(each, field, NULL, iterations, threads);
}

static void material_is_conserved(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int s = 0; s < 2 * (UNDER_SANITIZERS ? SIZES - 4 : SIZES); s++) {
            Field field = noise_field(sizes[s / 2][0], sizes[s / 2][1], (uint64_t)s);
            Field mask = noise_field(sizes[s / 2][0], sizes[s / 2][1], 77);
            field.wraps = s % 2 == 1;
            Field eroded = erode(&cases[i], &field, 30, 1);
            Field masked = erode_masked(&cases[i], &field, &mask, 30, 2);
            assert_int_equal(eroded.wraps, field.wraps);
            assert_near(field_sum(&eroded) / field_sum(&field), 1, 1e-6);
            assert_near(field_sum(&masked) / field_sum(&field), 1, 1e-6);
            field_free(&field);
            field_free(&mask);
            field_free(&eroded);
            field_free(&masked);
        }
}

// Cells that give nothing do not sink, one cell off they do; where every cell gives, the mask changes
// nothing.
static void masked_ground_gives_nothing_away(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Field field = noise_field(100, 60, 6), mask = noise_field(100, 60, 6);
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 100; x++)
                field_row(&mask, y)[x] = x < 50 ? 0 : 1;
        Field masked = erode_masked(&cases[i], &field, &mask, 20, 1);
        int sunk = 0;
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 100; x++) {
                const float before = field_row(&field, y)[x], after = field_row(&masked, y)[x];
                if (x < 50 && after < before - 1e-6f) // water that is added and taken away again rounds
                    fail_msg("case %d: (%d, %d) sank by %g", i, x, y, (double)(before - after));
                sunk += x >= 50 && after < before - 1e-4f;
            }
        assert_true(sunk > 200);
        for (size_t c = 0; c < field_count(&mask); c++)
            field_cells(&mask)[c] = 1;
        Field whole = erode_masked(&cases[i], &field, &mask, 20, 1), plain = erode(&cases[i], &field, 20, 1);
        assert_same_bits(&whole, &plain);
        field_free(&field);
        field_free(&mask);
        field_free(&masked);
        field_free(&whole);
        field_free(&plain);
    }
}

static void a_mask_outside_0_to_1_is_an_error(void **state) {
    (void)state;
    Field field = noise_field(64, 64, 1), mask = noise_field(64, 64, 2);
    field_cells(&mask)[9] = 1.5f;
    for (int i = 0; i < CASES; i++) {
        _Alignas(16) unsigned char params[1024];
        Output outputs[OUTPUTS_MAX];
        Error error;
        params_initialise(cases[i].operation, params);
        *(const Field **)(void *)(params + operation_param(cases[i].operation, "mask")->offset) = &mask;
        const Call call = { .inputs = { { .field = &field } } };
        const size_t before = memory_in_use();
        assert_int_equal(run_operation(cases[i].operation, call, params, outputs, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, "mask must be 0 to 1, got "));
        assert_non_null(strstr(error.text, " to 1.5"));
        assert_int_equal(memory_in_use(), before);
    }
    field_free(&field);
    field_free(&mask);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const int threads[] = { 3, 2, 7 };
    for (int i = 0; i < 2 * CASES; i++) {
        const Case *each = &cases[i / 2];
        Field field = noise_field(300, 403, 5);
        field.wraps = i % 2 == 1;
        Field alone = erode(each, &field, 6, 1);
        for (int t = 0; t < (UNDER_SANITIZERS ? 1 : 3); t++) {
            parallel_every_row(true);
            Field together = erode(each, &field, 6, threads[t]);
            parallel_every_row(false);
            assert_same_bits(&alone, &together);
            field_free(&together);
        }
        field_free(&field);
        field_free(&alone);
    }
}

static void no_iterations_and_flat_ground_change_nothing(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Field field = noise_field(60, 40, 3), same = erode(&cases[i], &field, 0, 1);
        assert_same_bits(&field, &same);
        for (size_t c = 0; c < field_count(&field); c++)
            field_cells(&field)[c] = 0.5f;
        Field flat = erode(&cases[i], &field, 5, 1);
        for (size_t c = 0; c < field_count(&flat); c++)
            assert_near((double)flat.cells[c], 0.5, 1e-6);
        field_free(&field);
        field_free(&same);
        field_free(&flat);
    }
}

// --- the order of cells ----------------------------------------------------------------------------------

enum { SIMULTANEOUS = 4 }; // cases, the first ones, that apply the differences of a pass after it

// The field on its side, mirrored, shifted by (dx, dy).
typedef struct Motion {
    bool turned, mirrored;
    int dx, dy;
} Motion;

static Field moved(const Field *field, Motion motion) {
    Field result;
    Error error;
    const int width = motion.turned ? field->height : field->width;
    const int height = motion.turned ? field->width : field->height;
    assert_ok(field_create(&result, width, height, &error), error);
    result.wraps = field->wraps;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int across = ((motion.mirrored ? width - 1 - x : x) + motion.dx) % width;
            const int down = (y + motion.dy) % height;
            const int from_x = motion.turned ? down : across, from_y = motion.turned ? across : down;
            field_row(&result, y)[x] = field_row(field, from_y)[from_x];
        }
    return result;
}

// Where no cell is before another none can show: moved land erodes to the moved result, bit for bit.
static void land_that_is_moved_erodes_alike(void **state) {
    (void)state;
    static const Motion motions[] = { { .dx = 1 },          { .dx = 17, .dy = 5 },
                                      { .dy = 40 },         { .turned = true },
                                      { .mirrored = true }, { .turned = true, .mirrored = true } };
    for (int i = 0; i < SIMULTANEOUS; i++)
        for (size_t m = 0; m < 2 * (sizeof motions / sizeof *motions); m++) {
            const Motion motion = motions[m / 2];
            Field field = noise_field(83, 67, 4);
            for (int x = 20; x < 40; x++)
                field_row(&field, 30)[x] = 0.5f; // equally low neighbours
            field.wraps = m % 2 == 1;
            Field eroded = erode(&cases[i], &field, 12, 1), before = moved(&field, motion);
            Field after = moved(&eroded, motion), again = erode(&cases[i], &before, 12, 1);
            if (field.wraps || (motion.dx == 0 && motion.dy == 0))
                assert_same_bits(&after, &again);
            field_free(&field);
            field_free(&eroded);
            field_free(&before);
            field_free(&after);
            field_free(&again);
        }
}

// The declared order of Olsen's erosion (src/erosion/olsen_erosion.c), written down cell by cell.
static void level(Field *field, int x, int y, float talus) {
    static const int beside[4][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
    float *cell = &field_row(field, y)[x], *lowest = NULL;
    for (int i = 0; i < 4; i++) {
        int to_x = x + beside[i][0], to_y = y + beside[i][1];
        if (!field->wraps && (to_x < 0 || to_y < 0 || to_x >= field->width || to_y >= field->height))
            continue;
        to_x = wrap(to_x, field->width), to_y = wrap(to_y, field->height);
        float *neighbour = &field_row(field, to_y)[to_x];
        lowest = !lowest || *neighbour < *lowest ? neighbour : lowest;
    }
    const float difference = lowest ? *cell - *lowest : 0;
    if (!(difference > 0 && difference <= talus))
        return;
    *cell -= 0.5f * difference;
    *lowest += 0.5f * difference;
}

// Of the cells of the row those whose random bits lie in least … most.
static void level_row_by_hand(Field *field, int y, int pass, uint32_t least, uint32_t most, float talus) {
    const RandomKey key = random_key((uint64_t)pass, 0);
    const int width = field->width;
    const int strip = width / 16 >= 3 && field->height > 2 ? width / 16 : 0,
              rest = strip > 0 ? width % 16 : 0;
    const int length = strip > 0 ? strip + (rest > 0) : width;
    const int start = (int)(random_bits(key, UINT32_MAX, (uint32_t)y) % (uint32_t)length);
    for (int step = 0; step < length; step++) {
        const int i = (pass / 2 % 2 == 1 ? start - step + length : start + step) % length;
        for (int s = 0; s < (strip > 0 ? 16 : 1); s++) {
            const int x = s * strip + (s < rest ? s : rest) + i;
            const uint32_t bits = random_bits(key, (uint32_t)x, (uint32_t)y);
            if ((strip == 0 || i < strip || s < rest) && bits >= least && bits <= most)
                level(field, x, y, talus);
        }
    }
}

// Four passes go together, each 66 rows behind the one before, by blocks of 64. On a torus the first rows are
// taken in two parts.
static void level_by_hand(Field *field, int passes, float talus) {
    const int rows = field->height, together = field->wraps && rows < 330 ? 1 : 4;
    const int twice = !field->wraps ? 0 : rows < 128 ? rows / 2 : 64;
    for (int first = 0; first < passes; first += together) {
        const uint32_t bits = random_bits(random_key((uint64_t)(first / 4), 1), 0, 0);
        const int top = field->wraps ? (int)(bits % (uint32_t)rows) : 0;
        for (int stage = 0; stage < rows / 64 + 7; stage++)
            for (int i = 0; i < together && first + i < passes; i++)
                for (int k = 0; k < 64; k++) {
                    const int place = 64 * (stage - i) - 2 * i + k, row = place % rows;
                    const int y = top + (first / 4 % 2 == 1 ? rows - 1 - row : row);
                    const uint32_t bound = UINT32_MAX / (uint32_t)(twice + 1) * (uint32_t)(row + 1);
                    if (place >= 0 && place < rows + twice)
                        level_row_by_hand(field, y % rows, first + i, place < rows ? 0 : bound,
                                          place >= twice ? UINT32_MAX : bound - 1, talus);
                }
    }
}

static void the_order_in_place_is_the_declared_one(void **state) {
    (void)state;
    for (int s = 0; s < 2 * SIZES; s++) {
        Field field = noise_field(sizes[s / 2][0], sizes[s / 2][1], 8);
        field.wraps = s % 2 == 1;
        Field eroded = erode(&(Case){ &op_olsen_erosion, NULL }, &field, 11, 2);
        level_by_hand(&field, 11, (float)(16.0 / field_side(&field)));
        assert_same_bits(&field, &eroded);
        field_free(&field);
        field_free(&eroded);
    }
}

typedef enum Line { ROW, COLUMN, DIAGONAL, COUNTER_DIAGONAL, LINES } Line;

static int by_size(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

// How rough a cell is across a line: |h(-1) - 2 h + h(+1)|.
static float roughness(const Field *field, Line line, int x, int y) {
    const int side = field->width, dx = line == ROW ? 0 : 1, dy = line == ROW ? 1 : 0;
    const float before = field_row(field, wrap(y - dy, side))[wrap(x - dx, side)];
    const float after = field_row(field, wrap(y + dy, side))[wrap(x + dx, side)];
    const float bend = before + after - 2 * field_row(field, y)[x];
    return bend < 0 ? -bend : bend;
}

// The share of cells in each line of a square field that wraps which are rougher than most of the field.
static void rough_shares(const Field *field, Line line, double *shares) {
    enum { SAMPLES = 4096 };
    double samples[SAMPLES];
    const int side = field->width;
    const RandomKey key = random_key(1, 0);
    for (uint32_t i = 0; i < SAMPLES; i++)
        samples[i] = (double)roughness(field, line, (int)(random_bits(key, i, 0) % (uint32_t)side),
                                       (int)(random_bits(key, i, 1) % (uint32_t)side));
    qsort(samples, SAMPLES, sizeof *samples, by_size);
    const double median = samples[SAMPLES / 2];
    for (int k = 0; k < side; k++)
        shares[k] = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const int lines[LINES] = { y, x, (x - y + side) % side, (x + y) % side };
            shares[lines[line]] += (double)roughness(field, line, x, y) > median ? 1.0 / side : 0;
        }
}

// How many times rougher than the lines around it the roughest line is.
static double worst_line(const Field *field, Line line) {
    enum { AROUND = 12 };
    const int side = field->width;
    double shares[512], worst = 0;
    rough_shares(field, line, shares);
    for (int k = 0; k < side; k++) {
        double near[2 * AROUND + 1];
        for (int i = -AROUND; i <= AROUND; i++)
            near[i + AROUND] = shares[(k + i + side) % side];
        qsort(near, 2 * AROUND + 1, sizeof *near, by_size);
        const double times = shares[k] / near[AROUND];
        worst = times > worst ? times : worst;
    }
    return worst;
}

// Land that is alike everywhere, so that its lines differ by chance only.
static void no_line_of_cells_stands_out(void **state) {
    (void)state;
    if (UNDER_SANITIZERS)
        return;
    static const int sides[] = { 256, 500, 333 }, passes[] = { 1, 2, 5, 20, 50 };
    for (int s = 0; s < 3; s++) {
        Call call = { .width = sides[s], .height = sides[s], .seed = 3 };
        Field field = run_field(&op_spectral, call, NULL);
        double plain[LINES];
        for (int line = 0; line < LINES; line++)
            plain[line] = worst_line(&field, (Line)line);
        for (int i = 0; i < 5 * CASES; i++) {
            Field eroded = erode(&cases[i / 5], &field, passes[i % 5], 2);
            for (int line = 0; line < LINES; line++) {
                const double worst = worst_line(&eroded, (Line)line);
                if (worst > plain[line] + 0.25)
                    fail_msg(
                        "case %d, side %d, %d passes: a line of kind %d is %.2f times rougher (%.2f before)",
                        i / 5, sides[s], passes[i % 5], line, worst, plain[line]);
            }
            field_free(&eroded);
        }
        field_free(&field);
    }
}

// --- what erosion leaves ---------------------------------------------------------------------------------

// A smooth hill, four times as steep as the default talus of thermal erosion.
static Field hill(int side) {
    Field field;
    Error error;
    assert_ok(field_create(&field, side, side, &error), error);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const double across = 2.0 * x / (side - 1) - 1, down = 2.0 * y / (side - 1) - 1;
            const double far = across * across + down * down;
            field_row(&field, y)[x] = far < 1 ? (float)(5 * (1 - far) * (1 - far)) : 0;
        }
    return field;
}

static double squared(double number) {
    return number * number;
}

// The power at the finest checkerboard, beside that of the slopes.
static double checkerboard(const Field *field) {
    double board = 0, slopes = 0;
    for (int y = 1; y < field->height - 1; y++) {
        const float *up = field_row(field, y - 1), *row = field_row(field, y),
                    *down = field_row(field, y + 1);
        for (int x = 1; x < field->width - 1; x++) {
            const double corners =
                (double)up[x - 1] + (double)up[x + 1] + (double)down[x - 1] + (double)down[x + 1];
            const double edges = (double)up[x] + (double)down[x] + (double)row[x - 1] + (double)row[x + 1];
            board += squared(4 * (double)row[x] - 2 * edges + corners) / 16;
            slopes +=
                squared((double)row[x + 1] - (double)row[x - 1]) + squared((double)down[x] - (double)up[x]);
        }
    }
    return board / slopes;
}

static void smooth_land_gets_no_checkerboard(void **state) {
    (void)state;
    Field field = hill(129);
    for (int i = 0; i < 4 * SIMULTANEOUS; i++) {
        static const int passes[] = { 5, 20, 50, 200 };
        Field eroded = erode(&cases[i / 4], &field, passes[i % 4], 1);
        const double power = checkerboard(&eroded);
        if (power > 1e-3)
            fail_msg("case %d, %d passes: %g", i / 4, passes[i % 4], power);
        field_free(&eroded);
    }
    field_free(&field);
}

static void thermal_erosion_ends_at_the_talus(void **state) {
    (void)state;
    enum { SIDE = 33 };
    Field field = hill(SIDE);
    for (int i = 0; i < 2; i++) {
        Field eroded = erode(&cases[i], &field, 6000, 1);
        const float talus = 4.0f / SIDE * 1.05f;
        const float diagonal = i == 0 ? talus * 1.4143f : talus;
        for (int y = 1; y < SIDE; y++)
            for (int x = 1; x < SIDE; x++) {
                const float down = field_row(&eroded, y)[x] - field_row(&eroded, y - 1)[x - 1];
                const float up = field_row(&eroded, y - 1)[x] - field_row(&eroded, y)[x - 1];
                const float along = field_row(&eroded, y)[x] - field_row(&eroded, y - 1)[x];
                if (!(down <= diagonal && -down <= diagonal && up <= diagonal && -up <= diagonal &&
                      along <= talus && -along <= talus))
                    fail_msg("case %d: (%d, %d) is too steep: %g, %g", i, x, y, (double)down, (double)up);
            }
        field_free(&eroded);
    }
    field_free(&field);
}

static void one_fast_thermal_pass_stays_between_its_neighbours(void **state) {
    (void)state;
    Field field = noise_field(90, 70, 3), eroded = erode(&cases[0], &field, 1, 1);
    for (int y = 1; y < 69; y++)
        for (int x = 1; x < 89; x++) {
            float least = field_row(&field, y)[x], most = least;
            for (int i = 0; i < 9; i++) {
                const float beside = field_row(&field, y + i / 3 - 1)[x + i % 3 - 1];
                least = beside < least ? beside : least;
                most = beside > most ? beside : most;
            }
            assert_true(field_row(&eroded, y)[x] >= least && field_row(&eroded, y)[x] <= most);
        }
    field_free(&field);
    field_free(&eroded);
}

static double mean_difference(const Field *a, const Field *b) {
    double sum = 0;
    for (size_t i = 0; i < field_count(a); i++)
        sum += (double)(a->cells[i] > b->cells[i] ? a->cells[i] - b->cells[i] : b->cells[i] - a->cells[i]);
    return sum / (double)field_count(a);
}

// Olsen 2004: 2 % of the height range after 50 thermal iterations, 1 % after 100 hydraulic ones.
static void fast_and_reference_agree_as_in_the_paper(void **state) {
    (void)state;
    Call call = { .width = 256, .height = 256, .seed = 4 };
    Field field = run_field(&op_diamond_square, call, NULL);
    Field fast = erode(&cases[0], &field, 50, 2), reference = erode(&cases[1], &field, 50, 2);
    assert_true(mean_difference(&fast, &reference) < 0.03);
    field_free(&fast);
    field_free(&reference);
    fast = erode(&cases[2], &field, 100, 2);
    reference = erode(&cases[3], &field, 100, 2);
    assert_true(mean_difference(&fast, &reference) < 0.02);
    field_free(&fast);
    field_free(&reference);
    field_free(&field);
}

static void a_stop_ends_an_erosion(void **state) {
    (void)state;
    atomic_bool stop = true;
    const Run run = { .threads = 1, .stop = &stop };
    Field field = noise_field(64, 64, 1);
    for (int i = 0; i < CASES; i++) {
        Output outputs[OUTPUTS_MAX];
        Error error;
        const size_t before = memory_in_use();
        const Call call = { .run = &run, .inputs = { { .field = &field } } };
        assert_int_equal(run_operation(cases[i].operation, call, NULL, outputs, &error), STATUS_STOPPED);
        assert_int_equal(memory_in_use(), before);
    }
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(material_is_conserved),
        cmocka_unit_test(masked_ground_gives_nothing_away),
        cmocka_unit_test(a_mask_outside_0_to_1_is_an_error),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(no_iterations_and_flat_ground_change_nothing),
        cmocka_unit_test(land_that_is_moved_erodes_alike),
        cmocka_unit_test(the_order_in_place_is_the_declared_one),
        cmocka_unit_test(no_line_of_cells_stands_out),
        cmocka_unit_test(smooth_land_gets_no_checkerboard),
        cmocka_unit_test(thermal_erosion_ends_at_the_talus),
        cmocka_unit_test(one_fast_thermal_pass_stays_between_its_neighbours),
        cmocka_unit_test(fast_and_reference_agree_as_in_the_paper),
        cmocka_unit_test(a_stop_ends_an_erosion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
