#include "rivermap/eroded/flat.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivers/drainage.h"

#include <math.h>
#include <string.h>

enum { SMOOTHING_BITS = 3 };
_Static_assert(STREAM_SMOOTHING + 1 == 1 << SMOOTHING_BITS, "the weight of a place is a power of two");

static bool is_land(const LandWindow *land, int cell) {
    return land->receiver[cell] < LAND_SEA;
}

// The cell next to one, or -1 beyond the window.
static int next_to(const LandWindow *land, int cell, int direction) {
    const int x = cell % land->width + neighbour_x[direction],
              y = cell / land->width + neighbour_y[direction];
    return x >= 0 && y >= 0 && x < land->width && y < land->height ? y * land->width + x : -1;
}

// The one of the cells that drain into this one through which most comes, or -1.
static int main_donor(const LandWindow *land, int cell) {
    int donor = -1;
    for (int direction = 0; direction < 8; direction++) {
        const int other = next_to(land, cell, direction);
        if (other >= 0 && is_land(land, other) && land->receiver[other] == (direction + TURN) % 8 &&
            (donor < 0 || land->area[other] > land->area[donor]))
            donor = other;
    }
    return donor;
}

// The cell into which one drains, or that drains into it, if there is one; otherwise the cell itself.
static int next_along(const LandWindow *land, int cell, bool downstream) {
    int next = -1;
    if (!downstream)
        next = main_donor(land, cell);
    else if (is_land(land, cell))
        next = next_to(land, cell, land->receiver[cell]);
    return next >= 0 ? next : cell;
}

// Cells up and downstream over which the line of a river is smoothed, less one a power of two: the wider it
// is, in cells, the more.
static int smoothing(const FlatWindow *window, int cell) {
    const double width = window->view->map->width * sqrt((double)window->land.area[cell]);
    return width < 1.5 ? 1 : width < 4 ? 3 : STREAM_SMOOTHING;
}

// Of the places that a river's line is smoothed over, each as far away as its weight is less than `reach`
// + 1.
static int square_bits(int reach) {
    return reach == 0 ? 0 : reach == 1 ? 2 : reach == 3 ? 4 : 2 * SMOOTHING_BITS;
}

// A place on a stream, as its lines show it: a mean of the cells up and downstream, the nearer the more; and
// the way from those to these. What is no stream is where its cell is.
static void smoothed_place(const FlatWindow *window, int cell, Int128 *x, Int128 *y, double along[2]) {
    const LandWindow *land = &window->land;
    const int reach = is_land(land, cell) ? smoothing(window, cell) : 0, weight = reach + 1;
    const int bits = square_bits(reach);
    int64_t columns = (int64_t)weight * (cell % land->width), rows = (int64_t)weight * (cell / land->width);
    int across = 0, down = 0;
    for (int way = 0; way < 2; way++) {
        const int sign = way ? 1 : -1;
        int at = cell;
        for (int step = 1; step <= reach; step++) {
            at = next_along(land, at, way);
            columns += (int64_t)(weight - step) * (at % land->width);
            rows += (int64_t)(weight - step) * (at / land->width);
            across += sign * (at % land->width);
            down += sign * (at / land->width);
        }
    }
    const Int128 part = (Int128)1 << (PLACE_BITS - window->depth - bits); // of a cell
    *x = cell_place(window, land->x) + columns * part;
    *y = cell_place(window, land->y) + rows * part;
    along[0] = across;
    along[1] = down;
}

static Int128 height_of(const LandWindow *land, int cell) {
    return max(land->base + land->altitude[cell], 0);
}

Int128 stream_height(const FlatWindow *window, int cell) {
    const LandWindow *land = &window->land;
    const int reach = is_land(land, cell) ? smoothing(window, cell) : 0, weight = reach + 1;
    const int below = next_along(land, cell, true);
    Int128 sum = weight * height_of(land, below);
    for (int step = 1, up = cell, down = below; step <= reach; step++) {
        down = next_along(land, down, true);
        sum += (weight - step) * (height_of(land, up) + height_of(land, down));
        up = next_along(land, up, false);
    }
    return sum << (2 * SMOOTHING_BITS - square_bits(reach));
}

// Marks the cells below a river's, unless too little drains farther down, too. Two threads may mark the same.
static void find_gap(const FlatWindow *window, int cell, float least) {
    const LandWindow *land = &window->land;
    int gap[RIVER_GAP], count = 0;
    int at = next_to(land, cell, land->receiver[cell]);
    while (at >= 0 && is_land(land, at) && land->area[at] < least) {
        if (count == RIVER_GAP)
            return;
        gap[count++] = at;
        at = next_to(land, at, land->receiver[at]);
    }
    for (int i = 0; at >= 0 && i < count; i++)
        atomic_store_explicit(&window->in_gap[gap[i]], 1, memory_order_relaxed);
}

typedef struct Gaps {
    const FlatWindow *window;
    float least;
} Gaps;

static void clear_rows(void *context, int first, int end) {
    const Gaps *gaps = context;
    const size_t width = (size_t)gaps->window->land.width;
    memset((void *)(gaps->window->in_gap + (size_t)first * width), 0, (size_t)(end - first) * width);
}

