// A shaded relief map: colours by altitude, sea below the sea level, light and shade. Colours are blended and
// shaded in linear light.
//
// Slopes of three scales are added, lit and drawn as steep as shading.h says.
// Ridges are a little lighter and valley floors a little darker than their light makes them, by how far they
// are above the land around, so that valleys can be followed on slopes that face the light or away from it.

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "picture/colour.h"
#include "picture/planet.h"
#include "picture/river_ends.h"
#include "picture/shading.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Relief {
    Palette palette;
    Numbers light;
    double sea_level, exaggeration, contrast, low, high, side, air;
    const Field *rivers;
    const Image *drape;
    int projection, face;
    Numbers latitudes, extent;
} Relief;

// Shares of the slopes at three scales. On planets only the cells' own: squares of cells are no squares of
// ground in an equirectangular map, and end at the edges of cubes and globes.
typedef struct Shares {
    float cells, hills, ranges;
} Shares;

static const Shares blended = { 0.9f, 0.65f, 0.4f }, unblended = { 1.95f, 0, 0 };

typedef struct Scene {
    const Field *height, *rivers;
    const Image *drape;
    float linear[256]; // light of the drape's bytes
    RiverEnds ends;
    bool estuaries; // whether there may be any
    Image *image;
    const Ramp *ramp;
    Light river;
    Lights lights;
    LandScale scale;
    Shares shares;
    bool blends;        // slopes of several scales
    float least, cells; // the lowest height whose slopes count as land's; what a height of 1 is drawn as
    bool has_sea_colours;
    Planet planet;
    bool wraps, part; // `part`: the heights are a window of a larger map
} Scene;

enum {
    CHUNK = FORMS_WIDTH, // cells computed at once in vectors before they are coloured
    BAND = 512,          // rows computed at once: those above and below are smoothed again
    HILLS = 3,           // squares of 2^3 cells
    RANGES = 5
};

typedef struct Lie {     // how the ground lies
    float across[CHUNK]; // its slope to the right and down
    float along[CHUNK];
    float floor_across[CHUNK], floor_along[CHUNK]; // what the sea's floor adds
    float land[CHUNK];                             // share of the cell that is land: the shore may cross it
    float level[CHUNK];                            // the surface's height, in cells
    float above[CHUNK];                            // how far above the ranges it lies, in cells
    float high[CHUNK];                             // place of the land on the palette, 0 to 1
    float tone[CHUNK];                             // how light it is: 0 where it is level
    int dry[CHUNK], wet[CHUNK];                    // steps of the ramp, as land and as sea
} Lie;

// --- slopes ------------------------------------------------------------------------------------------------

// Cell `at` of a line whose slope goes on beyond its ends, mirrored about the end's own height: sign * cell
// `place` + first * the first cell + last * the last one.
typedef struct Mirrored {
    int place;
    float sign, first, last;
} Mirrored;

static Mirrored mirror(int at, int count) {
    if (count == 1)
        return (Mirrored){ 0, 1, 0, 0 };
    const int last = count - 1, place = (at % (2 * last) + 2 * last) % (2 * last),
              rounds = (at - place) / (2 * last);
    const float twice = 2 * (float)rounds;
    return place <= last ? (Mirrored){ place, 1, -twice, twice }
                         : (Mirrored){ 2 * last - place, -1, -twice, twice + 2 };
}

static float mirrored_at(const float *row, int at, int count) {
    const Mirrored mirrored = mirror(at, count);
    float sum = mirrored.sign * row[mirrored.place];
    sum += mirrored.first == 0 ? 0 : mirrored.first * row[0];
    return sum + (mirrored.last == 0 ? 0 : mirrored.last * row[count - 1]);
}

// The height at column x of a row that shows ground from `first` to end - 1, which x is not in.
static float outside_row(const Scene *scene, const float *row, int first, int end, int x) {
    const int width = scene->height->width;
    if (scene->wraps)
        return row[(x % width + width) % width];
    return scene->planet.projection == ORTHOGRAPHIC ? row[x < first ? first : end - 1]
                                                    : mirrored_at(row, x, width);
}

