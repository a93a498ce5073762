#include "erosion/in_place.h"

#include "core/math.h"
#include "core/memory.h"

#include <float.h>

// A pass stays AHEAD rows plus a block before the next one, so that they never touch the same row.
enum { PASSES = 4, BLOCK = 64, AHEAD = 2 };

StripLayout strip_layout(int width, int height, bool wraps) {
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

Status interleaved_create(Interleaved *interleaved, StripLayout layout, const Run *run, const Field *field,
                          Error *error) {
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

void interleaved_free(Interleaved *interleaved) {
    memory_free(interleaved->cells);
    interleaved->cells = NULL;
}

Status interleaved_read(const Interleaved *interleaved, const Run *run, Field *field) {
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

Status sweep_in_place(const Run *run, const StripLayout *layout, int passes, double cost_per_row,
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
