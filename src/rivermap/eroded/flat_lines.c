// Draws the rivers of a map's eroded land as wide as they are: by the root of what they drain. A line
// narrower than a pixel covers so much of it. A river is taken from the level where it is a few cells wide,
// whatever the zoom, so that its banks stay where they are; narrower ones from the level that the pixels come
// from.

#include "rivermap/channels.h"
#include "rivermap/eroded/flat.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>

enum { BAND = 64 }; // rows of pixels

// In pixels: a narrower river lies in its valley as it is, a wider one shapes the ground to fit it.
#define SHAPING_MIN 3.0

// In widths: where the water stands as high above the sea it is all the river's.
#define ESTUARY 0.05

typedef struct RiverLines {
    Channels lines, channels; // what is drawn as lines, and what shapes the land
    const FlatWindow *finest;
    Int128 zero; // from which levels count, units of the finest
} RiverLines;

// How high water lies above the view's zero, in map units.
static double level_of(const RiverLines *rivers, const FlatWindow *window, const StreamPlace *place) {
    const FlatWindow *finest = rivers->finest;
    const Int128 parts = 256, height = place->height << (finest->depth - window->depth);
    return (double)(height - parts * rivers->zero) * (finest->unit / (double)parts);
}

enum { LINES, CHANNELS }; // sorts of streams

// Those of a window's rivers that are wanted.
typedef struct Wanted {
    const RiverLines *rivers;
    const FlatWindow *window;
    float per_root, most; // cells
    float min_area;
    int left, top, right, bottom; // cells of the window's land that are in the view, the last ones included
    // While a list is filled:
    StreamCells cells;
    Channels *to;
    int before; // in the list
} Wanted;

static double half_width(const FlatWindow *window, float area) {
    return 0.5 * window->cell * window->view->map->width * sqrt((double)area);
}

static bool may_show(const Wanted *wanted, int cell, float width) {
    const LandWindow *land = &wanted->window->land;
    const int x = cell % land->width, y = cell / land->width;
    const int off_x = max(wanted->left - x, x - wanted->right),
              off_y = max(wanted->top - y, y - wanted->bottom), off = max(off_x, off_y);
    return off <= 0 || off <= river_shown_reach(wanted->window->view->map, (double)width);
}

static int sort_stream(const void *context, int cell) {
    const Wanted *wanted = context;
    const View *view = wanted->window->view;
    const float area = wanted->window->land.area[cell], width = wanted->per_root * sqrtf(area);
    if (width >= wanted->most || !may_show(wanted, cell, width))
        return -1;
    const bool wide = view->map->constants.width > 0 && 2 * half_width(wanted->window, area) >= SHAPING_MIN;
    return wide && !view->whole_pixels ? CHANNELS : LINES;
}

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

// How much of an estuary's water is the river's: less where the sea is near, or little below the water.
static double fresh_of(const RiverLines *rivers, const StreamPlace *place, double level, double half) {
    const double above_sea = level - rivers->channels.sea, width = 2 * half / rivers->finest->view->pixels;
    if (2 * half < ESTUARY_MIN)
        return 1;
    return estuary_share(clamp(above_sea / (ESTUARY * width), 0, 1)) * estuary_share(place->from_sea);
}

// What shapes the land has levels and directions, too.
static void shape(const Wanted *wanted, const Stream *stream, Channel *channel) {
    channel->from_level = level_of(wanted->rivers, wanted->window, &stream->at);
    channel->to_level = min(level_of(wanted->rivers, wanted->window, &stream->to_at), channel->from_level);
    channel->from_fresh = fresh_of(wanted->rivers, &stream->at, channel->from_level, channel->from_half);
    channel->to_fresh = fresh_of(wanted->rivers, &stream->to_at, channel->to_level, channel->to_half);
    set_along(channel, stream->at.along, channel->from_along);
    set_along(channel, stream->to_at.along, channel->to_along);
}

static void fill_lines(void *context, int first, int end) {
    const Wanted *wanted = context;
    const FlatWindow *window = wanted->window;
    Channels *to = wanted->to;
    const bool shapes = to == &wanted->rivers->channels;
    for (int i = first; i < end; i++) {
        Stream stream;
        stream_at(window, wanted->cells.at[i], wanted->min_area, shapes, &stream);
        const double half = half_width(window, stream.area), to_half = half_width(window, stream.to_area);
        Channel *channel = &to->at[wanted->before + i];
        *channel = (Channel){ .from_x = channel_x(to, stream.at.x),
                              .from_y = channel_y(to, stream.at.y),
                              .to_x = channel_x(to, stream.to_at.x),
                              .to_y = channel_y(to, stream.to_at.y),
                              .from_half = half,
                              .to_half = min(to_half, RIVER_WIDENING * half) };
        if (shapes)
            shape(wanted, &stream, channel);
    }
}

