#include "land/basins.h"
#include "land/law.h"

#include "core/math.h"
#include "core/whole.h"

#include <string.h>

enum {
    FEWEST = 4,         // cells of a lake
    OUTLETS = 12,       // places for that of an outline, one above the other
    ENOUGH = 15,        // 16ths of an outline's cells, for which no other is tried
    MORE = 18,          // 16ths of a lake's cells, for which another is taken
    STREAMS = 6,        // that may leave an outline, the largest first,
    LOWEST = 4,         // and the lowest places where its water does
    DEEPER = 2,         // levels of the water below the bed of its outlet, as far as that may be cut
    APART = 3,          // cells between the outlines of two lakes
    BROOKS = 2,         // what drains less than this part of what an outlet does may end in the lake
    BROOK_CELLS = 1024, // of its course, at most
    SOIL_AREAS = 5,     // of the streams of the level: finer levels keep what drains so much
};
#define LEAST_STREAM 96.0f // cells that drain through an outlet

static bool is_stream_cell(const Level *level, size_t cell) {
    return level->receiver[cell] < NEIGHBOURS && level->area[cell] >= level->hillslope.stream_area;
}

// --- which cells -------------------------------------------------------------------------------------------

static bool is_water(const LandEdit *edit) {
    return edit->kind == EDIT_LAKE || edit->kind == EDIT_SEA;
}

// Whether a cell lies in or beside the outline of another lake or sea; `earlier`: one that is made before.
static bool is_taken(const Basin *basin, int x, int y, bool earlier) {
    const Level *level = basin->level;
    const LandEdits *edits = level->land->rules.edits;
    const double reach = APART / local_edits(level).cells;
    bool taken = false;
    for (int i = 0; i < level->edit_count && !taken; i++) {
        const LandEdit *other = &edits->at[level->edits[i]];
        if (earlier && other >= basin->edit)
            break;
        if (other != basin->edit && is_water(other) && other->entry == level->number &&
            overlap(other, basin->edit)) {
            const EditPoint at = point_of(level, other, cell_of(basin, x, y));
            taken = edit_outline_has(edits, other, reach, at.x, at.y);
        }
    }
    return taken;
}

static bool is_inside(const Basin *basin, int x, int y) {
    const Level *level = basin->level;
    const size_t cell = cell_of(basin, x, y);
    if (!is_ground(level, cell))
        return false;
    if (!is_outline(basin))
        return level->wanted[cell] < level->z[cell];
    const EditPoint at = point_of(level, basin->edit, cell);
    return edit_outline_has(level->land->rules.edits, basin->edit, 0, at.x, at.y) &&
           !is_taken(basin, x, y, true);
}

static bool find_inside(const Basin *basin) {
    bool any = false;
    for (int y = basin->top; y < basin->bottom; y++)
        for (int x = basin->left; x < basin->right; x++) {
            const size_t cell = cell_of(basin, x, y);
            const bool inside = is_within(basin, cell) && is_inside(basin, x, y);
            basin->level->flow[cell] = inside ? INSIDE : 0;
            any |= inside;
        }
    return any;
}

// Calls a function with each cell inside whose water leaves, and where to.
typedef void Exit(Basin *basin, size_t cell, size_t beyond);

static void for_exits(Basin *basin, Exit *visit) {
    for (int y = basin->top + 1; y < basin->bottom - 1; y++)
        for (int x = basin->left + 1; x < basin->right - 1; x++) {
            const size_t cell = cell_of(basin, x, y);
            if (has(basin, cell, INSIDE) && !has(basin, below(basin->level, cell), INSIDE))
                visit(basin, cell, below(basin->level, cell));
        }
}

// A stream that leaves the outline and comes back runs through the lake.
static void take_loop(Basin *basin, size_t cell, size_t beyond) {
    const Level *level = basin->level;
    if (!is_stream_cell(level, cell))
        return;
    size_t at = beyond;
    while (is_within(basin, at) && is_ground(level, at) && !has(basin, at, INSIDE) &&
           !is_taken(basin, (int)(at % (size_t)level->width), (int)(at / (size_t)level->width), false))
        at = below(level, at);
    if (!has(basin, at, INSIDE))
        return;
    for (size_t loop = beyond; loop != at; loop = below(level, loop))
        add_state(basin, loop, INSIDE);
}

