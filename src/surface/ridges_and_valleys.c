// Ridges and valleys as lines of cells (Peucker and Douglas 1975, "Detection of surface-specific points by
// local parallel processing of discrete terrain elevation data", section "Ridge and ravine lines"): a cell
// that is the lowest of no square of 2 × 2 cells lies on a ridge, one that is the highest of none in a
// valley. Where a crest is two equal rows, each of their cells would be the lowest of a square by a tie: of
// such a pair only the squares count that have one of both.

#include "core/memory.h"
#include "surface/nine_points.h"

#include <string.h>

// What is known of a cell: the squares of which it is the lowest, and to which sides an equal cell lies.
enum { NW = 1, NE = 2, SW = 4, SE = 8, EQUAL_BELOW = 16, EQUAL_RIGHT = 32 };

typedef struct Marking {
    float sign; // 1 for ridges, -1 for valleys
    bool wraps;
    uint8_t *known; // of each cell, with a cell more on every side
    size_t stride;
    Field *marks;
} Marking;

static uint8_t *known_row(const Marking *marking, int y) {
    return marking->known + (size_t)(y + 1) * marking->stride + 1;
}

// In whole numbers, which make vectors.
KERNEL_INLINE int lowest(float cell, float a, float b, float c) {
    const int below_a = cell <= a, below_b = cell <= b, below_c = cell <= c;
    return below_a & below_b & below_c;
}

