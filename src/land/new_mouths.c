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

static void find_way(const Level *level, size_t cell) {
    level->next_flow[cell] = (uint16_t)way_of(level, cell);
}

// From a mouth on along its way; in level->next_flow the ways of all.
static void open_way(const Level *level, size_t cell) {
    bool stays = is_lost(level, cell) && !can_fall(level, cell);
    for (int d = 0; d < NEIGHBOURS && !stays; d += 2) {
        const size_t beside = towards(level, cell, d);
        stays = level->flow[beside] & STAYS && level->next_flow[beside] == opposite(d);
    }
    if (stays && level->next_flow[cell] < NEIGHBOURS)
        level->flow[cell] = STAYS;
}

// Three cells wide, as finer levels close the sea of one cell.
static void open_beside(const Level *level, size_t cell) {
    bool beside = false;
    for (int d = 0; d < NEIGHBOURS && !beside; d++)
        beside = level->flow[towards(level, cell, d)] & STAYS;
    level->flow[cell] |= beside ? BESIDE : 0;
}

static void take_opened(const Level *level, size_t cell) {
    if (level->flow[cell] && is_covered(level, cell))
        level->wanted[cell] = UNWANTED;
}

// Makes a stream of the way, as far as the sea does not stay. Its area is yet to be known: 0.
static void lead_on(const Level *level, size_t cell) {
    if (!is_lost(level, cell) || level->flow[cell] & STAYS)
        return;
    level->receiver[cell] = (uint8_t)level->next_flow[cell];
    level->z[cell] = sum(level->sea, level->least_fall * level->next[cell]);
    level->area[cell] = 0;
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
    if (level->area[cell] > 0)
        return;
    for (unsigned donors = donors_of(level, cell); donors;) {
        const size_t donor = towards(level, cell, next_direction(&donors));
        area += level->area[donor];
        if (level->runoff && level->area[donor] > largest)
            level->runoff[cell] = level->runoff[donor];
        largest = max(largest, level->area[donor]);
    }
    level->area[cell] = min(area, AREA_MAX);
}

// Lists the cells in level->fresh by how far the open sea is: those so many cells away from starts[that] on.
static void sort_by_way(const Closed *closed, int starts[WAY + 2]) {
    const Level *level = closed->level;
    int ends[WAY + 2] = { 0 };
    for (int i = 0; i < closed->count; i++) {
        const int32_t cells = level->next[level->spare[i]];
        if (cells > 0 && cells <= WAY)
            ends[cells + 1]++;
    }
    for (int cells = 1; cells <= WAY + 1; cells++)
        starts[cells] = ends[cells] += ends[cells - 1];
    for (int i = 0; i < closed->count; i++) {
        const int32_t cells = level->next[level->spare[i]];
        if (cells > 0 && cells <= WAY)
            level->fresh[ends[cells]++] = level->spare[i];
    }
}

// Visits the cells of ways, the farthest from the sea first: each after those whose way leads there.
static void visit_down(const Level *level, const int starts[WAY + 2], MouthCell *visit_cell,
                       void (*exchange)(const Level *level)) {
    for (int cells = WAY; cells > 0; cells--) {
        for (int i = starts[cells]; i < starts[cells + 1]; i++)
            visit_cell(level, (size_t)level->fresh[i]);
        exchange(level);
    }
}

static void exchange_streams(const Level *level) {
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
}

static void exchange_ways(const Level *level) {
    if (level->seams)
        seams_exchange_directions(level->seams, level->next_flow, NEIGHBOURS);
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
    take_rounds(&closed, OPENING, opened);
    take_rounds(&closed, WAY, way_from);
    level_exchange(level, LEVEL_NEXT);
    visit(&closed, clear_around);
    keep_inside(&closed);
    int starts[WAY + 2];
    sort_by_way(&closed, starts);
    visit(&closed, find_way);
    exchange_ways(level);
    visit_down(level, starts, open_way, level_exchange_states);
    visit(&closed, open_beside);
    visit(&closed, take_opened);
    visit_down(level, starts, lead_on, exchange_streams);
    visit(&closed, dry_up);
    visit_down(level, starts, gather, exchange_streams);
    return STATUS_OK;
}
