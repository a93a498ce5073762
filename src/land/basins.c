// The lakes of edits, of pits that they sink and of outlines, and their seas. Their ground is cut down to the
// water, which is as high as the stream that leaves it, so nothing is dammed. A basin is looked at as a
// whole, and only there, so that windows agree; what basins become is kept apart until all are known, so none
// sees another.

#include "land/basins.h"
#include "land/edit_sheets.h"
#include "land/law.h"

#include "core/math.h"
#include "core/whole.h"

#include <string.h>

// In level->next_flow: what becomes of a cell; more overrides less.
enum { NOTHING, EASED, CUT, OUTLET, WATER };

enum {
    BANKS = 6,     // cells from a shore that are eased
    SHALLOWS = 12, // of a cell: no sea is less deep, else finer levels would strew islets in it
};
#define BANK_SLOPE 1.5f  // of the law's slopes
#define FLOOR_SLOPE 0.5f // the same, of the floor of a sea

// --- what becomes of it ------------------------------------------------------------------------------------

// Of what two basins make of a cell the more counts, of the same the lower.
static void plan(const Level *level, size_t cell, int what, int32_t z, float area) {
    const int before = level->next_flow[cell];
    if (what > before || (what == before && z < level->next[cell])) {
        level->next[cell] = z;
        level->next_flow[cell] = (uint16_t)what;
    }
    level->cut[cell] = max(level->cut[cell], area);
}

// From the water's level down to where the bed is lower anyway, as evenly as it can be.
static void cut_way_out(const Basin *basin) {
    const Level *level = basin->level;
    size_t cell = basin->outlet;
    int32_t bed = basin->water;
    plan(level, cell, OUTLET, bed, basin->area);
    for (int i = 0; i < GORGE_CELLS && level->receiver[cell] < NEIGHBOURS; i++) {
        cell = below(level, cell);
        if (!has(basin, cell, BELOW))
            break;
        bed = min(level->z[cell], difference(bed, level->least_fall));
        plan(level, cell, bed < level->z[cell] ? CUT : NOTHING, bed, basin->area);
    }
}

// Slopes down to the shore are no steeper than others. What drains elsewhere stays above where it drains to.
static int32_t eased(const Basin *basin, size_t cell, int ring) {
    const Level *level = basin->level;
    const size_t to = below(level, cell);
    const int32_t bed = has(basin, to, LAKE)   ? basin->water
                        : level->next_flow[to] ? level->next[to]
                                               : level->z[to];
    const int32_t wanted =
        sum(basin->water, whole_int(BANK_SLOPE * level->slope[cell] * (float)ring) + 2 * level->least_fall);
    return max(max(wanted, sum(bed, level->least_fall)), max(basin->water, level->sea) + level->least_fall);
}

static bool is_beside_other_lake(const Basin *basin, size_t cell) {
    bool beside = false;
    for (int d = 0; d < NEIGHBOURS; d++)
        beside |= basin->level->receiver[towards(basin->level, cell, d)] == LAND_LAKE;
    return beside;
}

static void ease_banks(Basin *basin) {
    const Level *level = basin->level;
    int first = 0;
    for (int ring = 1; ring <= BANKS; ring++) {
        const int end = basin->count;
        for (int i = first; i < end; i++)
            for (int d = 0; d < NEIGHBOURS; d += ring % 2 ? 2 : 1) {
                const size_t cell = towards(level, (size_t)level->fresh[i], d);
                if (!is_within(basin, cell) || has(basin, cell, LAKE | BANK | BELOW) ||
                    cell == basin->outlet || !is_ground(level, cell))
                    continue;
                add_state(basin, cell, BANK);
                push(basin, cell);
            }
        for (int i = end; i < basin->count; i++) {
            const size_t cell = (size_t)level->fresh[i];
            const int32_t z = eased(basin, cell, ring);
            if (z < level->z[cell] && !is_beside_other_lake(basin, cell))
                plan(level, cell, EASED, z, 0);
        }
        first = end;
    }
}

// As steep as half of the law's slopes, from the outline on.
static int32_t sea_floor(const Basin *basin, size_t cell) {
    const Level *level = basin->level;
    const EditPoint at = point_of(level, basin->edit, cell);
    const double cells =
        edit_depth(level->land->rules.edits, basin->edit, at.x, at.y) * local_edits(level).cells;
    const int32_t depth = whole_int(FLOOR_SLOPE * level->slope[cell] * (float)min(cells, 16.0));
    return level->sea - max(depth, level->cell / SHALLOWS);
}

