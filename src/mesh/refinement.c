// Right triangles that are halved at the middle of their longest side where needed (Evans, Kirkpatrick and
// Townsend 2001, "Right-triangulated irregular networks"). A triangle is halved when any point of the field
// that it covers is farther from its plane than the error. The triangle across its longest side is halved
// with it, and so are all their ancestors, so that no point is in the middle of a side.
//
// Points are visited from fine to coarse: first the middles of the sides of squares of s cells, which are
// the longest sides of the triangles between the squares' centres, then the centres.

#include "mesh/refinement.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

static GridPoint inside(const Refinement *refinement, GridPoint place) {
    const int right = refinement->field->width - 1, bottom = refinement->field->height - 1;
    return (GridPoint){ min(place.x, right), min(place.y, bottom) };
}

static uint8_t *keep_at(const Refinement *refinement, int x, int y) {
    return &refinement->keep[(size_t)y * ((size_t)refinement->cells + 1) + (size_t)x];
}

static bool is_kept(const Refinement *refinement, int x, int y) {
    return x >= 0 && y >= 0 && x <= refinement->cells && y <= refinement->cells && *keep_at(refinement, x, y);
}

// --- errors ------------------------------------------------------------------------------------------------

// The plane through three points of the field.
typedef struct Plane {
    double low, across, down; // at `from`; per cell to the right and downwards
    GridPoint from;
} Plane;

KERNEL_INLINE double area_of(GridPoint a, GridPoint b, GridPoint c) { // twice the area, with a sign
    return (double)(b.x - a.x) * (c.y - a.y) - (double)(c.x - a.x) * (b.y - a.y);
}

KERNEL_INLINE Plane plane_through(const Field *field, GridPoint a, GridPoint b, GridPoint c) {
    const double share = 1 / area_of(a, b, c); // exact where triangles are not cut off: a power of two
    const double low = (double)field_row(field, a.y)[a.x];
    const double rise_b = (double)field_row(field, b.y)[b.x] - low;
    const double rise_c = (double)field_row(field, c.y)[c.x] - low;
    return (Plane){ .low = low,
                    .across = (rise_b * (c.y - a.y) - rise_c * (b.y - a.y)) * share,
                    .down = (rise_c * (b.x - a.x) - rise_b * (c.x - a.x)) * share,
                    .from = a };
}

// A triangle's corners are points of the mesh and need no test.

// Whether one of the cells from `left` to `right` is farther from the plane than the error.
KERNEL_INLINE bool has_far_cell(const Field *field, const Plane *plane, int y, int left, int right,
                                double max_error) {
    const float *row = field_row(field, y);
    const double start = plane->low + plane->down * (y - plane->from.y);
    int64_t far = 0; // as wide as a number, for vectors
    for (int x = left; x <= right; x++)
        far |= !(fabs(start + plane->across * (x - plane->from.x) - (double)row[x]) <= max_error);
    return far != 0;
}

// Rows of a triangle, down or up: from row to row the first and last cell move by whole cells.
typedef struct Rows {
    int y, step, end; // step: 1 down, -1 up
    int left, left_step, right, right_step;
} Rows;

KERNEL_INLINE bool rows_are_far(const Field *field, const Plane *plane, Rows rows, double max_error) {
    for (; rows.y != rows.end;
         rows.y += rows.step, rows.left += rows.left_step, rows.right += rows.right_step)
        if (has_far_cell(field, plane, rows.y, rows.left, rows.right, max_error))
            return true;
    return false;
}

// Where the line through two points crosses row y, if it does.
static void widen(GridPoint a, GridPoint b, int y, double *left, double *right) {
    if ((y < a.y && y < b.y) || (y > a.y && y > b.y))
        return;
    const double share = a.y == b.y ? 0 : (double)(y - a.y) / (b.y - a.y);
    const double x = a.x + share * (b.x - a.x), other = a.y == b.y ? b.x : x;
    *left = min(x, *left);
    *left = min(other, *left);
    *right = max(x, *right);
    *right = max(other, *right);
}

// Whether a triangle that reaches beyond the field is too far from it: it is cut off there, in any shape.
static bool cut_is_far(const Refinement *refinement, GridPoint a, GridPoint b, GridPoint c,
                       double max_error) {
    const Field *field = refinement->field;
    a = inside(refinement, a), b = inside(refinement, b), c = inside(refinement, c);
    if (area_of(a, b, c) == 0)
        return false;
    const Plane plane = plane_through(field, a, b, c);
    const int above = min(b.y, c.y), below = max(b.y, c.y);
    for (int y = min(a.y, above); y <= max(a.y, below); y++) {
        double left = INFINITY, right = -INFINITY;
        widen(a, b, y, &left, &right);
        widen(b, c, y, &left, &right);
        widen(c, a, y, &left, &right);
        if (has_far_cell(field, &plane, y, whole_int(ceil(left - 1e-6)), whole_int(floor(right + 1e-6)),
                         max_error))
            return true;
    }
    return false;
}

