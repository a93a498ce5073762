#include "erosion/in_place.h"

#include "core/math.h"
#include "core/memory.h"

#include <float.h>

// A pass keeps AHEAD rows more than a block before the next one, so that they never touch the same row.
enum { PASSES = 4, BLOCK = 64, AHEAD = 2 };

Weave weave_of(int width, int height, bool wraps) {
    Weave weave = { .width = width, .height = height, .wraps = wraps };
    if (width / STRIPS >= STRIP_LEAST && height > 2) {
        weave.strip = width / STRIPS;
        weave.rest = width % STRIPS;
    }
    weave.stride = weave.strip > 0 ? (course_length(&weave) + 1) * STRIPS : width + 1;
    for (int strip = 0; weave.strip > 0 && strip < STRIPS; strip++) {
        weave.left_of_first[strip] = woven_column(&weave, strip_column(&weave, strip, 0) - 1);
        weave.right_of_last[strip] = woven_column(&weave, strip_column(&weave, strip, weave.strip));
    }
    return weave;
}

typedef struct Weaving {
    const Woven *woven;
    const Field *from;
    Field *to;
} Weaving;

static void weave_rows(void *context, int first, int end) {
    const Weaving *weaving = context;
    const Weave *weave = &weaving->woven->weave;
    for (int y = first; y < end; y++) {
        const float *from = field_row(weaving->from, y);
        float *to = woven_row(weaving->woven, y);
        for (int i = 0; i < weave->strip; i++)
            for (int strip = 0; strip < STRIPS; strip++)
                to[i * STRIPS + strip] = from[strip_column(weave, strip, i)];
        for (int strip = 0; strip < weave->rest; strip++)
            to[weave->strip * STRIPS + strip] = from[strip_column(weave, strip, weave->strip)];
        for (int x = 0; weave->strip == 0 && x < weave->width; x++)
            to[x] = from[x];
        to[weave->stride - 1] = FLT_MAX;
    }
}

static void unweave_rows(void *context, int first, int end) {
    const Weaving *weaving = context;
    const Weave *weave = &weaving->woven->weave;
    for (int y = first; y < end; y++) {
        const float *from = woven_row(weaving->woven, y);
        float *to = field_row(weaving->to, y);
        for (int strip = 0; strip < STRIPS; strip++)
            for (int i = 0; i < weave->strip; i++)
                to[strip_column(weave, strip, i)] = from[i * STRIPS + strip];
        for (int strip = 0; strip < weave->rest; strip++)
            to[strip_column(weave, strip, weave->strip)] = from[weave->strip * STRIPS + strip];
        for (int x = 0; weave->strip == 0 && x < weave->width; x++)
            to[x] = from[x];
    }
}

Status woven_create(Woven *woven, Weave weave, const Run *run, const Field *field, Error *error) {
    woven->weave = weave;
    woven->weave.height = field->height;
    const size_t stride = (size_t)weave.stride, rows = (size_t)field->height;
    woven->cells = memory_new((rows + 2) * stride, sizeof(float), error);
    if (!woven->cells)
        return STATUS_MEMORY;
    for (size_t i = rows * stride; i < (rows + 2) * stride; i++)
        woven->cells[i] = FLT_MAX;
    Weaving weaving = { .woven = woven, .from = field };
    return parallel_rows(run, field->height, field->width * 1.0, weave_rows, &weaving);
}

void woven_free(Woven *woven) {
    memory_free(woven->cells);
    woven->cells = NULL;
}

Status woven_read(const Woven *woven, const Run *run, Field *field) {
    Weaving weaving = { .woven = woven, .to = field };
    return parallel_rows(run, field->height, field->width * 1.0, unweave_rows, &weaving);
}

// Some passes in one direction.
typedef struct Descent {
    RowRule *rule;
    void *context;
    const Weave *weave;
    int first_pass, passes, top, stage;
    int overlap; // rows that a pass visits first and last
    bool upwards;
} Descent;

// The `place`-th row of a pass, and how it is gone over.
static void sweep_row(const Descent *descent, int pass, int place) {
    const int rows = descent->weave->height, overlap = descent->overlap;
    const bool again = place >= rows;
    const int row = again ? place - rows : place;
    const int y = (descent->top + (descent->upwards ? rows - 1 - row : row)) % rows;
    const RandomKey key = random_key((uint64_t)pass, 0);
    const uint32_t start =
        random_bits(key, UINT32_MAX, (uint32_t)y) % (uint32_t)course_length(descent->weave);
    const uint32_t step = UINT32_MAX / (uint32_t)(overlap + 1), bound = step * ((uint32_t)row + 1);
    const Course course = { .start = (int)start,
                            .leftwards = pass / 2 % 2 == 1,
                            .all = row >= overlap,
                            .least = again ? bound : 0,
                            .most = again || row >= overlap ? UINT32_MAX : bound - 1,
                            .key = key };
    descent->rule(descent->context, &course, y);
}

// The rows that pass `at` of a descent takes in this stage.
static void sweep_blocks(void *context, int first, int last) {
    const Descent *descent = context;
    const int places = descent->weave->height + descent->overlap;
    for (int at = first; at < last; at++) {
        const int from = (descent->stage - at) * BLOCK - at * AHEAD, to = from + BLOCK;
        for (int place = max(from, 0); place < min(to, places); place++)
            sweep_row(descent, descent->first_pass + at, place);
    }
}

static Status descend(const Run *run, Descent *descent, int done, int total, double cost_per_row) {
    const int places = descent->weave->height + descent->overlap;
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

Status sweep_in_place(const Run *run, const Weave *weave, int passes, double cost_per_row, RowRule *rule,
                      void *context) {
    const int rows = weave->height;
    // On a torus the first pass must not come around to where the last one still is.
    const int together = weave->wraps && rows < (PASSES + 1) * (BLOCK + AHEAD) ? 1 : PASSES;
    Descent descent = { .rule = rule, .context = context, .weave = weave };
    if (weave->wraps)
        descent.overlap = min(rows / 2, BLOCK);
    Status status = STATUS_OK;
    for (int pass = 0; status == STATUS_OK && pass < passes; pass += descent.passes) {
        const RandomKey key = random_key((uint64_t)(pass / PASSES), 1);
        descent.first_pass = pass;
        descent.passes = min(passes - pass, together);
        descent.upwards = pass / PASSES % 2 == 1;
        descent.top = weave->wraps ? (int)(random_bits(key, 0, 0) % (uint32_t)rows) : 0;
        status = descend(run, &descent, pass, passes, cost_per_row);
    }
    return status;
}
