#include "erosion/in_place.h"

enum { BLOCK = 64, ROWS_ON = 27, COLUMNS_ON = 11 };

typedef struct Weaving {
    const Field *from;
    Field *to;
} Weaving;

static void weave_rows(void *context, int first, int end) {
    const Weaving *weaving = context;
    const int width = weaving->from->width, strip = strip_width(weaving->from);
    for (int y = first; y < end; y++) {
        const float *from = field_row(weaving->from, y);
        float *to = field_row(weaving->to, y);
        for (int i = 0; i < strip; i++)
            for (int lane = 0; lane < STRIPS; lane++)
                to[i * STRIPS + lane] = from[lane * strip + i];
        for (int x = STRIPS * strip; x < width; x++)
            to[x] = from[x];
    }
}

static void unweave_rows(void *context, int first, int end) {
    const Weaving *weaving = context;
    const int width = weaving->from->width, strip = strip_width(weaving->from);
    for (int y = first; y < end; y++) {
        const float *from = field_row(weaving->from, y);
        float *to = field_row(weaving->to, y);
        for (int lane = 0; lane < STRIPS; lane++)
            for (int i = 0; i < strip; i++)
                to[lane * strip + i] = from[i * STRIPS + lane];
        for (int x = STRIPS * strip; x < width; x++)
            to[x] = from[x];
    }
}

Status weave(const Run *run, const Field *field, Field *woven_field) {
    Weaving weaving = { field, woven_field };
    return parallel_rows(run, field->height, field->width * 1.0, weave_rows, &weaving);
}

Status unweave(const Run *run, const Field *woven_field, Field *field) {
    Weaving weaving = { woven_field, field };
    return parallel_rows(run, field->height, field->width * 1.0, unweave_rows, &weaving);
}

typedef struct Phase {
    RowRule *rule;
    void *context;
    Sweep sweep;
    int rows, blocks, first_block; // of which the phase takes every second one
} Phase;

static void sweep_blocks(void *context, int first, int end) {
    const Phase *phase = context;
    for (int i = first; i < end; i++) {
        const int block = phase->first_block + 2 * i, above = block * BLOCK;
        const int below = block == phase->blocks - 1 ? phase->rows : above + BLOCK;
        for (int y = above; y < below; y++)
            phase->rule(phase->context, &phase->sweep, (y + phase->sweep.top) % phase->rows);
    }
}

Status sweep_in_place(const Run *run, const Field *field, int iteration, double cost_per_row, RowRule *rule,
                      void *context) {
    const int rows = field->height, strip = strip_width(field);
    Phase phase = { .rule = rule,
                    .context = context,
                    .sweep = { .strip = strip,
                               .start = strip > 0 ? (int)((int64_t)iteration * COLUMNS_ON % strip) : 0,
                               .top = (int)((int64_t)iteration * ROWS_ON % rows),
                               .leftwards = iteration % 2 == 1 },
                    .rows = rows,
                    .blocks = rows < BLOCK ? 1 : rows / BLOCK };
    const int pairs = phase.blocks / 2;
    Status status = parallel_rows(run, pairs, BLOCK * cost_per_row, sweep_blocks, &phase);
    phase.first_block = 1;
    if (status == STATUS_OK)
        status = parallel_rows(run, pairs, BLOCK * cost_per_row, sweep_blocks, &phase);
    phase.first_block = 2 * pairs; // the last of an odd number
    if (status == STATUS_OK && phase.blocks % 2 == 1)
        status = parallel_rows(run, 1, BLOCK * cost_per_row, sweep_blocks, &phase);
    return status;
}
