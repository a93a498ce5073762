#include "land/cube.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "land/drain.h"
#include "land/level.h"
#include "land/runoff.h"
#include "water/drainage.h"

#include <math.h>
#include <string.h>

// --- cells beyond an edge ----------------------------------------------------------------------------------

// For each face, in the order of edges: the adjacent face, and the quarter turns of directions across the
// edge.
static const unsigned char across[CUBE_FACES][CUBE_EDGES] = {
    { 1, 5, 3, 4 }, { 2, 5, 0, 4 }, { 3, 5, 1, 4 }, { 0, 5, 2, 4 }, { 1, 0, 3, 2 }, { 1, 2, 3, 0 }
};
static const unsigned char turns[CUBE_FACES][CUBE_EDGES] = { { 0, 0, 0, 0 }, { 0, 1, 0, 3 }, { 0, 2, 0, 2 },
                                                             { 0, 3, 0, 1 }, { 1, 0, 3, 2 }, { 3, 2, 1, 0 } };

// How far the cells beyond an edge of a face lie from those of the face there, before they are turned.
static Int128 edge_shift(int edge, bool across_columns, Int128 side) {
    const Int128 away = edge < 2 ? -side : side;
    return (edge % 2 == 0) == across_columns ? away : 0;
}

bool cube_resolve(Int128 side, CubeCell *cell) {
    const bool beside = cell->x < 0 || cell->x >= side, above = cell->y < 0 || cell->y >= side;
    if (!beside && !above)
        return true;
    if (beside && above)
        return false;
    const int edge = beside ? (cell->x < 0 ? 2 : 0) : (cell->y < 0 ? 3 : 1);
    const int turn = turns[cell->face][edge];
    Int128 x = cell->x + edge_shift(edge, true, side), y = cell->y + edge_shift(edge, false, side);
    for (int i = 0; i < turn; i++) { // clockwise around the middle: (x, y) → (-y, x)
        const Int128 old = x;
        x = side - 1 - y;
        y = old;
    }
    *cell = (CubeCell){ across[cell->face][edge], x, y, (cell->turn + turn) & 3 };
    return true;
}

bool cube_unfold(Int128 side, int face, CubeCell *cell) {
    int edge = 0;
    if (cell->face == face) {
        cell->turn = 0;
        return true;
    }
    while (edge < CUBE_EDGES && across[face][edge] != cell->face)
        edge++;
    if (edge == CUBE_EDGES)
        return false;
    Int128 x = cell->x, y = cell->y;
    for (int i = 0; i < turns[face][edge]; i++) { // the other way around
        const Int128 old = x;
        x = y;
        y = side - 1 - old;
    }
    *cell = (CubeCell){ face, x - edge_shift(edge, true, side), y - edge_shift(edge, false, side),
                        turns[face][edge] };
    return true;
}

// --- places ------------------------------------------------------------------------------------------------

// Which of the cube's axes leads to the right, down and out of a face, and whether forwards.
typedef struct Axis {
    int number, sign;
} Axis;

static const Axis seen[CUBE_FACES][3] = {
    { { 0, 1 }, { 1, -1 }, { 2, 1 } },   { { 2, -1 }, { 1, -1 }, { 0, 1 } },
    { { 0, -1 }, { 1, -1 }, { 2, -1 } }, { { 2, 1 }, { 1, -1 }, { 0, -1 } },
    { { 0, 1 }, { 2, 1 }, { 1, 1 } },    { { 0, 1 }, { 2, -1 }, { 1, -1 } },
};

static double along_axis(const double cube[3], Axis axis) {
    return axis.sign * cube[axis.number];
}

static int face_of(Vec3 at) {
    const double x = fabs(at.x), y = fabs(at.y), z = fabs(at.z);
    if (z >= x && z >= y)
        return at.z >= 0 ? 0 : 2;
    if (x >= y)
        return at.x >= 0 ? 1 : 3;
    return at.y >= 0 ? 4 : 5;
}

Vec3 cube_seen(int face, Vec3 at) {
    const double cube[3] = { at.x, at.y, at.z };
    return (Vec3){ along_axis(cube, seen[face][0]), along_axis(cube, seen[face][1]),
                   along_axis(cube, seen[face][2]) };
}

