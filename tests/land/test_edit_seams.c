// Edits on a planet have no seam at an edge of its cube: after each step that makes them, what a face knows
// of the cells beyond its edge is what the face there has made of them. Windows that err alike agree without
// that.

#include "planets.h"

#include "land/canals.h"
#include "land/edit_wishes.h"

enum { LEVEL = 4, CELLS = 4 * SIDE };

typedef struct Looked {
    int halos, sinking, marked; // cells of halos that were compared, and those that are to sink or are marked
    int rising, ways, streams;  // those that are to rise; and of ways over raised sea, and streams there
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
    const bool risen = !strcmp(step->name, "edits");
    if (level->marks[to] != level->marks[from] || sinks_to(level, to) != sinks_to(level, from) ||
        (!risen && level->wanted[to] != level->wanted[from]))
        fail_msg("after '%s' a halo has mark %d and sinks to %d, and the cell %d and %d", step->name,
                 level->marks[to], sinks_to(level, to), level->marks[from], sinks_to(level, from));
    if (!strcmp(step->name, "craters") && level->marks[from] >= MARK_BOWL &&
        level->next[to] != level->next[from])
        fail_msg("a halo lies in the bowl of edit %d, and the cell of %d", level->next[to],
                 level->next[from]);
    looked->marked += level->marks[from] != 0;
    looked->sinking += sinks_to(level, from) < level->z[from];
    looked->rising += !risen && level->wanted[from] != UNWANTED && level->wanted[from] > level->z[from];
}

// --- ways over sea that is raised (new_mouths.c) -----------------------------------------------------------

enum { WAY = 32, STAYS = 2 }; // at most so long; in level->flow: of sea

// What it is made of is still in the scratch arrays: cells to the open sea, the direction there, and whether
// the sea stays. Each step of a way leads to one that is a cell nearer, also over an edge, and what a mouth
// makes of its way goes on there.
static void compare_way(const Level *level, int cell, Looked *looked) {
    const int32_t own = level->next[cell];
    if (own <= 0 || own > WAY)
        return;
    int32_t least = INT32_MAX;
    for (int d = 0; d < NEIGHBOURS; d += 2)
        least = min(least, level->next[towards(level, (size_t)cell, d)]);
    if (least != own - 1)
        fail_msg("a cell is %d from the open sea, and the nearest beside it %d", own, least);
    const int way = level->next_flow[cell];
    if (way >= NEIGHBOURS)
        return;
    const size_t beyond = towards(level, (size_t)cell, way);
    const int receiver = level->receiver[cell];
    const bool stays = level->flow[cell] & STAYS, fed = donors_of(level, (size_t)cell) != 0;
    if (own > 1 && stays && !(level->flow[beyond] & STAYS))
        fail_msg("sea stays %d cells from the open sea, and not a cell nearer", own);
    if (receiver == LAND_SEA && fed && !stays)
        fail_msg("a river ends in raised sea, %d cells from the open sea", own);
    if (receiver < NEIGHBOURS && level->receiver[beyond] < NEIGHBOURS &&
        level->area[beyond] <= level->area[cell] && level->area[cell] < AREA_MAX)
        fail_msg("a river over raised sea drains %g cells and, a cell nearer to the sea, %g",
                 (double)level->area[cell], (double)level->area[beyond]);
    looked->ways += stays;
    looked->streams += receiver < NEIGHBOURS;
}

static void compare_way_beyond(const Level *level, int to, int from, int turn) {
    const int way = level->next_flow[from];
    if (level->next[to] != level->next[from])
        fail_msg("a halo is %d from the open sea, and the cell %d", level->next[to], level->next[from]);
    if (level->next[from] <= 0 || level->next[from] > WAY)
        return;
    if (!is_turned((uint8_t)way, (uint8_t)level->next_flow[to], turn))
        fail_msg("a halo leads to %d, turned by %d, and the cell to %d", level->next_flow[to], turn, way);
    if ((level->flow[to] ^ level->flow[from]) & STAYS)
        fail_msg("the sea stays in a halo or in its cell alone, %d from the open sea", level->next[from]);
}

