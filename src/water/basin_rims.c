// Of the many spills between two leaves a slot keeps the lowest until another pair takes it. Bands of rows
// have slots of their own, which begin empty: where the first pair in a slot begins a place in the list is
// left free, and once the bands before are known it is filled by what their rows had left in the slot, unless
// that was the same pair.

#include "water/basin_rims.h"

#include "core/disjoint_sets.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "water/drainage.h"
#include "water/pit_basins.h"

#include <string.h>

enum { SLOT_BITS = 12, SLOTS = 1 << SLOT_BITS };

// The lowest spill between two leaves that was seen last in its slot. Leaf 1 is 0 where none was.
typedef struct Slot {
    uint32_t leaves[2];
    Spill spill;
} Slot;

// The first pair of leaves that a band saw in a slot.
typedef struct Beginning {
    uint32_t leaves[2];
    uint32_t free; // the place in the list that was left free for what was in the slot before
    uint32_t kept; // where the pair's spill is in the list; 0: still in the slot
} Beginning;

typedef struct BandRims {
    Slot slots[SLOTS];
    Beginning beginnings[SLOTS];
    Spill *at;
    size_t count, room; // more than room: none of the spills counts
} BandRims;

typedef struct Rims {
    const Field *height;
    const uint32_t *label;
    RowBands bands;
    BandRims *of; // of each band
    Spill *room;
} Rims;

// The lower of a spill's cells, whose height its water finds beyond a rim that is one cell wide.
static float lower_side(const float *height, const Spill *spill) {
    return min(height[spill->basin[0]], height[spill->basin[1]]);
}

static bool is_lower(const float *height, const Spill *a, const Spill *b) {
    return a->height < b->height || (a->height <= b->height && lower_side(height, a) < lower_side(height, b));
}

// --- within bands ----------------------------------------------------------------------------------------

static void keep_spill(BandRims *band, Spill spill) {
    if (band->count < band->room)
        band->at[band->count] = spill;
    band->count++;
}

static void take_slot(BandRims *band, uint32_t index, Slot taken) {
    static const Spill nothing_yet = { 0 };
    Slot *slot = &band->slots[index];
    Beginning *beginning = &band->beginnings[index];
    if (slot->leaves[1] == 0) {
        *beginning = (Beginning){ { taken.leaves[0], taken.leaves[1] }, (uint32_t)band->count, 0 };
        keep_spill(band, nothing_yet);
    } else {
        beginning->kept = beginning->kept ? beginning->kept : (uint32_t)band->count;
        keep_spill(band, slot->spill);
    }
    *slot = taken;
}

static void note_pair(const Rims *rims, BandRims *band, size_t from, size_t to) {
    const uint32_t *label = rims->label;
    const float *height = rims->height->cells;
    const uint32_t low = min(label[from], label[to]), high = max(label[from], label[to]);
    if (low == high)
        return;
    const uint32_t index = (low * UINT32_C(0x9e3779b1) + high * UINT32_C(0x85ebca77)) >> (32 - SLOT_BITS);
    Slot *slot = &band->slots[index];
    const Spill spill = { max(height[from], height[to]), { (uint32_t)from, (uint32_t)to } };
    if (slot->leaves[0] != low || slot->leaves[1] != high)
        take_slot(band, index, (Slot){ { low, high }, spill });
    else if (is_lower(height, &spill, &slot->spill))
        slot->spill = spill;
}

enum { PIECE = 1024 };

// Whether one of the neighbours that come after a cell belongs to another leaf.
KERNEL static void find_rims(const uint32_t *restrict label, const uint32_t *restrict below,
                             uint8_t *restrict found, int count) {
    for (int x = 0; x < count; x++)
        found[x] = (uint8_t)((label[x] != label[x + 1]) | (label[x] != below[x - 1]) |
                             (label[x] != below[x]) | (label[x] != below[x + 1]));
}

static void note_cell(const Rims *rims, BandRims *band, int x, int y) {
    const Field *height = rims->height;
    const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
    for (int i = 0; i <= 3; i++)
        if (within_field(height, x + neighbour_x[i], y + neighbour_y[i]))
            note_pair(rims, band, cell, neighbour_of(height, cell, i));
}

