// A map to print: shaded relief with contour lines, their heights written along them, rivers, a scale bar and
// a north arrow.

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "picture/colour.h"
#include "picture/lettering.h"
#include "rivers/strokes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const Operation op_contour_map, op_relief, op_contours;

typedef struct ContourMap {
    Palette palette;
    double interval, sea_level, exaggeration, contrast, metres, cell;
    int index;
    bool labels;
    const Field *rivers;
} ContourMap;

typedef struct Box {
    double left, top, right, bottom;
    double height; // of the contour; NaN: a sign
} Box;

typedef struct HeightLabel {
    NumberText number;
    double length, height;
} HeightLabel;

enum { LETTER = 8, LABELS_MAX = 400, PARAMS_MAX = 16384 };

typedef struct Map {
    const ContourMap *params;
    const RiverNetwork *contours;
    Field lines, letters, paper; // shares of pixels: contours; letters and signs; bright ground below these
    Image *image;
    Ramp *ramp;
    double cell;    // metres; 0: unknown
    double spacing; // pixels between labels of a contour
    Box labels[LABELS_MAX];
    int label_count;
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
    } copied[] = { { "palette", sizeof(Palette) },
                   { "sea_level", sizeof(double) },
                   { "exaggeration", sizeof(double) },
                   { "contrast", sizeof(double) },
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

// --- labels
// ----------------------------------------------------------------------------------------------------------

// Whether less than `gap` is between them.
static bool overlap(Box a, Box b, double gap) {
    return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap &&
           b.top < a.bottom + gap;
}

// Whether there is room for it, far from others, and farther from those of the same height; takes the room.
static bool take_room(Map *map, Box box) {
    if (map->label_count == LABELS_MAX || box.left < 2 || box.top < 2 || box.right > map->image->width - 2 ||
        box.bottom > map->image->height - 2)
        return false;
    for (int i = 0; i < map->label_count; i++)
        if (overlap(box, map->labels[i], map->labels[i].height == box.height ? map->spacing / 2 : 3 * LETTER))
            return false;
    map->labels[map->label_count++] = box;
    return true;
}

// Bright ground in a rectangle along a direction, and no lines.
static void clear_paper(Map *map, Vec2 from, Vec2 along, double length, double height) {
    const double reach = length + height;
    const int left = index_within(from.x - reach, map->image->width);
    const int right = index_within(from.x + reach, map->image->width);
    const int top = index_within(from.y - reach, map->image->height);
    const int bottom = index_within(from.y + reach, map->image->height);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const double dx = x + 0.5 - from.x, dy = y + 0.5 - from.y;
            const double u = dx * along.x + dy * along.y, v = dy * along.x - dx * along.y;
            if (u >= -2 && u <= length + 1 && v >= -2 && v <= height + 2) {
                field_row(&map->lines, y)[x] = 0;
                field_row(&map->paper, y)[x] = 0.55f;
            }
        }
}

// The point of a reach `distance` along it from point *at, which is moved there.
static bool walk(const RiverPoint *points, int count, int *at, double distance, Vec2 *found) {
    while (*at + 1 < count) {
        const RiverPoint *a = &points[*at], *b = &points[*at + 1];
        const double dx = b->x - a->x, dy = b->y - a->y, step = sqrt(dx * dx + dy * dy);
        if (step >= distance && step > 0) {
            *found = (Vec2){ a->x + dx * distance / step, a->y + dy * distance / step };
            return true;
        }
        distance -= step;
        ++*at;
    }
    return false;
}

// A level is a float: the fewest decimals that tell it.
static NumberText level_text(double height) {
    double step = 1, rounded = floor(height + 0.5);
    while (step > 2e-5 && fabs(rounded - height) > 1e-6 * fabs(height)) {
        step /= 10;
        rounded = floor(height / step + 0.5) * step;
    }
    return number_text(rounded, step);
}

// Writes a height along the chord of a contour; false if there is no room, or if its upper side, which faces
// uphill, would be below and `uphill` is required. Higher ground is on the right of the contour.
static bool write_label(Map *map, const HeightLabel *label, Vec2 from, Vec2 to, bool uphill) {
    const double chord = vec2_distance(from, to), length = label->length;
    Vec2 along = { (from.x - to.x) / chord, (from.y - to.y) / chord };
    const bool upright = along.x > -0.1;
    if (!upright && uphill)
        return false;
    if (!upright)
        along = (Vec2){ -along.x, -along.y };
    const Vec2 middle = { (from.x + to.x) / 2, (from.y + to.y) / 2 };
    const Vec2 corner = { middle.x - along.x * length / 2 + along.y * LETTER / 2,
                          middle.y - along.y * length / 2 - along.x * LETTER / 2 };
    const Vec2 far = { corner.x + along.x * length - along.y * LETTER,
                       corner.y + along.y * length + along.x * LETTER };
    const Box box = { min(corner.x, far.x) - LETTER, min(corner.y, far.y) - LETTER,
                      max(corner.x, far.x) + LETTER, max(corner.y, far.y) + LETTER, label->height };
    if (!take_room(map, box))
        return false;
    clear_paper(map, corner, along, length, LETTER);
    letter_text(&map->letters, label->number.text, corner, along, LETTER);
    return true;
}

