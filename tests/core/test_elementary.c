#include "support.h"

#include "core/elementary.h"
#include "core/whole.h"

#include <float.h>
#include <math.h>

static void agrees_with(double (*ours)(double), double (*theirs)(double), double low, double high) {
    for (int i = 0; i <= 20000; i++) {
        const double x = low + (high - low) * i / 20000;
        assert_near(ours(x), theirs(x), 1e-14 * fmax(1, fabs(theirs(x))));
    }
}

static void functions_agree_with_the_c_library(void **state) {
    (void)state;
    agrees_with(sine, sin, -50, 50);
    agrees_with(cosine, cos, -50, 50);
    agrees_with(exponential, exp, -20, 20);
    agrees_with(logarithm, log, 1e-6, 100);
}

static void arctangent_agrees_in_every_quadrant(void **state) {
    (void)state;
    for (int i = 0; i < 3600; i++) {
        const double y = sin(i * 0.01), x = cos(i * 0.01);
        assert_near(arctangent2(y, x), atan2(y, x), 1e-14);
    }
}

static void power_agrees_and_is_exact_for_whole_and_half_exponents(void **state) {
    (void)state;
    for (double base = 0.05; base < 20; base += 0.37)
        for (double exponent = -6; exponent < 6; exponent += 0.21)
            assert_near(power(base, exponent) / pow(base, exponent), 1, 1e-13);
    assert_true(power(3, 5) == 243);
    assert_true(power(-2, 3) == -8);
    assert_true(power(2, -2) == 0.25);
    for (int root = 1; root < 100; root++) {
        const double base = (double)root * root;
        assert_true(power(base, 0.5) == root && power(base, -0.5) == 1.0 / root);
        assert_true(power(base, 1.5) == base * root && power(base, 2.5) == base * base * root);
    }
    assert_true(power(0, 0.7) == 0);
    assert_true(power(0, 1.5) == 0 && power(0, -1.5) == INFINITY);
    assert_true(isnan(power(-2, 0.3)) && isnan(power(-4, 1.5)));
}

static void compare_powers(const float *bases, const float *exponents, int count) {
    float many[300];
    powers(many, bases, exponents, count);
    for (int i = 0; i < count; i++) {
        const float one = (float)power((double)bases[i], (double)exponents[i]);
        if (!(one == many[i] && signbit(one) == signbit(many[i])) && !(isnan(one) && isnan(many[i])))
            fail_msg("%.9g ^ %.9g: %.9g is not %.9g", (double)bases[i], (double)exponents[i], (double)many[i],
                     (double)one);
    }
}

static void compare_powers_of_one(const float *bases, float exponent, int count) {
    float many[300];
    powers_of_one(many, bases, exponent, count);
    for (int i = 0; i < count; i++) {
        const float one = (float)power((double)bases[i], (double)exponent);
        if (!(one == many[i] && signbit(one) == signbit(many[i])) && !(isnan(one) && isnan(many[i])))
            fail_msg("%.9g ^ %.9g (one for all): %.9g is not %.9g", (double)bases[i], (double)exponent,
                     (double)many[i], (double)one);
    }
}

// Vectors give the bits of single numbers, among which are those that take another way.
static void many_powers_are_the_same_as_one_by_one(void **state) {
    (void)state;
    const float special[] = { 0,    -0.0f, 1,  -1,  0.5f,   -0.5f,     2,     -3,
                              1.5f, 64,    65, -65, 1e-30f, 0x1p-149f, 1e30f, FLT_MAX };
    enum { SPECIAL = sizeof special / sizeof *special };
    const RandomKey key = random_key(3, 0);
    float bases[300] = { 0 }, exponents[300];
    for (uint32_t round = 0; round < (uint32_t)rounds(300); round++) {
        const float wide = round % 3 == 0 ? 1 : round % 3 == 1 ? 20 : 2000;
        for (uint32_t i = 0; i < 300; i++) {
            const uint32_t bits = random_bits(key, i, 3 * round);
            bases[i] = 2 * random_unit(key, i, 3 * round + 1);
            exponents[i] = wide * random_signed(key, i, 3 * round + 2);
            if (bits % 16 == 0)
                bases[i] = special[bits / 16 % SPECIAL];
            if (bits / 512 % 16 == 0)
                exponents[i] = special[bits / 8192 % SPECIAL];
        }
        compare_powers(bases, exponents, 1 + (int)(round % 300));
        compare_powers_of_one(bases, exponents[0], 1 + (int)(round % 300));
        compare_powers_of_one(bases, round % 2 ? 2.2f : 9 * random_signed(key, 0, 3 * round + 2), 300);
    }
    for (int halves = -2 * HALF_POWER_MAX; halves <= 2 * HALF_POWER_MAX; halves++) {
        float many[100];
        half_powers(many, bases, halves, 100);
        for (int i = 0; i < 100; i++)
            assert_true(many[i] == (float)power((double)bases[i], halves / 2.0) || isnan(many[i]));
    }
}

static void the_ends_of_the_range_are_defined(void **state) {
    (void)state;
    assert_true(exponential(1000) == INFINITY);
    assert_true(exponential(-1000) == 0);
    assert_near(exponential(-740), exp(-740), 1e-322);
    assert_true(logarithm(0) == -INFINITY);
    assert_true(isnan(logarithm(-1)));
    assert_near(logarithm(1e-310), log(1e-310), 1e-11);
    assert_true(arctangent2(0, 0) == 0);
}

// A grid of one point has no second: the index of the cell between them is 0.
static void an_index_of_nothing_is_0(void **state) {
    (void)state;
    for (int count = 0; count < 3; count++) {
        assert_int_equal(index_within(0.0, count), 0);
        assert_int_equal(index_within(0.0f, count), 0);
        assert_int_equal(index_within(7.5, count), count > 1 ? count - 1 : 0);
        assert_int_equal(index_within(7.5f, count), count > 1 ? count - 1 : 0);
        assert_int_equal(index_within((double)NAN, count), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_of_nothing_is_0),
        cmocka_unit_test(functions_agree_with_the_c_library),
        cmocka_unit_test(arctangent_agrees_in_every_quadrant),
        cmocka_unit_test(power_agrees_and_is_exact_for_whole_and_half_exponents),
        cmocka_unit_test(many_powers_are_the_same_as_one_by_one),
        cmocka_unit_test(the_ends_of_the_range_are_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
