// Greedy insertion (Garland and Heckbert 1995, "Fast polygonal approximation of terrains and height fields",
// section 4): the cell of the field that is farthest from the mesh becomes a point of it, until none is
// farther than the error. The mesh stays a Delaunay triangulation. Each triangle knows the cell in it that is
// farthest from its plane, and a heap orders the triangles by that distance; only triangles that an insertion
// changes are searched again.
//
// Corners are clockwise with y down. Side k of a triangle runs from corner k to the next one and has the
// number 3 × triangle + k.

#include "mesh/refinement.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// --- farthest cell -----------------------------------------------------------------------------------------

// The cell of a field in a triangle that is farthest from the triangle's plane.

static inline int64_t doubled_area(GridPoint a, GridPoint b, GridPoint c) { // positive: clockwise
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(c.x - a.x) * (b.y - a.y);
}

// The first cell (`last` false) or last cell of a row on the inner side of the line down from a to b.
KERNEL_INLINE int crossing(GridPoint a, GridPoint b, int y, bool last) {
    const int64_t rows = b.y - a.y, product = (int64_t)(y - a.y) * (b.x - a.x);
    const int64_t floored = product >= 0 ? product / rows : -((-product + rows - 1) / rows);
    return a.x + (int)floored + (!last && floored * rows != product);
}

typedef struct Search {
    const Field *field;
    const GridPoint *corners;
    double distance; // of the farthest cell so far
    GridPoint farthest;
    double low, across, down; // the plane: at the first corner, and per cell to the right and downwards
} Search;

// The distance of a cell as an integer: positive numbers are in the order of their bits.
KERNEL_INLINE int64_t distance_bits(const Search *search, double start, const float *row, int x) {
    const double distance = fabs(start + search->across * (x - search->corners[0].x) - (double)row[x]);
    int64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return bits;
}

KERNEL_INLINE void search_row(Search *search, int y, int left, int right) {
    for (int k = 0; k < 3; k++) { // corners are points of the mesh
        left += search->corners[k].y == y && search->corners[k].x == left;
        right -= search->corners[k].y == y && search->corners[k].x == right;
    }
    const float *row = field_row(search->field, y);
    const double start = search->low + search->down * (y - search->corners[0].y);
    int64_t most = 0, before;
    for (int x = left; x <= right; x++) {
        const int64_t bits = distance_bits(search, start, row, x);
        most = bits > most ? bits : most;
    }
    memcpy(&before, &search->distance, sizeof before);
    if (most <= before)
        return;
    memcpy(&search->distance, &most, sizeof most);
    int x = left;
    while (distance_bits(search, start, row, x) != most)
        x++;
    search->farthest = (GridPoint){ x, y };
}

// The rows y … end - 1 between two lines that go down.
KERNEL_INLINE void search_rows(Search *search, const GridPoint left[2], const GridPoint right[2], int y,
                               int end) {
    for (; y < end; y++)
        search_row(search, y, crossing(left[0], left[1], y, false), crossing(right[0], right[1], y, true));
}

// Clockwise from its highest corner a triangle goes down on the right, then up on the left.
KERNEL static void search_triangle(Search *search) {
    const GridPoint *corners = search->corners;
    const int first = corners[1].y < corners[0].y   ? corners[2].y < corners[1].y ? 2 : 1
                      : corners[2].y < corners[0].y ? 2
                                                    : 0;
    const GridPoint top = corners[first], right = corners[(first + 1) % 3], left = corners[(first + 2) % 3];
    const GridPoint right_side[2] = { top, right }, left_side[2] = { top, left };
    const int middle = min(right.y, left.y);
    if (middle > top.y)
        search_rows(search, left_side, right_side, top.y, middle);
    if (right.y == left.y) {
        search_row(search, middle, left.x, right.x);
    } else if (right.y < left.y) {
        search_rows(search, left_side, (GridPoint[]){ right, left }, middle, left.y);
    } else {
        search_rows(search, (GridPoint[]){ left, right }, right_side, middle, right.y);
    }
}

