#include "erosion/in_place.h"

enum { BLOCK = 16, ROWS_ON = 7 };

typedef struct Weaving {
    const Field *from, *to;
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

Status weave(const Run *run, const Field *field, const Field *woven_field) {
    Weaving weaving = { field, woven_field };
    return parallel_rows(run, field->height, field->width * 1.0, weave_rows, &weaving);
}

Status unweave(const Run *run, const Field *woven_field, const Field *field) {
    Weaving weaving = { woven_field, field };
    return parallel_rows(run, field->height, field->width * 1.0, unweave_rows, &weaving);
}

typedef struct Sweep {
    RowRule *rule;
    void *context;
    int rows, top;           // the row where block 0 begins
    int blocks, first_block; // of this phase, which takes every second block
} Sweep;

static void sweep_blocks(void *context, int first, int end) {
    const Sweep *sweep = context;
    for (int i = first; i < end; i++) {
        const int block = sweep->first_block + 2 * i;
        const int last = block == sweep->blocks - 1 ? sweep->rows : (block + 1) * BLOCK;
        for (int y = block * BLOCK; y < last; y++)
            sweep->rule(sweep->context, (y + sweep->top) % sweep->rows);
    }
}

Status sweep_in_place(const Run *run, int rows, int iteration, double cost_per_row, RowRule *rule,
                      void *context) {
    Sweep sweep = { .rule = rule,
                    .context = context,
                    .rows = rows,
                    .top = (int)((int64_t)iteration * ROWS_ON % rows),
                    .blocks = rows < BLOCK ? 1 : rows / BLOCK };
    const int pairs = sweep.blocks / 2;
    Status status = parallel_rows(run, pairs, BLOCK * cost_per_row, sweep_blocks, &sweep);
    sweep.first_block = 1;
    if (status == STATUS_OK)
        status = parallel_rows(run, pairs, BLOCK * cost_per_row, sweep_blocks, &sweep);
    sweep.first_block = 2 * pairs; // the last of an odd number
    if (status == STATUS_OK && sweep.blocks % 2 == 1)
        status = parallel_rows(run, 1, BLOCK * cost_per_row, sweep_blocks, &sweep);
    return status;
}
