// Draws a window of Penrose tiles. Triangles are cut while their longest edge is longer than a pixel,
// wherever they reach into the window; a pixel takes the altitude of its centre in the triangle that holds
// it. Places are doubles, the same for every window; so an edge parts its two triangles exactly, and each
// pixel has one owner.

#include "core/memory.h"
#include "subdivision/penrose.h"
#include "subdivision/river_lines.h"
#include "subdivision/view.h"

#include <math.h>

enum { TASK_PIXELS = 48 }; // the longest edge of a triangle that a thread takes at once

typedef struct Task {
    Robinson triangle;
    bool river; // one was met on the way
} Task;

typedef struct Canvas {
    const View *view;
    double pixel;           // its side in map units
    double *columns, *rows; // the pixels' centres
    int64_t datum;
    Task *tasks;
    int count, room;
} Canvas;

// Pixels whose centres may lie in low … high: `first` … `end` - 1.
static void pixels_between(const double *centres, int count, double pixel, double low, double high,
                           int *first, int *end) {
    const double from = (low - centres[0]) / pixel - 0.01, to = (high - centres[0]) / pixel + 0.01;
    *first = from > 0 ? from < count ? (int)ceil(from) : count : 0;
    *end = to < 0 ? 0 : to < count ? (int)to + 1 : count;
    *end = *end < count ? *end : count;
}

typedef struct Box {
    double left, right, top, bottom;
} Box;

static Box box_of(const Robinson *triangle) {
    const Place2 *at = triangle->places;
    Box box = { at[0].x, at[0].x, at[0].y, at[0].y };
    for (int i = 1; i < 3; i++) {
        box.left = at[i].x < box.left ? at[i].x : box.left;
        box.right = at[i].x > box.right ? at[i].x : box.right;
        box.top = at[i].y < box.top ? at[i].y : box.top;
        box.bottom = at[i].y > box.bottom ? at[i].y : box.bottom;
    }
    return box;
}

// A margin of two pixels: rivers outside reach in.
static bool reaches_in(const Canvas *canvas, const Robinson *triangle) {
    const Box box = box_of(triangle);
    const int width = canvas->view->altitude->width, height = canvas->view->altitude->height;
    const double margin = 2 * canvas->pixel;
    return box.right >= canvas->columns[0] - margin && box.left <= canvas->columns[width - 1] + margin &&
           box.bottom >= canvas->rows[0] - margin && box.top <= canvas->rows[height - 1] + margin;
}

// Twice the area of (a, b, p), with the sign of the side; the same bits but for the sign from both sides.
static double side_of(Place2 a, Place2 b, Place2 p) {
    const bool turn = a.x > b.x || (a.x == b.x && a.y > b.y);
    const Place2 low = turn ? b : a, high = turn ? a : b;
    return (high.x - low.x) * (p.y - low.y) - (high.y - low.y) * (p.x - low.x);
}

// The altitude at p, or false where another triangle holds it. A point on an edge belongs to the positive
// side.
static bool altitude_at(const Robinson *triangle, int64_t datum, Place2 p, float *altitude) {
    const Place2 *at = triangle->places;
    double sum = 0;
    for (int i = 0; i < 3; i++) { // the share of vertex i is p's distance from the edge across
        const Place2 a = at[(i + 1) % 3], b = at[(i + 2) % 3];
        const double whole = side_of(a, b, at[i]), part = side_of(a, b, p);
        if (part == 0 ? whole < 0 : (part > 0) != (whole > 0))
            return false;
        sum += part / whole * (double)(triangle->vertices[i].altitude - datum);
    }
    *altitude = (float)ldexp(sum, -FIXED_BITS);
    return true;
}

static void paint(const Canvas *canvas, const Robinson *triangle) {
    const Box box = box_of(triangle);
    const Field *field = canvas->view->altitude;
    int left, right, top, bottom;
    pixels_between(canvas->columns, field->width, canvas->pixel, box.left, box.right, &left, &right);
    pixels_between(canvas->rows, field->height, canvas->pixel, box.top, box.bottom, &top, &bottom);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            float altitude;
            if (altitude_at(triangle, canvas->datum, (Place2){ canvas->columns[x], canvas->rows[y] },
                            &altitude))
                field_row(field, y)[x] = altitude;
        }
}

// --- rivers ------------------------------------------------------------------------------------------------

// Where the river crosses: near the middle, by the seeds of the edge's ends.
static Place2 crossing_of(const Robinson *triangle, int edge) {
    const int i = edge, j = (edge + 1) % 3;
    const Place2 a = triangle->places[i], b = triangle->places[j];
    const bool turn = a.x > b.x || (a.x == b.x && a.y > b.y);
    const Place2 low = turn ? b : a, high = turn ? a : b;
    const uint32_t seed = mix_seeds(triangle->vertices[i].seed, triangle->vertices[j].seed);
    const double along = 0.5 + 0.25 * (double)seed_value(seed);
    return (Place2){ low.x + (high.x - low.x) * along, low.y + (high.y - low.y) * along };
}

