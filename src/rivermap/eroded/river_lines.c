// A river is taken from the level where it is a few cells wide, whatever the zoom, so that its banks stay
// where they are; narrower ones from the level that the pixels come from. Lines are drawn pixel by pixel: how
// far the pixel lies from those around. Blocks of pixels, on planets of cells, list the lines that may show
// in them.

#include "rivermap/eroded/ground.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivermap/channels.h"
#include "rivermap/eroded/river_courses.h"
#include "rivermap/globe.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { PIXELS = 64, CELLS = 8 }; // along the side of a block

// In pixels: a narrower river lies in its valley as it is, a wider one shapes the ground to fit it.
#define SHAPING_MIN 3.0

// In widths: where the water stands as high above the sea, or as high as tides reach, it is all the river's.
#define ESTUARY 0.05

// Places are in pixels: on a flat map from the centre of the window's first, on a planet from its middle.
typedef struct Line {
    Vec3 ground;            // where it begins on a planet of radius 1
    Vec3 seen, along;       // as the picture shows it, the latter to its end
    double squared;         // its length there
    double far;             // square of the distance from where it begins beyond which nothing of it shows
    double half, to_half;   // widths at its ends there
    bool dry;               // a wadi
    double fresh, to_fresh; // shares of the river's water there, 1 … 0: in an estuary the rest is the sea's
} Line;

// The blocks of a picture or of a face's window: block i has lines begin[i] … end[i] - 1 of `numbers`.
typedef struct Blocks {
    int width, height, side, columns, rows, *begin;
    _Atomic int *end;
} Blocks;

struct RiverLines {
    const Atlas *atlas;
    Int128 zero; // from which levels count, units of the atlas
    double sea;  // its level above that, in map units
    Vec3 viewer;
    Channels channels; // what shapes the land
    Line *at;
    int count, room;
    Blocks on[CUBE_FACES];
    int *numbers;
};

// --- which rivers ------------------------------------------------------------------------------------------

enum { LINES, CHANNELS }; // sorts of streams

// Those of an atlas's rivers that are wanted.
typedef struct Wanted {
    RiverLines *rivers;
    const Atlas *atlas;
    float most, least; // cells of width
    float min_area;
    bool beyond; // rivers go on beyond their mouths
    int left, top, right,
        bottom; // of flat maps: cells of the window that are in the view, the last ones included
    // While a list is filled:
    StreamCells cells;
    int before; // in the list
} Wanted;

static bool may_show(const Wanted *wanted, AtlasCell cell, float width) {
    const int off_x = max(wanted->left - cell.x, cell.x - wanted->right),
              off_y = max(wanted->top - cell.y, cell.y - wanted->bottom), off = max(off_x, off_y);
    AtlasCell next;
    const int beyond =
        wanted->beyond && next_cell(wanted->atlas, cell, &next) && !is_drained(wanted->atlas, next)
            ? STREAM_BEYOND
            : 0;
    return off <= 0 || off <= river_shown_reach(wanted->atlas->view->map, (double)width) + beyond;
}

static int sort_stream(const void *context, AtlasCell cell) {
    const Wanted *wanted = context;
    const Atlas *atlas = wanted->atlas;
    const float size = size_of(atlas, cell), width = (float)atlas->widening * sqrtf(size);
    if (width >= wanted->most || size < wanted->least || !(atlas->planet || may_show(wanted, cell, width)))
        return -1;
    const View *view = atlas->view;
    const bool wide = view->map->constants.width > 0 && 2 * river_half(atlas, size) >= SHAPING_MIN;
    return wide && !view->whole_pixels && !atlas->planet && !is_wadi(atlas, cell) ? CHANNELS : LINES;
}

// How high water lies above the view's zero, in map units.
static double level_of(const RiverLines *rivers, const Atlas *atlas, const StreamPlace *place) {
    const Atlas *finest = rivers->atlas;
    const Int128 parts = 256, height = place->height << (finest->height_depth - atlas->height_depth);
    return (double)(height - parts * rivers->zero) * (finest->unit / (double)parts);
}

// How much of an estuary's water is the river's: less where the sea is near, or little below the water. Only
// rivers that pictures show as areas have estuaries.
static double fresh_of(const RiverLines *rivers, const StreamPlace *place, double level, double half) {
    const double above_sea = level - rivers->sea, width = 2 * half / rivers->atlas->pixels;
    if (2 * half < ESTUARY_MIN)
        return 1;
    const double whole = min(ESTUARY * width, rivers->channels.tide);
    return estuary_share(clamp(above_sea / whole, 0, 1)) * estuary_share(place->from_sea);
}

