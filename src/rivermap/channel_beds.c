// Draws the channels of wide rivers into a window. All computations are in double precision with exact
// positions, because at deep zooms a bank's position is a small difference of large numbers.

#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"
#include "core/whole.h"
#include "rivermap/channels.h"

#include <math.h>
#include <string.h>

enum { BAND = 16, CHUNK = 512 };

// In half widths from the middle: the ends of the bed and of the bank; between them, at 1, the bank leaves
// the water.
#define BED 0.7
#define BANK 1.5
// In widths: the depth of the bed, and the steepest slope of land beside the water.
#define DEPTH 0.15
#define FALL 0.3

typedef struct Reach { // the pixels that a channel may change; right and bottom excluded
    int left, top, right, bottom;
} Reach;

typedef struct Bands { // which channels reach into which band of rows
    const Channels *channels;
    Reach *reaches;       // of each channel
    int *first, *members; // of band i: members[first[i]] … members[first[i + 1] - 1]
} Bands;

// The distance to the nearest channel, in half widths. The river's half width and level there are weighted
// means of all nearby channels, which vary smoothly from piece to piece.
typedef struct Chunk {
    double ratio[CHUNK], half[CHUNK], level[CHUNK], weight[CHUNK];
} Chunk;

static double pixels_of(Int128 fine) {
    return (double)fine * (1.0 / CHANNEL_FINE);
}

// Rows or columns that a channel may reach.
static void range_of(Int128 a, Int128 b, double half, int count, int *first, int *end) {
    const double low = pixels_of(min(a, b)) - channel_reach(half),
                 high = pixels_of(max(a, b)) + channel_reach(half);
    *first = whole_within(low, 0, count);
    *end = high < 0 ? 0 : whole_within(high + 1, 0, count);
}

static double widest_half(const Channel *channel) {
    return max(channel->from_half, channel->to_half);
}

// The offsets of pixels from a position, each rounded once.
static void offsets(Int128 from, int first, int count, double *off) {
    const double start = pixels_of(first * (Int128)CHANNEL_FINE - from);
    const bool exact = fabs(start) < 0x1p40; // all of them
    for (int i = 0; i < count; i++)
        off[i] = exact ? start + i : pixels_of((first + i) * (Int128)CHANNEL_FINE - from);
}

KERNEL static void near_channel(const Channel *channel, int y, int left, int count, double *restrict ratios,
                                double *restrict halves, double *restrict levels, double *restrict weights) {
    const double dx = pixels_of(channel->to_x - channel->from_x);
    const double dy = pixels_of(channel->to_y - channel->from_y);
    const double length = dx * dx + dy * dy, inverse = length > 0 ? 1 / length : 0;
    const double from_half = channel->from_half, more_half = channel->to_half - from_half;
    const double from_level = channel->from_level, more_level = channel->to_level - from_level;
    double off_y, off_x[CHUNK];
    offsets(channel->from_y, y, 1, &off_y);
    offsets(channel->from_x, left, count, off_x);
    for (int i = 0; i < count; i++) {
        const double share = segment_share_by(off_x[i], off_y, dx, dy, inverse);
        const double half = from_half + more_half * share;
        const double ratio = segment_distance(off_x[i], off_y, dx, dy, share) / half;
        ratios[i] = min(ratio, ratios[i]);
        const double near = ratio < CHANNEL_REACH ? (CHANNEL_REACH - ratio) / (0.5 + ratio) : 0;
        const double weight = near * near * (near * near);
        halves[i] += weight * half;
        levels[i] += weight * (from_level + more_level * share);
        weights[i] += weight;
    }
}

// The land around the water: at the bank no lower than the water, and raised less with distance, so that it
// keeps some of its shape. Where the river comes down to the sea, within its depth, nothing is raised.
static double land_beside(double land, double level, double above_sea, double width, double ratio) {
    const double out = max(ratio - 1, 0) / (CHANNEL_REACH - 1);
    const double fresh = above_sea - DEPTH * width, drowned = 30 * min(fresh, 0);
    const double raised = level + drowned - FALL * width * out;
    return land < raised ? land + (raised - land) * (1 - out) * (1 - out) : land;
}

// --- banks -------------------------------------------------------------------------------------------------

// The position in its cell of 2^shift, 0 … 1.
static double within_cell(Int128 place, int shift) {
    const uint64_t bits = shift > 64 ? (uint64_t)(place >> (shift - 64)) : (uint64_t)place << (64 - shift);
    return (double)(bits >> 11) * 0x1p-53;
}

// Smooth noise, -1 … 1, whose cells are 2^-`level` of the map's side.
static double noise_at(Int128 x, Int128 y, int level) {
    const int shift = PLACE_BITS - level;
    return value_noise_in_cell_double(random_key((uint64_t)level, 0), (uint32_t)(x >> shift),
                                      (uint32_t)(y >> shift), within_cell(x, shift), within_cell(y, shift));
}

// The displacement of a bank in half widths: noise at every scale from the river's width down to a pixel,
// so that at any zoom a bank has as much detail as the coast and keeps its position from zoom to zoom.
static double bank_noise(const Channels *channels, Int128 x, Int128 y, double half) {
    const double finest = channels->finest_cell;
    double sum = 0, cell = finest;
    for (int level = channels->finest_level; level > 0 && cell < 2 * half; level--, cell *= 2) {
        const double weight = min(2 - cell / half, 1);
        const double share = cell > finest ? 1 : finest - 1; // fades in with the zoom
        sum += cell * weight * share * noise_at(x, y, level);
    }
    return 0.4 * sum / half;
}

