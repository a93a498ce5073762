#include "analysis/contour_lines.h"

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

// A square lies between four cells' centres, the outermost between repeated cells. Its code has a bit for
// each corner above the level: 1 upper left, 2 upper right, 4 lower left, 8 lower right. Where two opposite
// corners are above, the lines run as those of the bilinear surface (Nielson and Hamann 1991, "The asymptotic
// decider: resolving the ambiguity in marching cubes"): codes JOINED + 6 and + 9 where its saddle is above.

// --- lists of lines ----------------------------------------------------------------------------------------

void lines_free(LineList *lines) {
    memory_free(lines->points);
    memory_free(lines->reaches);
}

// Room for one more of `count` elements; NULL if memory runs out.
static void *room_for(LineList *lines, void *at, int count, int *room, size_t size, Error *error) {
    if (count < *room)
        return at;
    if (count > LINE_POINTS_MAX) {
        lines->status = fail(error, STATUS_INVALID, "lines of more than %d points", LINE_POINTS_MAX);
        return NULL;
    }
    const int more = 2 * count + 1024;
    void *grown = memory_enlarge(at, (size_t)count, (size_t)more, size, error);
    if (!grown) {
        lines->status = STATUS_MEMORY;
        return NULL;
    }
    *room = more;
    return grown;
}

// Add a point, and a line of all points from `first` on; false, with `status` and the error set, if there is
// no room.
static bool lines_add_point(LineList *lines, RiverPoint point, Error *error) {
    RiverPoint *points =
        room_for(lines, lines->points, lines->point_count, &lines->point_room, sizeof *points, error);
    if (!points)
        return false;
    lines->points = points;
    points[lines->point_count++] = point;
    return true;
}

static bool lines_add_reach(LineList *lines, int first, Error *error) {
    Reach *reaches =
        room_for(lines, lines->reaches, lines->reach_count, &lines->reach_room, sizeof *reaches, error);
    if (!reaches)
        return false;
    lines->reaches = reaches;
    reaches[lines->reach_count++] =
        (Reach){ .first = first, .count = lines->point_count - first, .downstream = -1, .order = 1 };
    return true;
}

// --- smoothing -------------------------------------------------------------------------------------------

static RiverPoint between(RiverPoint from, RiverPoint to, double share) {
    from.x = lerp(from.x, to.x, share);
    from.y = lerp(from.y, to.y, share);
    return from;
}

static bool is_closed(const RiverPoint *points, int count) {
    return count > 3 && points[0].x == points[count - 1].x && points[0].y == points[count - 1].y;
}

// Adds the points of a line at a quarter and three quarters of each of its pieces; an open line keeps its
// ends.
static bool cut_corners(LineList *lines, int first, int count, Error *error) {
    const bool closed = is_closed(lines->points + first, count);
    const int start = lines->point_count;
    bool enough = closed || lines_add_point(lines, lines->points[first], error);
    for (int i = first; i + 1 < first + count && enough; i++) {
        const RiverPoint from = lines->points[i], to = lines->points[i + 1];
        enough = lines_add_point(lines, between(from, to, 0.25), error) &&
                 lines_add_point(lines, between(from, to, 0.75), error);
    }
    const RiverPoint last = closed ? lines->points[start] : lines->points[first + count - 1];
    return enough && lines_add_point(lines, last, error);
}

Status smooth_lines(LineList *lines, int first, int rounds, Error *error) {
    for (int round = 0; round < rounds; round++)
        for (int i = first; i < lines->reach_count; i++) {
            const Reach reach = lines->reaches[i];
            const int start = lines->point_count;
            if (reach.count < 3)
                continue;
            if (!cut_corners(lines, reach.first, reach.count, error))
                return lines->status;
            lines->reaches[i].first = start;
            lines->reaches[i].count = lines->point_count - start;
        }
    return STATUS_OK;
}

// --- lines through the squares of cells --------------------------------------------------------------------

enum { BLOCK = 64 }; // squares of a row whose range is known: most have nothing at a level

enum { TOP, RIGHT, BOTTOM, LEFT, NO_SIDE, SIDES = 4, JOINED = 16, CODES = JOINED + 10 };

// Where a line that enters a square at a side leaves it, and the code of what is left in the square.
typedef struct Passage {
    uint8_t exit, rest;
} Passage;

#define NONE                                                                                                 \
    { NO_SIDE, 0 }
