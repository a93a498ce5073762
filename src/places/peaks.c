// Summits and pits with their topographic prominence. Pits are the summits of the heights upside down.

#include "core/counts.h"
#include "core/disjoint_sets.h"
#include "core/error.h"
#include "core/field.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/summary.h"
#include "places/points.h"
#include "water/cell_queue.h"
#include "water/drainage.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- the result --------------------------------------------------------------------------------------------

// Summits of a heightfield and their topographic prominence (Kirmse and de Ferranti 2017, "Calculating the
// prominence and isolation of every mountain in the world", Introduction): how far one must go down from a
// summit before any way leads to higher ground. Of equally high cells the first in the order of rows counts
// as the highest, so that a plateau is one summit.
//
// Cells belong to the summit that they reach uphill within their band of rows. The grounds of two summits
// meet at saddles; the highest saddles first, all but the highest summit of the ground that has met end
// (Kruskal's algorithm). What touches no edge of its band ends there, each band on its own; the others'
// saddles are left for all bands together.

typedef struct Summit {
    uint32_t cell, saddle;
    float prominence;
} Summit;

typedef struct Summits {
    const Field *height;
    bool wraps;
    float sign;             // -1: heights upside down, for pits
    float sea_level, least; // the surface of the sea is flat and has no summits; the least prominence
    Summit *at;             // in no order
    size_t count, room;
} Summits;

// The ground, or the surface of the sea.
static inline float surface_at(const Summits *summits, size_t cell) {
    return max(summits->height->cells[cell], summits->sea_level);
}

// --- saddles -----------------------------------------------------------------------------------------------

// Lists of saddles between summits.

// Of several saddles of two summits the highest. A summit that ends within its band is its own `other`.
typedef struct Saddle {
    uint64_t place;      // of the lower of the two cells between which it lies
    uint32_t one, other; // summits
} Saddle;

typedef struct Saddles { // and room to sort as many
    Saddle *at, *scratch;
    size_t count, room;
} Saddles;

// Saddles that were seen last, so that of the many between two summits few are kept.
enum { SADDLES_SEEN_BITS = 10, SADDLES_SEEN = 1 << SADDLES_SEEN_BITS };

typedef struct SeenSaddles {
    Saddle at[SADDLES_SEEN];
} SeenSaddles;

enum { DIGIT_BITS = 11, DIGITS = 6, DIGIT_VALUES = 1 << DIGIT_BITS };

static uint32_t digit_of(const Saddle *saddle, int digit) {
    return (uint32_t)(saddle->place >> (digit * DIGIT_BITS)) & (DIGIT_VALUES - 1);
}

