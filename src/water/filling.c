

#include "water/filling.h"

#include "core/counts.h"
#include "core/error.h"
#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "water/cell_queue.h"
#include "water/drainage.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// --- sorting spills ----------------------------------------------------------------------------------------

enum { DIGIT_BITS = 11, DIGITS = 3, DIGIT_VALUES = 1 << DIGIT_BITS };

static uint32_t digit_of(const Spill *spill, int digit) {
    return ordered_bits(spill->height) >> (digit * DIGIT_BITS) & (DIGIT_VALUES - 1);
}

// By radix, which keeps the order of equal ones.
void spills_sort(SpillList *list) {
    uint32_t start[DIGITS][DIGIT_VALUES];
    memset(start, 0, sizeof start);
    for (size_t i = 0; i < list->count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            start[digit][digit_of(&list->at[i], digit)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        counts_to_starts(start[digit], DIGIT_VALUES);
        for (size_t i = 0; i < list->count; i++)
            list->scratch[start[digit][digit_of(&list->at[i], digit)]++] = list->at[i];
        Spill *const sorted = list->scratch;
        list->scratch = list->at;
        list->at = sorted;
    }
}

// --- joining spills ----------------------------------------------------------------------------------------

void basins_begin(Basin *basins, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        basins[i] = (Basin){ i, i, NO_BASIN, 0 };
}

static uint32_t part_of(Basin *basins, uint32_t basin) {
    while (basins[basin].part != basin)
        basin = basins[basin].part = basins[basins[basin].part].part;
    return basin;
}

// Keeps of spills between the basins `first` … `end` - 1 those of a minimum spanning forest. Leaves each
// basin in a part of its own.
static void spills_thin(SpillList *list, Basin *basins, uint32_t first, uint32_t end) {
    size_t kept = 0;
    spills_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const Spill spill = list->at[i];
        const uint32_t one = part_of(basins, spill.basin[0]), other = part_of(basins, spill.basin[1]);
        basins[one].part = other;
        if (one != other)
            list->at[kept++] = spill;
    }
    list->count = kept;
    for (uint32_t i = first; i < end; i++)
        basins[i].part = i;
}

// All basins of a part reach a key.
static void reach(Basin *basins, uint32_t part, uint32_t key, float level) {
    uint32_t at = part;
    do {
        basins[at].key = key;
        basins[at].level = level;
        at = basins[at].next;
    } while (at != part);
}

static void join_rings(Basin *basins, uint32_t one, uint32_t other) {
    const uint32_t next = basins[one].next;
    basins[one].next = basins[other].next;
    basins[other].next = next;
}

void spills_join(SpillList *list, Basin *basins, SpillList *left) {
    spills_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const Spill spill = list->at[i];
        uint32_t into = part_of(basins, spill.basin[0]), from = part_of(basins, spill.basin[1]);
        if (into == from)
            continue;
        if (basins[into].key == NO_BASIN) {
            const uint32_t keyless = into;
            into = from;
            from = keyless;
        }
        const uint32_t key = basins[into].key, other = basins[from].key;
        if (key == NO_BASIN)
            join_rings(basins, into, from);
        else if (other == NO_BASIN)
            reach(basins, from, key, spill.height);
        else if (left)
            spills_add(left, spill.height, key, other);
        basins[from].part = into;
    }
}

// --- basins of a band --------------------------------------------------------------------------------------

