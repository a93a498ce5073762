// Olsen's erosion for games (Olsen 2004, "A new proposed algorithm"): the paper's optimized thermal erosion
// with the condition reversed. Ground FLATTER than the talus is levelled; steeper slopes remain and get
// steeper. Each cell immediately gives half of the difference to the lowest of its four neighbours where 0 <
// d <= T: material received from earlier cells moves on in the same pass. This widens the flats, and is why
// this erosion, unlike the others, depends on the order of cells.

#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/random.h"
#include "erosion/erodibility.h"

#include <float.h>

// --- the order of cells ------------------------------------------------------------------------------------

// The order of erosion in place, which changes the heights while it goes over them. It is part of the
// algorithm, the same for any number of threads and any width of vectors, and chosen so that it leaves no
// marks:
//
// Rows: a pass goes over all of them, four passes downwards, the next four upwards. No row is an edge inside
// the field. Where opposite edges meet, each four passes begin at another row, and no row is the first one:
// of the first rows, 64 or half of all, a pass takes some cells, more and more, and at the end comes back for
// the others.
//
// Columns: a row is cut into 16 strips of equal width, the first ones a column wider where 16 does not divide
// it. All strips go together, sixteen cells at a time, which lie so far apart that they do not touch the same
// cell; two passes to the right, the next two to the left. Where in its strips a row begins differs from row
// to row and from pass to pass, so that no border between strips stays in one place. At its end a strip goes
// on with its own first column.
//
// The four passes in one direction run at once, each a block of rows behind the one before. The result is
// that of passes one after the other, except where opposite edges meet: there a pass begins before the pass
// ahead of it has come round.
//
// The cells of a row are interleaved, cell i of all strips side by side, so that sixteen of them are one
// load. Beyond the edges of a field whose opposite edges do not meet stands a wall, higher than all ground.

enum { STRIPS = 16, STRIP_MIN = 3 }; // cells of two strips must lie three columns apart

// The layout of an interleaved field, and the neighbours of sixteen cells that are processed together.
typedef struct StripLayout {
    int width, height;
    bool wraps;
    int strip, rest; // columns in a strip, and how many strips have one more; 0: cells go one by one
    int stride;      // cells in an interleaved row, the last of which is a wall
    int left_of_first[STRIPS], right_of_last[STRIPS];
} StripLayout;

// The interleaved rows of a field, and the two walls above and below it.
typedef struct Interleaved {
    StripLayout layout;
    float *cells;
} Interleaved;

// Row y, -1 … height.
static inline float *interleaved_row(const Interleaved *interleaved, int y) {
    const StripLayout *layout = &interleaved->layout;
    const int at = layout->wraps ? wrap(y, layout->height) : y < 0 ? layout->height + 1 : y;
    return interleaved->cells + (size_t)at * (size_t)layout->stride;
}

// The position of column x in an interleaved row, -1 … width.
static inline int interleaved_column(const StripLayout *layout, int x) {
    if (!layout->wraps && (x < 0 || x >= layout->width))
        return layout->stride - 1;
    x = wrap(x, layout->width);
    const int wider = layout->strip + 1, in_wider = layout->rest * wider;
    if (layout->strip == 0)
        return x;
    if (x < in_wider)
        return x % wider * STRIPS + x / wider;
    return (x - in_wider) % layout->strip * STRIPS + layout->rest + (x - in_wider) / layout->strip;
}

// The column of cell i of a strip.
static inline int strip_column(const StripLayout *layout, int strip, int i) {
    return strip * layout->strip + min(strip, layout->rest) + i;
}

// The course of a row: where it begins, its direction, and which of its cells are processed.
typedef struct Course {
    int start; // the cell of each strip that is processed first
    bool leftwards;
    bool all; // or those whose random bits lie in least … most
    uint32_t least, most;
    RandomKey key;
} Course;

// Branch-free, so that loops over strips vectorise.
static inline bool course_takes(const Course *course, int x, int y) {
    return random_bits(course->key, (uint32_t)x, (uint32_t)y) - course->least <= course->most - course->least;
}

// Cells in the widest strip, or in a row that is not cut.
static inline int course_length(const StripLayout *layout) {
    return layout->strip > 0 ? layout->strip + (layout->rest > 0 ? 1 : 0) : layout->width;
}

// The cell that is taken at `step`, 0 … course_length - 1.
static inline int course_cell(const StripLayout *layout, const Course *course, int step) {
    return wrap(course->leftwards ? course->start - step : course->start + step, course_length(layout));
}

// Erodes row y in place, its cells in the order of `course`.
typedef void RowRule(void *context, const Course *course, int y);

// A pass stays AHEAD rows plus a block before the next one, so that they never touch the same row.
enum { PASSES = 4, BLOCK = 64, AHEAD = 2 };