// The highest first. Requires as much room in `scratch`.
// By radix, but for digits that are all the same.
static void saddles_sort(Saddles *list) {
    uint32_t start[DIGITS][DIGIT_VALUES];
    memset(start, 0, sizeof start);
    for (size_t i = 0; i < list->count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            start[digit][digit_of(&list->at[i], digit)]++;
    for (int digit = 0; digit < DIGITS && list->count > 0; digit++) {
        if (start[digit][digit_of(list->at, digit)] == list->count)
            continue;
        counts_to_starts(start[digit], DIGIT_VALUES);
        for (size_t i = 0; i < list->count; i++)
            list->scratch[start[digit][digit_of(&list->at[i], digit)]++] = list->at[i];
        Saddle *const sorted = list->scratch;
        list->scratch = list->at;
        list->at = sorted;
    }
}

// Room for `more` saddles, in `at`.
static Status saddles_reserve(Saddles *list, size_t more, Error *error) {
    if (list->room - list->count >= more)
        return STATUS_OK;
    const size_t room = list->room + list->room / 2 + more;
    Saddle *grown = memory_enlarge(list->at, list->count, room, sizeof *grown, error);
    if (!grown)
        return STATUS_MEMORY;
    list->at = grown;
    list->room = room;
    return STATUS_OK;
}

static Status saddles_append(Saddles *list, const Saddles *from, Error *error) {
    const Status status = saddles_reserve(list, from->count, error);
    if (status == STATUS_OK && from->count > 0)
        memcpy(list->at + list->count, from->at, from->count * sizeof *list->at);
    list->count += status == STATUS_OK ? from->count : 0;
    return status;
}

static void saddles_forget(SeenSaddles *seen) {
    memset(seen, 0, sizeof *seen);
}

// Adds those that are still seen, at most SADDLES_SEEN. Requires room.
static void saddles_flush(SeenSaddles *seen, Saddles *list) {
    for (int i = 0; i < SADDLES_SEEN; i++)
        if (seen->at[i].one != seen->at[i].other)
            list->at[list->count++] = seen->at[i];
    saddles_forget(seen);
}

// Adds at most one saddle to the list. Requires room.
static void saddles_note(SeenSaddles *seen, Saddles *list, Saddle saddle) {
    const uint32_t slot =
        (saddle.one * UINT32_C(0x9e3779b1) + saddle.other * UINT32_C(0x85ebca77)) >> (32 - SADDLES_SEEN_BITS);
    Saddle *last = &seen->at[slot];
    if (last->one == saddle.one && last->other == saddle.other) {
        last->place = min(last->place, saddle.place);
        return;
    }
    if (last->one != last->other)
        list->at[list->count++] = *last;
    *last = saddle;
}

// --- the search --------------------------------------------------------------------------------------------

// What the steps of the search for summits share (internal to src/places): the ground in bands of rows, and
// the summit of each cell.

typedef struct Band {
    Saddles saddles;
    uint64_t highest, lowest; // places of its cells
} Band;

typedef struct Search {
    Summits *summits;
    uint32_t *summit; // of each cell; of one that ended a higher one
    uint8_t *open;    // of a summit: whether its ground touches an edge of its band
    Band *bands;
    int band_rows, band_count;
    int group; // the first band of the current group
} Search;

static inline float level_at(const Summits *summits, size_t cell) {
    return summits->sign * surface_at(summits, cell) + 0.0f;
}

// In the order of heights, the highest first; equally high cells are in the order of rows.
static inline uint64_t place_of(const Search *search, uint32_t cell) {
    return (uint64_t)~ordered_bits(level_at(search->summits, cell)) << 32 | cell;
}

static inline int first_row(const Search *search, int band) {
    return band * search->band_rows;
}

static inline int end_row(const Search *search, int band) {
    return min(first_row(search, band + 1), search->summits->height->height);
}

static inline uint32_t first_cell(const Search *search, int y) {
    return (uint32_t)y * (uint32_t)search->summits->height->width;
}

// --- basins ------------------------------------------------------------------------------------------------

// Which summit each cell reaches uphill within its band.

// Points the inner cells of a row to a higher neighbour, if one is; `first` is the row's first cell.
KERNEL static void point_uphill(const float *restrict up, const float *restrict row,
                                const float *restrict down, uint32_t *restrict to, int width, uint32_t first,
                                float sign, float sea) {
    for (int x = 1; x < width - 1; x++) {
        float most = sign * max(row[x], sea);
        int at = x;
#define LOOK(neighbour, more, place)                                                                         \
    {                                                                                                        \
        const float level = sign * max(neighbour, sea);                                                      \
        at = level more most ? (place) : at;                                                                 \
        most = level more most ? level : most;                                                               \
    }
        LOOK(up[x - 1], >=, x - width - 1)
        LOOK(up[x], >=, x - width)
        LOOK(up[x + 1], >=, x - width + 1)
        LOOK(row[x - 1], >=, x - 1)
        LOOK(row[x + 1], >, x + 1)
        LOOK(down[x - 1], >, x + width - 1)
        LOOK(down[x], >, x + width)
        LOOK(down[x + 1], >, x + width + 1)
#undef LOOK
        to[x] = first + (uint32_t)at;
    }
}

// The same for a cell at an edge of the band of rows `first` … `end` - 1.
static uint32_t uphill(const Search *search, int x, int y, int first, int end) {
    const Summits *summits = search->summits;
    const int width = summits->height->width;
    uint32_t highest = first_cell(search, y) + (uint32_t)x;
    uint64_t place = place_of(search, highest);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int row = y + neighbour_y[i], beside = x + neighbour_x[i];
        const int column = summits->wraps ? (beside + width) % width : beside;
        if (row < first || row >= end || column < 0 || column >= width)
            continue;
        const uint32_t cell = first_cell(search, row) + (uint32_t)column;
        const uint64_t other = place_of(search, cell);
        highest = other < place ? cell : highest;
        place = min(other, place);
    }
    return highest;
}

