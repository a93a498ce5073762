// Lines of equal height.

#include "core/field.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/summary.h"
#include "rivers/network.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A square lies between four cells' centres, the outermost between repeated cells. Its code has a bit for
// each corner above the level: 1 upper left, 2 upper right, 4 lower left, 8 lower right. Where two opposite
// corners are above, the lines run as those of the bilinear surface (Nielson and Hamann 1991, "The asymptotic
// decider: resolving the ambiguity in marching cubes"): codes JOINED + 6 and + 9 where its saddle is above.

enum { LINE_POINTS_MAX = INT_MAX / 4 };

// Zeroed at first; freed by lines_free.
typedef struct LineList {
    RiverPoint *points;
    Reach *reaches;
    int point_count, point_room, reach_count, reach_room;
    Status status; // of the first failure
} LineList;

enum { TRACERS_MAX = 16 };

// The codes of all squares at one level: (width + 1) × (height + 1). Between two levels no line runs through
// any.
typedef struct SquareCodes {
    uint8_t *at;
    bool cleared;
    atomic_bool taken; // by a thread that traces
} SquareCodes;

typedef struct Squares {
    const Field *height;
    float *ranges; // the lowest and the highest corner of each block of squares
    SquareCodes codes[TRACERS_MAX];
    int tracers;
} Squares;

// --- lists of lines ----------------------------------------------------------------------------------------

