// Edits on a planet have no seam at an edge of its cube: after each step that makes them, what a face knows
// of the cells beyond its edge is what the face there has made of them. Windows that err alike agree without
// that.

#include "planets.h"

#include "land/canals.h"
#include "land/edit_wishes.h"

enum { LEVEL = 4, CELLS = 4 * SIDE };

typedef struct Looked {
    int halos, sinking, marked; // cells of halos that were compared, and those that are to sink or are marked
} Looked;

static bool is_turned(uint8_t own, uint8_t halo, int turn) {
    return halo == (own < NEIGHBOURS ? turned_direction(own, turn) : own);
}

// Before streams are inherited nothing drains.
static void compare(const Level *level, const LandStep *step, int to, int from, int turn, Looked *looked) {
    const bool early = !(step->arrays & LEVEL_RECEIVER);
    if (level->z[to] != level->z[from] || (early && level->slope[to] != level->slope[from]))
        fail_msg("after '%s' a halo has altitude %d, slope %g, and the cell %d, %g", step->name, level->z[to],
                 (double)level->slope[to], level->z[from], (double)level->slope[from]);
    if (!early && (level->area[to] != level->area[from] ||
                   !is_turned(level->receiver[from], level->receiver[to], turn)))
        fail_msg("after '%s' a halo has area %g, receiver %d, and the cell %g, %d", step->name,
                 (double)level->area[to], level->receiver[to], (double)level->area[from],
                 level->receiver[from]);
    looked->halos++;
}

// What has risen is wanted no more, so that what is to sink is left.
static int32_t sinks_to(const Level *level, int cell) {
    return min(level->wanted[cell], level->z[cell]);
}

static void compare_wishes(const Level *level, const LandStep *step, int to, int from, Looked *looked) {
    if (level->marks[to] != level->marks[from] || sinks_to(level, to) != sinks_to(level, from))
        fail_msg("after '%s' a halo has mark %d and sinks to %d, and the cell %d and %d", step->name,
                 level->marks[to], sinks_to(level, to), level->marks[from], sinks_to(level, from));
    looked->marked += level->marks[from] != 0;
    looked->sinking += sinks_to(level, from) < level->z[from];
}

static void look(void *context, const Level *level, const LandStep *step) {
    static const char *const makes[] = { "steepen", "canals", "edits", "fill-edits", "lower", "basins" };
    bool made = false;
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        made |= !strcmp(step->name, makes[i]);
    if (!made || level->number < LEVEL || !level->seams)
        return;
    const Seams *seams = level->seams;
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            const int to = seams->to[turn][i], from = seams->from[turn][i];
            compare(level, step, to, from, turn, context);
            if (level->marks && !strcmp(step->name, "edits"))
                compare_wishes(level, step, to, from, context);
        }
}

// A place on the cube, of its first face; across its right edge where x > 1.
static EditChart chart_at(double x, double y) {
    const Vec3 up = cube_direction(1, 0, x, y), north = { 0, 1, 0 };
    return edit_chart(up, north);
}

static void add(LandEdits *edits, LandEditKind kind, double x, double y, double half, double height) {
    const EditPoint middle = { 0.5, 0.5 };
    const LandEdit edit = {
        .kind = kind, .count = 1, .half = half, .height = height, .chart = chart_at(x, y)
    };
    land_edits_add(edits, &edit, &middle, CELLS);
    assert_int_equal(edits->at[edits->count - 1].entry, LEVEL);
}

// Has the land at the right edge of the first face made.
static void look_at(Land *land, int level, double y) {
    Error error;
    const int side = SIDE << level, column = side - 20, row = (int)(y * side);
    LandFaces faces = { .wanted = { { column, row - 8 < 0 ? 0 : row - 8, side, row + 8 } } };
    assert_ok(land_faces(land, &alone, level, &faces, &error), error);
    land_faces_free(&faces);
}

static Looked look_around(double x, double y) {
    Error error;
    Looked looked = { 0, 0, 0 };
    Land *plain = graded_planet(7, -30, LEVEL + 1);
    LandEdits *edits = land_edits_copy(NULL, 3, 3, &error);
    add(edits, EDIT_RAISE, x, y, 7.9 / (CELLS << LEVEL), 6);
    add(edits, EDIT_RAISE, x - 0.02, y + 0.01, 4.5 / (CELLS << LEVEL), -1);
    add(edits, EDIT_LEVEL, x + 0.01, y - 0.02, 9.0 / (CELLS << LEVEL), 20);
    Land *land = land_with_edits(plain, edits, &error);
    land->watch = (LandWatch){ look, &looked };
    look_at(land, LEVEL + 1, y);
    memory_free(edits);
    land_free(land);
    land_free(plain);
    return looked;
}

static void edits_have_no_seam_at_an_edge(void **state) {
    (void)state;
    const Looked looked = look_around(1.001, 0.4);
    if (looked.halos < 1000 || looked.sinking < 20 || looked.marked < 100)
        fail_msg("%d cells of halos, %d sinking, %d marked", looked.halos, looked.sinking, looked.marked);
}

static void edits_have_no_seam_at_a_corner(void **state) {
    (void)state;
    const Looked looked = look_around(0.999, 0.002);
    if (looked.halos < 1000 || looked.sinking < 20 || looked.marked < 100)
        fail_msg("%d cells of halos, %d sinking, %d marked", looked.halos, looked.sinking, looked.marked);
}