// Follows a cell uphill, and gives all on the way its summit.
static void climb_from(uint32_t *summit, uint32_t cell) {
    uint32_t at = cell;
    while (summit[at] != at)
        at = summit[at];
    for (uint32_t next; cell != at; cell = next) {
        next = summit[cell];
        summit[cell] = at;
    }
}

static void climb_band(const Search *search, int index) {
    const Summits *summits = search->summits;
    const Field *height = summits->height;
    const int first = first_row(search, index), end = end_row(search, index), width = height->width;
    uint32_t *summit = search->summit;
    for (int y = first; y < end; y++) {
        const uint32_t row = first_cell(search, y);
        const bool inner = y > first && y < end - 1;
        if (inner)
            point_uphill(field_row(height, y - 1), field_row(height, y), field_row(height, y + 1),
                         summit + row, width, row, summits->sign, summits->sea_level);
        for (int x = 0; x < width; x += inner ? max(width - 1, 1) : 1)
            summit[row + (uint32_t)x] = uphill(search, x, y, first, end);
    }
    Band *band = &search->bands[index];
    band->highest = band->lowest = place_of(search, first_cell(search, first));
    const uint32_t after = first_cell(search, end - 1) + (uint32_t)width;
    for (uint32_t i = first_cell(search, first); i < after; i++) {
        const uint64_t place = place_of(search, i);
        band->highest = min(band->highest, place);
        band->lowest = max(band->lowest, place);
        climb_from(summit, i);
    }
}

// Gives the cells of bands `first` … `end` - 1 the summits that they reach uphill within their band, and each
// band its highest and lowest cell; a RowsBody.
static void climb_bands(void *context, int first, int end) {
    for (int band = first; band < end; band++)
        climb_band(context, band);
}

// --- summits -----------------------------------------------------------------------------------------------

enum {
    BAND_CELLS = 1 << 16,
    BAND_ROWS = 32, // at least
};

// --- saddles of bands --------------------------------------------------------------------------------------

// Adds at most one saddle to the list. Requires room.
static void note(const Search *search, SeenSaddles *seen, Saddles *list, uint32_t from, uint32_t to) {
    const uint32_t one = search->summit[from], other = search->summit[to];
    const uint32_t low = min(one, other), high = max(one, other);
    if (low == high)
        return;
    const uint64_t places[2] = { place_of(search, from), place_of(search, to) };
    saddles_note(seen, list, (Saddle){ max(places[0], places[1]), low, high });
}

// Between which cells of a row and of the next one summits may meet. A diagonal way is needed only where
// neither of the other two of the four cells is higher.
enum { BESIDE = 1, BELOW = 2, FALLING = 4, RISING = 8, PIECE = 1024 };

KERNEL static void find_saddles(const float *restrict row, const float *restrict down,
                                const uint32_t *restrict summit, const uint32_t *restrict under, float sign,
                                float sea, uint8_t *restrict ways, int count) {
    for (int x = 0; x < count; x++) {
        const float a = sign * max(row[x], sea), b = sign * max(row[x + 1], sea);
        const float c = sign * max(down[x], sea), d = sign * max(down[x + 1], sea);
        uint32_t found = summit[x] != summit[x + 1] ? BESIDE : 0;
        found |= summit[x] != under[x] ? BELOW : 0;
        found |= ((summit[x] != under[x + 1]) & (max(b, c) <= min(a, d))) ? FALLING : 0;
        found |= ((summit[x + 1] != under[x]) & (max(a, d) <= min(b, c))) ? RISING : 0;
        ways[x] = (uint8_t)found;
    }
}