static const Passage passages[CODES][SIDES] = {
    [0] = { NONE, NONE, NONE, NONE },
    [1] = { { LEFT, 0 }, NONE, NONE, NONE },
    [2] = { NONE, { TOP, 0 }, NONE, NONE },
    [3] = { NONE, { LEFT, 0 }, NONE, NONE },
    [4] = { NONE, NONE, NONE, { BOTTOM, 0 } },
    [5] = { { BOTTOM, 0 }, NONE, NONE, NONE },
    [6] = { NONE, { TOP, 4 }, NONE, { BOTTOM, 2 } },
    [7] = { NONE, { BOTTOM, 0 }, NONE, NONE },
    [8] = { NONE, NONE, { RIGHT, 0 }, NONE },
    [9] = { { LEFT, 8 }, NONE, { RIGHT, 1 }, NONE },
    [10] = { NONE, NONE, { TOP, 0 }, NONE },
    [11] = { NONE, NONE, { LEFT, 0 }, NONE },
    [12] = { NONE, NONE, NONE, { RIGHT, 0 } },
    [13] = { { RIGHT, 0 }, NONE, NONE, NONE },
    [14] = { NONE, NONE, NONE, { TOP, 0 } },
    [15] = { NONE, NONE, NONE, NONE },
    [JOINED + 6] = { NONE, { BOTTOM, 14 }, NONE, { TOP, 7 } },
    [JOINED + 9] = { { RIGHT, 11 }, NONE, { LEFT, 13 }, NONE },
};

// The squares of a level, row by row.
typedef struct KnownSquares {
    ContourSquare *at;
    uint32_t *start; // of each row, and the end of the last
} KnownSquares;

typedef struct Tracing {
    const Field *height; // NULL where squares are known
    int width, rows;     // of the field
    float level;
    float *ranges;
    uint8_t *squares;
    KnownSquares known;
    LineList *lines;
    Error *error;
} Tracing;

// --- codes -----------------------------------------------------------------------------------------------

static const float *row_at(const Field *height, int y) {
    return field_row(height, clamp(y, 0, height->height - 1));
}

// Corners of square (x, y), in the order of the bits.
static void corners_of(const Field *height, int x, int y, float corners[4]) {
    const int left = max(x - 1, 0), right = min(x, height->width - 1);
    const float *up = row_at(height, y - 1), *down = row_at(height, y);
    corners[0] = up[left];
    corners[1] = up[right];
    corners[2] = down[left];
    corners[3] = down[right];
}

static uint8_t code_of(const float corners[4], float level) {
    uint8_t code = 0;
    for (int i = 0; i < 4; i++)
        code |= (uint8_t)((corners[i] > level) << i);
    return code;
}

KERNEL static void code_row(const float *restrict up, const float *restrict down, float level,
                            uint8_t *restrict codes, int count) {
    for (int x = 0; x < count; x++)
        codes[x] = (uint8_t)((up[x] > level) | (up[x + 1] > level) << 1 | (down[x] > level) << 2 |
                             (down[x + 1] > level) << 3);
}

// Whether a corner of the square has no data. Nothing is known of its lines.
static bool has_gap(const Field *height, int x, int y) {
    const int left = max(x - 1, 0), right = min(x, height->width - 1);
    const int up = max(y - 1, 0), down = min(y, height->height - 1);
    const size_t width = (size_t)height->width;
    return height->gaps && !(field_has_data(height, (size_t)up * width + (size_t)left) &&
                             field_has_data(height, (size_t)up * width + (size_t)right) &&
                             field_has_data(height, (size_t)down * width + (size_t)left) &&
                             field_has_data(height, (size_t)down * width + (size_t)right));
}

// Whether the saddle of the bilinear surface through the corners is above the level: with their heights a, b,
// c, d above it, (a d - b c) / (a + d - b - c) > 0.
static bool joins(const float corners[4], float level) {
    const double a = (double)corners[0] - (double)level, b = (double)corners[1] - (double)level;
    const double c = (double)corners[2] - (double)level, d = (double)corners[3] - (double)level;
    return (a * d - b * c) * (a + d - b - c) > 0;
}

static int block_count(const Field *height) {
    return height->width / BLOCK + 1;
}

// The range of a block of squares in row y of the squares.
static float *range_at(const Field *height, float *ranges, int y, int block) {
    return ranges + 2 * ((size_t)y * (size_t)block_count(height) + (size_t)block);
}

