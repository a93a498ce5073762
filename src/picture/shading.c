#include "picture/shading.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

// --- the scale of a land -----------------------------------------------------------------------------------

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

// --- forms -------------------------------------------------------------------------------------------------

// NOLINTBEGIN(clang-analyzer-core.*): the analyzer takes sums of a loop that it does not follow for unset
// ones

// Sums of pairs `apart` cells apart.
KERNEL_INLINE void add_pairs(const float *restrict from, float *restrict to, int count, int apart) {
    for (int i = 0; i < count; i++)
        to[i] = from[i] + from[i + apart];
}

// Adds what was kept to a row, and keeps what the row was.
KERNEL_INLINE void add_kept(float *restrict kept, float *restrict row, int count) {
    for (int i = 0; i < count; i++) {
        const float here = row[i];
        row[i] = here + kept[i];
        kept[i] = here;
    }
}

KERNEL static void add_form_cells(Form *form, const float *restrict cells, int count) {
    float lines[2][FORM_READ];
    const int steps = form->steps, reach = form_reach(form);
    int left = count + 2 + 2 * reach - 1;
    add_pairs(cells, lines[0], left, 1);
    for (int i = 1; i < 2 * steps; i++) {
        const int apart = 1 << (i % steps);
        left -= apart;
        add_pairs(lines[(i + 1) % 2], lines[i % 2], left, apart);
    }
    float *restrict row = lines[1]; // the last of an even number
    for (int i = 0, first = 0; i < 2 * steps; i++) {
        const int apart = 1 << (i % steps);
        add_kept(form->sums[first + form->read % apart], row, left);
        first += apart;
    }
    const float scale = 1 / (float)(1 << (4 * steps));
    float *restrict means = form->rows[form->read % 3];
    for (int i = 0; i < left; i++)
        means[i] = row[i] * scale;
}

// NOLINTEND(clang-analyzer-core.*)

void form_begin(Form *form, int steps, float (*sums)[FORM_LINE]) {
    *form = (Form){ .steps = steps, .sums = sums };
    memset(sums, 0, 2 * (size_t)form_reach(form) * sizeof *sums);
}

void form_add(Form *form, const float *cells, int count) {
    add_form_cells(form, cells, count);
    form->read++;
}

const float *form_row(const Form *form, int i) {
    return form->rows[(form->read + i) % 3];
}

// --- shading -----------------------------------------------------------------------------------------------

Status lights_set(Lights *lights, Compass compass, double azimuth, double altitude, double contrast,
                  Error *error) {
    if (!(altitude >= 1 && altitude <= 90))
        return fail(error, STATUS_INVALID, "light: the altitude must be 1 to 90, got %s",
                    digits_of(altitude).text);
    // The weaker lights come from a higher sky, so that slopes along the main light's direction have a
    // light and a dark side, too (as in Mark 1992, "Multidirectional, oblique-weighted, shaded-relief
    // image").
    static const struct {
        double turn, rise, share;
    } arrangement[LIGHTS] = { { 0, 0, 0.64 }, { -60, 0.2, 0.20 }, { 55, 0.3, 0.16 } };
    for (int i = 0; i < LIGHTS; i++) {
        const double around = compass_to_cells(compass, azimuth + arrangement[i].turn) * (PI / 180);
        const double up = (altitude + arrangement[i].rise * (90 - altitude)) * (PI / 180);
        lights->towards[i][0] = (float)(sine(around) * cosine(up));
        lights->towards[i][1] = (float)(-cosine(around) * cosine(up));
        lights->towards[i][2] = (float)sine(up);
        lights->share[i] = (float)arrangement[i].share / soft_light(lights->towards[i][2]);
    }
    lights->contrast = (float)(contrast / 0.85);
    return STATUS_OK;
}