// Corners clockwise with y down, not in one line. Returns the distance in heights, 0 if there is no cell
// besides the corners or all lie in the plane.
static double find_farthest_cell(const Field *field, const GridPoint corners[3], GridPoint *farthest) {
    const double area = (double)doubled_area(corners[0], corners[1], corners[2]);
    const double low = (double)field_row(field, corners[0].y)[corners[0].x];
    const double rise_1 = (double)field_row(field, corners[1].y)[corners[1].x] - low;
    const double rise_2 = (double)field_row(field, corners[2].y)[corners[2].x] - low;
    const double x1 = corners[1].x - corners[0].x, y1 = corners[1].y - corners[0].y;
    const double x2 = corners[2].x - corners[0].x, y2 = corners[2].y - corners[0].y;
    Search search = { .field = field,
                      .corners = corners,
                      .farthest = corners[0],
                      .low = low,
                      .across = (rise_1 * y2 - rise_2 * y1) / area,
                      .down = (rise_2 * x1 - rise_1 * x2) / area };
    search_triangle(&search);
    *farthest = search.farthest;
    return search.distance;
}

// --- delaunay ----------------------------------------------------------------------------------------------

#define NONE UINT32_MAX // what lies beyond the border; a triangle that is not in the heap

typedef struct Triangle {
    GridPoint corners[3];
    uint32_t beyond[3]; // each side's number in the triangle beyond it
    GridPoint farthest; // cell, and its distance from the plane
    double distance;
    uint32_t in_heap; // its place there
    bool changed;
} Triangle;

typedef struct List {
    uint32_t *at;
    size_t count, room;
} List;

struct Delaunay {
    const Field *field;
    double max_error;
    Triangle *triangles;
    size_t count, room;
    List heap;    // triangles with a cell farther than the error, the farthest first
    List suspect; // triangles whose side 0 may have to be flipped
    List changed;
};

// --- room --------------------------------------------------------------------------------------------------

static Status enlarge(void **block, size_t size, size_t count, size_t *room, Error *error) {
    const size_t more = *room ? *room + *room / 2 : 64;
    void *larger = memory_enlarge(*block, count, more, size, error);
    if (!larger)
        return STATUS_MEMORY;
    *block = larger, *room = more;
    return STATUS_OK;
}

static Status push(List *list, uint32_t value, Error *error) {
    if (list->count == list->room) {
        void *block = list->at;
        const Status status = enlarge(&block, sizeof *list->at, list->count, &list->room, error);
        if (status != STATUS_OK)
            return status;
        list->at = block;
    }
    list->at[list->count++] = value;
    return STATUS_OK;
}

// --- the heap ----------------------------------------------------------------------------------------------

static double distance_at(const Delaunay *mesh, size_t at) {
    return mesh->triangles[mesh->heap.at[at]].distance;
}

static void put(Delaunay *mesh, size_t at, uint32_t triangle) {
    mesh->heap.at[at] = triangle;
    mesh->triangles[triangle].in_heap = (uint32_t)at;
}

// Moves a triangle whose distance has changed up or down from `at`.
static void settle(Delaunay *mesh, size_t at, uint32_t triangle) {
    const double distance = mesh->triangles[triangle].distance;
    for (; at > 0 && distance_at(mesh, (at - 1) / 2) < distance; at = (at - 1) / 2)
        put(mesh, at, mesh->heap.at[(at - 1) / 2]);
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < mesh->heap.count && distance_at(mesh, child + 1) > distance_at(mesh, child))
            child++;
        if (child >= mesh->heap.count || distance_at(mesh, child) <= distance)
            break;
        put(mesh, at, mesh->heap.at[child]);
        at = child;
    }
    put(mesh, at, triangle);
}

static Status place_in_heap(Delaunay *mesh, uint32_t number, Error *error) {
    Triangle *triangle = &mesh->triangles[number];
    const bool far = triangle->distance > mesh->max_error;
    size_t at = triangle->in_heap;
    if (far && at == NONE) {
        const Status status = push(&mesh->heap, number, error);
        if (status != STATUS_OK)
            return status;
        at = mesh->heap.count - 1;
    }
    if (far) {
        settle(mesh, at, number);
    } else if (at != NONE) {
        triangle->in_heap = NONE;
        const uint32_t last = mesh->heap.at[--mesh->heap.count];
        if (last != number)
            settle(mesh, at, last);
    }
    return STATUS_OK;
}

// --- triangles ---------------------------------------------------------------------------------------------

static Status set_triangle(Delaunay *mesh, uint32_t number, const GridPoint corners[3],
                           const uint32_t beyond[3], Error *error) {
    Triangle *triangle = &mesh->triangles[number];
    for (uint32_t k = 0; k < 3; k++) {
        triangle->corners[k] = corners[k];
        triangle->beyond[k] = beyond[k];
        if (beyond[k] != NONE)
            mesh->triangles[beyond[k] / 3].beyond[beyond[k] % 3] = 3 * number + k;
    }
    if (triangle->changed)
        return STATUS_OK;
    triangle->changed = true;
    return push(&mesh->changed, number, error);
}

