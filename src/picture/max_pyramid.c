#include "picture/max_pyramid.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/sample.h"
#include "core/whole.h"

#include <math.h>

Vector vector_unit(Vector a) {
    const double length = sqrt(vector_dot(a, a)), per_length = length > 0 ? 1 / length : 0;
    return (Vector){ a.x * per_length, a.y * per_length, a.z * per_length };
}

// --- the pyramid -------------------------------------------------------------------------------------------

// The highest corner of a cell, the square between four points.
static inline float highest_corner(const Field *height, int x, int y) {
    const float *row = field_row(height, y) + x, *next = row + height->width;
    const float upper = max(row[0], row[1]), lower = max(next[0], next[1]);
    return max(upper, lower);
}

static inline float highest_in(const MaxPyramid *pyramid, int level, int x, int y) {
    return level == 0 ? highest_corner(pyramid->height, x, y)
                      : pyramid->highest[level][(size_t)y * (size_t)pyramid->columns[level] + (size_t)x];
}

typedef struct Level {
    const MaxPyramid *pyramid;
    int level;
} Level;

static void join_rows(void *context, int first, int end) {
    const Level *level = context;
    const MaxPyramid *pyramid = level->pyramid;
    const int below = level->level - 1, columns = pyramid->columns[below], rows = pyramid->rows[below];
    for (int y = first; y < end; y++)
        for (int x = 0; x < pyramid->columns[level->level]; x++) {
            float highest = highest_in(pyramid, below, 2 * x, 2 * y);
            for (int i = 1; i < 4; i++) {
                const int column = 2 * x + (i & 1), row = 2 * y + (i >> 1);
                const float other =
                    column < columns && row < rows ? highest_in(pyramid, below, column, row) : highest;
                highest = max(other, highest);
            }
            pyramid->highest[level->level][(size_t)y * (size_t)pyramid->columns[level->level] + (size_t)x] =
                highest;
        }
}

Status max_pyramid_create(MaxPyramid *pyramid, const Run *run, const Field *height, double base, double rise,
                          Error *error) {
    *pyramid = (MaxPyramid){ .height = height, .base = base, .rise = rise };
    pyramid->columns[0] = height->width - 1;
    pyramid->rows[0] = height->height - 1;
    Status status = STATUS_OK;
    for (int k = 1; status == STATUS_OK && (pyramid->columns[k - 1] > 1 || pyramid->rows[k - 1] > 1); k++) {
        pyramid->columns[k] = (pyramid->columns[k - 1] + 1) / 2;
        pyramid->rows[k] = (pyramid->rows[k - 1] + 1) / 2;
        pyramid->highest[k] = memory_new_cells(pyramid->columns[k], pyramid->rows[k], sizeof(float), error);
        if (!pyramid->highest[k])
            return STATUS_MEMORY;
        Level level = { pyramid, k };
        status = parallel_rows(run, pyramid->rows[k], pyramid->columns[k] * 4.0, join_rows, &level);
        pyramid->levels = k;
    }
    return status;
}

void max_pyramid_free(MaxPyramid *pyramid) {
    for (int k = 1; k < LEVELS_MAX; k++)
        memory_free(pyramid->highest[k]);
}

// --- rays --------------------------------------------------------------------------------------------------

static double to_z(const MaxPyramid *pyramid, float height) {
    return ((double)height - pyramid->base) * pyramid->rise;
}

double max_pyramid_ground(const MaxPyramid *pyramid, double x, double y) {
    const Field *height = pyramid->height;
    return (grid_sample(height->cells, height->width, height->height, x, y) - pyramid->base) * pyramid->rise;
}

double max_pyramid_highest(const MaxPyramid *pyramid) {
    return to_z(pyramid, highest_in(pyramid, pyramid->levels, 0, 0));
}

typedef struct Span {
    double from, to;
} Span;

// The part of the ray inside a pair of planes.
static Span clip(Span span, double at, double along, double low, double high) {
    if (along == 0)
        return at >= low && at <= high ? span : (Span){ 1, 0 };
    const double a = (low - at) / along, b = (high - at) / along;
    const double enters = min(a, b), leaves = max(b, a);
    return (Span){ max(enters, span.from), min(leaves, span.to) };
}

// Where the ray meets the ground in one cell: between two distances, the first above the ground.
static bool meets_cell(const MaxPyramid *pyramid, Vector from, Vector along, Span span, double *distance) {
    const Vector a = vector_plus(from, along, span.from), b = vector_plus(from, along, span.to);
    double above = a.z - max_pyramid_ground(pyramid, a.x, a.y),
           below = b.z - max_pyramid_ground(pyramid, b.x, b.y);
    if (below > 0)
        return false; // a bilinear cell bulges little: a ray above both edges passes
    if (above <= 0) {
        *distance = span.from;
        return true;
    }
    for (int i = 0; i < 4; i++) { // regula falsi, halving the interval each time
        const double at = span.from + (span.to - span.from) * above / (above - below);
        const Vector here = vector_plus(from, along, at);
        const double over = here.z - max_pyramid_ground(pyramid, here.x, here.y);
        *distance = at;
        if (over > 0) {
            span.from = at;
            above = over;
        } else {
            span.to = at;
            below = over;
        }
        if (!(above - below > 1e-9))
            break;
    }
    return true;
}

// The distance at which the ray leaves a square.
static double leaves_at(double from, double along, double low, double high) {
    return along > 0 ? (high - from) / along : along < 0 ? (low - from) / along : INFINITY;
}

Seen max_pyramid_cast(const MaxPyramid *pyramid, Vector from, Vector along, double farthest) {
    const double nudge = 1e-7;
    Span span = clip((Span){ 0, farthest }, from.x, along.x, 0, pyramid->columns[0]);
    span = clip(span, from.y, along.y, 0, pyramid->rows[0]);
    if (!(span.from < span.to))
        return (Seen){ SEEN_NOTHING, 0 };
    const Vector enters = vector_plus(from, along, span.from);
    if (span.from > 0 && enters.z < max_pyramid_ground(pyramid, enters.x, enters.y))
        return (Seen){ enters.z >= pyramid->lowest ? SEEN_WALL : SEEN_NOTHING, span.from };
    int level = pyramid->levels;
    for (double at = span.from; at < span.to;) {
        const double size = (double)(1 << level);
        const Vector here = vector_plus(from, along, at + nudge);
        const int x = whole_int(here.x / size), y = whole_int(here.y / size);
        if (here.x < 0 || here.y < 0 || x >= pyramid->columns[level] || y >= pyramid->rows[level])
            return (Seen){ SEEN_NOTHING, 0 };
        const double by_x = leaves_at(from.x, along.x, x * size, (x + 1) * size);
        const double by_y = leaves_at(from.y, along.y, y * size, (y + 1) * size);
        double next = min(by_x, by_y);
        next = min(next, span.to);
        next = max(next, at + nudge);
        const double z = along.z < 0 ? from.z + along.z * next : from.z + along.z * at;
        double distance;
        if (z > to_z(pyramid, highest_in(pyramid, level, x, y))) {
            at = next;
            level += level < pyramid->levels;
        } else if (level > 0) {
            level--;
        } else if (meets_cell(pyramid, from, along, (Span){ at, next }, &distance)) {
            return (Seen){ SEEN_GROUND, distance };
        } else {
            at = next;
        }
    }
    return (Seen){ SEEN_NOTHING, 0 };
}
