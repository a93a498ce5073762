// Lines and points in plain colours: drawn alone, as pictures of river networks, contours with their heights,
// and points; or painted over an image, as masks are, too.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "picture/colour.h"
#include "picture/map_sheet.h"
#include "picture/point_names.h"
#include "places/overlay.h"
#include "places/points.h"
#include "rivers/line_coverage.h"

#include <math.h>
#include <string.h>

// Rivers that are dry for most of the year are drawn with dashes so long, in pixels.
#define WADI_DASH 4.0

// How lines and points are drawn, in pixels of the image.
typedef struct Pen {
    double scale;     // pixels for each cell of the window
    double thickness; // factor on widths and radii
    double least;     // smallest width
    double dash;      // length of dashes, and of the gaps between them; 0: none
} Pen;

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

// Adds a network's lines to the share of each cell that is covered.
static void cover_lines(Field *cover, const RiverNetwork *network, const Pen *pen) {
    const double scale = pen->scale;
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        const double dash = network->reaches[i].wadi && !(pen->dash > 0) ? WADI_DASH : pen->dash;
        double along = 0;
        for (int k = 1; k < network->reaches[i].count; k++) {
            const Vec2 from = { points[k - 1].x * scale, points[k - 1].y * scale };
            const Vec2 to = { points[k].x * scale, points[k].y * scale };
            const double width = (double)points[k - 1].width * scale * pen->thickness;
            cover_stretch(cover, from, to, max(width, pen->least), dash, along);
            along += vec2_distance(from, to);
        }
    }
}

// The width of a mark for points without a radius: an 80th of the picture, at least 3 pixels.
static double mark_width(const Field *cover, const Pen *pen) {
    return max(max(cover->width, cover->height) / 80.0, 3) * pen->thickness;
}

static double dot_width(const Field *cover, const PlacePoint *point, const Pen *pen) {
    const double width =
        point->radius > 0 ? 2 * (double)point->radius * pen->scale * pen->thickness : mark_width(cover, pen);
    return max(width, pen->least);
}