static void note_row(const Rims *rims, BandRims *band, int y) {
    const Field *height = rims->height;
    const int width = height->width;
    const uint32_t *label = rims->label + (size_t)y * (size_t)width;
    const uint32_t *below = y + 1 < height->height ? label + width : label;
    uint8_t found[PIECE];
    note_cell(rims, band, 0, y);
    for (int first = 1; first < width - 1; first += PIECE) {
        const int count = min(width - 1 - first, PIECE);
        find_rims(label + first, below + first, found, count);
        for (int i = 0; i < count; i++)
            if (found[i])
                note_cell(rims, band, first + i, y);
    }
    if (width > 1)
        note_cell(rims, band, width - 1, y);
}

static void note_bands(void *context, int first, int end) {
    const Rims *rims = context;
    for (int i = first; i < end; i++) {
        BandRims *band = &rims->of[i];
        memset(band->slots, 0, sizeof band->slots);
        for (int y = i * rims->bands.rows; y < band_end(rims->bands, rims->height, i); y++)
            note_row(rims, band, y);
    }
}

// --- all bands -------------------------------------------------------------------------------------------

// What the bands before left in a slot goes on, or ends, where this band begins with it.
static void go_on(const Rims *rims, Slot *before, BandRims *band, uint32_t index) {
    Slot *slot = &band->slots[index];
    const Beginning *beginning = &band->beginnings[index];
    if (slot->leaves[1] == 0)
        return;
    Spill *first = beginning->kept ? &band->at[beginning->kept] : &slot->spill;
    if (before->leaves[0] == beginning->leaves[0] && before->leaves[1] == beginning->leaves[1])
        *first = is_lower(rims->height->cells, first, &before->spill) ? *first : before->spill;
    else if (before->leaves[1] != 0)
        band->at[beginning->free] = before->spill;
    *before = *slot;
}

static bool is_spill(const Spill *spill) {
    return spill->basin[0] != spill->basin[1];
}

static void gather(const Rims *rims, Slot *slots, SpillList *list) {
    for (int i = 0; i < rims->bands.count; i++) {
        BandRims *band = &rims->of[i];
        for (uint32_t k = 0; k < SLOTS; k++)
            go_on(rims, &slots[k], band, k);
        for (size_t k = 0; k < band->count; k++)
            if (is_spill(&band->at[k]))
                list->at[list->count++] = band->at[k];
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].leaves[1] != 0)
            list->at[list->count++] = slots[i].spill;
}

static Status gather_all(const Rims *rims, SpillList *list, Error *error) {
    size_t room = SLOTS;
    for (int i = 0; i < rims->bands.count; i++)
        room += rims->of[i].count;
    Slot *slots = memory_new_zeroed(SLOTS, sizeof *slots, error);
    if (!slots || !(list->at = memory_new(room, sizeof *list->at, error)) ||
        !(list->scratch = memory_new(room, sizeof *list->scratch, error))) {
        memory_free(slots);
        return STATUS_MEMORY;
    }
    list->room = room;
    gather(rims, slots, list);
    memory_free(slots);
    return STATUS_OK;
}

// --- the lowest ------------------------------------------------------------------------------------------

// By the second key first, since equal ones keep their order.
static void sort_spills(const Field *field, SpillList *spills) {
    const float *height = field->cells;
    for (size_t i = 0; i < spills->count; i++)
        spills->at[i].height = lower_side(height, &spills->at[i]);
    spills_sort(spills);
    for (size_t i = 0; i < spills->count; i++)
        spills->at[i].height = max(height[spills->at[i].basin[0]], height[spills->at[i].basin[1]]);
    spills_sort(spills);
}

// A share of the list, whose spills that join nothing will join nothing in the whole list either.
typedef struct Share {
    SpillList list;
    uint32_t *part; // of each leaf a leaf that it was joined to, or itself
} Share;

enum { SHARES = 8 };

typedef struct Thinning {
    const Field *height;
    const Leaves *leaves;
    Share shares[SHARES];
} Thinning;