KERNEL static void point_row(const float *restrict up, const float *restrict row, const float *restrict down,
                             uint32_t *restrict label, int width, uint32_t place, float sea) {
    for (int x = 1; x < width - 1; x++) {
        float least = row[x];
        int to = x;
#define LOOK(neighbour, less, at)                                                                            \
    to = (neighbour)less least ? (at) : to;                                                                  \
    least = (neighbour)less least ? (neighbour) : least;
        LOOK(up[x - 1], <=, x - width - 1)
        LOOK(up[x], <=, x - width)
        LOOK(up[x + 1], <=, x - width + 1)
        LOOK(row[x - 1], <=, x - 1)
        LOOK(row[x + 1], <, x + 1)
        LOOK(down[x - 1], <, x + width - 1)
        LOOK(down[x], <, x + width)
        LOOK(down[x + 1], <, x + width + 1)
#undef LOOK
        label[x] = row[x] < sea ? BASIN_FOUND : place + (uint32_t)to;
    }
    label[0] = label[width - 1] = BASIN_FOUND;
}

void point_downhill(const float *up, const float *row, const float *down, uint32_t *label, int width,
                    uint32_t place, float sea) {
    point_row(up, row, down, label, width, place, sea);
}

static void label_from(uint32_t *label, uint32_t cell, uint32_t *basins) {
    uint32_t at = cell;
    while (!(label[at] & BASIN_FOUND) && label[at] != at)
        at = label[at];
    if (!(label[at] & BASIN_FOUND))
        label[at] = BASIN_FOUND | (*basins)++;
    const uint32_t found = label[at];
    for (uint32_t next; !(label[cell] & BASIN_FOUND); cell = next) {
        next = label[cell];
        label[cell] = found;
    }
}

uint32_t label_downhill(uint32_t *label, uint32_t cells) {
    uint32_t basins = 1;
    for (uint32_t i = 0; i < cells; i++)
        if (!(label[i] & BASIN_FOUND))
            label_from(label, i, &basins);
    return basins;
}

// --- spills between two rows -------------------------------------------------------------------------------

// The spills between the basins of a row of a field and of the next one.

// Ways between a cell, its right neighbour and those below the two. A diagonal way is needed only where the
// other two of the four cells are higher.
enum { BESIDE = 1, BELOW = 2, FALLING = 4, RISING = 8 };

// Two rows of a field, one below the other, whose basins count from `own` and `below`.
typedef struct RowPair {
    const float *row, *down;
    const uint32_t *label, *under;
    uint32_t own, below;
} RowPair;

enum { PIECE = 1024 }; // cells of a row at a time

// Finds the ways between which cells water may spill. `apart`: not 0 for rows whose basins count from
// different numbers.
KERNEL static void find_spills(const float *restrict row, const float *restrict down,
                               const uint32_t *restrict label, const uint32_t *restrict under, uint32_t apart,
                               uint8_t *restrict ways, int count) {
    for (int x = 0; x < count; x++) {
        const float high = max(row[x], down[x + 1]), other = max(row[x + 1], down[x]);
        const float low = min(row[x], down[x + 1]), other_low = min(row[x + 1], down[x]);
        const uint32_t here = label[x], right = label[x + 1], below = under[x], far = under[x + 1];
        uint32_t found = here != right ? BESIDE : 0;
        found |= ((here ^ below) | apart) != 0 ? BELOW : 0;
        found |= ((((here ^ far) | apart) != 0) & (other_low > high)) ? FALLING : 0;
        found |= ((((right ^ below) | apart) != 0) & (low > other)) ? RISING : 0;
        ways[x] = (uint8_t)found;
    }
}

static void note_ways(SeenSpills *seen, SpillList *list, const RowPair *at, int x, int ways) {
    const uint32_t here = at->own + (at->label[x] & ~BASIN_FOUND),
                   under = at->below + (at->under[x] & ~BASIN_FOUND);
    if (ways & BESIDE)
        note_spill(seen, list, max(at->row[x], at->row[x + 1]), here,
                   at->own + (at->label[x + 1] & ~BASIN_FOUND));
    if (ways & BELOW)
        note_spill(seen, list, max(at->row[x], at->down[x]), here, under);
    if (ways & FALLING)
        note_spill(seen, list, max(at->row[x], at->down[x + 1]), here,
                   at->below + (at->under[x + 1] & ~BASIN_FOUND));
    if (ways & RISING)
        note_spill(seen, list, max(at->row[x + 1], at->down[x]), at->own + (at->label[x + 1] & ~BASIN_FOUND),
                   under);
}

