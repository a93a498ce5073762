// A map to print: shaded relief with contour lines, their heights written along them, rivers, a title, a
// scale bar and a north arrow.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "picture/colour.h"
#include "picture/map_sheet.h"
#include "picture/shading.h"
#include "rivers/line_coverage.h"

#include <assert.h>
#include <string.h>

extern const Operation op_contour_map, op_relief, op_contours;

typedef struct ContourMap {
    Palette palette;
    double interval, sea_level, exaggeration, contrast, low, high, metres, cell;
    int index;
    bool labels;
    const char *title;
    const Field *rivers;
} ContourMap;

enum { PARAMS_MAX = 16384 };

typedef struct Map {
    const ContourMap *params;
    const RiverNetwork *contours;
    MapSheet sheet;
    Image *image;
    Ramp *ramp;
    double cell; // metres; 0: unknown
} Map;

// --- from other operations ---------------------------------------------------------------------------------

static void copy_param(const Operation *from, const void *given, const Operation *to, void *params,
                       const char *name, size_t size) {
    memcpy((char *)params + operation_param(to, name)->offset,
           (const char *)given + operation_param(from, name)->offset, size);
}

static Status run_inner(const Call *call, const Operation *operation, const void *params, Output *output,
                        Error *notice, Error *error) {
    Output outputs[OUTPUTS_MAX] = { 0 };
    Call inner = { .run = call->run,
                   .inputs = { call->inputs[0] },
                   .outputs = outputs,
                   .wrap = WRAP_OFF,
                   .notice = notice };
    const Status status = operation_run(operation, &inner, params, error);
    *output = outputs[0];
    return status;
}

static Status draw_relief(const Call *call, Output *relief, Error *error) {
    static const struct {
        const char *name;
        size_t size;
    } copied[] = { { "palette", sizeof(Palette) },     { "sea_level", sizeof(double) },
                   { "exaggeration", sizeof(double) }, { "contrast", sizeof(double) },
                   { "low", sizeof(double) },          { "high", sizeof(double) },
                   { "rivers", sizeof(const Field *) } };
    _Alignas(16) unsigned char params[PARAMS_MAX];
    assert(op_relief.params_size <= sizeof params);
    params_initialise(&op_relief, params);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        copy_param(&op_contour_map, call->params, &op_relief, params, copied[i].name, copied[i].size);
    return run_inner(call, &op_relief, params, relief, NULL, error);
}

static Status find_contours(const Call *call, Output *contours, Error *error) {
    _Alignas(16) unsigned char params[PARAMS_MAX];
    assert(op_contours.params_size <= sizeof params);
    params_initialise(&op_contours, params);
    copy_param(&op_contour_map, call->params, &op_contours, params, "interval", sizeof(double));
    copy_param(&op_contour_map, call->params, &op_contours, params, "index", sizeof(int));
    Status status = param_set_number(operation_param(&op_contours, "smooth"), params, 1, error);
    if (status == STATUS_OK)
        status = param_set_number(operation_param(&op_contours, "line"), params, 0.6, error);
    return status == STATUS_OK ? run_inner(call, &op_contours, params, contours, call->notice, error)
                               : status;
}

// --- the map ----------------------------------------------------------------------------------------------

static Light ink_over(Pixel pixel, float line, float letter, float paper) {
    const Light white = { 1, 1, 1 }, ground = pixel.alpha ? to_light(pixel) : white;
    const Light brown = { 0.16f, 0.06f, 0.02f }, black = { 0.01f, 0.01f, 0.01f };
    return light_blend(light_blend(light_blend(ground, white, paper), brown, 0.9f * line), black, letter);
}

// Draws contours, letters and signs over rows. Gaps are transparent: only signs and labels are drawn there,
// on opaque paper.
static void ink_rows(void *context, int first, int end) {
    const Map *map = context;
    for (int y = first; y < end; y++) {
        Pixel *pixels = image_row(map->image, y);
        const float *line = field_row(&map->sheet.lines, y), *letter = field_row(&map->sheet.letters, y);
        const float *paper = field_row(&map->sheet.paper, y);
        for (int x = 0; x < map->image->width; x++)
            if ((line[x] > 0 && pixels[x].alpha) || letter[x] > 0 || paper[x] > 0) {
                const Light light = ink_over(pixels[x], line[x], letter[x], paper[x]);
                encode_lights(map->ramp, &light.red, &light.green, &light.blue, 1, &pixels[x]);
            }
    }
}

static Status blank(Field *sheet, const Image *image, Error *error) {
    const Status status = field_create(sheet, image->width, image->height, error);
    if (status == STATUS_OK)
        memset(field_cells(sheet), 0, field_count(sheet) * sizeof(float));
    return status;
}

// How many times steeper than they are slopes are drawn; 0: not known.
static double slope_times(const Call *call) {
    const double given = ((const ContourMap *)call->params)->exaggeration;
    const double cell = land_cell_metres(call->inputs[0].field);
    return !(cell > 0) ? 0 : given > 0 ? given : vertical_exaggeration(cell);
}

