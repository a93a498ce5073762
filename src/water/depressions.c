#include "water/depressions.h"

#include "core/counts.h"
#include "core/disjoint_sets.h"
#include "core/error.h"
#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "water/drainage.h"
#include "water/filling.h"

#include <math.h>
#include <string.h>

// --- leaves ------------------------------------------------------------------------------------------------

enum { TOP, BOTTOM, EDGES };

typedef struct Labelling {
    const Field *height;
    float sea;
    RowBands bands;
    uint32_t *label;
    uint32_t *first; // of each band, its first basin among those of all; one more at the end
    uint32_t *over;  // of each cell in the first and the last row of a band, the one into which it drains
                     // beyond the band; itself, if it does not
    uint32_t *next;  // of each basin the one in which it goes on; itself: a pit's, or outlets
    uint32_t *leaf;  // of each basin
    uint32_t *cells; // of each basin, how many it has
} Labelling;

#define NOT_NUMBERED UINT32_MAX

static size_t row_start(const Labelling *labelling, int y) {
    return (size_t)y * (size_t)labelling->height->width;
}

static uint32_t *over_row(const Labelling *labelling, int band, int edge) {
    return labelling->over + (size_t)(band * EDGES + edge) * (size_t)labelling->height->width;
}

// --- bands -----------------------------------------------------------------------------------------------

static void label_row(const Labelling *labelling, int y, uint32_t place) {
    const Field *height = labelling->height;
    uint32_t *label = labelling->label + row_start(labelling, y);
    if (y > 0 && y < height->height - 1)
        point_downhill(field_row(height, y - 1), field_row(height, y), field_row(height, y + 1), label,
                       height->width, place, labelling->sea);
    else
        for (int x = 0; x < height->width; x++)
            label[x] = BASIN_FOUND;
}

// What drains beyond the band ends here, for now.
static void end_ways(const Labelling *labelling, int y, uint32_t *over, uint32_t place, uint32_t cells) {
    uint32_t *label = labelling->label + row_start(labelling, y);
    const uint32_t first = (uint32_t)row_start(labelling, y) - place;
    for (uint32_t x = 0; x < (uint32_t)labelling->height->width; x++) {
        const bool beyond = label[x] != BASIN_FOUND && label[x] >= cells;
        over[x] = first + (beyond ? label[x] : place + x);
        label[x] = beyond ? place + x : label[x];
    }
}

static void label_band(const Labelling *labelling, int band) {
    const uint32_t width = (uint32_t)labelling->height->width;
    const int first = band * labelling->bands.rows, end = band_end(labelling->bands, labelling->height, band);
    const uint32_t cells = (uint32_t)(end - first) * width;
    for (int y = first; y < end; y++)
        label_row(labelling, y, (uint32_t)(y - first) * width);
    end_ways(labelling, first, over_row(labelling, band, TOP), 0, cells);
    if (end - 1 > first)
        end_ways(labelling, end - 1, over_row(labelling, band, BOTTOM), cells - width, cells);
    labelling->first[band] = label_downhill(labelling->label + row_start(labelling, first), cells);
}

static void label_bands(void *context, int first, int end) {
    for (int band = first; band < end; band++)
        label_band(context, band);
}

// --- leaves of all bands -----------------------------------------------------------------------------------

static uint32_t basin_at(const Labelling *labelling, size_t cell, int band) {
    return labelling->first[band] + (labelling->label[cell] & ~BASIN_FOUND);
}

static void link_edge(const Labelling *labelling, int band, int edge) {
    const RowBands bands = labelling->bands;
    const int y = edge == TOP ? band * bands.rows : band_end(bands, labelling->height, band) - 1;
    const uint32_t *over = over_row(labelling, band, edge);
    for (size_t x = 0; x < (size_t)labelling->height->width; x++) {
        const size_t cell = row_start(labelling, y) + x;
        if (over[x] != cell)
            labelling->next[basin_at(labelling, cell, band)] =
                basin_at(labelling, over[x], over[x] < cell ? band - 1 : band + 1);
    }
}

static uint32_t number_leaves(const Labelling *labelling) {
    const RowBands bands = labelling->bands;
    uint32_t *next = labelling->next, *leaf = labelling->leaf, leaves = 1;
    const uint32_t basins = labelling->first[bands.count];
    for (uint32_t i = 0; i < basins; i++) {
        next[i] = i;
        leaf[i] = NOT_NUMBERED;
    }
    for (int band = 0; band < bands.count; band++) {
        leaf[labelling->first[band]] = 0;
        link_edge(labelling, band, TOP);
        if (band_end(bands, labelling->height, band) - 1 > band * bands.rows)
            link_edge(labelling, band, BOTTOM);
    }
    for (uint32_t i = 0; i < basins; i++) {
        const uint32_t end = set_root(next, i);
        if (leaf[end] == NOT_NUMBERED)
            leaf[end] = leaves++;
        next[i] = end;
        leaf[i] = leaf[end];
    }
    return leaves;
}