// Notes the spills of the ways in `ways`, for each cell of the rows. Requires room for four a cell.
static void note_row_spills(SeenSpills *seen, SpillList *list, const RowPair *at, int width, int noted) {
    const uint32_t apart = at->own ^ at->below;
    uint8_t ways[PIECE];
    for (int first = 0; first < width - 1; first += PIECE) {
        const int count = min(width - 1 - first, PIECE);
        find_spills(at->row + first, at->down + first, at->label + first, at->under + first, apart, ways,
                    count);
        for (int x = 0; x < count; x++)
            if (ways[x] & noted)
                note_ways(seen, list, at, first + x, ways[x] & noted);
    }
    if (apart)
        note_ways(seen, list, at, width - 1, BELOW & noted);
}

// --- filling -----------------------------------------------------------------------------------------------

enum {
    BAND_CELLS = 1 << 16,
    BAND_ROWS = 32, // at least
};

typedef struct Band {
    uint32_t first, count; // its basins; the first has all that reaches the border or the sea
    SpillList spills;      // between them, for now
    SpillList left;        // between its keys, and over its lower edge
} Band;

typedef struct Filling {
    const Field *height;
    FillPart *part;
    float sea;
    uint32_t *label; // of each cell
    float *beyond;   // a row of infinity
    Band *bands;
    int band_rows, band_count;
    int group; // the first band of the current group
    Basin *basins;
} Filling;

static int first_row(const Filling *filling, int band) {
    return band * filling->band_rows;
}

static int end_row(const Filling *filling, int band) {
    return min(first_row(filling, band + 1), filling->height->height);
}

static uint32_t *label_row(const Filling *filling, int y) {
    return filling->label + (size_t)y * (size_t)filling->height->width;
}

// --- basins ----------------------------------------------------------------------------------------------

static void label_band(Filling *filling, int index) {
    const Field *height = filling->height;
    const int first = first_row(filling, index), end = end_row(filling, index), width = height->width;
    uint32_t *label = label_row(filling, first);
    for (int y = first; y < end; y++) {
        uint32_t *row = label_row(filling, y);
        if ((y == 0 && !filling->part->open_top) ||
            (y == height->height - 1 && !filling->part->open_bottom)) {
            for (int x = 0; x < width; x++)
                row[x] = BASIN_FOUND;
            continue;
        }
        const float *up = y > first ? field_row(height, y - 1) : filling->beyond;
        const float *down = y < end - 1 ? field_row(height, y + 1) : filling->beyond;
        point_downhill(up, field_row(height, y), down, row, width, (uint32_t)(row - label), filling->sea);
    }
    const uint32_t cells = (uint32_t)(end - first) * (uint32_t)width;
    filling->bands[index].count = label_downhill(label, cells);
}

static void label_bands(void *context, int first, int end) {
    for (int band = first; band < end; band++)
        label_band(context, band);
}

// --- spills ----------------------------------------------------------------------------------------------

static RowPair row_pair(const Filling *filling, int y, int next, uint32_t own, uint32_t below) {
    return (RowPair){ field_row(filling->height, y),
                      field_row(filling->height, next),
                      label_row(filling, y),
                      label_row(filling, next),
                      own,
                      below };
}

static uint32_t basin_at(const Filling *filling, const Band *band, int x, int y) {
    return band->first + (label_row(filling, y)[x] & ~BASIN_FOUND);
}

static void mark_keys(const Filling *filling, const Band *band, int y) {
    for (int x = 0; x < filling->height->width; x++) {
        const uint32_t basin = basin_at(filling, band, x, y);
        filling->basins[basin].key = basin;
    }
}

