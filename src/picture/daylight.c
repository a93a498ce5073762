#include "picture/daylight.h"

#include "core/box_mean.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// --- shadows -----------------------------------------------------------------------------------------------

// Line by line away from the sun: the shadow height at a point is that at the point one line nearer to the
// sun, minus the descent of sunlight on the way. Lines are rows or columns, whichever the sun crosses more
// steeply.
typedef struct Sweep {
    const MaxPyramid *pyramid;
    uint8_t *sun;
    float *ends[2], *sides[2]; // the first and last line of shadows; first and last points of all lines
    ptrdiff_t line, along;     // from point to point, in cells of the field
    int lines, points;
    double shift, fall; // along a line, and down, from one line to the next
    float soft;         // a shadow is full where it is this much higher than the ground
} Sweep;

// Light falls on the sea, not on its floor.
static float surface_z(const MaxPyramid *pyramid, float height) {
    const double z = ((double)height - pyramid->base) * pyramid->rise;
    return (float)(pyramid->sea && z < 0 ? 0 : z);
}

static float between(const float *line, int count, double at) {
    const double low = floor(at);
    if (low < 0 || low >= count - 1)
        return low == count - 1 && at == low ? line[count - 1] : -INFINITY;
    const int index = whole_int(low);
    return line[index] + (line[index + 1] - line[index]) * (float)(at - low);
}

static void sweep_lines(const Sweep *sweep, float *last, float *now) {
    const float *cells = sweep->pyramid->height->cells;
    const size_t first = sweep->line < 0 ? (size_t)((sweep->lines - 1) * -sweep->line) : 0;
    for (int i = 0; i < sweep->points; i++)
        last[i] = -INFINITY;
    for (int line = 0; line < sweep->lines; line++) {
        for (int i = 0; i < sweep->points; i++) {
            const size_t at = (size_t)((ptrdiff_t)first + line * sweep->line + i * sweep->along);
            const float ground = surface_z(sweep->pyramid, cells[at]);
            const float shadow = between(last, sweep->points, i + sweep->shift) - (float)sweep->fall;
            const float over = (shadow - ground) / sweep->soft, dark = clamp(over, 0, 1);
            now[i] = max(shadow, ground);
            sweep->sun[at] = (uint8_t)whole_within(255 * (1 - smoothstep(dark)) + 0.5f, 0, 255);
        }
        const int place = sweep->line < 0 ? sweep->lines - 1 - line : line;
        sweep->sides[0][place] = now[0];
        sweep->sides[1][place] = now[sweep->points - 1];
        if (place == 0 || place == sweep->lines - 1)
            memcpy(sweep->ends[place > 0], now, (size_t)sweep->points * sizeof *now);
        float *const other = last;
        last = now;
        now = other;
    }
}

static Status cast_shadows(const MaxPyramid *pyramid, Vector sun, Daylight *daylight, Error *error) {
    const Field *height = pyramid->height;
    uint8_t *lit = daylight->sun;
    float *rows = daylight->borders, *columns = rows + 2 * height->width;
    const bool by_rows = fabs(sun.y) >= fabs(sun.x);
    const double steep = by_rows ? sun.y : sun.x, flat = by_rows ? sun.x : sun.y;
    if (!(fabs(steep) > 1e-9)) { // straight above
        memset(lit, 255, field_count(height));
        for (int i = 0; i < 2 * (height->width + height->height); i++)
            rows[i] = -INFINITY;
        return STATUS_OK;
    }
    Sweep sweep = {
        .pyramid = pyramid,
        .sun = lit,
        .ends = { by_rows ? rows : columns, by_rows ? rows + height->width : columns + height->height },
        .sides = { by_rows ? columns : rows, by_rows ? columns + height->height : rows + height->width },
        .line = by_rows ? height->width : 1,
        .along = by_rows ? 1 : height->width,
        .lines = by_rows ? height->height : height->width,
        .points = by_rows ? height->width : height->height,
        .shift = flat / fabs(steep),
        .fall = sun.z / fabs(steep),
        .soft = daylight->soft
    };
    if (steep > 0) // the sun is beyond the last line
        sweep.line = -sweep.line;
    float *lines = memory_new(2 * (size_t)sweep.points, sizeof *lines, error);
    if (!lines)
        return STATUS_MEMORY;
    sweep_lines(&sweep, lines, lines + sweep.points);
    memory_free(lines);
    return STATUS_OK;
}

