#include "tiles/web_map.h"

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

#define EQUATOR 40075016.685578488 // metres: 2 π · 6378137

typedef struct Place {
    double x, y;
} Place;

static bool is_in_degrees(const Frame *frame) {
    return strcmp(frame->system, "EPSG:4326") == 0;
}

bool web_map_knows(const Frame *frame) {
    return frame_is_set(frame) && frame->system &&
           (is_in_degrees(frame) || strcmp(frame->system, "EPSG:3857") == 0);
}

// The coordinates of a place. The tangent of a latitude is the hyperbolic sine of its ordinate.
static Place coordinates_of(bool degrees, Place at) {
    const double right = at.x - 0.5, up = 0.5 - at.y;
    if (!degrees)
        return (Place){ right * EQUATOR, up * EQUATOR };
    const double e = exponential(2 * PI * up);
    return (Place){ right * 360, arctangent2((e - 1 / e) / 2, 1) * (180 / PI) };
}

static Place place_of(bool degrees, Place at) {
    if (!degrees)
        return (Place){ 0.5 + at.x / EQUATOR, 0.5 - at.y / EQUATOR };
    const double latitude = clamp(at.y, -85.06, 85.06) * (PI / 180);
    const double ordinate = logarithm((sine(latitude) + 1) / cosine(latitude));
    return (Place){ 0.5 + at.x / 360, 0.5 - ordinate / (2 * PI) };
}

static Place place_of_cell(const Frame *frame, double x, double y) {
    double at[2];
    frame_locate(frame, x, y, at);
    return place_of(is_in_degrees(frame), (Place){ at[0], at[1] });
}

static void include(WebBox *box, Place at) {
    box->left = min(box->left, at.x);
    box->top = min(box->top, at.y);
    box->right = max(box->right, at.x);
    box->bottom = max(box->bottom, at.y);
}

WebBox web_map_box(const Field *field) {
    WebBox box = { INFINITY, INFINITY, -INFINITY, -INFINITY, 0 };
    for (int x = 0; x <= field->width; x++) {
        include(&box, place_of_cell(&field->frame, x, 0));
        include(&box, place_of_cell(&field->frame, x, field->height));
    }
    for (int y = 0; y <= field->height; y++) {
        include(&box, place_of_cell(&field->frame, 0, y));
        include(&box, place_of_cell(&field->frame, field->width, y));
    }
    const double x = 0.5 * field->width, y = 0.5 * field->height;
    const Place middle = place_of_cell(&field->frame, x, y), right = place_of_cell(&field->frame, x + 1, y),
                below = place_of_cell(&field->frame, x, y + 1);
    const double across =
        sqrt((right.x - middle.x) * (right.x - middle.x) + (right.y - middle.y) * (right.y - middle.y));
    const double along =
        sqrt((below.x - middle.x) * (below.x - middle.x) + (below.y - middle.y) * (below.y - middle.y));
    box.cell = min(across, along);
    return box;
}

// --- drawing -----------------------------------------------------------------------------------------------

typedef struct Drawing {
    const Field *field;
    Field *to;
    unsigned char *gaps;
    double left, top, pixel;
    double determinant;
} Drawing;

// The position in cells, whose middles are whole numbers.
static Place cell_at(const Drawing *drawing, Place at) {
    const Frame *frame = &drawing->field->frame;
    const Place there = coordinates_of(is_in_degrees(frame), at);
    const double x = there.x - frame->x, y = there.y - frame->y;
    return (Place){ (x * frame->down_y - y * frame->down_x) / drawing->determinant - 0.5,
                    (y * frame->right_x - x * frame->right_y) / drawing->determinant - 0.5 };
}

// Interpolates at a position; false: there is no data.
static bool height_at(const Field *field, Place at, float *height) {
    if (!(at.x >= -0.5 && at.y >= -0.5 && at.x <= field->width - 0.5 && at.y <= field->height - 0.5))
        return false;
    const double x = clamp(at.x, 0, field->width - 1), y = clamp(at.y, 0, field->height - 1);
    const int left = index_within(x, field->width), top = index_within(y, field->height);
    const int right = min(left + 1, field->width - 1), bottom = min(top + 1, field->height - 1);
    const size_t width = (size_t)field->width, upper = (size_t)top * width, lower = (size_t)bottom * width;
    const size_t four[4] = { upper + (size_t)left, upper + (size_t)right, lower + (size_t)left,
                             lower + (size_t)right };
    for (int i = 0; i < 4; i++)
        if (!field_has_data(field, four[i]))
            return false;
    const float *cells = field->cells;
    *height = (float)bilinear((double)cells[four[0]], (double)cells[four[1]], (double)cells[four[2]],
                              (double)cells[four[3]], x - left, y - top);
    return true;
}

static void draw_rows(void *context, int first, int end) {
    const Drawing *drawing = context;
    const size_t width = (size_t)drawing->to->width;
    for (int y = first; y < end; y++)
        for (int x = 0; x < drawing->to->width; x++) {
            const Place at = { drawing->left + (x + 0.5) * drawing->pixel,
                               drawing->top + (y + 0.5) * drawing->pixel };
            float *height = &field_row(drawing->to, y)[x];
            *height = 0;
            drawing->gaps[(size_t)y * width + (size_t)x] =
                !height_at(drawing->field, cell_at(drawing, at), height);
        }
}

Status web_map_draw(const Run *run, const Field *field, double left, double top, double pixel, Field *to,
                    Error *error) {
    const Frame *frame = &field->frame;
    Gaps *gaps = gaps_new(field_count(to), error);
    if (!gaps)
        return STATUS_MEMORY;
    Drawing drawing = {
        field, to, gaps->at, left, top, pixel, frame->right_x * frame->down_y - frame->right_y * frame->down_x
    };
    const Status status = parallel_rows(run, to->height, to->width * 60.0, draw_rows, &drawing);
    field_set_gaps(to, gaps);
    return status;
}