// --- rivers that shape the land ----------------------------------------------------------------------------

// A river's direction at an end of a channel, if it does not turn too much there.
static void set_along(const Channel *channel, const double along[2], double *set) {
    const double dx = (double)(channel->to_x - channel->from_x),
                 dy = (double)(channel->to_y - channel->from_y);
    const double length = sqrt(along[0] * along[0] + along[1] * along[1]),
                 with = along[0] * dx + along[1] * dy;
    if (with > 0.8 * length * sqrt(dx * dx + dy * dy)) {
        set[0] = along[0] / length;
        set[1] = along[1] / length;
    }
}

// How much wider a river is in its mouth, which tides keep open like a funnel, and the way over which it
// becomes so, in widths. With RIVER_WIDENING a river reaches no farther than without.
#define FLARE 0.5
#define FLARE_WAY 1.5

static double flared(const Atlas *atlas, const StreamPlace *place, double half) {
    const double way = FLARE_WAY * 2 * half / atlas->cell, mouth = max(1 - place->to_sea / way, 0);
    return half * (1 + FLARE * mouth * mouth);
}

static Channel channel_of(const Wanted *wanted, const Stream *stream) {
    const RiverLines *rivers = wanted->rivers;
    const Channels *to = &rivers->channels;
    const double half = river_half(wanted->atlas, stream->size),
                 to_half = river_half(wanted->atlas, stream->to_size);
    Channel channel = { .from_x = channel_x(to, stream->at.at.x),
                        .from_y = channel_y(to, stream->at.at.y),
                        .to_x = channel_x(to, stream->to_at.at.x),
                        .to_y = channel_y(to, stream->to_at.at.y),
                        .from_half = flared(wanted->atlas, &stream->at, half),
                        .to_half =
                            min(flared(wanted->atlas, &stream->to_at, to_half), RIVER_WIDENING * half) };
    channel.from_level = level_of(rivers, wanted->atlas, &stream->at);
    channel.to_level = min(level_of(rivers, wanted->atlas, &stream->to_at), channel.from_level);
    channel.from_fresh = fresh_of(rivers, &stream->at, channel.from_level, half);
    channel.to_fresh = fresh_of(rivers, &stream->to_at, channel.to_level, to_half);
    set_along(&channel, stream->at.along, channel.from_along);
    set_along(&channel, stream->to_at.along, channel.to_along);
    return channel;
}

static void fill_channels(void *context, int first, int end) {
    const Wanted *wanted = context;
    for (int i = first; i < end; i++) {
        Stream stream;
        stream_at(wanted->atlas, wanted->cells.at[i], wanted->min_area, true, &stream);
        wanted->rivers->channels.at[wanted->before + i] = channel_of(wanted, &stream);
    }
}

// Where an inlet is narrower than the river, the mouth would be a bulb with horns. So the river's bed goes on
// in the sea, ever narrower, and meets the inlet's shores at a small angle. In open water nothing shows of
// it. The share of the width that is left at its end, and how far it goes, in widths.
#define BEYOND_END 0.4
#define BEYOND_WAY 2.0

static void add_beyond(const Wanted *wanted, AtlasCell last) {
    RiverLines *rivers = wanted->rivers;
    const Channels *to = &rivers->channels;
    AtlasPlace places[STREAM_BEYOND + 1];
    const double half = river_half(wanted->atlas, size_of(wanted->atlas, last)) * (1 + FLARE);
    const bool estuary = 2 * half >= (1 + FLARE) * ESTUARY_MIN; // else the share would fall in a narrow river
    const int count = estuary ? stream_beyond(wanted->atlas, last, places) : 0;
    const double way = min(BEYOND_WAY * 2 * half / ((1 + FLARE) * wanted->atlas->cell), count);
    for (int i = 0; i < count && i < way; i++) {
        const double from = min(i / way, 1), end = min((i + 1) / way, 1);
        channels_append(&rivers->channels,
                        (Channel){ .from_x = channel_x(to, places[i].x),
                                   .from_y = channel_y(to, places[i].y),
                                   .to_x = channel_x(to, places[i + 1].x),
                                   .to_y = channel_y(to, places[i + 1].y),
                                   .from_half = half * (1 - (1 - BEYOND_END) * smoothstep(from)),
                                   .to_half = half * (1 - (1 - BEYOND_END) * smoothstep(end)),
                                   .from_level = rivers->sea,
                                   .to_level = rivers->sea });
    }
}