// --- sky ---------------------------------------------------------------------------------------------------

// On a coarser field, whose cells are the means of squares of `step` × `step`.
typedef struct AmbientOcclusion {
    const MaxPyramid *pyramid;
    Field coarse, mean;
    Field *sky;
    int step;
    float per_radius;
} AmbientOcclusion;

static void coarsen_rows(void *context, int first, int end) {
    AmbientOcclusion *occlusion = context;
    const Field *height = occlusion->pyramid->height;
    for (int y = first; y < end; y++)
        for (int x = 0; x < occlusion->coarse.width; x++) {
            const int left = x * occlusion->step, top = y * occlusion->step;
            double sum = 0;
            int count = 0;
            for (int row = top; row < top + occlusion->step && row < height->height; row++)
                for (int column = left; column < left + occlusion->step && column < height->width; column++) {
                    sum += (double)surface_z(occlusion->pyramid, field_row(height, row)[column]);
                    count++;
                }
            field_row(&occlusion->coarse, y)[x] = field_row(&occlusion->mean, y)[x] = (float)(sum / count);
            field_row(occlusion->sky, y)[x] = 1;
        }
}

// Ambient occlusion: points lower than the mean around them are darker. The darkest of several sizes
// counts.
static void darken_rows(void *context, int first, int end) {
    const AmbientOcclusion *occlusion = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < occlusion->mean.width; x++) {
            const float below = (field_row(&occlusion->mean, y)[x] - field_row(&occlusion->coarse, y)[x]) *
                                occlusion->per_radius;
            const float open = OPEN_SKY - 1.4f * below, share = clamp(open, 0.3f, 1);
            float *sky = &field_row(occlusion->sky, y)[x];
            *sky = min(share, *sky);
        }
}

static Status darken_hollows(const Run *run, AmbientOcclusion *occlusion, Error *error) {
    const int side = field_side(occlusion->pyramid->height);
    const Field *coarse = &occlusion->coarse;
    Status status =
        parallel_rows(run, coarse->height, occlusion->pyramid->height->width * 2.0, coarsen_rows, occlusion);
    for (int part = 160; part >= 20 && status == STATUS_OK; part /= 4) {
        const int radius = side / part > occlusion->step ? side / part / occlusion->step : 1;
        occlusion->per_radius = 1 / (float)(radius * occlusion->step);
        status = box_mean(run, &occlusion->mean, &occlusion->mean, radius, 1, false, error);
        if (status == STATUS_OK)
            status = parallel_rows(run, coarse->height, coarse->width * 2.0, darken_rows, occlusion);
    }
    return status;
}

static Status find_ambient_occlusion(const Run *run, const MaxPyramid *pyramid, Daylight *daylight,
                                     Error *error) {
    enum { FINEST = 512 }; // cells of the coarser field along a side
    const Field *height = pyramid->height;
    AmbientOcclusion occlusion = { .pyramid = pyramid, .sky = &daylight->sky, .step = 1 };
    occlusion.step = daylight->step = 1 + (field_side(height) - 1) / FINEST;
    const int columns = (height->width + occlusion.step - 1) / occlusion.step;
    const int rows = (height->height + occlusion.step - 1) / occlusion.step;
    Status status = field_create(&daylight->sky, columns, rows, error);
    if (status == STATUS_OK)
        status = field_create(&occlusion.coarse, columns, rows, error);
    if (status == STATUS_OK)
        status = field_create(&occlusion.mean, columns, rows, error);
    if (status == STATUS_OK)
        status = darken_hollows(run, &occlusion, error);
    field_free(&occlusion.mean);
    field_free(&occlusion.coarse);
    return status;
}

// --- both --------------------------------------------------------------------------------------------------

Status daylight_create(Daylight *daylight, const Run *run, const MaxPyramid *pyramid, Vector sun,
                       Error *error) {
    const Field *height = pyramid->height;
    const size_t border = 2 * ((size_t)height->width + (size_t)height->height);
    *daylight = (Daylight){ .height = height, .towards = sun, .soft = (float)(field_side(height) / 300.0) };
    daylight->sun = memory_new(field_count(height), 1, error);
    daylight->borders = daylight->sun ? memory_new(border, sizeof(float), error) : NULL;
    if (!daylight->borders)
        return STATUS_MEMORY;
    const Status status = cast_shadows(pyramid, sun, daylight, error);
    return status == STATUS_OK ? find_ambient_occlusion(run, pyramid, daylight, error) : status;
}

