// What a finer level needs of the coarser one: its ground sharpened before the spline smooths it, its slopes,
// and its profile without the ditches of streams that end.

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "land/level.h"

#include <math.h>

// --- beyond the edges of a face ----------------------------------------------------------------------------

// The ground beyond an edge of a planet's face, as the spline of that face is to see it. Lines of the grid
// bend at edges. Led on straight, a line runs between cells of the other face, nearer to the edge's middle:
// on the cube of equal angles by sin 2b cells for each cell beyond, where b is the angle from the edge's
// middle, since tan b' = tan b/tan(45° + ε) there (Ronchi, Iacono and Paolucci 1996, section 2). If the
// spline took the cells along bent lines, slopes would be even along these, and edges creases in the ground.

enum { LED_ON = 3 }; // rows beyond an edge: as many as the spline and the slopes beside it read

// A line of cells parallel to an edge: the index of the first one on the face, the cells along the face's
// side, and how far beyond the edge its middle lies.
typedef struct Line {
    int32_t *cells;
    ptrdiff_t step;
    int count;
    Int128 first, side;
    double beyond;
} Line;

static int32_t cell_of(const Line *line, int i) {
    return line->cells[clamp(i, 0, line->count - 1) * line->step];
}

// The ground from which a cell takes its altitude: `way` is the direction of the edge's middle.
static int32_t led_on(const Line *line, int i, int way, double off) {
    const int whole = whole_within(off, 0, LED_ON);
    const int32_t near = cell_of(line, i + way * whole), far = cell_of(line, i + way * (whole + 1));
    const double rise = (double)difference(far, near) * (off - whole);
    return sum(near, whole_within(floor(rise + 0.5), -HIGHEST, HIGHEST));
}

// Each half in the order in which no cell is read after it was changed.
static void lead_line_on(const Line *line) {
    const double middle = 0.5 * (double)line->side;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < line->count; k++) {
            const int i = turn == 0 ? k : line->count - 1 - k, way = turn == 0 ? 1 : -1;
            const double from_middle = ((double)(line->first + i) + 0.5 - middle) / (double)line->side;
            const double off = -way * sine(PI * from_middle) * line->beyond; // the face has a quarter turn
            const bool on_face = from_middle > -0.5 && from_middle < 0.5;
            if (on_face && off > 0)
                line->cells[i * line->step] = led_on(line, i, way, off);
        }
}

void lead_ground_on(const Parent *parent, const Level *level, int32_t *plain) {
    const LandWindow *window = parent->window;
    if (!level->land->rules.planet)
        return;
    const Int128 side = (Int128)level->land->root.width << window->level, left = window->x,
                 top = window->y - window->face * side;
    for (int k = 0; k < LED_ON; k++)
        for (int after = 0; after < 2; after++) {
            const Int128 row = (after ? side + k : -1 - k) - top, column = (after ? side + k : -1 - k) - left;
            Line line = { .side = side, .beyond = k + 0.5 };
            if (row >= 0 && row < window->height) {
                line.cells = plain + parent_at(parent, 0, (int)row);
                line.step = 1;
                line.count = window->width;
                line.first = left;
                lead_line_on(&line);
            }
            if (column >= 0 && column < window->width) {
                line.cells = plain + parent_at(parent, (int)column, 0);
                line.step = parent->stride;
                line.count = window->height;
                line.first = top;
                lead_line_on(&line);
            }
        }
}

// --- ground, slopes and profiles ---------------------------------------------------------------------------

static int32_t altitude_near(const LandWindow *window, int x, int y) {
    return window->altitude[(size_t)clamp(y, 0, window->height - 1) * (size_t)window->width +
                            (size_t)clamp(x, 0, window->width - 1)];
}

// How much the coarse land is sharpened: 1 on gentle slopes, falling to `least` on steep ones. Sharpened at
// every level that keeps the coarse slopes, steep ground would become ever steeper.
typedef struct Sharpening {
    float gentle, steep, least;
    bool keeps_sea; // beside land on one side, too
} Sharpening;

enum { SEA_IS_KEPT_TO = 2 }; // the last level that loses no sea