// --- lines -------------------------------------------------------------------------------------------------

static Vec3 scaled(Vec3 a, double factor) {
    return (Vec3){ factor * a.x, factor * a.y, factor * a.z };
}

// A place of a planet as the picture shows it: depth, of which it shows nothing, counts a little, since
// pixels at the edge would otherwise see any distance.
static Vec3 seen_from(const RiverLines *rivers, Vec3 at) {
    const Vec3 viewer = rivers->viewer;
    const double less = (1 - 1.0 / PLANET_ASLANT) * vec3_dot(at, viewer);
    return scaled(vec3_minus(at, scaled(viewer, less)), rivers->atlas->pixels);
}

// How much narrower the picture shows a line: by how much it shrinks the ground, over how much it does along
// the line.
static double narrowing(Vec3 viewer, Vec3 from, double length, double seen_length) {
    if (vec3_dot(viewer, viewer) == 0 || seen_length == 0)
        return 1;
    const double depth = vec3_dot(from, viewer), least = 1.0 / PLANET_ASLANT;
    return sqrt(depth * depth + least * least * (1 - depth * depth)) * length / seen_length;
}

static void place_on_picture(const Wanted *wanted, const Stream *stream, Line *line) {
    const Channels *to = &wanted->rivers->channels;
    const double fine = 1.0 / CHANNEL_FINE;
    line->seen = (Vec3){ (double)channel_x(to, stream->at.at.x) * fine,
                         (double)channel_y(to, stream->at.at.y) * fine, 0 };
    const Vec3 end = { (double)channel_x(to, stream->to_at.at.x) * fine,
                       (double)channel_y(to, stream->to_at.at.y) * fine, 0 };
    line->along = vec3_minus(end, line->seen);
    line->squared = vec3_dot(line->along, line->along);
}

static void place_on_globe(const Wanted *wanted, const Stream *stream, Line *line) {
    const RiverLines *rivers = wanted->rivers;
    const Atlas *atlas = wanted->atlas;
    const Vec3 end = atlas_on_planet(atlas, stream->to_at.at);
    line->ground = atlas_on_planet(atlas, stream->at.at);
    line->seen = seen_from(rivers, line->ground);
    line->along = vec3_minus(seen_from(rivers, end), line->seen);
    line->squared = vec3_dot(line->along, line->along);
    if (2 * line->half >= ESTUARY_MIN) {
        line->fresh = fresh_of(rivers, &stream->at, level_of(rivers, atlas, &stream->at), line->half);
        line->to_fresh =
            fresh_of(rivers, &stream->to_at, level_of(rivers, atlas, &stream->to_at), line->half);
    }
    const double narrower =
        narrowing(rivers->viewer, line->ground, atlas->pixels * sqrt(squared_distance(line->ground, end)),
                  sqrt(line->squared));
    line->half *= narrower;
    line->to_half *= narrower;
}

static void fill_lines(void *context, int first, int end) {
    const Wanted *wanted = context;
    const Atlas *atlas = wanted->atlas;
    for (int i = first; i < end; i++) {
        const AtlasCell cell = wanted->cells.at[i];
        const double half = river_half(atlas, size_of(atlas, cell));
        const bool estuary = atlas->planet && 2 * half >= ESTUARY_MIN;
        Line *line = &wanted->rivers->at[wanted->before + i];
        Stream stream;
        stream_at(atlas, cell, wanted->min_area, estuary, &stream);
        *line = (Line){ .half = half,
                        .to_half = min(river_half(atlas, stream.to_size), RIVER_WIDENING * half),
                        .dry = is_wadi(atlas, cell),
                        .fresh = 1,
                        .to_fresh = 1 };
        if (atlas->planet)
            place_on_globe(wanted, &stream, line);
        else
            place_on_picture(wanted, &stream, line);
        const double far = sqrt(line->squared) + RIVER_WIDENING * (max(line->half, line->to_half) + 1);
        line->far = far * far;
    }
}