// Whether d lies inside the circle through a, b and c.
static bool is_in_circle(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    const int64_t ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x,
                  cy = c.y - d.y;
    const Int128 sum = (Int128)(ax * ax + ay * ay) * (bx * cy - cx * by) +
                       (Int128)(bx * bx + by * by) * (cx * ay - ax * cy) +
                       (Int128)(cx * cx + cy * cy) * (ax * by - bx * ay);
    return sum > 0;
}

// Flips sides until each circle is empty. In a suspect triangle the new point is the last corner.
static Status restore(Delaunay *mesh, Error *error) {
    Status status = STATUS_OK;
    while (mesh->suspect.count > 0 && status == STATUS_OK) {
        const uint32_t t = mesh->suspect.at[--mesh->suspect.count], side = mesh->triangles[t].beyond[0];
        if (side == NONE)
            continue;
        const uint32_t u = side / 3, k = side % 3;
        const Triangle near = mesh->triangles[t], far = mesh->triangles[u];
        const GridPoint a = near.corners[0], b = near.corners[1], p = near.corners[2],
                        d = far.corners[(k + 2) % 3];
        if (!is_in_circle(a, b, p, d))
            continue;
        status = set_triangle(mesh, t, (GridPoint[]){ a, d, p },
                              (uint32_t[]){ far.beyond[(k + 1) % 3], 3 * u + 2, near.beyond[2] }, error);
        if (status == STATUS_OK)
            status = set_triangle(mesh, u, (GridPoint[]){ d, b, p },
                                  (uint32_t[]){ far.beyond[(k + 2) % 3], near.beyond[1], 3 * t + 1 }, error);
        if (status == STATUS_OK)
            status = push(&mesh->suspect, t, error);
        if (status == STATUS_OK)
            status = push(&mesh->suspect, u, error);
    }
    return status;
}

static uint32_t new_triangle(Delaunay *mesh) {
    mesh->triangles[mesh->count] = (Triangle){ .in_heap = NONE };
    return (uint32_t)mesh->count++;
}

// Sets a triangle from the outer side `a` to `b` to the new point p, and tests that side.
static Status set_fan(Delaunay *mesh, uint32_t number, GridPoint a, GridPoint b, GridPoint p,
                      const uint32_t beyond[3], Error *error) {
    const Status status = set_triangle(mesh, number, (GridPoint[]){ a, b, p }, beyond, error);
    return status == STATUS_OK ? push(&mesh->suspect, number, error) : status;
}

static Status split_inside(Delaunay *mesh, uint32_t t, GridPoint p, Error *error) {
    const Triangle old = mesh->triangles[t];
    const GridPoint a = old.corners[0], b = old.corners[1], c = old.corners[2];
    const uint32_t u = new_triangle(mesh), v = new_triangle(mesh);
    Status status = set_fan(mesh, t, a, b, p, (uint32_t[]){ old.beyond[0], 3 * u + 2, 3 * v + 1 }, error);
    if (status == STATUS_OK)
        status = set_fan(mesh, u, b, c, p, (uint32_t[]){ old.beyond[1], 3 * v + 2, 3 * t + 1 }, error);
    if (status == STATUS_OK)
        status = set_fan(mesh, v, c, a, p, (uint32_t[]){ old.beyond[2], 3 * t + 2, 3 * u + 1 }, error);
    return status;
}

// Divides a triangle at a point on side k, and the triangle beyond that side.
static Status split_side(Delaunay *mesh, uint32_t t, uint32_t k, GridPoint p, Error *error) {
    const Triangle near = mesh->triangles[t];
    const GridPoint a = near.corners[k], b = near.corners[(k + 1) % 3], c = near.corners[(k + 2) % 3];
    const uint32_t side = near.beyond[k], v = new_triangle(mesh);
    const uint32_t u = side == NONE ? NONE : side / 3, w = side == NONE ? NONE : new_triangle(mesh);
    const uint32_t along_b = side == NONE ? NONE : 3 * w + 1, along_a = side == NONE ? NONE : 3 * u + 2;
    const Triangle far = side == NONE ? near : mesh->triangles[u];
    const uint32_t j = side % 3;
    Status status =
        set_fan(mesh, t, b, c, p, (uint32_t[]){ near.beyond[(k + 1) % 3], 3 * v + 2, along_b }, error);
    if (status == STATUS_OK)
        status =
            set_fan(mesh, v, c, a, p, (uint32_t[]){ near.beyond[(k + 2) % 3], along_a, 3 * t + 1 }, error);
    if (status != STATUS_OK || side == NONE)
        return status;
    const GridPoint d = far.corners[(j + 2) % 3];
    status = set_fan(mesh, u, a, d, p, (uint32_t[]){ far.beyond[(j + 1) % 3], 3 * w + 2, 3 * v + 1 }, error);
    if (status == STATUS_OK)
        status =
            set_fan(mesh, w, d, b, p, (uint32_t[]){ far.beyond[(j + 2) % 3], 3 * t + 2, 3 * u + 1 }, error);
    return status;
}