// What a row and the last spills of a band add to its list at most.
static size_t row_room(const Filling *filling) {
    return 4 * (size_t)filling->height->width + 2 * SPILLS_SEEN;
}

static void join_band(Filling *filling, int index) {
    Band *band = &filling->bands[index];
    const int first = first_row(filling, index), end = end_row(filling, index);
    const int width = filling->height->width;
    const uint32_t end_basin = band->first + band->count;
    SeenSpills seen;
    seen_clear(&seen);
    basins_begin(filling->basins, band->first, end_basin);
    for (int y = first; y + 1 < end; y++) {
        const RowPair rows = row_pair(filling, y, y + 1, band->first, band->first);
        if (band->spills.room - band->spills.count < row_room(filling))
            spills_thin(&band->spills, filling->basins, band->first, end_basin);
        note_row_spills(&seen, &band->spills, &rows, width, BESIDE | BELOW | FALLING | RISING);
    }
    seen_flush(&seen, &band->spills);
    filling->basins[band->first].key = band->first;
    if (first > 0 || filling->part->open_top)
        mark_keys(filling, band, first);
    if (end == filling->height->height && filling->part->open_bottom) {
        const RowPair last = row_pair(filling, end - 1, end - 1, band->first, band->first);
        mark_keys(filling, band, end - 1);
        note_row_spills(&seen, &band->spills, &last, width, BESIDE);
        seen_flush(&seen, &band->spills);
    } else if (end < filling->height->height) {
        const RowPair rows = row_pair(filling, end - 1, end, band->first, band[1].first);
        mark_keys(filling, band, end - 1);
        note_row_spills(&seen, &band->spills, &rows, width, BESIDE);
        seen_flush(&seen, &band->spills);
        note_row_spills(&seen, &band->left, &rows, width, BELOW | FALLING | RISING);
        seen_flush(&seen, &band->left);
    }
    spills_join(&band->spills, filling->basins, &band->left);
}

static void join_bands(void *context, int first, int end) {
    Filling *filling = context;
    for (int band = first; band < end; band++)
        join_band(filling, filling->group + band);
}

// Gives bands from the current one on room for their spills, as many as half a field's worth suffices for;
// at least one. Returns the end of this group.
static int make_room(const Filling *filling, Spill **room, Error *error) {
    const size_t most = field_count(filling->height) * sizeof(float) / 2 / sizeof(Spill);
    size_t all = 0;
    int end = filling->group;
    for (; end < filling->band_count && (all == 0 || all <= most); end++) {
        SpillList *spills = &filling->bands[end].spills;
        spills->room = 3 * (size_t)filling->bands[end].count / 2 + row_room(filling);
        all += 2 * spills->room;
    }
    Spill *at = *room = memory_new(all, sizeof *at, error);
    for (int i = filling->group; at && i < end; i++) {
        SpillList *spills = &filling->bands[i].spills;
        spills->at = at;
        spills->scratch = at + spills->room;
        at += 2 * spills->room;
    }
    return end;
}

static Status join_within_bands(const Run *run, Filling *filling, double cost, Error *error) {
    Status status = STATUS_OK;
    while (filling->group < filling->band_count && status == STATUS_OK) {
        Spill *room;
        const int end = make_room(filling, &room, error);
        if (!room)
            return STATUS_MEMORY;
        status = parallel_rows(run, end - filling->group, cost, join_bands, filling);
        memory_free(room);
        filling->group = end;
    }
    return status;
}

// --- levels ----------------------------------------------------------------------------------------------

static Band *last_band(const Filling *filling) {
    return &filling->bands[filling->band_count - 1];
}

static uint32_t all_basins(const Filling *filling) {
    return last_band(filling)->first + last_band(filling)->count;
}

