#include "picture/shaded_slopes.h"

#include "core/math.h"

#include <math.h>

double shaded_cells(const Field *height, double side, bool chosen, const HeightScale *scale) {
    const Frame *frame = &height->frame;
    const FrameSphere sphere = frame_sphere(frame);
    const double cell = field_cell_heights(height);
    if (side == 0 && cell > 0 && frame_top(frame) > 0)
        return sphere.radius > 0 ? frame_unit(frame) * sphere.radian / (sphere.radius * frame_cell(frame))
                                 : 1 / cell;
    const double low = scale->low, high = scale->high;
    const bool scaled_by_map = side > 0 && !chosen && low <= 1 && high >= -1;
    const double range = scaled_by_map ? max(high, 1) - min(low, 0) : high > low ? high - low : 1;
    return (side > 0 ? side : field_side(height)) / 16 / range;
}

#define WOVEN (1 / 128.0) // the step between heights of single precision, as a slope, that shows as a grain

void tell_if_woven(const Field *height, const HeightScale *scale, double cells, Error *notice) {
    const double farthest = max(fabs(scale->low), fabs(scale->high));
    if (frame_top(&height->frame) > 0 && farthest > 0 && ldexp(cells, ilogb(farthest) - 23) > WOVEN)
        tell(notice, "heights have too few digits for slopes of such small cells, and look woven: render "
                     "the window with relative = true");
}