static Status reserve(RiverLines *rivers, int more, Error *error) {
    const int needed = rivers->count + more;
    if (needed < rivers->room)
        return STATUS_OK;
    rivers->room = needed + needed / 4 + 1; // coarser levels add few
    Line *grown = memory_new((size_t)rivers->room, sizeof *grown, error);
    if (!grown)
        return STATUS_MEMORY;
    if (rivers->count > 0)
        memcpy(grown, rivers->at, (size_t)rivers->count * sizeof *grown);
    memory_free(rivers->at);
    rivers->at = grown;
    return STATUS_OK;
}

// The cells of a flat map's window that are in the view.
static void set_view(Wanted *wanted) {
    const Atlas *atlas = wanted->atlas;
    const View *view = atlas->view;
    const LandWindow *land = &atlas->land.on[0];
    const Int128 left = view_left(view), top = view_top(view);
    const int shift = PLACE_BITS - atlas->depth;
    wanted->left = (int)((left >> shift) - land->x);
    wanted->top = (int)((top >> shift) - land->y);
    wanted->right = (int)(((left + view->pixel * view->width) >> shift) - land->x);
    wanted->bottom = (int)(((top + view->pixel * view->height) >> shift) - land->y);
}

static Status add_sort(Wanted *wanted, int sort, Error *error) {
    RiverLines *rivers = wanted->rivers;
    const Run *run = wanted->atlas->view->run;
    const int count = wanted->cells.count;
    if (sort == CHANNELS) {
        wanted->before = rivers->channels.count;
        channels_grow(&rivers->channels, count);
        for (int i = 0; i < count && wanted->beyond && !rivers->channels.failed; i++)
            add_beyond(wanted, wanted->cells.at[i]);
        return rivers->channels.failed
                   ? fail(error, STATUS_MEMORY, "not enough memory for the lines of rivers")
                   : parallel_rows(run, count, 200, fill_channels, wanted);
    }
    wanted->before = rivers->count;
    Status status = reserve(rivers, count, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, count, 200, fill_lines, wanted);
    rivers->count += count;
    return status;
}

// Those of an atlas's rivers that are `least` to `most` cells wide.
static Status add_rivers(RiverLines *rivers, const Atlas *atlas, float least, float most, Error *error) {
    Wanted wanted = { .rivers = rivers, .atlas = atlas, .most = most, .least = size_of_width(atlas, least) };
    wanted.beyond = least > 0 && !atlas->planet;
    wanted.min_area = river_min_area(atlas->view->map, atlas->depth, atlas->cell);
    if (!atlas->view->map->watered)
        wanted.min_area = max(wanted.min_area, wanted.least);
    if (!atlas->planet)
        set_view(&wanted);
    StreamCells found[STREAM_SORTS];
    Status status = stream_cells_find(atlas, wanted.min_area, sort_stream, &wanted, found, error);
    for (int sort = 0; sort < STREAM_SORTS && status == STATUS_OK; sort++) {
        wanted.cells = found[sort];
        status = add_sort(&wanted, sort, error);
    }
    stream_cells_free(found);
    return status;
}

// Rivers that are wide at a coarser level.
static Status add_wide(RiverLines *rivers, int depth, Error *error) {
    const RiverMap *map = rivers->atlas->view->map;
    const bool whole = depth == eroded_of(map)->depth;
    if (widest_river(map, depth) < (double)RIVER_WIDE)
        return STATUS_OK; // not even one that drains the map
    const int aslant = rivers->atlas->planet ? PLANET_ASLANT : 0;
    Atlas atlas;
    Status status = atlas_open_coarser(&atlas, rivers->atlas, depth,
                                       river_reach(map, depth) + STREAM_BEYOND + aslant, error);
    if (status == STATUS_OK)
        status = add_rivers(rivers, &atlas, RIVER_WIDE, whole ? (float)INFINITY : RIVER_WIDEST, error);
    atlas_close(&atlas);
    return status;
}

// --- blocks ------------------------------------------------------------------------------------------------

// Adds a line to the blocks of a rectangle; or only counts it, while there are no numbers. Threads may add to
// the same block, in any order: of its lines the one that covers most counts.
static void put_in_rect(const RiverLines *rivers, int number, const Blocks *blocks, LandRect rect) {
    if (rect.right <= 0 || rect.bottom <= 0 || rect.left >= blocks->width || rect.top >= blocks->height ||
        rect.right <= rect.left)
        return;
    const int side = blocks->side;
    const int first = (int)max(rect.left, 0) / side, above = (int)max(rect.top, 0) / side;
    const int last = (int)min(rect.right - 1, blocks->width - 1) / side,
              below = (int)min(rect.bottom - 1, blocks->height - 1) / side;
    for (int row = above; row <= below; row++)
        for (int column = first; column <= last; column++) {
            const int place = atomic_fetch_add_explicit(&blocks->end[row * blocks->columns + column], 1,
                                                        memory_order_relaxed);
            if (rivers->numbers)
                rivers->numbers[place] = number;
        }
}

