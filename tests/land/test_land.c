// Eroded land: windows agree, water runs down, and nothing breaks at the ends.

#include "support.h"

#include "core/math.h"
#include "core/parallel.h"
#include "land/land.h"
#include "rivers/drainage.h"

static const Run alone = { .threads = 1 };

// Hills of a few cells, with a coast.
static Field hills(int width, int height, uint64_t seed) {
    Field field;
    Error error;
    assert_ok(field_create(&field, width, height, &error), error);
    const RandomKey coarse = random_key(seed, 0), fine = random_key(seed, 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint32_t column = (uint32_t)x / 8, row = (uint32_t)y / 8;
            const float u = (float)(x % 8) / 8, v = (float)(y % 8) / 8;
            const float swell = bilinear(
                random_signed(coarse, column, row), random_signed(coarse, column + 1, row),
                random_signed(coarse, column, row + 1), random_signed(coarse, column + 1, row + 1), u, v);
            field_row(&field, y)[x] = 1 + 4 * swell + 0.3f * random_signed(fine, (uint32_t)x, (uint32_t)y);
        }
    return field;
}

// Heights of its own at each level: waves that are as steep as they are long.
static Status waves(void *context, int level, Int128 x, Int128 y, int width, int height, uint32_t *heights,
                    const Run *run, Error *error) {
    (void)context;
    (void)run;
    (void)error;
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            uint32_t sum = 0;
            for (int octave = 0; octave <= level; octave++) {
                const RandomKey key = random_key((uint64_t)octave, 7);
                const Int128 cx = (x + column) >> (level - octave), cy = (y + row) >> (level - octave);
                const int32_t bump =
                    (int32_t)(random_bits(key, (uint32_t)cx, (uint32_t)cy) >> 18) - (1 << 13);
                sum += (uint32_t)bump << (level - octave < 31 ? level - octave : 31);
            }
            heights[(size_t)row * (size_t)width + (size_t)column] = sum;
        }
    return STATUS_OK;
}

static Land *land_of(const Field *field, const LandRules *rules, bool source) {
    Land *land;
    Error error;
    assert_ok(land_create(&land, rules, field, 12, 0.5f, source ? waves : NULL, NULL, &alone, &error), error);
    return land;
}

static Land *some_land(const LandRules *rules, bool source) {
    Field field = hills(48, 40, 3);
    Land *land = land_of(&field, rules, source);
    field_free(&field);
    return land;
}

static LandWindow window_on(Land *land, const Run *run, int level, Int128 x, Int128 y, int width,
                            int height) {
    LandWindow window;
    Error error;
    assert_ok(land_window(land, run, level, x, y, width, height, &window, &error), error);
    return window;
}

static LandWindow window_of(Land *land, int level, Int128 x, Int128 y, int width, int height) {
    return window_on(land, &alone, level, x, y, width, height);
}

// All cells that two windows share are the same to the bit; there are some.
static void assert_agree(const LandWindow *a, const LandWindow *b) {
    int shared = 0;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const Int128 column = a->x + x - b->x, row = a->y + y - b->y;
            if (column < 0 || row < 0 || column >= b->width || row >= b->height)
                continue;
            const size_t i = (size_t)y * (size_t)a->width + (size_t)x,
                         j = (size_t)row * (size_t)b->width + (size_t)column;
            shared++;
            if (a->base + a->altitude[i] != b->base + b->altitude[j] || a->area[i] != b->area[j] ||
                a->receiver[i] != b->receiver[j])
                fail_msg("level %d: cell (%d, %d) differs: %d, %g, %d and %d, %g, %d", a->level, x, y,
                         (int)(a->altitude[i] + (a->base - b->base)), (double)a->area[i], a->receiver[i],
                         b->altitude[j], (double)b->area[j], b->receiver[j]);
        }
    assert_true(shared > 0);
}

static Int128 along(int cells, int level, double at) {
    const Int128 fine = (Int128)(at * 0x1p30) * cells;
    return level >= 30 ? fine << (level - 30) : fine >> (30 - level);
}

static void windows_agree(const LandRules *rules, bool source, const int *levels, int count) {
    for (int i = 0; i < count; i++) {
        const int level = levels[i];
        const Int128 x = along(48, level, 0.42), y = along(40, level, 0.57);
        const int size = level < 3 ? 20 : 70;
        Land *one = some_land(rules, source), *other = some_land(rules, source);
        LandWindow a = window_of(one, level, x, y, size, size + 9);
        LandWindow b = window_of(other, level, x + size / 2 + 3, y + size / 3, size, size);
        assert_agree(&a, &b);
        land_window_free(&b);
        b = window_of(one, level, x + size / 2 + 3, y + size / 3, size, size); // from what is kept
        assert_agree(&a, &b);
        land_window_free(&a);
        land_window_free(&b);
        land_free(one);
        land_free(other);
    }
}

static void windows_agree_at_all_levels(void **state) {
    (void)state;
    static const int levels[] = { 1, 3, 9, 22, 60, 90 };
    windows_agree(&land_rules_default, false, levels, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_agree_at_all_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