static void find_in_rows(void *context, int first, int end) {
    const Gaps *gaps = context;
    const LandWindow *land = &gaps->window->land;
    for (int i = first * land->width; i < end * land->width; i++)
        if (land->area[i] >= gaps->least && is_land(land, i))
            find_gap(gaps->window, i, gaps->least);
}

Status flat_find_gaps(FlatWindow *window, float least, Error *error) {
    const LandWindow *land = &window->land;
    const Run *run = window->view->run;
    Gaps gaps = { window, least };
    window->in_gap = memory_new((size_t)land->width * (size_t)land->height, sizeof *window->in_gap, error);
    if (!window->in_gap)
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, land->height, land->width * 0.2, clear_rows, &gaps);
    return status == STATUS_OK ? parallel_rows(run, land->height, land->width * 1.0, find_in_rows, &gaps)
                               : status;
}

bool stream_at(const FlatWindow *window, int cell, float least, Stream *stream) {
    const LandWindow *land = &window->land;
    if (!is_land(land, cell) || !has_river(window, cell, least))
        return false;
    const int to = next_to(land, cell, land->receiver[cell]);
    if (to < 0)
        return false;
    const bool ends = !is_land(land, to), sea = land->base + land->altitude[to] <= 0;
    *stream =
        (Stream){ .from = cell, .to = to, .area = land->area[cell], .ends = ends, .mouth = ends && sea };
    stream->to_area = ends || land->area[to] < stream->area ? stream->area : land->area[to];
    smoothed_place(window, cell, &stream->x, &stream->y, stream->along);
    smoothed_place(window, to, &stream->to_x, &stream->to_y, stream->to_along);
    return true;
}

// --- all of a window ---------------------------------------------------------------------------------------

enum { ROWS = 32 }; // of cells in a band

typedef struct Band {
    StreamCells sorts[STREAM_SORTS];
    int room[STREAM_SORTS];
    bool failed; // memory ran out
} Band;

typedef struct Search {
    const FlatWindow *window;
    float least;
    StreamSort *sort;
    const void *context;
    Band *bands;
} Search;

static void append(Band *band, int sort, int cell) {
    StreamCells *cells = &band->sorts[sort];
    if (cells->count == band->room[sort]) {
        Error ignored;
        const int room = band->room[sort] ? 2 * band->room[sort] : 1024;
        int *more = memory_new((size_t)room, sizeof *more, &ignored);
        band->failed = band->failed || !more;
        if (!more)
            return;
        if (cells->count)
            memcpy(more, cells->at, (size_t)cells->count * sizeof *more);
        memory_free(cells->at);
        cells->at = more;
        band->room[sort] = room;
    }
    cells->at[cells->count++] = cell;
}

static void search_bands(void *context, int first, int end) {
    const Search *search = context;
    const LandWindow *land = &search->window->land;
    for (int band = first; band < end; band++)
        for (int i = band * ROWS * land->width; i < min((band + 1) * ROWS, land->height) * land->width; i++)
            if (has_river(search->window, i, search->least) && is_land(land, i) &&
                next_to(land, i, land->receiver[i]) >= 0) {
                const int sort = search->sort(search->context, land->area[i]);
                if (sort >= 0)
                    append(&search->bands[band], sort, i);
            }
}

// In the order of bands, and so of cells.
static Status join_bands(const Search *search, int bands, int sort, StreamCells *found, Error *error) {
    int count = 0;
    for (int band = 0; band < bands; band++)
        count += search->bands[band].sorts[sort].count;
    found->at = memory_new((size_t)count, sizeof *found->at, error);
    if (!found->at)
        return STATUS_MEMORY;
    for (int band = 0; band < bands; band++) {
        const StreamCells *cells = &search->bands[band].sorts[sort];
        if (cells->count)
            memcpy(found->at + found->count, cells->at, (size_t)cells->count * sizeof *cells->at);
        found->count += cells->count;
    }
    return STATUS_OK;
}

Status stream_cells_find(const FlatWindow *window, float least, StreamSort *sort, const void *context,
                         StreamCells found[STREAM_SORTS], Error *error) {
    const LandWindow *land = &window->land;
    const int bands = (land->height + ROWS - 1) / ROWS;
    Search search = { .window = window, .least = least, .sort = sort, .context = context };
    memset(found, 0, STREAM_SORTS * sizeof *found);
    search.bands = memory_new_zeroed((size_t)bands, sizeof *search.bands, error);
    if (!search.bands)
        return STATUS_MEMORY;
    Status status = parallel_rows(window->view->run, bands, ROWS * 2.0 * land->width, search_bands, &search);
    for (int band = 0; band < bands && status == STATUS_OK; band++)
        if (search.bands[band].failed)
            status = fail(error, STATUS_MEMORY, "not enough memory for the lines of rivers");
    for (int i = 0; i < STREAM_SORTS && status == STATUS_OK; i++)
        status = join_bands(&search, bands, i, &found[i], error);
    for (int i = 0; i < STREAM_SORTS; i++)
        for (int band = 0; band < bands; band++)
            memory_free(search.bands[band].sorts[i].at);
    memory_free(search.bands);
    return status;
}

void stream_cells_free(StreamCells found[STREAM_SORTS]) {
    for (int i = 0; i < STREAM_SORTS; i++)
        memory_free(found[i].at);
}
