// Grey-scale morphology (Serra 1982): a dilation gives each cell the maximum of its surroundings, an erosion
// the minimum; an opening is a dilation of the erosion, a closing the reverse.
//
// A square's maximum is taken along the rows, then down the columns, over stretches that double in length. A
// disk's is that of its chords (Urbach and Wilkinson 2008, "Efficient 2-D grayscale morphological
// transformations with arbitrary flat structuring elements"): those of one row grow by a cell at either end
// from the shortest to the longest. An erosion is the dilation of negated heights.

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

typedef struct Morphology {
    int kind, element;
    double radius;
} Morphology;

enum { DILATE, ERODE, OPEN, CLOSE };
enum { DISK, SQUARE };
enum { STRIP = 256 }; // columns processed together

typedef struct Pass {
    const Field *from;
    Field *to;
    const Gaps *gaps; // NULL: none
    int reach;        // cells
    int *chords;      // per row of the disk, 0 … reach: cells on either side of the middle
    float sign;       // of the heights; -1: minimum
    bool wraps;
    float *memory; // `room` floats for each strip
    size_t room;
} Pass;

// Row y, any number of rows outside, from `start` - reach on, -infinity where there are no cells.
KERNEL static void morphology_load(const Pass *pass, int y, int start, int count, float *restrict cells) {
    const int width = pass->from->width, height = pass->from->height;
    const int row = pass->wraps ? (y % height + height) % height : y;
    const bool exists = row >= 0 && row < height;
    for (int i = 0; i < count; i++)
        cells[i] = -INFINITY;
    if (!exists)
        return;
    const float *restrict from = field_row(pass->from, row);
    const int first = clamp(-start, 0, count), end = clamp(width - start, 0, count);
    for (int i = first; i < end; i++)
        cells[i] = pass->sign * from[start + i];
    for (int i = 0; pass->wraps && i < count; i++)
        if (i < first || i >= end)
            cells[i] = pass->sign * from[((start + i) % width + width) % width];
}

// The same without the cells of gaps.
static void load_row(const Pass *pass, int y, int start, int count, float *cells) {
    morphology_load(pass, y, start, count, cells);
    if (!pass->gaps)
        return;
    const int width = pass->from->width, height = pass->from->height;
    const unsigned char *gap = pass->gaps->at + (size_t)((y % height + height) % height) * (size_t)width;
    for (int i = 0; i < count; i++)
        if (gap[((start + i) % width + width) % width])
            cells[i] = -INFINITY;
}

KERNEL static void morphology_max(float *restrict out, const float *restrict a, int count) {
    for (int i = 0; i < count; i++)
        out[i] = max(out[i], a[i]);
}

KERNEL static void morphology_max_of(float *restrict out, const float *a, const float *b, int count) {
    for (int i = 0; i < count; i++)
        out[i] = max(a[i], b[i]);
}

KERNEL static void morphology_grow(float *restrict chord, const float *restrict left,
                                   const float *restrict right, int count) {
    for (int i = 0; i < count; i++)
        chord[i] = max(chord[i], max(left[i], right[i]));
}

// In place: row i becomes the maximum of `length` rows from row i on. Rows have `count` cells, STRIP apart.
static void run_down(float *cells, int rows, int count, int length) {
    int covered = 1;
    for (; 2 * covered <= length; covered *= 2)
        for (int i = 0; i + covered < rows; i++)
            morphology_max(cells + (size_t)i * STRIP, cells + (size_t)(i + covered) * STRIP, count);
    for (int i = 0; covered < length && i + length - covered < rows; i++)
        morphology_max(cells + (size_t)i * STRIP, cells + (size_t)(i + length - covered) * STRIP, count);
}

// A square: along the rows through two buffers, then down the columns of a strip.
static void square_strips(void *context, int first, int end) {
    const Pass *pass = context;
    const int reach = pass->reach, height = pass->from->height, length = 2 * reach + 1;
    for (int strip = first; strip < end; strip++) {
        const int start = strip * STRIP, count = min(pass->from->width - start, STRIP);
        float *row = pass->memory + (size_t)strip * pass->room, *other = row + STRIP + 2 * reach;
        float *cells = other + STRIP + 2 * reach;
        for (int i = 0; i < height + 2 * reach; i++) {
            load_row(pass, i - reach, start - reach, count + 2 * reach, row);
            int covered = 1, left = count + 2 * reach;
            for (; 2 * covered <= length; covered *= 2) {
                left -= covered;
                morphology_max_of(other, row, row + covered, left);
                float *const swap = row;
                row = other;
                other = swap;
            }
            morphology_max_of(cells + (size_t)i * STRIP, row, row + (length - covered), count);
        }
        run_down(cells, height + 2 * reach, count, length);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < count; x++)
                field_row(pass->to, y)[start + x] = pass->sign * cells[(size_t)y * STRIP + (size_t)x];
    }
}