static StripLayout strip_layout(int width, int height, bool wraps) {
    StripLayout layout = { .width = width, .height = height, .wraps = wraps };
    if (width / STRIPS >= STRIP_MIN && height > 2) {
        layout.strip = width / STRIPS;
        layout.rest = width % STRIPS;
    }
    layout.stride = layout.strip > 0 ? (course_length(&layout) + 1) * STRIPS : width + 1;
    for (int strip = 0; layout.strip > 0 && strip < STRIPS; strip++) {
        layout.left_of_first[strip] = interleaved_column(&layout, strip_column(&layout, strip, 0) - 1);
        layout.right_of_last[strip] = interleaved_column(&layout, strip_column(&layout, strip, layout.strip));
    }
    return layout;
}

typedef struct Copying {
    const Interleaved *interleaved;
    const Field *from;
    Field *to;
} Copying;

static void interleave_rows(void *context, int first, int end) {
    const Copying *copying = context;
    const StripLayout *layout = &copying->interleaved->layout;
    for (int y = first; y < end; y++) {
        const float *from = field_row(copying->from, y);
        float *to = interleaved_row(copying->interleaved, y);
        for (int i = 0; i < layout->strip; i++)
            for (int strip = 0; strip < STRIPS; strip++)
                to[i * STRIPS + strip] = from[strip_column(layout, strip, i)];
        for (int strip = 0; strip < layout->rest; strip++)
            to[layout->strip * STRIPS + strip] = from[strip_column(layout, strip, layout->strip)];
        for (int x = 0; layout->strip == 0 && x < layout->width; x++)
            to[x] = from[x];
        to[layout->stride - 1] = FLT_MAX;
    }
}

static void separate_rows(void *context, int first, int end) {
    const Copying *copying = context;
    const StripLayout *layout = &copying->interleaved->layout;
    for (int y = first; y < end; y++) {
        const float *from = interleaved_row(copying->interleaved, y);
        float *to = field_row(copying->to, y);
        for (int strip = 0; strip < STRIPS; strip++)
            for (int i = 0; i < layout->strip; i++)
                to[strip_column(layout, strip, i)] = from[i * STRIPS + strip];
        for (int strip = 0; strip < layout->rest; strip++)
            to[strip_column(layout, strip, layout->strip)] = from[layout->strip * STRIPS + strip];
        for (int x = 0; layout->strip == 0 && x < layout->width; x++)
            to[x] = from[x];
    }
}

// `field` is as wide as the layout; its rows may be fewer. Needs (its height + 2) × stride cells.
static Status interleaved_create(Interleaved *interleaved, StripLayout layout, const Run *run,
                                 const Field *field, Error *error) {
    interleaved->layout = layout;
    interleaved->layout.height = field->height;
    const size_t stride = (size_t)layout.stride, rows = (size_t)field->height;
    interleaved->cells = memory_new_cells(layout.stride, field->height + 2, sizeof(float), error);
    if (!interleaved->cells)
        return STATUS_MEMORY;
    for (size_t i = rows * stride; i < (rows + 2) * stride; i++)
        interleaved->cells[i] = FLT_MAX;
    Copying copying = { .interleaved = interleaved, .from = field };
    return parallel_rows(run, field->height, field->width * 1.0, interleave_rows, &copying);
}

static void interleaved_free(Interleaved *interleaved) {
    memory_free(interleaved->cells);
    interleaved->cells = NULL;
}

static Status interleaved_read(const Interleaved *interleaved, const Run *run, Field *field) {
    Copying copying = { .interleaved = interleaved, .to = field };
    return parallel_rows(run, field->height, field->width * 1.0, separate_rows, &copying);
}

// The passes in one direction.
typedef struct Descent {
    RowRule *rule;
    void *context;
    const StripLayout *layout;
    int first_pass, passes, top, stage;
    int overlap; // rows that a pass visits first and last
    bool upwards;
} Descent;

// The `place`-th row of a pass and its course.
static void sweep_row(const Descent *descent, int pass, int place) {
    const int rows = descent->layout->height, overlap = descent->overlap;
    const bool again = place >= rows;
    const int row = again ? place - rows : place;
    const int y = (descent->top + (descent->upwards ? rows - 1 - row : row)) % rows;
    const RandomKey key = random_key((uint64_t)pass, 0);
    const uint32_t start =
        random_bits(key, UINT32_MAX, (uint32_t)y) % (uint32_t)course_length(descent->layout);
    const uint32_t step = UINT32_MAX / (uint32_t)(overlap + 1), bound = step * ((uint32_t)row + 1);
    const Course course = { .start = (int)start,
                            .leftwards = pass / 2 % 2 == 1,
                            .all = row >= overlap,
                            .least = again ? bound : 0,
                            .most = again || row >= overlap ? UINT32_MAX : bound - 1,
                            .key = key };
    descent->rule(descent->context, &course, y);
}

