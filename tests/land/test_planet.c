// Eroded planets: windows agree over the edges and corners of the cube, and water crosses them.

#include "planets.h"

#include "core/math.h"
#include "water/drainage.h"

#include <string.h>

static LandFaces faces_of(Land *land, const Run *run, int level, const LandRect *rects) {
    LandFaces faces;
    Error error;
    memcpy(faces.wanted, rects, sizeof faces.wanted);
    assert_ok(land_faces(land, run, level, &faces, &error), error);
    return faces;
}

static LandFaces whole(Land *land, int level) {
    LandRect rects[CUBE_FACES];
    for (int face = 0; face < CUBE_FACES; face++)
        rects[face] = (LandRect){ 0, 0, SIDE << level, SIDE << level };
    return faces_of(land, &alone, level, rects);
}

// --- windows ----------------------------------------------------------------------------------------------

static void assert_agree(const LandFaces *all, const LandFaces *some, int *shared) {
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *a = &some->on[face], *b = &all->on[face];
        for (int y = 0; y < a->height && a->altitude; y++)
            for (int x = 0; x < a->width; x++) {
                const Int128 column = a->x + x - b->x, row = a->y + y - b->y;
                if (column < 0 || row < 0 || column >= b->width || row >= b->height)
                    continue;
                const size_t i = (size_t)y * (size_t)a->width + (size_t)x,
                             j = (size_t)row * (size_t)b->width + (size_t)column;
                ++*shared;
                if (a->base + a->altitude[i] != b->base + b->altitude[j] || a->area[i] != b->area[j] ||
                    a->receiver[i] != b->receiver[j])
                    fail_msg("level %d, face %d: cell (%d, %d) differs: %d, %g, %d and %d, %g, %d", a->level,
                             face, (int)(a->x + x), (int)(a->y + y),
                             (int)(a->altitude[i] + (a->base - b->base)), (double)a->area[i], a->receiver[i],
                             b->altitude[j], (double)b->area[j], b->receiver[j]);
            }
    }
}

static LandRect some_rect(RandomKey key, uint32_t number, int side, bool at_corner) {
    const int size = 4 + (int)(random_bits(key, number, 1) % 20);
    const int x = (int)(random_bits(key, number, 2) % (uint32_t)(side - size)),
              y = (int)(random_bits(key, number, 3) % (uint32_t)(side - size));
    return at_corner ? (LandRect){ 0, side - size, size, side } : (LandRect){ x, y, x + size, y + size };
}

static void windows_agree_over_edges_and_corners(void **state) {
    (void)state;
    Land *land = planet(5, 0), *cold = planet(5, 0);
    const Run threads = { .threads = 3 };
    int shared = 0;
    land_keep(cold, 0);
    for (int level = 1; level <= 2; level++) {
        LandFaces all = whole(land, level);
        for (uint32_t i = 0; i < 5; i++) {
            LandRect rects[CUBE_FACES] = { 0 };
            const RandomKey key = random_key(i, (uint32_t)level);
            for (uint32_t n = 0; n < 1 + i % 2; n++)
                rects[random_bits(key, n, 0) % (uint32_t)CUBE_FACES] =
                    some_rect(key, n, SIDE << level, i % 3 == 0);
            LandFaces some = faces_of(cold, &threads, level, rects);
            assert_agree(&all, &some, &shared);
            land_faces_free(&some);
        }
        land_faces_free(&all);
    }
    assert_true(shared > 1000);
    land_free(land);
    land_free(cold);
}

// A window whose margin ends on its face is made as on flat land.
static void windows_inside_a_face_agree_with_others(void **state) {
    (void)state;
    Land *land = planet(8, 0), *other = planet(8, 0);
    const int level = 6, side = SIDE << level;
    const LandRect inside[CUBE_FACES] = { { 0 }, { 0 }, { 448, 600, 480, 640 } },
                   at_edge[CUBE_FACES] = { { 0 }, { 0 }, { 464, 624, 480, side } };
    int shared = 0;
    LandFaces a = faces_of(land, &alone, level, inside), b = faces_of(other, &alone, level, at_edge);
    assert_agree(&a, &b, &shared);
    assert_int_equal(shared, 16 * 16);
    land_faces_free(&a);
    land_faces_free(&b);
    land_free(land);
    land_free(other);
}

static void windows_far_in_agree(void **state) {
    (void)state;
    Land *land = planet(6, -2), *other = planet(6, -2);
    int shared = 0;
    for (int i = 0; i < rounds(1); i++) {
        const int level = i % 2 ? 7 : 29;
        const Int128 side = (Int128)SIDE << level;
        const LandRect corner[CUBE_FACES] = { { side - 8, side - 8, side, side } }; // and what lies around
        LandRect edge[CUBE_FACES] = { { 0 }, { 0, side - 15, 20, side }, { 0 }, { 0 },
                                      { 0 }, { side - 25, 0, side, 10 } };
        LandFaces around = { 0 };
        memcpy(around.wanted, corner, sizeof corner);
        land_faces_spread(land, level, &around, 25);
        LandFaces large = faces_of(land, &alone, level, around.wanted),
                  small = faces_of(other, &alone, level, edge);
        assert_agree(&large, &small, &shared);
        land_faces_free(&large);
        land_faces_free(&small);
    }
    assert_true(shared > 500);
    land_free(land);
    land_free(other);
}

// --- water ------------------------------------------------------------------------------------------------

