// Carves canals: streams along given cells, once streams are inherited.

#include "land/canals.h"

#include "land/drain.h"
#include "land/edit_wishes.h"
#include "land/runoff.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

enum { BELOW = 2 }; // cells of a brook below a canal that dry up, if nothing else feeds them

// In level->flow while canals are carved.
enum {
    CANAL = 1,
    BEHEADED = 2, // a stream that has drained a canal's cell
    DRYING = 4,
};

// --- springs -----------------------------------------------------------------------------------------------

#define LEAST_OF_SPRING 0.5 // of what a canal drains, as its stream is known by: brooks beside it drain less

// What the first cell of a canal is on this level, in the arrays.
static Region spring_cells(const Level *level, const PatchPlace *place, const LandEdit *edit) {
    const Land *land = level->land;
    const int finer = level->number - edit->entry;
    const double side = ldexp(land->root.width, edit->entry);
    const CubePlace at = chart_place(&edit->chart, land->rules.edits->points[edit->first], side);
    const Int128 step = (Int128)1 << finer, top = place->face * ((Int128)land->root.width << level->number),
                 left = whole_128(floor(at.x)) * step - place->x,
                 above = whole_128(floor(at.y)) * step + top - place->y, width = level->width,
                 height = place->height, none = 0;
    if (at.face != place->face)
        return (Region){ 0 };
    return (Region){ (int)clamp(left, none, width), place->row + (int)clamp(above, none, height),
                     (int)clamp(left + step, none, width),
                     place->row + (int)clamp(above + step, none, height) };
}

// Halos get what the cells of their own face have.
Status find_springs(Level *level, Error *error) {
    const LandEdits *edits = level->land->rules.edits;
    for (int i = 0; edits && i < edits->count; i++) {
        const LandEdit *edit = &edits->at[i];
        const double cells =
            ldexp(level->land->root.width, level->number) * (level->land->rules.planet ? 4 : 1);
        for (int k = 0; k < level->patch_count && edit->spring && edit->entry <= level->number; k++) {
            const Region found = spring_cells(level, &level->patches[k].place, edit);
            if (region_is_empty(found))
                continue;
            if (!level->springs)
                level->springs = memory_new((size_t)edits->count, sizeof *level->springs, error);
            if (!level->springs)
                return STATUS_MEMORY;
            level->springs[level->spring_count++] =
                (Spring){ found, (float)min(LEAST_OF_SPRING * edit->carries * cells * cells, AREA_MAX / 2.0),
                          0 };
        }
    }
    return STATUS_OK;
}

// --- carving -----------------------------------------------------------------------------------------------

// Where a patch, or what lies beyond the edges of its face, has the cell in whose middle a canal's point
// lies; false: the arrays do not have it and all around it.
static bool find_cell(const LocalEdits *local, const PatchPlace *patch, const LandEdit *edit, EditPoint point,
                      size_t *cell) {
    const Level *level = local->level;
    const double side = local->cells / (level->land->rules.planet ? 4 : 1);
    const CubePlace place = chart_place(&edit->chart, point, side);
    CubeCell own = { place.face, whole_128(floor(place.x)), whole_128(floor(place.y)), 0 };
    return cube_unfold(whole_128(side), patch->face, &own) && cell_in_patch(level, patch, own.x, own.y, cell);
}

static int way_to(const Level *level, size_t from, size_t to) {
    int way = 0;
    while (way < NEIGHBOURS && towards(level, from, way) != to)
        way++;
    return way;
}

// Where the step of a canal crosses that of a stream over the same corner, the lower of the two takes the
// other. Gives the way of the canal.
static int cross_corner(const Level *level, size_t cell, int way, int32_t bed, int32_t next_bed) {
    const size_t next = towards(level, cell, way);
    for (int side = -1; side <= 1 && way & 1; side += 2) {
        const size_t from = towards(level, cell, (way + side) & 7),
                     to = towards(level, cell, (way - side) & 7);
        if (level->receiver[from] >= NEIGHBOURS || towards(level, from, level->receiver[from]) != to)
            continue;
        if (level->z[from] > next_bed)
            level->receiver[from] = (uint8_t)way_to(level, from, next);
        else if (level->z[from] < bed)
            return (way + side) & 7;
    }
    return way;
}