// The rows that pass `at` of a descent visits in this stage.
static void sweep_blocks(void *context, int first, int last) {
    const Descent *descent = context;
    const int places = descent->layout->height + descent->overlap;
    for (int at = first; at < last; at++) {
        const int from = (descent->stage - at) * BLOCK - at * AHEAD, to = from + BLOCK;
        for (int place = max(from, 0); place < min(to, places); place++)
            sweep_row(descent, descent->first_pass + at, place);
    }
}

static Status descend(const Run *run, Descent *descent, int done, int total, double cost_per_row) {
    const int places = descent->layout->height + descent->overlap;
    const int stages = (places + BLOCK - 1 + (descent->passes - 1) * (BLOCK + AHEAD)) / BLOCK;
    Status status = STATUS_OK;
    for (descent->stage = 0; status == STATUS_OK && descent->stage < stages; descent->stage++) {
        const double share = (double)descent->stage / stages;
        status = run_advance(run, done + share * descent->passes, total);
        if (status == STATUS_OK)
            status = parallel_rows(run, descent->passes, BLOCK * cost_per_row, sweep_blocks, descent);
    }
    return status;
}

// All passes, in the order above.
static Status sweep_in_place(const Run *run, const StripLayout *layout, int passes, double cost_per_row,
                             RowRule *rule, void *context) {
    const int rows = layout->height;
    // On a torus the first pass must not reach the rows of the last one.
    const int together = layout->wraps && rows < (PASSES + 1) * (BLOCK + AHEAD) ? 1 : PASSES;
    Descent descent = { .rule = rule, .context = context, .layout = layout };
    if (layout->wraps)
        descent.overlap = min(rows / 2, BLOCK);
    Status status = STATUS_OK;
    for (int pass = 0; status == STATUS_OK && pass < passes; pass += descent.passes) {
        const RandomKey key = random_key((uint64_t)(pass / PASSES), 1);
        descent.first_pass = pass;
        descent.passes = min(passes - pass, together);
        descent.upwards = pass / PASSES % 2 == 1;
        descent.top = layout->wraps ? (int)(random_bits(key, 0, 0) % (uint32_t)rows) : 0;
        status = descend(run, &descent, pass, passes, cost_per_row);
    }
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct OlsenErosion {
    int iterations;
    double talus; // T
    const Field *mask;
} OlsenErosion;

typedef struct Pass {
    Interleaved heights, shares; // shares: the mask; of one row where there is none
    float talus;
} Pass;

// Erodes one cell. Of equally low neighbours the first is chosen; `a` … `d` are cells that `centre` may
// give to.
KERNEL_INLINE void level_cell(float *centre, float *a, float *b, float *c, float *d, float share,
                              float talus) {
    const float height = *centre;
    const float ab = min(*a, *b), cd = min(*c, *d), lowest = min(ab, cd);
    const float difference = height - lowest;
    const float given = difference > 0 && difference <= talus ? 0.5f * share * difference : 0;
    const float to_a = *a == lowest ? given : 0;
    const float after_a = *a == lowest ? 0 : given;
    const float to_b = *b == lowest ? after_a : 0;
    const float after_b = *b == lowest ? 0 : after_a;
    const float to_c = *c == lowest ? after_b : 0;
    const float to_d = *c == lowest ? 0 : after_b;
    *centre = height - given;
    *a += to_a;
    *b += to_b;
    *c += to_c;
    *d += to_d;
}

KERNEL_INLINE void level_strips(float *restrict centre, float *restrict left, float *restrict right,
                                float *restrict up, float *restrict down, const float *restrict share,
                                float talus) {
    for (int strip = 0; strip < STRIPS; strip++)
        level_cell(&centre[strip], &left[strip], &right[strip], &up[strip], &down[strip], share[strip],
                   talus);
}

// The neighbours on one side are in other strips, at `beside`.
KERNEL_INLINE void level_edge(float *up, float *row, float *down, const float *share, int i,
                              const int *beside, float talus) {
    float *centre = row + i * STRIPS, neighbours[STRIPS];
    for (int strip = 0; strip < STRIPS; strip++)
        neighbours[strip] = row[beside[strip]];
    if (i == 0)
        level_strips(centre, neighbours, centre + STRIPS, up, down, share, talus);
    else
        level_strips(centre, centre - STRIPS, neighbours, up, down, share, talus);
    for (int strip = 0; strip < STRIPS; strip++)
        row[beside[strip]] = neighbours[strip];
}

static void level_one(const StripLayout *layout, float *up, float *row, float *down, float share, int x,
                      float talus) {
    const int here = interleaved_column(layout, x);
    level_cell(&row[here], &row[interleaved_column(layout, x - 1)], &row[interleaved_column(layout, x + 1)],
               &up[here], &down[here], share, talus);
}

// Cell i of each strip, or of the wider ones.
KERNEL_INLINE void level_step(const StripLayout *layout, float *up, float *row, float *down,
                              const float *share, int i, float talus) {
    const int at = i * STRIPS;
    if (i == layout->strip)
        for (int strip = 0; strip < layout->rest; strip++)
            level_one(layout, up, row, down, share[strip], strip_column(layout, strip, i), talus);
    else if (i == 0 || i == layout->strip - 1)
        level_edge(up + at, row, down + at, share, i, i == 0 ? layout->left_of_first : layout->right_of_last,
                   talus);
    else
        level_strips(row + at, row + at - STRIPS, row + at + STRIPS, up + at, down + at, share, talus);
}

KERNEL static void level_row(void *context, const Course *course, int y) {
    const Pass *pass = context;
    const StripLayout *layout = &pass->heights.layout;
    const float *share = interleaved_row(&pass->shares, pass->shares.layout.height == 1 ? 0 : y);
    float *row = interleaved_row(&pass->heights, y);
    float *up = interleaved_row(&pass->heights, y - 1), *down = interleaved_row(&pass->heights, y + 1);
    const int length = course_length(layout);
    for (int step = 0; step < length; step++) {
        const int i = course_cell(layout, course, step);
        if (layout->strip == 0) {
            level_one(layout, up, row, down, course_takes(course, i, y) ? share[i] : 0, i, pass->talus);
            continue;
        }
        const float *own = share + i * STRIPS;
        float taken[STRIPS];
        if (!course->all) {
            const Course among = *course;
            for (int strip = 0; strip < STRIPS; strip++)
                taken[strip] = course_takes(&among, strip_column(layout, strip, i), y) ? own[strip] : 0;
            own = taken;
        }
        level_step(layout, up, row, down, own, i, pass->talus);
    }
}

static Status run(const Call *call, Error *error) {
    const OlsenErosion *erosion = call->params;
    Pass pass = { .talus = (float)erosion->talus };
    const StripLayout layout = strip_layout(call->width, call->height, call->wraps);
    Field ones = { 0 };
    Status status = erodibility_check(call, erosion->mask, error);
    if (status == STATUS_OK && !erosion->mask)
        status = field_create(&ones, call->width, 1, error);
    for (size_t x = 0; status == STATUS_OK && x < field_count(&ones); x++)
        field_cells(&ones)[x] = 1;
    if (status == STATUS_OK)
        status =
            interleaved_create(&pass.shares, layout, call->run, erosion->mask ? erosion->mask : &ones, error);
    if (status == STATUS_OK)
        status = interleaved_create(&pass.heights, layout, call->run, call->inputs[0].field, error);
    if (status == STATUS_OK)
        status = sweep_in_place(call->run, &layout, erosion->iterations, call->width * 1.0, level_row, &pass);
    if (status == STATUS_OK)
        status = interleaved_read(&pass.heights, call->run, &call->outputs[0].field);
    interleaved_free(&pass.heights);
    interleaved_free(&pass.shares);
    field_free(&ones);
    return status;
}

static const Param params[] = {
    PARAM(OlsenErosion, iterations, .initial = 50, .min = 0, .max = 1e6, .doc = "passes over the field"),
    PARAM(OlsenErosion, talus, .initial = 16, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "largest height difference that is levelled"),
    PARAM_MASK(OlsenErosion),
    { 0 },
};

const Operation op_olsen_erosion = {
    .name = "olsen_erosion",
    .measures = NEEDS_SQUARES,
    .category = "erosion",
    .keywords = "weathering flatten playable fast",
    .summary = "Levels ground that is flatter than the talus and leaves steeper slopes alone",
    .description = "Makes wide flats between steep slopes, as strategy games need, in a fraction of the "
                   "time of hydraulic erosion. The paper uses a talus of 8 to 20; after 50 passes "
                   "little changes. Material is conserved.\n\n"
                   "Cells change one after another, which makes the flats wide. Their order is part of "
                   "the algorithm (src/erosion/olsen_erosion.c), does not depend on the number of threads, "
                   "and favours no row, column or direction.\n\n"
                   "The effect decreases with resolution: with the same arguments, a field of twice the "
                   "side changes about half as much, relative to the standard deviation of its heights, "
                   "and more passes do not restore it. For the same flats on a larger field, erode a "
                   "smaller field and resize it.",
    .source = "Olsen 2004, A new proposed algorithm",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights", .heights = true } },
    .params = params,
    .params_size = sizeof(OlsenErosion),
    .example = "local land = height:olsen_erosion{ talus = 12, iterations = 20 }",
    .wrapping = WRAPPING_CHOSEN,
    .see_also = "thermal_erosion playability",
    .run = run,
};
