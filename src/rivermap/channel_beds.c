// Draws the channels of wide rivers into a window. All computations are in double precision with exact
// positions, because at deep zooms a bank's position is a small difference of large numbers.
//
// Where rivers meet, means of their widths and levels shape the ground, except in the water of a much wider
// one: that is shaped as if no tributary ran on into it.

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivermap/channel_banks.h"
#include "rivermap/channel_section.h"

#include <math.h>
#include <string.h>

// Rows; pixels at once; the same for all octaves together; octaves up to half widths of the map's side.
enum { BAND = 16, CHUNK = 480, ROOM = 5 * CHUNK / 2, OCTAVES = 128 };

typedef struct Reach { // the pixels that a channel may change; right and bottom excluded
    int left, top, right, bottom;
    int octave; // of the channel's half width in map units
} Reach;

typedef struct Bands { // which channels reach into which band of rows
    const Channels *channels;
    Reach *reaches;       // of each channel
    int *first, *members; // of band i: members[first[i]] … members[first[i + 1] - 1]
    int lowest, octaves;  // of the channels: the first octave, and how many
} Bands;

// Pixels of a row, those of octave o from o * `pixels` on: the distance to the octave's nearest channel, in
// half widths, and the half width, level and freshness of its nearby channels, sums with weights. Their means
// vary smoothly from piece to piece.
typedef struct Chunk {
    int left, y, count, pixels, octaves;
    bool any[OCTAVES]; // channels of it here
    double ratio[ROOM], half[ROOM], level[ROOM], fresh[ROOM], weight[ROOM];
    Banks banks;
} Chunk;

static double pixels_of(Int128 fine) {
    return (double)fine * (1.0 / CHANNEL_FINE);
}

