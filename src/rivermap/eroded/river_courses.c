#include "rivermap/eroded/river_courses.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <string.h>

enum { SMOOTHING_BITS = 4 };
_Static_assert(STREAM_SMOOTHING + 1 == 1 << SMOOTHING_BITS, "the weight of a place is a power of two");

// --- the way of a river ------------------------------------------------------------------------------------

enum { MOST_UP = STREAM_SMOOTHING, MOST_DOWN = STREAM_ESTUARY + 1 };

// A cell of a way, and its column and row as seen from the way's first cell: over edges of faces they are
// counted on. The cell's turn is that since the first.
typedef struct WayCell {
    AtlasCell at;
    int column, row;
} WayCell;

// The cells through which a river runs around one, as far as they are known; from where it begins or ends on,
// its last one again and again.
typedef struct Way {
    WayCell cells[MOST_UP + 1 + MOST_DOWN];
    WayCell *middle; // the cell itself
    int up, down;    // known to either side of it
} Way;

static void begin_way(Way *way, AtlasCell cell) {
    way->middle = way->cells + MOST_UP;
    *way->middle = (WayCell){ cell, cell.x, cell.y };
    way->middle->at.turn = 0;
    way->up = way->down = 0;
}

// The next cell of a way, to which leads a direction of the cell's own face.
static WayCell step_to(const WayCell *from, int direction, AtlasCell next) {
    const int seen = turned_direction(direction, (4 - from->at.turn) & 3);
    next.turn = (next.turn + from->at.turn) & 3;
    return (WayCell){ next, from->column + neighbour_x[seen], from->row + neighbour_y[seen] };
}

static WayCell step_up(const Atlas *atlas, const WayCell *from) {
    AtlasCell donor;
    if (!main_donor(atlas, from->at, &donor))
        return *from;
    const int back = receiver_of(atlas, donor) + NEIGHBOURS / 2; // as the donor's face has it
    return step_to(from, turned_direction(back, (4 - donor.turn) & 3), donor);
}

static WayCell step_on(const Atlas *atlas, const WayCell *from) {
    AtlasCell next;
    return next_cell(atlas, from->at, &next) ? step_to(from, receiver_of(atlas, from->at), next) : *from;
}

static void go_on(const Atlas *atlas, Way *way, int up, int down) {
    for (WayCell *last = way->middle - way->up; way->up < up; way->up++, last--)
        last[-1] = step_up(atlas, last);
    for (WayCell *last = way->middle + way->down; way->down < down; way->down++, last++)
        last[1] = step_on(atlas, last);
}

static bool is_same(AtlasCell a, AtlasCell b) {
    return a.face == b.face && a.x == b.x && a.y == b.y;
}

// Makes the cell below the middle one the middle; where less comes through that than from elsewhere, on
// another way.
static void step_down(const Atlas *atlas, Way *way, AtlasCell below) {
    AtlasCell donor;
    if (!main_donor(atlas, below, &donor) || !is_same(donor, way->middle->at)) {
        begin_way(way, below);
        return;
    }
    go_on(atlas, way, 0, 1);
    way->middle++;
    way->up++;
    way->down--;
}

// --- places ------------------------------------------------------------------------------------------------

static int smoothing(const Atlas *atlas, AtlasCell cell) {
    return is_drained(atlas, cell) ? stream_smoothing(river_width(atlas, size_of(atlas, cell))) : 0;
}

// Of the places that a river's line is smoothed over, each as far away as its weight is less than `reach`
// + 1.
static int square_bits(int reach) {
    return reach == 0 ? 0 : reach == 1 ? 2 : reach == 3 ? 4 : reach == 7 ? 6 : 2 * SMOOTHING_BITS;
}

// Turns a step clockwise by quarters.
static void turn(int64_t *x, int64_t *y, int quarters) {
    for (int i = 0; i < quarters; i++) {
        const int64_t old = *x;
        *x = -*y;
        *y = old;
    }
}