static void stroke(const Canvas *canvas, Place2 from, Place2 to) {
    const Field *field = canvas->view->river;
    const double pixel = canvas->pixel, reach = (RIVER_HALF_WIDTH + 0.5) * pixel;
    int left, right, top, bottom;
    pixels_between(canvas->columns, field->width, pixel, fmin(from.x, to.x) - reach,
                   fmax(from.x, to.x) + reach, &left, &right);
    pixels_between(canvas->rows, field->height, pixel, fmin(from.y, to.y) - reach, fmax(from.y, to.y) + reach,
                   &top, &bottom);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const float covered = line_coverage(
                (float)((from.x - canvas->columns[x]) / pixel), (float)((from.y - canvas->rows[y]) / pixel),
                (float)((to.x - canvas->columns[x]) / pixel), (float)((to.y - canvas->rows[y]) / pixel));
            float *cell = &field_row(field, y)[x];
            *cell = covered > *cell ? covered : *cell;
        }
}

static void draw_river(const Canvas *canvas, const Robinson *triangle) {
    Place2 crossings[3] = { { 0, 0 } }, middle = { 0, 0 };
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (triangle->edges[i].river)
            crossings[count++] = crossing_of(triangle, i);
    if (count == 2) {
        stroke(canvas, crossings[0], crossings[1]);
        return;
    }
    const Place2 *ends = count == 1 ? triangle->places : crossings;
    for (int i = 0; i < 3; i++) {
        middle.x += ends[i].x / 3;
        middle.y += ends[i].y / 3;
    }
    for (int i = 0; i < count; i++)
        stroke(canvas, crossings[i], middle);
}

// --- the way down ------------------------------------------------------------------------------------------

typedef void Painter(const Canvas *canvas, const Robinson *triangle);

// Whether a river was met.
static bool descend(const Canvas *canvas, const Robinson *triangle, Painter *painter) {
    if (!reaches_in(canvas, triangle))
        return false;
    if (triangle->length <= canvas->pixel) {
        painter(canvas, triangle);
        return triangle->edges[0].river || triangle->edges[1].river || triangle->edges[2].river;
    }
    Robinson halves[2];
    robinson_cut(&canvas->view->map->constants, triangle, halves);
    const bool first = descend(canvas, &halves[0], painter), second = descend(canvas, &halves[1], painter);
    return first || second;
}

static void draw_tasks(void *context, int first, int end) {
    const Canvas *canvas = context;
    for (int i = first; i < end; i++)
        canvas->tasks[i].river = descend(canvas, &canvas->tasks[i].triangle, paint);
}

// Splits the work; with no room it only counts.
static void collect_tasks(Canvas *canvas, const Robinson *triangle) {
    if (!reaches_in(canvas, triangle))
        return;
    if (triangle->length <= TASK_PIXELS * canvas->pixel) {
        if (canvas->count < canvas->room)
            canvas->tasks[canvas->count].triangle = *triangle;
        canvas->count++;
        return;
    }
    Robinson halves[2];
    robinson_cut(&canvas->view->map->constants, triangle, halves);
    collect_tasks(canvas, &halves[0]);
    collect_tasks(canvas, &halves[1]);
}

// The altitude of a vertex of the smallest triangle around the window's centre.
static int64_t altitude_near(const Canvas *canvas, const Robinson *kite) {
    const View *view = canvas->view;
    const Place2 centre = { ldexp((double)view->x, -PLACE_BITS), ldexp((double)view->y, -PLACE_BITS) };
    float ignored;
    Robinson triangle = kite[altitude_at(&kite[0], 0, centre, &ignored) ? 0 : 1];
    while (triangle.length > canvas->pixel) {
        Robinson halves[2];
        robinson_cut(&view->map->constants, &triangle, halves);
        triangle = halves[altitude_at(&halves[0], 0, centre, &ignored) ? 0 : 1];
    }
    return triangle.vertices[0].altitude;
}

static Status draw(const View *view, Canvas *canvas, Error *error) {
    Robinson kite[2];
    penrose_kite(view->map, kite);
    canvas->datum = view->relative ? altitude_near(canvas, kite) : 0;
    for (int i = 0; i < 2; i++)
        collect_tasks(canvas, &kite[i]);
    canvas->room = canvas->count;
    canvas->count = 0;
    canvas->tasks = memory_new((size_t)canvas->room, sizeof *canvas->tasks, error);
    if (!canvas->tasks)
        return STATUS_MEMORY;
    for (int i = 0; i < 2; i++)
        collect_tasks(canvas, &kite[i]);
    const Status status = parallel_rows(view->run, canvas->count, 500000, draw_tasks, canvas);
    // On one thread: a line may reach into another task's pixels.
    for (int i = 0; status == STATUS_OK && i < canvas->count; i++)
        if (canvas->tasks[i].river)
            descend(canvas, &canvas->tasks[i].triangle, draw_river);
    memory_free(canvas->tasks);
    return status;
}

Status draw_penrose(const View *view, Error *error) {
    const int width = view->altitude->width, height = view->altitude->height;
    Canvas canvas = { .view = view, .pixel = 1 / view->pixels };
    canvas.columns = memory_new((size_t)width + (size_t)height, sizeof(double), error);
    if (!canvas.columns)
        return STATUS_MEMORY;
    canvas.rows = canvas.columns + width;
    for (int x = 0; x < width; x++)
        canvas.columns[x] = pixel_centre(view->x, view->pixel, width, x);
    for (int y = 0; y < height; y++)
        canvas.rows[y] = pixel_centre(view->y, view->pixel, height, y);
    const Status status = draw(view, &canvas, error);
    memory_free(canvas.columns);
    return status;
}
