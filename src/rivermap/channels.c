#include "rivermap/channels.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

enum { FINE = 256, BAND = 16, CHUNK = 512 };

// In half widths from the middle: the bed ends, the bank ends, and so does the river's hold on the land.
#define BED 0.7f
#define BANK 1.3f
#define REACH 4.0f
// In widths: how deep the bed is, and how steeply land beside the water may fall.
#define DEPTH 0.15f
#define FALL 0.3f
// A channel comes from triangles whose sides are its width divided by this, or less.
#define SIDES 4.0f
// Between a crossing and those in smaller triangles a river may widen so much.
#define WIDENING 2.5f

Channels channels_begin(const View *view) {
    const Field *field = view->altitude;
    const int level = log2_below(view->pixels);
    return (Channels){ .view = view,
                       .left = view->x + (1 - (Int128)field->width) * view->pixel / 2,
                       .top = view->y + (1 - (Int128)field->height) * view->pixel / 2,
                       .finest_level = level,
                       .finest_cell = (float)ldexp(view->pixels, -level),
                       .per_basin = (float)((double)view->map->constants.width * view->pixels) };
}

// Twice and a half as wide at the sea as well above it.
float channel_width(const Channels *channels, float basin, double level) {
    const float lowland = 0.03f, high = (float)(level < 0 ? 0 : level) / lowland;
    return channels->per_basin * basin * (high < 1 ? 2.5f - 1.5f * high : 1);
}

ChannelRange channel_range(const Channels *channels, float length, float parent_limit) {
    const float own = channel_width(channels, length, 0);
    return (ChannelRange){ own, own, INFINITY, parent_limit };
}

void channel_range_add(ChannelRange *range, float width, float parent_side) {
    if (width >= SIDES * parent_side)
        return;
    range->widest = width > range->widest ? width : range->widest;
    range->narrowest = width < range->narrowest && width >= CHANNEL_LEAST ? width : range->narrowest;
}

void channel_range_end(ChannelRange *range) {
    const float limit = WIDENING * range->widest;
    range->limit = limit < range->limit ? limit : range->limit;
}

bool channels_go_on(const ChannelRange *range, float side) {
    return range->widest >= CHANNEL_LEAST && SIDES * side >= CHANNEL_LEAST &&
           (range->narrowest < SIDES * side || range->own >= CHANNEL_LEAST);
}

// How far a channel may show, pixels: a little further than where its weight, rounded as it is, comes to 0.
static double reach_of(float half) {
    return (double)half * ((double)REACH * (1 + 0x1p-20));
}

bool channels_reach(const Channels *channels, Int128 left, Int128 top, Int128 right, Int128 bottom,
                    const ChannelRange *range) {
    const View *view = channels->view;
    const double places = (reach_of(range->limit / 2) + 2) * (double)view->pixel;
    const Int128 margin = whole_128(places);
    const Int128 last_x = channels->left + view->pixel * view->altitude->width;
    const Int128 last_y = channels->top + view->pixel * view->altitude->height;
    return right >= channels->left - margin && left <= last_x + margin && bottom >= channels->top - margin &&
           top <= last_y + margin;
}

static double fine_place(Int128 place, Int128 origin, Int128 pixel) {
    const Int128 off = place - origin, whole = off >= 0 ? off / pixel : -((pixel - 1 - off) / pixel);
    const Int128 rest = (off - whole * pixel) / ((pixel + FINE - 1) / FINE); // below FINE
    return (double)whole + (double)rest * (1.0 / FINE);
}

static void add(Channels *channels, Channel channel) {
    if (channels->count == channels->room) {
        const int room = channels->room ? 2 * channels->room : 256;
        Error ignored;
        Channel *more = memory_new((size_t)room, sizeof *more, &ignored);
        if (!more) {
            channels->failed = true;
            return;
        }
        if (channels->count)
            memcpy(more, channels->at, (size_t)channels->count * sizeof *more);
        memory_free(channels->at);
        channels->at = more;
        channels->room = room;
    }
    channels->at[channels->count++] = channel;
}

typedef struct TriangleCrossing TriangleCrossing;

static float least(float a, float b) {
    return a < b ? a : b;
}