// Numbers the basins along an open edge that do not reach an outlet within the part, from 1 in the order of
// its cells.
static void number_keys(const Filling *filling, const Band *band, int y, uint32_t *numbers, uint32_t *keys) {
    FillPart *part = filling->part;
    for (int x = 0; x < filling->height->width; x++) {
        const uint32_t basin = basin_at(filling, band, x, y);
        if (basin != band->first && numbers[basin] == 0) {
            numbers[basin] = ++part->key_count;
            filling->basins[basin].key = basin;
        }
        keys[x] = numbers[basin];
    }
}

// What is known of the open edges: their keys, or how high these are filled, as spills to an outlet.
static void open_edges(const Filling *filling, uint32_t *numbers, SpillList *spills) {
    FillPart *part = filling->part;
    if (part->open_top)
        number_keys(filling, filling->bands, 0, numbers, part->top);
    if (part->open_bottom)
        number_keys(filling, last_band(filling), filling->height->height - 1, numbers, part->bottom);
    for (uint32_t i = 0; part->levels && i < all_basins(filling); i++)
        if (numbers[i] > 0 && numbers[i] <= part->level_count) {
            filling->basins[i].key = NO_BASIN;
            spills_add(spills, part->levels[numbers[i] - 1], 0, i);
        }
}

// Joins the keys of all bands, and leaves spills between those of open edges.
static Status join_keys(Filling *filling, SpillList all, Error *error) {
    FillPart *part = filling->part;
    Basin *basins = filling->basins;
    for (uint32_t i = 0; i < all_basins(filling); i++)
        if (basins[i].key == i)
            basins[i] = (Basin){ i, i, NO_BASIN, 0 };
    for (int i = 0; i < filling->band_count; i++) {
        const Band *band = &filling->bands[i];
        basins[band->first] = (Basin){ 0, band->first, 0, -FLT_MAX };
        memmove(all.at + all.count, band->left.at, band->left.count * sizeof *all.at);
        all.count += band->left.count;
    }
    const bool open = part->open_top || part->open_bottom;
    part->key_count = 0;
    uint32_t *numbers = open ? memory_new_zeroed(all_basins(filling), sizeof *numbers, error) : NULL;
    if (open && !numbers)
        return STATUS_MEMORY;
    if (open)
        open_edges(filling, numbers, &all);
    Spill *scratch = all.scratch = memory_new(all.count + 1, sizeof *scratch, error);
    if (scratch)
        spills_join(&all, basins, part->levels ? NULL : &part->spills);
    for (size_t i = 0; open && !part->levels && i < part->spills.count; i++)
        for (int side = 0; side < 2; side++)
            part->spills.at[i].basin[side] = numbers[part->spills.at[i].basin[side]];
    memory_free(numbers);
    memory_free(scratch);
    return scratch ? STATUS_OK : STATUS_MEMORY;
}

static void raise_bands(void *context, int first, int end) {
    const Filling *filling = context;
    Basin *basins = filling->basins;
    for (int index = first; index < end; index++) {
        const Band *band = &filling->bands[index];
        for (uint32_t i = max(band->first, 1U); i < band->first + band->count; i++) // others read that of 0
            basins[i].level = max(basins[i].level, basins[basins[i].key].level);
        for (int y = first_row(filling, index); y < end_row(filling, index); y++) {
            const float *row = field_row(filling->height, y);
            const uint32_t *label = label_row(filling, y);
            float *out = field_row(filling->part->filled, y);
            for (int x = 0; x < filling->height->width; x++) {
                const float level = basins[band->first + (label[x] & ~BASIN_FOUND)].level;
                out[x] = row[x] < level ? level + 0.0f : row[x]; // a level of -0 may be one of 0 elsewhere
            }
        }
    }
}

// --- all -------------------------------------------------------------------------------------------------

static bool create(Filling *filling, Error *error) {
    const size_t width = (size_t)filling->height->width, bands = (size_t)filling->band_count;
    if (!(filling->label = memory_new(field_count(filling->height), sizeof *filling->label, error)) ||
        !(filling->beyond = memory_new(width, sizeof *filling->beyond, error)) ||
        !(filling->bands = memory_new_zeroed(bands, sizeof *filling->bands, error)))
        return false;
    for (size_t x = 0; x < width; x++)
        filling->beyond[x] = INFINITY;
    return true;
}

