// How pictures of land are lit: the one shader of relief, perspective and what calls them.
//
// Three lights, a main one and two weaker ones beside it, fall on slopes that are compressed, so that gentle
// land shows and steep land keeps its forms (gentle_gain, lights_tone). What faces the light becomes warmer
// and lighter, what faces away becomes bluish and keeps its colour (lit_ground). Imhof 1982, "Cartographic
// Relief Presentation", chapters 9 and 13; Patterson and Jenny 2011.

#ifndef ESKER_SHADING_H
#define ESKER_SHADING_H

#include "core/frame.h"
#include "core/math.h"
#include "core/summary.h"
#include "picture/colour.h"

#include <math.h>

// --- the scale of a land -----------------------------------------------------------------------------------

// The scales of a picture of land: which colour a height has, and how steep its slopes are drawn.

// What the caller gives, each 0 where it does not.
typedef struct LandScaleParams {
    double sea_level, low, high; // as those of relief
    double exaggeration;         // of slopes; 0: vertical_exaggeration of the cells
    double side; // of the whole map of which this is a window, in cells, where metres are not known
} LandScaleParams;

// Places on a palette, -1 to 1, are above * o / (1 + bend * o) for ground o above the sea, and the same with
// `below` and `bend_below` for the depth of the sea.
typedef struct LandScale {
    double sea, above, bend, below, bend_below;
    bool has_sea;
    double cells;        // that a height of 1 is drawn as
    HeightScale colours; // without metres, the heights of the palette's ends
} LandScale;

// Where heights and cells are in metres, colours are those of altitudes (500 m look alike in every picture)
// unless `low` and `high` are given, and slopes are those of the ground, exaggerated as its cells ask. In a
// window of a map whose frame says how high it is, colours are the map's and slopes those of the ground.
// Otherwise both count in the field's range; see field_scale. Fails as that does.
Status land_scale(const Run *run, const Field *height, const LandScaleParams *params, LandScale *scale,
                  Error *error);

// How many times steeper than they are slopes are drawn, by the metres of a cell: 1 to 50 m, 100 where a cell
// is 3 km, 150 at most; 1 for 0, which means not known. The slopes of a field fall as its cells grow, because
// they are those of means.
double vertical_exaggeration(double cell);

// Metres of a cell whose heights are known in metres, on a sphere those at the equator: windows of one map
// have the same. Otherwise 0.
double land_cell_metres(const Field *height);

// Tells the user where a window's altitudes have too few digits for the slopes of its cells.
void tell_if_woven(const Field *height, const LandScale *scale, Error *notice);

// The place on a palette of ground `over` the sea, 0 to 1, or of its floor, -1 to 0.
KERNEL_INLINE float land_place(float over, float above, float bend) {
    const float place = over * above / (1 + over * bend);
    return clamp(place, 0, 1);
}

// --- forms -------------------------------------------------------------------------------------------------

// Land at three scales: slopes of the cells themselves, of hills and of ranges, so that a picture shows large
// forms as well as detail, as a cartographer draws them (Imhof 1982, chapter 9: generalization; Patterson
// 2001, "resolution bumping": a detailed elevation model blended with a smoothed one).
//
// Heights are smoothed by means over squares of 8 and of 32 cells, twice each. A mean of 2^k cells is k sums
// of two: each cell's depends on the cells around it alone, in one order, so windows agree to the bit.

enum {
    FORMS_WIDTH = 128, // columns that are smoothed at once, at most
    FORMS_REACH = 32,  // cells around a cell on which its slopes depend
    FORM_STEPS_MOST = 5,
    FORM_LINE = FORMS_WIDTH + 2,
    FORM_READ = FORM_LINE + 2 * ((1 << FORM_STEPS_MOST) - 1),
};

// One scale, for some columns, whose rows come from the top.
typedef struct Form {
    int steps, read;          // squares are of 2^steps cells; rows so far
    float (*sums)[FORM_LINE]; // 2 reach rows, for rows to come back to
    float rows[3][FORM_LINE]; // the last three smoothed ones
} Form;

// Cells around a smoothed one on which it depends.
static inline int form_reach(const Form *form) {
    return (1 << form->steps) - 1;
}

// `sums`: room for 2 reach rows.
void form_begin(Form *form, int steps, float (*sums)[FORM_LINE]);

// Adds a row of count + 2 + 2 reach cells, the first of them reach + 1 left of the first column.
void form_add(Form *form, const float *cells, int count);

// The smoothed rows: 0 the upper, 1 the middle, which lies reach + 1 rows above the last one that was added,
// 2 the lower; from the column left of the first on.
const float *form_row(const Form *form, int i);

// --- shading -----------------------------------------------------------------------------------------------

enum { LIGHTS = 3 };

typedef struct Lights {
    float towards[LIGHTS][3]; // unit vectors: to the right, down, up
    float share[LIGHTS];      // each one's share of the light on level ground, over its own light there
    float contrast;           // 1: as it should be
} Lights;