// The largest stream that leaves the outline, at its last cell inside; or into which a pit drains.
static void find_outlet(Basin *basin, size_t cell, size_t beyond) {
    const Level *level = basin->level;
    const size_t outlet = is_outline(basin) ? cell : beyond;
    if (is_within(basin, outlet) && is_ground(level, outlet) &&
        level->receiver[below(level, outlet)] < NEIGHBOURS && level->area[outlet] < basin->most &&
        (!basin->outlet || level->area[outlet] > level->area[basin->outlet]))
        basin->outlet = outlet;
}

// The lowest place where water leaves the outline.
static void find_lowest(Basin *basin, size_t cell, size_t beyond) {
    const Level *level = basin->level;
    if (is_within(basin, cell) && level->receiver[beyond] < NEIGHBOURS && level->z[cell] > basin->above &&
        (!basin->outlet || level->z[cell] < level->z[basin->outlet]))
        basin->outlet = cell;
}

// Marks all inside that drains to the cells of the list, and adds it to that.
static void spread_upward(Basin *basin, int state) {
    const Level *level = basin->level;
    for (int i = 0; i < basin->count; i++)
        for (unsigned donors = donors_of(level, (size_t)level->fresh[i]); donors;) {
            const size_t donor = towards(level, (size_t)level->fresh[i], next_direction(&donors));
            if (!has(basin, donor, INSIDE) || has(basin, donor, DRAINS | state) || donor == basin->outlet)
                continue;
            add_state(basin, donor, state);
            push(basin, donor);
        }
}

// Whether a small stream that enters the outline comes to the outlet or to the river below: what it brings
// leaves by that as well.
static bool is_brook(const Basin *basin, size_t cell) {
    const Level *level = basin->level;
    const bool small = level->area[cell] < level->area[basin->outlet] / BROOKS;
    for (int i = 0; small && i < BROOK_CELLS && is_within(basin, cell) && is_ground(level, cell); i++) {
        if (has(basin, cell, BELOW | DRAINS))
            return true;
        cell = below(level, cell);
    }
    return false;
}

// Rivers that enter the outline but do not reach the outlet keep their valleys. Streams that begin inside
// lose their sources to the lake.
static void keep_rivers(Basin *basin) {
    const Level *level = basin->level;
    basin->count = 0;
    for (int y = basin->top + 1; y < basin->bottom - 1; y++)
        for (int x = basin->left + 1; x < basin->right - 1; x++) {
            size_t cell = cell_of(basin, x, y);
            if (has(basin, cell, INSIDE) || !is_stream_cell(level, cell) || is_brook(basin, cell))
                continue;
            for (cell = below(level, cell); has(basin, cell, INSIDE) && !has(basin, cell, DRAINS | KEPT);
                 cell = below(level, cell)) {
                add_state(basin, cell, KEPT);
                push(basin, cell);
            }
        }
    spread_upward(basin, KEPT);
}

// --- the water's level -------------------------------------------------------------------------------------

static int32_t altitude_of(const Level *level, double height) {
    const Int128 units = whole_128(
        floor(height * ldexp(level->land->cell, doublings(&level->land->rules, level->number)) + 0.5));
    const Int128 exact = units - level->base;
    return (int32_t)clamp(exact, -HIGHEST, HIGHEST);
}

// Marks the stream below the outlet. Its bed may be cut along GORGE_CELLS, down to where it is lower.
static void find_way_out(Basin *basin) {
    const Level *level = basin->level;
    const int reach = is_outline(basin) ? GORGE_CELLS : 0;
    size_t cell = basin->outlet;
    basin->least = level->z[cell];
    for (int i = 1; i <= reach; i++) {
        cell = below(level, cell);
        if (!is_within(basin, cell))
            break;
        const int32_t bed = max(level->z[cell], level->sea);
        basin->least = min(basin->least, sum(bed, i * level->least_fall));
        if (!is_ground(level, cell) ||
            is_taken(basin, (int)(cell % (size_t)level->width), (int)(cell / (size_t)level->width), false))
            break;
        add_state(basin, cell, BELOW);
    }
}