static Sharpening sharpening_of(const Parent *parent) {
    const int level = parent->window->level + 1;
    const bool keeps_sea = level <= SEA_IS_KEPT_TO;
    return !parent->graded ? (Sharpening){ 0.3f * parent->cell, 0.8f * parent->cell, 0, keeps_sea }
                           : (Sharpening){ 0, 1, 1, keeps_sea };
}

// Sharpens before the spline smooths: v - (n + s + e + w - 4v)/8 keeps the means of 2 × 2 cells to second
// order. Never crosses sea level. Shallow sea between land on opposite sides counts as three quarters as deep
// as the lower of them is high: otherwise the spline makes it land, inlets close, and of the sea at a river's
// mouth a speck is left. On the first levels this holds for sea beside any land, but coasts then follow the
// edges of cells, and on all levels they would be straight lines.
KERNEL static void sharpen_row(const int32_t *restrict above, const int32_t *restrict row,
                               const int32_t *restrict below, int count, int32_t sea, Sharpening sharpening,
                               int32_t *restrict sharp) {
    const float per_slope = (1 - sharpening.least) / (sharpening.steep - sharpening.gentle);
    const int32_t alone = sharpening.keeps_sea ? HIGHEST : -HIGHEST; // of the highest side, what counts
    for (int x = 1; x < count - 1; x++) {
        const int32_t v = row[x];
        const uint32_t around =
            (uint32_t)row[x - 1] + (uint32_t)row[x + 1] + (uint32_t)above[x] + (uint32_t)below[x];
        const int32_t laplacian = (int32_t)(around - 4 * (uint32_t)v);
        const float across = (float)difference(row[x + 1], row[x - 1]),
                    down = (float)difference(below[x], above[x]);
        const float slope = sqrtf(across * across + down * down) * 0.5f;
        const float falling = 1 - (slope - sharpening.gentle) * per_slope;
        const float share = clamp(falling, sharpening.least, 1.0f);
        const int32_t sharper = difference(v, whole_unchecked((float)laplacian * (share / 8)));
        const int32_t beside = max(row[x - 1], row[x + 1]), before = max(above[x], below[x]);
        const int32_t straight = max(min(row[x - 1], row[x + 1]), min(above[x], below[x]));
        const int32_t aslant = max(min(above[x - 1], below[x + 1]), min(above[x + 1], below[x - 1]));
        const int32_t between = max(straight, aslant), first = max(beside, before);
        const int32_t shore = max(between, min(first, alone));
        const int32_t high = max(difference(shore, sea), 0);
        const int32_t deep = sea - high + high / 4, floor_of_sea = min(v, deep);
        sharp[x] = v > sea ? (sharper > sea ? sharper : v) : floor_of_sea;
    }
}

// |∇z| by central differences, half of one at the land's edge; 0 in the sea.
KERNEL static void measure_row(const int32_t *restrict above, const int32_t *restrict row,
                               const int32_t *restrict below, int count, int32_t sea, float *restrict steep) {
    for (int x = 1; x < count - 1; x++) {
        const float across = (float)difference(row[x + 1], row[x - 1]),
                    down = (float)difference(below[x], above[x]);
        steep[x] = row[x] > sea ? sqrtf(across * across + down * down) * 0.5f : 0;
    }
}

KERNEL static void mean_row(const float *restrict above, const float *restrict row,
                            const float *restrict below, int count, float *restrict mean) {
    for (int x = 1; x < count - 1; x++) {
        const float left = above[x - 1] + row[x - 1] + below[x - 1];
        const float middle = above[x] + row[x] + below[x];
        const float right = above[x + 1] + row[x + 1] + below[x + 1];
        mean[x] = (left + middle + right) * (1 / 9.0f);
    }
}

void parent_pad(void *array, const Parent *parent) {
    const LandWindow *window = parent->window;
    uint32_t *cells = array;
    const size_t stride = (size_t)parent->stride;
    for (int y = 1; y <= window->height; y++) {
        uint32_t *row = cells + (size_t)y * stride;
        row[0] = row[1];
        row[stride - 1] = row[stride - 2];
    }
    memcpy(cells, cells + stride, stride * sizeof *cells);
    memcpy(cells + (size_t)(window->height + 1) * stride, cells + (size_t)window->height * stride,
           stride * sizeof *cells);
}