// Whether a line may run through the block: one of its corners is above the level, one is not.
static bool is_crossed(const Tracing *tracing, int y, int block) {
    const float *range = range_at(tracing->height, tracing->ranges, y, block);
    return range[0] <= tracing->level && range[1] > tracing->level;
}

// Codes of one block. Those of others are left as they were traced at another level: without any line.
static void code_block(const Tracing *tracing, int y, int first, int end) {
    const Field *height = tracing->height;
    const int width = height->width, inner = max(first, 1), inner_end = min(end, width);
    uint8_t *row = tracing->squares + (size_t)y * ((size_t)width + 1);
    code_row(row_at(height, y - 1) + inner - 1, row_at(height, y) + inner - 1, tracing->level, row + inner,
             inner_end - inner);
    for (int x = first; x < end; x++) {
        float corners[4];
        if (x != 0 && x != width && row[x] != 6 && row[x] != 9)
            continue;
        corners_of(height, x, y, corners);
        row[x] = code_of(corners, tracing->level);
        if ((row[x] == 6 || row[x] == 9) && joins(corners, tracing->level))
            row[x] = (uint8_t)(row[x] + JOINED);
    }
    for (int x = first; height->gaps && x < end; x++)
        if (has_gap(height, x, y))
            row[x] = 0;
}

static void code_rows(void *context, int first, int end) {
    const Tracing *tracing = context;
    const int squares = tracing->height->width + 1, blocks = block_count(tracing->height);
    for (int y = first; y < end; y++)
        for (int block = 0; block < blocks; block++)
            if (is_crossed(tracing, y, block))
                code_block(tracing, y, block * BLOCK, min((block + 1) * BLOCK, squares));
}

// --- ranges ----------------------------------------------------------------------------------------------

enum { LANES = 16 };

// The lowest and the highest of `count` cells of two rows.
KERNEL static void range_of_rows(const float *restrict up, const float *restrict down, int count,
                                 float *restrict range) {
    float low[LANES], high[LANES];
    for (int k = 0; k < LANES; k++)
        low[k] = high[k] = up[0];
    int x = 0;
    for (; x + LANES <= count; x += LANES)
        for (int k = 0; k < LANES; k++) {
            low[k] = min(low[k], min(up[x + k], down[x + k]));
            high[k] = max(high[k], max(up[x + k], down[x + k]));
        }
    for (; x < count; x++) {
        low[0] = min(low[0], min(up[x], down[x]));
        high[0] = max(high[0], max(up[x], down[x]));
    }
    range[0] = low[0];
    range[1] = high[0];
    for (int k = 1; k < LANES; k++) {
        range[0] = min(range[0], low[k]);
        range[1] = max(range[1], high[k]);
    }
}

typedef struct Ranging {
    const Field *height;
    float *ranges;
} Ranging;

static void range_rows(void *context, int first, int end) {
    const Ranging *ranging = context;
    const Field *height = ranging->height;
    for (int y = first; y < end; y++)
        for (int block = 0; block < block_count(height); block++) {
            const int left = max(block * BLOCK - 1, 0), right = min((block + 1) * BLOCK, height->width);
            range_of_rows(row_at(height, y - 1) + left, row_at(height, y) + left, right - left,
                          range_at(height, ranging->ranges, y, block));
        }
}

Status squares_begin(const Run *run, const Field *height, int levels, Squares *squares, Error *error) {
    const size_t rows = (size_t)height->height + 1, count = rows * ((size_t)height->width + 1);
    const int threads = run->threads > 0 ? run->threads : processor_count();
    squares->height = height;
    squares->ranges =
        memory_new_cells(height->height + 1, block_count(height), 2 * sizeof *squares->ranges, error);
    const int wanted = squares->ranges ? clamp(min(threads, levels), 1, TRACERS_MAX) : 0;
    Error ignored; // of all but the first
    while (squares->tracers < wanted) {
        uint8_t *codes = memory_new(count, sizeof *codes, squares->tracers ? &ignored : error);
        if (!codes)
            break;
        squares->codes[squares->tracers++].at = codes;
    }
    if (squares->tracers == 0)
        return STATUS_MEMORY;
    return parallel_rows(run, height->height + 1, height->width * 0.2, range_rows,
                         &(Ranging){ height, squares->ranges });
}

void squares_free(Squares *squares) {
    for (int i = 0; i < squares->tracers; i++)
        memory_free(squares->codes[i].at);
    memory_free(squares->ranges);
}