static void set_water(Basin *basin) {
    const int32_t bed = basin->level->z[basin->outlet];
    const int32_t deeper = whole_int((float)difference(bed, basin->least) / DEEPER) * basin->deeper;
    basin->water = isnan(basin->height) ? difference(bed, deeper)
                                        : clamp(altitude_of(basin->level, basin->height), basin->least, bed);
}

// --- the lake ----------------------------------------------------------------------------------------------

static bool may_be_water(const Basin *basin, size_t cell) {
    const Level *level = basin->level;
    if (!has(basin, cell, INSIDE) || has(basin, cell, KEPT | BELOW) || cell == basin->outlet ||
        level->z[cell] <= basin->water)
        return false;
    return is_outline(basin) || (has(basin, cell, DRAINS) && level->wanted[cell] < basin->water);
}

// Water leaves at the outlet alone: what else is around is higher. Another lake is not near.
static bool is_enclosed(const Basin *basin, size_t cell) {
    const Level *level = basin->level;
    bool enclosed = true;
    for (int d = 0; d < NEIGHBOURS && enclosed; d++) {
        const size_t beside = towards(level, cell, d);
        enclosed =
            beside == basin->outlet || (level->receiver[beside] < NEIGHBOURS && !is_outlet(level, beside) &&
                                        !has(basin, beside, BELOW) && level->z[beside] > basin->water);
    }
    return enclosed;
}

static void join(Basin *basin, size_t cell) {
    if (!has(basin, cell, ENCLOSED) || has(basin, cell, LAKE))
        return;
    add_state(basin, cell, LAKE);
    push(basin, cell);
}

// Adds the water that hangs together with a cell, in place of what the list has if that is less.
static void keep_larger(Basin *basin, size_t cell) {
    int *list = basin->level->fresh;
    const int before = basin->count;
    join(basin, cell);
    for (int i = before; i < basin->count; i++)
        for (int d = 0; d < NEIGHBOURS; d += 2)
            join(basin, towards(basin->level, (size_t)list[i], d));
    const int more = basin->count - before;
    if (more == 0)
        return;
    const bool larger = more > before;
    for (int i = larger ? 0 : before; i < (larger ? before : basin->count); i++)
        basin->level->flow[list[i]] &= (uint16_t) ~(LAKE | ENCLOSED);
    if (larger)
        memmove(list, list + before, (size_t)more * sizeof *list);
    basin->count = larger ? more : before;
}

// The largest water beside the outlet, in the list. Over a corner finer levels may part them.
static void find_lake(Basin *basin) {
    const Level *level = basin->level;
    for (int y = basin->top; y < basin->bottom; y++)
        for (int x = basin->left; x < basin->right; x++) {
            const size_t cell = cell_of(basin, x, y);
            level->flow[cell] &= INSIDE | DRAINS | KEPT | BELOW;
            if (may_be_water(basin, cell) && is_enclosed(basin, cell))
                add_state(basin, cell, ENCLOSED);
        }
    basin->count = 0;
    for (int d = 0; d < NEIGHBOURS; d += 2)
        keep_larger(basin, towards(level, basin->outlet, d));
    for (int d = 1; d < NEIGHBOURS && basin->count == 0 && !is_outline(basin); d += 2)
        keep_larger(basin, towards(level, basin->outlet, d));
}

// Whether what drained out of the lake's ground here came back into it farther down.
static bool comes_back(const Basin *basin, size_t cell) {
    const Level *level = basin->level;
    while (!has(basin, cell, LAKE) && cell != basin->outlet && is_within(basin, cell) &&
           is_ground(level, cell))
        cell = below(level, cell);
    return has(basin, cell, LAKE);
}