static Status fill(const Run *run, Filling *filling, Error *error) {
    const int width = filling->height->width;
    const double cost = (double)width * filling->band_rows * 10;
    if (!create(filling, error))
        return STATUS_MEMORY;
    Status status = parallel_rows(run, filling->band_count, cost, label_bands, filling);
    if (status != STATUS_OK)
        return status;
    const size_t room = 4 * (size_t)width; // a spill for each key but one, and those over a band's lower edge
    const size_t open = 2 * (size_t)width; // and one for each key of an open edge
    Spill *left = memory_new((size_t)filling->band_count * room + open, sizeof *left, error);
    uint32_t basins = 0;
    for (int i = 0; left && i < filling->band_count; i++) {
        filling->bands[i].first = basins;
        filling->bands[i].left = (SpillList){ .at = left + (size_t)i * room, .room = room };
        basins += filling->bands[i].count;
    }
    filling->basins = left ? memory_new(basins, sizeof *filling->basins, error) : NULL;
    status = filling->basins ? join_within_bands(run, filling, cost, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = join_keys(filling, (SpillList){ .at = left }, error);
    memory_free(left);
    if (status == STATUS_OK && filling->part->filled)
        status = parallel_rows(run, filling->band_count, cost, raise_bands, filling);
    return status;
}

Status fill_part(const Run *run, const Field *height, float sea, FillPart *part, Error *error) {
    Filling filling = { .height = height, .part = part, .sea = sea };
    filling.band_rows = min(max(BAND_CELLS / height->width, BAND_ROWS), height->height);
    filling.band_count = (height->height + filling.band_rows - 1) / filling.band_rows;
    const Status status = fill(run, &filling, error);
    memory_free(filling.label);
    memory_free(filling.beyond);
    memory_free(filling.bands);
    memory_free(filling.basins);
    return status;
}

Status fill_to_spills(const Run *run, const Field *height, float sea, Field *filled, Error *error) {
    FillPart whole = { .filled = filled };
    return fill_part(run, height, sea, &whole, error);
}

// --- filling to ground that falls --------------------------------------------------------------------------

// Fills the pits of a heightfield so that all of it falls.
// The least surface: f(c) = max(z(c), min over the neighbours n of f(n) + slope × distance(c, n)), found as
// shortest paths are (Dijkstra 1959). A cell's first neighbour at hand may be a diagonal one, and a later one
// beside it may ask for less, so that levels are lowered until the cell's turn comes. Sums of floats never
// fall where their terms do not, nor do the next heights above (height_above): the result is the same in any
// order of equal levels.

typedef struct Flood {
    const Field *height;
    Field *filled; // the level found so far; INFINITY: none
    float sea, slope;
    BucketQueue shore; // cells whose neighbours the flood has not reached from them
} Flood;

static bool flood_to(Flood *flood, int x, int y, float least, Error *error) {
    float *filled = &field_row(flood->filled, y)[x];
    const float level = max(field_row(flood->height, y)[x], least);
    if (!(level < *filled))
        return true;
    *filled = level;
    return bucket_queue_add(&flood->shore, waiting_cell(level, x, y), error);
}

// Spreads the flood from (x, y), which is at `level`, to its neighbours.
static bool flood_from(Flood *flood, int x, int y, float level, Error *error) {
    const bool border = on_border(flood->height, x, y);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int to_x = x + neighbour_x[i], to_y = y + neighbour_y[i];
        if (border && !within_field(flood->height, to_x, to_y))
            continue;
        if (!flood_to(flood, to_x, to_y, height_above(level, flood->slope / inverse_distance[i]), error))
            return false;
    }
    return true;
}

