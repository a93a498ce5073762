// Lakes from which more evaporates than comes in: what is drawn of them evaporates what comes in.

#include "rivermap/maps.h"

#include "land/level.h"
#include "land/runoff.h"
#include "land/salt_lakes.h"
#include "rivermap/eroded/atlas.h"
#include "rivermap/eroded/lake_pixels.h"

static const Run alone = { .threads = 1 };

enum { LEAST_WET = 16 }; // cells of level 0

// What runs off the ground, and what a lake evaporates, mm a year.
#define GROUND 60.0f
#define EVAPORATED 1500.0f

static RiverMap *make_lakes(const char *tiling) {
    _Alignas(16) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_river_map, params);
    assert_ok(param_set_text(operation_param(&op_river_map, "tiling"), params, tiling, &error), error);
    *(double *)(void *)(params + operation_param(&op_river_map, "lakes")->offset) = 0.06;
    *(double *)(void *)(params + operation_param(&op_river_map, "temperature")->offset) = 1;
    assert_ok(run_operation(&op_river_map, (Call){ .seed = 7 }, params, outputs, &error), error);
    return outputs[0].value;
}

static size_t cells_of(const Land *land) {
    return (size_t)land->root.width * (size_t)land->root.height;
}

// Gives all ground the same runoff, and lowers the lakes by it.
static void set_water(const RiverMap *map, Land *land, float ground) {
    const bool planet = map->tiling->planet;
    const int width = 2 * land->root.width, height = 2 * land->root.height;
    float *local = calloc(4 * cells_of(land), sizeof *local);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t root = (size_t)(y / 2) * (size_t)land->root.width + (size_t)(x / 2);
            local[(size_t)y * (size_t)width + (size_t)x] =
                land->root.receiver[root] == LAND_LAKE ? -EVAPORATED : ground;
        }
    float *even = calloc(4 * cells_of(land), sizeof *even);
    for (size_t i = 0; i < 4 * cells_of(land); i++)
        even[i] = ground;
    Error error;
    assert_ok(land_set_runoff(land, local, even, &error), error);
    for (int i = 0; i < width; i++) // also in lakes, by which smaller ones would be dry
        assert_near((double)land_local_runoff(land, 1, 0, i, i), (double)ground, 1e-3);
    free(local);
    free(even);
    const Call call = {
        .inputs = { { .value = map } }, .width = 256, .height = planet ? 128 : 256, .run = &alone
    };
    const WindowRequest asked = { .x = { .number = 0.5 }, .y = { .number = 0.5 }, .zoom = 1 };
    View view = { 0 };
    Atlas atlas;
    const int depth = eroded_of(map)->depth;
    assert_ok(view_set(&view, &call, &asked, &error), error);
    assert_ok(atlas_open(&atlas, &view, depth, 1 << depth, &error), error);
    LakePicture *beds = lake_beds_new(&atlas, &error);
    assert_non_null(beds);
    assert_ok(land_lower_lakes(land, lake_bed_depth, beds, &error), error);
    lake_beds_free(beds);
    atlas_close(&atlas);
}

static size_t outlet_of(const Land *land, size_t cell) {
    while (land->root.receiver[cell] == LAND_LAKE)
        cell = (size_t)land->target[cell];
    return cell;
}

// Of each outlet how many cells of level 0 its lake has.
static int *count_cells(const Land *land) {
    int *counts = calloc(cells_of(land), sizeof *counts);
    for (size_t i = 0; i < cells_of(land); i++)
        if (land->root.receiver[i] == LAND_LAKE)
            counts[outlet_of(land, i)]++;
    return counts;
}

// The same of what comes into it, mm a year of a cell. Lakes pass on what they do not evaporate.
static double *count_in(const Land *land, const int *counts, float ground) {
    double *in = calloc(cells_of(land), sizeof *in), *water = calloc(cells_of(land), sizeof *water);
    for (size_t i = cells_of(land); i-- > 0;) {
        const size_t cell = (size_t)land->upward[i];
        if (land->root.receiver[cell] == LAND_LAKE)
            continue;
        if (counts[cell] > 0)
            water[cell] = fmax(in[cell] - (double)EVAPORATED * counts[cell], 0);
        water[cell] += (double)ground;
        if (land->root.receiver[cell] >= NEIGHBOURS)
            continue;
        const size_t target = (size_t)land->target[cell], lake = outlet_of(land, target);
        *(counts[lake] > 0 ? &in[lake] : &water[target]) += water[cell];
    }
    free(water);
    return in;
}

// The same of what a picture of the whole map shows to be wet, in cells of level 0.
static double *count_wet(const RiverMap *map, const Land *land, int size) {
    Output outputs[OUTPUTS_MAX] = { 0 };
    render_well(map, (MapWindow){ .x = 0.5, .y = 0.5, .zoom = 1, .width = size, .height = size }, outputs);
    const Field *water = &outputs[3].field;
    const int each = size / land->root.width;
    double *wet = calloc(cells_of(land), sizeof *wet);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const size_t cell = (size_t)(y / each) * (size_t)land->root.width + (size_t)(x / each);
            if (land->root.receiver[cell] == LAND_LAKE && field_row(water, y)[x] > 0)
                wet[outlet_of(land, cell)] += 1.0 / (each * each);
        }
    outputs_free(outputs);
    return wet;
}

// What comes into lakes, and how many cells of them a picture shows to be wet.
typedef struct Balance {
    double *in, *out;
} Balance;

static Balance find_balance(const RiverMap *map, Land *land, const int *counts, float ground, int size) {
    set_water(map, land, ground);
    return (Balance){ count_in(land, counts, ground), count_wet(map, land, size) };
}

static void free_balance(Balance *balance) {
    free(balance->in);
    free(balance->out);
}

static void lakes_evaporate_what_comes_in(void **state) {
    (void)state;
    RiverMap *map = make_lakes("right");
    Land *land;
    Error error;
    assert_ok(eroded_land(map, &alone, &land, &error), error);
    int *counts = count_cells(land), balanced = 0;
    for (int size = 512; size <= 1024; size *= 2) {
        Balance whole = find_balance(map, land, counts, GROUND, size),
                half = find_balance(map, land, counts, GROUND / 2, size);
        for (size_t i = 0; i < cells_of(land); i++) {
            const double in = whole.in[i] / (double)EVAPORATED;
            if (in < LEAST_WET || in > 0.7 * counts[i])
                continue;
            if (getenv("ESKER_FIGURES"))
                printf("%d pixels: of %d cells as much as %.2f comes in, %.2f is wet; %.2f and %.2f\n", size,
                       counts[i], in, whole.out[i], half.in[i] / (double)EVAPORATED, half.out[i]);
            assert_near(whole.out[i] / in, 1, 0.12);
            assert_near(half.out[i] / whole.out[i], half.in[i] / whole.in[i], 0.075);
            balanced++;
        }
        free_balance(&whole);
        free_balance(&half);
    }
    assert_true(balanced >= 8);
    free(counts);
    value_free(&type_map, &map);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(lakes_evaporate_what_comes_in) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