static void plan_basin(Basin *basin) {
    const Level *level = basin->level;
    for (int i = 0; i < basin->count; i++) {
        const size_t cell = (size_t)level->fresh[i];
        plan(level, cell, WATER, is_sea(basin) ? sea_floor(basin, cell) : basin->water, 0);
    }
    if (!is_sea(basin))
        cut_way_out(basin);
    if (is_outline(basin))
        ease_banks(basin);
}

static void take_plans(const Level *level, const Region *region) {
    for (int y = region->top; y < region->bottom; y++)
        for (int x = region->left; x < region->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int what = level->next_flow[cell];
            if (what > NOTHING)
                level->z[cell] = level->next[cell];
            if (what == WATER) {
                level->receiver[cell] = level->z[cell] > level->sea ? LAND_LAKE : LAND_SEA;
                level->area[cell] = 1;
            } else
                level->area[cell] = max(level->area[cell], level->cut[cell]);
        }
}

// --- which -------------------------------------------------------------------------------------------------

// Pits that overlap would depend on each other, and a window may hold but one of them.
static bool is_alone(const Level *level, const LandEdit *edit) {
    const LandEdits *edits = level->land->rules.edits;
    bool alone = true;
    for (int i = 0; i < level->edit_count && alone; i++) {
        const LandEdit *other = &edits->at[level->edits[i]];
        alone = other == edit || other->entry != level->number || !other->basin || !overlap(other, edit);
    }
    return alone;
}

// The basin of an edit, if all of it lies in the region; across an edge of a planet's cube on a sheet, else
// NULL.
static bool open_basin(const Level *level, const LandEdit *edit, Basin *basin, Sheet **sheet) {
    Region box;
    *sheet = NULL;
    if (!edit->basin || edit->kind == EDIT_LAND || edit->entry != level->number || !level->wanted)
        return false;
    if (!known_box(level, edit->on, 1, &box)) {
        if (!sheet_open(level, edit->on, 1, true, sheet))
            return false;
        box = (*sheet)->inner;
    }
    *basin = (Basin){ .level = *sheet ? &(*sheet)->level : level,
                      .edit = edit,
                      .height = NAN,
                      .left = box.left,
                      .top = box.top,
                      .right = box.right,
                      .bottom = box.bottom };
    return is_outline(basin) || is_alone(level, edit);
}

static void clear_plans(const Level *level, const Region *region) {
    const size_t count = (size_t)(region->right - region->left);
    for (int y = region->top; y < region->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)region->left;
        memset(level->next_flow + cell, 0, count * sizeof *level->next_flow);
        for (size_t i = 0; i < count; i++)
            level->cut[cell + i] = 0;
    }
}

// What becomes of the cells of a sheet does of those that they are.
static void return_plans(const Level *level, const Sheet *sheet) {
    const Level *from = &sheet->level;
    for (size_t i = 0; i < from->count; i++)
        if (sheet->owners[i] != NOBODY && (from->next_flow[i] > NOTHING || from->cut[i] > 0))
            plan(level, (size_t)sheet->owners[i], from->next_flow[i], from->next[i], from->cut[i]);
}

Status fill_basins(Level *level) {
    const LandEdits *edits = level->land->rules.edits;
    if (!level->hillslope.basins || !level->wanted)
        return STATUS_OK;
    const Region region = level->region;
    clear_plans(level, &region);
    for (int i = 0; i < level->edit_count; i++) {
        Basin basin;
        Sheet *sheet;
        if (!open_basin(level, &edits->at[level->edits[i]], &basin, &sheet) || !find_basin(&basin))
            continue;
        plan_basin(&basin);
        if (sheet)
            return_plans(level, sheet);
    }
    take_plans(level, &region);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    level_shrink(level, level->hillslope.basins);
    return STATUS_OK;
}

// --- what fits ---------------------------------------------------------------------------------------------

static double height_of(const Level *level, int32_t altitude) {
    return (double)(level->base + altitude) /
           ldexp(level->land->cell, doublings(&level->land->rules, level->number));
}

void fit_basin(const Level *level, const LandEdit *edit, LakeFit *fit) {
    Basin basin;
    Sheet *sheet;
    if (!open_basin(level, edit, &basin, &sheet))
        return;
    *fit = (LakeFit){ .known = true, .fits = find_basin(&basin) };
    if (is_sea(&basin))
        return;
    const size_t river = find_river(&basin, fit->fits);
    fit->dry = basin.inside > 0;
    fit->river = river > 0;
    fit->where = point_of(basin.level, edit, river);
    if (fit->fits) {
        fit->most = height_of(level, basin.level->z[basin.outlet]);
        fit->least = height_of(level, basin.least);
        fit->share = (double)basin.count / basin.inside;
        fit->area = (double)basin.count / local_edits(level).cells / local_edits(level).cells;
    }
}
