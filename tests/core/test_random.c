#include "support.h"

enum { SIDE = 512, COUNT = SIDE * SIDE };

static void numbers_are_a_function_of_seed_stream_and_place(void **state) {
    (void)state;
    const RandomKey key = random_key(42, 7);
    assert_int_equal(random_bits(key, 3, 4), random_bits(random_key(42, 7), 3, 4));
    assert_int_not_equal(random_bits(key, 3, 4), random_bits(key, 4, 3));
    assert_int_not_equal(random_bits(key, 3, 4), random_bits(random_key(42, 8), 3, 4));
    assert_int_not_equal(random_bits(key, 3, 4), random_bits(random_key(43, 7), 3, 4));
    // Pinned: another value would change every terrain ever made.
    assert_int_equal(random_bits(random_key(1, 0), 0, 0), 0x8da27167);
}

static void numbers_are_uniform(void **state) {
    (void)state;
    enum { BINS = 64 };
    for (uint64_t seed = 0; seed < 5; seed++) {
        const RandomKey key = random_key(seed, 0);
        int bins[BINS] = { 0 };
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) {
                const float unit = random_unit(key, x, y), both = random_signed(key, x, y);
                assert_true(unit >= 0 && unit < 1 && both >= -1 && both < 1);
                bins[(int)(unit * BINS)]++;
            }
        double chi_squared = 0;
        for (int bin = 0; bin < BINS; bin++) {
            const double off = bins[bin] - (double)COUNT / BINS;
            chi_squared += off * off / ((double)COUNT / BINS);
        }
        assert_true(chi_squared > 25 && chi_squared < 120); // 63 degrees of freedom: 1 in 100,000 is outside
    }
}

// The correlation of numbers (dx, dy) apart, or of neighbouring seeds or streams.
static double correlation(RandomKey a, RandomKey b, uint32_t dx, uint32_t dy) {
    double sum = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            sum += (double)random_signed(a, x, y) * (double)random_signed(b, x + dx, y + dy);
    return sum / COUNT * 3; // the variance of a uniform number in -1 … 1 is 1/3
}

static void neighbours_seeds_and_streams_are_independent(void **state) {
    (void)state;
    const RandomKey key = random_key(9, 0);
    const double limit = 5.0 / SIDE; // five standard deviations
    assert_near(correlation(key, key, 1, 0), 0, limit);
    assert_near(correlation(key, key, 0, 1), 0, limit);
    assert_near(correlation(key, key, 1, 1), 0, limit);
    assert_near(correlation(key, key, 256, 0), 0, limit);
    assert_near(correlation(key, random_key(10, 0), 0, 0), 0, limit);
    assert_near(correlation(key, random_key(9, 1), 0, 0), 0, limit);
}

static void every_input_bit_changes_half_of_the_output(void **state) {
    (void)state;
    for (int bit = 0; bit < 32; bit++) {
        long changed = 0;
        for (uint32_t i = 0; i < 4096; i++) {
            const RandomKey key = random_key(i, 3);
            changed += __builtin_popcount(random_bits(key, i, 5) ^ random_bits(key, i ^ 1u << bit, 5));
            changed += __builtin_popcount(random_bits(key, 5, i) ^ random_bits(key, 5, i ^ 1u << bit));
        }
        assert_near((double)changed / (4096 * 2 * 32), 0.5, 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_a_function_of_seed_stream_and_place),
        cmocka_unit_test(numbers_are_uniform),
        cmocka_unit_test(neighbours_seeds_and_streams_are_independent),
        cmocka_unit_test(every_input_bit_changes_half_of_the_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