// --- the form ----------------------------------------------------------------------------------------------

typedef struct Form {
    const LandEdits *edits;
    int32_t *before;       // altitudes, before edits raise them
    int faces[CUBE_FACES]; // cells of each face that have risen
} Form;

// Ground that is no stream rises by what the form gives at its place on the planet, whatever its face.
static void compare_form(Form *form, const Level *level, const PatchPlace *place, int x, int y) {
    const size_t cell = (size_t)(place->row + y) * (size_t)level->width + (size_t)x;
    const int side = SIDE << LEVEL;
    const int column = (int)place->x + x, row = (int)place->y - place->face * side + y;
    if (column < 0 || row < 0 || column >= side || row >= side || level->receiver[cell] != LAND_NONE)
        return;
    const LandEdit *edit = form->edits->at;
    const EditPoint at =
        chart_point(&edit->chart, cube_direction(side, place->face, column + 0.5, row + 0.5));
    const double height =
        edit->height * edit_form(form->edits, edit, at.x, at.y).share * local_edits(level).units;
    const int32_t risen = level->z[cell] - form->before[cell];
    if (fabs(risen - height) > 1)
        fail_msg("face %d, cell (%d, %d): the form gives %g units, and the ground has risen by %d",
                 place->face, column, row, height, risen);
    form->faces[place->face] += risen > 0;
}

static void look_at_form(void *context, const Level *level, const LandStep *step) {
    Form *form = context;
    if (level->number != LEVEL || !level->seams)
        return;
    if (!strcmp(step->name, "tables")) {
        form->before = malloc(level->count * sizeof *form->before);
        memcpy(form->before, level->z, level->count * sizeof *form->before);
    }
    if (strcmp(step->name, "edits") != 0)
        return;
    for (int i = 0; i < level->patch_count; i++)
        for (int y = GUARD; y < level->patches[i].place.height - GUARD; y++)
            for (int x = GUARD; x < level->width - GUARD; x++)
                compare_form(form, level, &level->patches[i].place, x, y);
    free(form->before);
}

static void a_hill_has_its_form_on_both_sides_of_an_edge(void **state) {
    (void)state;
    Error error;
    Land *plain = planet(7, -30);
    LandEdits *edits = land_edits_copy(NULL, 1, 1, &error);
    add(edits, EDIT_RAISE, 1.001, 0.4, 7.9 / (CELLS << LEVEL), 6);
    Form form = { .edits = edits };
    Land *land = land_with_edits(plain, edits, &error);
    land->watch = (LandWatch){ look_at_form, &form };
    look_at(land, LEVEL, 0.4);
    assert_true(form.faces[0] > 60 && form.faces[1] > 60);
    memory_free(edits);
    land_free(land);
    land_free(plain);
}

// --- canals ------------------------------------------------------------------------------------------------

enum { LENGTH = 8, FROM_EDGE = 16 };

// Down the first face, beside its right edge.
static void a_canal_beside_an_edge_has_no_seam(void **state) {
    (void)state;
    Error error;
    Looked looked = { 0, 0, 0 };
    Land *plain = planet(7, -30);
    LandEdits *edits = land_edits_copy(NULL, 1, 2 * LENGTH, &error);
    const int side = SIDE << LEVEL, column = side - 1 - FROM_EDGE, row = (int)(0.4 * side) - LENGTH / 2;
    EditPoint points[LENGTH + LENGTH / 2];
    LandEdit canal = { .kind = EDIT_CANAL,
                       .count = LENGTH,
                       .data = canal_data(LENGTH),
                       .half = 0.5 / (CELLS << LEVEL),
                       .carries = 1e-3,
                       .chart = chart_at((double)column / side, 0.4) };
    for (int i = 0; i < LENGTH; i++) {
        const Vec3 at = cube_direction(side, 0, column + 0.5, row + i + 0.5);
        const double bed = 10 - 0.01 * i;
        points[i] = chart_point(&canal.chart, at);
        *(i % 2 ? &points[LENGTH + i / 2].y : &points[LENGTH + i / 2].x) = bed;
    }
    land_edits_add(edits, &canal, points, CELLS);
    assert_int_equal(edits->at->entry, LEVEL);
    assert_true(boxes_on_one_face(edits->at->on));
    Land *land = land_with_edits(plain, edits, &error);
    land->watch = (LandWatch){ look, &looked };
    look_at(land, LEVEL, 0.4);
    assert_true(looked.halos > 1000);
    LandFaces faces = { .wanted = { { column, row, column + 1, row + LENGTH } } };
    assert_ok(land_faces(land, &alone, LEVEL, &faces, &error), error);
    int carried = 0;
    for (int i = 0; i < LENGTH; i++)
        carried += faces.on[0].area[i] > 200 && faces.on[0].receiver[i] == 2; // down
    land_faces_free(&faces);
    assert_int_equal(carried, LENGTH - 1);
    memory_free(edits);
    land_free(land);
    land_free(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hill_has_its_form_on_both_sides_of_an_edge),
        cmocka_unit_test(edits_have_no_seam_at_an_edge),
        cmocka_unit_test(edits_have_no_seam_at_a_corner),
        cmocka_unit_test(a_canal_beside_an_edge_has_no_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
