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

// Sea that may be closed: what is raised and what lies beside it, row by row, in level->spare. What becomes
// of it is found round by round in level->fresh: all rounds together cost less than one over all cells.
typedef struct Closed {
    Level *level;
    int count;
} Closed;

typedef int32_t MouthRound(const Level *level, size_t cell);
typedef void MouthCell(const Level *level, size_t cell);

static void visit(const Closed *closed, MouthCell *visit_cell) {
    const Level *level = closed->level;
    for (int i = 0; i < closed->count; i++)
        visit_cell(level, (size_t)level->spare[i]);
}

// --- how far the sea is ------------------------------------------------------------------------------------

static Region around(const Level *level, Region box, int cells) {
    const Region inner = { 1, 1, level->width - 1, level->height - 1 };
    return region_within((Region){ box.left - cells, box.top - cells, box.right + cells, box.bottom + cells },
                         inner);
}

static void begin_rows(void *context, int first, int end) {
    const Level *level = context;
    const size_t from = (size_t)first * (size_t)level->width, after = (size_t)end * (size_t)level->width;
    for (size_t cell = from; cell < after; cell++)
        level->next[cell] = is_wet(level, cell) ? 0 : FAR;
}

static void close_around(const Level *level, int x, int y) {
    const Region box = around(level, (Region){ x, y, x + 1, y + 1 }, APART);
    for (int row = box.top; row < box.bottom; row++)
        for (int column = box.left; column < box.right; column++)
            level->next[(size_t)row * (size_t)level->width + (size_t)column] = FAR;
}

static void list_closed(Closed *closed) {
    const Level *level = closed->level;
    const Region changed = level->changed, wide = around(level, changed, APART);
    for (int y = changed.top; y < changed.bottom; y++)
        for (int x = changed.left; x < changed.right; x++)
            if (is_covered(level, (size_t)y * (size_t)level->width + (size_t)x))
                close_around(level, x, y);
    for (int y = wide.top; y < wide.bottom; y++)
        for (int x = wide.left; x < wide.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (level->next[cell] == FAR && is_wet(level, cell))
                level->spare[closed->count++] = (int32_t)cell;
        }
}

static int32_t least_beside(const Level *level, size_t cell) {
    int32_t least = FAR;
    for (int d = 0; d < NEIGHBOURS; d += 2)
        least = min(least, level->next[towards(level, cell, d)]);
    return least;
}

static int32_t opened(const Level *level, size_t cell) {
    return !is_covered(level, cell) && least_beside(level, cell) == 0 ? 0 : level->next[cell];
}

static int32_t way_from(const Level *level, size_t cell) {
    const int32_t least = least_beside(level, cell);
    return least < FAR ? min(level->next[cell], least + 1) : level->next[cell];
}

static void take_rounds(const Closed *closed, int rounds, MouthRound *found) {
    Level *level = closed->level;
    for (int round = 0; round < rounds; round++) {
        level_exchange(level, LEVEL_NEXT);
        for (int i = 0; i < closed->count; i++)
            level->fresh[i] = found(level, (size_t)level->spare[i]);
        for (int i = 0; i < closed->count; i++)
            level->next[level->spare[i]] = level->fresh[i];
    }
    level_exchange(level, LEVEL_NEXT);
    level_shrink(level, rounds);
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
static void gather_all(const Closed *closed) {
    const Level *level = closed->level;
    for (int cells = WAY; cells > 0; cells--)
        for (int i = 0; i < closed->count; i++) {
            const size_t cell = (size_t)level->spare[i];
            if (level->next[cell] == cells && level->area[cell] <= 0)
                gather(level, cell);
        }
}

// --- all ---------------------------------------------------------------------------------------------------

static void clear_around(const Level *level, size_t cell) {
    level->flow[cell] = 0;
    for (int d = 0; d < NEIGHBOURS; d++)
        level->flow[towards(level, cell, d)] = 0;
}

// Those in the region alone.
static void keep_inside(Closed *closed) {
    const Level *level = closed->level;
    const Region *region = &level->region;
    int kept = 0;
    for (int i = 0; i < closed->count; i++) {
        const int cell = level->spare[i], x = cell % level->width, y = cell / level->width;
        if (x >= region->left && y >= region->top && x < region->right && y < region->bottom)
            level->spare[kept++] = cell;
    }
    closed->count = kept;
}

Status lead_mouths_on(Level *level) {
    Closed closed = { level, 0 };
    if (!level->hillslope.seaward)
        return STATUS_OK;
    Status status = parallel_rows(level->run, level->height, level->width * 0.5, begin_rows, level);
    if (status != STATUS_OK)
        return status;
    list_closed(&closed);
    level_shrink(level, APART);
    take_rounds(&closed, OPENING, opened);
    take_rounds(&closed, WAY, way_from);
    visit(&closed, clear_around);
    keep_inside(&closed);
    visit(&closed, open_way);
    visit(&closed, take_opened);
    visit(&closed, lead_on);
    visit(&closed, dry_up);
    gather_all(&closed);
    level_shrink(level, WAY + 1);
    return closed.count > 0 ? list_streams(level) : STATUS_OK;
}
