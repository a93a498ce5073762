// A shaded relief map: hypsometric colours, sea below the sea level, directional light. Colours are blended
// and shaded in linear light.
//
// The ground is as steep as in Olsen 2004 ("Base terrain modifications", Analysis): the range of heights is
// N/16 cells. A flat cell keeps its palette colour, unless that is nearly white; a slope gets it times n·l /
// l_z, plus a share of light from the sky. Nearly white colours are compressed, so that slopes in snow that
// face the light remain distinct from level snow.

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "picture/colour.h"
#include "picture/estuaries.h"
#include "picture/planet.h"
#include "picture/river_ends.h"
#include "picture/shaded_slopes.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Relief {
    Palette palette;
    Numbers light;
    double sea_level, exaggeration, contrast, low, high, side, air;
    const Field *rivers;
    int projection, face;
    Numbers latitudes, extent;
} Relief;

typedef struct Scene {
    const Field *height, *rivers;
    RiverEnds ends;
    bool estuaries; // whether there may be any
    Image *image;
    const Ramp *ramp;
    Light river;
    float light[3];            // towards it; x to the right, y down, z up
    double sea, above, below;  // sea level; 1 / the highest height above it, 1 / the depth below it
    float steepness, contrast; // height to cells, halved for the central difference
    float brightest;           // of the ground's brightnesses
    Planet planet;
    bool wraps, part; // `part`: the heights are a window of a larger map
} Scene;

enum { CHUNK = 256 }; // cells computed at once in vectors before they are coloured

typedef struct Lie {     // how the ground lies
    float across[CHUNK]; // its slope to the right and down
    float along[CHUNK];
    float land[CHUNK];       // share of the cell that is land, since the shore may cross it
    float brightness[CHUNK]; // 1 where it is flat
} Lie;

// Rows may be read from -1 to `count`.
KERNEL static void measure_slopes(const Scene *scene, const float *restrict up, const float *restrict row,
                                  const float *restrict down, int count, Lie *restrict lie) {
    const float steepness = scene->steepness, sea = scene->below > 0 ? (float)scene->sea : -FLT_MAX;
    for (int x = 0; x < count; x++) {
        const float across = row[x + 1] - row[x - 1], along = down[x] - up[x];
        const float rise = 0.5f * sqrtf(across * across + along * along), over = row[x] - sea;
        const float share = 0.5f + over / max(rise, FLT_MIN), land = max(share, 0);
        const float lowest = min(min(row[x], min(row[x - 1], row[x + 1])), min(up[x], down[x]));
        const bool dry = lowest >= sea; // a valley above the sea has no shore
        lie->land[x] = max(min(land, 1), dry ? 1.0f : 0.0f);
        lie->across[x] = across * steepness;
        lie->along[x] = along * steepness;
    }
}

KERNEL static void shade_slopes(const Scene *scene, int count, Lie *restrict lie) {
    const float contrast = scene->contrast;
    const float light_x = scene->light[0], light_y = scene->light[1], light_z = scene->light[2];
    for (int x = 0; x < count; x++) {
        const float dx = lie->across[x], dy = lie->along[x];
        const float length = sqrtf(dx * dx + dy * dy + 1);
        const float facing = (light_z - dx * light_x - dy * light_y) / length;
        const float sun = max(facing, 0) / light_z;
        const float sky = 0.5f + 0.5f / length; // steep ground receives less of it
        lie->brightness[x] = 1 + contrast * (0.8f * sun + 0.2f * sky - 1);
    }
}

#define KNEE 0.7f // bright colours are compressed, or slopes in snow would not show

static Light sea(const Scene *scene, float height, float brightness) {
    const double depth = ((double)height - scene->sea) * scene->below, least = -1.0 / RAMP_STEPS;
    return light_scaled(ramp_at(scene->ramp, min(depth, least)),
                        1 + 0.25f * (brightness - 1)); // the sea floor shows faintly
}