// A place on a stream, as its lines show it: a mean of the cells up and downstream, the nearer the more; and
// the way from those to these. What is no stream is where its cell is.
static void smooth_place(const Atlas *atlas, Way *way, StreamPlace *place) {
    const WayCell *middle = way->middle;
    const int reach = smoothing(atlas, middle->at), weight = reach + 1, bits = square_bits(reach);
    go_on(atlas, way, reach, reach);
    int64_t columns = 0, rows = 0, across = 0, down = 0;
    for (int step = -reach; step <= reach; step++) {
        const int column = middle[step].column - middle->column, row = middle[step].row - middle->row;
        const int sign = (step > 0) - (step < 0);
        columns += (int64_t)(weight - step * sign) * column;
        rows += (int64_t)(weight - step * sign) * row;
        across += sign * column;
        down += sign * row;
    }
    // From the way's first face to the cell's own, so that all ways through it agree.
    turn(&columns, &rows, middle->at.turn);
    turn(&across, &down, middle->at.turn);
    const Int128 part = (Int128)1 << (PLACE_BITS - atlas->depth - bits); // of a cell
    place->at = middle_of(atlas, middle->at);
    place->at.x += columns * part;
    place->at.y += rows * part;
    place->along[0] = (double)across;
    place->along[1] = (double)down;
}

static Int128 water_height(const Atlas *atlas, const WayCell *cell) {
    return max(height_of(atlas, cell->at), 0);
}

// A mean of the cells up and downstream like the place, so that the water falls evenly, and of those below
// rather than above, because finer levels cut deeper. Over the last cells it falls to the sea's level.
static void set_height(const Atlas *atlas, Way *way, StreamPlace *place) {
    const int reach = smoothing(atlas, way->middle->at), weight = reach + 1;
    go_on(atlas, way, reach - 1, reach + 1);
    const WayCell *below = way->middle + 1;
    Int128 sum = weight * water_height(atlas, below);
    for (int step = 1; step <= reach; step++)
        sum += (weight - step) * (water_height(atlas, below - step) + water_height(atlas, below + step));
    const int estuary = min(2 * weight, STREAM_ESTUARY);
    int left = 0; // cells on the way to the sea
    go_on(atlas, way, 0, estuary);
    while (left < estuary && is_drained(atlas, way->middle[left].at))
        left++;
    place->height = sum << (2 * SMOOTHING_BITS - square_bits(reach));
    place->from_sea = 1;
    place->to_sea = STREAM_ESTUARY;
    if (left < estuary && height_of(atlas, way->middle[left].at) <= 0) {
        const int ahead = estuary - left, whole = estuary * estuary;
        place->height = place->height * (whole - ahead * ahead) / whole;
        place->from_sea = (double)left / estuary;
        place->to_sea = left;
    }
}

bool stream_at(const Atlas *atlas, AtlasCell cell, float least, bool heights, Stream *stream) {
    AtlasCell to;
    if (!is_drained(atlas, cell) || area_of(atlas, cell) < least || !next_cell(atlas, cell, &to))
        return false;
    const bool ends = !is_drained(atlas, to);
    const float area = area_of(atlas, cell), below = area_of(atlas, to), size = size_of(atlas, cell);
    *stream = (Stream){ .from = cell,
                        .to = to,
                        .area = area,
                        .to_area = ends ? area : below,
                        .size = size,
                        .to_size = ends ? size : size_of(atlas, to),
                        .ends = ends,
                        .mouth = ends && height_of(atlas, to) <= 0 };
    Way way;
    begin_way(&way, cell);
    smooth_place(atlas, &way, &stream->at);
    if (heights)
        set_height(atlas, &way, &stream->at);
    step_down(atlas, &way, to);
    smooth_place(atlas, &way, &stream->to_at);
    if (heights)
        set_height(atlas, &way, &stream->to_at);
    return true;
}

// --- beyond mouths -----------------------------------------------------------------------------------------

// How open the sea is around a cell: cells of it within a few.
static int openness(const Atlas *atlas, AtlasCell cell) {
    enum { AROUND = 4 };
    int open = 0;
    for (int y = -AROUND; y <= AROUND; y++)
        for (int x = -AROUND; x <= AROUND; x++) {
            const AtlasCell other = { cell.face, cell.x + x, cell.y + y, 0 };
            open += x * x + y * y <= AROUND * AROUND + AROUND && height_of(atlas, other) <= 0;
        }
    return open;
}

// The cell of the sea ahead around which it is most open, and its direction, which turns by 45° at most;
// false: there is none.
static bool seaward_cell(const Atlas *atlas, AtlasCell cell, int *direction, AtlasCell *next) {
    static const int turns[3] = { 0, 1, 7 };
    int most = 0, ahead = *direction;
    for (int i = 0; i < 3; i++) {
        const int towards = (*direction + turns[i]) & 7;
        AtlasCell other;
        if (!beside(atlas, cell, towards, &other) || height_of(atlas, other) > 0)
            continue;
        const int open = openness(atlas, other);
        if (open > most) {
            most = open;
            ahead = towards;
            *next = other;
        }
    }
    *direction = ahead;
    return most > 0;
}