// Rows or columns that a channel may reach.
static void range_of(Int128 a, Int128 b, double reach, int count, int *first, int *end) {
    const double low = pixels_of(min(a, b)) - reach, high = pixels_of(max(a, b)) + reach;
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

// A position along a channel, 0 … 1, by the distances from lines across the river at both ends. On the outer
// side of a bend these leave no wedge between channels in which the water would be level, while it falls
// beside them; on the inner side, where the lines meet, it is a position by half of the channel's length.
KERNEL_INLINE double share_between(double past, double ahead, double least) {
    return clamp(0.5 + 0.5 * (past - ahead) / max(past + ahead, least), 0, 1);
}

static void direction_at(const double along[2], double dx, double dy, double *at_x, double *at_y) {
    const bool own = along[0] == 0 && along[1] == 0;
    *at_x = own ? dx : along[0];
    *at_y = own ? dy : along[1];
}

KERNEL static void near_channel(const Channel *channel, int y, int left, int count, double *restrict ratios,
                                double *restrict halves, double *restrict levels, double *restrict freshness,
                                double *restrict weights) {
    const double dx = pixels_of(channel->to_x - channel->from_x);
    const double dy = pixels_of(channel->to_y - channel->from_y);
    const double squared = dx * dx + dy * dy, inverse = squared > 0 ? 1 / squared : 0;
    const double length = sqrt(squared), least = max(0.5 * length, 0x1p-60);
    double from_dx, from_dy, to_dx, to_dy;
    direction_at(channel->from_along, dx * inverse * length, dy * inverse * length, &from_dx, &from_dy);
    direction_at(channel->to_along, dx * inverse * length, dy * inverse * length, &to_dx, &to_dy);
    const double from_half = channel->from_half, more_half = channel->to_half - from_half;
    const double from_level = channel->from_level, more_level = channel->to_level - from_level;
    const double from_fresh = channel->from_fresh, more_fresh = channel->to_fresh - from_fresh;
    double off_y, off_x[CHUNK];
    offsets(channel->from_y, y, 1, &off_y);
    offsets(channel->from_x, left, count, off_x);
    for (int i = 0; i < count; i++) {
        const double share = segment_share_by(off_x[i], off_y, dx, dy, inverse);
        const double half = from_half + more_half * share;
        const double ratio = segment_distance(off_x[i], off_y, dx, dy, share) / half;
        ratios[i] = min(ratio, ratios[i]);
        const double near = ratio < CHANNEL_REACH ? (CHANNEL_REACH - ratio) / (1 + ratio) : 0;
        const double weight = near * near * (near * near);
        halves[i] += weight * half;
        const double past = off_x[i] * from_dx + off_y * from_dy,
                     ahead = (dx - off_x[i]) * to_dx + (dy - off_y) * to_dy;
        const double between = share_between(past, ahead, least);
        levels[i] += weight * (from_level + more_level * between);
        freshness[i] += weight * (from_fresh + more_fresh * between);
        weights[i] += weight;
    }
}

// --- cross sections ----------------------------------------------------------------------------------------

// Levels and widths are means over the rivers around that are about as wide: fully from 3/4 of the width on,
// not at all below 1/4.
static bool get_section(const Channels *channels, Chunk *chunk, int octave, int i, Section *section) {
    enum { AROUND = 2 }; // octaves
    const int here = octave * chunk->pixels + i;
    if (!chunk->any[octave] || !(chunk->weight[here] > 0))
        return false;
    const double own = chunk->half[here] / chunk->weight[here];
    double half = 0, level = 0, fresh = 0, weight = 0;
    for (int other = max(octave - AROUND, 0); other <= min(octave + AROUND, chunk->octaves - 1); other++) {
        const int at = other * chunk->pixels + i;
        if (!chunk->any[other] || !(chunk->weight[at] > 0))
            continue;
        const double theirs = chunk->half[at] / chunk->weight[at];
        const double share = clamp(2 * min(own, theirs) / max(own, theirs) - 0.5, 0, 1);
        half += share * chunk->half[at];
        level += share * chunk->level[at];
        fresh += share * chunk->fresh[at];
        weight += share * chunk->weight[at];
    }
    half /= weight;
    const Int128 x = channels->left + (chunk->left + i) * channels->view->pixel,
                 y = channels->top + chunk->y * channels->view->pixel;
    *section = (Section){ .ratio = bank_at(&chunk->banks, x, y, chunk->ratio[here], half),
                          .half = half,
                          .level = level / weight,
                          .width = 2 * half / channels->view->pixels,
                          .tide = channels->tide,
                          .fresh = fresh / weight };
    return true;
}

// Raises a pixel's ground beside rivers, and, like ground, the water of rivers beside wider ones: otherwise
// they would end in walls. Returns how many sections it has.
static int raise_beside(const Channels *channels, Chunk *chunk, int i, double *ground, Section *sections) {
    int count = 0;
    for (int octave = chunk->octaves - 1; octave >= 0; octave--) {
        Section *section = &sections[count];
        if (!get_section(channels, chunk, octave, i, section))
            continue;
        for (int wider = 0; wider < count; wider++)
            section->level = land_beside(section->level, &sections[wider]);
        section->above_sea = section->level - channels->sea;
        *ground = land_beside(*ground, section);
        count++;
    }
    return count;
}

// Of rivers of different widths that meet, the narrower ones come first.
static void dig(const Channels *channels, Chunk *chunk) {
    const View *view = channels->view;
    float *altitudes = field_row(view->altitude, chunk->y) + chunk->left;
    float *rivers = field_row(view->river, chunk->y) + chunk->left;
    Section sections[OCTAVES];
    for (int i = 0; i < chunk->count; i++) {
        double ground = channels->land + (double)altitudes[i];
        int count = raise_beside(channels, chunk, i, &ground, sections);
        double dug = ground;
        while (count-- > 0) {
            const Section *section = &sections[count];
            if (section->ratio >= SECTION_END)
                continue;
            dug = dig_bed(section, ground, dug);
            rivers[i] = (float)water_in(section, ground - channels->sea, (double)rivers[i]);
        }
        altitudes[i] = (float)dug;
    }
}

static void begin_octave(Chunk *chunk, int octave) {
    chunk->any[octave] = true;
    for (int at = octave * chunk->pixels; at < (octave + 1) * chunk->pixels; at++) {
        chunk->ratio[at] = CHANNEL_REACH;
        chunk->half[at] = chunk->level[at] = chunk->fresh[at] = chunk->weight[at] = 0;
    }
}

// The chunk's pixels that a channel may reach: in rows above and below it fewer than elsewhere.
static void reach_in_row(const Channel *channel, const Chunk *chunk, int *from, int *to) {
    const double reach = channel_reach(widest_half(channel)), y = (double)chunk->y;
    const double above = pixels_of(min(channel->from_y, channel->to_y)) - y,
                 below = y - pixels_of(max(channel->from_y, channel->to_y));
    const double away = max(above, below);
    const double across = away > 0 ? sqrt(max(reach * reach - away * away, 0)) : reach;
    range_of(channel->from_x, channel->to_x, across, chunk->left + chunk->count, from, to);
    *from = max(*from, chunk->left);
}

// Finds the nearest channels of each octave for the chunk's pixels; false: none near.
static bool find_nearest(const Bands *bands, int band, Chunk *chunk) {
    bool any = false;
    memset(chunk->any, 0, (size_t)chunk->octaves * sizeof *chunk->any);
    for (int m = bands->first[band]; m < bands->first[band + 1]; m++) {
        const Channel *channel = &bands->channels->at[bands->members[m]];
        const Reach *reach = &bands->reaches[bands->members[m]];
        if (chunk->y < reach->top || chunk->y >= reach->bottom || reach->left >= chunk->left + chunk->count ||
            reach->right <= chunk->left)
            continue;
        int from, to;
        reach_in_row(channel, chunk, &from, &to);
        if (from >= to)
            continue;
        const int octave = reach->octave - bands->lowest;
        if (!chunk->any[octave])
            begin_octave(chunk, octave);
        any = true;
        const int at = octave * chunk->pixels + from - chunk->left;
        near_channel(channel, chunk->y, from, to - from, chunk->ratio + at, chunk->half + at,
                     chunk->level + at, chunk->fresh + at, chunk->weight + at);
    }
    return any;
}

static void draw_bands(void *context, int first, int end) {
    const Bands *bands = context;
    const View *view = bands->channels->view;
    const int width = view->altitude->width, height = view->altitude->height;
    Chunk chunk;
    banks_begin(&chunk.banks, bands->channels);
    chunk.octaves = bands->octaves;
    chunk.pixels = min(CHUNK, ROOM / chunk.octaves);
    for (int band = first; band < end; band++)
        for (int y = band * BAND; y < height && y < (band + 1) * BAND; y++)
            for (int left = 0; left < width; left += chunk.pixels) {
                chunk.left = left;
                chunk.y = y;
                chunk.count = min(width - left, chunk.pixels);
                if (find_nearest(bands, band, &chunk) || bands->channels->land != 0)
                    dig(bands->channels, &chunk);
            }
}

static int octave_of(const View *view, double half) {
    int exponent;
    frexp(half / view->pixels, &exponent);
    return clamp(exponent, 1 - OCTAVES, 0);
}

static void find_reaches(void *context, int first, int end) {
    const Bands *bands = context;
    const Field *field = bands->channels->view->altitude;
    for (int i = first; i < end; i++) {
        const Channel *channel = &bands->channels->at[i];
        const double half = widest_half(channel), at_most = channel_reach(half);
        Reach *reach = &bands->reaches[i];
        reach->octave = octave_of(bands->channels->view, half);
        range_of(channel->from_x, channel->to_x, at_most, field->width, &reach->left, &reach->right);
        range_of(channel->from_y, channel->to_y, at_most, field->height, &reach->top, &reach->bottom);
    }
}

static void find_octaves(Bands *bands) {
    int lowest = 0, highest = -OCTAVES;
    for (int i = 0; i < bands->channels->count; i++) {
        const Reach *reach = &bands->reaches[i];
        if (reach->left < reach->right && reach->top < reach->bottom) {
            lowest = min(lowest, reach->octave);
            highest = max(highest, reach->octave);
        }
    }
    bands->lowest = lowest;
    bands->octaves = max(highest - lowest + 1, 1);
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
    find_octaves(bands);
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
    if (status == STATUS_OK && (channels->count > 0 || channels->land != 0)) {
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
