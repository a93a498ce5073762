// Right triangles that are halved at the middle of their longest side where needed (Evans, Kirkpatrick and
// Townsend 2001, "Right-triangulated irregular networks"). A triangle is halved when any point of the field
// that it covers is farther from its plane than the error. The triangle across its longest side is halved
// with it, and so are all their ancestors, so that no point is in the middle of a side.
//
// Points are visited from fine to coarse: first the middles of the sides of squares of s cells, which are
// the longest sides of the triangles between the squares' centres, then the centres.

#include "mesh/refinement.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

static Place inside(const Refinement *refinement, Place place) {
    const int right = refinement->field->width - 1, bottom = refinement->field->height - 1;
    return (Place){ min(place.x, right), min(place.y, bottom) };
}

static uint8_t *keep_at(const Refinement *refinement, int x, int y) {
    return &refinement->keep[(size_t)y * ((size_t)refinement->cells + 1) + (size_t)x];
}

static bool is_kept(const Refinement *refinement, int x, int y) {
    return x >= 0 && y >= 0 && x <= refinement->cells && y <= refinement->cells && *keep_at(refinement, x, y);
}

// --- errors ------------------------------------------------------------------------------------------------

static int least(int a, int b) {
    return min(a, b);
}

static int most(int a, int b) {
    return max(a, b);
}

// Where the line through two points crosses row y, if it does.
static void widen(Place a, Place b, int y, double *left, double *right) {
    if ((y < a.y && y < b.y) || (y > a.y && y > b.y))
        return;
    const double share = a.y == b.y ? 0 : (double)(y - a.y) / (b.y - a.y);
    const double x = a.x + share * (b.x - a.x), other = a.y == b.y ? b.x : x;
    *left = min(x, *left);
    *left = min(other, *left);
    *right = max(x, *right);
    *right = max(other, *right);
}

// Whether any point of the field in the triangle is farther than the error from the triangle's plane.
static bool is_too_far(const Refinement *refinement, Place a, Place b, Place c, double most_error) {
    const Field *field = refinement->field;
    a = inside(refinement, a), b = inside(refinement, b), c = inside(refinement, c);
    const double area = (double)(b.x - a.x) * (c.y - a.y) - (double)(c.x - a.x) * (b.y - a.y);
    if (area == 0)
        return false;
    const double low = (double)field_row(field, a.y)[a.x];
    const double rise_b = (double)field_row(field, b.y)[b.x] - low;
    const double rise_c = (double)field_row(field, c.y)[c.x] - low;
    const double across = (rise_b * (c.y - a.y) - rise_c * (b.y - a.y)) / area;
    const double down = (rise_c * (b.x - a.x) - rise_b * (c.x - a.x)) / area;
    for (int y = least(a.y, least(b.y, c.y)); y <= most(a.y, most(b.y, c.y)); y++) {
        double left = INFINITY, right = -INFINITY;
        widen(a, b, y, &left, &right);
        widen(b, c, y, &left, &right);
        widen(c, a, y, &left, &right);
        const float *row = field_row(field, y);
        const double start = low + down * (y - a.y);
        for (int x = whole_int(ceil(left - 1e-6)); x <= whole_int(floor(right + 1e-6)); x++)
            if (!(fabs(start + across * (x - a.x) - (double)row[x]) <= most_error))
                return true;
    }
    return false;
}

// --- from fine to coarse -----------------------------------------------------------------------------------

// The side from `a` to `b`, as long as two of `half`; its neighbours' corners face it from either side.
static bool halves_side(const Refinement *refinement, Place a, Place b, int half, double most_error) {
    const int x = (a.x + b.x) / 2, y = (a.y + b.y) / 2, quarter = half / 2;
    const Place faces[2] = { { a.y == b.y ? x : x - half, a.y == b.y ? y - half : y },
                             { a.y == b.y ? x : x + half, a.y == b.y ? y + half : y } };
    if (half > 1)
        for (int i = 0; i < 4; i++)
            if (is_kept(refinement, x + (i % 2 ? quarter : -quarter), y + (i / 2 ? quarter : -quarter)))
                return true;
    for (int i = 0; i < 2; i++)
        if (faces[i].x >= 0 && faces[i].y >= 0 && faces[i].x <= refinement->cells &&
            faces[i].y <= refinement->cells && is_too_far(refinement, a, b, faces[i], most_error))
            return true;
    return false;
}