void daylight_free(Daylight *daylight) {
    memory_free(daylight->sun);
    memory_free(daylight->borders);
    field_free(&daylight->sky);
}

typedef struct Corner { // the upper left of four points, and the place between them
    size_t at, right, below;
    double u, v;
} Corner;

static Corner corner_at(int width, int height, double x, double y) {
    const double in_x = clamp(x, 0, width - 1);
    const double in_y = clamp(y, 0, height - 1);
    const int left = index_within(in_x, width), top = index_within(in_y, height);
    return (Corner){ (size_t)top * (size_t)width + (size_t)left, left + 1 < width,
                     top + 1 < height ? (size_t)width : 0, in_x - left, in_y - top };
}

static double blend(const Corner *corner, double a, double b, double c, double d) {
    const double upper = a + (b - a) * corner->u, lower = c + (d - c) * corner->u;
    return upper + (lower - upper) * corner->v;
}

// --- beyond the field --------------------------------------------------------------------------------------

static double outside(double at, int count) {
    return at < 0 ? -at : at > count - 1 ? at - (count - 1) : 0;
}

static bool within(const Field *height, double x, double y) {
    return x >= 0 && y >= 0 && x <= height->width - 1 && y <= height->height - 1;
}

static double beyond(const Field *height, double x, double y) {
    const double across = outside(x, height->width), down = outside(y, height->height);
    return sqrt(across * across + down * down);
}

// The distances along a direction to the first and last position between 0 and count - 1.
static void narrow(double at, double along, int count, double *first, double *last) {
    const double a = -at / along, b = (count - 1 - at) / along; // infinite or not a number: along is 0
    const double near = along == 0 ? outside(at, count) > 0 ? INFINITY : 0 : min(a, b);
    const double far = along == 0 ? INFINITY : max(b, a);
    *first = max(near, *first);
    *last = min(far, *last);
}

// The shadow height over the border, where sunlight for this position passes, minus the descent from there.
static double sun_beyond(const Daylight *daylight, double x, double y) {
    const Field *height = daylight->height;
    const Vector sun = daylight->towards;
    double first = 0, last = INFINITY;
    narrow(x, sun.x, height->width, &first, &last);
    narrow(y, sun.y, height->height, &first, &last);
    if (!(first < last) || !(last < INFINITY))
        return 1;
    const double right = x + first * sun.x, down = y + first * sun.y;
    const bool on_row = outside(y, height->height) > 0 && (down < 0.5 || down > height->height - 1.5);
    const int count = on_row ? height->width : height->height;
    const float *line = daylight->borders;
    if (on_row)
        line += down > 0.5 * height->height ? height->width : 0;
    else
        line += 2 * height->width + (right > 0.5 * height->width ? height->height : 0);
    const double at = on_row ? right : down, in = clamp(at, 0, count - 1);
    const double shadow = (double)between(line, count, in) - first * sun.z;
    const double over = shadow / (double)daylight->soft, dark = clamp(over, 0, 1);
    return 1 - smoothstep(dark);
}

double daylight_sun(const Daylight *daylight, double x, double y) {
    if (!within(daylight->height, x, y))
        return sun_beyond(daylight, x, y);
    const Corner corner = corner_at(daylight->height->width, daylight->height->height, x, y);
    const uint8_t *sun = daylight->sun + corner.at;
    return blend(&corner, sun[0], sun[corner.right], sun[corner.below], sun[corner.below + corner.right]) /
           255;
}

double daylight_sky(const Daylight *daylight, double x, double y) {
    const Corner corner = corner_at(daylight->sky.width, daylight->sky.height,
                                    (x + 0.5) / daylight->step - 0.5, (y + 0.5) / daylight->step - 0.5);
    const float *sky = daylight->sky.cells + corner.at;
    const double inside = blend(&corner, (double)sky[0], (double)sky[corner.right], (double)sky[corner.below],
                                (double)sky[corner.below + corner.right]);
    if (within(daylight->height, x, y))
        return inside;
    const double far = beyond(daylight->height, x, y) * 20 / field_side(daylight->height);
    return far < 1 ? inside + ((double)OPEN_SKY - inside) * far : (double)OPEN_SKY;
}
