#include "filter/displace.h"

// Of cells from (first, y) on: first the displacements to the right, then the heights. Separate kernels,
// since gathers need pointers known not to overlap, which inlining forgets.
KERNEL_INLINE void displace_cells(float *restrict cells, const float *restrict down,
                                  const float *restrict middle, int width, int height, float still,
                                  float reach, int first, int y, int count, bool wraps) {
    for (int i = 0; i < count; i++) {
        const float dx = (cells[i] - still) * reach, dy = (down[i] - still) * reach;
        cells[i] = sample(middle, width, height, first + i, y, dx, dy, wraps);
    }
}

KERNEL static void displace_wrapped(float *restrict cells, const float *restrict down,
                                    const float *restrict middle, int width, int height, float still,
                                    float reach, int first, int y, int count) {
    displace_cells(cells, down, middle, width, height, still, reach, first, y, count, true);
}

KERNEL static void displace_mirrored(float *restrict cells, const float *restrict down,
                                     const float *restrict middle, int width, int height, float still,
                                     float reach, int first, int y, int count) {
    displace_cells(cells, down, middle, width, height, still, reach, first, y, count, false);
}

void displace_part(const Displacement *displacement, int x, int y, int count, const float *down) {
    const Field *height = displacement->height;
    (displacement->wraps ? displace_wrapped : displace_mirrored)(
        field_row(displacement->result, y) + x, down, field_row(height, height->height / 2), height->width,
        height->height, displacement->still, displacement->reach, x, y, count);
}

static void displace_rows(void *context, int first, int end) {
    const Displacement *displacement = context;
    for (int y = first; y < end; y++)
        displace_part(displacement, 0, y, displacement->height->width, field_row(displacement->down, y));
}

Status displace(const Run *run, Displacement *displacement) {
    const Field *height = displacement->height;
    return parallel_rows(run, height->height, height->width * 3.0, displace_rows, displacement);
}