// On the cells of faces beside their edges.
static void compare_ways(const Level *level, Looked *looked) {
    const Seams *seams = level->seams;
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            compare_way(level, seams->from[turn][i], looked);
            compare_way_beyond(level, seams->to[turn][i], seams->from[turn][i], turn);
        }
}

static void look(void *context, const Level *level, const LandStep *step) {
    static const char *const makes[] = { "steepen", "canals", "edits", "fill-edits", "lower", "basins" };
    static const char *const raises[] = {
        "wishes", "inlets", "craters", "gorges", "mouths", "tops", "edits"
    };
    bool made = false, raised = false;
    for (size_t i = 0; i < sizeof raises / sizeof *raises; i++)
        made |= raised |= !strcmp(step->name, raises[i]);
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        made |= !strcmp(step->name, makes[i]);
    if (!made || level->number < LEVEL || !level->seams)
        return;
    const Seams *seams = level->seams;
    if (level->hillslope.seaward && !strcmp(step->name, "mouths"))
        compare_ways(level, context);
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            const int to = seams->to[turn][i], from = seams->from[turn][i];
            compare(level, step, to, from, turn, context);
            if (level->marks && raised)
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
    Looked looked = { 0 };
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
static void lead_beside_edge(int from_edge) {
    Error error;
    Looked looked = { 0 };
    Land *plain = planet(7, -30);
    LandEdits *edits = land_edits_copy(NULL, 1, 2 * LENGTH, &error);
    const int side = SIDE << LEVEL, column = side - 1 - from_edge, row = (int)(0.4 * side) - LENGTH / 2;
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
    assert_int_equal(boxes_on_one_face(edits->at->on), from_edge == FROM_EDGE);
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

// Also where the other face has no cells beyond it.
static void a_canal_beside_an_edge_has_no_seam(void **state) {
    (void)state;
    lead_beside_edge(FROM_EDGE);
    lead_beside_edge(HALO - 1);
}

// Straight over an edge, half of it on each side.
static void cross_by_canal(int face, int other, bool right, double share) {
    Error error;
    Looked looked = { 0 };
    Land *plain = planet(7, -30);
    LandEdits *edits = land_edits_copy(NULL, 1, 2 * LENGTH, &error);
    const int side = SIDE << LEVEL, first = side - LENGTH / 2, aside = (int)(share * side);
    EditPoint points[LENGTH + LENGTH / 2];
    LandEdit canal = { .kind = EDIT_CANAL,
                       .count = LENGTH,
                       .data = canal_data(LENGTH),
                       .half = 0.5 / (CELLS << LEVEL),
                       .carries = 1e-3 };
    const Vec3 north = { 0, 1, 0 };
    canal.chart = edit_chart(cube_direction(1, face, right ? 1 : share, right ? share : 1), north);
    LandFaces faces = { 0 };
    for (int i = 0; i < LENGTH; i++) {
        CubeCell cell = { face, right ? first + i : aside, right ? aside : first + i, 0 };
        assert_true(cube_resolve(side, &cell));
        points[i] = chart_point(&canal.chart,
                                cube_direction(side, cell.face, (double)cell.x + 0.5, (double)cell.y + 0.5));
        const double bed = 10 - 0.01 * i;
        *(i % 2 ? &points[LENGTH + i / 2].y : &points[LENGTH + i / 2].x) = bed;
        land_faces_add(&faces, cell.face, (LandRect){ cell.x, cell.y, cell.x + 1, cell.y + 1 }, side);
    }
    land_edits_add(edits, &canal, points, CELLS);
    assert_false(boxes_on_one_face(edits->at->on));
    Land *land = land_with_edits(plain, edits, &error);
    land->watch = (LandWatch){ look, &looked };
    assert_ok(land_faces(land, &alone, LEVEL, &faces, &error), error);
    int carved[2] = { 0, 0 };
    for (int i = 0; i < LENGTH; i++) {
        const LandWindow *window = &faces.on[i < LENGTH / 2 ? face : other];
        const int cell = i % (LENGTH / 2);
        const double bed =
            ldexp((double)(window->base + window->altitude[cell]), -land_rules_default.unit_bits);
        carved[i >= LENGTH / 2] += bed > 9.9 && bed < 10.001 && window->receiver[cell] < NEIGHBOURS;
    }
    land_faces_free(&faces);
    assert_int_equal(carved[0], LENGTH / 2);
    assert_int_equal(carved[1], LENGTH / 2 - 1); // it ends in the last one
    assert_true(looked.halos > 1000);
    memory_free(edits);
    land_free(land);
    land_free(plain);
}

static void a_canal_crosses_edges(void **state) {
    (void)state;
    cross_by_canal(0, 1, true, 0.4);
    cross_by_canal(1, 5, false, 0.3);
    cross_by_canal(2, 5, false, 0.4);
    cross_by_canal(3, 5, false, 0.4);
}

// --- what is looked at as a whole --------------------------------------------------------------------------

// A place at an edge of a face, over which directions are turned by 0 to 3 quarters.
typedef struct Edge {
    int face, other;
    double x, y;
} Edge;

static const Edge edges[] = {
    { 0, 1, 1, 0.4 },
    { 1, 5, 0.4, 1 },
    { 2, 5, 0.6, 1 },
    { 3, 5, 0.4, 1 },
};
enum { EDGES = sizeof edges / sizeof *edges, RING = 12, HALF = 12, AROUND = 40 };

static EditChart chart_of(const Edge *edge, double along) {
    const bool right = edge->x >= 1;
    const Vec3 north = { 0, 1, 0 };
    return edit_chart(
        cube_direction(1, edge->face, edge->x + (right ? 0 : along), edge->y + (right ? along : 0)), north);
}

static void add_whole(LandEdits *edits, LandEdit edit, const Edge *edge, double along) {
    EditPoint points[RING] = { { 0.5, 0.5 } };
    edit.chart = chart_of(edge, along);
    edit.count = edit.outline ? RING : 1;
    for (int i = 0; i < RING && edit.outline; i++) {
        const double angle = i * 2 * acos(-1) / RING, away = (HALF + 2 * cos(3 * angle)) / (CELLS << LEVEL);
        points[i] = (EditPoint){ 0.5 + away * cos(angle), 0.5 + away * sin(angle) };
    }
    edit.half = edit.outline ? outline_half(points, RING) : edit.half;
    land_edits_add(edits, &edit, points, CELLS);
    assert_true(!boxes_on_one_face(edits->at[edits->count - 1].on));
}

// Around a place on both sides of an edge.
static void want_around(const Edge *edge, double along, LandFaces *faces) {
    const int side = SIDE << LEVEL;
    const EditChart chart = chart_of(edge, along);
    const CubePlace at = cube_place(side, chart.up);
    const int x = (int)at.x, y = (int)at.y;
    *faces = (LandFaces){ 0 };
    land_faces_add(faces, at.face, (LandRect){ x - AROUND, y - AROUND, x + AROUND, y + AROUND }, side);
}

// What lands make there is the same, and the same where only one of the faces is wanted.
static void compare_windows(const Land *plain, const LandEdits *edits, const LandFaces *faces, int face) {
    Error error;
    Land *land = land_with_edits(plain, edits, &error);
    LandFaces part = { 0 };
    part.wanted[face] = faces->wanted[face];
    assert_ok(land_faces(land, &alone, LEVEL, &part, &error), error);
    const LandWindow *a = &part.on[face], *b = &faces->on[face];
    const size_t count = (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < count; i++)
        if (a->altitude[i] + a->base != b->altitude[i] + b->base || a->receiver[i] != b->receiver[i] ||
            a->area[i] != b->area[i])
            fail_msg("face %d, cell %zu: the land of one face has %d, receiver %d, and that of both %d, %d",
                     face, i, a->altitude[i], a->receiver[i], b->altitude[i], b->receiver[i]);
    land_faces_free(&part);
    land_free(land);
}

// Whether a cell is what an edit makes of it.
typedef bool IsMade(const LandWindow *window, size_t cell);

// Cells of a face that have become so.
static int count_made(const LandWindow *before, const LandWindow *window, IsMade *is_made) {
    int made = 0;
    for (size_t i = 0; window->altitude && i < (size_t)window->width * (size_t)window->height; i++)
        made += is_made(window, i) && !is_made(before, i);
    return made;
}

typedef struct Kind {
    LandEdit edit;
    float sea; // how low the planet's land is
    IsMade *is_made;
    int least;   // cells on each side
    bool island; // whether the edit lies on one that is made before it
} Kind;

static Land *with_edit(const Land *plain, LandEdits *edits, const Kind *kind, const Edge *edge,
                       double along) {
    Error error;
    LandFaces faces;
    const int middle = AROUND * 2 * AROUND + AROUND;
    LandEdit edit = kind->edit;
    want_around(edge, along, &faces);
    if (edit.kind == EDIT_CRATER) { // in ground as it is in the middle
        Land *land = land_with_edits(plain, NULL, &error);
        assert_ok(land_faces(land, &alone, LEVEL, &faces, &error), error);
        const LandWindow *ground = &faces.on[edge->face];
        const int cell = min(middle, ground->width * ground->height - 1);
        edit.height =
            (double)(ground->altitude[cell] + ground->base) / ldexp(1, land_rules_default.unit_bits);
        edit.water = edit.height - 1;
        land_faces_free(&faces);
        land_free(land);
    }
    add_whole(edits, edit, edge, along);
    return land_with_edits(plain, edits, &error);
}

// Has an edit made on both sides of an edge: no halo differs there, and windows agree.
static void cross(const Land *plain, const Kind *kind, const Edge *edge, double along) {
    Error error;
    Looked looked = { 0 };
    LandFaces before, faces;
    LandEdits *edits = land_edits_copy(NULL, 2, 2 * RING, &error);
    if (kind->island)
        add_whole(edits, (LandEdit){ .kind = EDIT_LAND, .outline = true, .height = 6 }, edge, along + 0.03);
    LandEdits *under = land_edits_copy(edits, 0, 0, &error);
    Land *ground = land_with_edits(plain, under, &error), *land = with_edit(plain, edits, kind, edge, along);
    want_around(edge, along, &before);
    want_around(edge, along, &faces);
    assert_ok(land_faces(ground, &alone, LEVEL, &before, &error), error);
    land->watch = (LandWatch){ look, &looked };
    assert_ok(land_faces(land, &alone, LEVEL, &faces, &error), error);
    for (int i = 0; i < 2; i++) {
        const int face = i ? edge->other : edge->face,
                  made = count_made(&before.on[face], &faces.on[face], kind->is_made);
        if (made < kind->least || looked.halos < 1000)
            fail_msg("edge of faces %d and %d: %d cells made on face %d, %d cells of halos", edge->face,
                     edge->other, made, face, looked.halos);
    }
    compare_windows(plain, edits, &faces, edge->other);
    land_faces_free(&before);
    land_faces_free(&faces);
    land_free(ground);
    land_free(land);
    memory_free(under);
    memory_free(edits);
}

// `alongs`: where at each edge; below 0: not there.
static void cross_edges(const Kind *kind, const double alongs[EDGES]) {
    Land *plain = graded_planet(7, kind->sea, LEVEL + 1);
    for (int i = 0; i < EDGES; i++)
        if (alongs[i] >= 0)
            cross(plain, kind, &edges[i], alongs[i]);
    land_free(plain);
}

static bool is_lake(const LandWindow *window, size_t cell) {
    return window->receiver[cell] == LAND_LAKE;
}

static bool is_sea(const LandWindow *window, size_t cell) {
    return window->base + window->altitude[cell] <= 0;
}

static bool is_land(const LandWindow *window, size_t cell) {
    return window->base + window->altitude[cell] > 0;
}

// Hills along an edge, over land, coasts and sea, in rows: the first one on the edge, the others before it.
static void line_edge(const Land *plain, const Edge *edge, int rows, Looked *looked) {
    enum { HILLS = 8 };
    Error error;
    LandEdits *edits = land_edits_copy(NULL, rows * HILLS, rows * HILLS, &error);
    LandFaces faces;
    const EditPoint middle = { 0.5, 0.5 };
    const double step = 14.0 / (SIDE << LEVEL);
    for (int i = 0; i < rows * HILLS; i++) {
        const int from_middle = i % HILLS - HILLS / 2;
        const int rank = i / HILLS;
        const double before = step * rank;
        const bool right = edge->x >= 1;
        const Edge row = { edge->face, edge->other, edge->x - (right ? before : 0),
                           edge->y - (right ? 0 : before) };
        const LandEdit hill = { .kind = EDIT_RAISE,
                                .count = 1,
                                .half = 7.9 / (CELLS << LEVEL),
                                .height = 9,
                                .seaward = true,
                                .chart = chart_of(&row, step * from_middle) };
        land_edits_add(edits, &hill, &middle, CELLS);
    }
    Land *land = land_with_edits(plain, edits, &error);
    land->watch = (LandWatch){ look, looked };
    want_around(edge, 0, &faces);
    assert_ok(land_faces(land, &alone, LEVEL, &faces, &error), error);
    memory_free(edits);
    land_faces_free(&faces);
    land_free(land);
}

// Where streams begin on the hills.
static void hills_on_land_have_no_seam(void **state) {
    (void)state;
    static const Edge inland = { 0, 1, 1, 0.2 };
    Looked looked = { 0 };
    Land *plain = graded_planet(7, -14, LEVEL + 1);
    line_edge(plain, &inland, 1, &looked);
    assert_true(looked.rising > 1000);
    land_free(plain);
}

static void hills_at_coasts_have_no_seam(void **state) {
    (void)state;
    static const Edge coasts[] = { { 1, 5, 0.7, 1 }, { 2, 5, 0.2, 1 }, { 3, 5, 0.45, 1 } };
    Land *plain = graded_planet(7, -1, LEVEL + 1);
    for (size_t i = 0; i < sizeof coasts / sizeof *coasts; i++) {
        Looked looked = { 0 };
        line_edge(plain, &coasts[i], 1, &looked);
        if (looked.rising < 1000 || looked.streams < 5)
            fail_msg("edge of faces %d and %d: %d cells rise, streams cross %d", coasts[i].face,
                     coasts[i].other, looked.rising, looked.streams);
    }
    land_free(plain);
}

static Land *sloping_planet(float slope) {
    LandRules rules = land_rules_default;
    rules.graded = LEVEL + 1;
    rules.gentle = rules.steep = slope;
    return planet_by(rules, 7, -1);
}

// From mouths that are farther from the edge than what is known beyond it.
static void long_ways_over_raised_sea_have_no_seam(void **state) {
    (void)state;
    static const Edge coast = { 1, 5, 0.87, 1 };
    Looked looked = { 0 };
    Land *plain = sloping_planet(0.05f);
    line_edge(plain, &coast, 3, &looked);
    assert_true(looked.streams > 10);
    land_free(plain);
}

// On plains, whose rivers cannot fall on all of their way.
static void sea_that_stays_has_no_seam(void **state) {
    (void)state;
    static const Edge coast = { 1, 5, 0.87, 1 };
    Looked looked = { 0 };
    Land *plain = sloping_planet(0.0003f);
    line_edge(plain, &coast, 3, &looked);
    assert_true(looked.ways > 10);
    land_free(plain);
}

static void a_lake_has_no_seam(void **state) {
    (void)state;
    cross_edges(&(Kind){ { .kind = EDIT_LAKE, .outline = true, .height = NAN }, -30, is_lake, 20, false },
                (double[]){ 0, 0, 0, 0 });
}

static void a_pit_has_no_seam(void **state) {
    (void)state;
    const LandEdit pit = { .kind = EDIT_RAISE, .half = 7.9 / (CELLS << LEVEL), .height = -4 };
    cross_edges(&(Kind){ pit, -30, is_lake, 4, false }, (double[]){ -1, 0.14, -1, -1 });
}

static void an_island_has_no_seam(void **state) {
    (void)state;
    cross_edges(&(Kind){ { .kind = EDIT_LAND, .outline = true, .height = 6 }, 8, is_land, 20, false },
                (double[]){ -1, -1, -1, 0 });
}

// Over the mouths of rivers.
static void an_island_at_a_coast_has_no_seam(void **state) {
    (void)state;
    static const Edge coast = { 1, 5, 0.45, 1 };
    const Kind island = { { .kind = EDIT_LAND, .outline = true, .height = 6 }, -1, is_land, 0, false };
    Land *plain = graded_planet(7, island.sea, LEVEL + 1);
    cross(plain, &island, &coast, 0);
    land_free(plain);
}

static void a_bay_has_no_seam(void **state) {
    (void)state;
    cross_edges(&(Kind){ { .kind = EDIT_SEA, .outline = true }, 8, is_sea, 20, true },
                (double[]){ -1, -1, 0, -1 });
}

static void a_crater_has_no_seam(void **state) {
    (void)state;
    const LandEdit crater = {
        .kind = EDIT_CRATER, .half = 12.0 / (CELLS << LEVEL), .depth = 5, .rim = 1, .wet = true
    };
    cross_edges(&(Kind){ crater, -30, is_lake, 20, false }, (double[]){ 0, 0, 0, 0 });
}

// Nor have the forms of a level on which no bowl is dug, at an edge that they do not cross.
static void the_rim_of_a_crater_beside_an_edge_has_no_seam(void **state) {
    (void)state;
    enum { RADIUS = 12 };
    Error error;
    Looked looked = { 0 };
    const int side = SIDE << (LEVEL + 1);
    const EditPoint middle = { 0.5, 0.5 };
    Land *plain = graded_planet(7, -30, LEVEL + 1);
    LandEdits *edits = land_edits_copy(NULL, 1, 1, &error);
    const LandEdit rim = { .kind = EDIT_CRATER,
                           .count = 1,
                           .half = RADIUS / (double)(CELLS << LEVEL),
                           .depth = 5,
                           .rim = 1,
                           .height = 20,
                           .part = 1,
                           .wet = true,
                           .water = 25,
                           .chart = chart_at(1 - 2 * 1.3 * RADIUS / side, 0.4) };
    land_edits_add(edits, &rim, &middle, CELLS);
    assert_int_equal(edits->at->entry, LEVEL + 1);
    Land *land = land_with_edits(plain, edits, &error);
    land->watch = (LandWatch){ look, &looked };
    look_at(land, LEVEL + 1, 0.4);
    if (looked.halos < 1000 || looked.marked < 20)
        fail_msg("%d cells of halos, %d marked", looked.halos, looked.marked);
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
        cmocka_unit_test(a_canal_crosses_edges),
        cmocka_unit_test(hills_on_land_have_no_seam),
        cmocka_unit_test(hills_at_coasts_have_no_seam),
        cmocka_unit_test(long_ways_over_raised_sea_have_no_seam),
        cmocka_unit_test(sea_that_stays_has_no_seam),
        cmocka_unit_test(a_lake_has_no_seam),
        cmocka_unit_test(a_pit_has_no_seam),
        cmocka_unit_test(an_island_has_no_seam),
        cmocka_unit_test(an_island_at_a_coast_has_no_seam),
        cmocka_unit_test(a_bay_has_no_seam),
        cmocka_unit_test(a_crater_has_no_seam),
        cmocka_unit_test(the_rim_of_a_crater_beside_an_edge_has_no_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
