// Maps and windows of them, for the tests of src/rivermap.

#ifndef ESKER_TEST_MAPS_H
#define ESKER_TEST_MAPS_H

#include "support.h"

#include "operations.h"
#include "rivermap/tiling.h"

#include <math.h>

// Zoomable maps: guides, windows against each other, planets, and what is refused.

#include "rivermap/maps.h"

// Altitudes -1 … 1 with sea around.
static inline Field sketch(int width, int height) {
    Field field = noise_field(width, height, 7);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float off_x = (float)x / (float)(width - 1) - 0.5f,
                        off_y = (float)y / (float)(height - 1) - 0.5f;
            const float altitude =
                0.4f * field_row(&field, y)[x] + 0.4f - 3 * (off_x * off_x + off_y * off_y);
            field_row(&field, y)[x] = altitude < -1 ? -1 : altitude;
        }
    return field;
}

static inline Status try_map(uint64_t seed, const Field *guide, const char *tiling, Output *outputs,
                             Error *error) {
    _Alignas(16) unsigned char params[16384];
    params_initialise(&op_river_map, params);
    assert_ok(param_set_text(operation_param(&op_river_map, "tiling"), params, tiling, error), *error);
    assert_ok(param_set_text(operation_param(&op_river_map, "land"), params, "raw", error), *error);
    *(const Field **)(void *)(params + operation_param(&op_river_map, "guide")->offset) = guide;
    return run_operation(&op_river_map, (Call){ .seed = seed }, params, outputs, error);
}

static inline RiverMap *make_guided(uint64_t seed, const Field *guide) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(try_map(seed, guide, "right", outputs, &error), error);
    return outputs[0].value;
}

static inline RiverMap *make_map(uint64_t seed) {
    return make_guided(seed, NULL);
}

static inline RiverMap *make_tiled(uint64_t seed, const char *tiling) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(try_map(seed, NULL, tiling, outputs, &error), error);
    return outputs[0].value;
}

static inline RiverMap *make_wide(uint64_t seed, const char *tiling) {
    _Alignas(16) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_river_map, params);
    assert_ok(param_set_text(operation_param(&op_river_map, "tiling"), params, tiling, &error), error);
    assert_ok(param_set_text(operation_param(&op_river_map, "land"), params, "raw", &error), error);
    assert_ok(param_set_number(operation_param(&op_river_map, "river_width"), params, 0.02, &error), error);
    *(bool *)(params + operation_param(&op_river_map, "wide")->offset) = true;
    assert_ok(run_operation(&op_river_map, (Call){ .seed = seed }, params, outputs, &error), error);
    return outputs[0].value;
}

typedef struct MapWindow {
    double x, y, zoom;
    const char *x_text, *y_text;
    int width, height, threads;
    bool relative;
} MapWindow;

static inline Status render(const RiverMap *map, MapWindow view, Output *outputs, Error *error) {
    _Alignas(16) unsigned char params[16384];
    params_initialise(&op_render, params);
    const Param *x = operation_param(&op_render, "x"), *y = operation_param(&op_render, "y");
    Status status = view.x_text ? param_set_text(x, params, view.x_text, error)
                                : param_set_number(x, params, view.x, error);
    if (status == STATUS_OK)
        status = view.y_text ? param_set_text(y, params, view.y_text, error)
                             : param_set_number(y, params, view.y, error);
    if (status == STATUS_OK)
        status = param_set_number(operation_param(&op_render, "zoom"), params, view.zoom, error);
    if (status != STATUS_OK)
        return status;
    *(bool *)(params + operation_param(&op_render, "relative")->offset) = view.relative;
    const Run run = { .threads = view.threads ? view.threads : 1 };
    const Call call = {
        .run = &run, .inputs = { { .value = map } }, .width = view.width, .height = view.height
    };
    return run_operation(&op_render, call, params, outputs, error);
}

static inline void render_well(const RiverMap *map, MapWindow view, Output *outputs) {
    Error error;
    assert_ok(render(map, view, outputs, &error), error);
}

static inline void check_part(const Field *whole, const Field *part, int left, int top) {
    for (int y = 0; y < part->height; y++)
        assert_memory_equal(field_row(whole, top + y) + left, field_row(part, y),
                            (size_t)part->width * sizeof(float));
}

static inline void check_windows(const RiverMap *map, double zoom) {
    const int size = UNDER_SANITIZERS ? 128 : 256, half = size / 2;
    const MapWindow view = { .x = 0.5, .y = 0.5, .zoom = zoom, .width = size, .height = size, .threads = 2 };
    Output whole[OUTPUTS_MAX] = { 0 }, part[OUTPUTS_MAX] = { 0 };
    render_well(map, view, whole);
    const bool exact = zoom < 0x1p51 && log2(zoom) == floor(log2(zoom)); // places that a double holds
    for (int quarter = 0; exact && quarter < 4; quarter++) {
        MapWindow closer = { .x = 0.5, .y = 0.5, .zoom = 2 * zoom, .width = half, .height = half };
        closer.x += (quarter % 2 - 0.5) / (2 * zoom);
        closer.y += (quarter < 2 ? -0.5 : 0.5) / (2 * zoom);
        render_well(map, closer, part);
        check_part(&whole[0].field, &part[0].field, quarter % 2 * half, quarter / 2 * half);
        check_part(&whole[1].field, &part[1].field, quarter % 2 * half, quarter / 2 * half);
        outputs_free(part);
    }
    MapWindow narrow = view; // the same centre, fewer rows
    narrow.height = size - 2 * 38;
    render_well(map, narrow, part);
    check_part(&whole[0].field, &part[0].field, 0, 38);
    check_part(&whole[1].field, &part[1].field, 0, 38);
    outputs_free(part);
    outputs_free(whole);
}

#endif