// `azimuth`: clockwise from north, which lies where `compass` says, and `altitude` above the horizon,
// degrees; `contrast`: 0 none, 0.85 as it should be. Fails with STATUS_INVALID unless the altitude is 1
// to 90.
Status lights_set(Lights *lights, Compass compass, double azimuth, double altitude, double contrast,
                  Error *error);

// The greatest slope that is told apart.
#define SLOPE_MOST 1e6f

// What a slope m is drawn as, over m: 1.6 / (1 + (p + √p) / 2), p = m / 0.8. Gentle ones look steeper, those
// of 1 less steep, and none more than 2.56.
KERNEL_INLINE float slope_compression(float steepness) {
    const float part = steepness * (1 / 0.8f);
    return 1.6f / (1 + 0.5f * (part + sqrtf(part)));
}

// How many times steeper a slope m of land is drawn, before it is compressed: 31 times at most, 19 at 0.001,
// 6 at 0.01, 1.3 at 0.1. So plains show their small forms, and mountains look as they are; what is steeper is
// drawn steeper. `height`, in cells, is that of the ground: where its digits are too few for the slope, less,
// or they would show as a grain. The sea's floor has no such gain: it stays quiet.
KERNEL_INLINE float gentle_gain(float across, float along, float height) {
    const float x = clamp(across, -SLOPE_MOST, SLOPE_MOST), y = clamp(along, -SLOPE_MOST, SLOPE_MOST);
    const float digits = 0x1p-19f; // 16 steps of single precision
    const float least = max(height, -height) * digits, steepness = sqrtf(x * x + y * y) + least;
    const float gentle = 1 / (1 + 50 * steepness), level = 1 / (1 + 500 * steepness);
    return 1 + 10 * gentle * gentle + 20 * level * level;
}

// A light that fades out before the ground faces away, without an edge: half the light plus its root mean
// square with this toe.
#define TOE 0.16f // squared

KERNEL_INLINE float soft_light(float facing) {
    return 0.5f * (facing + sqrtf(facing * facing + TOE));
}

// How light ground is: 0 where it is level, down to about -0.8 in shade and up to 0.5 in the light. `across`
// and `along`: its slopes to the right and down.
KERNEL_INLINE float lights_tone(const Lights *lights, float across, float along) {
    const float gain = 1.65f;
    const float x = clamp(across, -SLOPE_MOST, SLOPE_MOST), y = clamp(along, -SLOPE_MOST, SLOPE_MOST);
    const float steepness = sqrtf(x * x + y * y), kept = slope_compression(steepness);
    const float right = x * kept, down = y * kept, upright = 1 / sqrtf(right * right + down * down + 1);
    float light = 0;
    for (int i = 0; i < LIGHTS; i++) {
        const float *towards = lights->towards[i];
        light +=
            lights->share[i] * soft_light((towards[2] - right * towards[0] - down * towards[1]) * upright);
    }
    const float tone = gain * (light - 1), square = tone * tone;
    return lights->contrast * tone / sqrtf(sqrtf(1 + square * square));
}

// High ground has more contrast than lowlands, as air makes distant ones pale (aerial perspective; Imhof
// 1982, chapter 13). `high`: 0 at the shore to 1 on the highest summits.
KERNEL_INLINE float contrast_at(float high) {
    return 0.85f + 0.3f * high;
}

// One channel of a colour in a tone: in shade multiplied by the shade's colour, in the light made brighter
// and mixed with the light's.
KERNEL_INLINE float lit_channel(float colour, float tone, float shade, float light) {
    const float dark = max(-tone, 0), bright = max(tone, 0);
    return colour * (1 - dark * (1 - shade) + 0.22f * bright) + (light - colour) * 0.22f * bright;
}

// A colour in a tone. The light is brighter than white: see shading_brightest.
KERNEL_INLINE Light lit_ground(Light colour, float tone) {
    return (Light){ lit_channel(colour.red, tone, 0.20f, 1.30f),
                    lit_channel(colour.green, tone, 0.225f, 1.24f),
                    lit_channel(colour.blue, tone, 0.34f, 1.06f) };
}

// Natural colours in the light: the more of it they reflect, the brighter they become. Mixed with the light's
// colour, as tints are, a dark forest would be milky. Colours as pale as tints come out alike.
KERNEL_INLINE float sunny_channel(float colour, float tone, float shade, float light) {
    const float dark = max(-tone, 0), bright = max(tone, 0), own = min(colour, 1);
    return colour * (1 - dark * (1 - shade)) + light * bright * (0.015f + own * (1.2f - 0.95f * own));
}

KERNEL_INLINE Light lit_nature(Light colour, float tone) {
    return (Light){ sunny_channel(colour.red, tone, 0.20f, 1.30f),
                    sunny_channel(colour.green, tone, 0.225f, 1.24f),
                    sunny_channel(colour.blue, tone, 0.34f, 1.06f) };
}

#define SHADING_KNEE 0.72f // brighter colours are compressed, or slopes in snow would not show

// The brightest channel that lit_ground makes of white.
static inline float shading_brightest(const Lights *lights) {
    return 1 + 0.24f * lights->contrast;
}

#endif
