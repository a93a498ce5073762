#include "filter/displace.h"

// Row y: first the displacements to the right, then the heights. Separate kernels, since gathers need
// pointers known not to overlap, which inlining forgets.
KERNEL_INLINE void displace_row(float *restrict row, const float *restrict down, const float *restrict middle,
                                int width, int height, float still, float reach, int y, bool wraps) {
    for (int x = 0; x < width; x++) {
        const float dx = (row[x] - still) * reach, dy = (down[x] - still) * reach;
        row[x] = sample(middle, width, height, x, y, dx, dy, wraps);
    }
}

KERNEL static void displace_wrapped(float *restrict row, const float *restrict down,
                                    const float *restrict middle, int width, int height, float still,
                                    float reach, int y) {
    displace_row(row, down, middle, width, height, still, reach, y, true);
}

KERNEL static void displace_mirrored(float *restrict row, const float *restrict down,
                                     const float *restrict middle, int width, int height, float still,
                                     float reach, int y) {
    displace_row(row, down, middle, width, height, still, reach, y, false);
}

static void displace_rows(void *context, int first, int end) {
    const Displacement *displacement = context;
    const Field *height = displacement->height;
    for (int y = first; y < end; y++)
        (displacement->wraps ? displace_wrapped : displace_mirrored)(
            field_row(displacement->result, y), field_row(displacement->down, y),
            field_row(height, height->height / 2), height->width, height->height, displacement->still,
            displacement->reach, y);
}

Status displace(const Run *run, Displacement *displacement) {
    const Field *height = displacement->height;
    return parallel_rows(run, height->height, height->width * 3.0, displace_rows, displacement);
}
