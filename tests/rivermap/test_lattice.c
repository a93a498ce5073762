// Lattices against the square-by-square rules.

#include "rivermap/maps.h"
#include "rivermap/square/lattice.h"
#include "rivermap/view.h"

static void check_crossing(Crossing seen, Crossing wanted, Int128 off) {
    assert_int_equal(seen.river, wanted.river);
    if (!wanted.river)
        return;
    assert_true(seen.altitude == wanted.altitude + off);
    assert_true(seen.basin == wanted.basin);
    assert_int_equal(seen.forwards, wanted.forwards);
}

static bool is_in(CellArea area, int x, int y) {
    return x >= area.left && x < area.right && y >= area.top && y < area.bottom;
}

// `place`: of the lattice's cells, of which those of its area are checked.
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
    if (!is_in(lattice->area, x, y))
        return;
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

// Cells `first` … `end` - 1, at least one.
static void random_range(RandomKey key, uint32_t number, int *first, int *end) {
    const int a = (int)(random_bits(key, number, 1) % LATTICE_CELLS),
              b = (int)(random_bits(key, number, 2) % LATTICE_CELLS);
    *first = min(a, b);
    *end = max(a, b) + 1;
}

// Every vertex, seed and crossing, of all cells and of a part of them, at several depths, down a random way
// into the map; every third has a guide, every second has islands.
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
                const Square place = lattice_place(&square, LATTICE_DEPTH);
                CellArea part;
                random_range(random_key(seed, 1), (uint32_t)depth, &part.left, &part.right);
                random_range(random_key(seed, 2), (uint32_t)depth, &part.top, &part.bottom);
                memset(&pair, 0x55, sizeof pair); // what is left of another one
                const Lattice *lattice = lattice_fill(&map->constants, &square, LATTICE_DEPTH, part, &pair);
                check_square(&map->constants, &square, lattice, &place, 0, 0);
                lattice =
                    lattice_fill(&map->constants, &square, LATTICE_DEPTH, area_of_all(LATTICE_CELLS), &pair);
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

// Ground from flat to so steep that numbers of 32 bits do not hold it from the first, the last or some cut
// on, with the most that parameters may add by a cut.
static void a_lattice_widens_where_it_is_steep(void **state) {
    (void)state;
    static LatticePair pair;
    RiverMap *map = make_map(3);
    map->constants.k1 = 1;
    map->constants.k2 = 0.8f;
    int narrow = 0, widened = 0;
    for (int i = 0; i < 60; i++) {
        const RandomKey key = random_key((uint64_t)i, 6);
        Square square = { .depth = 40, .rising = i % 2, .x = (uint64_t)i };
        const int64_t most = (int64_t)1 << (8 + i % 20);
        for (uint32_t c = 0; c < 4; c++) {
            const int64_t altitude = whole_64((double)most * (double)random_signed(key, c, 0));
            square.corners[c] = (Vertex){ (altitude / 2) * 2, random_bits(key, c, 1) };
        }
        square.sides[i % 4] = (Crossing){ .river = true, .basin = 0.001f, .altitude = -most / 2 * 2 };
        const Lattice *lattice =
            lattice_fill(&map->constants, &square, LATTICE_DEPTH, area_of_all(LATTICE_CELLS), &pair);
        const Square place = lattice_place(&square, LATTICE_DEPTH);
        check_square(&map->constants, &square, lattice, &place, 0, 0);
        narrow += lattice->is_narrow;
        widened += !lattice->is_narrow && most <= (int64_t)1 << 20;
    }
    print_message("# %d narrow lattices, %d that became wide\n", narrow, widened);
    assert_true(narrow >= 15 && widened >= 3);
    memory_free(map);
}

// What a lattice does not hold takes longer: it must be rare, wherever and however deep one looks.
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

// --- cliffs ------------------------------------------------------------------------------------------------

typedef struct CliffCheck {
    const RiverMap *map;
    int cliffs, cells;
} CliffCheck;