Run squares_run(const Squares *squares, const Run *run) {
    Run limited = *run;
    const int threads = run->threads > 0 ? run->threads : processor_count();
    limited.threads = min(threads, squares->tracers);
    return limited;
}

// --- lines along a level -----------------------------------------------------------------------------------

// The known square at a place, or NULL.
static ContourSquare *known_at(const Tracing *tracing, int x, int y) {
    const KnownSquares *known = &tracing->known;
    uint32_t from = known->start[y], end = known->start[y + 1];
    while (from < end) {
        const uint32_t middle = from + (end - from) / 2;
        if (known->at[middle].x < x)
            from = middle + 1;
        else
            end = middle;
    }
    return from < known->start[y + 1] && known->at[from].x == x ? &known->at[from] : NULL;
}

// What is left in a square; NULL: no line.
static uint8_t *code_at(const Tracing *tracing, int x, int y) {
    if (tracing->height)
        return &tracing->squares[(size_t)y * ((size_t)tracing->width + 1) + (size_t)x];
    ContourSquare *square = known_at(tracing, x, y);
    return square ? &square->code : NULL;
}

// Where the level crosses a side of a square.
static RiverPoint crossing(const Tracing *tracing, int x, int y, int side) {
    static const uint8_t ends[SIDES][2] = { { 0, 1 }, { 1, 3 }, { 2, 3 }, { 0, 2 } }; // corners
    float corners[4] = { 0 };
    const ContourSquare *known = tracing->height ? NULL : known_at(tracing, x, y);
    if (tracing->height)
        corners_of(tracing->height, x, y, corners);
    else if (known)
        memcpy(corners, known->corners, sizeof corners);
    const double from = (double)corners[ends[side][0]], to = (double)corners[ends[side][1]];
    const double share = ((double)tracing->level - from) / (to - from);
    const bool level = side == TOP || side == BOTTOM;
    const double across = x - 0.5 + (level ? share : side == RIGHT);
    const double down = y - 0.5 + (level ? side == BOTTOM : share);
    return (RiverPoint){ .x = clamp(across, 0, tracing->width),
                         .y = clamp(down, 0, tracing->rows),
                         .altitude = tracing->level };
}

static bool is_at(RiverPoint one, RiverPoint other) {
    return one.x == other.x && one.y == other.y;
}

// Where cells are as high as the level, lines run through their centres, and between two of them there and
// back: such spikes are dropped.
static bool append(const Tracing *tracing, int first, RiverPoint point) {
    LineList *lines = tracing->lines;
    const int last = lines->point_count - 1;
    if (last >= first && is_at(lines->points[last], point))
        return true;
    if (last > first && is_at(lines->points[last - 1], point)) {
        lines->point_count--;
        return true;
    }
    return lines_add_point(lines, point, tracing->error);
}

// Keeps the points from `first` on as a line, without the spike in which a closed one may begin; none if they
// are a single point.
static bool end_line(const Tracing *tracing, int first) {
    LineList *lines = tracing->lines;
    const RiverPoint *points = lines->points;
    int last = lines->point_count - 1;
    while (last - first > 2 && is_at(points[first], points[last]) &&
           is_at(points[first + 1], points[last - 1])) {
        first++;
        last--;
    }
    lines->point_count = last > first ? last + 1 : first;
    return last <= first || lines_add_reach(lines, first, tracing->error);
}

// Follows the line that enters square (x, y) at a side until it leaves the field or is closed.
static bool trace_from(const Tracing *tracing, int x, int y, int side) {
    LineList *lines = tracing->lines;
    const int first = lines->point_count;
    if (!append(tracing, first, crossing(tracing, x, y, side)))
        return false;
    while (x >= 0 && y >= 0 && x <= tracing->width && y <= tracing->rows) {
        uint8_t *code = code_at(tracing, x, y);
        const Passage passage = code ? passages[*code][side] : (Passage)NONE;
        if (passage.exit == NO_SIDE)
            break;
        *code = passage.rest;
        if (!append(tracing, first, crossing(tracing, x, y, passage.exit)))
            return false;
        x += (passage.exit == RIGHT) - (passage.exit == LEFT);
        y += (passage.exit == BOTTOM) - (passage.exit == TOP);
        side = (passage.exit + 2) % SIDES;
    }
    return end_line(tracing, first);
}

static bool trace_if_enters(const Tracing *tracing, int x, int y, int side) {
    const uint8_t *code = code_at(tracing, x, y);
    return !code || passages[*code][side].exit == NO_SIDE || trace_from(tracing, x, y, side);
}