// What drains into the lake: all, but nothing twice, and the most of one stream.
static float inflow_of(const Basin *basin, float *most) {
    const Level *level = basin->level;
    float all = (float)basin->count, twice = 0;
    for (int i = 0; i < basin->count; i++) {
        const size_t cell = (size_t)level->fresh[i], beyond = below(level, cell);
        twice += !has(basin, beyond, LAKE) && comes_back(basin, beyond) ? level->area[cell] : 0;
        for (unsigned donors = donors_of(level, cell); donors;) {
            const size_t donor = towards(level, cell, next_direction(&donors));
            if (has(basin, donor, LAKE))
                continue;
            all += level->area[donor];
            *most = max(*most, level->area[donor]);
        }
    }
    return all - twice;
}

static float least_outflow(const Level *level) {
    return max(LEAST_STREAM, level->hillslope.soil ? SOIL_AREAS * level->hillslope.stream_area : 0);
}

// Where no stream comes, the lake is the source of one. What comes leaves, as far as that much drains where
// its way out ends, or to the sea: ground drained elsewhere before, and streams carry a little more or less
// than drains into them.
static bool leaves_by_stream(Basin *basin) {
    const Level *level = basin->level;
    size_t cell = basin->outlet;
    basin->area = level->area[cell];
    if (is_outline(basin)) {
        float most = 0;
        const float inflow = inflow_of(basin, &most);
        size_t end = basin->outlet;
        for (int i = 0; i < GORGE_CELLS && has(basin, below(level, end), BELOW); i++)
            end = below(level, end);
        const bool ends = level->receiver[below(level, end)] == LAND_SEA;
        const float leaves = ends ? INFINITY : level->area[end];
        most = max(most, min((float)basin->count, leaves));
        basin->area = max(basin->area, max(min(inflow, level->area[end]), most));
    }
    for (int i = 0; i < GORGE_CELLS && level->area[cell] < basin->area; i++) {
        cell = below(level, cell);
        if (!is_within(basin, cell) || level->receiver[cell] >= NEIGHBOURS)
            break;
    }
    const bool reaches = level->area[cell] >= basin->area || level->receiver[cell] == LAND_SEA;
    return basin->area >= least_outflow(level) && reaches;
}

// The lake of one outlet, in the list.
static bool try_outlet(Basin *basin) {
    for (int y = basin->top; y < basin->bottom; y++)
        for (int x = basin->left; x < basin->right; x++)
            basin->level->flow[cell_of(basin, x, y)] &= INSIDE;
    basin->count = 0;
    push(basin, basin->outlet);
    spread_upward(basin, DRAINS);
    find_way_out(basin);
    if (is_outline(basin))
        keep_rivers(basin);
    set_water(basin);
    find_lake(basin);
    return basin->count >= FEWEST && leaves_by_stream(basin);
}

// The donor inside from which most comes; `cell` itself if there is none.
static size_t above(const Basin *basin, size_t cell) {
    const Level *level = basin->level;
    size_t main_donor = cell;
    for (unsigned donors = donors_of(level, cell); donors;) {
        const size_t donor = towards(level, cell, next_direction(&donors));
        if (has(basin, donor, INSIDE) && (main_donor == cell || level->area[donor] > level->area[main_donor]))
            main_donor = donor;
    }
    return main_donor;
}

typedef struct Best {
    size_t outlet;
    int count;  // cells of its lake
    int deeper; // how far its water is lower than the outlet's bed
} Best;

// Beside an outlet that turns all ground may touch the stream below it: then the lake ends farther up.
static void find_best(Basin *basin, int enough, Best *best) {
    size_t at = basin->outlet;
    for (int i = 0; i < OUTLETS; i++) {
        basin->outlet = at;
        for (basin->deeper = 0; basin->deeper <= (is_outline(basin) ? DEEPER : 0) && best->count < enough;
             basin->deeper++) {
            const bool holds = try_outlet(basin);
            if (holds && 16 * basin->count > MORE * best->count)
                *best = (Best){ at, basin->count, basin->deeper };
        }
        const size_t next = above(basin, at);
        if (best->count >= enough || !is_outline(basin) || next == at)
            break;
        at = next;
    }
}

