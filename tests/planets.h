// Planets of bumps, on which C tests of faces and their seams work.

#ifndef ESKER_TEST_PLANETS_H
#define ESKER_TEST_PLANETS_H

#include "support.h"

#include "core/parallel.h"
#include "land/land.h"

#include <math.h>

enum { SIDE = 16 };

static const Run alone = { .threads = 1 };

// Where the middle of a cell lies on the unit sphere.
static inline void place_on_sphere(int face, int x, int y, double place[3]) {
    const double right = tan(((2 * x + 1.0) / SIDE - 1) * atan(1)),
                 down = tan(((2 * y + 1.0) / SIDE - 1) * atan(1));
    const double out = 1 / sqrt(1 + right * right + down * down);
    const double places[CUBE_FACES][3] = { { right, -down, 1 },  { 1, -down, -right }, { -right, -down, -1 },
                                           { -1, -down, right }, { right, 1, down },   { right, -1, -down } };
    for (int i = 0; i < 3; i++)
        place[i] = places[face][i] * out;
}

static inline float bumps(const double place[3], double size, uint64_t seed) {
    int cell[3];
    float part[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        const double at = (place[i] + 2) / size;
        cell[i] = (int)at;
        part[i] = (float)(at - cell[i]);
    }
    for (int corner = 0; corner < 8; corner++) {
        float weight = 1;
        uint32_t at[3];
        for (int i = 0; i < 3; i++) {
            const int more = corner >> i & 1;
            at[i] = (uint32_t)(cell[i] + more);
            weight *= more ? part[i] : 1 - part[i];
        }
        sum += weight * random_signed(random_key(seed, at[2]), at[0], at[1]);
    }
    return sum;
}

static inline Land *planet_by(LandRules rules, uint64_t seed, float sea) {
    Field field;
    Land *land;
    Error error;
    rules.planet = true;
    rules.hillslope = 0;
    assert_ok(field_create(&field, SIDE, CUBE_FACES * SIDE, &error), error);
    for (int face = 0; face < CUBE_FACES; face++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                double place[3];
                place_on_sphere(face, x, y, place);
                field_row(&field, face * SIDE + y)[x] =
                    5 * bumps(place, 0.5, seed) + bumps(place, 0.1, seed + 1) - sea;
            }
    assert_ok(land_create(&land, &rules, &field, true, &alone, &error), error);
    field_free(&field);
    return land;
}

// `graded`: the last level whose relief the law makes.
static inline Land *graded_planet(uint64_t seed, float sea, int graded) {
    LandRules rules = land_rules_default;
    rules.graded = graded;
    return planet_by(rules, seed, sea);
}

static inline Land *planet(uint64_t seed, float sea) {
    return graded_planet(seed, sea, land_rules_default.graded);
}

#endif