// Cells start … start + count - 1 of row y, within the field's rows: the row's own, or in `cells`. Beyond the
// edge: the opposite side's of a wrapping field; on a globe the last ones that show ground; otherwise the
// heights that continue the slope, mirrored about the edge's own.
static const float *row_inside(const Scene *scene, int start, int count, int y, float *cells) {
    const Field *height = scene->height;
    const float *row = field_row(height, y);
    int first, end;
    planet_columns(&scene->planet, y, &first, &end);
    if (start >= first && start + count <= end)
        return row + start;
    const int before = clamp(first - start, 0, count), after = clamp(end - start, before, count);
    for (int i = 0; i < before; i++)
        cells[i] = outside_row(scene, row, first, end, start + i);
    if (after > before)
        memcpy(cells + before, row + start + before, (size_t)(after - before) * sizeof *row);
    for (int i = after; i < count; i++)
        cells[i] = outside_row(scene, row, first, end, start + i);
    return cells;
}

// The same of any row.
static const float *row_of(const Scene *scene, int start, int count, int y, float *cells) {
    const Field *height = scene->height;
    const int rows = height->height;
    if (y >= 0 && y < rows)
        return row_inside(scene, start, count, y, cells);
    if (scene->wraps && scene->planet.projection == PLANAR)
        return row_inside(scene, start, count, (y % rows + rows) % rows, cells);
    if (scene->planet.projection == ORTHOGRAPHIC)
        return row_inside(scene, start, count, clamp(y, 0, rows - 1), cells);
    const Mirrored at = mirror(y, rows);
    float parts[3][FORM_READ] = { 0 };
    const float *own = row_inside(scene, start, count, at.place, parts[0]);
    const float *first = row_inside(scene, start, count, 0, parts[1]);
    const float *last = row_inside(scene, start, count, rows - 1, parts[2]);
    for (int i = 0; i < count; i++) {
        float sum = at.sign * own[i];
        sum += at.first == 0 ? 0 : at.first * first[i];
        cells[i] = sum + (at.last == 0 ? 0 : at.last * last[i]);
    }
    return cells;
}

#define CELLS_MOST 1e30f // sums of heights stay finite

// Heights in cells. The sea's floor does not count as land.
KERNEL static void raise_land(const Scene *scene, const float *restrict row, float *restrict cells,
                              int count) {
    const float least = scene->least, times = scene->cells;
    for (int i = 0; i < count; i++) {
        const float land = max(row[i], least) * times;
        cells[i] = clamp(land, -CELLS_MOST, CELLS_MOST);
    }
}

static void add_row(const Scene *scene, Form *form, int start, int count, int y) {
    float outside[FORM_READ], cells[FORM_READ];
    const int around = form_reach(form) + 1, read = count + 2 * around;
    raise_land(scene, row_of(scene, start - around, read, y, outside), cells, read);
    form_add(form, cells, count);
}

// Rows may be read from -1 to `count`; those of the forms begin with the one at -1. On the sea the floor
// shows faintly.
KERNEL static void measure_slopes(const Scene *scene, const float *restrict const rows[3], const Form *hills,
                                  const Form *ranges, int count, Lie *restrict lie) {
    const float *restrict up = rows[0], *restrict row = rows[1], *restrict down = rows[2];
    const float *restrict hill_up = form_row(hills, 0), *restrict hill = form_row(hills, 1);
    const float *restrict hill_down = form_row(hills, 2), *restrict range_up = form_row(ranges, 0);
    const float *restrict range = form_row(ranges, 1), *restrict range_down = form_row(ranges, 2);
    const float half = 0.5f * scene->cells, sea = scene->least, floor_shown = 0.12f;
    const Shares shares = scene->shares;
    const float fine = half * shares.cells, middle = 0.5f * shares.hills, coarse = 0.5f * shares.ranges;
    const float blends = scene->blends ? 1 : 0;
    for (int x = 0; x < count; x++) {
        const float left = row[x - 1], right = row[x + 1], above = up[x], below = down[x];
        const float floor_across = right - left, floor_along = below - above;
        const float rise = 0.5f * sqrtf(floor_across * floor_across + floor_along * floor_along);
        const float over = row[x] - sea, share = 0.5f + over / max(rise, FLT_MIN), some = max(share, 0);
        const float lowest = min(min(row[x], min(left, right)), min(above, below));
        const float highest = max(max(row[x], max(left, right)), max(above, below));
        const float dry = lowest >= sea ? 1.0f : 0.0f; // steep valleys and floors have no shore
        const float land = max(min(some, 1), dry) * (highest < sea ? 0.0f : 1.0f);
        const float across = (max(right, sea) - max(left, sea)) * fine + (hill[x + 2] - hill[x]) * middle +
                             (range[x + 2] - range[x]) * coarse;
        const float along = (max(below, sea) - max(above, sea)) * fine +
                            (hill_down[x + 1] - hill_up[x + 1]) * middle +
                            (range_down[x + 1] - range_up[x + 1]) * coarse;
        const float level = max(row[x], sea) * scene->cells, here = clamp(level, -CELLS_MOST, CELLS_MOST);
        const float bottom = (1 - land) * floor_shown * half;
        lie->land[x] = land;
        lie->level[x] = here;
        lie->across[x] = across;
        lie->along[x] = along;
        lie->floor_across[x] = floor_across * bottom;
        lie->floor_along[x] = floor_along * bottom;
        lie->above[x] = (here - range[x + 1]) * land * blends;
    }
}

