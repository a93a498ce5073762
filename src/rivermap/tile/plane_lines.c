// Draws the rivers of tiles in the plane as lines.

#include "core/math.h"
#include "rivermap/tile/plane_canvas.h"

#include "core/whole.h"
#include "rivermap/line_cover.h"

#include <math.h>

// Four pixels of a row at once: lines reach into no more, but for a few.
enum { STAMP = 1 + PAST_COLUMNS };

KERNEL static void cover_pixels(const Canvas *canvas, Line line, int left, int right, int top, int bottom) {
    const double scale = canvas->per_unit, *columns = canvas->columns;
    for (int y = top; y < bottom; y++) {
        float *row = field_row(canvas->view->river, y);
        const float from_y = (float)((line.from_y - canvas->rows[y]) * scale),
                    to_y = (float)((line.to_y - canvas->rows[y]) * scale);
        for (int x = left; x < right; x += STAMP) {
            float covered[STAMP];
#pragma GCC unroll 1
            for (int i = 0; i < STAMP; i++)
                covered[i] = line_coverage((float)((line.from_x - columns[x + i]) * scale), from_y,
                                           (float)((line.to_x - columns[x + i]) * scale), to_y);
            for (int i = 0; i < STAMP && x + i < right; i++)
                row[x + i] = max(covered[i], row[x + i]);
        }
    }
}

// In rows `first` … `end` - 1 only.
static void stroke(const Canvas *canvas, Line line, int first, int end) {
    const Field *field = canvas->view->river;
    const double scale = canvas->per_unit, reach = (double)RIVER_HALF_WIDTH + 0.5;
    int left, right, top, bottom;
    pixels_between((min(line.from_y, line.to_y) - canvas->top) * scale - reach,
                   (max(line.from_y, line.to_y) - canvas->top) * scale + reach, field->height, &top, &bottom);
    top = max(top, first);
    bottom = min(bottom, end);
    if (top >= bottom)
        return;
    pixels_between((min(line.from_x, line.to_x) - canvas->left) * scale - reach,
                   (max(line.from_x, line.to_x) - canvas->left) * scale + reach, field->width, &left, &right);
    cover_pixels(canvas, line, left, right, top, bottom);
}

// As published: the whole pixel in which a crossed tile lies.
static void mark_pixel(const Canvas *canvas, double at_x, double at_y, int first, int end) {
    Field *field = canvas->view->river;
    const double x = (at_x - canvas->left) * canvas->per_unit, y = (at_y - canvas->top) * canvas->per_unit;
    if (x >= 0 && x < field->width && y >= first && y < end)
        field_row(field, index_within(y, field->height))[index_within(x, field->width)] = 1;
}

static void draw_line(const Canvas *canvas, Line line, int first, int end) {
    if (canvas->view->whole_pixels)
        mark_pixel(canvas, line.from_x, line.from_y, first, end);
    else
        stroke(canvas, line, first, end);
}

static void add_line(Canvas *canvas, Vec3 from, Vec3 to) {
    const Line line = { from.x, from.y, to.x, to.y };
    if (canvas->directly) {
        draw_line(canvas, line, 0, canvas->view->height);
        return;
    }
    const int i = atomic_fetch_add_explicit(&canvas->line_count, 1, memory_order_relaxed);
    if (i < canvas->line_room)
        canvas->lines[i] = line;
}

// A river through two edges, a mouth or spring inside the tile, or a confluence.
void add_lines(Canvas *canvas, const Tile *tile) {
    Tile lines = *tile;
    for (int i = 0; i < 3; i++)
        lines.edges[i].river = lines.edges[i].river && lines.edges[i].basin < canvas->view->line_basin;
    Vec3 crossings[3];
    const int count = tile_crossings(&lines, crossings);
    if (count == 0)
        return;
    const Vec3 middle = tile_middle(count == 3 ? crossings : tile->places);
    if (canvas->view->whole_pixels)
        add_line(canvas, middle, middle);
    else if (count == 2)
        add_line(canvas, crossings[0], crossings[1]);
    else
        for (int i = 0; i < count; i++)
            add_line(canvas, crossings[i], middle);
}

enum { BAND = 64 }; // rows of pixels

// Lines reach into other tasks' pixels, so threads take rows.
static void draw_bands(void *context, int first, int end) {
    const Canvas *canvas = context;
    const int height = canvas->view->height, last = end * BAND < height ? end * BAND : height;
    const int count = atomic_load(&canvas->line_count);
    for (int i = 0; i < count; i++)
        draw_line(canvas, canvas->lines[i], first * BAND, last);
}

Status draw_lines(Canvas *canvas, bool *drawn) {
    const View *view = canvas->view;
    *drawn = atomic_load(&canvas->line_count) <= canvas->line_room;
    return *drawn ? parallel_rows(view->run, (view->height + BAND - 1) / BAND, view->width * 200.0,
                                  draw_bands, canvas)
                  : STATUS_OK;
}