static void name_bands(void *context, int first, int end) {
    const Labelling *labelling = context;
    for (int band = first; band < end; band++) {
        const uint32_t *leaf = labelling->leaf + labelling->first[band];
        uint32_t *cells = labelling->cells + labelling->first[band];
        const size_t start = row_start(labelling, band * labelling->bands.rows);
        const size_t after = row_start(labelling, band_end(labelling->bands, labelling->height, band));
        memset(cells, 0, (labelling->first[band + 1] - labelling->first[band]) * sizeof *cells);
        for (size_t i = start; i < after; i++) {
            const uint32_t basin = labelling->label[i] & ~BASIN_FOUND;
            cells[basin]++;
            labelling->label[i] = leaf[basin];
        }
    }
}

static void count_cells(const Labelling *labelling, size_t *cells) {
    for (uint32_t i = 0; i < labelling->first[labelling->bands.count]; i++)
        cells[labelling->leaf[i]] += labelling->cells[i];
}

// --- all leaves --------------------------------------------------------------------------------------------

static Status label_all(const Run *run, Labelling *labelling, Leaves *leaves, Error *error) {
    const Field *height = labelling->height;
    const RowBands bands = labelling->bands;
    const size_t edges = EDGES * (size_t)bands.count;
    if (!(labelling->label = leaves->label = memory_new(field_count(height), sizeof *leaves->label, error)) ||
        !(labelling->first = memory_new((size_t)bands.count + 1, sizeof *labelling->first, error)) ||
        !(labelling->over = memory_new(edges, (size_t)height->width * sizeof *labelling->over, error)))
        return STATUS_MEMORY;
    const double cells = (double)bands.rows * height->width;
    Status status = parallel_rows(run, bands.count, 8 * cells, label_bands, labelling);
    if (status != STATUS_OK)
        return status;
    labelling->first[bands.count] = 0;
    counts_to_starts(labelling->first, (size_t)bands.count + 1);
    const size_t basins = labelling->first[bands.count];
    if (!(labelling->next = memory_new(basins, sizeof *labelling->next, error)) ||
        !(labelling->leaf = memory_new(basins, sizeof *labelling->leaf, error)) ||
        !(labelling->cells = memory_new(basins, sizeof *labelling->cells, error)))
        return STATUS_MEMORY;
    leaves->count = number_leaves(labelling);
    leaves->cells = memory_new_zeroed(leaves->count, sizeof *leaves->cells, error);
    if (!leaves->cells)
        return STATUS_MEMORY;
    status = parallel_rows(run, bands.count, 3 * cells, name_bands, labelling);
    if (status == STATUS_OK)
        count_cells(labelling, leaves->cells);
    return status;
}

Status leaves_find(const Run *run, const Field *height, float sea, Leaves *leaves, Error *error) {
    Labelling labelling = { .height = height, .sea = sea, .bands = row_bands(height) };
    *leaves = (Leaves){ 0 };
    const Status status = label_all(run, &labelling, leaves, error);
    memory_free(labelling.first);
    memory_free(labelling.over);
    memory_free(labelling.next);
    memory_free(labelling.leaf);
    memory_free(labelling.cells);
    return status;
}

void leaves_free(Leaves *leaves) {
    memory_free(leaves->label);
    memory_free(leaves->cells);
}

// --- spills over rims --------------------------------------------------------------------------------------

// The spills between leaves: the lowest over which the water of one reaches the next.
// Of the many spills between two leaves a slot keeps the lowest until another pair takes it. Bands of rows
// have slots of their own, which begin empty: where the first pair in a slot begins a place in the list is
// left free, and once the bands before are known it is filled by what their rows had left in the slot, unless
// that was the same pair.

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

// --- all rims ----------------------------------------------------------------------------------------------

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
    const size_t cells = memory_count(rims->bands.rows, rims->height->width);
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