// A disk: each row's chords go to the rows above and below whose disk has them there.
static void disk_strips(void *context, int first, int end) {
    const Pass *pass = context;
    const int reach = pass->reach, height = pass->from->height;
    for (int strip = first; strip < end; strip++) {
        const int start = strip * STRIP, count = min(pass->from->width - start, STRIP);
        float *cells = pass->memory + (size_t)strip * pass->room, chord[STRIP];
        for (int y = 0; y < height; y++)
            for (int x = 0; x < count; x++)
                field_row(pass->to, y)[start + x] = -INFINITY;
        for (int y = -reach; y < height + reach; y++) {
            load_row(pass, y, start - reach, count + 2 * reach, cells);
            memcpy(chord, cells + reach, (size_t)count * sizeof *chord);
            int half = 0;
            for (int off = reach; off >= 0; off--) { // the farther the row, the shorter the chord
                for (; half < pass->chords[off]; half++)
                    morphology_grow(chord, cells + reach - half - 1, cells + reach + half + 1, count);
                for (int side = 0; side < (off ? 2 : 1); side++) {
                    const int to = side ? y - off : y + off;
                    if (to >= 0 && to < height)
                        morphology_max(field_row(pass->to, to) + start, chord, count);
                }
            }
        }
        for (int y = 0; y < height; y++)
            for (int x = 0; x < count; x++)
                field_row(pass->to, y)[start + x] *= pass->sign;
    }
}

static Status dilate(const Run *run, const Pass *pass, int element) {
    const int strips = (pass->from->width + STRIP - 1) / STRIP;
    const double cells = (double)STRIP * pass->from->height;
    return parallel_rows(run, strips, cells * (element == DISK ? 1 + 0.3 * pass->reach : 3),
                         element == DISK ? disk_strips : square_strips, (void *)pass);
}

static Status prepare(Pass *pass, const Morphology *morphology, int width, int height, Error *error) {
    const double radius = morphology->radius; // in cells
    const size_t strips = (size_t)(width + STRIP - 1) / STRIP;
    pass->reach = whole_within(radius, 0, max(width, height));
    const size_t reach = (size_t)pass->reach, line = STRIP + 2 * reach, rows = (size_t)height + 2 * reach;
    pass->room = morphology->element == DISK ? line : 2 * line + rows * STRIP;
    pass->memory = memory_new(strips * pass->room, sizeof(float), error);
    pass->chords = pass->memory ? memory_new((size_t)pass->reach + 1, sizeof(int), error) : NULL;
    for (int off = 0; pass->chords && off <= pass->reach; off++)
        pass->chords[off] = whole_within(sqrt(max(radius * radius - (double)off * off, 0)), 0, pass->reach);
    return pass->chords ? STATUS_OK : STATUS_MEMORY;
}

static Status run(const Call *call, Error *error) {
    Morphology morphology = *(const Morphology *)call->params;
    const Field *height = call->inputs[0].field;
    morphology.radius *= field_side(height);
    Pass pass = { .from = height,
                  .to = &call->outputs[0].field,
                  .gaps = height->gaps,
                  .sign = morphology.kind == DILATE || morphology.kind == CLOSE ? 1 : -1,
                  .wraps = call->wraps };
    Field between = { 0 };
    Status status = prepare(&pass, &morphology, call->width, call->height, error);
    if (status == STATUS_OK)
        status = dilate(call->run, &pass, morphology.element);
    if (status == STATUS_OK && morphology.kind >= OPEN) {
        status = field_create(&between, call->width, call->height, error);
        if (status == STATUS_OK) {
            memcpy(field_cells(&between), pass.to->cells, field_count(&between) * sizeof(float));
            pass.from = &between;
            pass.sign = -pass.sign;
            status = dilate(call->run, &pass, morphology.element);
        }
    }
    field_free(&between);
    memory_free(pass.memory);
    memory_free(pass.chords);
    return status;
}

static int morphology_reach(const Call *call) {
    const Morphology *morphology = call->params;
    const int reach = whole_within(morphology->radius * field_side(call->inputs[0].field), 0, SIDE_MAX);
    return morphology->kind >= OPEN ? 2 * reach : reach;
}

static const Param params[] = {
    PARAM(Morphology, kind, .choices = CHOICES("dilate", "erode", "open", "close"),
          .doc = "dilate: the maximum around each cell, erode: the minimum; open removes what is narrower "
                 "than the "
                 "element, close fills what is"),
    PARAM(Morphology, radius, .initial = 0.03, .min = 0, .max = 0.5,
          .doc = "of the disk, or half the square's side, as a share of N, the longer side"),
    PARAM(Morphology, element, .choices = CHOICES("disk", "square"), .doc = "shape of the surroundings"),
    { 0 },
};

const Operation op_morphology = {
    .name = "morphology",
    .gaps = GAPS_KEPT,
    .reach = morphology_reach,
    .category = "filter",
    .summary = "Dilates, erodes, opens or closes masks and heights",
    .description = "For masks, dilate grows and erode shrinks the area of 1. Where edges do not meet, only "
                   "cells that exist count, and everywhere only those that have data. With a disk, the time "
                   "grows with radius in cells. (Erosion by water "
                   "is stream_erosion.)",
    .source = "Urbach and Wilkinson 2008, Efficient 2-D grayscale morphological transformations",
    .inputs = { { "height", "heights or a mask" } },
    .outputs = { { "height", "the result", .heights = true } },
    .params = params,
    .params_size = sizeof(Morphology),
    .always_finite = "gives heights of the field",
    .wrapping = WRAPPING_CHOSEN,
    .example = "local wider = height:remap{ from = { 0.6, 0.61 } }:morphology{ radius = 0.05 }",
    .picture = "return height, height:morphology{ radius = 0.05 }, height:morphology{ kind = \"open\", "
               "radius = 0.05 }",
    .keywords = "dilate dilation erode open opening close closing expand shrink grow maximum minimum "
                "filter structuring element",
    .see_also = "median blur",
    .run = run,
};