int stream_beyond(const Atlas *atlas, AtlasCell last, AtlasPlace places[STREAM_BEYOND + 1]) {
    enum { SMOOTH = 4 };
    AtlasCell cells[STREAM_BEYOND + 1];
    int count = 0;
    if (!next_cell(atlas, last, &cells[0]) || is_drained(atlas, cells[0]) || height_of(atlas, cells[0]) > 0)
        return 0;
    int direction = receiver_of(atlas, last);
    while (count < STREAM_BEYOND && seaward_cell(atlas, cells[count], &direction, &cells[count + 1]))
        count++;
    for (int i = 0; i <= count; i++) {
        const int reach = min(min(i, count - i), SMOOTH);
        Int128 x = 0, y = 0;
        for (int k = i - reach; k <= i + reach; k++) {
            const AtlasPlace at = middle_of(atlas, cells[k]);
            x += at.x;
            y += at.y;
        }
        places[i] = (AtlasPlace){ last.face, x / (2 * reach + 1), y / (2 * reach + 1) };
    }
    return count;
}

// --- all of an atlas ---------------------------------------------------------------------------------------

// The rows of all faces, one below the other.
typedef struct Rows {
    const Atlas *atlas;
    int top[CUBE_FACES + 1]; // of each face; the number of rows
    double cost;             // of a row
} Rows;

static Rows rows_of(const Atlas *atlas) {
    Rows rows = { .atlas = atlas };
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &atlas->land.on[face];
        rows.top[face + 1] = rows.top[face] + (land->altitude ? land->height : 0);
        rows.cost = max(rows.cost, land->altitude ? (double)land->width : 0);
    }
    return rows;
}

// A row's first cell.
static AtlasCell cell_of_row(const Rows *rows, int row) {
    int face = 0;
    while (row >= rows->top[face + 1])
        face++;
    return (AtlasCell){ .face = face, .y = row - rows->top[face] };
}

// --- lists -------------------------------------------------------------------------------------------------

enum { ROWS = 32 }; // of cells in a band

typedef struct Band {
    StreamCells sorts[STREAM_SORTS];
    int room[STREAM_SORTS];
    bool failed; // memory ran out
} Band;

typedef struct Search {
    Rows rows;
    float least;
    StreamSort *sort;
    const void *context;
    Band *bands;
} Search;

static void append(Band *band, int sort, AtlasCell cell) {
    StreamCells *cells = &band->sorts[sort];
    if (cells->count == band->room[sort]) {
        const int room = band->room[sort] ? 2 * band->room[sort] : 1024;
        AtlasCell *more = memory_enlarge(cells->at, (size_t)cells->count, (size_t)room, sizeof *more, NULL);
        band->failed = band->failed || !more;
        if (!more)
            return;
        cells->at = more;
        band->room[sort] = room;
    }
    cells->at[cells->count++] = cell;
}

static void search_row(const Search *search, AtlasCell cell, Band *band) {
    const Atlas *atlas = search->rows.atlas;
    for (const int width = land_of(atlas, cell)->width; cell.x < width; cell.x++) {
        AtlasCell next;
        if (area_of(atlas, cell) < search->least || !next_cell(atlas, cell, &next))
            continue;
        const int sort = search->sort(search->context, cell);
        if (sort >= 0)
            append(band, sort, cell);
    }
}

static void search_bands(void *context, int first, int end) {
    const Search *search = context;
    for (int band = first; band < end; band++)
        for (int row = band * ROWS; row < min((band + 1) * ROWS, search->rows.top[CUBE_FACES]); row++)
            search_row(search, cell_of_row(&search->rows, row), &search->bands[band]);
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

Status stream_cells_find(const Atlas *atlas, float least, StreamSort *sort, const void *context,
                         StreamCells found[STREAM_SORTS], Error *error) {
    Search search = { .rows = rows_of(atlas), .least = least, .sort = sort, .context = context };
    const int bands = (search.rows.top[CUBE_FACES] + ROWS - 1) / ROWS;
    memset(found, 0, STREAM_SORTS * sizeof *found);
    search.bands = memory_new_zeroed((size_t)bands, sizeof *search.bands, error);
    if (!search.bands)
        return STATUS_MEMORY;
    Status status =
        parallel_rows(atlas->view->run, bands, ROWS * 2.0 * search.rows.cost, search_bands, &search);
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
