// Courses of rivers on an atlas, of one face or of six: a way is the same from wherever it is looked at, also
// over edges of faces whose columns and rows are turned.

#include "rivermap/maps.h"

#include "rivermap/eroded/river_courses.h"

static const Run alone = { .threads = 1 };

// With all rivers so wide that their courses are smoothed over as many cells as any.
static RiverMap *make_eroded(uint64_t seed, const char *tiling) {
    _Alignas(16) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_river_map, params);
    assert_ok(param_set_text(operation_param(&op_river_map, "tiling"), params, tiling, &error), error);
    assert_ok(run_operation(&op_river_map, (Call){ .seed = seed }, params, outputs, &error), error);
    RiverMap *map = outputs[0].value;
    map->width = 1;
    return map;
}

// The whole map, and what is around it.
static void open_atlas(RiverMap *map, View *view, Atlas *atlas) {
    const Call call = { .inputs = { { .value = map } },
                        .width = 1024,
                        .height = map->tiling->planet ? 512 : 1024,
                        .run = &alone };
    const WindowRequest asked = { .x = { .number = 0.5 }, .y = { .number = 0.5 }, .zoom = 1 };
    Error error;
    *view = (View){ 0 };
    assert_ok(view_set(view, &call, &asked, &error), error);
    const int depth = atlas_depth(view);
    assert_ok(atlas_open(atlas, view, depth, river_reach(map, depth), &error), error);
}

static void assert_same_place(const StreamPlace *a, const StreamPlace *b) {
    assert_int_equal(a->at.face, b->at.face);
    assert_true(a->at.x == b->at.x && a->at.y == b->at.y && a->height == b->height);
    assert_true(a->along[0] == b->along[0] && a->along[1] == b->along[1] && a->from_sea == b->from_sea);
}

// Where a river's line ends in a cell, that cell's begins; returns how many of them lead over edges, by the
// quarters that these turn.
static void compare_ways(const Atlas *atlas, int turned[4]) {
    const float least = (float)stream_area(atlas->view->map, atlas->depth);
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandRect *shown = &atlas->shown[face];
        const LandWindow *land = &atlas->land.on[face];
        for (Int128 y = shown->top; y < shown->bottom; y++)
            for (Int128 x = shown->left; x < shown->right; x++) {
                const AtlasCell cell = { face, (int)(x - land->x), (int)(y - land->y), 0 };
                Stream above, below;
                if (!stream_at(atlas, cell, least, true, &above) || above.ends)
                    continue;
                AtlasCell to = above.to;
                to.turn = 0;
                if (!stream_at(atlas, to, 1, true, &below))
                    continue;
                assert_same_place(&above.to_at, &below.at);
                turned[above.to.turn]++;
            }
    }
}

static void ways_agree_over_all_edges(void **state) {
    (void)state;
    static const struct {
        const char *tiling;
        int seed, edges;
    } atlases[] = { { "right", 2, 0 }, { "sphere", 4, 3 }, { "sphere", 5, 3 } };
    for (size_t i = 0; i < sizeof atlases / sizeof *atlases; i++) {
        RiverMap *map = make_eroded((uint64_t)atlases[i].seed, atlases[i].tiling);
        int turned[4] = { 0 };
        View view;
        Atlas atlas;
        open_atlas(map, &view, &atlas);
        compare_ways(&atlas, turned);
        print_message("# %s: %d ways, %d, %d and %d over edges that turn\n", atlases[i].tiling, turned[0],
                      turned[1], turned[2], turned[3]);
        assert_true(turned[0] > 1000);
        assert_true((turned[1] > 0) + (turned[2] > 0) + (turned[3] > 0) >= atlases[i].edges);
        atlas_close(&atlas);
        type_map.free(map);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(ways_agree_over_all_edges) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
