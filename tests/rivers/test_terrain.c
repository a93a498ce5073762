// Terrain shaped by rivers: water finds its bed.

#include "support.h"

#include "operations.h"
#include "rivers/network.h"
#include "water/drainage.h"

#include <math.h>
#include <stdlib.h>

_Alignas(64) static unsigned char params[16384];

typedef struct Land {
    Output network[OUTPUTS_MAX], terrain[OUTPUTS_MAX];
} Land;

static Land make(uint64_t seed, bool island, int style, double scale, int width, int height) {
    Land land;
    Error error;
    params_initialise(&op_river_network, params);
    assert_ok(param_set_number(operation_param(&op_river_network, "points"), params, 1500, &error), error);
    if (island)
        assert_ok(param_set_text(operation_param(&op_river_network, "boundary"), params, "ellipse", &error),
                  error);
    assert_ok(run_operation(&op_river_network, (Call){ .width = width, .height = height, .seed = seed },
                            params, land.network, &error),
              error);
    params_initialise(&op_terrain, params);
    assert_ok(param_set_number(operation_param(&op_terrain, "scale"), params, scale, &error), error);
    assert_ok(
        param_set_text(operation_param(&op_terrain, "style"), params, style ? "paper" : "valleys", &error),
        error);
    assert_ok(run_operation(&op_terrain,
                            (Call){ .inputs = { { .value = land.network[0].value } }, .seed = seed }, params,
                            land.terrain, &error),
              error);
    return land;
}

static void release(Land *land) {
    outputs_free(land->network);
    outputs_free(land->terrain);
}

// What the network's lines pass through: cells within `near` of one.
static unsigned char *mark(const RiverNetwork *network, int width, int height, double near) {
    unsigned char *marks = memory_new_zeroed((size_t)width * (size_t)height, 1, NULL);
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 1; k < network->reaches[i].count; k++) {
            const Vec2 a = { points[k - 1].x, points[k - 1].y }, b = { points[k].x, points[k].y };
            const double wide = near + 0.5 * (double)points[k].width;
            for (int y = (int)(fmin(a.y, b.y) - wide); y <= (int)(fmax(a.y, b.y) + wide); y++)
                for (int x = (int)(fmin(a.x, b.x) - wide); x <= (int)(fmax(a.x, b.x) + wide); x++) {
                    const Vec2 here = { x + 0.5, y + 0.5 };
                    const double along = nearest_on_line(a, b, here);
                    const Vec2 nearest = { a.x + (b.x - a.x) * along, a.y + (b.y - a.y) * along };
                    if (x >= 0 && y >= 0 && x < width && y < height && vec2_distance(here, nearest) <= wide)
                        marks[(size_t)y * (size_t)width + (size_t)x] = 1;
                }
        }
    }
    return marks;
}

// The share of river cells whose water stays in river beds all the way to the border or the sea.
static double share_that_follows(const Land *land) {
    const RiverNetwork *network = land->network[0].value;
    const Field *height = &land->terrain[0].field, *river = &land->terrain[1].field;
    Error error;
    Drainage drainage = { .height = height };
    const size_t cells = field_count(height);
    assert_ok(field_create(&drainage.filled, height->width, height->height, &error), error);
    assert_ok(drainage_find(&on_threads(1), &drainage, &error), error);
    unsigned char *bed = mark(network, height->width, height->height, 1.5);
    double rivers = 0, follow = 0;
    for (size_t i = 0; i < cells; i++) {
        if (river->cells[i] < 0.05f || height->cells[i] < 0)
            continue;
        size_t at = i;
        bool inside = true;
        while (drainage.direction[at] != DRAINS_OFF && inside) {
            at = neighbour_of(height, at, drainage.direction[at]);
            inside = bed[at] || height->cells[at] < 0;
        }
        rivers++;
        follow += inside;
    }
    memory_free(bed);
    memory_free(drainage.direction);
    field_free(&drainage.filled);
    assert_true(rivers > 500);
    return follow / rivers;
}