// Notes the saddles between the cells of a row, and between these and those of the row `next`.
static void note_rows(const Search *search, SeenSaddles *seen, Saddles *list, int y, int next) {
    const Summits *summits = search->summits;
    const int width = summits->height->width;
    const uint32_t row = first_cell(search, y), under = first_cell(search, next);
    uint8_t ways[PIECE];
    for (int start = 0; start < width - 1; start += PIECE) {
        const int count = min(width - 1 - start, PIECE);
        find_saddles(field_row(summits->height, y) + start, field_row(summits->height, next) + start,
                     search->summit + row + start, search->summit + under + start, summits->sign,
                     summits->sea_level, ways, count);
        for (int x = 0; x < count; x++) {
            const uint32_t here = row + (uint32_t)(start + x), below = under + (uint32_t)(start + x);
            if (ways[x] & BESIDE)
                note(search, seen, list, here, here + 1);
            if (ways[x] & BELOW)
                note(search, seen, list, here, below);
            if (ways[x] & FALLING)
                note(search, seen, list, here, below + 1);
            if (ways[x] & RISING)
                note(search, seen, list, here + 1, below);
        }
    }
    const uint32_t last = (uint32_t)width - 1;
    note(search, seen, list, row + last, under + last);
    if (summits->wraps) {
        note(search, seen, list, row, row + last);
        note(search, seen, list, row, under + last);
        note(search, seen, list, row + last, under);
    }
}

// What a row and the last saddles of a band add to its list at most.
static size_t row_room(const Search *search) {
    return 4 * (size_t)search->summits->height->width + 4 + SADDLES_SEEN;
}

// --- meeting -----------------------------------------------------------------------------------------------

// Ends the lower one of two summits that meet, if they have not met before: then it is saddle->one.
static bool meet(const Search *search, Saddle *saddle) {
    const uint32_t one = set_root(search->summit, saddle->one),
                   other = set_root(search->summit, saddle->other);
    if (one == other)
        return false;
    const bool above = place_of(search, one) < place_of(search, other);
    saddle->one = above ? other : one;
    saddle->other = above ? one : other;
    search->summit[saddle->one] = saddle->other;
    return true;
}

static Summit summit_at(const Summits *summits, uint32_t cell, uint32_t saddle) {
    return (Summit){ cell, saddle, level_at(summits, cell) - level_at(summits, saddle) };
}

static bool counts(const Summits *summits, const Summit *summit) {
    const bool sea = summits->height->cells[summit->cell] < summits->sea_level;
    return !sea && summit->prominence >= summits->least && summit->prominence > 0;
}

// Keeps the saddles by which summits end: with `all` every one, otherwise those of summits that are open,
// and as their own other those that ended in the band and count. No summit has ended afterwards.
static void thin(const Search *search, Saddles *list, bool all) {
    size_t kept = 0;
    saddles_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        Saddle saddle = list->at[i];
        if (!meet(search, &saddle))
            continue;
        if (!all && !search->open[saddle.one]) {
            const Summit summit = summit_at(search->summits, saddle.one, (uint32_t)saddle.place);
            saddle.other = saddle.one;
            if (!counts(search->summits, &summit))
                continue;
        } else if (!all) {
            search->open[saddle.other] = 1;
        }
        list->at[kept++] = saddle;
    }
    list->count = kept;
    for (size_t i = 0; i < kept; i++)
        search->summit[list->at[i].one] = list->at[i].one;
}

static void mark_open(const Search *search, int y) {
    const uint32_t *row = search->summit + first_cell(search, y);
    for (int x = 0; x < search->summits->height->width; x++)
        search->open[row[x]] = 1;
}

static void meet_in_band(const Search *search, int index) {
    const int first = first_row(search, index), end = end_row(search, index);
    Saddles *list = &search->bands[index].saddles;
    SeenSaddles seen;
    saddles_forget(&seen);
    for (int y = first; y < end; y++) {
        if (list->room - list->count < row_room(search))
            thin(search, list, true);
        note_rows(search, &seen, list, y, min(y + 1, end - 1));
    }
    saddles_flush(&seen, list);
    mark_open(search, first);
    mark_open(search, end - 1);
    thin(search, list, false);
}

static void meet_in_bands(void *context, int first, int end) {
    const Search *search = context;
    for (int band = first; band < end; band++)
        meet_in_band(search, search->group + band);
}

