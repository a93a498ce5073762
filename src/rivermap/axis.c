#include "rivermap/axis.h"

#include "core/math.h"
#include "core/memory.h"

enum { BEYOND = 3 }; // cells

Status axis_create(Axis *axis, int pixels, Int128 centre, Int128 pixel, int depth, Error *error) {
    const int shift = PLACE_BITS - depth;
    const Int128 last_cell = ((Int128)1 << depth) - 1, origin = centre - pixel * pixels / 2;
    Int128 first = origin >> shift, last = (origin + pixel * pixels - 1) >> shift;
    first -= BEYOND;
    last += BEYOND;
    first = clamp(first, 0, last_cell);
    last = clamp(last, first, last_cell);
    *axis = (Axis){ .first_cell = first, .pixels = pixels, .cell_count = (int)(last - first) + 1 };
    axis->cells = memory_new((size_t)pixels, sizeof *axis->cells, error);
    axis->fractions = axis->cells ? memory_new((size_t)pixels, sizeof *axis->fractions, error) : NULL;
    axis->pixel_of =
        axis->fractions ? memory_new((size_t)axis->cell_count, sizeof *axis->pixel_of, error) : NULL;
    if (!axis->pixel_of)
        return STATUS_MEMORY;
    for (int i = 0; i < pixels; i++) {
        const Int128 place = centre + (2 * (Int128)i + 1 - pixels) * pixel / 2;
        const Int128 cell = clamp((place >> shift) - first, 0, axis->cell_count - 1);
        const Int128 inside = place - ((first + cell) << shift);
        const double fraction = (double)(inside >> (shift - 16)) * 0x1p-16;
        axis->cells[i] = (int)cell;
        axis->fractions[i] = (float)clamp(fraction, 0, 1);
    }
    for (int i = 0; i < axis->cell_count; i++) {
        const Int128 middle = ((2 * (first + i) + 1) << shift) / 2;
        axis->pixel_of[i] =
            middle >= origin ? (int)((middle - origin) / pixel) : -1 - (int)((origin - middle) / pixel);
    }
    return STATUS_OK;
}

void axis_free(Axis *axis) {
    memory_free(axis->cells);
    memory_free(axis->fractions);
    memory_free(axis->pixel_of);
}

int axis_first_pixel(const Axis *axis, int cell) {
    int low = 0, high = axis->pixels;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (axis->cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