// Adds the points whose species is `of` or that plus a multiple of `colours`.
static void cover_points(Field *cover, const Points *points, const Pen *pen, int of, int colours) {
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        if ((point->species - of) % colours != 0)
            continue;
        const Vec2 at = { point->x * pen->scale, point->y * pen->scale };
        stroke_line(cover, at, at, dot_width(cover, point, pen));
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
static void blend_rows(void *context, int first, int end) {
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

// Blends a colour onto an image where `cover` is above 0.
static Status paint_cover(const Run *run, Image *image, const Field *cover, Pixel colour, double opacity) {
    return parallel_rows(run, image->height, image->width * 1.0, blend_rows,
                         &(Coat){ image, cover, colour, (float)opacity });
}

// Paints points, each species in its colour; those listed first are painted first.
static Status paint_points(const Run *run, Image *image, const Points *points, const Pen *pen,
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

// --- paint -------------------------------------------------------------------------------------------------

typedef struct Paint {
    Colours colour;
    double opacity, thickness, line, dash;
    const char *labels;
    double letters;
    Colours halo;
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

static Status paint_names(const Call *call, const Points *points, const Pen *pen, int column, Error *error) {
    const Paint *paint = call->params;
    Image *image = &call->outputs[0].image;
    Field letters = { 0 }, halo = { 0 };
    double *radii = memory_new((size_t)points->count + 1, sizeof *radii, error);
    Status status = radii ? field_create(&letters, image->width, image->height, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = field_create(&halo, image->width, image->height, error);
    if (status == STATUS_OK) {
        memset(field_cells(&letters), 0, field_count(&letters) * sizeof(float));
        memset(field_cells(&halo), 0, field_count(&halo) * sizeof(float));
        for (int i = 0; i < points->count; i++)
            radii[i] = dot_width(&letters, &points->at[i], pen) / 2;
        const PointNames names = { points, column, pen->scale, radii, paint->letters };
        status = write_point_names(&names, &letters, &halo, error);
    }
    if (status == STATUS_OK)
        status = paint_cover(call->run, image, &halo, paint->halo.at[0], paint->opacity);
    if (status == STATUS_OK)
        status = paint_cover(call->run, image, &letters, paint->colour.at[0], paint->opacity);
    field_free(&halo);
    field_free(&letters);
    memory_free(radii);
    return status;
}

// A picture may be a part of what the shapes belong to, so that this is no error.
static Status tell_if_elsewhere(const Call *call, const Input *shape, Error *error) {
    const Window window = { "the image", shape->type->frame((void *)shape->value),
                            (int)value_property(shape->type, "width")->get(shape->value),
                            (int)value_property(shape->type, "height")->get(shape->value) };
    const double reach = input_radius(shape) + max(window.width, window.height) / 20.0;
    Error found;
    const Status status = input_check_meeting(shape, &window, reach, &found);
    if (status == STATUS_MEMORY)
        return fail(error, status, "%s", found.text);
    if (status != STATUS_OK)
        tell(call->notice, "nothing is painted: %s", found.text);
    return STATUS_OK;
}

static Status run_paint(const Call *call, Error *error) {
    const Paint *paint = call->params;
    const Image *from = call->inputs[0].image;
    const Input *shape = &call->inputs[1];
    Image *image = &call->outputs[0].image;
    Pen pen = { .thickness = paint->thickness, .least = paint->line, .dash = paint->dash };
    memcpy(image_row(image, 0), from->pixels, (size_t)image->width * (size_t)image->height * sizeof(Pixel));
    if (paint->colour.count > 1 && shape->type != &type_points)
        return fail(error, STATUS_INVALID,
                    "colour must be one for a mask or lines, got %d (points take more)", paint->colour.count);
    if (paint->halo.count > 1)
        return fail(error, STATUS_INVALID, "halo must be one colour, got %d", paint->halo.count);
    if (*paint->labels && shape->type != &type_points)
        return fail(error, STATUS_INVALID, "labels: %s have none; points have",
                    shape->field ? "masks" : shape->type->plural);
    if (shape->field)
        return paint_cover(call->run, image, shape->field, paint->colour.at[0], paint->opacity);
    if (tell_if_elsewhere(call, shape, error) != STATUS_OK)
        return STATUS_MEMORY;
    if (shape->type != &type_points) {
        RiverNetwork *made;
        const RiverNetwork *lines = input_lines(shape, &made, error);
        const Status status = lines ? paint_lines(call, lines, pen, error) : STATUS_MEMORY;
        memory_free(made);
        return status;
    }
    const Points *points = shape->value;
    int column = -1;
    Status status = fit(image, points->width, points->height, &pen.scale, error);
    if (status == STATUS_OK && *paint->labels && points->count > 0)
        status = attributes_require(points->attributes, paint->labels, &column, error);
    if (status == STATUS_OK)
        status = paint_points(call->run, image, points, &pen, &paint->colour, paint->opacity, error);
    return status == STATUS_OK && column >= 0 ? paint_names(call, points, &pen, column, error) : status;
}

static const Param paint_params[] = {
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
    PARAM(Paint, labels, .initial_text = "",
          .doc = "the attribute of points that is written beside them, such as name; none by default"),
    PARAM(Paint, letters, .initial = 7, .min = 3, .max = 200,
          .doc = "height of capitals beside the smallest points, in pixels; larger points have letters up to "
                 "1.75 times as high"),
    PARAM(Paint, halo, .initial_text = "#fffdf4b0", .doc = "the colour around letters"),
    { 0 },
};

const Operation op_paint = {
    .name = "paint",
    .category = "picture",
    .keywords = "overlay draw colour color layer mask road river points lines dashed marker labels names",
    .summary = "Paints a mask, lines or points over an image, in plain colours",
    .description =
        "A mask's values, 0 to 1, are its opacity. Lines and points may have another size than the image if "
        "the aspect ratio is the same: they are scaled to it. To give lines borders, paint them twice, first "
        "thicker and in another colour. Labels do not overlap: points that come first have theirs first, on "
        "the right if there is room, and those without room have none. Labels are in the first colour. Works "
        "like blend with an image of one colour.",
    .source = "W3C, Compositing and blending level 1, section 9.1.2; Imhof 1975, \"Positioning names on "
              "maps\", The "
              "American Cartographer 2",
    .inputs = { { "image", "what lies below", { &type_image } },
                { "shape",
                  "a mask of the image's size, lines or points",
                  { &type_field, &type_network, &type_points, &type_lines, &type_polygons } } },
    .outputs = { { "image", "the painted image", &type_image } },
    .params = paint_params,
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
    .run = run_paint,
};

// --- draw --------------------------------------------------------------------------------------------------

typedef struct Draw {
    double scale, line, metres;
    bool labels;
    Colours colours;
} Draw;

// `scale`: pixels for each unit of a spot.
static void draw_ridge(Field *cover, const Vec2 *spots, int count, double scale) {
    static const double width = 1.5;
    for (int i = 1; i < count; i++)
        stroke_line(cover, (Vec2){ spots[i - 1].x * scale, spots[i - 1].y * scale },
                    (Vec2){ spots[i].x * scale, spots[i].y * scale }, width);
}

static const Pixel paper = { 0xf6, 0xf3, 0xea, 255 };

typedef struct Drawing {
    const RiverNetwork *network;
    Boundary coast;       // as a sample
    Field rivers, ridges; // the share of each pixel that they cover; no cells: there are no ridges
    double scale;         // pixels for each cell of the network
    MapSheet *sheet;      // of the heights on contours, with the lines between them; NULL: none
    Image *image;
    Ramp *ramp;
    Light land, sea, river, ridge;
} Drawing;

// The share of a cell that is land.
static float land_share(const Drawing *drawing, int x, int y) {
    const Boundary *boundary = &drawing->coast;
    if (!boundary->coast)
        return 1;
    const double cell = drawing->network->cell / drawing->scale;
    const double inside = boundary_distance(boundary, (Vec2){ (x + 0.5) * cell, (y + 0.5) * cell }) / cell;
    return (float)(inside > -0.5 ? inside < 0.5 ? inside + 0.5 : 1 : 0);
}

static void paint_rows(void *context, int first, int end) {
    enum { CHUNK = 256 };
    const Drawing *drawing = context;
    Image *image = drawing->image;
    for (int y = first; y < end; y++)
        for (int start = 0; start < image->width; start += CHUNK) {
            const int count = min(image->width - start, CHUNK);
            float red[CHUNK], green[CHUNK], blue[CHUNK];
            for (int i = 0; i < count; i++) {
                const float dry = land_share(drawing, start + i, y); // where rivers end
                Light light = light_blend(drawing->sea, drawing->land, dry);
                light = light_blend(light, drawing->river, dry * field_row(&drawing->rivers, y)[start + i]);
                if (drawing->ridges.cells)
                    light = light_blend(light, drawing->ridge, field_row(&drawing->ridges, y)[start + i]);
                if (drawing->sheet)
                    light = light_blend(light, (Light){ 0.01f, 0.01f, 0.01f },
                                        field_row(&drawing->sheet->letters, y)[start + i]);
                red[i] = light.red;
                green[i] = light.green;
                blue[i] = light.blue;
            }
            encode_lights(drawing->ramp, red, green, blue, count, image_row(image, y) + start);
        }
}

static bool has_wadis(const RiverNetwork *network) {
    int first = 0;
    while (first < network->reach_count && !network->reaches[first].wadi)
        first++;
    return first < network->reach_count;
}

// Only cover_lines draws dashes; it has one thread.
static Status draw_rivers(const Call *call, Drawing *drawing, Error *error) {
    const Draw *params = call->params;
    const Strokes rivers = { .network = drawing->network, .scale = params->scale, .least = params->line };
    const Pen pen = { .scale = params->scale, .thickness = 1, .least = params->line };
    const Status status =
        field_create(&drawing->rivers, drawing->image->width, drawing->image->height, error);
    if (status != STATUS_OK)
        return status;
    if (!has_wadis(drawing->network))
        return stroke_network(call->run, &drawing->rivers, &rivers, error);
    memset(field_cells(&drawing->rivers), 0, field_count(&drawing->rivers) * sizeof(float));
    cover_lines(&drawing->rivers, drawing->network, &pen);
    return STATUS_OK;
}

static Status draw_ridges(Drawing *drawing, double scale, Error *error) {
    const RiverNetwork *network = drawing->network;
    if (network->ridge_count == 0)
        return STATUS_OK;
    const Status status =
        field_create(&drawing->ridges, drawing->image->width, drawing->image->height, error);
    if (status != STATUS_OK)
        return status;
    memset(field_cells(&drawing->ridges), 0, field_count(&drawing->ridges) * sizeof(float));
    for (int i = 0; i < network->ridge_count; i++)
        draw_ridge(&drawing->ridges, network->ridge_points + network->ridges[i].first,
                   network->ridges[i].count, scale);
    return STATUS_OK;
}

// Whether there are contours that take labels: those of order 2.
static Status check_labels(const Call *call, const RiverNetwork *network, Error *error) {
    if (!network->lines)
        return fail(error, STATUS_INVALID, "labels: rivers have no one height; contours have");
    for (int i = 0; i < network->reach_count; i++)
        if (network->reaches[i].order == 2)
            return STATUS_OK;
    tell(call->notice, "no line is labelled: contours{ index = 5 } makes every fifth bold, with its height");
    return STATUS_OK;
}

static Status blank_like(const Field *like, Field *field, Error *error) {
    const Status status = field_create(field, like->width, like->height, error);
    if (status == STATUS_OK)
        memset(field_cells(field), 0, field_count(field) * sizeof(float));
    return status;
}

// The lines are lent to the sheet, which interrupts them where it writes.
static Status write_heights(const Call *call, Drawing *drawing, Error *error) {
    const Draw *params = call->params;
    RiverNetwork scaled = *drawing->network;
    Status status = check_labels(call, &scaled, error);
    if (status == STATUS_OK && !(drawing->sheet = memory_new_zeroed(1, sizeof *drawing->sheet, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = blank_like(&drawing->rivers, &drawing->sheet->letters, error);
    if (status == STATUS_OK)
        status = blank_like(&drawing->rivers, &drawing->sheet->paper, error);
    if (status != STATUS_OK)
        return status;
    if (!(scaled.points = memory_new((size_t)scaled.point_count + 1, sizeof *scaled.points, error)))
        return STATUS_MEMORY;
    for (int i = 0; i < scaled.point_count; i++) {
        scaled.points[i] = drawing->network->points[i];
        scaled.points[i].x *= params->scale;
        scaled.points[i].y *= params->scale;
    }
    MapSheet *sheet = drawing->sheet;
    sheet->lines = drawing->rivers;
    sheet->spacing = 0.4 * max(drawing->image->width, drawing->image->height);
    map_label_contours(sheet, &scaled, params->metres);
    memory_free(scaled.points);
    return STATUS_OK;
}

static Status draw(const Call *call, Drawing *drawing, Error *error) {
    const Draw *params = call->params;
    const RiverNetwork *network = drawing->network;
    Status status = draw_rivers(call, drawing, error);
    if (status == STATUS_OK)
        status = draw_ridges(drawing, params->scale / network->cell, error);
    if (status == STATUS_OK && params->labels)
        status = write_heights(call, drawing, error);
    if (status == STATUS_OK && network->boundary.coast)
        status = boundary_sample(&drawing->coast, &network->boundary, network->width * network->cell,
                                 network->height * network->cell, error);
    if (status == STATUS_OK && !(drawing->ramp = memory_new(1, sizeof *drawing->ramp, error)))
        status = STATUS_MEMORY;
    if (status != STATUS_OK)
        return status;
    ramp_fill(drawing->ramp, &(Palette){ 2, { { -1, { 0, 0, 0, 255 } }, { 1, { 255, 255, 255, 255 } } } });
    return parallel_rows(call->run, drawing->image->height, drawing->image->width * 20.0, paint_rows,
                         drawing);
}

static Status draw_network(const Call *call, const RiverNetwork *network, Error *error) {
    const Draw *params = call->params;
    Drawing drawing = { .network = network,
                        .scale = params->scale,
                        .image = &call->outputs[0].image,
                        .land = to_light(paper),
                        .sea = to_light((Pixel){ 0xb9, 0xd2, 0xe0, 255 }),
                        .river = to_light(network->lines ? (Pixel){ 0x8a, 0x5a, 0x2b, 255 }
                                                         : (Pixel){ 0x1c, 0x56, 0x94, 255 }),
                        .ridge = to_light((Pixel){ 0xb8, 0x3d, 0x22, 255 }) };
    Status status =
        image_create(&call->outputs[0].image, whole_int(drawing.network->width * params->scale + 0.5),
                     whole_int(drawing.network->height * params->scale + 0.5), error);
    if (status == STATUS_OK)
        status = draw(call, &drawing, error);
    boundary_sample_free(&drawing.coast, &drawing.network->boundary);
    memory_free(drawing.ramp);
    if (drawing.sheet) {
        field_free(&drawing.sheet->letters);
        field_free(&drawing.sheet->paper);
        memory_free(drawing.sheet);
    }
    field_free(&drawing.rivers);
    field_free(&drawing.ridges);
    return status;
}

static Status draw_points(const Call *call, const Points *points, Error *error) {
    const Draw *params = call->params;
    const Pen pen = { .scale = params->scale, .thickness = 1, .least = params->line };
    Image *image = &call->outputs[0].image;
    const Status status = image_create(image, whole_int(points->width * params->scale + 0.5),
                                       whole_int(points->height * params->scale + 0.5), error);
    if (status != STATUS_OK)
        return status;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            image_row(image, y)[x] = paper;
    return paint_points(call->run, image, points, &pen, &params->colours, 1, error);
}

static Status run_draw(const Call *call, Error *error) {
    const Input *input = &call->inputs[0];
    if (input->type != &type_network && ((const Draw *)call->params)->labels)
        return fail(error, STATUS_INVALID, "labels: %s have none; contours have", input->type->plural);
    if (input->type == &type_points)
        return draw_points(call, input->value, error);
    RiverNetwork *made;
    const RiverNetwork *lines = input_lines(input, &made, error);
    const Status status = lines ? draw_network(call, lines, error) : STATUS_MEMORY;
    memory_free(made);
    return status;
}

static const Param draw_params[] = {
    PARAM(Draw, scale, .initial = 1, .min = 0.01, .max = 100,
          .doc = "pixels per cell of the network's window"),
    PARAM(Draw, line, .initial = 0.4, .min = 0, .max = 100,
          .doc = "smallest width of a line, in pixels; below 1 lines are fainter instead"),
    PARAM(Draw, labels, .doc = "whether bold contours are labelled with their heights"),
    PARAM(Draw, metres, .initial = 1, .min = 1e-6, .max = 1e6,
          .doc = "metres that a height of 1 stands for, for labels"),
    PARAM(Draw, colours, .initial_text = "#8a5a2b #3f7d4e #3b6ea5 #b3452c #7a4a8c #c29a2e #2b7f86 #5b5b5b",
          .doc = "colours of points, one for each species, repeated as needed"),
    { 0 },
};

const Operation op_draw = {
    .name = "draw",
    .category = "picture",
    .keywords = "paint overlay lines rivers stroke contours labels heights",
    .summary = "Draws a river network: rivers at their width, ridges, and the sea; or lines or points, "
               "contours with their heights",
    .inputs = { { "network",
                  "rivers or other lines, polygons or points",
                  { &type_network, &type_points, &type_lines, &type_polygons } } },
    .outputs = { { "image", "the drawing", &type_image } },
    .params = draw_params,
    .params_size = sizeof(Draw),
    .shapes_outputs = true,
    .example = "local drawing = esker.river_network{ points = 300, size = 64 }:draw{ scale = 2 }\n"
               "local map = height:contours{ smooth = 1 }:draw{ scale = 6, labels = true, metres = 2000 }",
    .picture = "return esker.river_network{ points = 300, size = 96 }:draw{ scale = 1.5 }",
    .see_also = "river_network rivers relief paint scatter",
    .run = run_draw,
};