CubePlace cube_place(double side, Vec3 at) {
    const int face = face_of(at);
    const Vec3 on = cube_seen(face, at);
    const double a = on.x / on.z, b = on.y / on.z, long_a = 1 + a * a, long_b = 1 + b * b;
    const double squared = 1 / (long_a + b * b);
    return (CubePlace){ .face = face,
                        .x = (arctangent2(on.x, on.z) * (2 / PI) + 0.5) * side,
                        .y = (arctangent2(on.y, on.z) * (2 / PI) + 0.5) * side,
                        .across = long_a * sqrt(long_b) * squared,
                        .down = long_b * sqrt(long_a) * squared };
}

static double tangent(double along) { // -1 … 1 of a side's half
    return sine(along * (PI / 4)) / cosine(along * (PI / 4));
}

Vec3 cube_through(int face, double right, double down) {
    const double out = 1 / sqrt(1 + right * right + down * down);
    const double parts[3] = { right * out, down * out, out };
    double cube[3] = { 0, 0, 0 };
    for (int i = 0; i < 3; i++)
        cube[seen[face][i].number] = seen[face][i].sign * parts[i];
    return (Vec3){ cube[0], cube[1], cube[2] };
}

Vec3 cube_direction(double side, int face, double x, double y) {
    return cube_through(face, tangent(2 * x / side - 1), tangent(2 * y / side - 1));
}

// --- the cells of halos ------------------------------------------------------------------------------------

typedef struct Atlas {
    const PatchPlace *patches;
    int count, width;
    Int128 side;
} Atlas;

// The place of a face's cell in the arrays, or -1.
static int atlas_index(const Atlas *atlas, const CubeCell *cell) {
    for (int i = 0; i < atlas->count; i++) {
        const PatchPlace *patch = &atlas->patches[i];
        const Int128 column = cell->x - patch->x, row = cell->y - patch->y;
        if (patch->face == cell->face && column >= 0 && row >= 0 && column < atlas->width &&
            row < patch->height)
            return (int)(patch->row + row) * atlas->width + (int)column;
    }
    return -1;
}

// If the lists are NULL, only counts.
static void add_pair(Seams *seams, int to, int from, int turn) {
    const int i = seams->count[turn]++;
    if (!seams->to[turn])
        return;
    seams->to[turn][i] = to;
    seams->from[turn][i] = from;
}

static void add_corner(Seams *seams, SeamCorner corner) {
    const int i = seams->corner_count++;
    if (seams->corners)
        seams->corners[i] = corner;
}

static void add_cell(Seams *seams, const Atlas *atlas, const PatchPlace *patch, int column, int row) {
    const int width = atlas->width, to = (patch->row + row) * width + column;
    const Int128 side = atlas->side, x = patch->x + column, y = patch->y + row;
    CubeCell cell = { patch->face, x, y, 0 };
    if (cube_resolve(side, &cell)) {
        const int from = atlas_index(atlas, &cell);
        if (from >= 0)
            add_pair(seams, to, from, (4 - cell.turn) & 3);
        return;
    }
    const int back_x = (int)(x < 0 ? x : x - side + 1), back_y = (int)(y < 0 ? y : y - side + 1);
    add_corner(seams, (SeamCorner){ to, to - back_y * width, to - back_x });
}

static void add_patch(Seams *seams, const Atlas *atlas, const PatchPlace *patch) {
    for (int row = 0; row < patch->height; row++) {
        const bool beyond = patch->y + row < 0 || patch->y + row >= atlas->side;
        for (int column = 0; column < atlas->width; column++) {
            const Int128 x = patch->x + column;
            if (beyond || x < 0 || x >= atlas->side)
                add_cell(seams, atlas, patch, column, row);
            else if (patch->x + atlas->width <= atlas->side)
                break;
            else
                column = (int)(atlas->side - patch->x) - 1;
        }
    }
}

static void add_all(Seams *seams, const Atlas *atlas) {
    memset(seams->count, 0, sizeof seams->count);
    seams->corner_count = 0;
    for (int i = 0; i < atlas->count; i++)
        add_patch(seams, atlas, &atlas->patches[i]);
}