static void add_between(Channels *channels, const TriangleChannels *triangle, const TriangleCrossing *from,
                        const TriangleCrossing *to) {
    const float widest = from->width > to->width ? from->width : to->width;
    const float narrowest = from->width > to->width ? to->width : from->width;
    if (widest < CHANNEL_LEAST || widest < SIDES * triangle->side ||
        narrowest >= SIDES * triangle->parent_side)
        return;
    const View *view = channels->view;
    const float limit = triangle->limit;
    add(channels, (Channel){ fine_place(from->x, channels->left, view->pixel),
                             fine_place(from->y, channels->top, view->pixel),
                             fine_place(to->x, channels->left, view->pixel),
                             fine_place(to->y, channels->top, view->pixel), least(from->width, limit) / 2,
                             least(to->width, limit) / 2, from->level, to->level });
}

void channels_add(Channels *channels, const TriangleChannels *triangle) {
    const TriangleCrossing *at = triangle->crossings;
    int widest = 0, lowest = 0;
    bool leaves = false;
    for (int i = 0; i < triangle->count; i++) {
        widest = at[i].width > at[widest].width ? i : widest;
        lowest = at[i].level < at[lowest].level ? i : lowest;
        leaves = leaves || at[i].out;
    }
    if (triangle->count == 2 && leaves) {
        add_between(channels, triangle, &at[0], &at[1]);
        return;
    }
    // In the middle is a spring, a confluence, from which the widest leaves, or a mouth, in the sea.
    TriangleCrossing middle = { triangle->middle_x, triangle->middle_y, at[widest].width, at[lowest].level,
                                false };
    if (!leaves && middle.level > channels->sea)
        middle.level = channels->sea;
    for (int i = 0; i < triangle->count; i++) {
        const bool spring = triangle->count == 1 && at[i].out;
        middle.width = spring ? at[i].width / 2 : at[i].width;
        add_between(channels, triangle, &at[i], &middle);
    }
}

// --- drawing -----------------------------------------------------------------------------------------------

typedef struct Bands { // which channels reach into which band of rows
    const Channels *channels;
    int *first, *members; // of band i: members[first[i]] … members[first[i + 1] - 1]
} Bands;

// How far the nearest channel is, in half widths. Half the width of the river there and its level are means
// of all channels near, by their weights: from piece to piece they change smoothly.
typedef struct Chunk {
    float ratio[CHUNK], half[CHUNK], level[CHUNK], weight[CHUNK];
} Chunk;

// Rows or columns that a channel may reach.
static void range_of(double a, double b, float half, int count, int *first, int *end) {
    const double low = (a < b ? a : b) - reach_of(half), high = (a < b ? b : a) + reach_of(half);
    *first = whole_within(low, 0, count);
    *end = high < 0 ? 0 : whole_within(high + 1, 0, count);
}

static float widest_half(const Channel *channel) {
    return channel->from_half > channel->to_half ? channel->from_half : channel->to_half;
}

KERNEL static void near_channel(const Channel *channel, int y, int left, int count, float *restrict ratios,
                                float *restrict halves, float *restrict levels, float *restrict weights) {
    const double dx = channel->to_x - channel->from_x, dy = channel->to_y - channel->from_y;
    const double length = dx * dx + dy * dy, inverse = length > 0 ? 1 / length : 0;
    const double off_y = y - channel->from_y, from_x = channel->from_x;
    const float from_half = channel->from_half, more_half = channel->to_half - from_half;
    const float from_level = channel->from_level, more_level = channel->to_level - from_level;
    for (int i = 0; i < count; i++) {
        const double off_x = left + i - from_x;
        const double along = (off_x * dx + off_y * dy) * inverse;
        const double share = along < 0 ? 0 : along > 1 ? 1 : along;
        const float x = (float)(off_x - share * dx), down = (float)(off_y - share * dy);
        const float half = from_half + more_half * (float)share;
        const float ratio = sqrtf(x * x + down * down) / half;
        ratios[i] = ratio < ratios[i] ? ratio : ratios[i];
        const float near = ratio < REACH ? (REACH - ratio) / (0.5f + ratio) : 0;
        const float weight = near * near * (near * near);
        halves[i] += weight * half;
        levels[i] += weight * (from_level + more_level * (float)share);
        weights[i] += weight;
    }
}

