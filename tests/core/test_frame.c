// Coordinate systems of frames: which are the same on the ground, whatever their heights count from.

#include "support.h"

#include "core/frame.h"

#define WGS84                                                                                                \
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS "                                                   \
    "84\",6378137,298.257223563,AUTHORITY[\"EPSG\",\"7030\"]],"                                              \
    "AUTHORITY[\"EPSG\",\"6326\"]],PRIMEM[\"Greenwich\",0,AUTHORITY[\"EPSG\",\"8901\"]],UNIT[\"degree\","    \
    "0.0174532925199433,AUTHORITY[\"EPSG\",\"9122\"]],AUTHORITY[\"EPSG\",\"4326\"]]"
#define OWN(name)                                                                                            \
    "PROJCS[\"" name "\",GEOGCS[\"a ]\",DATUM[\"d\",SPHEROID[\"s\",6378137,0]]],UNIT[\"metre\",1]]"
#define HEIGHTS(name)                                                                                        \
    "VERT_CS[\"" name "\",VERT_DATUM[\"datum\",2005],UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"5773\"]]"
#define COMPOUND(ground, name) "COMPD_CS[\"both, [1]\"," ground "," HEIGHTS(name) "]"

static void systems_have_the_code_of_their_ground(void **state) {
    (void)state;
    static const struct {
        const char *system;
        int code;
    } systems[] = {
        { NULL, 0 },
        { "", 0 },
        { "EPSG:4326", 4326 },
        { "epsg:4326", 4326 },
        { "EPSG:4326+3855", 4326 },
        { "EPSG:26916+5703", 26916 },
        { "EPSG:4979", 4326 }, // WGS 84 with heights above the ellipsoid
        { "EPSG:9518", 4326 }, // with those of EGM2008
        { "EPSG:9707", 4326 }, // with those of EGM96
        { "EPSG:6871", 3857 },
        { "EPSG:", 0 },
        { "EPSG:zzz", 0 },
        { "EPSG:4326+", 0 },
        { "EPSG:4326 3855", 0 },
        { "EPSG: a text", 0 },
        { "EPSG:999999999999", 0 },
        { WGS84, 4326 },
        { COMPOUND(WGS84, "EGM96 height"), 4326 },
        { "COMPD_CS[\"a\", " WGS84 "," HEIGHTS("b") ",AUTHORITY[\"EPSG\",\"9707\"]]", 4326 },
        { "COMPOUNDCRS[\"a\",GEOGCRS[\"b\",DATUM[\"c\",ID[\"EPSG\",6326]],ID[\"EPSG\",4326]],VERTCRS[\"d\"]]",
          4326 },
        { "GEOGCRS[\"b\",DATUM[\"c\"],ID[\"EPSG\", 4979]]", 4326 },
        { OWN("a"), 0 },
        { COMPOUND(OWN("a"), "b"), 0 },
        { "COMPD_CS[\"a", 0 },
        { "COMPD_CS[\"a\",", 0 },
        { "AUTHORITY[\"ESRI\",\"4326\"]]", 0 },
        { "NAME[\"EPSG\",\"4326\"]]", 0 },
        { "4326\"]]", 0 },
    };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (frame_system_code(systems[i].system) != systems[i].code)
            fail_msg("%s: %d, not %d", systems[i].system, frame_system_code(systems[i].system),
                     systems[i].code);
}

static void heights_of_another_datum_lie_in_the_same_place(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        { "EPSG:4326", NULL, true },
        { "EPSG:4326", "EPSG:4326+3855", true },
        { "EPSG:4326+5773", "EPSG:4326+3855", true },
        { "EPSG:4979", "EPSG:9518", true },
        { "EPSG:3857", "EPSG:4326", false },
        { "EPSG:26916+5703", "EPSG:26917+5703", false },
        { WGS84, "EPSG:4326", true },
        { COMPOUND(WGS84, "EGM96 height"), "EPSG:9518", true },
        { COMPOUND(OWN("a"), "one"), COMPOUND(OWN("a"), "another"), true },
        { COMPOUND(OWN("a"), "one"), OWN("A"), true },
        { COMPOUND(OWN("a"), "one"), OWN("b"), false },
        { OWN("a"), "EPSG:4326", false },
        { "some ground", "Some Ground", true },
        { "some ground", "some grounds", false },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Frame a = { 6, 46, .right_x = 0.1, .down_y = -0.1, .system = pairs[i].a }, b = a;
        b.system = pairs[i].b;
        if (frames_agree(&a, &b, 9, 9) != pairs[i].same || frames_agree(&b, &a, 9, 9) != pairs[i].same)
            fail_msg("%s and %s", pairs[i].a, pairs[i].b);
    }
}

static void a_sphere_with_heights_is_that_sphere(void **state) {
    (void)state;
    static const char moon[] =
        "COMPD_CS[\"Moon\",GEOGCS[\"Moon\",DATUM[\"D\",SPHEROID[\"S\",1737400,0]]]," HEIGHTS("h") "]";
    const Frame frame = { 6, 46, .right_x = 0.1, .down_y = -0.1, .system = moon };
    assert_near(frame_sphere(&frame).radius, 1737400, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_have_the_code_of_their_ground),
        cmocka_unit_test(heights_of_another_datum_lie_in_the_same_place),
        cmocka_unit_test(a_sphere_with_heights_is_that_sphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