// --- seas --------------------------------------------------------------------------------------------------

static bool is_open_sea(const Level *level, size_t cell) {
    return level->receiver[cell] == LAND_SEA && level->z[cell] <= level->sea;
}

// Marks what the sea can reach over sides: not rivers that pass through, nor what lies beside a lake or where
// water ends on land.
static void flood(Basin *basin, size_t cell) {
    const Level *level = basin->level;
    bool reaches = has(basin, cell, INSIDE) && !has(basin, cell, KEPT | LAKE);
    for (int d = 0; d < NEIGHBOURS && reaches; d++) {
        const size_t beside = towards(level, cell, d);
        reaches =
            level->receiver[beside] < NEIGHBOURS ? !is_outlet(level, beside) : is_open_sea(level, beside);
    }
    if (!reaches)
        return;
    add_state(basin, cell, LAKE);
    push(basin, cell);
}

static bool find_sea(Basin *basin) {
    const Level *level = basin->level;
    basin->count = 0;
    for (int y = basin->top + 1; y < basin->bottom - 1; y++)
        for (int x = basin->left + 1; x < basin->right - 1; x++) {
            const size_t cell = cell_of(basin, x, y);
            if (!has(basin, cell, INSIDE) || !is_open_sea(level, below(level, cell)))
                continue;
            add_state(basin, cell, DRAINS);
            push(basin, cell);
        }
    spread_upward(basin, DRAINS);
    keep_rivers(basin);
    basin->water = level->sea;
    basin->count = 0;
    for (int y = basin->top + 1; y < basin->bottom - 1; y++)
        for (int x = basin->left + 1; x < basin->right - 1; x++)
            for (int d = 0; d < NEIGHBOURS && is_open_sea(level, cell_of(basin, x, y)); d += 2)
                flood(basin, towards(level, cell_of(basin, x, y), d));
    for (int i = 0; i < basin->count; i++)
        for (int d = 0; d < NEIGHBOURS; d += 2)
            flood(basin, towards(level, (size_t)level->fresh[i], d));
    return basin->count > 0;
}

bool find_basin(Basin *basin) {
    size_t first = 0;
    if (!find_inside(basin))
        return false;
    if (is_sea(basin))
        return find_sea(basin);
    if (is_outline(basin))
        for_exits(basin, take_loop);
    for (int y = basin->top; y < basin->bottom; y++)
        for (int x = basin->left; x < basin->right; x++)
            basin->inside += has(basin, cell_of(basin, x, y), INSIDE);
    const int enough = basin->inside * ENOUGH / 16;
    Best best = { 0 };
    // The next smaller stream, where the largest only touches the outline; and where the ground inside is
    // lower than all of them, the lowest place.
    for (int i = 0; i < (is_outline(basin) ? STREAMS + LOWEST : 1) && best.count < enough; i++) {
        const bool lowest = i >= STREAMS;
        basin->most = i && !lowest ? basin->level->area[first] : INFINITY;
        basin->above = i > STREAMS && first ? basin->level->z[first] : -HIGHEST;
        basin->outlet = 0;
        for_exits(basin, lowest ? find_lowest : find_outlet);
        first = basin->outlet;
        if (basin->outlet)
            find_best(basin, enough, &best);
        else
            i = lowest ? STREAMS + LOWEST : STREAMS - 1;
    }
    basin->outlet = best.outlet;
    basin->deeper = best.deeper;
    basin->height = is_outline(basin) ? basin->edit->height : NAN;
    return best.count > 0 && try_outlet(basin);
}

size_t find_river(const Basin *basin, bool kept) {
    const Level *level = basin->level;
    size_t river = 0;
    for (int y = basin->top + 1; y < basin->bottom - 1; y++)
        for (int x = basin->left + 1; x < basin->right - 1; x++) {
            const size_t cell = cell_of(basin, x, y);
            const bool counts = kept ? has(basin, cell, KEPT) : is_ground(level, cell);
            if (counts && level->area[cell] >= least_outflow(level) &&
                (!river || level->area[cell] > level->area[river]))
                river = cell;
        }
    return river;
}
