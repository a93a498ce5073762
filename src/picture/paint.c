// Lays a mask, lines or points in plain colours over an image.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "picture/painting.h"
#include "rivers/line_coverage.h"

#include <math.h>
#include <string.h>

// --- what is covered ---------------------------------------------------------------------------------------

// A stretch of a line that begins `along` from the line's end, with the dashes that lie in it.
static void cover_stretch(Field *cover, Vec2 from, Vec2 to, double width, double dash, double along) {
    const double length = vec2_distance(from, to), step = max(dash, 0.5);
    if (!(dash > 0) || length == 0 || !(length < 1e9)) {
        stroke_line(cover, from, to, width);
        return;
    }
    for (double k = 2 * floor(along / (2 * step)); k * step < along + length; k += 2) {
        const double start = max(k * step - along, 0) / length;
        const double end = min((k + 1) * step - along, length) / length;
        if (end > start)
            stroke_line(cover, (Vec2){ from.x + (to.x - from.x) * start, from.y + (to.y - from.y) * start },
                        (Vec2){ from.x + (to.x - from.x) * end, from.y + (to.y - from.y) * end }, width);
    }
}

void cover_lines(Field *cover, const RiverNetwork *network, const Pen *pen) {
    const double scale = pen->scale;
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        double along = 0;
        for (int k = 1; k < network->reaches[i].count; k++) {
            const Vec2 from = { points[k - 1].x * scale, points[k - 1].y * scale };
            const Vec2 to = { points[k].x * scale, points[k].y * scale };
            const double width = (double)points[k - 1].width * scale * pen->thickness;
            cover_stretch(cover, from, to, max(width, pen->least), pen->dash, along);
            along += vec2_distance(from, to);
        }
    }
}

// The width of a mark for points without a radius: an 80th of the picture, at least 3 pixels.
static double mark_width(const Field *cover, const Pen *pen) {
    return max(max(cover->width, cover->height) / 80.0, 3) * pen->thickness;
}

// Adds the points whose species is `of` or that plus a multiple of `colours`.
static void cover_points(Field *cover, const Points *points, const Pen *pen, int of, int colours) {
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        if ((point->species - of) % colours != 0)
            continue;
        const Vec2 at = { point->x * pen->scale, point->y * pen->scale };
        const double width = point->radius > 0 ? 2 * (double)point->radius * pen->scale * pen->thickness
                                               : mark_width(cover, pen);
        stroke_line(cover, at, at, max(width, pen->least));
    }
}

// --- colours -----------------------------------------------------------------------------------------------

typedef struct Coat {
    Image *image;
    const Field *cover;
    Pixel colour;
    float opacity;
} Coat;

static uint8_t mixed(uint8_t below, uint8_t above, float source, float backdrop) {
    const float all = source + backdrop;
    return (uint8_t)whole_within(((float)above * source + (float)below * backdrop) / all + 0.5f, 0, 255);
}

// The mode "normal" of blend, with an image of one colour.
static void paint_rows(void *context, int first, int end) {
    const Coat *coat = context;
    const Pixel colour = coat->colour;
    for (int y = first; y < end; y++) {
        const float *cover = field_row(coat->cover, y);
        Pixel *pixels = image_row(coat->image, y);
        for (int x = 0; x < coat->image->width; x++) {
            const float source = clamp(cover[x], 0.0f, 1.0f) * coat->opacity * (float)colour.alpha / 255;
            if (!(source > 0))
                continue;
            const float backdrop = (float)pixels[x].alpha / 255 * (1 - source);
            pixels[x] = (Pixel){ mixed(pixels[x].red, colour.red, source, backdrop),
                                 mixed(pixels[x].green, colour.green, source, backdrop),
                                 mixed(pixels[x].blue, colour.blue, source, backdrop),
                                 (uint8_t)whole_within((source + backdrop) * 255 + 0.5f, 0, 255) };
        }
    }
}

Status paint_cover(const Run *run, Image *image, const Field *cover, Pixel colour, double opacity) {
    return parallel_rows(run, image->height, image->width * 1.0, paint_rows,
                         &(Coat){ image, cover, colour, (float)opacity });
}