// --- lists -------------------------------------------------------------------------------------------------

// Gives bands from the current one on room for their saddles, as many as half a field's worth suffices for;
// at least one. Returns the end of this group: at 2048², 8 of 64 bands, which two threads share evenly.
static int make_room(const Search *search, Saddle **room, Error *error) {
    const size_t band_cells = (size_t)search->band_rows * (size_t)search->summits->height->width;
    const size_t each = band_cells / 6 + 2 * row_room(search);
    const size_t most = field_count(search->summits->height) * sizeof(float) / 2 / (2 * each * sizeof **room);
    const int end = search->group + (int)min(max(most, 1), (size_t)(search->band_count - search->group));
    Saddle *at = *room = memory_new(2 * each * (size_t)(end - search->group), sizeof *at, error);
    for (int i = search->group; at && i < end; i++, at += 2 * each)
        search->bands[i].saddles = (Saddles){ .at = at, .scratch = at + each, .room = each };
    return end;
}

static Status meet_within(const Run *run, Search *search, Saddles *all, Error *error) {
    const double cost = (double)search->summits->height->width * search->band_rows * 10;
    Status status = STATUS_OK;
    while (search->group < search->band_count && status == STATUS_OK) {
        Saddle *room;
        const int end = make_room(search, &room, error);
        if (!room)
            return STATUS_MEMORY;
        status = parallel_rows(run, end - search->group, cost, meet_in_bands, search);
        for (int i = search->group; i < end && status == STATUS_OK; i++)
            status = saddles_append(all, &search->bands[i].saddles, error);
        memory_free(room);
        search->group = end;
    }
    return status;
}

// Saddles over the edges of bands.
static Status note_edges(const Search *search, Saddles *all, Error *error) {
    SeenSaddles seen;
    saddles_forget(&seen);
    for (int i = 0; i < search->band_count; i++) {
        const int last = end_row(search, i) - 1;
        const bool wrapped = last + 1 == search->summits->height->height;
        if (wrapped && !search->summits->wraps)
            break;
        if (saddles_reserve(all, row_room(search), error) != STATUS_OK)
            return STATUS_MEMORY;
        note_rows(search, &seen, all, last, wrapped ? 0 : last + 1);
    }
    if (saddles_reserve(all, SADDLES_SEEN, error) != STATUS_OK)
        return STATUS_MEMORY;
    saddles_flush(&seen, all);
    return STATUS_OK;
}

// --- all ---------------------------------------------------------------------------------------------------

static Status add(Summits *summits, uint32_t cell, uint32_t saddle, Error *error) {
    const Summit summit = summit_at(summits, cell, saddle);
    if (!counts(summits, &summit))
        return STATUS_OK;
    if (summits->count == summits->room) {
        const size_t room = 2 * summits->room + 256;
        Summit *grown = memory_enlarge(summits->at, summits->count, room, sizeof *grown, error);
        if (!grown)
            return STATUS_MEMORY;
        summits->at = grown;
        summits->room = room;
    }
    summits->at[summits->count++] = summit;
    return STATUS_OK;
}

// The highest cell, whose saddle is the lowest.
static Status add_highest(const Search *search, Error *error) {
    uint64_t highest = UINT64_MAX, lowest = 0;
    for (int i = 0; i < search->band_count; i++) {
        highest = min(highest, search->bands[i].highest);
        lowest = max(lowest, search->bands[i].lowest);
    }
    return add(search->summits, (uint32_t)highest, (uint32_t)lowest, error);
}

static Status meet_all(const Search *search, Saddles *all, Error *error) {
    Status status = STATUS_OK;
    all->scratch = memory_new(all->count + 1, sizeof *all->scratch, error);
    if (!all->scratch)
        return STATUS_MEMORY;
    saddles_sort(all);
    for (size_t i = 0; i < all->count && status == STATUS_OK; i++) {
        Saddle *saddle = &all->at[i];
        if (saddle->one == saddle->other || meet(search, saddle))
            status = add(search->summits, saddle->one, (uint32_t)saddle->place, error);
    }
    return status == STATUS_OK ? add_highest(search, error) : status;
}

