#include "tiles/web_map.h"

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/math.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define EQUATOR 40075016.685578488 // metres: 2 π · 6378137

typedef struct Place {
    double x, y;
} Place;

static bool is_in_degrees(const Frame *frame) {
    return frame_system_code(frame->system) == 4326;
}

bool web_map_knows(const Frame *frame) {
    return frame_is_set(frame) && (is_in_degrees(frame) || frame_system_code(frame->system) == 3857);
}

// The second coordinate of a place. The tangent of a latitude is the hyperbolic sine of its ordinate.
static double northing_of(bool degrees, double y) {
    const double up = 0.5 - y;
    if (!degrees)
        return up * EQUATOR;
    const double e = exponential(2 * PI * up);
    return arctangent2((e - 1 / e) / 2, 1) * (180 / PI);
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

static double distance(Place from, Place to) {
    return sqrt((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y));
}

// The smaller side of a cell, whose upper left corner is given; 0: it lies where web maps do not reach, all
// of it, or with `whole` a part.
static double cell_side(const Frame *frame, double x, double y, bool whole) {
    const Place corner = place_of_cell(frame, x, y), right = place_of_cell(frame, x + 1, y),
                below = place_of_cell(frame, x, y + 1);
    const double top = min(corner.y, below.y), bottom = max(corner.y, below.y);
    if (whole ? top < 0 || bottom > 1 : bottom <= 0 || top >= 1)
        return 0;
    return min(distance(corner, right), distance(corner, below));
}

// The side of the middle cell, or of the nearest one above or below it that web maps reach; 0: none.
static double middle_cell(const Frame *frame, int width, int height) {
    const double x = 0.5 * width, middle = 0.5 * height;
    for (int pass = 0; pass < 2; pass++)
        for (int away = 0; away <= height / 2; away++)
            for (int sign = -1; sign <= 1; sign += 2) {
                const double side = cell_side(frame, x, middle + sign * away, pass == 0);
                if (side > 0)
                    return side;
            }
    return 0;
}

WebBox web_map_box(const Frame *frame, int width, int height) {
    WebBox box = { INFINITY, INFINITY, -INFINITY, -INFINITY, 0 };
    for (int x = 0; x <= width; x++) {
        include(&box, place_of_cell(frame, x, 0));
        include(&box, place_of_cell(frame, x, height));
    }
    for (int y = 0; y <= height; y++) {
        include(&box, place_of_cell(frame, 0, y));
        include(&box, place_of_cell(frame, width, y));
    }
    box.cell = middle_cell(frame, width, height);
    return box;
}

// --- drawing -----------------------------------------------------------------------------------------------

typedef struct Drawing {
    const WebSource *source;
    const WebSquare *square;
    const Field *under;
    Field *to;
    unsigned char *gaps;
    bool degrees;
    double determinant;
} Drawing;

static Drawing drawing_of(const WebSource *source, const WebSquare *square) {
    const Frame *frame = &source->frame;
    return (Drawing){ .source = source,
                      .square = square,
                      .degrees = is_in_degrees(frame),
                      .determinant = frame->right_x * frame->down_y - frame->right_y * frame->down_x };
}

// The second coordinate of a row's middle: one for all its pixels.
static double northing_of_row(const Drawing *drawing, int y) {
    return northing_of(drawing->degrees, drawing->square->top + (y + 0.5) * drawing->square->pixel);
}

// The position of a pixel's middle, in a row of this northing, in cells of the whole, whose middles are whole
// numbers.
static Place cell_in_row(const Drawing *drawing, int x, double northing) {
    const Frame *frame = &drawing->source->frame;
    const WebSquare *square = drawing->square;
    const double share = square->left + (x + 0.5) * square->pixel - 0.5;
    const double right = share * (drawing->degrees ? 360 : EQUATOR) - frame->x, up = northing - frame->y;
    return (Place){ (right * frame->down_y - up * frame->down_x) / drawing->determinant - 0.5,
                    (up * frame->right_x - right * frame->right_y) / drawing->determinant - 0.5 };
}

static Place cell_at(const Drawing *drawing, int x, int y) {
    return cell_in_row(drawing, x, northing_of_row(drawing, y));
}

// Interpolates at a position; false: there is no data.
static bool height_at(const WebSource *source, Place at, float *height) {
    if (!(at.x >= -0.5 && at.y >= -0.5 && at.x <= source->width - 0.5 && at.y <= source->height - 0.5))
        return false;
    const double x = clamp(at.x, 0, source->width - 1), y = clamp(at.y, 0, source->height - 1);
    const int left = index_within(x, source->width), top = index_within(y, source->height);
    const int right = min(left + 1, source->width - 1), bottom = min(top + 1, source->height - 1);
    const Field *field = source->cells;
    assert(left >= source->x && top >= source->y && right - source->x < field->width &&
           bottom - source->y < field->height);
    const size_t width = (size_t)field->width, first = (size_t)(left - source->x),
                 second = (size_t)(right - source->x), upper = (size_t)(top - source->y) * width,
                 lower = (size_t)(bottom - source->y) * width;
    const size_t four[4] = { upper + first, upper + second, lower + first, lower + second };
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
    for (int y = first; y < end; y++) {
        const double northing = northing_of_row(drawing, y);
        for (int x = 0; x < drawing->to->width; x++) {
            float *height = &field_row(drawing->to, y)[x];
            *height = 0;
            const size_t cell = (size_t)y * width + (size_t)x;
            bool has_data = height_at(drawing->source, cell_in_row(drawing, x, northing), height);
            if (!has_data && drawing->under && field_has_data(drawing->under, cell)) {
                *height = drawing->under->cells[cell];
                has_data = true;
            }
            drawing->gaps[cell] = !has_data;
        }
    }
}

// The outermost pixels of a square show its outermost cells: latitudes and turned cells are monotone.
bool web_map_cells(const WebSource *source, const WebSquare *square, int cells[4]) {
    const Drawing drawing = drawing_of(source, square);
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    const int last = square->side - 1;
    for (int i = 0; i <= last; i++) {
        const Place edges[4] = { cell_at(&drawing, i, 0), cell_at(&drawing, i, last), cell_at(&drawing, 0, i),
                                 cell_at(&drawing, last, i) };
        for (int k = 0; k < 4; k++) {
            left = min(left, edges[k].x);
            right = max(right, edges[k].x);
            top = min(top, edges[k].y);
            bottom = max(bottom, edges[k].y);
        }
    }
    if (!(right >= -0.5 && bottom >= -0.5 && left <= source->width - 0.5 && top <= source->height - 0.5))
        return false;
    enum { SPARE = 1 }; // cells, where rounding differs within the square
    cells[0] = index_within(clamp(left - SPARE, 0, source->width - 1), source->width);
    cells[1] = index_within(clamp(top - SPARE, 0, source->height - 1), source->height);
    cells[2] = index_within(clamp(right + SPARE + 1, 0, source->width - 1), source->width) + 1 - cells[0];
    cells[3] = index_within(clamp(bottom + SPARE + 1, 0, source->height - 1), source->height) + 1 - cells[1];
    return true;
}

Status web_map_draw(const Run *run, const WebSource *source, const WebSquare *square, const Field *under,
                    Field *to, Error *error) {
    Gaps *gaps = gaps_new(field_count(to), error);
    if (!gaps)
        return STATUS_MEMORY;
    Drawing drawing = drawing_of(source, square);
    drawing.under = under;
    drawing.to = to;
    drawing.gaps = gaps->at;
    const Status status = parallel_rows(run, to->height, to->width * 60.0, draw_rows, &drawing);
    field_set_gaps(to, gaps);
    return status;
}