// --- from fine to coarse -----------------------------------------------------------------------------------

// One size of squares. Triangles wholly beyond the field have no area and are never halved.
typedef struct Pass {
    const Refinement *refinement;
    int side, right, bottom; // of the squares, and the last places
    double max_error;
} Pass;

KERNEL_INLINE bool all_inside(const Field *field, GridPoint a, GridPoint b, GridPoint c) {
    return max(a.x, max(b.x, c.x)) < field->width && max(a.y, max(b.y, c.y)) < field->height;
}

// The triangles above (step -1) and below (1) a level side from `a` to `b`.
KERNEL_INLINE bool level_is_far(const Pass *pass, GridPoint a, GridPoint b, int step) {
    const int half = pass->side / 2;
    const GridPoint c = { a.x + half, a.y + step * half };
    if (!all_inside(pass->refinement->field, a, b, c))
        return cut_is_far(pass->refinement, a, b, c, pass->max_error);
    const Field *field = pass->refinement->field;
    const Plane plane = plane_through(field, a, b, c);
    const Rows rows = { a.y + step, step, c.y, a.x + 1, 1, b.x - 1, -1 };
    return has_far_cell(field, &plane, a.y, a.x + 1, b.x - 1, pass->max_error) ||
           rows_are_far(field, &plane, rows, pass->max_error);
}

// Whether the triangle to the left (step -1) or right (1) of a side down from `a` to `b` is too far.
KERNEL_INLINE bool steep_is_far(const Pass *pass, GridPoint a, GridPoint b, int step) {
    const Field *field = pass->refinement->field;
    const int half = pass->side / 2, y = a.y + half;
    const GridPoint c = { a.x + step * half, y };
    if (!all_inside(field, a, b, c))
        return cut_is_far(pass->refinement, a, b, c, pass->max_error);
    const Plane plane = plane_through(field, a, b, c);
    const int left = min(a.x, c.x + 1), right = max(a.x, c.x - 1), narrower_left = step < 0,
              narrower_right = -(step > 0);
    const Rows up = { y - 1, -1, a.y, left, narrower_left, right, narrower_right },
               down = { y + 1, 1, b.y, left, narrower_left, right, narrower_right };
    return has_far_cell(field, &plane, y, left, right, pass->max_error) ||
           rows_are_far(field, &plane, up, pass->max_error) ||
           rows_are_far(field, &plane, down, pass->max_error);
}

static bool is_inside_square(const Refinement *refinement, int at) {
    return at >= 0 && at <= refinement->cells;
}

// Whether one of the four middles of squares around a place is kept, `quarter` away.
static bool is_kept_around(const Refinement *refinement, int x, int y, int quarter) {
    return is_kept(refinement, x - quarter, y - quarter) || is_kept(refinement, x + quarter, y - quarter) ||
           is_kept(refinement, x - quarter, y + quarter) || is_kept(refinement, x + quarter, y + quarter);
}

KERNEL_INLINE bool halves_level_side(const Pass *pass, int x, int y) {
    const Refinement *refinement = pass->refinement;
    const int half = pass->side / 2;
    const GridPoint a = { x, y }, b = { x + pass->side, y };
    return (half > 1 && is_kept_around(refinement, x + half, y, half / 2)) ||
           (is_inside_square(refinement, y - half) && level_is_far(pass, a, b, -1)) ||
           (is_inside_square(refinement, y + half) && level_is_far(pass, a, b, 1));
}

KERNEL_INLINE bool halves_steep_side(const Pass *pass, int x, int y) {
    const Refinement *refinement = pass->refinement;
    const int half = pass->side / 2;
    const GridPoint a = { x, y }, b = { x, y + pass->side };
    return (half > 1 && is_kept_around(refinement, x, y + half, half / 2)) ||
           (is_inside_square(refinement, x - half) && steep_is_far(pass, a, b, -1)) ||
           (is_inside_square(refinement, x + half) && steep_is_far(pass, a, b, 1));
}

// The half of a square whose right angle is at its left or right corner, in its upper or lower row.
KERNEL_INLINE bool corner_is_far(const Pass *pass, int x, int y, bool right, bool lower) {
    const Field *field = pass->refinement->field;
    const int side = pass->side, level = lower ? y + side : y;
    const GridPoint a = { right ? x + side : x, level }, b = { right ? x : x + side, level },
                    c = { a.x, lower ? y : y + side };
    if (!all_inside(field, a, b, c))
        return cut_is_far(pass->refinement, a, b, c, pass->max_error);
    const Plane plane = plane_through(field, a, b, c);
    const int step = lower ? -1 : 1;
    const Rows rows = { level + step, step, c.y, right ? x + 1 : x, right, right ? x + side : x + side - 1,
                        -!right };
    return has_far_cell(field, &plane, level, x + 1, x + side - 1, pass->max_error) ||
           rows_are_far(field, &plane, rows, pass->max_error);
}