static double reach_length(const RiverPoint *points, int count) {
    double length = 0;
    for (int i = 1; i < count; i++)
        length +=
            vec2_distance((Vec2){ points[i - 1].x, points[i - 1].y }, (Vec2){ points[i].x, points[i].y });
    return length;
}

// Labels a contour where it is straight enough, and again after the map's spacing. What counts as straight
// enough falls with the way on which there might have been a label, so that rough contours have labels, too,
// but the straight places are preferred. Whether there is one.
static bool label_reach(Map *map, const Reach *reach, bool uphill) {
    const RiverPoint *points = map->contours->points + reach->first;
    const double height = (double)points[0].altitude;
    HeightLabel label = { level_text(height * map->params->metres), 0, height };
    label.length = letter_length(label.number.text, LETTER);
    const double length = label.length, step = length / 4, spacing = max(map->spacing, 10 * length);
    if (reach_length(points, reach->count) < 5 * length)
        return true; // too small for one
    double since = spacing;
    bool any = false;
    int at = 0;
    Vec2 from, to;
    for (double start = 0.1; walk(points, reach->count, &at, start, &from); since += step) {
        int end = at;
        const double back = vec2_distance(from, (Vec2){ points[at].x, points[at].y });
        start = back + step;
        if (!walk(points, reach->count, &end, back + length, &to))
            break;
        const double straight = clamp(0.95 - 0.03 * (since - spacing) / length, 0.6, 0.95);
        if (since < spacing || vec2_distance(from, to) < straight * length)
            continue;
        if (write_label(map, &label, from, to, uphill)) {
            since = 0;
            any = true;
        }
    }
    return any;
}

// Index contours get labels that face uphill, or else where they can be read.
static void label_contours(Map *map) {
    for (int i = 0; i < map->contours->reach_count && map->params->labels; i++) {
        const Reach *reach = &map->contours->reaches[i];
        if (reach->order == 2 && !label_reach(map, reach, true))
            label_reach(map, reach, false);
    }
}

// --- scale and north
// -------------------------------------------------------------------------------------------------

// Paper for a sign, which labels leave free.
static void draw_box(Map *map, int left, int top, int right, int bottom) {
    map->labels[map->label_count++] = (Box){ left, top, right, bottom, NAN };
    for (int y = max(top, 0); y < min(bottom, map->image->height); y++)
        for (int x = max(left, 0); x < min(right, map->image->width); x++) {
            field_row(&map->lines, y)[x] = 0;
            field_row(&map->letters, y)[x] = 0;
            field_row(&map->paper, y)[x] = 0.85f;
        }
}

// A bar of a round length, about a fifth of the map's width.
static void draw_scale(Map *map) {
    const double cell = map->cell, wanted = map->image->width * cell / 5;
    const double ten = power(10, floor(logarithm(wanted) / logarithm(10)));
    const double length = wanted / ten >= 5 ? 5 * ten : wanted / ten >= 2 ? 2 * ten : ten;
    char text[40];
    snprintf(text, sizeof text, length >= 1000 ? "%g km" : "%g m", length >= 1000 ? length / 1000 : length);
    const double pixels = length / cell, left = 14, bottom = map->image->height - 14;
    draw_box(map, 6, whole_int(bottom) - LETTER - 14,
             whole_int(left + max(pixels, letter_length(text, LETTER)) + 8), whole_int(bottom) + 8);
    for (int i = -1; i <= 1; i++)
        stroke_line(&map->letters, (Vec2){ left, bottom + i }, (Vec2){ left + pixels, bottom + i }, 1);
    letter_text(&map->letters, text, (Vec2){ left, bottom - LETTER - 7 }, (Vec2){ 1, 0 }, LETTER);
}

static void draw_north(Map *map) {
    const double x = map->image->width - 20, top = 14;
    draw_box(map, whole_int(x) - 12, 6, whole_int(x) + 14, 56);
    stroke_line(&map->letters, (Vec2){ x, top }, (Vec2){ x, top + 22 }, 1.5);
    stroke_line(&map->letters, (Vec2){ x, top }, (Vec2){ x - 5, top + 9 }, 1.5);
    stroke_line(&map->letters, (Vec2){ x, top }, (Vec2){ x + 5, top + 9 }, 1.5);
    letter_text(&map->letters, "N", (Vec2){ x - 3.5, top + 28 }, (Vec2){ 1, 0 }, 10);
}

