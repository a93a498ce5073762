// Lattices against the square-by-square rules.

#include "rivermap/maps.h"
#include "rivermap/square/lattice.h"

static void check_crossing(Crossing seen, Crossing wanted, Int128 off) {
    assert_int_equal(seen.river, wanted.river);
    if (!wanted.river)
        return;
    assert_true(seen.altitude == wanted.altitude + off);
    assert_true(seen.basin == wanted.basin);
    assert_int_equal(seen.forwards, wanted.forwards);
}

// `place`: of the lattice's cells.
static void check_square(const Constants *constants, const Square *square, const Lattice *lattice,
                         const Square *place, int x, int y) {
    if (square->depth < place->depth) {
        const int half = 1 << (place->depth - square->depth - 1);
        Square quarters[4];
        square_split(constants, square, quarters);
        for (int i = 0; i < 4; i++)
            check_square(constants, &quarters[i], lattice, place, x + i % 2 * half, y + i / 2 * half);
        return;
    }
    const Square seen = lattice_square(lattice, place, x, y);
    const Int128 off = square->base - place->base;
    assert_true(seen.x == square->x && seen.y == square->y && seen.rising == square->rising);
    for (int i = 0; i < 4; i++) {
        assert_true(seen.corners[i].altitude == square->corners[i].altitude + off);
        assert_int_equal(seen.corners[i].seed, square->corners[i].seed);
    }
    if (!constants->rivers)
        return;
    for (int i = 0; i < 4; i++)
        check_crossing(seen.sides[i], square->sides[i], off);
    check_crossing(seen.diagonal, square->diagonal, off);
}

// Every vertex, seed and crossing, at several depths, down a random way into the map; every third has a
// guide, every second has islands.
static void a_lattice_is_what_the_rules_say(void **state) {
    (void)state;
    static LatticePair pair;
    Field guide = sketch(70, 40);
    int rivers = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        RiverMap *map = make_guided(seed, seed % 3 == 0 ? &guide : NULL);
        map->constants.rivers = seed % 4 != 0;
        map->constants.islands = seed % 2 != 0;
        Square square = first_square(map);
        for (int depth = 0; depth < 60; depth++) {
            if (depth % 6 == 0 && lattice_holds(&square, LATTICE_DEPTH)) {
                const Lattice *lattice = lattice_fill(&map->constants, &square, LATTICE_DEPTH, &pair);
                const Square place = lattice_place(&square, LATTICE_DEPTH);
                check_square(&map->constants, &square, lattice, &place, 0, 0);
                for (int y = 0; y < lattice->cells; y++)
                    rivers += __builtin_popcountll(lattice->rivers.diagonals[y]);
            }
            Square quarters[4];
            square_split(&map->constants, &square, quarters);
            int next = (int)(random_bits(random_key(seed, 9), (uint32_t)depth, 0) % 4);
            for (int i = 0; i < 4; i++) // where there is a river, along it
                if (quarters[i].diagonal.river)
                    next = i;
            square = quarters[next];
        }
        memory_free(map);
    }
    assert_true(rivers > 1000);
    field_free(&guide);
}

// What a lattice does not hold is cut in 128 bits, which takes twenty times as long: it must be rare,
// wherever and however deep one looks.
static void nearly_every_square_fits_a_lattice(void **state) {
    (void)state;
    int steep = 0, all = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        RiverMap *map = make_map(seed);
        Square square = first_square(map);
        for (uint32_t depth = 0; depth < 90; depth++) {
            Square quarters[4];
            square_split(&map->constants, &square, quarters);
            square = quarters[random_bits(random_key(seed, 11), depth, 0) % 4];
            steep += !lattice_holds(&square, LATTICE_DEPTH);
            all++;
        }
        memory_free(map);
    }
    print_message("# of %d squares %d are too steep for a lattice\n", all, steep);
    assert_true(steep * 1000 <= all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_is_what_the_rules_say),
        cmocka_unit_test(nearly_every_square_fits_a_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
