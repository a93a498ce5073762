#include "rivermap/channels.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// A channel is drawn from triangles whose sides are at most its width divided by this.
#define SIDES 4.0
// The largest factor by which a river may widen between a crossing and those in smaller triangles.
#define WIDENING 2.5

Channels channels_begin(const View *view) {
    const Field *field = view->altitude;
    const int level = log2_below(view->pixels);
    return (Channels){ .view = view,
                       .left = view->x + (1 - (Int128)field->width) * view->pixel / 2 + view_nudge(view),
                       .top = view->y + (1 - (Int128)field->height) * view->pixel / 2 + view_nudge(view),
                       .finest_level = level,
                       .finest_cell = ldexp(view->pixels, -level),
                       .per_basin = (double)view->map->constants.width * view->pixels };
}

// 2.5 times as wide at the sea as well above it.
double channel_width(const Channels *channels, double basin, double level) {
    const double lowland = 0.03, high = max(level, 0) / lowland;
    return channels->per_basin * basin * (high < 1 ? 2.5 - 1.5 * high : 1);
}

ChannelRange channel_range(const Channels *channels, double length, double parent_limit) {
    const double own = channel_width(channels, length, 0);
    return (ChannelRange){ own, own, INFINITY, parent_limit };
}

void channel_range_add(ChannelRange *range, double width, double parent_side) {
    if (width >= SIDES * parent_side)
        return;
    range->widest = max(width, range->widest);
    range->narrowest = width < range->narrowest && width >= CHANNEL_MIN ? width : range->narrowest;
}

void channel_range_end(ChannelRange *range) {
    range->limit = min(WIDENING * range->widest, range->limit);
}

bool channels_go_on(const ChannelRange *range, double side) {
    return range->widest >= CHANNEL_MIN && SIDES * side >= CHANNEL_MIN &&
           (range->narrowest < SIDES * side || range->own >= CHANNEL_MIN);
}

bool channels_reach(const Channels *channels, Int128 left, Int128 top, Int128 right, Int128 bottom,
                    const ChannelRange *range) {
    const View *view = channels->view;
    const double places = (channel_reach(range->limit / 2) + 2) * (double)view->pixel;
    const Int128 margin = whole_128(places);
    const Int128 last_x = channels->left + view->pixel * view->altitude->width;
    const Int128 last_y = channels->top + view->pixel * view->altitude->height;
    return right >= channels->left - margin && left <= last_x + margin && bottom >= channels->top - margin &&
           top <= last_y + margin;
}

static Int128 fine_place(Int128 place, Int128 origin, Int128 pixel) {
    const Int128 off = place - origin, whole = off >= 0 ? off / pixel : -((pixel - 1 - off) / pixel);
    const Int128 rest = (off - whole * pixel) / ((pixel + CHANNEL_FINE - 1) / CHANNEL_FINE); // below that
    return whole * CHANNEL_FINE + rest;
}

Int128 channel_x(const Channels *channels, Int128 place) {
    return fine_place(place, channels->left, channels->view->pixel);
}

Int128 channel_y(const Channels *channels, Int128 place) {
    return fine_place(place, channels->top, channels->view->pixel);
}

static void make_room(Channels *channels, int room) {
    Channel *more = memory_enlarge(channels->at, (size_t)channels->count, (size_t)room, sizeof *more, NULL);
    if (!more) {
        channels->failed = true;
        return;
    }
    channels->at = more;
    channels->room = room;
}

void channels_append(Channels *channels, Channel channel) {
    if (channels->count == channels->room)
        make_room(channels, channels->room ? 2 * channels->room : 256);
    if (channels->count < channels->room)
        channels->at[channels->count++] = channel;
}

void channels_grow(Channels *channels, int more) {
    if (channels->room - channels->count < more)
        make_room(channels, channels->count + more);
    if (channels->room - channels->count >= more)
        channels->count += more;
}

typedef struct TriangleCrossing TriangleCrossing;

