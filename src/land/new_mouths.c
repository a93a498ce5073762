// Rivers that end in sea which edits raise. They go on over the new land, along the shortest way to the sea
// that is left, in beds that fall; where a river is too low for that, the sea on this way stays. Else each
// mouth would be a pit of a single cell between hills.

#include "land/edit_wishes.h"

#include "core/math.h"

#define FAR (INT32_MAX - 1) // in level->next, while it holds cells to the open sea, 0 there: more than WAY

enum {
    APART = 2,                                // cells from what is raised to sea that surely is open
    OPENING = 16,                             // from there to other open sea
    WAY = MOUTH_CELLS - (APART + OPENING) / 2 // from a mouth to the open sea, at most
};

static bool is_wet(const Level *level, size_t cell) {
    return level->receiver[cell] == LAND_SEA && level->z[cell] <= level->sea;
}

static bool is_covered(const Level *level, size_t cell) {
    return is_wet(level, cell) && level->wanted[cell] != UNWANTED && level->wanted[cell] > level->sea;
}

typedef void MouthCell(const Level *level, size_t cell);

static void visit(const Level *level, Region box, MouthCell *visit_cell) {
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++)
            visit_cell(level, (size_t)y * (size_t)level->width + (size_t)x);
}

// --- how far the sea is ------------------------------------------------------------------------------------

static Region around(const Level *level, Region box, int cells) {
    const Region inner = { 1, 1, level->width - 1, level->height - 1 };
    return region_within((Region){ box.left - cells, box.top - cells, box.right + cells, box.bottom + cells },
                         inner);
}

static void begin_cell(const Level *level, size_t cell) {
    level->next[cell] = level->spare[cell] = is_wet(level, cell) ? 0 : FAR;
}

static void close_cell(const Level *level, size_t cell) {
    level->next[cell] = level->spare[cell] = FAR;
}

// Sea beside what is raised may be closed.
static void close_around(const Level *level) {
    const Region box = level->changed;
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++)
            if (is_covered(level, (size_t)y * (size_t)level->width + (size_t)x))
                visit(level, around(level, (Region){ x, y, x + 1, y + 1 }, APART), close_cell);
}

static int32_t least_beside(const Level *level, size_t cell) {
    int32_t least = FAR;
    for (int d = 0; d < NEIGHBOURS; d += 2)
        least = min(least, level->next[towards(level, cell, d)]);
    return least;
}

static void open_block(const Level *level, const Region *block) {
    const Region box = region_within(around(level, level->changed, APART), *block);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const bool opens =
                is_wet(level, cell) && !is_covered(level, cell) && least_beside(level, cell) == 0;
            level->spare[cell] = opens ? 0 : level->next[cell];
        }
}

static void spread_block(const Level *level, const Region *block) {
    const Region box = region_within(around(level, level->changed, APART), *block);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int32_t least = least_beside(level, cell), own = level->next[cell];
            level->spare[cell] = is_wet(level, cell) && least < FAR ? min(own, least + 1) : own;
        }
}

// Towards the open sea; NEIGHBOURS there, and where no way is known.
static int way_of(const Level *level, size_t cell) {
    const int32_t own = level->next[cell];
    int way = own > 0 && own < FAR && is_wet(level, cell) ? 0 : NEIGHBOURS;
    while (way < NEIGHBOURS && level->next[towards(level, cell, way)] != own - 1)
        way += 2;
    return way;
}

// --- what becomes of the way -------------------------------------------------------------------------------

// Whether a river can fall on all of its way.
static bool can_fall(const Level *level, size_t mouth) {
    const int32_t needed = level->least_fall * (level->next[mouth] + 1);
    bool enough = true;
    for (unsigned donors = donors_of(level, mouth); donors && enough;)
        enough = difference(level->z[towards(level, mouth, next_direction(&donors))], level->sea) >= needed;
    return enough;
}

static bool is_lost(const Level *level, size_t cell) {
    return way_of(level, cell) < NEIGHBOURS && donors_of(level, cell);
}