// Makes of the ground's slopes those that are drawn.
KERNEL static void draw_slopes(int count, Lie *restrict lie) {
    for (int x = 0; x < count; x++) {
        const float across = lie->across[x], along = lie->along[x];
        const float shown = gentle_gain(across, along, lie->level[x]) * lie->land[x];
        lie->across[x] = across * shown + lie->floor_across[x];
        lie->along[x] = along * shown + lie->floor_along[x];
    }
}

KERNEL static void find_tones(const Scene *scene, int count, Lie *restrict lie) {
    const Lights lights = scene->lights;
    for (int x = 0; x < count; x++) {
        const float above = lie->above[x] * (1 / 7.0f), crest = above / sqrtf(1 + above * above);
        const float tone = lights_tone(&lights, lie->across[x], lie->along[x]);
        lie->tone[x] = contrast_at(lie->high[x] * lie->land[x]) * (tone + 0.09f * lights.contrast * crest);
    }
}

// --- colours -----------------------------------------------------------------------------------------------

KERNEL static void find_colours(const Scene *scene, const float *restrict row, int count, Lie *restrict lie) {
    const float sea = (float)scene->scale.sea, most = (float)RAMP_STEPS;
    const float above = (float)scene->scale.above, bend = (float)scene->scale.bend;
    const float below = (float)scene->scale.below, bend_below = (float)scene->scale.bend_below;
    for (int x = 0; x < count; x++) {
        const float over = row[x] - sea, high = land_place(max(over, 0), above, bend);
        const float deep = land_place(max(-over, 0), below, bend_below), least = 1 / most;
        lie->high[x] = high;
        lie->dry[x] = whole_within((high + 1) * most + 0.5f, RAMP_STEPS, 2 * RAMP_STEPS);
        lie->wet[x] = whole_within((1 - max(deep, least)) * most + 0.5f, 0, RAMP_STEPS);
    }
}

typedef struct Colours3 {
    float red[CHUNK], green[CHUNK], blue[CHUNK];
} Colours3;

#define COAST_INK 0.3f // how much darker the coast is drawn

// The ground's colour in the palette, or that of the drape where it is opaque. Beside a drape's shore, water
// meets what the drape has on land, so no colour of the palette shows.
static Light ground_tint(const Scene *scene, const Lie *lie, int x, const Pixel *drape) {
    const Light *steps = scene->ramp->steps;
    const float land = lie->land[x];
    const Light water = steps[lie->wet[x]], ground = land > 0 ? steps[lie->dry[x]] : water;
    if (!drape)
        return ground;
    const Light under = drape->alpha < 255 && land < 1 ? water : ground;
    if (drape->alpha == 0)
        return under;
    const float *linear = scene->linear;
    const Light own = { linear[drape->red], linear[drape->green], linear[drape->blue] };
    return light_blend(under, own, (float)drape->alpha / 255);
}