static void lines_free(LineList *lines) {
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

// Cuts the corners of a list's lines from `first` on (Chaikin 1974, "An algorithm for high speed curve
// generation"), `rounds` times.
static Status smooth_lines(LineList *lines, int first, int rounds, Error *error) {
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

typedef struct Tracing {
    const Field *height;
    float level;
    float *ranges;
    uint8_t *squares;
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

// Prepares the tracing of `levels` contours. Freed by squares_free, also after a failure.
static Status squares_begin(const Run *run, const Field *height, int levels, Squares *squares, Error *error) {
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

static void squares_free(Squares *squares) {
    for (int i = 0; i < squares->tracers; i++)
        memory_free(squares->codes[i].at);
    memory_free(squares->ranges);
}

// On at most this run's threads trace_contours may be called at once.
static Run squares_run(const Squares *squares, const Run *run) {
    Run limited = *run;
    const int threads = run->threads > 0 ? run->threads : processor_count();
    limited.threads = min(threads, squares->tracers);
    return limited;
}

// --- lines along a level -----------------------------------------------------------------------------------

// Where the level crosses a side of a square.
static RiverPoint crossing(const Tracing *tracing, int x, int y, int side) {
    static const uint8_t ends[SIDES][2] = { { 0, 1 }, { 1, 3 }, { 2, 3 }, { 0, 2 } }; // corners
    float corners[4];
    corners_of(tracing->height, x, y, corners);
    const double from = (double)corners[ends[side][0]], to = (double)corners[ends[side][1]];
    const double share = ((double)tracing->level - from) / (to - from);
    const bool level = side == TOP || side == BOTTOM;
    const double across = x - 0.5 + (level ? share : side == RIGHT);
    const double down = y - 0.5 + (level ? side == BOTTOM : share);
    return (RiverPoint){ .x = clamp(across, 0, tracing->height->width),
                         .y = clamp(down, 0, tracing->height->height),
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
    const int width = tracing->height->width, height = tracing->height->height;
    LineList *lines = tracing->lines;
    const int first = lines->point_count;
    if (!append(tracing, first, crossing(tracing, x, y, side)))
        return false;
    while (x >= 0 && y >= 0 && x <= width && y <= height) {
        uint8_t *code = &tracing->squares[(size_t)y * ((size_t)width + 1) + (size_t)x];
        const Passage passage = passages[*code][side];
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
    const uint8_t code = tracing->squares[(size_t)y * ((size_t)tracing->height->width + 1) + (size_t)x];
    return passages[code][side].exit == NO_SIDE || trace_from(tracing, x, y, side);
}

// Lines that begin where data does.
static bool trace_from_gaps(const Tracing *tracing) {
    static const int beside_x[SIDES] = { 0, 1, 0, -1 }, beside_y[SIDES] = { -1, 0, 1, 0 };
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

// Lines that begin at an edge, then those that are closed.
static void trace_all(const Tracing *tracing) {
    const int width = tracing->height->width, height = tracing->height->height;
    bool enough = true;
    for (int x = 0; x <= width && enough; x++)
        enough = trace_if_enters(tracing, x, 0, TOP) && trace_if_enters(tracing, x, height, BOTTOM);
    for (int y = 0; y <= height && enough; y++)
        enough = trace_if_enters(tracing, 0, y, LEFT) && trace_if_enters(tracing, width, y, RIGHT);
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

// Adds the lines along which the field, interpolated bilinearly between cells' centres, is at `level`: higher
// ground on the right. They end at the field's edges, where there is no data, or where they
// began.
static Status trace_contours(const Run *run, Squares *squares, float level, LineList *lines, Error *error) {
    const Field *height = squares->height;
    SquareCodes *codes = take_codes(squares);
    if (!codes->cleared)
        memset(codes->at, 0, ((size_t)height->height + 1) * ((size_t)height->width + 1));
    codes->cleared = true;
    Tracing tracing = { height, level, squares->ranges, codes->at, lines, error };
    const Status status = parallel_rows(run, height->height + 1, height->width * 0.1, code_rows, &tracing);
    if (status == STATUS_OK)
        trace_all(&tracing);
    atomic_store(&codes->taken, false);
    return status == STATUS_OK ? lines->status : status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Contours {
    double interval;
    Numbers levels;
    int smooth, index;
    double line;
} Contours;

enum { LEVELS_MAX = 10000, INDEX_ORDER = 2 };

typedef struct Level {
    float height;
    bool index; // drawn thicker
} Level;

typedef struct Levels {
    Level *at;
    int count;
} Levels;

// --- levels ----------------------------------------------------------------------------------------------

// By height, index levels first.
static int compare(const void *one, const void *other) {
    const Level *a = one, *b = other;
    const int heights = (a->height > b->height) - (a->height < b->height);
    return heights ? heights : b->index - a->index;
}

static bool is_index(const Contours *params, double number) {
    return params->index > 0 && number - params->index * floor(number / params->index) == 0;
}

// 1, 2 or 5 times a power of ten: the least that divides a range into at most 12.5, and so into more than 5.
static double round_interval(double range) {
    static const double steps[] = { 2, 2.5, 2 }; // from 1 to 2 to 5 to 10
    double interval = 1;
    int step = 0;
    if (!(range > 1e-30))
        return 1;
    for (; range / interval < 12.5; interval /= 10)
        ;
    for (; range / interval > 12.5; interval *= steps[step++ % 3])
        ;
    return interval;
}

// The numbers of the multiples of the interval, counted from the sea, within the range of heights; none with
// levels alone.
static Status find_multiples(const Call *call, double *interval, double *from, int *count, Error *error) {
    const Contours *params = call->params;
    double low, high;
    *count = 0;
    if (params->levels.count && params->interval == 0)
        return STATUS_OK;
    const Status status = field_range(call->run, call->inputs[0].field, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const double sea = call->frame.sea;
    *interval = params->interval > 0 ? params->interval : round_interval(high - low);
    *from = ceil((low - sea) / *interval);
    const double all = floor((high - sea) / *interval) - *from + 1;
    if (!(all <= LEVELS_MAX))
        return fail(error, STATUS_INVALID, "an interval of %s gives %s lines between %s and %s; at most %d",
                    digits_of(*interval).text, digits_of(all).text, digits_of(low).text, digits_of(high).text,
                    LEVELS_MAX);
    *count = whole_within(all, 0, LEVELS_MAX);
    return STATUS_OK;
}

// Finds the levels of the interval and of the list, each once, from the lowest.
static Status find_levels(const Call *call, Levels *levels, Error *error) {
    const Contours *params = call->params;
    double interval = 0, from = 0;
    int multiples;
    const Status status = find_multiples(call, &interval, &from, &multiples, error);
    if (status != STATUS_OK)
        return status;
    const int all = multiples + params->levels.count;
    levels->at = memory_new((size_t)all + 1, sizeof *levels->at, error);
    if (!levels->at)
        return STATUS_MEMORY;
    for (int i = 0; i < multiples; i++)
        levels->at[i] =
            (Level){ (float)(call->frame.sea + (from + i) * interval), is_index(params, from + i) };
    for (int i = 0; i < params->levels.count; i++)
        levels->at[multiples + i] = (Level){ (float)params->levels.at[i], false };
    qsort(levels->at, (size_t)all, sizeof *levels->at, compare);
    for (int i = 0; i < all; i++)
        if (i == 0 || levels->at[i].height != levels->at[levels->count - 1].height)
            levels->at[levels->count++] = levels->at[i];
    for (int i = 0; multiples == 0 && i < levels->count; i++)
        levels->at[i].index = is_index(params, i);
    return STATUS_OK;
}

// --- lines -----------------------------------------------------------------------------------------------

// The lines of a level, and where the network has them.
typedef struct LevelLines {
    LineList lines;
    Status status;
    int first_reach, first_point;
} LevelLines;

typedef struct Tracer {
    const Call *call;
    const Levels *levels;
    Squares squares;
    LevelLines *found;
    RiverNetwork *network;
} Tracer;

static void trace_levels(void *context, int first, int end) {
    Tracer *tracer = context;
    const Contours *params = tracer->call->params;
    Error ignored; // told once, for all threads
    for (int i = first; i < end; i++) {
        const Level *level = &tracer->levels->at[i];
        LevelLines *found = &tracer->found[i];
        LineList *lines = &found->lines;
        found->status = trace_contours(tracer->call->run, &tracer->squares, level->height, lines, &ignored);
        if (found->status == STATUS_OK)
            found->status = smooth_lines(lines, 0, params->smooth, &ignored);
        for (int k = 0; k < lines->reach_count; k++)
            lines->reaches[k].order = level->index ? INDEX_ORDER : 1;
    }
}

// Places the lines of all levels one after the other, from the lowest.
static Status place_lines(const Tracer *tracer, int *reaches, int *points, Error *error) {
    int64_t all = 0;
    *reaches = *points = 0;
    for (int i = 0; i < tracer->levels->count; i++) {
        LevelLines *found = &tracer->found[i];
        if (found->status == STATUS_MEMORY)
            return fail(error, STATUS_MEMORY, "not enough memory for the lines");
        for (int k = 0; k < found->lines.reach_count; k++)
            all += found->lines.reaches[k].count;
        if (found->status == STATUS_INVALID || all > LINE_POINTS_MAX)
            return fail(error, STATUS_INVALID, "lines of more than %d points", LINE_POINTS_MAX);
        if (found->status != STATUS_OK)
            return found->status;
        found->first_reach = *reaches;
        found->first_point = *points;
        *reaches += found->lines.reach_count;
        *points = (int)all;
    }
    return STATUS_OK;
}

static void copy_levels(void *context, int first, int end) {
    const Tracer *tracer = context;
    const Contours *params = tracer->call->params;
    RiverNetwork *network = tracer->network;
    for (int i = first; i < end; i++) {
        const LevelLines *found = &tracer->found[i];
        int point = found->first_point;
        for (int k = 0; k < found->lines.reach_count; k++) {
            const Reach from = found->lines.reaches[k];
            Reach *to = &network->reaches[found->first_reach + k];
            *to = from;
            to->first = point;
            for (int j = 0; j < from.count; j++) {
                network->points[point] = found->lines.points[from.first + j];
                network->points[point++].width = (float)(params->line * from.order);
            }
        }
    }
}

// Points get their distances to the line's end.
static Status settle(const Tracer *tracer, Error *error) {
    const Status status = network_settle(tracer->network, error);
    for (int i = 0; i < tracer->levels->count; i++) {
        const LevelLines *found = &tracer->found[i];
        for (int k = 0; k < found->lines.reach_count; k++)
            tracer->network->reaches[found->first_reach + k].order = found->lines.reaches[k].order;
    }
    return status;
}

static Status make_network(Tracer *tracer, Error *error) {
    const Call *call = tracer->call;
    const Field *height = call->inputs[0].field;
    int reaches, points;
    Status status = place_lines(tracer, &reaches, &points, error);
    if (status != STATUS_OK)
        return status;
    RiverNetwork *network = tracer->network = network_new(reaches, points, 0, error);
    if (!network)
        return STATUS_MEMORY;
    network->lines = true;
    network->width = height->width;
    network->height = height->height;
    network->cell = 1.0 / field_side(height);
    status = parallel_rows(call->run, tracer->levels->count, 10.0 * points / max(tracer->levels->count, 1),
                           copy_levels, tracer);
    return status == STATUS_OK ? settle(tracer, error) : status;
}

// Says so if no level that was asked for is within the heights.
static Status tell_none(const Call *call, Error *error) {
    const Contours *params = call->params;
    double low, high;
    const Status status = field_range(call->run, call->inputs[0].field, &low, &high, error);
    if (status == STATUS_OK && (params->interval > 0 || params->levels.count))
        tell(call->notice, "no lines: the heights are %s to %s", digits_of(low).text, digits_of(high).text);
    return status;
}

static Status trace(Tracer *tracer, Error *error) {
    const Call *call = tracer->call;
    const Field *height = call->inputs[0].field;
    const int count = tracer->levels->count;
    tracer->found = memory_new_zeroed((size_t)count, sizeof *tracer->found, error);
    if (!tracer->found)
        return STATUS_MEMORY;
    Status status = squares_begin(call->run, height, count, &tracer->squares, error);
    if (status == STATUS_OK) {
        const Run run = squares_run(&tracer->squares, call->run);
        const double cells = (double)height->width * height->height;
        status = parallel_rows(&run, count, 0.3 * cells, trace_levels, tracer);
    }
    squares_free(&tracer->squares);
    if (status == STATUS_OK)
        status = make_network(tracer, error);
    for (int i = 0; i < count; i++)
        lines_free(&tracer->found[i].lines);
    memory_free(tracer->found);
    return status;
}

static Status run(const Call *call, Error *error) {
    Levels levels = { 0 };
    Tracer tracer = { .call = call, .levels = &levels };
    Status status = find_levels(call, &levels, error);
    if (status == STATUS_OK)
        status = trace(&tracer, error);
    if (status == STATUS_OK && tracer.network->reach_count == 0)
        status = tell_none(call, error);
    if (status == STATUS_OK)
        call->outputs[0].value = tracer.network;
    else
        memory_free(tracer.network);
    memory_free(levels.at);
    return status;
}

static const Param params[] = {
    PARAM(Contours, interval, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc =
              "height between lines, counted from the sea of the frame, or 0; 0: a round number for 5 to 13, "
              "or none if there are levels"),
    PARAM(Contours, levels, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "heights of further lines; without an interval, of all lines"),
    PARAM(Contours, smooth, .initial = 0, .min = 0, .max = 6,
          .doc = "how often corners are cut; lines at different heights may then touch on rough ground"),
    PARAM(Contours, index, .initial = 5, .min = 0, .max = 1000,
          .doc = "every index-th level, counted from there or from the lowest of a list, has lines of "
                 "order 2 and twice the width; 0: none"),
    PARAM(Contours, line, .initial = 0.4, .min = 0, .max = 100, .unit = UNIT_CELLS,
          .doc = "width of other lines"),
    { 0 },
};

const Operation op_contours = {
    .name = "contours",
    .category = "analysis",
    .keywords = "isolines isohypses level lines topographic map elevation vector",
    .summary = "Finds the lines of equal height",
    .description =
        "A RiverNetwork of lines, each at one height, with higher ground on its right; a closed line ends in "
        "its first point. Heights between the centres of cells are bilinear. Lines of one height never "
        "cross, and without smoothing those of different heights do not. Files: .geojson has the height "
        "of each line, .svg labels on those of order 2.",
    .source = "marching squares; saddles: Nielson and Hamann 1991; smoothing: Chaikin 1974",
    .gaps = GAPS_OWN,
    .inputs = { { "height", "heights" } },
    .outputs = { { "lines", "the lines", &type_network } },
    .params = params,
    .params_size = sizeof(Contours),
    .example = "local lines = height:contours{ interval = 0.05, smooth = 2 }",
    .picture = "return height:blur{ sigma = 0.008 }:contours{ interval = 0.1, smooth = 2 }",
    .see_also = "draw relief",
    .run = run,
};