// --- the map
// ---------------------------------------------------------------------------------------------------------

static Light ink_over(Pixel pixel, float line, float letter, float paper) {
    const Light ground = to_light(pixel), white = { 1, 1, 1 };
    const Light brown = { 0.16f, 0.06f, 0.02f }, black = { 0.01f, 0.01f, 0.01f };
    return light_blend(light_blend(light_blend(ground, white, paper), brown, 0.9f * line), black, letter);
}

static void ink_rows(void *context, int first, int end) {
    const Map *map = context;
    for (int y = first; y < end; y++) {
        Pixel *pixels = image_row(map->image, y);
        const float *line = field_row(&map->lines, y), *letter = field_row(&map->letters, y);
        const float *paper = field_row(&map->paper, y);
        for (int x = 0; x < map->image->width; x++)
            if (line[x] > 0 || letter[x] > 0 || paper[x] > 0) {
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

static Status print_map(const Call *call, Map *map, Error *error) {
    Status status = blank(&map->lines, map->image, error);
    if (status == STATUS_OK)
        status = blank(&map->letters, map->image, error);
    if (status == STATUS_OK)
        status = blank(&map->paper, map->image, error);
    if (status == STATUS_OK && !(map->ramp = memory_new(1, sizeof *map->ramp, error)))
        status = STATUS_MEMORY;
    if (status != STATUS_OK)
        return status;
    ramp_fill(map->ramp, &map->params->palette);
    stroke_reaches(&map->lines, map->contours, 1, 0.6);
    if (map->cell > 0)
        draw_scale(map);
    draw_north(map);
    map->spacing = 0.4 * max(map->image->width, map->image->height);
    label_contours(map);
    return parallel_rows(call->run, map->image->height, map->image->width * 5.0, ink_rows, map);
}

static Status run(const Call *call, Error *error) {
    Output relief = { 0 }, contours = { 0 };
    Map *map = memory_new_zeroed(1, sizeof *map, error);
    Status status = map ? draw_relief(call, &relief, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = find_contours(call, &contours, error);
    if (status == STATUS_OK) {
        map->params = call->params;
        map->contours = contours.value;
        const Field *height = call->inputs[0].field;
        map->cell = map->params->cell > 0 ? map->params->cell
                                          : frame_metres(&height->frame, height->width, height->height);
        map->image = &relief.image;
        status = print_map(call, map, error);
    }
    if (map) {
        field_free(&map->lines);
        field_free(&map->letters);
        field_free(&map->paper);
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
          .doc = "height between contours, counted from 0, in heights (not metres); 0: a round number for "
                 "5 to 13"),
    PARAM(ContourMap, index, .initial = 5, .min = 0, .max = 1000,
          .doc = "every index-th contour, counted from 0, is bold and labelled with its height; 0: none"),
    PARAM(ContourMap, labels, .initial = true, .doc = "whether heights are written"),
    PARAM(ContourMap, metres, .initial = 1, .min = 1e-6, .max = 1e6,
          .doc = "metres that a height of 1 stands for, for labels"),
    PARAM(ContourMap, cell, .initial = 0, .min = 0, .max = 1e7,
          .doc = "metres from one cell to the next, for the scale bar; 0: those of a frame in metres whose "
                 "heights "
                 "have the unit \"m\" (see georeference), elsewhere no bar"),
    PARAM(ContourMap, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lower ground is sea"),
    PARAM(ContourMap, exaggeration, .initial = 0.6, .min = 0, .max = 100,
          .doc = "vertical scale of the shading, as in relief"),
    PARAM(ContourMap, contrast, .initial = 0.6, .min = 0, .max = 1, .doc = "strength of the shading"),
    PARAM(ContourMap, rivers, .doc = "where rivers are drawn, as in relief"),
    { 0 },
};

const Operation op_contour_map = {
    .name = "contour_map",
    .gaps = GAPS_KEPT,
    .category = "picture",
    .keywords = "topographic map contours isolines print scale north labels cartography",
    .summary = "Draws a map to print: relief, contours with their heights, rivers, scale bar, north arrow",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the map", &type_image } },
    .params = params,
    .params_size = sizeof(ContourMap),
    .shapes_outputs = true,
    .example = "local map = height:contour_map{ metres = 2000, interval = 0.05, cell = 30 }",
    .picture =
        "local land = esker.spectral{ size = 320, seed = 4 }:stream_erosion{ age = 0.4 }:normalize{}\n"
        "local rivers = land:rivers_from_flow{ threshold = 0.004 }:rasterize()\n"
        "return land:contour_map{ metres = 2000, interval = 0.05, index = 4, cell = 30, rivers = rivers }",
    .see_also = "contours relief texture",
    .run = run,
};