Status seams_between(Seams *seams, const PatchPlace *patches, int count, int width, Int128 side,
                     Error *error) {
    const Atlas atlas = { patches, count, width, side };
    bool room = true;
    *seams = (Seams){ 0 };
    add_all(seams, &atlas);
    for (int turn = 0; turn < 4; turn++) {
        const size_t pairs = (size_t)seams->count[turn] + 1;
        seams->to[turn] = memory_new(pairs, sizeof(int), error);
        seams->from[turn] = memory_new(pairs, sizeof(int), error);
        room &= seams->to[turn] && seams->from[turn];
    }
    seams->corners = memory_new((size_t)seams->corner_count + 1, sizeof *seams->corners, error);
    if (!room || !seams->corners)
        return STATUS_MEMORY;
    add_all(seams, &atlas);
    return STATUS_OK;
}

void seams_free(Seams *seams) {
    for (int turn = 0; turn < 4; turn++) {
        memory_free(seams->to[turn]);
        memory_free(seams->from[turn]);
    }
    memory_free(seams->corners);
    *seams = (Seams){ 0 };
}

// --- what halos become -------------------------------------------------------------------------------------

#define COPY_ALL(seams, cells)                                                                               \
    for (int turn = 0; turn < 4; turn++)                                                                     \
        for (int i = 0; i < (seams)->count[turn]; i++)                                                       \
    (cells)[(seams)->to[turn][i]] = (cells)[(seams)->from[turn][i]]

#define FILL_CORNERS(seams, cells, value)                                                                    \
    for (int i = 0; i < (seams)->corner_count; i++)                                                          \
    (cells)[(seams)->corners[i].to] = (value)

void seams_exchange_altitudes(const Seams *seams, int32_t *cells) {
    COPY_ALL(seams, cells);
    for (int i = 0; i < seams->corner_count; i++) {
        const SeamCorner *corner = &seams->corners[i];
        const uint32_t beside = (uint32_t)cells[corner->beside], above = (uint32_t)cells[corner->above];
        cells[corner->to] = (int32_t)(beside + (uint32_t)((int32_t)(above - beside) / 2));
    }
}

void seams_exchange_floats(const Seams *seams, float *cells) {
    COPY_ALL(seams, cells);
    for (int i = 0; i < seams->corner_count; i++) {
        const SeamCorner *corner = &seams->corners[i];
        cells[corner->to] = 0.5f * (cells[corner->beside] + cells[corner->above]);
    }
}

void seams_exchange_counts(const Seams *seams, uint16_t *cells, uint16_t beyond) {
    COPY_ALL(seams, cells);
    FILL_CORNERS(seams, cells, beyond);
}

void seams_exchange_directions(const Seams *seams, uint16_t *cells, uint16_t beyond) {
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            const uint16_t way = cells[seams->from[turn][i]];
            cells[seams->to[turn][i]] = way < NEIGHBOURS ? (uint16_t)turned_direction(way, turn) : way;
        }
    FILL_CORNERS(seams, cells, beyond);
}

void seams_exchange_flow(const Seams *seams, uint16_t *cells, uint16_t beyond) {
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            const uint16_t flow = cells[seams->from[turn][i]], way = flow & FLOW_DIRECTION;
            cells[seams->to[turn][i]] =
                way < NEIGHBOURS ? (uint16_t)(flow - way + turned_direction(way, turn)) : flow;
        }
    FILL_CORNERS(seams, cells, beyond);
}

void seams_exchange_receivers(const Seams *seams, uint8_t *cells, uint8_t beyond) {
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            const uint8_t way = cells[seams->from[turn][i]];
            cells[seams->to[turn][i]] = way < NEIGHBOURS ? (uint8_t)turned_direction(way, turn) : way;
        }
    FILL_CORNERS(seams, cells, beyond);
}

void seams_exchange_marks(const Seams *seams, uint8_t *cells) {
    COPY_ALL(seams, cells);
    FILL_CORNERS(seams, cells, 0);
}