static void check_cliff(const Constants *constants, const Square *square, const CliffLattice *lattice,
                        Int128 base, int depth, int x, int y) {
    if (depth > 0) {
        const int half = 1 << (depth - 1);
        Square quarters[4];
        square_split(constants, square, quarters);
        for (int i = 0; i < 4; i++)
            check_cliff(constants, &quarters[i], lattice, 2 * base, depth - 1, x + i % 2 * half,
                        y + i / 2 * half);
        return;
    }
    for (int i = 0; i < 4; i++) {
        const int vertex = (y + i / 2) * (lattice->cells + 1) + x + i % 2;
        const Int128 altitude = square->base + square->corners[i].altitude;
        double above, below;
        cliff_altitudes(lattice, vertex, 1, 0, &above);
        cliff_altitudes(lattice, vertex, 1, altitude - base, &below);
        assert_true(above == (double)(altitude - base));
        assert_true(below == 0); // to the last bit
        assert_int_equal(cliff_bits(lattice, vertex), (uint32_t)(altitude - base));
        assert_int_equal(lattice->seeds[vertex], square->corners[i].seed);
    }
}

static void count_lattice(void *context, const Square *square, const Lattice *lattice, int x, int y) {
    (void)context, (void)square, (void)lattice, (void)x, (void)y;
}

static void count_cell(void *context, const Square *cell, int x, int y) {
    CliffCheck *check = context;
    (void)cell, (void)x, (void)y;
    check->cells++;
}

static void check_whole_cliff(void *context, const Square *square, const CliffLattice *lattice, int x,
                              int y) {
    CliffCheck *check = context;
    (void)x, (void)y;
    check->cliffs++;
    check_cliff(&check->map->constants, square, lattice, square->base, log2_above(lattice->cells), 0, 0);
}

// Squares so steep that doubles do not hold them are cut in vectors, too, to the same bits, up to the map's
// highest ground; a river or a source in one takes it apart.
static void a_cliff_is_what_the_rules_say(void **state) {
    (void)state;
    static LatticePair pair;
    static const LatticeVisitor visitor = { count_lattice, count_cell, check_whole_cliff };
    RiverMap *map = make_map(3);
    CliffCheck check = { map, 0, 0 };
    for (int i = 0; i < 24; i++) {
        const RandomKey key = random_key((uint64_t)i, 5);
        Square square = { .depth = 62 + i, .rising = i % 2 };
        square.base = i % 3 == 0 ? 0 : whole_128(0.3 * ldexp(UNITS_PER_CELL, square.depth));
        const double most = ldexp(UNITS_PER_CELL, 62 + i / 2 - 1); // at first the highest there is
        for (uint32_t c = 0; c < 4; c++)
            square.corners[c] = (Vertex){ whole_128(most * (double)random_signed(key, c, 0)) & ~(Int128)1,
                                          random_bits(key, c, 1) };
        map->constants.rivers = i % 4 == 0;
        const int before = check.cells;
        lattice_visit(&map->constants, &square, LATTICE_DEPTH, area_of_all(LATTICE_CELLS), &pair, &visitor,
                      &check, 0, 0);
        assert_true(check.cells == before || map->constants.rivers);
        if (!map->constants.rivers) {
            square.sides[i % 4] = (Crossing){ .river = true, .altitude = square.corners[0].altitude };
            assert_null(cliff_fill(&map->constants, &square, LATTICE_DEPTH, &pair.cliffs));
        }
    }
    print_message("# %d lattices of cliffs, %d cells\n", check.cliffs, check.cells);
    assert_true(check.cliffs >= 20);
    memory_free(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_is_what_the_rules_say),
        cmocka_unit_test(a_lattice_widens_where_it_is_steep),
        cmocka_unit_test(nearly_every_square_fits_a_lattice),
        cmocka_unit_test(a_cliff_is_what_the_rules_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