// The position of a pixel in the channel's cross section, in half widths, including the bank's
// displacement.
static double section_at(const Channels *channels, Int128 x, Int128 y, double ratio, double half) {
    const double strays = 0.9; // at most
    if (ratio < BED - strays || ratio > BANK + 2 * strays)
        return ratio;
    const double fade = (BANK + 2 * strays - ratio) / strays;
    return ratio + bank_noise(channels, x, y, half) * min(fade, 1);
}

// Row y, `count` pixels from `left` on.
static void dig(const Channels *channels, const Chunk *chunk, int left, int count, int y) {
    const View *view = channels->view;
    float *altitudes = field_row(view->altitude, y) + left, *rivers = field_row(view->river, y) + left;
    const Int128 place_y = channels->top + y * view->pixel;
    for (int i = 0; i < count; i++) {
        if (!(chunk->weight[i] > 0))
            continue;
        const double half = chunk->half[i] / chunk->weight[i], level = chunk->level[i] / chunk->weight[i];
        const Int128 place_x = channels->left + (left + i) * view->pixel;
        const double ratio = section_at(channels, place_x, place_y, chunk->ratio[i], half);
        const double width = 2 * half / view->pixels; // map units, those of altitudes
        const double above_sea = level - channels->sea;
        const double land = land_beside((double)altitudes[i], level, above_sea, width, ratio);
        if (ratio >= BANK) {
            altitudes[i] = (float)land;
            continue;
        }
        // Up from the bed, out of the water where the half width ends, and on to the land.
        const double depth = DEPTH * width, surface = min(land, level);
        const double under = clamp((1 - ratio) / (1 - BED), 0, 1), over = max(ratio - 1, 0) / (BANK - 1);
        altitudes[i] = (float)(surface - depth * under + (land - surface) * over);
        const double covered = clamp(0.5 + (1 - ratio) * half, 0, 1);
        // Below the sea it is a trench in a fjord; over the last of its descent it merges with the sea.
        const double fresh = above_sea / depth, share = covered * clamp(fresh, 0, 1);
        const double river = share >= 1 ? max(2 * half, 1) : share;
        rivers[i] = max((float)river, rivers[i]);
    }
}

// Finds the nearest channel for `count` pixels of row y from `left` on; false: none near.
static bool find_nearest(const Bands *bands, int band, int y, int left, int count, Chunk *chunk) {
    bool any = false;
    for (int i = 0; i < CHUNK; i++) {
        chunk->ratio[i] = CHANNEL_REACH;
        chunk->half[i] = chunk->level[i] = chunk->weight[i] = 0;
    }
    for (int m = bands->first[band]; m < bands->first[band + 1]; m++) {
        const Channel *channel = &bands->channels->at[bands->members[m]];
        const Reach *reach = &bands->reaches[bands->members[m]];
        const int from = max(reach->left, left), to = min(reach->right, left + count);
        if (y < reach->top || y >= reach->bottom || from >= to)
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
                const int count = min(width - left, CHUNK);
                if (bands->first[band] < bands->first[band + 1] &&
                    find_nearest(bands, band, y, left, count, &chunk))
                    dig(bands->channels, &chunk, left, count, y);
            }
}

static void find_reaches(void *context, int first, int end) {
    const Bands *bands = context;
    const Field *field = bands->channels->view->altitude;
    for (int i = first; i < end; i++) {
        const Channel *channel = &bands->channels->at[i];
        const double half = widest_half(channel);
        Reach *reach = &bands->reaches[i];
        range_of(channel->from_x, channel->to_x, half, field->width, &reach->left, &reach->right);
        range_of(channel->from_y, channel->to_y, half, field->height, &reach->top, &reach->bottom);
    }
}

// Moves the cursors of all bands that a channel reaches and stores it there; or only counts.
static void reach_bands(const Bands *bands, int *cursors, int *members) {
    for (int i = 0; i < bands->channels->count; i++) {
        const Reach *reach = &bands->reaches[i];
        if (reach->left >= reach->right)
            continue;
        for (int band = reach->top / BAND; reach->top < reach->bottom && band * BAND < reach->bottom;
             band++) {
            const int at = cursors[band]++;
            if (members)
                members[at] = i;
        }
    }
}

static Status sort_into_bands(Bands *bands, int count, Error *error) {
    const int channels = bands->channels->count;
    bands->first = memory_new((size_t)count * 2 + 1, sizeof *bands->first, error);
    bands->reaches = memory_new((size_t)channels, sizeof *bands->reaches, error);
    if (!bands->first || !bands->reaches)
        return STATUS_MEMORY;
    const Status status = parallel_rows(bands->channels->view->run, channels, 50, find_reaches, bands);
    if (status != STATUS_OK)
        return status;
    memset(bands->first, 0, ((size_t)count + 1) * sizeof *bands->first);
    reach_bands(bands, bands->first + 1, NULL);
    int *cursors = bands->first + count + 1;
    for (int band = 0; band < count; band++) {
        cursors[band] = bands->first[band];
        bands->first[band + 1] += bands->first[band];
    }
    bands->members = memory_new((size_t)bands->first[count] + 1, sizeof *bands->members, error);
    if (!bands->members)
        return STATUS_MEMORY;
    reach_bands(bands, cursors, bands->members);
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
    memory_free(bands.reaches);
    memory_free(channels->at);
    channels->at = NULL;
    return status;
}
