#include "picture/open_sea.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

static double shallowness(const Field *height, double z) {
    const double depth = z < 0 ? -z / (0.02 * field_side(height)) : 0;
    return 1 / (1 + depth * depth);
}

// The position of a border point along the border.
static double border_place(const Field *height, double x, double y) {
    const double right = height->width - 1, bottom = height->height - 1;
    if (y <= 0)
        return x;
    if (x >= right)
        return right + y;
    return y >= bottom ? right + bottom + (right - x) : 2 * right + 2 * bottom - y;
}

Status open_sea_create(OpenSea *sea, const MaxPyramid *pyramid, Error *error) {
    const Field *height = pyramid->height;
    const int right = height->width - 1, bottom = height->height - 1;
    *sea = (OpenSea){ .pyramid = pyramid, .count = 2 * right + 2 * bottom };
    sea->sums = memory_new((size_t)sea->count + 1, sizeof *sea->sums, error);
    if (!sea->sums)
        return STATUS_MEMORY;
    double wet = 0;
    int wet_count = 0;
    sea->sums[0] = 0;
    for (int i = 0; i < sea->count; i++) {
        const int half = right + bottom, along = i < half ? i : 2 * half - i;
        const int x = i < half ? min(along, right) : max(min(along - bottom, right), 0);
        const int y = i < half ? max(along - right, 0) : min(along, bottom);
        const double z = max_pyramid_ground(pyramid, x, y), shallow = shallowness(height, z);
        sea->sums[i + 1] = sea->sums[i] + shallow;
        wet += z < 0 ? shallow : 0;
        wet_count += z < 0;
    }
    sea->far = wet_count > 0 ? wet / wet_count : 0;
    return STATUS_OK;
}

void open_sea_free(OpenSea *sea) {
    memory_free(sea->sums);
}

// The sum of the border's cells up to a position, which may be before its beginning or after its end.
static double sum_to(const OpenSea *sea, double place) {
    const double round = floor(place / sea->count), within = place - round * sea->count;
    const int cell = index_within(within, sea->count);
    const double part = sea->sums[cell] + (sea->sums[cell + 1] - sea->sums[cell]) * (within - cell);
    return round * sea->sums[sea->count] + part;
}

double shallow_at(const OpenSea *sea, double x, double y) {
    const Field *height = sea->pyramid->height;
    const double in_x = clamp(x, 0, height->width - 1.0), in_y = clamp(y, 0, height->height - 1.0);
    const double beyond = sqrt((x - in_x) * (x - in_x) + (y - in_y) * (y - in_y));
    if (beyond == 0)
        return shallowness(height, max_pyramid_ground(sea->pyramid, x, y));
    const double far = beyond / (0.12 * field_side(height)), open = far < 1 ? far * far * (3 - 2 * far) : 1;
    if (open == 1)
        return sea->far;
    // The mean of the border around the nearest point, over a width that grows with the distance, so that
    // the sea continues without a seam and soon without the border's detail.
    const double half = min(2 * beyond + 0.5, 0.5 * sea->count);
    const double place = border_place(height, in_x, in_y) + 0.5;
    const double near = (sum_to(sea, place + half) - sum_to(sea, place - half)) / (2 * half);
    return near + (sea->far - near) * open;
}