// The pixels of a flat map's picture that a line may cover.
typedef struct Box {
    int left, top, right, bottom; // right and bottom excluded
} Box;

static Box box_of(const Line *line) {
    const double reach = river_cover_reach(max(line->half, line->to_half));
    const double x = line->seen.x, y = line->seen.y, to_x = x + line->along.x, to_y = y + line->along.y;
    return (Box){ whole_int(ceil(min(x, to_x) - reach)), whole_int(ceil(min(y, to_y) - reach)),
                  whole_int(floor(max(x, to_x) + reach) + 1), whole_int(floor(max(y, to_y) + reach) + 1) };
}

static void put_in_picture(const RiverLines *rivers, int number) {
    const Box box = box_of(&rivers->at[number]);
    put_in_rect(rivers, number, &rivers->on[0], (LandRect){ box.left, box.top, box.right, box.bottom });
}

// How much of the ground a pixel shows near a line, in pixels. The nearest of those that see it are not much
// nearer to the edge than its beginning; 0: they are beyond it.
static double aslant_at(const RiverLines *rivers, const Line *line, double half) {
    const Vec3 viewer = rivers->viewer;
    if (vec3_dot(viewer, viewer) == 0)
        return 1;
    const double depth = vec3_dot(line->ground, viewer), least = 1.0 / PLANET_ASLANT;
    const double far = PLANET_ASLANT * (sqrt(line->squared) + half + 1) / rivers->atlas->pixels;
    const double near = max(depth - far, 0);
    return depth < -far ? 0 : 1 / sqrt(least * least + (1 - least * least) * near * near);
}

// Cells within reach of a line; in the middle of a face they are largest.
static void put_on_faces(const RiverLines *rivers, int number) {
    const Atlas *atlas = rivers->atlas;
    const Line *line = &rivers->at[number];
    const double side = (double)atlas->side, half = max(line->half, line->to_half);
    const double aslant = aslant_at(rivers, line, half);
    if (aslant == 0)
        return;
    const double reach = ceil(1.5 * aslant * (sqrt(line->squared) + half + 1) / atlas->cell) + 1;
    const GridPlace place = grid_place(eroded_of(atlas->view->map)->axes, side, line->ground);
    LandFaces around = { 0 };
    const Int128 x = whole_64(place.x), y = whole_64(place.y), far = whole_64(min(reach, side / 2));
    land_faces_add(&around, place.face, (LandRect){ x - far, y - far, x + far + 1, y + far + 1 },
                   atlas->side);
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &atlas->land.on[face];
        const LandRect *rect = &around.wanted[face];
        put_in_rect(rivers, number, &rivers->on[face],
                    (LandRect){ rect->left - land->x, rect->top - land->y, rect->right - land->x,
                                rect->bottom - land->y });
    }
}

static void put_lines(void *context, int first, int end) {
    const RiverLines *rivers = context;
    for (int i = first; i < end; i++)
        if (rivers->atlas->planet)
            put_on_faces(rivers, i);
        else
            put_in_picture(rivers, i);
}

static Status make_blocks(Blocks *blocks, int width, int height, int side, Error *error) {
    const int columns = (width + side - 1) / side, rows = (height + side - 1) / side;
    *blocks = (Blocks){ .width = width, .height = height, .side = side, .columns = columns, .rows = rows };
    const size_t count = memory_count(blocks->columns, blocks->rows);
    blocks->begin = memory_new(count, sizeof *blocks->begin, error);
    blocks->end = memory_new_zeroed(count, sizeof *blocks->end, error);
    return blocks->begin && blocks->end ? STATUS_OK : STATUS_MEMORY;
}

// Counts become places where a block's numbers begin; returns how many there are.
static int sum_up(RiverLines *rivers) {
    int sum = 0;
    for (int face = 0; face < CUBE_FACES; face++) {
        const Blocks *blocks = &rivers->on[face];
        for (int i = 0; i < blocks->columns * blocks->rows; i++) {
            const int count = blocks->end[i];
            blocks->begin[i] = sum;
            blocks->end[i] = sum;
            sum += count;
        }
    }
    return sum;
}

