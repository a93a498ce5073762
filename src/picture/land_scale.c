#include "picture/land_scale.h"

#include "core/elementary.h"

#include <math.h>

// Colours by altitude rise quickly in lowlands, where most land lies, and slowly in mountains: m / (m +
// 1000), which is 1 / 1.15 at 6700 m. Patterson and Jenny 2011, "The development and rationale of
// cross-blended hypsometric tints".
#define LAND_HALF 1000.0
#define LAND_TOP 1.15
#define SEA_HALF 1000.0
#define SEA_TOP 1.2

double land_cell_metres(const Field *height) {
    const Frame *frame = &height->frame;
    if (!(frame_height_metres(frame) > 0) || frame->no_heights)
        return 0;
    const FrameSphere sphere = frame_sphere(frame);
    return sphere.radius > 0 ? sphere.radius * frame_cell(frame) / sphere.radian
                             : frame_cell_metres(frame, height->width, height->height);
}

double vertical_exaggeration(double cell) {
    const double own = 50, most = 150; // of metres without exaggeration
    const double times = cell > own ? power(cell / own, 1.13) : 1;
    return min(times, most);
}

static void colour_by_metres(double unit, LandScale *scale) {
    scale->above = LAND_TOP * unit / LAND_HALF;
    scale->bend = unit / LAND_HALF;
    scale->below = SEA_TOP * unit / SEA_HALF;
    scale->bend_below = unit / SEA_HALF;
    scale->has_sea = true;
}

static void colour_by_range(double low, double high, double sea_level, LandScale *scale) {
    scale->sea = max(sea_level, low); // no sea: the lowest land is 0
    scale->above = high > scale->sea ? 1 / (high - scale->sea) : 0;
    scale->below = scale->sea > low ? 1 / (scale->sea - low) : 0;
    scale->has_sea = scale->below > 0;
}

// Cells for a height of 1, without exaggeration.
static double true_cells(const Field *height, double cell) {
    const Frame *frame = &height->frame;
    const FrameSphere sphere = frame_sphere(frame);
    if (cell > 0)
        return frame_height_metres(frame) / cell;
    return sphere.radius > 0 ? frame_unit(frame) * sphere.radian / (sphere.radius * frame_cell(frame))
                             : 1 / field_cell_heights(height);
}

Status land_scale(const Run *run, const Field *height, const LandScaleParams *params, LandScale *scale,
                  Error *error) {
    const Frame *frame = &height->frame;
    const double unit = frame->no_heights ? 0 : frame_unit_metres(frame);
    const double cell = land_cell_metres(height), top = frame_top(frame);
    const bool chosen = params->low != 0 || params->high != 0;
    *scale = (LandScale){ .sea = params->sea_level };
    const Status status =
        field_scale(run, height, params->sea_level, params->low, params->high, &scale->colours, error);
    if (status != STATUS_OK)
        return status;
    if (unit > 0 && cell > 0 && !chosen)
        colour_by_metres(unit, scale);
    else if (top > 0 && !chosen)
        colour_by_range(params->sea_level - MAP_DEPTH * top, params->sea_level + top, params->sea_level,
                        scale);
    else
        colour_by_range(scale->colours.low, scale->colours.high, params->sea_level, scale);
    if (params->sea_level < -0x1p100) // there is none: low ground is land
        scale->sea = min(scale->colours.low, 0.0), scale->has_sea = false;
    const double low = scale->colours.low, high = scale->colours.high;
    const bool by_map = params->side == 0 && top > 0 && field_cell_heights(height) > 0;
    if (cell > 0 || by_map) {
        const double times = params->exaggeration > 0 ? params->exaggeration : vertical_exaggeration(cell);
        scale->cells = times * true_cells(height, cell);
        return STATUS_OK;
    }
    // As steep as in Olsen 2004 ("Base terrain modifications", Analysis): the range of heights is N/16 cells.
    const bool scaled_by_map = params->side > 0 && !chosen && low <= 1 && high >= -1;
    const double range = scaled_by_map ? max(high, 1) - min(low, 0) : high > low ? high - low : 1;
    const double times = params->exaggeration > 0 ? params->exaggeration : 1;
    scale->cells = times * (params->side > 0 ? params->side : field_side(height)) / 16 / range;
    return STATUS_OK;
}

#define WOVEN (1 / 128.0) // the step between heights of single precision, as a slope, that shows as a grain

void tell_if_woven(const Field *height, const LandScale *scale, Error *notice) {
    const double farthest = max(fabs(scale->colours.low), fabs(scale->colours.high));
    if (frame_top(&height->frame) > 0 && farthest > 0 && ldexp(scale->cells, ilogb(farthest) - 23) > WOVEN)
        tell(notice, "heights have too few digits for slopes of such small cells, and look woven: render "
                     "the window with relative = true");
}