static Status print_map(const Call *call, Map *map, Error *error) {
    const Strokes contours = { .network = map->contours, .scale = 1, .least = 0.6 };
    Status status = field_create(&map->sheet.lines, map->image->width, map->image->height, error);
    if (status == STATUS_OK)
        status = stroke_network(call->run, &map->sheet.lines, &contours, error);
    if (status == STATUS_OK)
        status = blank(&map->sheet.letters, map->image, error);
    if (status == STATUS_OK)
        status = blank(&map->sheet.paper, map->image, error);
    if (status == STATUS_OK && !(map->ramp = memory_new(1, sizeof *map->ramp, error)))
        status = STATUS_MEMORY;
    if (status != STATUS_OK)
        return status;
    ramp_fill(map->ramp, &map->params->palette);
    const int width = map->image->width, height = map->image->height;
    if (map->cell > 0 && !map_draw_scale(&map->sheet, map->cell, slope_times(call)))
        tell(call->notice, "a map of %d by %d cells has no room for the scale bar", width, height);
    if (!map_draw_north(&map->sheet, frame_compass(&call->inputs[0].field->frame).turn))
        tell(call->notice, "a map of %d by %d cells has no room for the north arrow", width, height);
    const char *title = map->params->title;
    const bool is_blank = title[strspn(title, " \n")] == '\0';
    if (!is_blank && (status = map_draw_title(&map->sheet, title, error)) != STATUS_OK)
        return status;
    map->sheet.spacing = 0.4 * max(width, height);
    if (map->params->labels)
        map_label_contours(&map->sheet, map->contours, map->params->metres);
    return parallel_rows(call->run, map->image->height, map->image->width * 5.0, ink_rows, map);
}

// Metres across a cell in the middle of a field whose frame says so.
static double metres_across(const Field *height) {
    const double cell = frame_height_metres(&height->frame) > 0 ? field_cell_metres(height) : 0;
    return cell * field_cell_shape(height).across;
}

static Status run(const Call *call, Error *error) {
    Output relief = { 0 }, contours = { 0 };
    Map *map = memory_new_zeroed(1, sizeof *map, error);
    Status status = map ? map_check_title(((const ContourMap *)call->params)->title, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = draw_relief(call, &relief, error);
    if (status == STATUS_OK)
        status = find_contours(call, &contours, error);
    if (status == STATUS_OK) {
        map->params = call->params;
        map->contours = contours.value;
        const Field *height = call->inputs[0].field;
        map->cell = map->params->cell > 0 ? map->params->cell : metres_across(height);
        map->image = &relief.image;
        status = print_map(call, map, error);
    }
    if (map) {
        field_free(&map->sheet.lines);
        field_free(&map->sheet.letters);
        field_free(&map->sheet.paper);
        memory_free(map->ramp);
        memory_free(map);
    }
    output_free(&contours);
    if (status == STATUS_OK)
        call->outputs[0].image = relief.image;
    else
        output_free(&relief);
    return status;
}

static const Param params[] = {
    PARAM(ContourMap, palette, .initial_text = "hypsometric", .doc = "colours, as in relief"),
    PARAM(ContourMap, interval, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc =
              "height between contours, counted from the sea of the frame, or 0, in the unit of the heights; "
              "0: a round number for "
              "5 to 13"),
    PARAM(ContourMap, index, .initial = 5, .min = 0, .max = 1000,
          .doc = "every index-th contour is bold and labelled with its height above the sea of the frame, or "
                 "0; 0: none"),
    PARAM(ContourMap, labels, .initial = true, .doc = "whether heights are written"),
    PARAM(ContourMap, metres, .initial = 1, .min = 1e-6, .max = 1e6,
          .doc = "metres that a height of 1 stands for, for labels"),
    PARAM(ContourMap, cell, .initial = 0, .min = 0, .max = 1e7,
          .doc = "metres from one cell to the next, for the scale bar; 0: those of a frame in metres whose "
                 "heights have a unit (m, ft; see georeference), elsewhere no bar"),
    PARAM(ContourMap, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea"),
    PARAM(ContourMap, exaggeration, .initial = 0, .min = 0, .max = 1000,
          .doc = "how many times steeper slopes are drawn, as in relief; the scale bar says so"),
    PARAM(ContourMap, contrast, .initial = 0.6, .min = 0, .max = 1, .doc = "strength of the shading"),
    PARAM(ContourMap, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lowest height of the colour range, as in relief"),
    PARAM(ContourMap, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "highest height of the colour range; low and high 0: as in relief"),
    PARAM(ContourMap, rivers, .doc = "where rivers are drawn, as in relief"),
    PARAM(
        ContourMap, title, .initial_text = "",
        .doc =
            "written in the upper left corner, smaller from its second line on (\"\\n\"): ASCII, letters of "
            "Western and Central Europe with their marks, dashes and quotes, at most 255 bytes; \"\": none"),
    { 0 },
};

const Operation op_contour_map = {
    .name = "contour_map",
    .gaps = GAPS_OWN, // relief and contours read them
    .measures = MEASURES_SQUARES,
    .category = "picture",
    .keywords = "topographic map contours isolines print title scale north labels cartography",
    .summary = "Draws a map to print: relief, contours with their heights, rivers, title, scale bar, north "
               "arrow",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the map", &type_image } },
    .params = params,
    .params_size = sizeof(ContourMap),
    .shapes_outputs = true,
    .example = "local map = height:contour_map{ metres = 2000, interval = 0.05, cell = 30 }",
    .picture = "local land = esker.spectral{ size = 320, seed = 4 }:stream_erosion{ age = 0.4 }:normalize{}\n"
               "local rivers = land:rivers_from_flow{ threshold = 0.004 }:rasterize()\n"
               "return land:contour_map{ title = \"Upper Esk\\n1 pixel : 30 m\", metres = 2000, interval = "
               "0.05, index = 4, "
               "cell = 30, rivers = rivers }",
    .see_also = "contours relief texture",
    .run = run,
};
