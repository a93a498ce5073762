#include "rivermap/eroded/flat.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivers/drainage.h"

#include <math.h>
#include <string.h>

enum { SMOOTHING_BITS = 4 };
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
        if (other >= 0 && land->receiver[other] == (direction + TURN) % 8 &&
            (donor < 0 || land->area[other] > land->area[donor]))
            donor = other;
    }
    return donor;
}

// --- the way of a river ------------------------------------------------------------------------------------

enum { MOST_UP = STREAM_SMOOTHING, MOST_DOWN = STREAM_ESTUARY + 1 };

// The cells through which a river runs around one, as far as they are known; from where it begins or ends on,
// its last one again and again.
typedef struct Way {
    int cells[MOST_UP + 1 + MOST_DOWN];
    int *middle;  // the cell itself
    int up, down; // known to either side of it
} Way;

static void begin_way(Way *way, int cell) {
    way->middle = way->cells + MOST_UP;
    *way->middle = cell;
    way->up = way->down = 0;
}

static void go_on(const LandWindow *land, Way *way, int up, int down) {
    for (int *last = way->middle - way->up; way->up < up; way->up++, last--) {
        const int donor = main_donor(land, *last);
        last[-1] = donor >= 0 ? donor : *last;
    }
    for (int *last = way->middle + way->down; way->down < down; way->down++, last++) {
        const int next = is_land(land, *last) ? next_to(land, *last, land->receiver[*last]) : -1;
        last[1] = next >= 0 ? next : *last;
    }
}

// Makes the cell below the middle one the middle; where less comes through that than from elsewhere, on
// another way.
static void step_down(const LandWindow *land, Way *way, int below) {
    if (main_donor(land, below) != *way->middle) {
        begin_way(way, below);
        return;
    }
    go_on(land, way, 0, 1);
    way->middle++;
    way->up++;
    way->down--;
}

static int smoothing(const FlatWindow *window, int cell) {
    if (!is_land(&window->land, cell))
        return 0;
    const double width = window->view->map->width * sqrt((double)window->land.area[cell]);
    return stream_smoothing(width);
}

// Of the places that a river's line is smoothed over, each as far away as its weight is less than `reach`
// + 1.
static int square_bits(int reach) {
    return reach == 0 ? 0 : reach == 1 ? 2 : reach == 3 ? 4 : reach == 7 ? 6 : 2 * SMOOTHING_BITS;
}

// A place on a stream, as its lines show it: a mean of the cells up and downstream, the nearer the more; and
// the way from those to these. What is no stream is where its cell is.
static void smooth_place(const FlatWindow *window, Way *way, StreamPlace *place) {
    const LandWindow *land = &window->land;
    const int reach = smoothing(window, *way->middle), weight = reach + 1, bits = square_bits(reach);
    go_on(land, way, reach, reach);
    int64_t columns = 0, rows = 0;
    int across = 0, down = 0;
    for (int step = -reach; step <= reach; step++) {
        const int column = way->middle[step] % land->width, row = way->middle[step] / land->width;
        const int sign = (step > 0) - (step < 0);
        columns += (int64_t)(weight - step * sign) * column;
        rows += (int64_t)(weight - step * sign) * row;
        across += sign * column;
        down += sign * row;
    }
    const Int128 part = (Int128)1 << (PLACE_BITS - window->depth - bits); // of a cell
    place->x = cell_place(window, land->x) + columns * part;
    place->y = cell_place(window, land->y) + rows * part;
    place->along[0] = across;
    place->along[1] = down;
}

static bool sea_at(const LandWindow *land, int cell) {
    return land->base + land->altitude[cell] <= 0;
}

static Int128 height_of(const LandWindow *land, int cell) {
    return max(land->base + land->altitude[cell], 0);
}

// A mean of the cells up and downstream like the place, so that the water falls evenly, and of those below
// rather than above, because finer levels cut deeper. Over the last cells it falls to the sea's level.
static void set_height(const FlatWindow *window, Way *way, StreamPlace *place) {
    const LandWindow *land = &window->land;
    const int reach = smoothing(window, *way->middle), weight = reach + 1;
    go_on(land, way, reach - 1, reach + 1);
    const int *below = way->middle + 1;
    Int128 sum = weight * height_of(land, *below);
    for (int step = 1; step <= reach; step++)
        sum += (weight - step) * (height_of(land, below[-step]) + height_of(land, below[step]));
    const int estuary = min(2 * weight, STREAM_ESTUARY);
    int left = 0; // cells on the way to the sea
    go_on(land, way, 0, estuary);
    while (left < estuary && is_land(land, way->middle[left]))
        left++;
    place->height = sum << (2 * SMOOTHING_BITS - square_bits(reach));
    place->from_sea = 1;
    if (left < estuary && sea_at(land, way->middle[left])) {
        const int ahead = estuary - left, whole = estuary * estuary;
        place->height = place->height * (whole - ahead * ahead) / whole;
        place->from_sea = (double)left / estuary;
    }
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

bool stream_at(const FlatWindow *window, int cell, float least, bool heights, Stream *stream) {
    const LandWindow *land = &window->land;
    if (!is_land(land, cell) || !has_river(window, cell, least))
        return false;
    const int to = next_to(land, cell, land->receiver[cell]);
    if (to < 0)
        return false;
    const bool ends = !is_land(land, to), sea = sea_at(land, to);
    *stream =
        (Stream){ .from = cell, .to = to, .area = land->area[cell], .ends = ends, .mouth = ends && sea };
    stream->to_area = ends || land->area[to] < stream->area ? stream->area : land->area[to];
    Way way;
    begin_way(&way, cell);
    smooth_place(window, &way, &stream->at);
    if (heights)
        set_height(window, &way, &stream->at);
    step_down(land, &way, to);
    smooth_place(window, &way, &stream->to_at);
    if (heights)
        set_height(window, &way, &stream->to_at);
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
                const int sort = search->sort(search->context, i);
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