// The border and the shore.
static bool begin(Flood *flood, Error *error) {
    const Field *height = flood->height;
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const float level = field_row(height, y)[x];
            const bool border = on_border(height, x, y), wet = level < flood->sea;
            field_row(flood->filled, y)[x] = border || wet ? level : INFINITY;
            if (border && !wet && !bucket_queue_add(&flood->shore, waiting_cell(level, x, y), error))
                return false;
        }
    for (int y = 0; y < height->height; y++)
        for (int x = 0; x < height->width; x++) {
            const float level = field_row(height, y)[x];
            if (level < flood->sea && !flood_from(flood, x, y, level, error))
                return false;
        }
    return true;
}

static Status spread(const Run *run, Flood *flood, Error *error) {
    enum { CELLS_PER_POLL = 1 << 16 };
    const double cells = (double)field_count(flood->height);
    for (size_t done = 0; flood->shore.count > 0; done++) {
        if (done % CELLS_PER_POLL == 0 && run_advance(run, min((double)done, cells), cells) != STATUS_OK)
            return STATUS_STOPPED;
        Waiting next;
        if (!bucket_queue_take(&flood->shore, &next, error))
            return STATUS_MEMORY;
        const int x = waiting_x(next), y = waiting_y(next);
        const float level = field_row(flood->filled, y)[x];
        if (ordered_bits(level) != (uint32_t)(next >> 32))
            continue; // reached at a lower level since
        if (!flood_from(flood, x, y, level, error))
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

// From every cell of `filled`, whose cells are there already, a path that falls by `slope` (above 0, height
// per cell) or more leads to the border or to a cell below `sea`; its steps are rounded to heights that a
// float can hold, and none is level. It is the lowest such surface that is nowhere below `height`. `filled`
// is not `height`.
static Status fill_with_slope(const Run *run, const Field *height, float sea, float slope, Field *filled,
                              Error *error) {
    Flood flood = { .height = height, .filled = filled, .sea = sea, .slope = slope };
    const Status status = begin(&flood, error) ? spread(run, &flood, error) : STATUS_MEMORY;
    bucket_queue_free(&flood.shore);
    return status;
}

// --- fill --------------------------------------------------------------------------------------------------

typedef struct Fill {
    double slope, sea_level;
} Fill;

static Status run_fill(const Call *call, Error *error) {
    const Fill *fill = call->params;
    const Field *height = call->inputs[0].field;
    Field *filled = &call->outputs[0].field;
    const float sea = (float)fill->sea_level, slope = (float)fill->slope;
    return slope > 0 ? fill_with_slope(call->run, height, sea, slope, filled, error)
                     : fill_to_spills(call->run, height, sea, filled, error);
}

static const Param fill_params[] = {
    PARAM(Fill, slope, .initial = 0, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "smallest gradient of every drainage path, which also raises flatter ground outside "
                 "pits; a step too small for heights to hold is the next that they hold: 0.00024 at heights "
                 "of 2048 to 4096; 0: filled ground is flat"),
    PARAM(Fill, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_fill = {
    .name = "fill",
    .category = "rivers",
    .keywords = "depression sink pit hollow lake flood priority drain dir hydrodem conditioning holes",
    .summary = "Fills the pits of a terrain, so that water drains from everywhere",
    .description = "From every cell a path that never rises leads across the border or into the sea. No "
                   "cell is raised more than that requires. Opposite edges do not meet.",
    .source = "without a slope by basins, as Barnes 2016; with one the least surface, by shortest paths: "
              "Dijkstra 1959",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "filled", "heights without pits", .heights = true } },
    .params = fill_params,
    .params_size = sizeof(Fill),
    .example = "local lakes = height:fill{} - height -- their depths",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local filled = height:fill{}\n"
               "return filled:relief{ rivers = ((filled - height) * 100):clamp() }",
    .see_also = "flow_accumulation rivers_from_flow",
    .run = run_fill,
};