static Status sort_lines(RiverLines *rivers, Error *error) {
    const Atlas *atlas = rivers->atlas;
    const View *view = atlas->view;
    Status status =
        atlas->planet ? STATUS_OK : make_blocks(&rivers->on[0], view->width, view->height, PIXELS, error);
    for (int face = 0; face < CUBE_FACES && atlas->planet && status == STATUS_OK; face++) {
        const LandWindow *land = &atlas->land.on[face];
        if (land->altitude)
            status = make_blocks(&rivers->on[face], land->width, land->height, CELLS, error);
    }
    if (status == STATUS_OK)
        status = parallel_rows(view->run, rivers->count, 200, put_lines, rivers);
    if (status != STATUS_OK)
        return status;
    rivers->numbers = memory_new((size_t)sum_up(rivers) + 1, sizeof *rivers->numbers, error);
    return rivers->numbers ? parallel_rows(view->run, rivers->count, 200, put_lines, rivers) : STATUS_MEMORY;
}

// -----------------------------------------------------------------------------------------------------------

RiverLines *river_lines_new(const Atlas *atlas, Status *status, Error *error) {
    const View *view = atlas->view;
    const int first = eroded_of(view->map)->depth;
    RiverLines *rivers = memory_new_zeroed(1, sizeof *rivers, error);
    *status = STATUS_MEMORY;
    if (!rivers)
        return NULL;
    rivers->atlas = atlas;
    rivers->zero = view_zero(view, atlas->height_depth);
    rivers->sea = (double)-rivers->zero * atlas->unit;
    rivers->viewer = globe_viewer(view);
    rivers->channels = channels_begin(view);
    rivers->channels.smooth_banks = true;
    channels_set_zero(&rivers->channels, atlas->height_depth, atlas->unit);
    *status = add_rivers(rivers, atlas, 0, atlas->depth > first ? RIVER_WIDEST : (float)INFINITY, error);
    for (int depth = first; depth < atlas->depth && *status == STATUS_OK; depth++)
        *status = add_wide(rivers, depth, error);
    if (*status == STATUS_OK)
        *status = sort_lines(rivers, error);
    if (*status == STATUS_OK)
        return rivers;
    river_lines_free(rivers);
    return NULL;
}

void river_lines_free(RiverLines *rivers) {
    if (!rivers)
        return;
    for (int face = 0; face < CUBE_FACES; face++) {
        memory_free(rivers->on[face].begin);
        memory_free((void *)rivers->on[face].end);
    }
    memory_free(rivers->channels.at);
    memory_free(rivers->at);
    memory_free(rivers->numbers);
    memory_free(rivers);
}

// --- drawing -----------------------------------------------------------------------------------------------

// How a place lies to a line, from whose beginning it is `off`: how much of its pixel that covers, how far
// away it is, in half widths, and its share of fresh water there.
typedef struct Lie {
    float cover;
    double away, fresh;
} Lie;

static inline Lie lie_of(const Line *line, Vec3 off) {
    const double part = line->squared > 0 ? vec3_dot(off, line->along) / line->squared : 0,
                 share = clamp(part, 0, 1);
    const double half = line->half + (line->to_half - line->half) * share;
    const Vec3 from_nearest = vec3_minus(off, scaled(line->along, share));
    const double away = sqrt(vec3_dot(from_nearest, from_nearest));
    return (Lie){ river_cover(half, away), away / half,
                  line->fresh + (line->to_fresh - line->fresh) * share };
}

// The same of those that show there; false: not at all.
static inline bool lies_near(const Line *line, Vec3 at, Lie *lie) {
    const Vec3 off = vec3_minus(at, line->seen);
    if (vec3_dot(off, off) > line->far)
        return false;
    *lie = lie_of(line, off);
    return true;
}

// In an estuary, a mean over the lines around, of which narrow ones hardly count: nothing is left of
// tributaries. The lines of a block have no order, so the sums are whole numbers. Never quite 0: the land
// below has no bed that the sea could fill.
static float fresh_at(const RiverLines *rivers, int first, int end, Vec3 at, float most) {
    const double unit = 0x1p40, least = 1.0 / 256;
    int64_t sum = 0, weights = 0;
    for (int i = first; i < end; i++) {
        const Line *line = &rivers->at[rivers->numbers[i]];
        Lie lie;
        if (line->dry || !lies_near(line, at, &lie))
            continue;
        const double share = min(2 * line->half / (double)most, 1), square = share * share;
        const double near = max(1 - lie.away * line->half / (line->half + 1), 0);
        const double weight = square * square * (near * near);
        weights += whole_64(weight * unit);
        sum += whole_64(weight * unit * lie.fresh);
    }
    return weights > 0 ? (float)max((double)sum / (double)weights, least) : 1;
}