static Light ground(const Scene *scene, float height, float land, float brightness) {
    const double over = (double)height - scene->sea;
    const Light dry = light_scaled(ramp_at(scene->ramp, over > 0 ? over * scene->above : 0), brightness);
    return land == 1 ? dry : light_blend(sea(scene, height, brightness), dry, land);
}

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
                if ((double)cells[column] > scene->sea) {
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
    return between_banks(scene, x, y, reach) ? share : share * land;
}

// Water that is a river's by a share. Between palettes' own colours for the sea and for rivers it is as deep
// as its share: blended as light, it would be palest where a river's bed crosses the level of the sea.
static Light mouth(const Scene *scene, float height, float brightness, float share) {
    if (share == 1)
        return scene->river;
    if (!ramp_has_sea(scene->ramp))
        return light_blend(sea(scene, height, brightness), scene->river, share);
    const double depth = min(((double)height - scene->sea) * scene->below, 0);
    const double deep = depth + (RAMP_RIVER - depth) * share, least = -1.0 / RAMP_STEPS;
    return light_scaled(ramp_at(scene->ramp, min(deep, least)), 1 + 0.25f * (1 - share) * (brightness - 1));
}

static Light with_river(const Scene *scene, Light ground, float height, float land, float brightness, int x,
                        int y) {
    const float river = field_row(scene->rivers, y)[x];
    if (!(river > 0))
        return ground;
    float cover = river;
    const float share = scene->estuaries ? share_in_estuary(&scene->ends.around, x, y, &cover) : -1;
    const float end = share >= 0 ? share : river_ends_at(&scene->ends, x, y);
    if (end < 0)
        return light_blend(ground, scene->river, narrow_share(scene, river, land, x, y));
    return light_blend(ground, mouth(scene, height, brightness, end), min(cover, 1));
}

// Cells start - 1 … start + count of row y: beyond the edge, the opposite side's of a wrapping field,
// otherwise the last ones that show ground.
static void read_row(const Scene *scene, int start, int count, int y, float *cells) {
    const Field *height = scene->height;
    const bool up_and_down = scene->wraps && scene->planet.projection == PLANAR;
    const int at = neighbour_at(y, height->height, up_and_down);
    const float *row = field_row(height, at);
    int first, end;
    planet_columns(&scene->planet, at, &first, &end);
    if (first == 0 && end == height->width) {
        cells[0] = row[neighbour_at(start - 1, height->width, scene->wraps)];
        memcpy(cells + 1, row + start, (size_t)count * sizeof *row);
        cells[count + 1] = row[neighbour_at(start + count, height->width, scene->wraps)];
        return;
    }
    for (int i = 0; i < count + 2; i++) {
        const int x = start - 1 + i;
        cells[i] = row[x < first ? first : x < end ? x : end - 1];
    }
}

// Beyond the edge, the last cell replaces the missing neighbour, at half the distance.
static void mend_edges(const Scene *scene, int start, int count, int y, Lie *lie) {
    const Field *height = scene->height;
    const bool across = scene->wraps, along = across && scene->planet.projection == PLANAR;
    if (!across && start == 0)
        lie->across[0] *= 2;
    if (!across && start + count == height->width)
        lie->across[count - 1] *= 2;
    for (int x = 0; x < count && !along && (y == 0 || y == height->height - 1); x++)
        lie->along[x] *= 2;
}