static void find_tints(const Scene *scene, const Lie *lie, int start, int count, int y, Colours3 *tints) {
    const Light *steps = scene->ramp->steps;
    const Pixel *drape = scene->drape ? image_row(scene->drape, y) + start : NULL;
    const float ink = scene->has_sea_colours ? 4 * COAST_INK * scene->lights.contrast : 0;
    for (int x = 0; x < count; x++) {
        const float land = lie->land[x];
        Light tint = ground_tint(scene, lie, x, drape ? drape + x : NULL);
        if (land > 0 && land < 1)
            tint = light_scaled(light_blend(steps[lie->wet[x]], tint, land), 1 - ink * land * (1 - land));
        tints->red[x] = tint.red;
        tints->green[x] = tint.green;
        tints->blue[x] = tint.blue;
    }
}

KERNEL static void light_tints(const float *restrict tones, int count, float brightest,
                               Colours3 *restrict tints) {
    for (int x = 0; x < count; x++) {
        const Light lit = lit_ground((Light){ tints->red[x], tints->green[x], tints->blue[x] }, tones[x]);
        tints->red[x] = compressed(lit.red, SHADING_KNEE, brightest);
        tints->green[x] = compressed(lit.green, SHADING_KNEE, brightest);
        tints->blue[x] = compressed(lit.blue, SHADING_KNEE, brightest);
    }
}

KERNEL static void light_nature(const float *restrict tones, int count, float brightest,
                                Colours3 *restrict tints) {
    for (int x = 0; x < count; x++) {
        const Light lit = lit_nature((Light){ tints->red[x], tints->green[x], tints->blue[x] }, tones[x]);
        tints->red[x] = compressed(lit.red, SHADING_KNEE, brightest);
        tints->green[x] = compressed(lit.green, SHADING_KNEE, brightest);
        tints->blue[x] = compressed(lit.blue, SHADING_KNEE, brightest);
    }
}

// --- rivers ------------------------------------------------------------------------------------------------

