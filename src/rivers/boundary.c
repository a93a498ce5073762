#include "rivers/boundary.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/sample.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// --- lines -------------------------------------------------------------------------------------------------

// Twice the area of the triangle: its sign tells on which side of the line from a to b c lies.
static double side_of(Vec2 a, Vec2 b, Vec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool ranges_meet(double a, double b, double c, double d) {
    return min(a, b) <= max(c, d) && min(c, d) <= max(a, b);
}

bool lines_meet(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    if (!ranges_meet(a.x, b.x, c.x, d.x) || !ranges_meet(a.y, b.y, c.y, d.y))
        return false;
    const double c_side = side_of(a, b, c), d_side = side_of(a, b, d);
    if ((c_side > 0 && d_side > 0) || (c_side < 0 && d_side < 0))
        return false;
    const double a_side = side_of(c, d, a), b_side = side_of(c, d, b);
    return !((a_side > 0 && b_side > 0) || (a_side < 0 && b_side < 0));
}

double nearest_on_line(Vec2 a, Vec2 b, Vec2 spot) {
    return segment_share(spot.x - a.x, spot.y - a.y, b.x - a.x, b.y - a.y);
}

static Vec2 between(Vec2 a, Vec2 b, double share) {
    return (Vec2){ a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share };
}

// --- polygons ----------------------------------------------------------------------------------------------

static Vec2 corner(const Boundary *boundary, int i) {
    return boundary->corners[i < boundary->corner_count ? i : i - boundary->corner_count];
}

// A ray to the right from a point inside crosses the edges an odd number of times.
static bool polygon_has(const Boundary *boundary, Vec2 spot) {
    bool inside = false;
    for (int i = 0; i < boundary->corner_count; i++) {
        const Vec2 a = corner(boundary, i), b = corner(boundary, i + 1);
        if ((a.y > spot.y) != (b.y > spot.y) && spot.x < a.x + (spot.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

static Vec2 nearest_on_polygon(const Boundary *boundary, Vec2 spot) {
    Vec2 nearest = corner(boundary, 0);
    double least = INFINITY;
    for (int i = 0; i < boundary->corner_count; i++) {
        const Vec2 a = corner(boundary, i), b = corner(boundary, i + 1);
        const Vec2 here = between(a, b, nearest_on_line(a, b, spot));
        const double x = here.x - spot.x, y = here.y - spot.y, distance = x * x + y * y;
        if (distance < least) {
            least = distance;
            nearest = here;
        }
    }
    return nearest;
}

Status boundary_check(const Boundary *boundary, Error *error) {
    const int count = boundary->corner_count;
    if (count == 0)
        return STATUS_OK;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            const bool neighbours = k == i + 1 || (i == 0 && k == count - 1);
            if (!neighbours && lines_meet(corner(boundary, i), corner(boundary, i + 1), corner(boundary, k),
                                          corner(boundary, k + 1)))
                return fail(error, STATUS_INVALID,
                            "polygon crosses itself: the line from corner %d meets that from corner %d",
                            i + 1, k + 1);
        }
    if (!(boundary_area(boundary) > 1e-6))
        return fail(error, STATUS_INVALID, "polygon has no area");
    return STATUS_OK;
}

// --- masks -------------------------------------------------------------------------------------------------

static double shore_at(const Boundary *boundary, double x, double y) {
    const double across = x / boundary->cell - 0.5, down = y / boundary->cell - 0.5;
    const double last_x = boundary->columns - 1, last_y = boundary->rows - 1;
    const double in_x = clamp(across, 0, last_x);
    const double in_y = clamp(down, 0, last_y);
    const double off_x = across - in_x, off_y = down - in_y; // beyond the outermost centres
    return grid_sample(boundary->shore, boundary->columns, boundary->rows, in_x, in_y) -
           boundary->cell * ((off_x < 0 ? -off_x : off_x) + (off_y < 0 ? -off_y : off_y));
}

// Follows the gradient of the distance, by the distance, a few times.
static Vec2 nearest_on_shore(const Boundary *boundary, Vec2 spot) {
    const double off = 0.5 * boundary->cell;
    for (int i = 0; i < 6; i++) {
        const double x = shore_at(boundary, spot.x + off, spot.y) - shore_at(boundary, spot.x - off, spot.y);
        const double y = shore_at(boundary, spot.x, spot.y + off) - shore_at(boundary, spot.x, spot.y - off);
        const double steepness = sqrt(x * x + y * y), distance = shore_at(boundary, spot.x, spot.y);
        if (!(steepness > 0))
            break;
        spot.x -= distance * x / steepness;
        spot.y -= distance * y / steepness;
    }
    return spot;
}

// Exact Euclidean distances in two passes (Meijster, Roerdink and Hesselink 2000): down the columns to the
// nearest cell of the other kind, then along the rows the lowest of the parabolas over those.
typedef struct Transform {
    const Field *mask;
    bool inside; // distances from cells inside to the nearest outside; otherwise the reverse
    int *down;   // width × height: to the nearest of the other kind in the column
    int *start, *site;
} Transform;

static bool is_inside(const Field *mask, int x, int y) {
    return field_row(mask, y)[x] > 0.5f;
}

static void measure_columns(const Transform *transform) {
    const Field *mask = transform->mask;
    const int width = mask->width, height = mask->height;
    const int none = 2 * SIDE_MAX; // larger than any distance
    for (int x = 0; x < width; x++) {
        int far = transform->inside ? 0 : none; // beyond the field is outside
        for (int y = 0; y < height; y++) {
            far = is_inside(mask, x, y) == transform->inside ? far + 1 : 0;
            transform->down[(size_t)y * (size_t)width + (size_t)x] = min(far, none);
        }
        far = transform->inside ? 0 : none;
        for (int y = height - 1; y >= 0; y--) {
            int *down = &transform->down[(size_t)y * (size_t)width + (size_t)x];
            far = is_inside(mask, x, y) == transform->inside ? far + 1 : 0;
            *down = min(far, *down);
        }
    }
}

static long long parabola(const int *down, int site, int x) {
    const long long off = x - site;
    return off * off + (long long)down[site] * down[site];
}

// The first column from which the parabola over `right` is the lower one.
static long long overtakes(const int *down, int left, int right) {
    const long long rise = (long long)right * right - (long long)left * left +
                           (long long)down[right] * down[right] - (long long)down[left] * down[left];
    const long long run = 2LL * (right - left);
    return (rise >= 0 ? rise / run : -((-rise + run - 1) / run)) + 1;
}

static void measure_row(const Transform *transform, int y, float *shore, double cell) {
    const int width = transform->mask->width, *down = transform->down + (size_t)y * (size_t)width;
    int *start = transform->start, *site = transform->site, last = 0;
    start[0] = site[0] = 0;
    for (int x = 1; x < width; x++) {
        while (last >= 0 && parabola(down, site[last], start[last]) > parabola(down, x, start[last]))
            last--;
        const long long from = last < 0 ? 0 : overtakes(down, site[last], x);
        if (from < width) {
            last++;
            start[last] = (int)from;
            site[last] = x;
        }
    }
    for (int x = width - 1; x >= 0; x--) {
        if (is_inside(transform->mask, x, y) == transform->inside) {
            double far = sqrt((double)parabola(down, site[last], x));
            const int side = x < width - 1 - x ? x + 1 : width - x;
            if (transform->inside && side < far)
                far = side;
            shore[x] = (float)((transform->inside ? far - 0.5 : 0.5 - far) * cell);
        }
        if (x == start[last])
            last--;
    }
}

Status boundary_measure_mask(Boundary *boundary, const Field *mask, Error *error) {
    Transform transform = { .mask = mask };
    bool any = false;
    for (size_t i = 0; i < field_count(mask) && !any; i++)
        any = mask->cells[i] > 0.5f;
    if (!any)
        return fail(error, STATUS_INVALID, "mask is empty: no cell is above 0.5");
    Status status = STATUS_MEMORY;
    if ((transform.down = memory_new(field_count(mask), sizeof(int), error)) &&
        (transform.start = memory_new((size_t)mask->width, sizeof(int), error)) &&
        (transform.site = memory_new((size_t)mask->width, sizeof(int), error))) {
        for (int inside = 0; inside < 2; inside++) {
            transform.inside = inside;
            measure_columns(&transform);
            for (int y = 0; y < mask->height; y++)
                measure_row(&transform, y, boundary->shore + (size_t)y * (size_t)mask->width, boundary->cell);
        }
        status = STATUS_OK;
    }
    memory_free(transform.site);
    memory_free(transform.start);
    memory_free(transform.down);
    return status;
}

// --- both --------------------------------------------------------------------------------------------------

double boundary_distance(const Boundary *boundary, Vec2 spot) {
    if (boundary->corner_count == 0)
        return shore_at(boundary, spot.x, spot.y);
    const double distance = vec2_distance(nearest_on_polygon(boundary, spot), spot);
    return polygon_has(boundary, spot) ? distance : -distance;
}

Vec2 boundary_nearest(const Boundary *boundary, Vec2 spot) {
    return boundary->corner_count ? nearest_on_polygon(boundary, spot) : nearest_on_shore(boundary, spot);
}

bool boundary_holds(const Boundary *boundary, Vec2 from, Vec2 to) {
    if (boundary->corner_count) {
        if (!polygon_has(boundary, to))
            return false;
        for (int i = 0; !boundary->convex && i < boundary->corner_count; i++)
            if (lines_meet(from, to, corner(boundary, i), corner(boundary, i + 1)))
                return false;
        return true;
    }
    // Steps along the line by the distance to the shore, until it is too close or the end is reached.
    const double length = vec2_distance(from, to), least = 0.25 * boundary->cell;
    for (double at = 0; at < length;) {
        const Vec2 here = between(from, to, at / length);
        const double free = shore_at(boundary, here.x, here.y);
        if (free < least)
            return false;
        at += free;
    }
    return shore_at(boundary, to.x, to.y) >= least;
}

double boundary_area(const Boundary *boundary) {
    double area = 0;
    for (int i = 0; i < boundary->corner_count; i++) {
        const Vec2 a = corner(boundary, i), b = corner(boundary, i + 1);
        area += 0.5 * (a.x * b.y - a.y * b.x);
    }
    const size_t cells = (size_t)boundary->columns * (size_t)boundary->rows;
    for (size_t i = 0; boundary->corner_count == 0 && i < cells; i++)
        area += boundary->shore[i] > 0 ? boundary->cell * boundary->cell : 0;
    return area < 0 ? -area : area;
}

Status boundary_sample(Boundary *sample, const Boundary *boundary, double width, double height,
                       Error *error) {
    enum { CELLS = 256 };
    *sample = *boundary;
    if (boundary->corner_count == 0)
        return STATUS_OK;
    const double longer = max(width, height);
    *sample = (Boundary){ .coast = boundary->coast, .cell = longer / CELLS };
    sample->columns = whole_int(width / sample->cell) + 2; // two at least, to lie between
    sample->rows = whole_int(height / sample->cell) + 2;
    sample->shore = memory_new_cells(sample->columns, sample->rows, sizeof *sample->shore, error);
    for (int i = 0; sample->shore && i < sample->columns * sample->rows; i++) {
        const int x = i % sample->columns, y = i / sample->columns;
        const Vec2 spot = { (x + 0.5) * sample->cell, (y + 0.5) * sample->cell };
        sample->shore[i] = (float)boundary_distance(boundary, spot);
    }
    return sample->shore ? STATUS_OK : STATUS_MEMORY;
}

void boundary_sample_free(Boundary *sample, const Boundary *boundary) {
    if (sample->shore != boundary->shore)
        memory_free(sample->shore);
    *sample = (Boundary){ 0 };
}

size_t boundary_size(const Boundary *boundary) {
    return (size_t)boundary->corner_count * sizeof(Vec2) +
           (size_t)boundary->columns * (size_t)boundary->rows * sizeof(float);
}

void boundary_copy(Boundary *to, const Boundary *from, void *room) {
    *to = *from;
    to->corners = room;
    to->shore = (float *)(void *)(to->corners + from->corner_count);
    if (from->corner_count)
        memcpy(to->corners, from->corners, (size_t)from->corner_count * sizeof(Vec2));
    if (from->columns)
        memcpy(to->shore, from->shore, (size_t)from->columns * (size_t)from->rows * sizeof(float));
}

// --- ridges ------------------------------------------------------------------------------------------------

static Vec2 blend(Vec2 a, Vec2 b, double from, double to, double at) {
    const double share = to > from ? (at - from) / (to - from) : 0;
    return (Vec2){ a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share };
}

// Barry and Goldman 1988: a pyramid of blends between knots; centripetal where knots are apart by the square
// root of the distance.
void ridge_span(Vec2 a, Vec2 b, Vec2 c, Vec2 d, int resolution, Vec2 *places) {
    const double t0 = 0, t1 = t0 + sqrt(vec2_distance(a, b)), t2 = t1 + sqrt(vec2_distance(b, c)),
                 t3 = t2 + sqrt(vec2_distance(c, d));
    for (int i = 0; i <= resolution; i++) {
        const double t = t1 + (t2 - t1) * i / resolution;
        const Vec2 ab = blend(a, b, t0, t1, t), bc = blend(b, c, t1, t2, t), cd = blend(c, d, t2, t3, t);
        const Vec2 abc = blend(ab, bc, t0, t2, t), bcd = blend(bc, cd, t1, t3, t);
        places[i] = blend(abc, bcd, t1, t2, t);
    }
    places[0] = b;
    places[resolution] = c;
}