static size_t index_of(const LandFaces *faces, const CubeCell *cell) {
    const LandWindow *window = &faces->on[cell->face];
    return (size_t)cell->y * (size_t)window->width + (size_t)cell->x;
}

// The cell into which one drains.
static CubeCell below(const LandFaces *faces, CubeCell cell, int side) {
    const int direction = faces->on[cell.face].receiver[index_of(faces, &cell)];
    cell.x += neighbour_x[direction];
    cell.y += neighbour_y[direction];
    assert_true(cube_resolve(side, &cell));
    return cell;
}

typedef struct Count {
    int land, pits, crossings, gathered;
} Count;

static Int128 surface(const LandFaces *faces, const CubeCell *cell) {
    const LandWindow *window = &faces->on[cell->face];
    const Int128 altitude = window->base + window->altitude[index_of(faces, cell)];
    return altitude > 0 ? altitude : 0;
}

static void check_cell(const LandFaces *faces, CubeCell cell, int side, float *sums, Count *count) {
    const LandWindow *window = &faces->on[cell.face];
    const size_t own = index_of(faces, &cell);
    const size_t faces_cells = (size_t)side * (size_t)side;
    if (window->receiver[own] == LAND_SEA)
        return;
    count->land++;
    if (window->receiver[own] == LAND_NONE) {
        count->pits++;
        return;
    }
    const CubeCell next = below(faces, cell, side);
    count->crossings += next.face != cell.face;
    if (surface(faces, &next) >= surface(faces, &cell))
        fail_msg("face %d: (%d, %d) rises", cell.face, (int)cell.x, (int)cell.y);
    sums[(size_t)next.face * faces_cells + index_of(faces, &next)] += window->area[own];
}

// Nothing rises, also over edges, and free ground's discharge is its own cell and its donors'.
static Count assert_water_runs_down(const LandFaces *faces, int side) {
    Count count = { 0 };
    const size_t cells = (size_t)side * (size_t)side;
    float *sums = calloc(CUBE_FACES * cells, sizeof *sums);
    for (int face = 0; face < CUBE_FACES; face++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                check_cell(faces, (CubeCell){ face, x, y, 0 }, side, sums, &count);
    for (int face = 0; face < CUBE_FACES; face++)
        for (size_t i = 0; i < cells; i++) {
            const LandWindow *window = &faces->on[face];
            if (window->receiver[i] == LAND_SEA || window->area[i] >= 23)
                continue;
            count.gathered++;
            if (window->area[i] != 1 + sums[(size_t)face * cells + i])
                fail_msg("face %d, cell (%zu, %zu) drains %g, and its donors %g", face, i % (size_t)side,
                         i / (size_t)side, (double)window->area[i], (double)sums[(size_t)face * cells + i]);
        }
    free(sums);
    return count;
}

static void water_runs_down_over_edges(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) { // with sea, and a planet without any
        Land *land = planet(7, kind ? -30 : 0);
        for (int level = 0; level <= (UNDER_SANITIZERS ? 1 : 2); level++) {
            LandFaces faces = whole(land, level);
            const Count count = assert_water_runs_down(&faces, SIDE << level);
            assert_true(count.crossings > 2 * SIDE);
            assert_true(count.pits * 1000 <= count.land);
            land_faces_free(&faces);
        }
        land_free(land);
    }
}

// Land cells along a line of cells, and those that drain over it.
typedef struct Crossed {
    int land, over;
} Crossed;

static void cross(const LandWindow *window, int x, int y, bool down, int over, Crossed *crossed) {
    const int receiver = window->receiver[y * window->width + x];
    if (receiver == LAND_SEA)
        return;
    crossed->land++;
    crossed->over += receiver < NEIGHBOURS && (down ? neighbour_y : neighbour_x)[receiver] == over;
}

// The ratio of the two shares is 1 within errors. Of four planets its standard deviation is 0.14, as streams
// side by side run the same way; of 64 it is 0.036, and the limit three of these.
static void edges_are_no_watersheds(void **state) {
    (void)state;
    if (UNDER_SANITIZERS) // a measurement, which shows them nothing new
        return;
    Crossed edges = { 0, 0 }, within = { 0, 0 };
    for (uint64_t seed = 11; seed < 75; seed++) {
        Land *land = planet(seed, 0);
        LandFaces faces = whole(land, 1);
        const int last = 2 * SIDE - 1;
        for (int face = 0; face < CUBE_FACES; face++)
            for (int i = 0; i <= last; i++) {
                const LandWindow *window = &faces.on[face];
                cross(window, last, i, false, 1, &edges);
                cross(window, i, 0, true, -1, &edges);
                for (int line = SIDE / 2; line < last; line += SIDE / 2) {
                    cross(window, line, i, false, 1, &within);
                    cross(window, i, line, true, -1, &within);
                }
            }
        land_faces_free(&faces);
        land_free(land);
    }
    const double at_edges = edges.over / (double)edges.land, elsewhere = within.over / (double)within.land;
    if (!(fabs(at_edges / elsewhere - 1) < 0.11))
        fail_msg("%g of the cells at edges drain over them, %g elsewhere", at_edges, elsewhere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_agree_over_edges_and_corners),
        cmocka_unit_test(windows_inside_a_face_agree_with_others),
        cmocka_unit_test(windows_far_in_agree),
        cmocka_unit_test(water_runs_down_over_edges),
        cmocka_unit_test(edges_are_no_watersheds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