static const int beside_x[SIDES] = { 0, 1, 0, -1 }, beside_y[SIDES] = { -1, 0, 1, 0 };

// Lines that begin where data does.
static bool trace_from_gaps(const Tracing *tracing) {
    const int width = tracing->height->width, height = tracing->height->height;
    bool enough = true;
    for (int y = 0; y <= height && enough; y++)
        for (int x = 0; x <= width && enough; x++) {
            if (!has_gap(tracing->height, x, y))
                continue;
            for (int side = 0; side < SIDES && enough; side++) {
                const int to_x = x + beside_x[side], to_y = y + beside_y[side];
                if (to_x >= 0 && to_y >= 0 && to_x <= width && to_y <= height)
                    enough = trace_if_enters(tracing, to_x, to_y, (side + 2) % SIDES);
            }
        }
    return enough;
}

// All lines that run through the squares `first` … `end` - 1 of row y.
static bool trace_block(const Tracing *tracing, int y, int first, int end) {
    const uint8_t *row = tracing->squares + (size_t)y * ((size_t)tracing->height->width + 1);
    bool enough = true;
    for (int x = first; x < end && enough; x++)
        for (int side = 0; row[x] != 0 && row[x] != 15 && side < SIDES && enough; side++)
            enough = trace_if_enters(tracing, x, y, side);
    return enough;
}

static bool trace_from_edges(const Tracing *tracing) {
    const int width = tracing->width, height = tracing->rows;
    bool enough = true;
    for (int x = 0; x <= width && enough; x++)
        enough = trace_if_enters(tracing, x, 0, TOP) && trace_if_enters(tracing, x, height, BOTTOM);
    for (int y = 0; y <= height && enough; y++)
        enough = trace_if_enters(tracing, 0, y, LEFT) && trace_if_enters(tracing, width, y, RIGHT);
    return enough;
}

// Lines that begin at an edge, then those that are closed.
static void trace_all(const Tracing *tracing) {
    const int width = tracing->width, height = tracing->rows;
    bool enough = trace_from_edges(tracing);
    if (enough && tracing->height->gaps)
        enough = trace_from_gaps(tracing);
    for (int y = 0; y <= height && enough; y++)
        for (int block = 0; block * BLOCK <= width && enough; block++)
            if (is_crossed(tracing, y, block))
                enough = trace_block(tracing, y, block * BLOCK, min((block + 1) * BLOCK, width + 1));
}

static SquareCodes *take_codes(Squares *squares) {
    for (int i = 0;; i = (i + 1) % squares->tracers)
        if (!atomic_exchange(&squares->codes[i].taken, true))
            return &squares->codes[i];
}

Status trace_contours(const Run *run, Squares *squares, float level, LineList *lines, Error *error) {
    const Field *height = squares->height;
    SquareCodes *codes = take_codes(squares);
    if (!codes->cleared)
        memset(codes->at, 0, ((size_t)height->height + 1) * ((size_t)height->width + 1));
    codes->cleared = true;
    const Tracing tracing = { .height = height,
                              .width = height->width,
                              .rows = height->height,
                              .level = level,
                              .ranges = squares->ranges,
                              .squares = codes->at,
                              .lines = lines,
                              .error = error };
    const Status status =
        parallel_rows(run, height->height + 1, height->width * 0.1, code_rows, (void *)&tracing);
    if (status == STATUS_OK)
        trace_all(&tracing);
    atomic_store(&codes->taken, false);
    return status == STATUS_OK ? lines->status : status;
}

// --- squares that are known --------------------------------------------------------------------------------

bool is_contour_code(int code) {
    return code < 16 || code == JOINED + 6 || code == JOINED + 9;
}

static unsigned gaps_beside(const Field *window, int x, int y) {
    unsigned gaps = 0;
    for (int side = 0; window->gaps && side < SIDES; side++) {
        const int to_x = x + beside_x[side], to_y = y + beside_y[side];
        if (to_x >= 0 && to_y >= 0 && to_x <= window->width && to_y <= window->height)
            gaps |= (unsigned)has_gap(window, to_x, to_y) << side;
    }
    return gaps;
}

// Makes room for a block of squares.
static Status make_room(ContourSquares *squares, Error *error) {
    if (squares->room - squares->count >= BLOCK)
        return STATUS_OK;
    const size_t room = 2 * squares->count + 1024;
    ContourSquare *grown = memory_enlarge(squares->at, squares->count, room, sizeof *grown, error);
    if (!grown)
        return STATUS_MEMORY;
    squares->at = grown;
    squares->room = room;
    return STATUS_OK;
}