static void water_follows_the_network(void **state) {
    (void)state;
    const uint64_t seeds = (uint64_t)rounds(3);
    double least = 1;
    uint64_t worst = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++)
        for (int island = 0; island < 2; island++) {
            Land land = make(seed, island, 0, 1, 512, 512);
            const double share = share_that_follows(&land);
            worst = share < least ? seed : worst;
            least = share < least ? share : least;
            release(&land);
        }
    print_message("# at least %.4f of river cells, of seed %d\n", least, (int)worst);
    assert_true(least >= 0.99);
}

// The reach whose line is nearest to a place, in cells of the network.
static int nearest_reach(const RiverNetwork *network, Vec2 here) {
    int nearest = -1;
    double least = 1e9;
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 1; k < network->reaches[i].count; k++) {
            const Vec2 a = { points[k - 1].x, points[k - 1].y }, b = { points[k].x, points[k].y };
            const double along = nearest_on_line(a, b, here);
            const Vec2 at = { a.x + (b.x - a.x) * along, a.y + (b.y - a.y) * along };
            const double distance = vec2_distance(here, at);
            if (distance < least) {
                least = distance;
                nearest = i;
            }
        }
    }
    return nearest;
}

// Beside the water, on both sides, two cells from its edge, unless another river is nearer there.
static void rivers_lie_below_their_banks(void **state) {
    (void)state;
    int banks = 0, higher = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Land land = make(seed, true, 0, 2, 256, 256);
        const Field *height = &land.terrain[0].field;
        const RiverNetwork *network = land.network[0].value;
        for (int i = 0; i < network->reach_count; i++) {
            const RiverPoint *points = network->points + network->reaches[i].first;
            for (int k = 1; k < network->reaches[i].count; k++) {
                const double dx = points[k].x - points[k - 1].x, dy = points[k].y - points[k - 1].y;
                const double length = sqrt(dx * dx + dy * dy), off = 0.5 * (double)points[k - 1].width + 1;
                for (int side = -1; side <= 1 && length > 0; side += 2) {
                    const Vec2 bank = { points[k - 1].x + 0.5 * dx - side * dy / length * off,
                                        points[k - 1].y + 0.5 * dy + side * dx / length * off };
                    const int x = (int)floor(2 * bank.x), y = (int)floor(2 * bank.y);
                    if (x < 0 || y < 0 || x >= height->width || y >= height->height ||
                        field_row(height, y)[x] < 0 || nearest_reach(network, bank) != i)
                        continue;
                    banks++;
                    higher += field_row(height, y)[x] >= points[k].altitude;
                }
            }
        }
        release(&land);
    }
    print_message("# %d of %d banks\n", higher, banks);
    assert_true(banks > 5000 && higher >= 0.998 * banks);
}

static void heights_stay_in_range(void **state) {
    (void)state;
    for (int style = 0; style < 2; style++)
        for (int island = 0; island < 2; island++) {
            Land land = make(5, island, style, 1.37, 200, 150);
            const Field *height = &land.terrain[0].field, *river = &land.terrain[1].field;
            assert_int_equal(height->width, 274);
            assert_int_equal(height->height, 206);
            for (size_t i = 0; i < field_count(height); i++) {
                assert_true(height->cells[i] <= 1 && height->cells[i] > (island && !style ? -0.15f : -1e-6f));
                assert_true(river->cells[i] >= 0 && river->cells[i] < 6);
                assert_true(!(river->cells[i] > 0) || height->cells[i] >= 0);
            }
            release(&land);
        }
}