// The land around the water: no lower than it at the bank, and beyond raised the less the further away it
// lies, so that it keeps some of its shape. Where the river comes down to the sea, within its depth, nothing
// is raised any more.
static float land_beside(float land, float level, float above_sea, float width, float ratio) {
    const float out = ratio < BANK ? 0 : (ratio - BANK) / (REACH - BANK);
    const float fresh = above_sea - DEPTH * width, drowned = fresh < 0 ? 30 * fresh : 0;
    const float raised = level + drowned - FALL * width * out;
    return land < raised ? land + (raised - land) * (1 - out) * (1 - out) : land;
}

// --- banks -------------------------------------------------------------------------------------------------

// Smooth noise, -1 … 1, whose cells are 2^-`level` of the map's side.
static float noise_at(Int128 x, Int128 y, int level) {
    const int shift = PLACE_BITS - level;
    const RandomKey key = random_key((uint64_t)level, 0);
    const uint32_t column = (uint32_t)(x >> shift), row = (uint32_t)(y >> shift);
    const float across = (float)((uint32_t)(x >> (shift - 16)) & 0xffff) * 0x1p-16f;
    const float down = (float)((uint32_t)(y >> (shift - 16)) & 0xffff) * 0x1p-16f;
    const float ease_x = across * across * (3 - 2 * across), ease_y = down * down * (3 - 2 * down);
    const float a = random_signed(key, column, row), b = random_signed(key, column + 1, row);
    const float c = random_signed(key, column, row + 1), d = random_signed(key, column + 1, row + 1);
    const float above = a + (b - a) * ease_x, below = c + (d - c) * ease_x;
    return above + (below - above) * ease_y;
}

// By how many half widths a bank strays here: at every scale from the river's width down to a pixel, so that
// at any zoom it shows as much detail as the coast, and from zoom to zoom keeps its place.
static float bank_noise(const Channels *channels, Int128 x, Int128 y, float half) {
    const float finest = channels->finest_cell;
    float sum = 0, cell = finest;
    for (int level = channels->finest_level; level > 0 && cell < 2 * half; level--, cell *= 2) {
        const float fade = 2 - cell / half, weight = fade < 1 ? fade : 1;
        const float share = cell > finest ? 1 : finest - 1; // comes in gradually as one zooms in
        sum += cell * weight * share * noise_at(x, y, level);
    }
    return 0.3f * sum / half;
}

// Where in the channel's cross section a pixel lies, in half widths, its bank's straying counted in.
static float section_at(const Channels *channels, Int128 x, Int128 y, float ratio, float half) {
    const float strays = 0.6f; // at most
    if (ratio < BED - strays || ratio > BANK + 2 * strays)
        return ratio;
    const float fade = (BANK + 2 * strays - ratio) / strays;
    return ratio + bank_noise(channels, x, y, half) * (fade < 1 ? fade : 1);
}

// Row y, `count` pixels from `left` on.
static void dig(const Channels *channels, const Chunk *chunk, int left, int count, int y) {
    const View *view = channels->view;
    float *altitudes = field_row(view->altitude, y) + left, *rivers = field_row(view->river, y) + left;
    const Int128 place_y = channels->top + y * view->pixel;
    for (int i = 0; i < count; i++) {
        if (!(chunk->weight[i] > 0))
            continue;
        const float half = chunk->half[i] / chunk->weight[i], level = chunk->level[i] / chunk->weight[i];
        const Int128 place_x = channels->left + (left + i) * view->pixel;
        const float ratio = section_at(channels, place_x, place_y, chunk->ratio[i], half);
        const float width = 2 * half * (float)(1 / view->pixels); // map units, those of altitudes
        const float above_sea = level - channels->sea;
        const float land = land_beside(altitudes[i], level, above_sea, width, ratio);
        if (ratio >= BANK) {
            altitudes[i] = land;
            continue;
        }
        const float up = ratio < BED ? 0 : (ratio - BED) / (BANK - BED);
        const float depth = DEPTH * width, bed = (land < level ? land : level) - depth, height = land - bed;
        altitudes[i] = bed + height * up;
        // Where the ground comes out of the water, and how much of the pixel lies on this side.
        const float bank = BED + (BANK - BED) * (depth / height);
        const float inside = 0.5f + (bank - ratio) * half, covered = clamp(inside, 0, 1);
        // Below the sea it is a trench in a fjord; on the last of its way down it becomes one with it.
        const float fresh = above_sea / depth, share = covered * clamp(fresh, 0, 1);
        const float river = share >= 1 ? max(2 * half, 1) : share;
        rivers[i] = river > rivers[i] ? river : rivers[i];
    }
}