// The cells of the window's land that are in the view.
static void set_view(Wanted *wanted) {
    const FlatWindow *window = wanted->window;
    const View *view = window->view;
    const Int128 left = view_left(view), top = view_top(view);
    const int shift = PLACE_BITS - window->depth;
    wanted->left = (int)((left >> shift) - window->land.x);
    wanted->top = (int)((top >> shift) - window->land.y);
    wanted->right = (int)(((left + view->pixel * view->width) >> shift) - window->land.x);
    wanted->bottom = (int)(((top + view->pixel * view->height) >> shift) - window->land.y);
}

// Those of the window's rivers that are `least` to `most` cells wide.
static Status add_lines(RiverLines *rivers, const FlatWindow *window, float least, float most, Error *error) {
    const View *view = window->view;
    const float per_root = (float)view->map->width; // cells
    const float from_width = least / per_root;
    Wanted wanted = { .rivers = rivers, .window = window, .per_root = per_root, .most = most };
    wanted.min_area = max(river_min_area(view->map, window->depth, window->cell), from_width * from_width);
    set_view(&wanted);
    StreamCells found[STREAM_SORTS];
    Status status = stream_cells_find(window, wanted.min_area, sort_stream, &wanted, found, error);
    for (int sort = 0; sort < STREAM_SORTS && status == STATUS_OK; sort++) {
        wanted.to = sort == CHANNELS ? &rivers->channels : &rivers->lines;
        wanted.cells = found[sort];
        wanted.before = wanted.to->count;
        channels_grow(wanted.to, found[sort].count);
        status = wanted.to->failed ? fail(error, STATUS_MEMORY, "not enough memory for the lines of rivers")
                                   : parallel_rows(view->run, found[sort].count, 200, fill_lines, &wanted);
    }
    stream_cells_free(found);
    return status;
}

// Rivers that are wide at coarser levels.
static Status add_wide(RiverLines *rivers, int depth, Error *error) {
    const View *view = rivers->finest->view;
    const RiverMap *map = view->map;
    const bool whole = depth == eroded_of(map)->depth;
    if (map->width * ldexp(1, depth) < (double)RIVER_WIDE)
        return STATUS_OK; // not even one that drains the map
    FlatWindow window;
    Status status = flat_open(&window, view, depth, river_reach(map, depth), error);
    if (status == STATUS_OK)
        status = add_lines(rivers, &window, RIVER_WIDE, whole ? INFINITY : RIVER_WIDEST, error);
    flat_close(&window);
    return status;
}

// --- drawing -----------------------------------------------------------------------------------------------

// A line in pixels from the centre of the window's first, and the pixels that it may cover.
typedef struct Stroke {
    double from_x, from_y, to_x, to_y, from_half, to_half;
    int left, top, right, bottom; // right and bottom excluded
} Stroke;

typedef struct Strokes {
    const Channels *lines;
    Stroke *at;
    int *band_starts, *in_bands; // band b draws strokes in_bands[band_starts[b]] … before band_starts[b + 1]
} Strokes;

static int band_count(const View *view) {
    return (view->height + BAND - 1) / BAND;
}

static void set_strokes(void *context, int first, int end) {
    const Strokes *strokes = context;
    const double fine = 1.0 / CHANNEL_FINE;
    for (int i = first; i < end; i++) {
        const Channel *line = &strokes->lines->at[i];
        Stroke *stroke = &strokes->at[i];
        *stroke = (Stroke){ .from_x = (double)line->from_x * fine,
                            .from_y = (double)line->from_y * fine,
                            .to_x = (double)line->to_x * fine,
                            .to_y = (double)line->to_y * fine,
                            .from_half = line->from_half,
                            .to_half = line->to_half };
        const double reach = river_cover_reach(max(stroke->from_half, stroke->to_half));
        stroke->left = whole_int(ceil(min(stroke->from_x, stroke->to_x) - reach));
        stroke->top = whole_int(ceil(min(stroke->from_y, stroke->to_y) - reach));
        stroke->right = whole_int(floor(max(stroke->from_x, stroke->to_x) + reach) + 1);
        stroke->bottom = whole_int(floor(max(stroke->from_y, stroke->to_y) + reach) + 1);
    }
}