Status paint_points(const Run *run, Image *image, const Points *points, const Pen *pen,
                    const Colours *colours, double opacity, Error *error) {
    Field cover;
    Status status = field_create(&cover, image->width, image->height, error);
    cover.wraps = points->wraps;
    for (int k = 0; status == STATUS_OK && k < colours->count; k++) {
        memset(field_cells(&cover), 0, field_count(&cover) * sizeof(float));
        cover_points(&cover, points, pen, k + 1, colours->count);
        status = paint_cover(run, image, &cover, colours->at[k], opacity);
    }
    field_free(&cover);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Paint {
    Colours colour;
    double opacity, thickness, line, dash;
} Paint;

// The pixels for each cell of a window, which must have the image's shape.
static Status fit(const Image *image, int width, int height, double *scale, Error *error) {
    *scale = (double)image->width / max(width, 1);
    if (fabs(*scale * height - image->height) <= 0.51 * (1 + (double)height / max(width, 1)))
        return STATUS_OK;
    return fail(error, STATUS_INVALID,
                "the shape's window is %d × %d, the image %d × %d: their aspect ratios differ", width, height,
                image->width, image->height);
}

static Status paint_lines(const Call *call, const RiverNetwork *network, Pen pen, Error *error) {
    const Paint *paint = call->params;
    Image *image = &call->outputs[0].image;
    Field cover = { 0 };
    Status status = fit(image, network->width, network->height, &pen.scale, error);
    if (status == STATUS_OK)
        status = field_create(&cover, image->width, image->height, error);
    if (status == STATUS_OK) {
        memset(field_cells(&cover), 0, field_count(&cover) * sizeof(float));
        cover_lines(&cover, network, &pen);
        status = paint_cover(call->run, image, &cover, paint->colour.at[0], paint->opacity);
    }
    field_free(&cover);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Paint *paint = call->params;
    const Image *from = call->inputs[0].image;
    const Input *shape = &call->inputs[1];
    Image *image = &call->outputs[0].image;
    Pen pen = { .thickness = paint->thickness, .least = paint->line, .dash = paint->dash };
    memcpy(image_row(image, 0), from->pixels, (size_t)image->width * (size_t)image->height * sizeof(Pixel));
    if (paint->colour.count > 1 && shape->type != &type_points)
        return fail(error, STATUS_INVALID,
                    "colour must be one for a mask or lines, got %d (points take more)", paint->colour.count);
    if (shape->field)
        return paint_cover(call->run, image, shape->field, paint->colour.at[0], paint->opacity);
    if (shape->type != &type_points) {
        RiverNetwork *made;
        const RiverNetwork *lines = input_lines(shape, &made, error);
        const Status status = lines ? paint_lines(call, lines, pen, error) : STATUS_MEMORY;
        memory_free(made);
        return status;
    }
    const Points *points = shape->value;
    const Status status = fit(image, points->width, points->height, &pen.scale, error);
    return status == STATUS_OK
               ? paint_points(call->run, image, points, &pen, &paint->colour, paint->opacity, error)
               : status;
}

static const Param params[] = {
    PARAM(Paint, colour, .initial_text = "#b3261e",
          .doc = "the colour; of points a list, a colour for each species, repeated as needed"),
    PARAM(Paint, opacity, .initial = 1, .min = 0, .max = 1, .doc = "how much the colour covers"),
    PARAM(Paint, thickness, .initial = 1, .min = 0, .max = 1000,
          .doc = "factor on the widths of lines and the radii of points; points without a radius are marks, "
                 "an 80th of the picture wide"),
    PARAM(Paint, line, .initial = 1, .min = 0, .max = 1000,
          .doc = "smallest width of lines and points, in pixels; below 1 they are fainter instead"),
    PARAM(Paint, dash, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "length of dashes along lines, and of the gaps between them, in pixels; 0: none"),
    { 0 },
};

const Operation op_paint = {
    .name = "paint",
    .category = "picture",
    .keywords = "overlay draw colour color layer mask road river points lines dashed marker",
    .summary = "Paints a mask, lines or points over an image, in plain colours",
    .description =
        "A mask's values, 0 to 1, are its opacity. Lines and points may have another size than the image if "
        "the aspect ratio is the same: they are scaled to it. To give lines borders, paint them twice, first "
        "thicker and in another colour. Works like blend with an image of one colour.",
    .source = "W3C, Compositing and blending level 1, section 9.1.2",
    .inputs = { { "image", "what lies below", { &type_image } },
                { "shape",
                  "a mask of the image's size, lines or points",
                  { &type_field, &type_network, &type_points, &type_lines, &type_polygons } } },
    .outputs = { { "image", "the painted image", &type_image } },
    .params = params,
    .params_size = sizeof(Paint),
    .example = "local way = height:path{ paths = { { 0.1, 0.1, 0.9, 0.8 } } }\n"
               "local map = height:relief{}:paint(way, { line = 2, dash = 4 })",
    .picture =
        "local trees = height:scatter{ distances = { 0.08, 0.04 } }\n"
        "local way = height:path{ paths = { { 0.1, 0.1, 0.9, 0.8 } } }\n"
        "local steep = height:select{ slope = { 25, 90, 10 } }\n"
        "return height:relief{}:paint(steep, { colour = \"#4a1486\", opacity = 0.8 }),\n"
        "       height:relief{}:paint(way, { line = 5, colour = \"#402b12\" })\n"
        "           :paint(way, { line = 3, colour = \"#f1dca7\" }),\n"
        "       height:relief{}:paint(trees, { colour = { \"#1d4d2b\", \"#6f9440\" }, thickness = 0.7 })",
    .see_also = "blend draw scatter path contours",
    .run = run,
};