// Rows of the window, whose plain altitudes `profile` holds at first.
static void plain_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const LandWindow *window = parent->window;
    for (int y = first; y < end; y++) {
        memcpy(parent->profile + parent_at(parent, 0, y),
               window->altitude + (size_t)y * (size_t)window->width,
               (size_t)window->width * sizeof *parent->profile);
        lower_lake_beds(parent, y, parent->profile);
    }
}

static void sharpen_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const size_t stride = (size_t)parent->stride;
    const Sharpening sharpening = sharpening_of(parent);
    for (int y = first + 1; y <= end; y++) {
        const int32_t *row = parent->profile + (size_t)y * stride;
        sharpen_row(row - stride, row, row + stride, parent->stride, parent->sea, sharpening,
                    parent->sharp + (size_t)y * stride);
        measure_row(row - stride, row, row + stride, parent->stride, parent->sea,
                    parent->steep + (size_t)y * stride);
    }
}

KERNEL_INLINE float rise_of_three(const int32_t *to, const int32_t *from) {
    return (float)difference(to[-1], from[-1]) + (float)difference(to[0], from[0]) +
           (float)difference(to[1], from[1]);
}

// The direction in which ground rises: the sum of the differences across 3 × 3 cells. `rows`: two above to
// two below.
KERNEL static void lean_row(const int32_t *const rows[5], int count, float *restrict east,
                            float *restrict south) {
    const int32_t *restrict far_above = rows[0], *restrict above = rows[1], *restrict row = rows[2],
                            *restrict below = rows[3], *restrict far_below = rows[4];
    for (int x = 2; x < count - 2; x++) {
        east[x] = rise_of_three(above + x + 1, above + x - 1) + rise_of_three(row + x + 1, row + x - 1) +
                  rise_of_three(below + x + 1, below + x - 1);
        south[x] = rise_of_three(row + x, far_above + x) + rise_of_three(below + x, above + x) +
                   rise_of_three(far_below + x, row + x);
    }
}

static void lean_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const size_t stride = (size_t)parent->stride;
    const int last = parent->window->height + 1;
    for (int y = first + 1; y <= end; y++) {
        const int32_t *rows[5];
        for (int i = 0; i < 5; i++)
            rows[i] = parent->profile + (size_t)clamp(y + i - 2, 0, last) * stride;
        float *east = parent->east + (size_t)y * stride, *south = parent->south + (size_t)y * stride;
        memset(east, 0, stride * sizeof *east);
        memset(south, 0, stride * sizeof *south);
        lean_row(rows, parent->stride, east, south);
    }
}

// Swells and forms on soil (soil_forms.h) are as high as the ground is steep, but lower where slopes change
// within their length, or lie in several directions: a trough at the foot of a slope would lie below the
// ground in front of it, one on a crest below all around. Steep ground gets less of them, or it would become
// steeper without limit.
#define FORMED 1.5f         // of the slope
#define FORM_STEEP 0.5f     // the slope where it is half of that, in cells
#define FORM_LENGTH 6.0f    // coarse cells
#define FORMED_GULLIED 0.4f // the same on the first levels of soil, where gullies leave hollows

typedef struct FormRow {
    const float *above, *slope, *below, *east, *south;
    float *formed;
    float most, steep; // FORMED, and FORM_STEEP in units
} FormRow;

KERNEL static void form_row(const FormRow *rows, int count) {
    const float *restrict above = rows->above, *restrict slope = rows->slope, *restrict below = rows->below;
    const float *restrict east = rows->east, *restrict south = rows->south;
    float *restrict formed = rows->formed;
    const float steep = rows->steep * rows->steep, most = rows->most * steep;
    for (int x = 1; x < count - 1; x++) {
        const float across = slope[x + 1] - slope[x - 1], down = below[x] - above[x];
        const float change = sqrtf(across * across + down * down) * 0.5f;
        const float sum = east[x] * east[x] + south[x] * south[x], mean = slope[x] * slope[x];
        const float lean = min(sum * (1 / 324.0f), mean); // squared; sums of 18 cells. The sea's slope is 0
        formed[x] = most / (steep + lean) * lean / (slope[x] + FORM_LENGTH * change + 1);
    }
}