static bool halves_square(const Refinement *refinement, int x, int y, int side, double most_error) {
    const int half = side / 2, middle_x = x + half, middle_y = y + half;
    if (is_kept(refinement, middle_x, y) || is_kept(refinement, middle_x, y + side) ||
        is_kept(refinement, x, middle_y) || is_kept(refinement, x + side, middle_y))
        return true;
    const Place corners[4] = { { x, y }, { x + side, y }, { x + side, y + side }, { x, y + side } };
    const int first = (x / side + y / side) % 2; // the diagonal runs towards the middle of the next square
    return is_too_far(refinement, corners[first], corners[first + 1], corners[first + 2], most_error) ||
           is_too_far(refinement, corners[first], corners[first + 2], corners[(first + 3) % 4], most_error);
}

// One size of squares. Triangles wholly beyond the field have no area and are never halved.
typedef struct Pass {
    const Refinement *refinement;
    int side, right, bottom; // of the squares, and the last places
    double most_error;
} Pass;

static void refine_sides(void *context, int first, int end) {
    const Pass *pass = context;
    const Refinement *refinement = pass->refinement;
    const int side = pass->side, half = side / 2;
    for (int y = first * side; y < end * side; y += side)
        for (int x = 0; x <= pass->right; x += side) {
            const Place here = { x, y }, beside = { x + side, y }, below = { x, y + side };
            if (x + side <= pass->right)
                *keep_at(refinement, x + half, y) =
                    halves_side(refinement, here, beside, half, pass->most_error);
            if (y + side <= pass->bottom)
                *keep_at(refinement, x, y + half) =
                    halves_side(refinement, here, below, half, pass->most_error);
        }
}

static void refine_squares(void *context, int first, int end) {
    const Pass *pass = context;
    const Refinement *refinement = pass->refinement;
    const int side = pass->side, half = side / 2;
    for (int y = first * side; y < end * side; y += side)
        for (int x = 0; x + side <= pass->right; x += side)
            *keep_at(refinement, x + half, y + half) =
                halves_square(refinement, x, y, side, pass->most_error);
}

static int round_up(int cells, int side) {
    return (cells + side - 1) / side * side;
}

static Status refine(const Refinement *refinement, const Run *run, int side, double most_error) {
    const Field *field = refinement->field;
    Pass pass = { refinement, side, round_up(field->width - 1, side), round_up(field->height - 1, side),
                  most_error };
    const double cost = 6.0 * field->width * side;
    const Status status = parallel_rows(run, pass.bottom / side + 1, cost, refine_sides, &pass);
    return status == STATUS_OK ? parallel_rows(run, pass.bottom / side, cost, refine_squares, &pass) : status;
}

Status refinement_create(Refinement *refinement, const Run *run, const Field *field, double most_error,
                         Error *error) {
    *refinement = (Refinement){ .field = field, .cells = 1 };
    while (refinement->cells < field_side(field) - 1)
        refinement->cells *= 2;
    const size_t places = (size_t)refinement->cells + 1;
    refinement->keep = memory_new_zeroed(places, places, error);
    Status status = refinement->keep ? STATUS_OK : STATUS_MEMORY;
    for (int side = 2; side <= refinement->cells && status == STATUS_OK; side *= 2)
        status = refine(refinement, run, side, most_error);
    return status;
}

void refinement_free(Refinement *refinement) {
    memory_free(refinement->keep);
    refinement->keep = NULL;
}

// --- the triangles -----------------------------------------------------------------------------------------

typedef struct Walk {
    const Refinement *refinement;
    void (*triangle)(void *context, const Place corners[3]);
    void *context;
} Walk;

// The longest side from `a` to `b`, which `c` faces.
static void walk(const Walk *walker, Place a, Place b, Place c) {
    const Refinement *refinement = walker->refinement;
    const Place middle = { (a.x + b.x) / 2, (a.y + b.y) / 2 };
    const bool smallest = (a.x + b.x) % 2 || (a.y + b.y) % 2;
    if (!smallest && is_kept(refinement, middle.x, middle.y)) {
        walk(walker, c, a, middle);
        walk(walker, b, c, middle);
        return;
    }
    const Place corners[3] = { inside(refinement, a), inside(refinement, b), inside(refinement, c) };
    const double across = (double)(corners[1].x - corners[0].x) * (corners[2].y - corners[0].y);
    const double down = (double)(corners[2].x - corners[0].x) * (corners[1].y - corners[0].y);
    if (across != down)
        walker->triangle(walker->context, corners);
}

void refinement_walk(const Refinement *refinement, void (*triangle)(void *context, const Place corners[3]),
                     void *context) {
    const Walk walker = { refinement, triangle, context };
    const int cells = refinement->cells;
    walk(&walker, (Place){ 0, 0 }, (Place){ cells, cells }, (Place){ 0, cells });
    walk(&walker, (Place){ cells, cells }, (Place){ 0, 0 }, (Place){ cells, 0 });
}