// Takes the lines out of a block of squares, and adds these squares unless they are NULL.
static Status take_block(const Tracing *tracing, int y, int block, ContourSquare like,
                         ContourSquares *squares, Error *error) {
    const Field *window = tracing->height;
    uint8_t *codes = code_at(tracing, 0, y);
    const int end = min((block + 1) * BLOCK, window->width + 1);
    if (squares && make_room(squares, error) != STATUS_OK)
        return STATUS_MEMORY;
    for (int x = block * BLOCK; x < end; x++) {
        like.code = codes[x];
        codes[x] = 0;
        if (!squares || like.code == 0 || like.code == 15)
            continue;
        like.x = x;
        like.gaps = (uint8_t)gaps_beside(window, x, y);
        corners_of(window, x, y, like.corners);
        squares->at[squares->count++] = like;
    }
    return STATUS_OK;
}

Status contour_squares_add(const Run *run, const Field *window, int first, int end, int row,
                           const float *levels, int count, ContourSquares *squares, Error *error) {
    Squares all = { 0 };
    Status status = squares_begin(run, window, 1, &all, error);
    if (status == STATUS_OK)
        memset(all.codes[0].at, 0, ((size_t)window->height + 1) * ((size_t)window->width + 1));
    Tracing tracing = { .height = window,
                        .width = window->width,
                        .rows = window->height,
                        .ranges = all.ranges,
                        .squares = all.codes[0].at };
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        tracing.level = levels[i];
        status = parallel_rows(run, window->height + 1, window->width * 0.1, code_rows, &tracing);
        for (int y = 0; y <= window->height; y++)
            for (int block = 0; block < block_count(window) && status == STATUS_OK; block++)
                if (is_crossed(&tracing, y, block))
                    status =
                        take_block(&tracing, y, block, (ContourSquare){ .y = y + row, .level = (uint16_t)i },
                                   y >= first && y < end ? squares : NULL, error);
    }
    squares_free(&all);
    return status;
}

// Where a line may begin beside a square of which nothing is known.
typedef struct Beginning {
    int64_t order; // in which squares without data are looked at, side by side
    int32_t x, y, side;
} Beginning;

static int compare_beginnings(const void *one, const void *other) {
    const Beginning *a = one, *b = other;
    return (a->order > b->order) - (a->order < b->order);
}

static bool trace_from_known_gaps(const Tracing *tracing) {
    const size_t count = tracing->known.start[tracing->rows + 1];
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += (size_t)__builtin_popcount(tracing->known.at[i].gaps);
    Beginning *list = memory_new(all + 1, sizeof *list, tracing->error);
    if (!list) {
        tracing->lines->status = STATUS_MEMORY;
        return false;
    }
    all = 0;
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < SIDES; side++) {
            const ContourSquare *at = &tracing->known.at[i];
            const int64_t x = at->x + beside_x[side], y = at->y + beside_y[side];
            if (at->gaps >> side & 1)
                list[all++] = (Beginning){ (y * (tracing->width + 1) + x) * SIDES + (side + 2) % SIDES, at->x,
                                           at->y, side };
        }
    qsort(list, all, sizeof *list, compare_beginnings);
    bool enough = true;
    for (size_t i = 0; i < all && enough; i++)
        enough = trace_if_enters(tracing, list[i].x, list[i].y, list[i].side);
    memory_free(list);
    return enough;
}

Status trace_squares(ContourSquare *squares, size_t count, float level, int width, int height,
                     LineList *lines, Error *error) {
    Tracing tracing = {
        .width = width, .rows = height, .level = level, .known.at = squares, .lines = lines, .error = error
    };
    uint32_t *start = tracing.known.start = memory_new((size_t)height + 2, sizeof *start, error);
    if (!start)
        return STATUS_MEMORY;
    size_t at = 0;
    for (int y = 0; y <= height + 1; y++) {
        while (at < count && squares[at].y < y)
            at++;
        start[y] = (uint32_t)at;
    }
    bool enough = trace_from_edges(&tracing) && trace_from_known_gaps(&tracing);
    for (size_t i = 0; i < count && enough; i++)
        for (int side = 0; side < SIDES && enough; side++)
            enough = trace_if_enters(&tracing, squares[i].x, squares[i].y, side);
    memory_free(start);
    return lines->status;
}