// --- insertion ---------------------------------------------------------------------------------------------

static Status search_changed(Delaunay *mesh, Error *error) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < mesh->changed.count && status == STATUS_OK; i++) {
        Triangle *triangle = &mesh->triangles[mesh->changed.at[i]];
        triangle->changed = false;
        triangle->distance = find_farthest_cell(mesh->field, triangle->corners, &triangle->farthest);
        status = place_in_heap(mesh, mesh->changed.at[i], error);
    }
    mesh->changed.count = 0;
    return status;
}

static Status insert(Delaunay *mesh, uint32_t t, Error *error) {
    const Triangle *triangle = &mesh->triangles[t];
    const GridPoint p = triangle->farthest;
    uint32_t k = 0;
    while (k < 3 && doubled_area(triangle->corners[k], triangle->corners[(k + 1) % 3], p) != 0)
        k++;
    return k < 3 ? split_side(mesh, t, k, p, error) : split_inside(mesh, t, p, error);
}

static Status begin(Delaunay *mesh, Error *error) {
    const int right = mesh->field->width - 1, bottom = mesh->field->height - 1;
    const GridPoint a = { 0, 0 }, b = { right, 0 }, c = { right, bottom }, d = { 0, bottom };
    const uint32_t t = new_triangle(mesh), u = new_triangle(mesh);
    const Status status =
        set_triangle(mesh, t, (GridPoint[]){ a, b, c }, (uint32_t[]){ NONE, NONE, 3 * u }, error);
    return status == STATUS_OK
               ? set_triangle(mesh, u, (GridPoint[]){ a, c, d }, (uint32_t[]){ 3 * t + 2, NONE, NONE }, error)
               : status;
}

static Status refine(Delaunay *mesh, const Run *run, Error *error) {
    Status status = begin(mesh, error);
    for (long steps = 0; status == STATUS_OK; steps++) {
        status = search_changed(mesh, error);
        if (status != STATUS_OK || mesh->heap.count == 0)
            break;
        if (steps % 4096 == 0 && run_stopped(run))
            return fail(error, STATUS_STOPPED, "interrupted");
        if (mesh->count + 2 > mesh->room) {
            void *block = mesh->triangles;
            status = enlarge(&block, sizeof *mesh->triangles, mesh->count, &mesh->room, error);
            mesh->triangles = block;
        }
        if (status == STATUS_OK)
            status = insert(mesh, mesh->heap.at[0], error);
        if (status == STATUS_OK)
            status = restore(mesh, error);
    }
    return status;
}

Status delaunay_create(Delaunay **delaunay, const Run *run, const Field *field, double max_error,
                       Error *error) {
    Delaunay *mesh = *delaunay = memory_new_zeroed(1, sizeof *mesh, error);
    if (!mesh)
        return STATUS_MEMORY;
    mesh->field = field;
    mesh->max_error = max_error;
    void *block = NULL;
    Status status = enlarge(&block, sizeof *mesh->triangles, 0, &mesh->room, error);
    mesh->triangles = block;
    if (status == STATUS_OK)
        status = refine(mesh, run, error);
    if (status != STATUS_OK) {
        delaunay_free(mesh);
        *delaunay = NULL;
    }
    return status;
}

void delaunay_free(Delaunay *mesh) {
    if (!mesh)
        return;
    memory_free(mesh->triangles);
    memory_free(mesh->heap.at);
    memory_free(mesh->suspect.at);
    memory_free(mesh->changed.at);
    memory_free(mesh);
}

void delaunay_walk(const Delaunay *mesh, void (*triangle)(void *context, const GridPoint corners[3]),
                   void *context) {
    for (size_t i = 0; i < mesh->count; i++)
        triangle(context, mesh->triangles[i].corners);
}
