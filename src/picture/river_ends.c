#include "picture/river_ends.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { FAR = RIVER_ENDS_FADE + 1, BAND = 16 }; // rows

// In cells: narrower rivers keep their colour.
#define WIDE 3.0f

typedef struct Search {
    RiverEnds *ends;
    const Field *height;
    double sea;
} Search;

static float widest_around(const RiverEnds *ends, int x, int y, int reach) {
    const Field *rivers = ends->rivers;
    float widest = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
            const int column = neighbour_at(x + dx, rivers->width, ends->across_wraps),
                      row = neighbour_at(y + dy, rivers->height, ends->along_wraps);
            widest = max(widest, field_row(rivers, row)[column]);
        }
    return widest;
}

// The widest river within two cells, between which the bank may cover a cell in part; 0 if none is beside.
static float river_beside(const RiverEnds *ends, int x, int y) {
    const float touching = widest_around(ends, x, y, 1);
    return touching > 0 ? max(touching, widest_around(ends, x, y, 2)) : 0;
}

// Backwards and forwards along a row; where its ends meet, twice.
static void find_in_row(const Search *search, int y) {
    const RiverEnds *ends = search->ends;
    const int width = search->height->width, rounds = ends->across_wraps ? 2 : 1;
    const float *height = field_row(search->height, y), *river = field_row(ends->rivers, y);
    uint8_t *sea = ends->sea + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++) {
        const bool open = (double)height[x] < search->sea && !(river[x] > 0);
        sea[x] = open && river_beside(ends, x, y) >= WIDE ? 0 : FAR;
    }
    int before = FAR, after = FAR;
    for (int i = 0; i < rounds * width; i++) {
        const int x = i % width, back = width - 1 - x;
        before = min(before + 1, (int)sea[x]);
        sea[x] = (uint8_t)before;
        after = min(after + 1, (int)sea[back]);
        sea[back] = (uint8_t)after;
    }
}

static void find_in_bands(void *context, int first, int end) {
    const Search *search = context;
    const int width = search->height->width;
    for (int band = first; band < end; band++) {
        uint8_t *least = search->ends->in_band + (size_t)band * (size_t)width;
        memset(least, FAR, (size_t)width);
        for (int y = band * BAND; y < min((band + 1) * BAND, search->height->height); y++) {
            find_in_row(search, y);
            const uint8_t *sea = search->ends->sea + (size_t)y * (size_t)width;
            for (int x = 0; x < width; x++)
                least[x] = sea[x] < least[x] ? sea[x] : least[x];
        }
    }
}

static bool any_wide(const Field *rivers) {
    for (size_t i = 0; i < field_count(rivers); i++)
        if (rivers->cells[i] >= WIDE)
            return true;
    return false;
}

// Shares in all of the land are no widths but anything else that is drawn as rivers, such as flow.
static bool any_dry_land(const Field *height, const Field *rivers, double sea) {
    for (size_t i = 0; i < field_count(rivers); i++)
        if ((double)height->cells[i] >= sea && !(rivers->cells[i] > 0))
            return true;
    return false;
}

Status river_ends_create(RiverEnds *ends, const Run *run, const Field *height, const Field *rivers,
                         double sea, Error *error) {
    ends->rivers = rivers;
    ends->estuaries = rivers && (frame_is_of_map(&height->frame) || height->frame.true_slopes) &&
                      (ends->is_part || any_dry_land(height, rivers, sea));
    if (!rivers || !any_wide(rivers))
        return STATUS_OK;
    const int bands = (height->height + BAND - 1) / BAND;
    ends->sea = memory_new(field_count(height), 1, error);
    ends->in_band = memory_new((size_t)bands * (size_t)height->width, 1, error);
    if (!ends->sea || !ends->in_band)
        return STATUS_MEMORY;
    Search search = { ends, height, sea };
    return parallel_rows(run, bands, BAND * height->width * 3.0, find_in_bands, &search);
}

void river_ends_free(RiverEnds *ends) {
    memory_free(ends->sea);
    memory_free(ends->in_band);
}

// The square of the distance to the nearest sea, if that is less than `reach`.
static int nearest_sea(const RiverEnds *ends, int x, int y, int reach) {
    const int width = ends->rivers->width, height = ends->rivers->height;
    int nearest = reach * reach;
    for (int dy = -reach; dy <= reach; dy++) {
        const int row = ends->along_wraps ? wrap(y + dy, height) : y + dy;
        if (row < 0 || row >= height)
            continue;
        const int band = row / BAND;
        if (ends->in_band[(size_t)band * (size_t)width + (size_t)x] >= reach) {
            dy += min((band + 1) * BAND, height) - 1 - row;
            continue;
        }
        const int dx = ends->sea[(size_t)row * (size_t)width + (size_t)x];
        nearest = min(nearest, dx * dx + dy * dy);
    }
    return nearest;
}

enum { BODY = 3 }; // cells

// The cells of row y that are as long as `cells` are high.
static int cells_across(const RiverEnds *ends, int cells, int y) {
    return whole_within(ceil(cells * planet_stretch(ends->planet, y)), cells, ends->fade + BODY);
}

// Whether all cells around have some of a river: narrow ones, though several meet, leave gaps.
static bool in_body(const RiverEnds *ends, int x, int y) {
    if (!(widest_around(ends, x, y, 0) > 0))
        return false;
    const int across = cells_across(ends, BODY, y);
    for (int dy = -BODY; dy <= BODY; dy++)
        for (int dx = -across; dx <= across; dx++) {
            const int column = neighbour_at(x + dx, ends->rivers->width, ends->across_wraps),
                      row = neighbour_at(y + dy, ends->rivers->height, ends->along_wraps);
            if (!(field_row(ends->rivers, row)[column] > 0))
                return false;
        }
    return true;
}

// Whether a bank's cell is at such a body.
static bool beside_body(const RiverEnds *ends, int x, int y) {
    const int far = BODY + 1, across = cells_across(ends, far, y);
    for (int dy = -far; dy <= far; dy += far)
        for (int dx = -across; dx <= across; dx += across)
            if (in_body(ends, x + dx, y + dy))
                return true;
    return false;
}

// The share of the river's water in an estuary, and how much of the cell that covers; 1 elsewhere.
static float share_in_estuary(const RiverEnds *ends, int x, int y, float *cover) {
    float share = 1;
    if (in_body(ends, x, y))
        share = *cover;
    else if (beside_body(ends, x, y))
        share = min(widest_around(ends, x, y, 2), 1);
    *cover /= share;
    return share;
}

float river_ends_at(const RiverEnds *ends, int x, int y, float *cover) {
    if (ends->estuaries && *cover < 1) {
        const float share = share_in_estuary(ends, x, y, cover);
        if (share < 1)
            return share;
    }
    if (!ends->sea)
        return -1;
    const float wide = widest_around(ends, x, y, 1); // of the river, or beside its bank
    if (wide < WIDE)
        return -1;
    const float fade = min(0.5f * wide, (float)ends->fade);
    const int nearest = nearest_sea(ends, x, y, whole_within(ceilf(fade), 0, FAR) + 1);
    return smoothstep(clamp((sqrtf((float)nearest) - 1) / fade, 0.0f, 1.0f));
}