static void form_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const size_t stride = (size_t)parent->stride;
    for (int y = first + 1; y <= end; y++) {
        const size_t cell = (size_t)y * stride;
        const float *slope = parent->slope + cell;
        const FormRow rows = { slope - stride,
                               slope,
                               slope + stride,
                               parent->east + cell,
                               parent->south + cell,
                               parent->formed + cell,
                               parent->gullied ? FORMED_GULLIED : FORMED,
                               FORM_STEEP * parent->cell };
        form_row(&rows, parent->stride);
    }
}

static void mean_rows(void *context, int first, int end) {
    const Parent *parent = context;
    const size_t stride = (size_t)parent->stride;
    for (int y = first + 1; y <= end; y++) {
        const float *row = parent->steep + (size_t)y * stride;
        float *slope = parent->slope + (size_t)y * stride;
        mean_row(row - stride, row, row + stride, parent->stride, slope);
    }
}

static Status measure(Parent *parent, const Level *level) {
    const Run *run = level->run;
    const int rows = parent->window->height;
    Status status = parallel_rows(run, rows, parent->stride * 0.5, plain_rows, parent);
    if (status == STATUS_OK) {
        lead_ground_on(parent, level, parent->profile);
        parent_pad(parent->profile, parent);
        status = parallel_rows(run, rows, parent->stride * 2.0, sharpen_rows, parent);
    }
    if (status == STATUS_OK) {
        parent_pad(parent->sharp, parent);
        parent_pad(parent->steep, parent);
        status = parallel_rows(run, rows, parent->stride * 1.0, mean_rows, parent);
    }
    if (status == STATUS_OK && parent->east)
        status = parallel_rows(run, rows, parent->stride * 1.0, lean_rows, parent);
    if (status == STATUS_OK)
        parent_pad(parent->slope, parent);
    if (status == STATUS_OK && parent->east)
        status = parallel_rows(run, rows, parent->stride * 0.5, form_rows, parent);
    if (status == STATUS_OK && parent->east) {
        parent_pad(parent->east, parent);
        parent_pad(parent->south, parent);
        parent_pad(parent->formed, parent);
    }
    return status;
}

Status parent_open(Parent *parent, const Level *level, const LandWindow *window, Error *error) {
    *parent = (Parent){ .window = window,
                        .stride = window->width + 2,
                        .sea = sea_above(window->base),
                        .stream_area = hillslope_of(&level->land->rules, window->level).stream_area,
                        .cell = (float)level->cell,
                        .graded = level->graded,
                        .gullied = !level->hillslope.smooth,
                        .lakes = level->hillslope.lakes,
                        .column = (int)(level->x / 2 - window->x),
                        .row = (int)(level->y / 2 - window->y) };
    const size_t count = memory_count(parent->stride, window->height + 2);
    parent->offset = altitude_near(window, window->width / 2, window->height / 2);
    parent->sharp = cells_new(count, sizeof *parent->sharp, error);
    parent->steep = cells_new(count, sizeof *parent->steep, error);
    parent->slope = cells_new(count, sizeof *parent->slope, error);
    parent->profile = cells_new(count, sizeof *parent->profile, error);
    parent->east = level->hillslope.soil ? cells_new(count, sizeof *parent->east, error) : NULL;
    parent->south = level->hillslope.soil ? cells_new(count, sizeof *parent->south, error) : NULL;
    parent->formed = level->hillslope.soil ? cells_new(count, sizeof *parent->formed, error) : NULL;
    if (!parent->sharp || !parent->steep || !parent->slope || !parent->profile ||
        (level->hillslope.soil && (!parent->east || !parent->south || !parent->formed)))
        return STATUS_MEMORY;
    return measure(parent, level);
}

void parent_free(Parent *parent) {
    memory_free(parent->sharp);
    memory_free(parent->steep);
    memory_free(parent->slope);
    memory_free(parent->profile);
    memory_free(parent->formed);
    memory_free(parent->south);
    memory_free(parent->east);
    parent->sharp = parent->profile = NULL; // it is freed again where a later step is stopped
    parent->steep = parent->slope = parent->east = parent->south = parent->formed = NULL;
}