KERNEL_INLINE bool halves_square(const Pass *pass, int x, int y) {
    const Refinement *refinement = pass->refinement;
    const int side = pass->side, half = side / 2;
    if (is_kept(refinement, x + half, y) || is_kept(refinement, x + half, y + side) ||
        is_kept(refinement, x, y + half) || is_kept(refinement, x + side, y + half))
        return true;
    // The diagonal runs towards the middle of the next larger square.
    const bool falls = (x / side + y / side) % 2 == 0;
    return corner_is_far(pass, x, y, falls, false) || corner_is_far(pass, x, y, !falls, true);
}

KERNEL static void refine_sides(void *context, int first, int end) {
    const Pass *pass = context;
    const int side = pass->side, half = side / 2;
    for (int y = first * side; y < end * side; y += side)
        for (int x = 0; x <= pass->right; x += side) {
            if (x + side <= pass->right)
                *keep_at(pass->refinement, x + half, y) = halves_level_side(pass, x, y);
            if (y + side <= pass->bottom)
                *keep_at(pass->refinement, x, y + half) = halves_steep_side(pass, x, y);
        }
}

KERNEL static void refine_squares(void *context, int first, int end) {
    const Pass *pass = context;
    const int side = pass->side, half = side / 2;
    for (int y = first * side; y < end * side; y += side)
        for (int x = 0; x + side <= pass->right; x += side)
            *keep_at(pass->refinement, x + half, y + half) = halves_square(pass, x, y);
}

static int round_up(int cells, int side) {
    return (cells + side - 1) / side * side;
}

static Status refine(const Refinement *refinement, const Run *run, int side, double max_error) {
    const Field *field = refinement->field;
    Pass pass = { refinement, side, round_up(field->width - 1, side), round_up(field->height - 1, side),
                  max_error };
    const double cost = 6.0 * field->width * side;
    const Status status = parallel_rows(run, pass.bottom / side + 1, cost, refine_sides, &pass);
    return status == STATUS_OK ? parallel_rows(run, pass.bottom / side, cost, refine_squares, &pass) : status;
}

Status refinement_create(Refinement *refinement, const Run *run, const Field *field, double max_error,
                         Error *error) {
    *refinement = (Refinement){ .field = field, .cells = 1 };
    while (refinement->cells < field_side(field) - 1)
        refinement->cells *= 2;
    const size_t places = (size_t)refinement->cells + 1;
    refinement->keep = memory_new_zeroed(places, places, error);
    Status status = refinement->keep ? STATUS_OK : STATUS_MEMORY;
    for (int side = 2; side <= refinement->cells && status == STATUS_OK; side *= 2)
        status = refine(refinement, run, side, max_error);
    return status;
}

void refinement_free(Refinement *refinement) {
    memory_free(refinement->keep);
    refinement->keep = NULL;
}

// --- the triangles -----------------------------------------------------------------------------------------

typedef struct Walk {
    const Refinement *refinement;
    void (*triangle)(void *context, const GridPoint corners[3]);
    void *context;
} Walk;

// The longest side from `a` to `b`, which `c` faces.
static void walk(const Walk *walker, GridPoint a, GridPoint b, GridPoint c) {
    const Refinement *refinement = walker->refinement;
    const GridPoint middle = { (a.x + b.x) / 2, (a.y + b.y) / 2 };
    const bool smallest = (a.x + b.x) % 2 || (a.y + b.y) % 2;
    if (!smallest && is_kept(refinement, middle.x, middle.y)) {
        walk(walker, c, a, middle);
        walk(walker, b, c, middle);
        return;
    }
    const GridPoint corners[3] = { inside(refinement, a), inside(refinement, b), inside(refinement, c) };
    const double across = (double)(corners[1].x - corners[0].x) * (corners[2].y - corners[0].y);
    const double down = (double)(corners[2].x - corners[0].x) * (corners[1].y - corners[0].y);
    if (across != down)
        walker->triangle(walker->context, corners);
}

void refinement_walk(const Refinement *refinement,
                     void (*triangle)(void *context, const GridPoint corners[3]), void *context) {
    const Walk walker = { refinement, triangle, context };
    const int cells = refinement->cells;
    walk(&walker, (GridPoint){ 0, 0 }, (GridPoint){ cells, cells }, (GridPoint){ 0, cells });
    walk(&walker, (GridPoint){ cells, cells }, (GridPoint){ 0, 0 }, (GridPoint){ cells, 0 });
}