// Lists the spills of a minimum spanning forest of leaves, from the lowest; a spill's `basin` are cells here,
// for the outlet. Of equal heights the one with the lower side comes first: water that has several ways takes
// the lowest. Then that which rows meet first, from the last that a slot held on. `list` has
// its scratch and is freed by the caller, both also after a failure.
static Status rims_find(const Run *run, const Field *height, const Leaves *leaves, SpillList *list,
                        Error *error) {
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

// --- hierarchy -------------------------------------------------------------------------------------------

// Parts of the land that were joined; each has its highest depression so far.
typedef struct Part {
    uint32_t part, depression;
} Part;

static uint32_t part_of(Part *parts, uint32_t leaf) {
    while (parts[leaf].part != leaf)
        leaf = parts[leaf].part = parts[parts[leaf].part].part;
    return leaf;
}

static void set_rim(Depression *depression, const Depressions *all, const Spill *spill, uint32_t beyond,
                    uint32_t parent) {
    const float *height = all->height->cells;
    depression->rim = spill->height;
    depression->beyond = beyond;
    depression->parent = parent;
    depression->outlet = height[spill->basin[0]] < spill->height ? spill->basin[1] : spill->basin[0];
}

static void join(Depressions *all, Part *parts, const Spill *spill) {
    const uint32_t leaves[2] = { all->leaves.label[spill->basin[0]], all->leaves.label[spill->basin[1]] };
    const uint32_t out = part_of(parts, 0);
    const uint32_t ends[2] = { part_of(parts, leaves[0]), part_of(parts, leaves[1]) };
    if (ends[0] == ends[1])
        return;
    const bool reaches_outlet = ends[0] == out || ends[1] == out;
    const uint32_t parent = reaches_outlet ? NO_DEPRESSION : all->count++;
    for (int side = 0; side < 2; side++) {
        const uint32_t own = parts[ends[side]].depression;
        if (ends[side] == out)
            continue;
        set_rim(&all->at[own], all, spill, leaves[!side], parent);
        if (reaches_outlet)
            all->roots[all->root_count++] = own;
        else
            all->at[parent].children[side] = own;
    }
    parts[ends[0]].part = ends[1];
    parts[ends[1]].depression = parent;
}

static Status build(Depressions *all, const SpillList *spills, Error *error) {
    const size_t most = 2 * (size_t)all->leaves.count;
    Part *parts = memory_new(all->leaves.count, sizeof *parts, error);
    all->at = memory_new(most, sizeof *all->at, error);
    all->roots = memory_new(all->leaves.count, sizeof *all->roots, error);
    if (!parts || !all->at || !all->roots) {
        memory_free(parts);
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < all->leaves.count; i++)
        parts[i] = (Part){ i, i };
    for (size_t i = 0; i < most; i++)
        all->at[i] = (Depression){ .parent = NO_DEPRESSION, .children = { NO_DEPRESSION, NO_DEPRESSION } };
    all->count = all->leaves.count;
    for (size_t i = 0; i < spills->count; i++)
        join(all, parts, &spills->at[i]);
    memory_free(parts);
    return STATUS_OK;
}

// Parents come after their children.
static Status list_rims(Depressions *all, Error *error) {
    all->rims = memory_new(all->count, sizeof *all->rims, error);
    if (!all->rims)
        return STATUS_MEMORY;
    for (uint32_t i = all->count; i-- > 0;) {
        const float rim = all->at[i].rim;
        const uint32_t parent = all->at[i].parent;
        all->rims[i] = (Rim){ rim, parent == NO_DEPRESSION ? rim : all->rims[parent].highest, parent };
    }
    return STATUS_OK;
}

// The smallest depression below whose rim a cell lies, which lies below the highest.
static uint32_t depression_of(const Depressions *all, uint32_t cell) {
    const float height = all->height->cells[cell];
    uint32_t at = all->leaves.label[cell];
    while (all->rims[at].height <= height)
        at = all->rims[at].parent;
    return at;
}

static size_t list_band(const Depressions *all, size_t first, size_t end) {
    uint32_t *cell = all->own.cell + first, *depression = all->own.depression + first;
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        cell[count] = (uint32_t)i;
        count += all->rims[all->leaves.label[i]].highest > all->height->cells[i];
    }
    for (size_t i = 0; i < count; i++)
        depression[i] = depression_of(all, cell[i]);
    return count;
}

static void list_bands(void *context, int first, int end) {
    const Depressions *all = context;
    const RowBands bands = all->own.bands;
    const size_t width = (size_t)all->height->width;
    for (int band = first; band < end; band++)
        all->own.count[band] = list_band(all, (size_t)(band * bands.rows) * width,
                                         (size_t)band_end(bands, all->height, band) * width);
}