// How much of a pixel the lines of a block cover, and the dry ones.
static float cover_at(const RiverLines *rivers, int first, int end, Vec3 at, float *dry) {
    float most = 0;
    double least = 1;
    for (int i = first; i < end; i++) {
        Lie lie;
        const Line *line = &rivers->at[rivers->numbers[i]];
        if (!lies_near(line, at, &lie))
            continue;
        if (line->dry) {
            *dry = max(*dry, min(lie.cover, 1));
            continue;
        }
        most = max(most, lie.cover);
        least = lie.cover > 0 ? min(least, lie.fresh) : least;
    }
    return least < 1 ? min(most, 1) * fresh_at(rivers, first, end, at, most) : most;
}

float river_lines_cover(const RiverLines *rivers, const GridPlace *place, Vec3 at, float *dry) {
    const LandWindow *land = &rivers->atlas->land.on[place->face];
    const Blocks *blocks = &rivers->on[place->face];
    const double column = place->x - (double)land->x, row = place->y - (double)land->y;
    if (!(column >= 0 && row >= 0 && column < land->width && row < land->height))
        return 0;
    const int block = whole_int(row) / CELLS * blocks->columns + whole_int(column) / CELLS;
    const int first = blocks->begin[block],
              end = atomic_load_explicit(&blocks->end[block], memory_order_relaxed);
    float unwanted = 0;
    return first < end ? cover_at(rivers, first, end, seen_from(rivers, at), dry ? dry : &unwanted) : 0;
}

// The whole pixel in which a line begins.
static void mark_pixel(const Line *line, const Box *box, Field *river) {
    const int x = whole_int(floor(line->seen.x + 0.5)), y = whole_int(floor(line->seen.y + 0.5));
    if (x >= box->left && x < box->right && y >= box->top && y < box->bottom)
        field_row(river, y)[x] = 1;
}

// What a line covers in a box of pixels; `most`: no more than this.
static void draw_line(const Line *line, const Box *box, Field *river, float most) {
    for (int y = box->top; y < box->bottom; y++)
        for (int x = box->left; x < box->right; x++) {
            float *pixel = &field_row(river, y)[x];
            const float cover = lie_of(line, vec3_minus((Vec3){ x, y, 0 }, line->seen)).cover;
            *pixel = max(*pixel, min(cover, most));
        }
}

static void draw_block(const RiverLines *rivers, int column, int row) {
    const View *view = rivers->atlas->view;
    const Blocks *blocks = &rivers->on[0];
    const int block = row * blocks->columns + column, left = column * PIXELS, top = row * PIXELS;
    const int end = atomic_load_explicit(&blocks->end[block], memory_order_relaxed);
    for (int i = blocks->begin[block]; i < end; i++) {
        const Line *line = &rivers->at[rivers->numbers[i]];
        const Box reach = box_of(line);
        const Box box = { max(reach.left, left), max(reach.top, top),
                          min(reach.right, min(left + PIXELS, view->width)),
                          min(reach.bottom, min(top + PIXELS, view->height)) };
        if (line->dry && view->wadi)
            draw_line(line, &box, view->wadi, 1);
        else if (line->dry)
            continue;
        else if (view->whole_pixels)
            mark_pixel(line, &box, view->river);
        else
            draw_line(line, &box, view->river, INFINITY);
    }
}

static void draw_blocks(void *context, int first, int end) {
    const RiverLines *rivers = context;
    for (int row = first; row < end; row++)
        for (int column = 0; column < rivers->on[0].columns; column++)
            draw_block(rivers, column, row);
}

Status river_lines_draw(RiverLines *rivers, Error *error) {
    const Run *run = rivers->atlas->view->run;
    const Blocks *blocks = &rivers->on[0];
    const Status status = parallel_rows(run, blocks->rows, blocks->width * 200.0, draw_blocks, rivers);
    return status == STATUS_OK ? channels_draw(&rivers->channels, error) : status;
}