static void thin_shares(void *context, int first, int end) {
    Thinning *thinning = context;
    for (int i = first; i < end; i++) {
        SpillList *list = &thinning->shares[i].list;
        uint32_t *part = thinning->shares[i].part;
        size_t kept = 0;
        sort_spills(thinning->height, list);
        for (uint32_t leaf = 0; leaf < thinning->leaves->count; leaf++)
            part[leaf] = leaf;
        for (size_t k = 0; k < list->count; k++) {
            const Spill spill = list->at[k];
            const uint32_t one = set_root(part, thinning->leaves->label[spill.basin[0]]),
                           other = set_root(part, thinning->leaves->label[spill.basin[1]]);
            part[one] = other;
            if (one != other)
                list->at[kept++] = spill;
        }
        list->count = kept;
    }
}

static Status thin(const Run *run, Thinning *thinning, SpillList *list, Error *error) {
    const uint32_t leaves = thinning->leaves->count;
    uint32_t *part = memory_new((size_t)SHARES * leaves, sizeof *part, error);
    if (!part)
        return STATUS_MEMORY;
    for (size_t i = 0; i < SHARES; i++) {
        const size_t first = list->count * i / SHARES, end = list->count * (i + 1) / SHARES;
        thinning->shares[i] =
            (Share){ { list->at + first, list->scratch + first, end - first, end - first }, part };
        part += leaves;
    }
    part -= (size_t)SHARES * leaves;
    const Status status =
        parallel_rows(run, SHARES, 100.0 * (double)list->count / SHARES, thin_shares, thinning);
    memory_free(part);
    list->count = 0;
    for (size_t i = 0; i < SHARES; i++) {
        const SpillList *share = &thinning->shares[i].list;
        memmove(list->at + list->count, share->at, share->count * sizeof *list->at);
        list->count += share->count;
    }
    return status;
}

// --- all -------------------------------------------------------------------------------------------------

// Gives each band room for the spills that it counted, if it counted any, or `usual`.
static Status make_room(Rims *rims, size_t usual, Error *error) {
    size_t all = 0;
    memory_free(rims->room);
    rims->room = NULL;
    for (int i = 0; i < rims->bands.count; i++) {
        BandRims *band = &rims->of[i];
        all += max(band->count, usual);
    }
    Spill *at = rims->room = memory_new(all, sizeof *at, error);
    for (int i = 0; at && i < rims->bands.count; i++) {
        BandRims *band = &rims->of[i];
        band->room = max(band->count, usual);
        band->count = 0;
        band->at = at;
        at += band->room;
    }
    return rims->room ? STATUS_OK : STATUS_MEMORY;
}

static bool had_room(const Rims *rims) {
    bool enough = true;
    for (int i = 0; i < rims->bands.count; i++)
        enough = enough && rims->of[i].count <= rims->of[i].room;
    return enough;
}

static Status note_all(const Run *run, Rims *rims, Error *error) {
    const size_t cells = (size_t)rims->bands.rows * (size_t)rims->height->width;
    rims->of = memory_new((size_t)rims->bands.count, sizeof *rims->of, error);
    for (int i = 0; rims->of && i < rims->bands.count; i++)
        rims->of[i].count = 0;
    Status status = rims->of ? STATUS_OK : STATUS_MEMORY;
    do {
        if (status == STATUS_OK)
            status = make_room(rims, cells / 8 + SLOTS, error);
        if (status == STATUS_OK)
            status = parallel_rows(run, rims->bands.count, 10.0 * (double)cells, note_bands, rims);
    } while (status == STATUS_OK && !had_room(rims));
    return status;
}

Status rims_find(const Run *run, const Field *height, const Leaves *leaves, SpillList *list, Error *error) {
    Rims rims = { .height = height, .label = leaves->label, .bands = row_bands(height) };
    Status status = note_all(run, &rims, error);
    if (status == STATUS_OK)
        status = gather_all(&rims, list, error);
    memory_free(rims.of);
    memory_free(rims.room);
    Thinning thinning = { .height = height, .leaves = leaves };
    if (status == STATUS_OK)
        status = thin(run, &thinning, list, error);
    if (status == STATUS_OK)
        sort_spills(height, list);
    return status;
}