enum { BESIDE = 1, STAYS = 2 }; // in level->flow: where sea that is raised remains

// Three cells wide, as finer levels close the sea of one cell.
static void open_way(const Level *level, size_t cell) {
    if (!is_lost(level, cell) || can_fall(level, cell))
        return;
    for (int way = way_of(level, cell); way < NEIGHBOURS; way = way_of(level, cell)) {
        level->flow[cell] |= STAYS;
        for (int d = 0; d < NEIGHBOURS; d++)
            level->flow[towards(level, cell, d)] |= BESIDE;
        cell = towards(level, cell, way);
    }
}

static void take_opened(const Level *level, size_t cell) {
    if (level->flow[cell] && is_covered(level, cell))
        level->wanted[cell] = UNWANTED;
}

// Makes a stream of the way, as far as the sea does not stay. Its area is yet to be known: 0.
static void lead_on(const Level *level, size_t cell) {
    if (!is_lost(level, cell))
        return;
    for (int way = way_of(level, cell); way < NEIGHBOURS && !(level->flow[cell] & STAYS);
         way = way_of(level, cell)) {
        level->z[cell] = sum(level->sea, level->least_fall * level->next[cell]);
        level->receiver[cell] = (uint8_t)way;
        level->area[cell] = 0;
        cell = towards(level, cell, way);
    }
}

// Closed sea without a river becomes low ground, which is filled like other pits.
static void dry_up(const Level *level, size_t cell) {
    if (!is_wet(level, cell) || is_covered(level, cell) || level->next[cell] == 0 || level->flow[cell] ||
        donors_of(level, cell))
        return;
    level->z[cell] = level->sea + 1;
    level->receiver[cell] = LAND_NONE;
    level->area[cell] = 1;
}

static void gather(const Level *level, size_t cell) {
    float area = 1, largest = 0;
    for (unsigned donors = donors_of(level, cell); donors;) {
        const size_t donor = towards(level, cell, next_direction(&donors));
        area += level->area[donor];
        if (level->runoff && level->area[donor] > largest)
            level->runoff[cell] = level->runoff[donor];
        largest = max(largest, level->area[donor]);
    }
    level->area[cell] = min(area, AREA_MAX);
}

// The farthest from the sea first.
static void gather_all(const Level *level, Region box) {
    for (int cells = WAY; cells > 0; cells--)
        for (int y = box.top; y < box.bottom; y++)
            for (int x = box.left; x < box.right; x++) {
                const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
                if (level->next[cell] == cells && level->area[cell] <= 0)
                    gather(level, cell);
            }
}

// --- all ---------------------------------------------------------------------------------------------------

static void clear_cell(const Level *level, size_t cell) {
    level->flow[cell] = 0;
}

static bool any_is_covered(const Level *level, Region box) {
    bool any = false;
    for (int y = box.top; y < box.bottom && !any; y++)
        for (int x = box.left; x < box.right && !any; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            any = is_covered(level, cell);
        }
    return any;
}

Status lead_mouths_on(Level *level) {
    if (!level->hillslope.seaward)
        return STATUS_OK;
    if (!any_is_covered(level, region_within(level->changed, level->region))) {
        level_shrink(level, MOUTH_REACH_ON);
        return STATUS_OK;
    }
    visit(level, (Region){ 0, 0, level->width, level->height }, begin_cell);
    close_around(level);
    level_shrink(level, APART);
    Status status = level_rounds(level, OPENING, 1, 0.2, LEVEL_NEXT, open_block);
    if (status == STATUS_OK)
        status = level_rounds(level, WAY, 1, 0.2, LEVEL_NEXT, spread_block);
    if (status != STATUS_OK)
        return status;
    const Region wide = around(level, level->changed, APART), box = region_within(wide, level->region);
    visit(level, wide, clear_cell);
    visit(level, box, open_way);
    visit(level, box, take_opened);
    visit(level, box, lead_on);
    visit(level, box, dry_up);
    gather_all(level, wide);
    level_shrink(level, WAY + 1);
    return list_streams(level);
}