static void shade_chunk(const Scene *scene, int start, int count, int y) {
    float rows[3][CHUNK + 2];
    for (int i = 0; i < 3; i++)
        read_row(scene, start, count, y - 1 + i, rows[i]);
    Lie lie;
    measure_slopes(scene, rows[0] + 1, rows[1] + 1, rows[2] + 1, count, &lie);
    if (scene->planet.projection != ORTHOGRAPHIC)
        mend_edges(scene, start, count, y, &lie);
    planet_slopes(&scene->planet, start, count, y, lie.across, lie.along);
    shade_slopes(scene, count, &lie);
    float lights[3][CHUNK]; // red, green, blue
    for (int x = 0; x < count; x++) {
        Light light = ground(scene, rows[1][x + 1], lie.land[x], lie.brightness[x]);
        if (scene->rivers)
            light = with_river(scene, light, rows[1][x + 1], lie.land[x], lie.brightness[x], start + x, y);
        if (scene->planet.projection == ORTHOGRAPHIC)
            light = planet_from_space(&scene->planet, light, start + x, y);
        lights[0][x] = light.red;
        lights[1][x] = light.green;
        lights[2][x] = light.blue;
    }
    for (int i = 0; i < 3; i++)
        compress_lights(lights[i], count, KNEE, scene->brightest);
    encode_lights(scene->ramp, lights[0], lights[1], lights[2], count, image_row(scene->image, y) + start);
}

static void shade_rows(void *context, int first, int end) {
    const Scene *scene = context;
    const int width = scene->height->width;
    for (int y = first; y < end; y++)
        for (int start = 0; start < width; start += CHUNK)
            shade_chunk(scene, start, min(width - start, CHUNK), y);
}

// The light comes from the map's directions, so that a picture that is shown where it lies has it there.
static Status set_light(const Relief *relief, Scene *scene, Error *error) {
    const double direction = compass_to_cells(frame_compass(&scene->height->frame), relief->light.at[0]);
    const double azimuth = direction * (PI / 180), altitude = relief->light.at[1] * (PI / 180);
    if (!(relief->light.at[1] >= 1 && relief->light.at[1] <= 90))
        return fail(error, STATUS_INVALID, "light: the altitude must be 1 to 90, got %s",
                    digits_of(relief->light.at[1]).text);
    scene->light[0] = (float)(sine(azimuth) * cosine(altitude));
    scene->light[1] = (float)(-cosine(azimuth) * cosine(altitude));
    scene->light[2] = (float)sine(altitude);
    scene->brightest = 1 + scene->contrast * 0.8f * (1 / scene->light[2] - 1);
    return STATUS_OK;
}

// The heights of the palette's ends and the sea.
static Status set_heights(const Call *call, Scene *scene, Error *error) {
    const Relief *relief = call->params;
    HeightScale scale;
    const Status status = field_scale(call->run, call->inputs[0].field, relief->sea_level, relief->low,
                                      relief->high, &scale, error);
    if (status != STATUS_OK)
        return status;
    const double low = scale.low, high = scale.high;
    const double shore = max(relief->sea_level, low); // no sea: the lowest land is 0
    scene->sea = shore;
    scene->above = high > shore ? 1 / (high - shore) : 0;
    scene->below = shore > low ? 1 / (shore - low) : 0;
    const bool chosen = relief->low != 0 || relief->high != 0;
    const double cells = shaded_cells(scene->height, relief->side, chosen, &scale);
    tell_if_woven(scene->height, &scale, cells, call->notice);
    scene->steepness = (float)min(0.5 * relief->exaggeration * cells, FLT_MAX);
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
                              .sun = { scene->light[0], scene->light[1], scene->light[2] } };
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Relief *relief = call->params;
    Scene scene = { .height = call->inputs[0].field,
                    .rivers = relief->rivers,
                    .image = &call->outputs[0].image,
                    .contrast = (float)relief->contrast,
                    .wraps = call->wraps,
                    .part = relief->side > 0 };
    Status status = set_light(relief, &scene, error);
    if (status == STATUS_OK)
        status = set_planet(call, &scene, error);
    if (status == STATUS_OK)
        status = set_heights(call, &scene, error);
    if (status != STATUS_OK)
        return status;
    Ramp *ramp = memory_new(1, sizeof *ramp, error);
    if (!ramp)
        return STATUS_MEMORY;
    ramp_fill(ramp, &relief->palette);
    scene.ramp = ramp;
    scene.river = ramp_river(ramp);
    scene.ends.fade = scene.part ? PART_FADE : RIVER_ENDS_FADE;
    const bool along_wraps = scene.wraps && scene.planet.projection == PLANAR;
    scene.ends.around = (RiversAround){ relief->rivers, &scene.planet, scene.wraps, along_wraps };
    scene.estuaries = may_have_estuaries(scene.height, relief->rivers, scene.sea, scene.part);
    status = river_ends_create(&scene.ends, call->run, scene.height, scene.sea, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 10.0, shade_rows, &scene);
    river_ends_free(&scene.ends);
    memory_free(ramp);
    return status;
}