KERNEL static void compare_cells(float sign, NinePoints at, int count, uint8_t *restrict known) {
    const float *restrict up = at.up, *restrict row = at.row, *restrict down = at.down;
    for (int x = 0; x < count; x++) {
        const float e = sign * row[x], a = sign * up[x - 1], b = sign * up[x], c = sign * up[x + 1];
        const float d = sign * row[x - 1], f = sign * row[x + 1];
        const float g = sign * down[x - 1], h = sign * down[x], i = sign * down[x + 1];
        known[x] = (uint8_t)(lowest(e, a, b, d) * NW | lowest(e, b, c, f) * NE | lowest(e, d, g, h) * SW |
                             lowest(e, f, h, i) * SE | (e == h) * EQUAL_BELOW | (e == f) * EQUAL_RIGHT);
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): as nine_points wants it
static void compare(const void *context, NinePoints at, int count, float *out) {
    (void)out;
    const Marking *marking = context;
    compare_cells(marking->sign, at, count, known_row(marking, at.y) + at.x);
}

// Pairs over edges that meet; elsewhere none.
static void continue_beyond_edges(const Marking *marking, int width, int height) {
    for (int y = 0; y < height; y++) {
        uint8_t *row = known_row(marking, y);
        row[-1] = marking->wraps ? row[width - 1] : 0;
        row[width] = row[0];
        if (!marking->wraps)
            row[width - 1] &= (uint8_t)~EQUAL_RIGHT;
    }
    if (marking->wraps) {
        memcpy(known_row(marking, -1), known_row(marking, height - 1), (size_t)width);
        memcpy(known_row(marking, height), known_row(marking, 0), (size_t)width);
        return;
    }
    memset(known_row(marking, -1), 0, (size_t)width);
    memset(known_row(marking, height), 0, (size_t)width);
    for (int x = 0; x < width; x++)
        known_row(marking, height - 1)[x] &= (uint8_t)~EQUAL_BELOW;
}

// Whether a cell and its equal one are the lowest of no square on their sides.
KERNEL_INLINE int is_crest(int cell, int equal, int squares, int other, int other_squares) {
    return ((cell & equal) != 0) & ((cell & squares) == 0) & ((other & other_squares) == 0);
}

KERNEL static void mark_cells(const uint8_t *restrict up, const uint8_t *restrict row,
                              const uint8_t *restrict down, int count, float *restrict marks) {
    for (int x = 0; x < count; x++) {
        const int some = ((row[x] & (NW | NE | SW | SE)) == 0) |
                         is_crest(row[x], EQUAL_BELOW, NW | NE, down[x], SW | SE) |
                         is_crest(up[x], EQUAL_BELOW, NW | NE, row[x], SW | SE) |
                         is_crest(row[x], EQUAL_RIGHT, NW | SW, row[x + 1], NE | SE) |
                         is_crest(row[x - 1], EQUAL_RIGHT, NW | SW, row[x], NE | SE);
        marks[x] = (float)some;
    }
}

static void mark_rows(void *context, int first, int end) {
    const Marking *marking = context;
    for (int y = first; y < end; y++)
        mark_cells(known_row(marking, y - 1), known_row(marking, y), known_row(marking, y + 1),
                   marking->marks->width, field_row(marking->marks, y));
}

static Status mark(const Call *call, float sign, Error *error) {
    const int width = call->width, height = call->height;
    Marking marking = {
        .sign = sign, .wraps = call->wraps, .stride = (size_t)width + 2, .marks = &call->outputs[0].field
    };
    if (!(marking.known = memory_new(marking.stride, (size_t)height + 2, error)))
        return STATUS_MEMORY;
    Status status = nine_points(call, compare, &marking, 1, NULL);
    if (status == STATUS_OK) {
        continue_beyond_edges(&marking, width, height);
        status = parallel_rows(call->run, height, width * 0.3, mark_rows, &marking);
    }
    memory_free(marking.known);
    return status;
}

static Status run_ridges(const Call *call, Error *error) {
    return mark(call, 1, error);
}

static Status run_valleys(const Call *call, Error *error) {
    return mark(call, -1, error);
}

#define SOURCE                                                                                               \
    "Peucker and Douglas 1975, Detection of surface-specific points by local parallel processing of "        \
    "discrete terrain elevation data"
#define DESCRIPTION                                                                                          \
    "Every bump counts: blur rough ground first. A crest or bottom of two equal rows is marked on both, a "  \
    "wider flat on none. " ON_BEYOND_EDGES

const Operation op_ridges = {
    .name = "ridges",
    .gaps = GAPS_KEPT,
    .category = "surface",
    .keywords = "crest line divide watershed skeleton mask",
    .summary = "Marks the cells that lie on ridges",
    .description = DESCRIPTION
    "\n\nThe mask has gaps and spurs. Ridges as lines, which join and can be saved as .geojson, "
    "are where water drains on the ground turned upside down: the rivers of 1 - height, once "
    "its pits, the summits, are opened. The example's threshold is the least share of the field that "
    "drains to a ridge.",
    .source = SOURCE,
    .inputs = { { "height", "heights" } },
    .outputs = { { "ridges", "1 on ridges, 0 elsewhere" } },
    .example = "local crests = height:blur{ sigma = 0.008 }:ridges()\n"
               "local lines = (1 - height):breach():rivers_from_flow{ threshold = 0.002, sea_level = -1 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:blur{ sigma = 0.008 }:ridges():relief{ palette = \"grey\", contrast = 0 }",
    .see_also = "valleys rivers_from_flow breach curvature position_index",
    .run = run_ridges,
};

const Operation op_valleys = {
    .name = "valleys",
    .gaps = GAPS_KEPT,
    .category = "surface",
    .keywords = "ravine thalweg channel line skeleton mask",
    .summary = "Marks the cells that lie in the bottoms of valleys",
    .description = DESCRIPTION
    "\n\nThe mask has gaps and spurs. Valleys as lines, which join and can be saved as .geojson, are "
    "the rivers of rivers_from_flow.",
    .source = SOURCE,
    .inputs = { { "height", "heights" } },
    .outputs = { { "valleys", "1 in valley bottoms, 0 elsewhere" } },
    .example = "local bottoms = height:blur{ sigma = 0.008 }:valleys()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:blur{ sigma = 0.008 }:valleys():relief{ palette = \"grey\", contrast = 0 }",
    .see_also = "ridges rivers_from_flow flow_accumulation",
    .run = run_valleys,
};