void seams_exchange_children(const Seams *seams, uint8_t *cells, uint8_t beyond) {
    static const uint8_t turned[4] = { 1, 3, 0, 2 }; // a quarter clockwise
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            uint8_t child = cells[seams->from[turn][i]];
            for (int quarter = 0; quarter < turn && child < 4; quarter++)
                child = turned[child];
            cells[seams->to[turn][i]] = child;
        }
    FILL_CORNERS(seams, cells, beyond);
}

void seams_exchange_detours(const Seams *seams, uint8_t *cells) {
    static const uint8_t turned[3] = { 0, 2, 1 }; // straight, across first, down first; sides do not turn
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++) {
            const uint8_t detour = cells[seams->from[turn][i]];
            cells[seams->to[turn][i]] = turn & 1 && detour < 3 ? turned[detour] : detour;
        }
    FILL_CORNERS(seams, cells, 0);
}

// --- the patches of a level --------------------------------------------------------------------------------

// A level that consists of patches of a planet's faces: each as a level of its own, and the seams between
// them.

Level level_part(const Level *level, const Patch *patch) {
    const size_t first = (size_t)patch->place.row * (size_t)level->width;
    Level part = *level;
    part.x = patch->place.x;
    part.y = patch->place.y;
    part.height = patch->place.height;
    part.patches = patch;
    part.patch_count = 1;
    part.count = (size_t)part.width * (size_t)part.height;
    part.z += first;
    part.next += first;
    part.spare += first;
    part.area += first;
    part.receiver += first;
    part.runoff = part.runoff ? part.runoff + first : NULL;
    part.slope += first;
    part.direction += first;
    part.flow += first;
    part.next_flow += first;
    part.cut += first;
    part.limit += first;
    return part;
}

void level_exchange_arrays(const Level *level, unsigned arrays) {
    const Seams *seams = level->seams;
    if (arrays & LEVEL_ALTITUDE)
        seams_exchange_altitudes(seams, level->z);
    if (arrays & LEVEL_NEXT)
        seams_exchange_altitudes(seams, level->next);
    if (arrays & LEVEL_AREA)
        seams_exchange_floats(seams, level->area);
    if (arrays & LEVEL_AREA && level->runoff)
        seams_exchange_counts(seams, level->runoff, RUNOFF_UNKNOWN);
    if (arrays & LEVEL_RECEIVER)
        seams_exchange_receivers(seams, level->receiver, LAND_NONE);
    if (arrays & LEVEL_SLOPE)
        seams_exchange_floats(seams, level->slope);
    if (arrays & LEVEL_FLOW)
        seams_exchange_flow(seams, level->flow, FLOW_CELL + LAND_NONE);
    if (arrays & LEVEL_DIRECTION)
        seams_exchange_directions(seams, level->direction, LAND_NONE);
    if (arrays & LEVEL_COUNT)
        seams_exchange_counts(seams, level->direction, 0);
}

void level_exchange_wishes(const Level *level) {
    if (!level->seams)
        return;
    seams_exchange_altitudes(level->seams, level->wanted);
    seams_exchange_marks(level->seams, level->marks);
}

void level_exchange_states(const Level *level) {
    if (level->seams)
        seams_exchange_counts(level->seams, level->flow, 0);
}

// The seams of patches at half their resolution: those of the coarser level's cells.
static Status coarse_seams_between(Seams *seams, const Level *level, const PatchPlace *places, Int128 side,
                                   Error *error) {
    PatchPlace coarse[PATCHES];
    for (int i = 0; i < level->patch_count; i++)
        coarse[i] = (PatchPlace){ places[i].face, places[i].x / 2, places[i].y / 2, places[i].height / 2,
                                  places[i].row / 2 };
    return seams_between(seams, coarse, level->patch_count, level->width / 2, side / 2, error);
}

Status level_sew(Level *level, Seams *seams, Seams *coarse, Int128 side, Error *error) {
    PatchPlace places[PATCHES];
    for (int i = 0; i < level->patch_count; i++) {
        places[i] = level->patches[i].place;
        places[i].y -= places[i].face * side;
    }
    Status status = seams_between(seams, places, level->patch_count, level->width, side, error);
    if (status == STATUS_OK)
        status = coarse_seams_between(coarse, level, places, side, error);
    level->seams = seams;
    level->coarse_seams = coarse;
    return status;
}