// Finds the nearest channel for `count` pixels of row y from `left` on; false: none near.
static bool find_nearest(const Bands *bands, int band, int y, int left, int count, Chunk *chunk) {
    const Field *field = bands->channels->view->altitude;
    bool any = false;
    for (int i = 0; i < CHUNK; i++) {
        chunk->ratio[i] = REACH;
        chunk->half[i] = chunk->level[i] = chunk->weight[i] = 0;
    }
    for (int m = bands->first[band]; m < bands->first[band + 1]; m++) {
        const Channel *channel = &bands->channels->at[bands->members[m]];
        const float half = widest_half(channel);
        int top, bottom, from, to;
        range_of(channel->from_y, channel->to_y, half, field->height, &top, &bottom);
        range_of(channel->from_x, channel->to_x, half, field->width, &from, &to);
        from = from > left ? from : left;
        to = to < left + count ? to : left + count;
        if (y < top || y >= bottom || from >= to)
            continue;
        any = true;
        const int at = from - left;
        near_channel(channel, y, from, to - from, chunk->ratio + at, chunk->half + at, chunk->level + at,
                     chunk->weight + at);
    }
    return any;
}

static void draw_bands(void *context, int first, int end) {
    const Bands *bands = context;
    const View *view = bands->channels->view;
    const int width = view->altitude->width, height = view->altitude->height;
    Chunk chunk;
    for (int band = first; band < end; band++)
        for (int y = band * BAND; y < height && y < (band + 1) * BAND; y++)
            for (int left = 0; left < width; left += CHUNK) {
                const int count = width - left < CHUNK ? width - left : CHUNK;
                if (bands->first[band] < bands->first[band + 1] &&
                    find_nearest(bands, band, y, left, count, &chunk))
                    dig(bands->channels, &chunk, left, count, y);
            }
}

// Moves the cursors of all bands that a channel reaches, and lists it where they were; or only counts.
static void reach_bands(const Channels *channels, int *cursors, int *members) {
    for (int i = 0; i < channels->count; i++) {
        const Channel *channel = &channels->at[i];
        int top, bottom;
        range_of(channel->from_y, channel->to_y, widest_half(channel), channels->view->altitude->height, &top,
                 &bottom);
        for (int band = top / BAND; top < bottom && band * BAND < bottom; band++) {
            const int at = cursors[band]++;
            if (members)
                members[at] = i;
        }
    }
}

static Status sort_into_bands(Bands *bands, int count, Error *error) {
    bands->first = memory_new((size_t)count * 2 + 1, sizeof *bands->first, error);
    if (!bands->first)
        return STATUS_MEMORY;
    memset(bands->first, 0, ((size_t)count + 1) * sizeof *bands->first);
    reach_bands(bands->channels, bands->first + 1, NULL);
    int *cursors = bands->first + count + 1;
    for (int band = 0; band < count; band++) {
        cursors[band] = bands->first[band];
        bands->first[band + 1] += bands->first[band];
    }
    bands->members = memory_new((size_t)bands->first[count] + 1, sizeof *bands->members, error);
    if (!bands->members)
        return STATUS_MEMORY;
    reach_bands(bands->channels, cursors, bands->members);
    return STATUS_OK;
}

Status channels_draw(Channels *channels, Error *error) {
    const View *view = channels->view;
    const int count = (view->altitude->height + BAND - 1) / BAND;
    Bands bands = { .channels = channels };
    Status status = STATUS_OK;
    if (channels->failed)
        status = fail(error, STATUS_MEMORY, "not enough memory for the channels of rivers");
    if (status == STATUS_OK && channels->count > 0) {
        status = sort_into_bands(&bands, count, error);
        if (status == STATUS_OK)
            status = parallel_rows(view->run, count, view->altitude->width * 100.0, draw_bands, &bands);
    }
    memory_free(bands.members);
    memory_free(bands.first);
    memory_free(channels->at);
    channels->at = NULL;
    return status;
}