static Status list_own(const Run *run, Depressions *all, Error *error) {
    const size_t cells = field_count(all->height);
    OwnCells *own = &all->own;
    own->bands = row_bands(all->height);
    all->rims[0].highest = -INFINITY;
    return (own->count = memory_new((size_t)own->bands.count, sizeof *own->count, error)) &&
                   (own->cell = memory_new(cells, sizeof *own->cell, error)) &&
                   (own->depression = memory_new(cells, sizeof *own->depression, error))
               ? parallel_rows(run, own->bands.count, 4.0 * own->bands.rows * all->height->width, list_bands,
                               all)
               : STATUS_MEMORY;
}

// --- sums ------------------------------------------------------------------------------------------------

typedef struct Measuring {
    Depressions *all;
    uint8_t *shared; // of each depression, whether several bands have cells of it
} Measuring;

// A depression of several bands has cells on both sides of an edge, if not its own then those of one in it.
static void mark_shared_in_row(const Measuring *measuring, int y) {
    const Depressions *all = measuring->all;
    const size_t width = (size_t)all->height->width, first = (size_t)y * width;
    for (size_t i = first; i < first + width; i++) {
        if (all->rims[all->leaves.label[i]].highest <= all->height->cells[i])
            continue;
        uint32_t at = depression_of(all, (uint32_t)i);
        while (at != NO_DEPRESSION && !measuring->shared[at]) {
            measuring->shared[at] = true;
            at = all->at[at].parent;
        }
    }
}

static void mark_shared(const Measuring *measuring) {
    const RowBands bands = measuring->all->own.bands;
    for (int band = 0; band + 1 < bands.count; band++) {
        mark_shared_in_row(measuring, (band + 1) * bands.rows - 1);
        mark_shared_in_row(measuring, (band + 1) * bands.rows);
    }
}

// Adds up the cells of a band, in their order, that belong to depressions of its own, or to others.
static void measure_band(const Measuring *measuring, int band, bool shared) {
    const Depressions *all = measuring->all;
    const OwnCells *own = &all->own;
    const size_t first = own_first(all, band);
    for (size_t i = first; i < first + own->count[band]; i++) {
        if (measuring->shared[own->depression[i]] != shared)
            continue;
        Depression *depression = &all->at[own->depression[i]];
        depression->own++;
        depression->cells++;
        depression->sum += (double)all->height->cells[own->cell[i]];
    }
}

// Task 0 adds up the depressions of several bands, the others those of one band each.
static void measure_side_by_side(void *context, int first, int end) {
    const Measuring *measuring = context;
    for (int task = first; task < end; task++)
        if (task > 0)
            measure_band(measuring, task - 1, false);
        else
            for (int band = 0; band < measuring->all->own.bands.count; band++)
                measure_band(measuring, band, true);
}

static Status measure(const Run *run, Depressions *all, Error *error) {
    const RowBands bands = all->own.bands;
    Measuring measuring = { all, memory_new_zeroed(all->count, 1, error) };
    if (!measuring.shared)
        return STATUS_MEMORY;
    mark_shared(&measuring);
    const Status status = parallel_rows(run, bands.count + 1, 1.0 * bands.rows * all->height->width,
                                        measure_side_by_side, &measuring);
    memory_free(measuring.shared);
    for (uint32_t i = 1; i < all->count; i++) {
        const Depression *depression = &all->at[i];
        if (depression->parent == NO_DEPRESSION)
            continue;
        all->at[depression->parent].cells += depression->cells;
        all->at[depression->parent].sum += depression->sum;
    }
    return status;
}

// --- all of it ---------------------------------------------------------------------------------------------

Status depressions_find(const Run *run, Depressions *depressions, Error *error) {
    const Field *height = depressions->height;
    Status status = leaves_find(run, height, depressions->sea, &depressions->leaves, error);
    SpillList rims = { 0 };
    if (status == STATUS_OK)
        status = rims_find(run, height, &depressions->leaves, &rims, error);
    if (status == STATUS_OK)
        status = build(depressions, &rims, error);
    memory_free(rims.at);
    memory_free(rims.scratch);
    if (status == STATUS_OK)
        status = list_rims(depressions, error);
    if (status == STATUS_OK)
        status = list_own(run, depressions, error);
    return status == STATUS_OK ? measure(run, depressions, error) : status;
}

void depressions_free(Depressions *depressions) {
    leaves_free(&depressions->leaves);
    memory_free(depressions->own.count);
    memory_free(depressions->own.cell);
    memory_free(depressions->own.depression);
    memory_free(depressions->at);
    memory_free(depressions->rims);
    memory_free(depressions->roots);
}