static const Param params[] = {
    PARAM(Relief, palette, .initial_text = "hypsometric",
          .doc = "colours for heights -1 (deepest) to 1 (highest), 0 at the shore"),
    PARAM(Relief, light, .initial_numbers = NUMBERS(315, 45), .rows_min = 2, .rows_max = 2, .min = -360,
          .max = 360, .unit = UNIT_DEGREES,
          .doc = "direction of the light: azimuth clockwise from north (the top of the picture, unless a "
                 "frame says otherwise), altitude above the horizon"),
    PARAM(
        Relief, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
        .doc =
            "lower ground is sea; 0: the sea of the frame, which is 0 unless heights are relative (render)"),
    PARAM(Relief, exaggeration, .initial = 1, .min = 0, .max = 100,
          .doc = "vertical scale of the shading; 1: the range of heights is N/16 cells; in a window of a "
                 "zoomable map (also in metres), and where the frame has a top, they are those of the "
                 "ground, which are gentle where a whole planet is seen (4, say)"),
    PARAM(Relief, side, .initial = 0, .min = 0, .max = 0x1p100, .unit = UNIT_CELLS,
          .doc = "for a window of a larger map: N, the side of the whole map in cells of the window, so that "
                 "slopes look the same in windows of any size. Windows with the same side, low and high fit "
                 "together, beyond 40 cells from their edges. 0: the side of the heights"),
    PARAM(Relief, contrast, .initial = 0.85, .min = 0, .max = 1, .doc = "strength of the shading"),
    PARAM(Relief, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lowest height of the colour range"),
    PARAM(Relief, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "highest height of the colour range; low and high 0: 0 to 1, extended if heights go "
                 "beyond, or the range of the field if it is less than a quarter of that, or all above 1 or "
                 "below -1. In a window of a zoomable map heights keep the colours of the map; a small range "
                 "gets half of them"),
    PARAM(Relief, rivers,
          .doc = "where rivers are drawn, down to the sea: 0 none, 1 water; in the colour that the "
                 "palette has for -0.4, or blue if it has no sea"),
    PARAM(Relief, projection,
          .choices = CHOICES("plane", "equirectangular", "orthographic", "cube", "mercator"),
          .doc =
              "for planets: the projection of the heights, which determines how far apart cells "
              "are; orthographic heights become a globe in space. A plane whose frame is that of a planet's "
              "window has the window's"),
    PARAM(Relief, latitudes, .rows_min = 2, .rows_max = 2, .optional = true, .min = -90, .max = 90,
          .unit = UNIT_DEGREES,
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
    .gaps = GAPS_KEPT,
    .category = "picture",
    .keywords = "hillshade shade map colour color hypsometric picture image render shaded air fog minimap "
                "quick shading",
    .summary = "Draws a shaded relief map: colours by height, sea, light and shade",
    .source = "Height scale: Olsen 2004, Base terrain modifications, Analysis",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the map", &type_image } },
    .params = params,
    .params_size = sizeof(Relief),
    .example = "local map = height:relief{ sea_level = 0.3, light = { 300, 40 } }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:relief{ palette = \"grey\", contrast = 0 }, height:relief{ sea_level = 0.3, "
               "light = { 300, 40 } }",
    .see_also = "perspective slope",
    .run = run,
};
