#include "picture/painting.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"
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