static Status find(const Run *run, Search *search, Saddles *all, Error *error) {
    const size_t count = field_count(search->summits->height);
    const double cost = (double)search->summits->height->width * search->band_rows * 10;
    if (!(search->summit = memory_new(count, sizeof *search->summit, error)) ||
        !(search->open = memory_new_zeroed(count, 1, error)) ||
        !(search->bands = memory_new_zeroed((size_t)search->band_count, sizeof *search->bands, error)))
        return STATUS_MEMORY;
    Status status = parallel_rows(run, search->band_count, cost, climb_bands, search);
    if (status == STATUS_OK)
        status = meet_within(run, search, all, error);
    if (status == STATUS_OK)
        status = note_edges(search, all, error);
    return status == STATUS_OK ? meet_all(search, all, error) : status;
}

// Finds all summits of at least the least prominence, and more than 0. The highest cell has that of the
// lowest. Requires fewer than 2^32 - 1 cells. `at` is freed by the caller, also after a failure.
static Status summits_find(const Run *run, Summits *summits, Error *error) {
    const Field *height = summits->height;
    Search search = { .summits = summits };
    search.band_rows = min(max(BAND_CELLS / height->width, BAND_ROWS), height->height);
    search.band_count = (height->height + search.band_rows - 1) / search.band_rows;
    Saddles all = { 0 };
    const Status status = find(run, &search, &all, error);
    memory_free(search.summit);
    memory_free(search.open);
    memory_free(search.bands);
    memory_free(all.at);
    memory_free(all.scratch);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Peaks {
    int kind, count;
    double prominence, sea_level;
} Peaks;

enum { KIND_PEAKS, KIND_PITS };
enum { POINTS, PROMINENCES, SADDLES };

static int by_prominence(const void *a, const void *b) {
    const Summit *one = a, *other = b;
    if (one->prominence != other->prominence)
        return one->prominence > other->prominence ? -1 : 1;
    return one->cell < other->cell ? -1 : 1;
}

static PlacePoint point_at(const Summits *summits, uint32_t cell) {
    const uint32_t width = (uint32_t)summits->height->width, column = cell % width, row = cell / width;
    const float altitude = surface_at(summits, cell);
    return (PlacePoint){ .x = column + 0.5, .y = row + 0.5, .altitude = altitude, .species = 1 };
}

static Points *give_points(const Call *call, int output, int count, Error *error) {
    const Field *height = call->inputs[0].field;
    Points *points = points_new(count, error);
    if (!points)
        return NULL;
    call->outputs[output].value = points;
    points->width = height->width;
    points->height = height->height;
    points->wraps = call->wraps;
    return points;
}

static Status give(const Call *call, const Summits *summits, Error *error) {
    const Peaks *params = call->params;
    if (summits->count > 0)
        qsort(summits->at, summits->count, sizeof *summits->at, by_prominence);
    const int all = (int)min(summits->count, INT_MAX);
    const int count = params->count > 0 ? min(params->count, all) : all;
    Points *points = give_points(call, POINTS, count, error);
    Points *saddles = points ? give_points(call, SADDLES, count, error) : NULL;
    double *prominences = saddles ? memory_new((size_t)max(count, 1), sizeof *prominences, error) : NULL;
    if (!prominences)
        return STATUS_MEMORY;
    call->outputs[PROMINENCES].numbers.at = prominences;
    call->outputs[PROMINENCES].numbers.count = count;
    for (int i = 0; i < count; i++) {
        const Summit *summit = &summits->at[i];
        points->at[i] = point_at(summits, summit->cell);
        saddles->at[i] = point_at(summits, summit->saddle);
        prominences[i] = (double)summit->prominence;
    }
    return STATUS_OK;
}

// Gaps become as low as the lowest ground, or, for pits, as high as the highest: no summit is there, and no
// way over them.
static Status sink_gaps(const Field *height, float level, Field *sunk, Error *error) {
    const Status status = field_create(sunk, height->width, height->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(height); i++)
        field_cells(sunk)[i] = field_has_data(height, i) ? height->cells[i] : level;
    return status;
}

// Saddles in gaps move to the first cell of that height.
static void leave_gaps(const Field *height, float level, Summits *summits) {
    uint32_t cell = 0;
    while (cell + 1 < field_count(height) && !(field_has_data(height, cell) && height->cells[cell] == level))
        cell++;
    for (size_t i = 0; i < summits->count; i++)
        if (!field_has_data(height, summits->at[i].saddle))
            summits->at[i].saddle = cell;
}

static Status run(const Call *call, Error *error) {
    const Peaks *params = call->params;
    const Field *height = call->inputs[0].field;
    double low, high;
    if (field_count(height) >= UINT32_MAX)
        return fail(error, STATUS_INVALID, "the field is too large: at most %lld cells",
                    (long long)UINT32_MAX - 1);
    Status status = field_range(call->run, height, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const float level = (float)(params->kind == KIND_PITS ? high : low);
    low = max(low, params->sea_level);
    const double least = params->prominence > 0 ? params->prominence : max(high - low, 0) / 20;
    Summits summits = { .height = height,
                        .wraps = call->wraps,
                        .sign = params->kind == KIND_PITS ? -1.0f : 1.0f,
                        .least = (float)least,
                        .sea_level = (float)params->sea_level };
    Field sunk = { 0 };
    if (height->gaps) {
        status = sink_gaps(height, level, &sunk, error);
        summits.height = &sunk;
    }
    if (status == STATUS_OK)
        status = summits_find(call->run, &summits, error);
    if (status == STATUS_OK && height->gaps)
        leave_gaps(height, level, &summits);
    if (status == STATUS_OK)
        status = give(call, &summits, error);
    memory_free(summits.at);
    field_free(&sunk);
    return status;
}

static const Param params[] = {
    PARAM(Peaks, kind, .choices = CHOICES("peaks", "pits"), .initial = KIND_PEAKS,
          .doc = "peaks: summits; pits: the lowest cells of hollows, whose prominence is their depth"),
    PARAM(Peaks, prominence, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "height above the highest saddle to higher ground, at least; 0: a twentieth of the range of "
                 "heights"),
    PARAM(Peaks, count, .initial = 0, .min = 0, .max = 1e7,
          .doc = "how many at most, the most prominent ones; 0: all"),
    PARAM(Peaks, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, flat and without summits or pits"),
    { 0 },
};

const Operation op_peaks = {
    .name = "peaks",
    .gaps = GAPS_OWN,
    .category = "places",
    .keywords = "summits mountains maxima minima extremes highest lowest prominence persistence pits sinks "
                "local maximum position spot heights",
    .summary = "Finds summits or pits with their topographic prominence: where the ground is highest",
    .description =
        "The most prominent come first: the first peak is the highest cell, the first pit the "
        "lowest of land without a sea. Prominence is how far one must descend from a summit, to its "
        "key saddle, before the way leads up to higher ground. The key saddle is a pass, or the sea around "
        "an island. The prominence of the highest summit is the range of heights, and its saddle the lowest "
        "cell. Every bump is a summit, "
        "most have little prominence. At the edge, ground that rises beyond it counts as a summit.",
    .source =
        "Kirmse and de Ferranti 2017, Calculating the prominence and isolation of every mountain in the "
        "world",
    .inputs = { { "height", "heights" } },
    .outputs = { { "points", "centres of cells, with altitudes", &type_points },
                 { "prominences", "one for each point", &type_numbers },
                 { "saddles", "the key saddle of each point: passes, and the rims over which pits drain",
                   &type_points } },
    .params = params,
    .params_size = sizeof(Peaks),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local summits, prominences, passes = height:peaks{ prominence = 0.1 }\n"
               "local highest = summits:list()[1]\n"
               "print(highest.x, highest.y, highest.altitude, prominences[1])",
    .picture =
        "local summits, _, passes = height:peaks()\n"
        "return height:relief{ exaggeration = 2 }:paint(passes, { colour = \"#f2e8c9\" }):paint(summits)\n"
        "    :paint((height:peaks{ kind = \"pits\" }), { colour = \"#1f4e9c\" })",
    .see_also = "argmax statistics position_index ridges contours",
    .run = run,
};