static void add_between(Channels *channels, const TriangleChannels *triangle, const TriangleCrossing *from,
                        const TriangleCrossing *to) {
    const double widest = max(from->width, to->width), narrowest = min(from->width, to->width);
    if (widest < CHANNEL_MIN || widest < SIDES * triangle->side || narrowest >= SIDES * triangle->parent_side)
        return;
    const double limit = triangle->limit;
    channels_append(channels, (Channel){ channel_x(channels, from->x),
                                         channel_y(channels, from->y),
                                         channel_x(channels, to->x),
                                         channel_y(channels, to->y),
                                         min(from->width, limit) / 2,
                                         min(to->width, limit) / 2,
                                         from->level,
                                         to->level,
                                         1,
                                         1,
                                         { 0 },
                                         { 0 } });
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
    // The middle is a spring, a confluence, from which the widest river leaves, or a mouth, in the sea.
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

// --- the bed and the land beside it ------------------------------------------------------------------------

// In half widths from the middle: where the section ends, beyond the bank and what a pixel shows of the
// water.
#define SECTION_END 1.5

// At a pixel.
typedef struct Section {
    double ratio, half;             // the distance from the middle, half widths, and those in pixels
    double level, above_sea, width; // map units, those of altitudes
    double tide;                    // as that of channels
    double fresh;                   // as that of channels
} Section;

// In half widths from the middle: the ends of the bed and of the bank. That leaves the water at 1, and is
// narrow: tributaries fall over it where they come to it.
#define BED 0.7
#define BANK 1.2
// In widths: the depth of the bed, the steepest slope of land beside the water, and the height above the sea
// of the ground over which an estuary's share fades, unless tides reach less high.
#define DEPTH 0.15
#define FALL 0.3
#define SHORE 0.06

// The height of land beside the river, which rises to its water.
// The land around the water: at the bank no lower than the water, and raised less with distance, so that it
// keeps some of its shape. Where the river comes down to the sea, within its depth, nothing is raised, and of
// the sea's floor ever less.
static double land_beside(double land, const Section *section) {
    const double steep = 30, depth = DEPTH * section->width;
    const double out = max(section->ratio - 1, 0) / (CHANNEL_REACH - 1);
    const double fresh = section->above_sea - depth, drowned = steep * min(fresh, 0);
    const double raised = section->level + drowned - FALL * section->width * out;
    const double risen =
        clamp(section->above_sea / depth * ((steep + 1) / steep), 0, 1); // 1: raised above it
    const double share = land < section->level - section->above_sea ? risen : 1;
    return land < raised ? land + (raised - land) * (1 - out) * (1 - out) * share : land;
}

// Ground that a bed is dug into: `under` says how far, from 0 at the bank to 1. In the sea the floor shows
// the more, the deeper it is, so that the bed ends in it and nothing is seen of the coast between them. There
// and on ground below the water, which the coast would leave as a step, the bed is as deep below the water of
// the river as elsewhere; not so near the banks, which keep their place.
static double bed_of(const Section *section, double surface, double ground, double under) {
    const double depth = DEPTH * section->width, above = clamp(section->above_sea, 0, depth);
    const double lies = above < depth ? max(depth * under - above, 0) / (depth - above) : 0;
    const double sea = section->level - section->above_sea;
    if (surface >= sea)
        return ground - depth * under + (section->level - surface) * lies;
    const double down = depth * under - above * lies, floor = sea - ground;
    return sea - sqrt(down * down + floor * floor);
}

// The height of a river's bed and banks in `ground`, into which narrower rivers have been dug.
// Up from the bed, out of the water where the half width ends, and on to the land, into which narrower rivers
// have been dug. In the water nothing is left of those.
static double dig_bed(const Section *section, double ground, double dug) {
    const double ratio = section->ratio;
    const double surface = min(ground, section->level), lower = min(dug, section->level);
    if (ratio >= 1)
        return lower + (dug - lower) * smoothstep(min((ratio - 1) / (BANK - 1), 1));
    const double under = smoothstep(min((1 - ratio) / (1 - BED), 1));
    return bed_of(section, surface, lower + (surface - lower) * under, under);
}

// The river's share of the water. An estuary ends at the coast that it drowns: the share fades towards that,
// or the water would show it as a line: where the ground is lower than the water, for higher ground is rough.
// What is all the river's stays so, also over hollows that the sea would fill: else they would be specks.
static double fresh_in(const Section *section, double ground) {
    if (section->above_sea <= 0)
        return 0;
    const double shore = min(SHORE * section->width, section->tide);
    const double from_coast = smoothstep(clamp(min(ground, section->above_sea) / shore, 0, 1));
    return section->fresh * max(from_coast, 1 - 10 * (1 - section->fresh));
}

// What a pixel has of rivers: the share that they cover, or the width. `ground`: above the sea; `narrower`:
// of those that it had before.
// In an estuary the share is that of the river's water, and nothing is left of narrower ones.
static double water_in(const Section *section, double ground, double narrower) {
    const double share = clamp(0.5 + (1 - section->ratio) * section->half, 0, 1);
    const double fresh = fresh_in(section, ground);
    if (share > 0 && (float)fresh < 1)
        return (1 - share) * min(narrower, 1) + share * fresh;
    return max(share >= 1 ? max(2 * section->half, 1) : share, narrower);
}

// --- banks -------------------------------------------------------------------------------------------------

// The cell of a lattice of noise that was looked at last, and the random slopes at its corners: the next
// pixel mostly lies in the same.
typedef struct BankCell {
    uint32_t column, row;
    bool known;
    double slopes[4][2];
} BankCell;

// The noise that bends banks: its largest cells and those below which octaves become gentler, in half widths;
// how far it moves a bank there; whether octaves of smaller cells hardly show.
typedef struct BankNoise {
    double widest, full, strength;
    bool smooth;
} BankNoise;

// On raw land banks are as rough as the coast, from twice the river's width on. Those of eroded land are as
// rivers build them: wider and narrower from bend to bend, and smooth: rough ones were rows of round lobes.
static const BankNoise rough_banks = { 4, 1, 0.22, false }, smooth_banks = { 12, 3, 0.2, true };

// Of one thread.
typedef struct Banks {
    const BankNoise *noise;
    int finest_level; // as those of channels
    double finest_cell;
    BankCell levels[PLACE_BITS + 1];
} Banks;

static void banks_begin(Banks *banks, const Channels *channels) {
    banks->noise = channels->smooth_banks ? &smooth_banks : &rough_banks;
    banks->finest_level = channels->finest_level;
    banks->finest_cell = channels->finest_cell;
    for (int level = 0; level <= channels->finest_level; level++)
        banks->levels[level].known = false;
}

// The position in its cell of 2^shift, 0 … 1.
static double within_cell(Int128 place, int shift) {
    const uint64_t bits = shift > 64 ? (uint64_t)(place >> (shift - 64)) : (uint64_t)place << (64 - shift);
    return (double)(bits >> 11) * 0x1p-53;
}

static void look_at(BankCell *cell, int level, uint32_t column, uint32_t row) {
    *cell = (BankCell){ .column = column, .row = row, .known = true };
    for (uint32_t axis = 0; axis < 2; axis++) {
        const RandomKey key = random_key((uint64_t)level, axis);
        for (uint32_t i = 0; i < 4; i++)
            cell->slopes[i][axis] = (double)random_signed(key, column + i % 2, row + i / 2);
    }
}

// Gradient noise (Perlin 1985), whose cells are 0.8 · 2^-`level` of the map's side. Its lattice is turned, at
// odd levels to the other side: along rows and columns, banks would have steps. 4² + 3² = 5², and 0.8 = 4/5.
static double noise_at(Banks *banks, Int128 x, Int128 y, int level) {
    const int shift = PLACE_BITS + 2 - level, turn = level % 2 ? -3 : 3;
    const Int128 above_0 = (Int128)4 << PLACE_BITS, u = 4 * x - turn * y + above_0,
                 v = 4 * y + turn * x + above_0;
    const uint32_t column = (uint32_t)(u >> shift), row = (uint32_t)(v >> shift);
    BankCell *cell = &banks->levels[level];
    if (!cell->known || cell->column != column || cell->row != row)
        look_at(cell, level, column, row);
    const double x_in = within_cell(u, shift), y_in = within_cell(v, shift);
    double corners[4];
    for (int i = 0; i < 4; i++) {
        const int right = i & 1, below = i >> 1;
        corners[i] = cell->slopes[i][0] * (x_in - right) + cell->slopes[i][1] * (y_in - below);
    }
    return 1.7 * bilinear(corners[0], corners[1], corners[2], corners[3], smoothstep(x_in), smoothstep(y_in));
}

// `size`: of its cells, 1: below that octaves become gentler.
static double octave_strength(const BankNoise *noise, double size) {
    const double root = sqrt(size), gentle = noise->smooth ? size * root : size * sqrt(root);
    return noise->strength * min(gentle, 1);
}

// Where a place `ratio` half widths from the middle of a river is in its cross section, whose bank is at 1.
// `half`: its half width, pixels.
// Noise at every scale from twice the river's width down to a pixel, so that at any zoom a bank has as much
// detail as the coast and keeps its position from zoom to zoom. Below half a width each octave is gentler
// than the one before: with octaves of equal slopes banks had teeth. It bends the bank as the wider ones left
// it, a few of its cells on either side: farther out it would only make the land rough.
static double bank_at(Banks *banks, Int128 x, Int128 y, double ratio, double half) {
    const BankNoise *noise = banks->noise;
    const double finest = banks->finest_cell;
    int level = banks->finest_level;
    double cell = finest;
    for (; level > 1 && 2 * cell < noise->widest * half; level--)
        cell *= 2;
    for (; level > 0 && level <= banks->finest_level; level++, cell *= 0.5) {
        const double size = cell / half, weight = clamp(2 - 2 * size / noise->widest, 0, 1);
        const double share = cell > finest ? 1 : finest - 1; // fades in with the zoom
        const double near = clamp(1.5 - 0.5 * fabs(ratio - 1) / min(size, 0.6), 0, 1);
        if (weight * share * near > 0)
            ratio += octave_strength(noise, size / noise->full) * weight * share * smoothstep(near) *
                     noise_at(banks, x, y, level);
    }
    return ratio;
}

// --- carving -----------------------------------------------------------------------------------------------

// Draws the channels of wide rivers into a window. All computations are in double precision with exact
// positions, because at deep zooms a bank's position is a small difference of large numbers.
//
// Where rivers meet, means of their widths and levels shape the ground, except in the water of a much wider
// one: that is shaped as if no tributary ran on into it.

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

// --- sections of a row of pixels ---------------------------------------------------------------------------

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
        // Weights are set where there are any.
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
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
    float *levels = view->level ? field_row(view->level, chunk->y) + chunk->left : NULL;
    Section sections[OCTAVES];
    for (int i = 0; i < chunk->count; i++) {
        double ground = channels->land + (double)altitudes[i];
        int count = raise_beside(channels, chunk, i, &ground, sections);
        double dug = ground, level = -INFINITY; // the latter: of the water, that of the widest
        while (count-- > 0) {
            const Section *section = &sections[count];
            if (section->ratio >= SECTION_END)
                continue;
            dug = dig_bed(section, ground, dug);
            rivers[i] = (float)water_in(section, ground - channels->sea, (double)rivers[i]);
            level = section->ratio < 1 ? max(section->level, channels->sea) : level;
        }
        altitudes[i] = (float)dug;
        if (levels)
            levels[i] = (float)max(level, dug);
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
