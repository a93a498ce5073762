#include "picture/river_ends.h"

#include "core/frame.h"
#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

// --- estuaries ---------------------------------------------------------------------------------------------

// Faint shares in all of the land are no water but anything else that is drawn as rivers, such as flow.
#define FAINT 0.1f

static bool are_shares_of_water(const Field *height, const Field *rivers, double sea) {
    float least = 1;
    for (size_t i = 0; i < field_count(rivers); i++)
        least = (double)height->cells[i] >= sea ? min(least, rivers->cells[i]) : least;
    return !(least > 0 && least < FAINT);
}

bool may_have_estuaries(const Field *height, const Field *rivers, double sea, bool is_part) {
    return rivers && frame_top(&height->frame) > 0 && (is_part || are_shares_of_water(height, rivers, sea));
}

enum { BODY = 3, BODY_MAX = 256 }; // cells, the latter at most where the map stretches them

typedef struct Reach {
    int across, along;
} Reach;

// The cells around row y that reach as far over the ground as `cells` do where the map is not stretched.
static Reach reach_of(const RiversAround *around, int cells, int y) {
    const Stretch stretch = planet_stretch(around->planet, y);
    return (Reach){ whole_within(ceil(cells * stretch.across), cells, BODY_MAX),
                    whole_within(ceil(cells * stretch.along), cells, BODY_MAX) };
}

// Where a block of cells around one lies in a picture, whose border no river widens.
static int middle_of_block(int cell, int reach, int count, bool wraps) {
    return wraps || count <= 2 * reach ? cell : clamp(cell, reach, count - 1 - reach);
}

// Whether all cells around hold shares of a river's water, and none a width: narrow rivers leave gaps even
// where several meet, unless a wide one is there.
static bool in_body(const RiversAround *around, int x, int y) {
    const float own = river_at(around, x, y);
    if (!(own > 0 && own <= 1))
        return false;
    const Reach reach = reach_of(around, BODY, y);
    const int column = middle_of_block(x, reach.across, around->rivers->width, around->across_wraps),
              row = middle_of_block(y, reach.along, around->rivers->height, around->along_wraps);
    for (int dy = -reach.along; dy <= reach.along; dy++)
        for (int dx = -reach.across; dx <= reach.across; dx++) {
            const float share = river_at(around, column + dx, row + dy);
            if (!(share > 0 && share <= 1))
                return false;
        }
    return true;
}

// Whether a bank's cell is at such a body.
static bool beside_body(const RiversAround *around, int x, int y) {
    const Reach far = reach_of(around, BODY + 1, y);
    for (int dy = -far.along; dy <= far.along; dy += far.along)
        for (int dx = -far.across; dx <= far.across; dx += far.across)
            if (in_body(around, x + dx, y + dy))
                return true;
    return false;
}

float share_in_estuary(const RiversAround *around, int x, int y, float *cover) {
    if (*cover > 1)
        return -1;
    const bool inside = in_body(around, x, y);
    if (!inside && !beside_body(around, x, y))
        return -1;
    const float share = inside ? *cover : min(widest_around(around, x, y, 2), 1);
    *cover /= share;
    return share;
}

#define OPEN 0.9f // of a cell, at least, where water has no bank beside it

static bool is_open_water(const RiversAround *around, int x, int y) {
    const float own = river_at(around, x, y);
    bool is = own >= OPEN && own <= 1;
    for (int i = 0; i < 9 && is; i++)
        is = river_at(around, x + i % 3 - 1, y + i / 3 - 1) > 0;
    return is;
}

bool touches_open_water(const RiversAround *around, int x, int y) {
    bool touches = false;
    for (int i = 0; i < 9 && !touches; i++)
        touches = is_open_water(around, x + i % 3 - 1, y + i / 3 - 1);
    return touches;
}

// --- river ends --------------------------------------------------------------------------------------------

enum { FAR = RIVER_ENDS_FADE + 1, BAND = 16 }; // rows

// In cells: narrower rivers keep their colour.
#define WIDE 3.0f

typedef struct Search {
    RiverEnds *ends;
    const Field *height;
    double sea;
} Search;

// The widest river within two cells, between which the bank may cover a cell in part; 0 if none is beside.
static float river_beside(const RiversAround *around, int x, int y) {
    const float touching = widest_around(around, x, y, 1);
    return touching > 0 ? max(touching, widest_around(around, x, y, 2)) : 0;
}

// Backwards and forwards along a row; where its ends meet, twice.
static void find_in_row(const Search *search, int y) {
    const RiverEnds *ends = search->ends;
    const int width = search->height->width, rounds = ends->around.across_wraps ? 2 : 1;
    const float *height = field_row(search->height, y), *river = field_row(ends->around.rivers, y);
    uint8_t *sea = ends->sea + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++) {
        const bool open = (double)height[x] < search->sea && !(river[x] > 0);
        sea[x] = open && river_beside(&ends->around, x, y) >= WIDE ? 0 : FAR;
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

Status river_ends_create(RiverEnds *ends, const Run *run, const Field *height, double sea, Error *error) {
    const Field *rivers = ends->around.rivers;
    if (!rivers || !any_wide(rivers))
        return STATUS_OK;
    const int bands = (height->height + BAND - 1) / BAND;
    ends->sea = memory_new(field_count(height), 1, error);
    ends->in_band = memory_new_cells(bands, height->width, 1, error);
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
    const int width = ends->around.rivers->width, height = ends->around.rivers->height;
    int nearest = reach * reach;
    for (int dy = -reach; dy <= reach; dy++) {
        const int row = ends->around.along_wraps ? wrap(y + dy, height) : y + dy;
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

float river_ends_at(const RiverEnds *ends, int x, int y) {
    if (!ends->sea)
        return -1;
    const float wide = widest_around(&ends->around, x, y, 1); // of the river, or beside its bank
    if (wide < WIDE)
        return -1;
    const float fade = min(0.5f * wide, (float)ends->fade);
    const int nearest = nearest_sea(ends, x, y, whole_within(ceilf(fade), 0, FAR) + 1);
    return smoothstep(clamp((sqrtf((float)nearest) - 1) / fade, 0.0f, 1.0f));
}
