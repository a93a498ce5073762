// What lies along a canal's line before it is carved, and where the stream at its end goes on.

#include "land/canals.h"

#include "land/drain.h"
#include "land/edit_wishes.h"
#include "land/tiles.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

enum { FLAT = 4096 };  // a canal falls by a cell in so many
#define NARROWEST 1e-3 // of rivers' widths against the root of what they drain
#define SOIL_AREAS 5   // of the streams of the level: finer levels keep what drains so much

// What was made before is not looked at again.
static void begin_looking(Land *land, int level, LandWatch watch) {
    land->versions[min(level, LAND_VERSIONS - 1)] = tiles_new_version(land->tiles);
    land->watch = watch;
}

typedef struct Looking {
    CanalCell *cells;
    int count, level;
} Looking;

static double height_of(const Level *level, int32_t altitude) {
    return (double)(level->base + altitude) / local_edits(level).units;
}

static void look_at(const Level *level, size_t cell, CanalCell *found) {
    const double cells = local_edits(level).cells;
    int32_t lowest = level->z[cell];
    for (int d = 0; d < NEIGHBOURS; d++)
        lowest = min(lowest, level->z[towards(level, cell, d)]);
    const int receiver = level->receiver[cell];
    found->water = receiver == LAND_LAKE || is_outlet(level, cell) ||
                   (receiver == LAND_SEA && level->z[cell] <= level->sea);
    found->area = receiver < NEIGHBOURS ? (double)level->area[cell] / cells / cells : 0;
    found->surface = height_of(level, max(level->z[cell], level->sea));
    found->lowest = height_of(level, max(lowest, level->sea));
    found->fall = (double)max(2 * level->least_fall, level->cell / FLAT) / local_edits(level).units;
}

static void look(void *context, const Level *level, const LandStep *step) {
    const Looking *looking = context;
    if (level->number != looking->level || strcmp(step->name, STEP_CANALS) != 0)
        return;
    for (int i = 0; i < looking->count; i++) {
        CanalCell *found = &looking->cells[i];
        size_t cell;
        if (cell_on_face(level, found->face, found->x, found->y, &cell))
            look_at(level, cell, found);
    }
}

// Makes the land at cells, so that it is looked at.
static Status make_land_at(Land *land, const Run *run, int level, const CanalCell *cells, int count,
                           Error *error) {
    LandFaces faces = { 0 };
    for (int i = 0; i < count; i++) {
        const CanalCell *cell = &cells[i];
        LandRect *rect = &faces.wanted[cell->face];
        const LandRect one = { cell->x, cell->y, cell->x + 1, cell->y + 1 };
        *rect = rect->right == 0 ? one
                                 : (LandRect){ min(rect->left, one.left), min(rect->top, one.top),
                                               max(rect->right, one.right), max(rect->bottom, one.bottom) };
    }
    const Status status = land_faces_once(land, run, level, &faces, error);
    land_faces_free(&faces);
    return status;
}

Status land_look_along(Land *land, const Run *run, int level, CanalCell *cells, int count, Error *error) {
    Looking looking = { cells, count, level };
    Status status = STATUS_OK;
    begin_looking(land, level, (LandWatch){ look, &looking });
    for (int first = 0; first < count && status == STATUS_OK; first += CANAL_CELLS)
        status = make_land_at(land, run, level, cells + first, min((int)CANAL_CELLS, count - first), error);
    land->watch = (LandWatch){ 0 };
    return status;
}

typedef struct Following {
    CanalCell *cells;
    int count, room, level;
    double area;
    bool ends;
} Following;

static void follow(void *context, const Level *level, const LandStep *step) {
    Following *following = context;
    if (level->number != following->level || strcmp(step->name, STEP_CANALS) != 0)
        return;
    while (!following->ends && following->count < following->room) {
        CanalCell *last = &following->cells[following->count - 1];
        size_t cell;
        if (is_at_land_edge(level->land, level->number, last) ||
            !cell_on_face(level, last->face, last->x, last->y, &cell))
            return;
        const int receiver = level->receiver[cell];
        look_at(level, cell, last);
        if (following->count > 1 && last[-1].surface > last->surface)
            last[-1].fall = min(last[-1].fall, last[-1].surface - last->surface);
        following->ends = receiver >= NEIGHBOURS || last->water || last->area >= following->area;
        CubeCell next = { last->face, last->x + neighbour_x[receiver & 7],
                          last->y + neighbour_y[receiver & 7], 0 };
        if (level->land->rules.planet)
            cube_resolve((Int128)level->land->root.width << level->number, &next);
        if (!following->ends)
            following->cells[following->count++] = (CanalCell){ .face = next.face, .x = next.x, .y = next.y };
    }
}

Status land_follow_stream(Land *land, const Run *run, int level, double area, CanalCell *cells, int *count,
                          int room, Error *error) {
    Following following = { cells, *count, room, level, area, false };
    Status status = STATUS_OK;
    begin_looking(land, level, (LandWatch){ follow, &following });
    for (int before = -1; before != following.count && !following.ends && status == STATUS_OK;) {
        before = following.count;
        if (!is_at_land_edge(land, level, &cells[before - 1]))
            status = make_land_at(land, run, level, &cells[before - 1], 1, error);
    }
    land->watch = (LandWatch){ 0 };
    *count = following.count;
    return status;
}

double canal_area(const LandRules *rules, double width) {
    const double root = width / max((double)rules->widening, NARROWEST);
    return root * root;
}

bool is_at_land_edge(const Land *land, int level, const CanalCell *cell) {
    const Int128 last = ((Int128)land->root.width << level) - 1;
    return !land->rules.planet && (cell->x < 1 || cell->y < 1 || cell->x >= last || cell->y >= last);
}

double canal_area_min(const Land *land, int level) {
    const Hillslope form = hillslope_of(&land->rules, level);
    const double cells = ldexp(land->root.width, level) * (land->rules.planet ? 4 : 1);
    return SOIL_AREAS * (double)form.stream_area / cells / cells;
}