// A canal takes in the streams that it meets, but ends in one that is lower or drains more; beyond, it begins
// again.
static void carve_in(const LocalEdits *local, const PatchPlace *patch, const LandEdit *edit, int i) {
    const Level *level = local->level;
    const EditPoint *points = local->edits->points + edit->first;
    size_t cell, next;
    if (!find_cell(local, patch, edit, points[i], &cell) ||
        !find_cell(local, patch, edit, points[i + 1], &next))
        return;
    const int receiver = level->receiver[cell];
    const int32_t lowest = level->sea + level->least_fall,
                  bed = max(edit_altitude(local, canal_bed(local->edits, edit, i)), lowest),
                  next_bed = max(edit_altitude(local, canal_bed(local->edits, edit, i + 1)), level->sea);
    const float area = (float)min(edit->carries * local->cells * local->cells, (double)AREA_MAX);
    const int way = way_to(level, cell, next);
    if (receiver == LAND_SEA || receiver == LAND_LAKE || is_outlet(level, cell) || way == NEIGHBOURS ||
        (receiver < NEIGHBOURS && (level->area[cell] >= area || level->z[cell] < bed)))
        return;
    if (receiver < NEIGHBOURS)
        level->flow[towards(level, cell, receiver)] |= BEHEADED;
    level->flow[cell] |= CANAL;
    level->receiver[cell] = (uint8_t)cross_corner(level, cell, way, bed, next_bed);
    level->area[cell] = area;
    level->z[cell] = bed;
    if (level->runoff)
        level->runoff[cell] = runoff_code(USUAL_RUNOFF);
}

// On all patches that have the cell, also beyond an edge: what it does to those beside it, it does on their
// face as well.
static void carve_cell(const LocalEdits *local, const LandEdit *edit, int i) {
    for (int patch = 0; patch < local->level->patch_count; patch++)
        carve_in(local, &local->level->patches[patch].place, edit, i);
}

typedef void CanalVisit(const Level *level, size_t cell);

static void visit(const Level *level, Region box, CanalVisit *visit_cell) {
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++)
            visit_cell(level, (size_t)y * (size_t)level->width + (size_t)x);
}

static void clear(const Level *level, size_t cell) {
    level->flow[cell] = 0;
}

// What is left of a brook beside a canal would stand in its bank.
static void find_beheaded(const Level *level, size_t cell) {
    const bool beheaded = level->flow[cell] & BEHEADED && !(level->flow[cell] & CANAL);
    if (beheaded && level->receiver[cell] < NEIGHBOURS && !is_outlet(level, cell) && !donors_of(level, cell))
        level->flow[cell] |= DRYING;
}

static void dry_up(const Level *level, size_t cell) {
    if (!(level->flow[cell] & DRYING))
        return;
    level->flow[cell] = 0;
    level->flow[towards(level, cell, level->receiver[cell])] |= BEHEADED;
    level->receiver[cell] = LAND_NONE;
    level->area[cell] = 1;
}

static bool enters(const LocalEdits *local, int i, const LandEdit **edit) {
    *edit = &local->edits->at[local->numbers[i]];
    return (*edit)->kind == EDIT_CANAL && (*edit)->entry == local->level->number;
}

Status carve_canals(Level *level) {
    const LocalEdits local = local_edits(level);
    const LandEdit *edit;
    bool any = false;
    if (!level->wanted || !level->hillslope.canals)
        return STATUS_OK;
    for (int i = 0; i < local.count && !any; i++)
        any = enters(&local, i, &edit);
    if (any) {
        visit(level, level->changed, clear);
        for (int i = 0; i < local.count; i++)
            for (int k = 0; enters(&local, i, &edit) && k + 1 < edit->count; k++)
                carve_cell(&local, edit, k);
        for (int i = 0; i < BELOW; i++) {
            visit(level, level->changed, find_beheaded);
            visit(level, level->changed, dry_up);
        }
        level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    }
    level_shrink(level, CANAL_REACH);
    return any ? list_streams(level) : STATUS_OK;
}