// How much of the pixel at (x, y) it covers; above 1 its width.
static float covered(const Stroke *stroke, double x, double y) {
    const double dx = stroke->to_x - stroke->from_x, dy = stroke->to_y - stroke->from_y;
    const double off_x = x - stroke->from_x, off_y = y - stroke->from_y, length = dx * dx + dy * dy;
    const double along = length > 0 ? (off_x * dx + off_y * dy) / length : 0, share = clamp(along, 0, 1);
    const double away_x = off_x - share * dx, away_y = off_y - share * dy;
    const double half = stroke->from_half + (stroke->to_half - stroke->from_half) * share;
    return river_cover(half, sqrt(away_x * away_x + away_y * away_y));
}

// In rows `first` … `end` - 1.
static void draw_stroke(const Stroke *stroke, Field *river, int first, int end) {
    const int left = max(stroke->left, 0), right = min(stroke->right, river->width);
    for (int y = max(stroke->top, first); y < min(stroke->bottom, end); y++)
        for (int x = left; x < right; x++) {
            float *pixel = &field_row(river, y)[x];
            *pixel = max(*pixel, covered(stroke, x, y));
        }
}

// The whole pixel in which it begins.
static void mark_pixel(const Stroke *stroke, Field *river, int first, int end) {
    const int x = whole_int(floor(stroke->from_x + 0.5)), y = whole_int(floor(stroke->from_y + 0.5));
    if (x >= 0 && x < river->width && y >= first && y < end)
        field_row(river, y)[x] = 1;
}

static void draw_bands(void *context, int first, int end) {
    const Strokes *strokes = context;
    const View *view = strokes->lines->view;
    for (int band = first; band < end; band++) {
        const int top = band * BAND, bottom = min(top + BAND, view->height);
        for (int k = strokes->band_starts[band]; k < strokes->band_starts[band + 1]; k++) {
            const Stroke *stroke = &strokes->at[strokes->in_bands[k]];
            if (view->whole_pixels)
                mark_pixel(stroke, view->river, top, bottom);
            else
                draw_stroke(stroke, view->river, top, bottom);
        }
    }
}

// Lists the strokes of each band, by counting.
static Status sort_by_bands(Strokes *strokes, Error *error) {
    const View *view = strokes->lines->view;
    const int bands = band_count(view), count = strokes->lines->count;
    int *starts = strokes->band_starts = memory_new_zeroed((size_t)bands + 2, sizeof *starts, error);
    if (!starts)
        return STATUS_MEMORY;
    for (int pass = 0; pass < 2;
         pass++) { // counts of band b are in starts[b + 2], its next place in starts[b + 1]
        for (int i = 0; i < count; i++) {
            const Stroke *stroke = &strokes->at[i];
            const int last = min(stroke->bottom - 1, view->height - 1);
            for (int band = max(stroke->top, 0) / BAND; last >= 0 && band <= last / BAND; band++)
                if (pass == 0)
                    starts[band + 2]++;
                else
                    strokes->in_bands[starts[band + 1]++] = i;
        }
        for (int band = 0; band < bands && pass == 0; band++)
            starts[band + 2] += starts[band + 1];
        if (pass == 0)
            strokes->in_bands = memory_new((size_t)starts[bands + 1] + 1, sizeof *strokes->in_bands, error);
        if (!strokes->in_bands)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

static Status draw_lines(const Channels *lines, Error *error) {
    const View *view = lines->view;
    if (lines->count == 0)
        return STATUS_OK;
    Strokes strokes = { .lines = lines, .at = memory_new((size_t)lines->count, sizeof *strokes.at, error) };
    if (!strokes.at)
        return STATUS_MEMORY;
    Status status = parallel_rows(view->run, lines->count, 50, set_strokes, &strokes);
    if (status == STATUS_OK)
        status = sort_by_bands(&strokes, error);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, band_count(view), view->width * 200.0, draw_bands, &strokes);
    memory_free(strokes.band_starts);
    memory_free(strokes.in_bands);
    memory_free(strokes.at);
    return status;
}

Status flat_draw_rivers(const FlatWindow *window, Error *error) {
    const View *view = window->view;
    const int first = eroded_of(view->map)->depth;
    RiverLines rivers = { channels_begin(view), channels_begin(view), window,
                          view_zero(view, window->depth) };
    channels_set_zero(&rivers.channels, window->depth, window->unit);
    Status status =
        add_lines(&rivers, window, 0, window->depth > first ? RIVER_WIDEST : (float)INFINITY, error);
    for (int depth = first; status == STATUS_OK && depth < window->depth; depth++)
        status = add_wide(&rivers, depth, error);
    if (status == STATUS_OK)
        status = draw_lines(&rivers.lines, error);
    memory_free(rivers.lines.at);
    if (status == STATUS_OK)
        return channels_draw(&rivers.channels, error);
    memory_free(rivers.channels.at);
    return status;
}