// Tiles leave valleys out that cannot be the lowest: none that was.
static void tiles_know_their_lowest_valleys(void **state) {
    (void)state;
    Land land = make(3, false, 0, 1, 300, 200);
    const RiverNetwork *network = land.network[0].value;
    const Field *height = &land.terrain[0].field;
    // Without roughness and floors a height has a closed form: try all stretches.
    Output plain[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_terrain, params);
    const char *const zero[] = { "roughness", "floodplain", "upstream" };
    for (int i = 0; i < 3; i++)
        assert_ok(param_set_number(operation_param(&op_terrain, zero[i]), params, 0, &error), error);
    assert_ok(run_operation(&op_terrain, (Call){ .inputs = { { .value = network } } }, params, plain, &error),
              error);
    for (int y = 3; y < height->height; y += 7)
        for (int x = 2; x < height->width; x += 5) {
            double lowest = 1e9;
            const Vec2 here = { x + 0.5, y + 0.5 };
            for (int i = 0; i < network->reach_count; i++) {
                const RiverPoint *points = network->points + network->reaches[i].first;
                for (int k = 1; k < network->reaches[i].count; k++) {
                    const Vec2 a = { points[k - 1].x, points[k - 1].y }, b = { points[k].x, points[k].y };
                    const double along = nearest_on_line(a, b, here);
                    const Vec2 nearest = { a.x + (b.x - a.x) * along, a.y + (b.y - a.y) * along };
                    const double bed = fmax(0.75, 0.5 * (double)points[k - 1].width);
                    const double beyond = fmax(0, vec2_distance(here, nearest) - bed);
                    const double side = 10.0 / 300 * (beyond + 0.5 * fmin(2, beyond));
                    const double altitude =
                        (double)points[k - 1].altitude +
                        along * ((double)points[k].altitude - (double)points[k - 1].altitude);
                    lowest = fmin(lowest, altitude + side);
                }
            }
            const double over = (lowest - 0.8) / 0.2;
            const double expected = over > 0 ? 0.8 + 0.2 * over / sqrt(1 + over * over) : lowest;
            assert_near((double)field_row(&plain[0].field, y)[x], expected, 2e-5);
        }
    outputs_free(plain);
    release(&land);
}

// Speirs 2020, section 4.2: disks along the rivers, each with the altitude of its middle plus the slope times
// the distance, and the weight (1 - (x/r)²)³. Where none reaches, land has the greatest height.
static void the_paper_blends_disks(void **state) {
    (void)state;
    Land land = make(3, false, 1, 1, 130, 90);
    const RiverNetwork *network = land.network[0].value;
    const Field *height = &land.terrain[0].field, *river = &land.terrain[1].field;
    const double radius = 0.025 * 130, slope = 10.0 / 130;
    double longest = 0;
    for (int i = 0; i < network->point_count; i++)
        longest = fmax(longest, (double)network->points[i].distance);
    for (int y = 0; y < height->height; y += 5)
        for (int x = 0; x < height->width; x++) {
            double weights = 0, sum = 0;
            for (int i = 0; i < network->reach_count; i++) {
                const RiverPoint *points = network->points + network->reaches[i].first;
                for (int k = 1; k < network->reaches[i].count; k++) {
                    const RiverPoint *a = &points[k - 1], *b = &points[k];
                    const double length = hypot(b->x - a->x, b->y - a->y);
                    const int disks = (int)length + 1; // one a cell
                    for (int disk = 0; disk < disks; disk++) {
                        const double along = (disk + 0.5) / disks;
                        const double distance = hypot(x + 0.5 - a->x - along * (b->x - a->x),
                                                      y + 0.5 - a->y - along * (b->y - a->y));
                        const double near = fmax(0, 1 - distance * distance / (radius * radius));
                        const double altitude =
                            0.8 / longest * ((1 - along) * (double)a->distance + along * (double)b->distance);
                        weights += length / disks * near * near * near;
                        sum += length / disks * near * near * near * (altitude + slope * distance);
                    }
                }
            }
            if (!(field_row(river, y)[x] > 0) && (weights > 1e-4 || weights == 0))
                assert_near((double)field_row(height, y)[x], weights > 0 ? fmin(sum / weights, 1) : 1, 1e-4);
        }
    release(&land);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_follows_the_network), cmocka_unit_test(rivers_lie_below_their_banks),
        cmocka_unit_test(heights_stay_in_range),     cmocka_unit_test(tiles_know_their_lowest_valleys),
        cmocka_unit_test(the_paper_blends_disks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