// Whether a cell below the sea has land on both sides: the bed of a narrow river near its mouth, not open
// water.
static bool between_banks(const Scene *scene, int x, int y, int reach) {
    static const int directions[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
    const Field *height = scene->height;
    for (int i = 0; i < 4; i++) {
        int banks = 0;
        for (int side = -1; side <= 1; side += 2)
            for (int far = 1; far <= reach; far++) {
                const int column = x + side * far * directions[i][0], row = y + side * far * directions[i][1];
                if (column < 0 || row < 0 || column >= height->width || row >= height->height)
                    break;
                const float *cells = field_row(height, row);
                if ((double)cells[column] > scene->scale.sea) {
                    banks++;
                    break;
                }
            }
        if (banks == 2)
            return true;
    }
    return false;
}

// Rivers at the sea look the same in any window: their banks are searched
// as in a picture of this side, at most 39 cells far.
enum { PART_SIDE = 512, PART_FADE = 36 };

// The share of a cell that is a narrow river; it ends at the sea. `river`: 1 or more where it covers the
// cell.
static float narrow_share(const Scene *scene, float river, float land, int x, int y) {
    const float share = min(river, 1);
    if (land == 1)
        return share;
    const int side = scene->part ? PART_SIDE : field_side(scene->height), widest = side / 8;
    const int reach = 3 + side / 128 + whole_within((double)river, 0, widest) / 2;
    return between_banks(scene, x, y, min(reach, RIVER_ENDS_FADE)) ? share : share * land;
}

// Water that is a river's by a share. Between palettes' own colours for the sea and for rivers it is as deep
// as its share: blended as light, it would be palest where a river's bed crosses the level of the sea.
static Light mouth(const Scene *scene, const Lie *lie, int x, float share) {
    if (share == 1)
        return scene->river;
    const float depth = (float)(lie->wet[x] - RAMP_STEPS) / RAMP_STEPS, tone = lie->tone[x] * (1 - share);
    if (!scene->has_sea_colours)
        return lit_ground(light_blend(scene->ramp->steps[lie->wet[x]], scene->river, share), tone);
    const double deep = (double)(depth + ((float)RAMP_RIVER - depth) * share), least = -1.0 / RAMP_STEPS;
    return lit_ground(ramp_at(scene->ramp, min(deep, least)), tone);
}

// Narrow rivers are darker than the palette's water, so that pale lines show on pale land.
static float river_ink(const Scene *scene, float river) {
    const float wide = (river - 2) * 0.25f;
    return 1 - 0.62f * min(scene->lights.contrast, 1) * (1 - clamp(wide, 0, 1));
}

static Light with_river(const Scene *scene, Light ground, float river, const Lie *lie, int i, int x, int y) {
    float cover = river;
    const float share = scene->estuaries ? share_in_estuary(&scene->ends.around, x, y, &cover) : -1;
    const float end = share >= 0 ? share : river_ends_at(&scene->ends, x, y);
    if (end < 0) {
        const bool open = scene->estuaries && river <= 1 && lie->land[i] < 1 &&
                          touches_open_water(&scene->ends.around, x, y);
        return light_blend(ground, light_scaled(scene->river, open ? 1 : river_ink(scene, river)),
                           narrow_share(scene, river, lie->land[i], x, y));
    }
    // Of the widest around, so that banks are as dark as the middle.
    const float widest = share < 0 ? widest_around(&scene->ends.around, x, y, 1) : (float)INFINITY;
    const float ink = 1 - (1 - river_ink(scene, widest)) * end; // the sea has none
    return light_blend(ground, light_scaled(mouth(scene, lie, i, end), ink), min(cover, 1));
}

#define BANK_LIGHT 0.22f // of the light edge of rivers
#define BANKS_FADE 4.0f  // cells of width, from which on, up to three times as many, the edge fades

// How much of a bank a cell is: 0 on a river and far from any.
KERNEL static void find_banks(const float *restrict up, const float *restrict row, const float *restrict down,
                              int count, float *restrict banks) {
    for (int x = 0; x < count; x++) {
        const float beside = max(max(row[x - 1], row[x + 1]), max(up[x], down[x]));
        const float wide = (min(beside, 1) - 0.4f) * (1 / 0.6f);                   // brooks have none
        const float left = clamp(1.5f - beside * (0.5f / BANKS_FADE), 0.0f, 1.0f); // lakes have none
        banks[x] = max(wide, 0) * left * (1 - min(row[x], 1));
    }
}

// A line of rivers from start - 1 to start + count, the outermost cells repeated.
static const float *river_row(const Scene *scene, int start, int count, int y, float *cells) {
    for (int i = 0; i < count + 2; i++)
        cells[i] = river_at(&scene->ends.around, start - 1 + i, y);
    return cells + 1;
}

static void draw_rivers(const Scene *scene, const Lie *lie, int start, int count, int y, Colours3 *lights) {
    const Light light = { 1.0f, 0.98f, 0.92f };
    float cells[3][CHUNK + 2], banks[CHUNK];
    const float *rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = river_row(scene, start, count, y - 1 + i, cells[i]);
    find_banks(rows[0], rows[1], rows[2], count, banks);
    for (int x = 0; x < count; x++) {
        if (!(rows[1][x] > 0 || banks[x] > 0))
            continue;
        Light shown = { lights->red[x], lights->green[x], lights->blue[x] };
        shown = light_blend(shown, light, BANK_LIGHT * scene->lights.contrast * banks[x] * lie->land[x]);
        if (rows[1][x] > 0)
            shown = with_river(scene, shown, rows[1][x], lie, x, start + x, y);
        lights->red[x] = shown.red;
        lights->green[x] = shown.green;
        lights->blue[x] = shown.blue;
    }
}

// --- the picture -------------------------------------------------------------------------------------------

static void show_from_space(const Scene *scene, int start, int count, int y, Colours3 *lights) {
    for (int x = 0; x < count; x++) {
        const Light ground = { lights->red[x], lights->green[x], lights->blue[x] };
        const Light light = planet_from_space(&scene->planet, ground, start + x, y);
        lights->red[x] = light.red;
        lights->green[x] = light.green;
        lights->blue[x] = light.blue;
    }
}

static void shade_chunk(const Scene *scene, const Form *hills, const Form *ranges, int start, int count,
                        int y) {
    float cells[3][CHUNK + 2];
    const float *rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = row_of(scene, start - 1, count + 2, y - 1 + i, cells[i]) + 1;
    Lie lie;
    Colours3 lights;
    measure_slopes(scene, rows, hills, ranges, count, &lie);
    // The gain is by slopes of the ground: those of the picture differ on either side of a cube's edge.
    planet_slopes(&scene->planet, start, count, y, lie.across, lie.along);
    planet_slopes(&scene->planet, start, count, y, lie.floor_across, lie.floor_along);
    draw_slopes(count, &lie);
    planet_even_edge(&scene->planet, start, count, y, lie.across, lie.along);
    find_colours(scene, rows[1], count, &lie);
    find_tones(scene, count, &lie);
    find_tints(scene, &lie, start, count, y, &lights);
    if (scene->drape)
        light_nature(lie.tone, count, shading_brightest(&scene->lights), &lights);
    else
        light_tints(lie.tone, count, shading_brightest(&scene->lights), &lights);
    if (scene->rivers)
        draw_rivers(scene, &lie, start, count, y, &lights);
    if (scene->planet.projection == ORTHOGRAPHIC)
        show_from_space(scene, start, count, y, &lights);
    encode_lights(scene->ramp, lights.red, lights.green, lights.blue, count,
                  image_row(scene->image, y) + start);
}

// Columns start to start + count - 1 of rows top to end - 1.
static void shade_part(const Scene *scene, int start, int count, int top, int end) {
    float hill_sums[2 * ((1 << HILLS) - 1)][FORM_LINE], range_sums[2 * ((1 << RANGES) - 1)][FORM_LINE];
    Form hills, ranges;
    form_begin(&hills, HILLS, hill_sums);
    form_begin(&ranges, RANGES, range_sums);
    const int near = form_reach(&hills) + 1, far = form_reach(&ranges) + 1;
    for (int y = scene->blends ? top - 2 * far : top; y < end; y++) {
        if (scene->blends)
            add_row(scene, &ranges, start, count, y + far);
        if (scene->blends && y >= top - 2 * near)
            add_row(scene, &hills, start, count, y + near);
        if (y >= top)
            shade_chunk(scene, &hills, &ranges, start, count, y);
    }
}

static int part_count(const Call *call) {
    return ((call->width + CHUNK - 1) / CHUNK) * ((call->height + BAND - 1) / BAND);
}

static void shade_parts(void *context, int first, int end) {
    const Scene *scene = context;
    const int width = scene->height->width, height = scene->height->height;
    const int strips = (width + CHUNK - 1) / CHUNK;
    for (int part = first; part < end; part++) {
        const int start = part % strips * CHUNK, top = part / strips * BAND;
        shade_part(scene, start, min(width - start, CHUNK), top, min(top + BAND, height));
    }
}

// The light comes from the map's directions, so that a picture that is shown where it lies has it there.
static Status set_light(const Relief *relief, Scene *scene, Error *error) {
    const Compass compass = frame_compass(&scene->height->frame);
    return lights_set(&scene->lights, compass, relief->light.at[0], relief->light.at[1], relief->contrast,
                      error);
}

static void set_shares(Scene *scene) {
    const MapProjection projection = scene->planet.projection;
    scene->blends = projection == PLANAR || projection == MERCATOR || projection == ORTHOGRAPHIC;
    scene->shares = scene->blends ? blended : unblended;
}

static Status set_heights(const Call *call, Scene *scene, Error *error) {
    const Relief *relief = call->params;
    const LandScaleParams given = { relief->sea_level, relief->low, relief->high, relief->exaggeration,
                                    relief->side };
    const Status status = land_scale(call->run, scene->height, &given, &scene->scale, error);
    if (status != STATUS_OK)
        return status;
    tell_if_woven(scene->height, &scene->scale, call->notice);
    scene->cells = (float)min(scene->scale.cells, FLT_MAX);
    scene->least = scene->scale.has_sea ? (float)scene->scale.sea : -FLT_MAX;
    return STATUS_OK;
}

static Status set_planet(const Call *call, Scene *scene, Error *error) {
    const Relief *relief = call->params;
    const Numbers *latitudes = &relief->latitudes, *extent = &relief->extent;
    if (latitudes->count > 0 && !(latitudes->at[0] > latitudes->at[1]))
        return fail(error, STATUS_INVALID, "latitudes must be { upper edge, lower edge }, the upper larger");
    if (extent->count > 0 && !(extent->at[0] < extent->at[1]))
        return fail(error, STATUS_INVALID, "extent must be { upper edge, lower edge }, the upper smaller");
    if (relief->face && relief->projection != CUBE)
        return fail(error, STATUS_INVALID, "only the projection \"cube\" has faces");
    const Field *height = scene->height;
    PlanetEdges poles = planet_latitudes(&height->frame, height->height),
                sides = planet_extent(&height->frame, height->height);
    if (latitudes->count > 0)
        poles = (PlanetEdges){ latitudes->at[0], latitudes->at[1] };
    if (extent->count > 0)
        sides = (PlanetEdges){ extent->at[0], extent->at[1] };
    const MapProjection framed = planet_projection(&height->frame);
    scene->planet = (Planet){ .projection = relief->projection ? (MapProjection)relief->projection : framed,
                              .width = call->width,
                              .height = call->height,
                              .north = poles.upper,
                              .south = poles.lower,
                              .top = sides.upper,
                              .bottom = sides.lower,
                              .face = relief->face,
                              .air = relief->air,
                              .contrast = relief->contrast,
                              .sun = { scene->lights.towards[0][0], scene->lights.towards[0][1],
                                       scene->lights.towards[0][2] } };
    return STATUS_OK;
}

static Status set_drape(Scene *scene, Error *error) {
    const Image *drape = scene->drape;
    const Field *height = scene->height;
    if (drape && (drape->width != height->width || drape->height != height->height))
        return fail(error, STATUS_INVALID,
                    "drape is %d × %d, but must have the size of the first field, %d × %d", drape->width,
                    drape->height, height->width, height->height);
    for (int i = 0; drape && i < 256; i++)
        scene->linear[i] = to_light((Pixel){ (uint8_t)i, 0, 0, 255 }).red;
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Relief *relief = call->params;
    Scene scene = { .height = call->inputs[0].field,
                    .rivers = relief->rivers,
                    .drape = relief->drape,
                    .image = &call->outputs[0].image,
                    .wraps = call->wraps,
                    .part = relief->side > 0 };
    Status status = set_drape(&scene, error);
    if (status == STATUS_OK)
        status = set_light(relief, &scene, error);
    if (status == STATUS_OK)
        status = set_planet(call, &scene, error);
    if (status == STATUS_OK)
        status = set_heights(call, &scene, error);
    if (status != STATUS_OK)
        return status;
    set_shares(&scene);
    Ramp *ramp = memory_new(1, sizeof *ramp, error);
    if (!ramp)
        return STATUS_MEMORY;
    ramp_fill(ramp, &relief->palette);
    scene.ramp = ramp;
    scene.river = ramp_river(ramp);
    scene.has_sea_colours = ramp_has_sea(ramp);
    scene.ends.fade = scene.part ? PART_FADE : RIVER_ENDS_FADE;
    const bool along_wraps = scene.wraps && scene.planet.projection == PLANAR;
    scene.ends.around = (RiversAround){ relief->rivers, &scene.planet, scene.wraps, along_wraps };
    scene.estuaries = may_have_estuaries(scene.height, relief->rivers, scene.scale.sea, scene.part);
    status = river_ends_create(&scene.ends, call->run, scene.height, scene.scale.sea, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, part_count(call), CHUNK * BAND * 10.0, shade_parts, &scene);
    river_ends_free(&scene.ends);
    memory_free(ramp);
    return status;
}

// Other projections count with the whole picture, and so do estuaries of zoomable maps. Beyond edges ground
// is mirrored, which a window that ends right there would do as well.
static int relief_reach(const Call *call) {
    enum { RIVERS_REACH = RIVER_ENDS_FADE + 6 };
    const Relief *relief = call->params;
    const MapProjection projection =
        relief->projection ? (MapProjection)relief->projection : planet_projection(&call->frame);
    if (relief->drape || projection != PLANAR || (relief->rivers && frame_top(&call->frame) > 0))
        return SEES_ALL;
    return relief->rivers ? max(FORMS_REACH + 2, RIVERS_REACH) : FORMS_REACH + 2;
}

static const Param params[] = {
    PARAM(Relief, palette, .initial_text = "hypsometric",
          .doc = "colours for heights -1 (deepest) to 1 (highest), 0 at the shore"),
    PARAM(Relief, light, .initial_numbers = NUMBERS(315, 45), .rows_min = 2, .rows_max = 2, .min = -360,
          .max = 360, .unit = UNIT_DEGREES,
          .doc = "direction of the light: azimuth clockwise from north (the top of the picture, unless a "
                 "frame says otherwise), altitude above the horizon"),
    PARAM(
        Relief, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
        .doc =
            "lower ground is sea; 0: the sea of the frame, which is 0 unless heights are relative (render)"),
    PARAM(
        Relief, exaggeration, .initial = 0, .min = 0, .max = 1000,
        .doc =
            "how many times steeper slopes are drawn. Where heights and cells are in metres, and in a "
            "window of a zoomable map, 1 is the ground's own; elsewhere the range of heights is N/16 cells. "
            "0: by the metres of a cell, 1 to 50 m, 29 where cells are 1 km, 100 where they are 3 km; 1 "
            "where these are not known"),
    PARAM(
        Relief, side, .initial = 0, .min = 0, .max = 0x1p100, .unit = UNIT_CELLS,
        .doc =
            "for a window of a larger map without metres: N, the side of the whole map in cells of the "
            "window, so "
            "that slopes look the same in windows of any size. Windows with the same side, low and high fit "
            "together, beyond 40 cells from their edges. 0: the side of the heights"),
    PARAM(Relief, contrast, .initial = 0.85, .min = 0, .max = 1, .doc = "strength of the shading"),
    PARAM(Relief, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lowest height of the colour range"),
    PARAM(
        Relief, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
        .doc =
            "highest height of the colour range; low and high 0: where heights and cells are in metres, "
            "colours by altitude, the same in every picture; in a window of a zoomable map those of the map; "
            "otherwise 0 to 1, extended if heights go beyond, or the range of the field if it is less than a "
            "quarter of that, or all above 1 or below -1"),
    PARAM(Relief, rivers,
          .doc = "where rivers are drawn, down to the sea: 0 none, 1 water; in the colour that the "
                 "palette has for -0.4, or blue if it has no sea"),
    PARAM(Relief, drape,
          .doc = "an image of the ground's own colours, such as that of cover, instead of the palette's "
                 "where it is "
                 "opaque"),
    PARAM(Relief, projection,
          .choices = CHOICES("plane", "equirectangular", "orthographic", "cube", "mercator"),
          .doc =
              "for planets: the projection of the heights, which determines how far apart cells "
              "are; orthographic heights become a globe in space. A plane whose frame is that of a planet's "
              "window has the window's"),
    PARAM(Relief, latitudes, .elements = "upper edge, lower edge", .rows_min = 2, .rows_max = 2,
          .optional = true, .min = -90, .max = 90, .unit = UNIT_DEGREES,
          .doc = "latitudes of an equirectangular map's upper and lower edge; by default those of its frame, "
                 "which windows of a planet have, or 90 and -90"),
    PARAM(Relief, extent, .rows_min = 2, .rows_max = 2, .optional = true, .min = -1, .max = 2,
          .doc = "upper and lower edge of a Mercator map, as shares of the whole map's side from its top; by "
                 "default those of a frame in EPSG:3857, or 0 and 1"),
    PARAM(Relief, face, .choices = CHOICES("front", "right", "back", "left", "top", "bottom"),
          .doc = "face of the cube"),
    PARAM(Relief, air, .initial = 1, .min = 0, .max = 10, .doc = "thickness of the air around a globe"),
    { 0 },
};

const Operation op_relief = {
    .name = "relief",
    .reach = relief_reach,
    .gaps = GAPS_KEPT,
    .category = "picture",
    .keywords = "hillshade shade map colour color hypsometric picture image render shaded air fog minimap "
                "quick shading natural cover landcover tint tints",
    .summary = "Draws a shaded relief map: colours by height, sea, light and shade",
    .description = "Natural colours of a zoomable map come from its cover, by its climate: drape = "
                   "map:cover(window).image with palette = \"ground\". The image has all shares of the cover "
                   "in it, so there is no argument for masks.",
    .source = "Height scale: Olsen 2004, Base terrain modifications, Analysis",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the map", &type_image } },
    .params = params,
    .params_size = sizeof(Relief),
    .example = "local map = height:relief{ sea_level = 0.3, light = { 300, 40 } }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:relief{ palette = \"grey\", contrast = 0 }, height:relief{ sea_level = 0.3, "
               "light = { 300, 40 } }",
    .see_also = "perspective slope cover texture",
    .run = run,
};
