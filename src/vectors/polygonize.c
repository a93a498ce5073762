// The outlines of cells with equal numbers, as polygons.
//
// Cells that share a side and a number are one polygon, so that each has one outline and any number of holes.
// An outline is followed with its cells on the right: at a corner it turns right if the next cell is another
// one's, and left if the cell diagonally ahead is its own. Each ring has an upper side somewhere, and that of
// an outline comes before those of its holes in the order of rows.

#include "core/disjoint_sets.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "places/shapes.h"

#include <string.h>

typedef struct Ring {
    uint32_t set; // the root of its cells
    int first, count;
} Ring;

typedef struct Tracing {
    const Field *field;
    uint32_t *parent; // of each cell in its set
    uint8_t *seen;    // upper sides that a ring has
    Ring *rings;
    int ring_count, ring_room;
    ShapePoint *points;
    int point_count, point_room;
} Tracing;

static bool is_inside(const Field *field, size_t cell) {
    return field_has_data(field, cell) && field->cells[cell] != 0;
}

// --- cells that belong together ----------------------------------------------------------------------------

static void join(Tracing *tracing, size_t cell, size_t other) {
    const Field *field = tracing->field;
    if (!is_inside(field, other) || field->cells[cell] != field->cells[other])
        return;
    const uint32_t a = set_root(tracing->parent, (uint32_t)cell),
                   b = set_root(tracing->parent, (uint32_t)other);
    tracing->parent[max(a, b)] = min(a, b);
}

static void join_all(Tracing *tracing) {
    const Field *field = tracing->field;
    const size_t width = (size_t)field->width;
    for (size_t i = 0; i < field_count(field); i++)
        tracing->parent[i] = (uint32_t)i;
    for (size_t i = 0; i < field_count(field); i++) {
        if (!is_inside(field, i))
            continue;
        if (i % width)
            join(tracing, i, i - 1);
        if (i >= width)
            join(tracing, i, i - width);
    }
}

static bool is_own(Tracing *tracing, int x, int y, uint32_t set) {
    const Field *field = tracing->field;
    if (x < 0 || y < 0 || x >= field->width || y >= field->height)
        return false;
    const size_t cell = (size_t)y * (size_t)field->width + (size_t)x;
    return is_inside(field, cell) && set_root(tracing->parent, (uint32_t)cell) == set;
}

// --- rings -------------------------------------------------------------------------------------------------

static Status add_point(Tracing *tracing, int x, int y, Error *error) {
    if (tracing->point_count == tracing->point_room) {
        const int room = 2 * tracing->point_room + 1024;
        ShapePoint *points = memory_enlarge(tracing->points, (size_t)tracing->point_count, (size_t)room,
                                            sizeof *points, error);
        if (!points)
            return STATUS_MEMORY;
        tracing->points = points;
        tracing->point_room = room;
    }
    tracing->points[tracing->point_count++] = (ShapePoint){ x, y, 0 };
    return STATUS_OK;
}

// Follows a ring from the left end of the upper side of a cell, clockwise around cells; 0 is to the right, 1
// down.
static Status follow(Tracing *tracing, int x, int y, Error *error) {
    static const int step_x[] = { 1, 0, -1, 0 }, step_y[] = { 0, 1, 0, -1 };
    static const int corner_x[] = { 1, 1, 0, 0 },
                     corner_y[] = { 0, 1, 1, 0 }; // where the side of a cell ends
    const int width = tracing->field->width, start_x = x, start_y = y;
    const uint32_t set = set_root(tracing->parent, (uint32_t)((size_t)y * (size_t)width + (size_t)x));
    int way = 0;
    Status status = add_point(tracing, x, y, error);
    do {
        if (way == 0)
            tracing->seen[(size_t)y * (size_t)width + (size_t)x] = 1;
        const int end_x = x + corner_x[way], end_y = y + corner_y[way];
        const int next_x = x + step_x[way], next_y = y + step_y[way], left = (way + 3) % 4;
        if (!is_own(tracing, next_x, next_y, set)) {
            way = (way + 1) % 4;
        } else if (is_own(tracing, next_x + step_x[left], next_y + step_y[left], set)) {
            x = next_x + step_x[left];
            y = next_y + step_y[left];
            way = left;
        } else {
            x = next_x;
            y = next_y;
            continue;
        }
        if (status == STATUS_OK && !(x == start_x && y == start_y && way == 0))
            status = add_point(tracing, end_x, end_y, error);
    } while (status == STATUS_OK && !(x == start_x && y == start_y && way == 0));
    return status == STATUS_OK ? add_point(tracing, start_x, start_y, error) : status;
}

static Status add_ring(Tracing *tracing, int x, int y, Error *error) {
    if (tracing->ring_count == tracing->ring_room) {
        const int room = 2 * tracing->ring_room + 256;
        Ring *rings =
            memory_enlarge(tracing->rings, (size_t)tracing->ring_count, (size_t)room, sizeof *rings, error);
        if (!rings)
            return STATUS_MEMORY;
        tracing->rings = rings;
        tracing->ring_room = room;
    }
    const int first = tracing->point_count;
    const Status status = follow(tracing, x, y, error);
    const size_t cell = (size_t)y * (size_t)tracing->field->width + (size_t)x;
    tracing->rings[tracing->ring_count++] =
        (Ring){ set_root(tracing->parent, (uint32_t)cell), first, tracing->point_count - first };
    return status;
}

static Status find_rings(Tracing *tracing, Error *error) {
    const Field *field = tracing->field;
    Status status = STATUS_OK;
    for (int y = 0; status == STATUS_OK && y < field->height; y++)
        for (int x = 0; status == STATUS_OK && x < field->width; x++) {
            const size_t cell = (size_t)y * (size_t)field->width + (size_t)x;
            if (!tracing->seen[cell] && is_inside(field, cell) &&
                !is_own(tracing, x, y - 1, set_root(tracing->parent, (uint32_t)cell)))
                status = add_ring(tracing, x, y, error);
        }
    return status;
}

// --- polygons ----------------------------------------------------------------------------------------------

static Status add_part(Shapes *shapes, const Tracing *tracing, const Ring *ring, bool hole, Error *error) {
    Status status = STATUS_OK;
    for (int i = ring->first; status == STATUS_OK && i < ring->first + ring->count; i++)
        status = shapes_add_point(shapes, tracing->points[i], error);
    return status == STATUS_OK ? shapes_end_part(shapes, hole, error) : status;
}

// `next`: of each ring another one of the same polygon, after it; 0: none.
static Status make_polygons(const Tracing *tracing, const int *next, const uint8_t *is_hole, Shapes *shapes,
                            Error *error) {
    int value = 0;
    Attributes *attributes = shapes_attributes(shapes, error);
    Status status = attributes ? attributes_column(attributes, "value", &value, error) : STATUS_MEMORY;
    for (int i = 0; status == STATUS_OK && i < tracing->ring_count; i++) {
        if (is_hole[i])
            continue;
        status = add_part(shapes, tracing, &tracing->rings[i], false, error);
        for (int ring = next[i]; status == STATUS_OK && ring; ring = next[ring])
            status = add_part(shapes, tracing, &tracing->rings[ring], true, error);
        if (status == STATUS_OK)
            status = attributes_set_number(attributes, value, shapes->count,
                                           (double)tracing->field->cells[tracing->rings[i].set], error);
        if (status == STATUS_OK)
            status = shapes_end_shape(shapes, error);
    }
    return status;
}

// Links the rings of each polygon. `seen` is no longer needed: it becomes whether a ring is a hole.
static Status link_rings(Tracing *tracing, Shapes *shapes, Error *error) {
    const size_t count = (size_t)tracing->ring_count + 1;
    int *next = memory_new_zeroed(count, sizeof *next, error);
    int *last = next ? memory_new_zeroed(field_count(tracing->field), sizeof *last, error) : NULL;
    uint8_t *is_hole = last ? memory_new_zeroed(count, 1, error) : NULL;
    Status status = is_hole ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; status == STATUS_OK && i < tracing->ring_count; i++) {
        int *before = &last[tracing->rings[i].set]; // its number and 1
        if (*before)
            next[*before - 1] = i;
        is_hole[i] = *before != 0;
        *before = i + 1;
    }
    memory_free(last);
    if (status == STATUS_OK)
        status = make_polygons(tracing, next, is_hole, shapes, error);
    memory_free(next);
    memory_free(is_hole);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Field *field = call->inputs[0].field;
    Tracing tracing = { .field = field };
    if (field_count(field) > UINT32_MAX / 2)
        return fail(error, STATUS_INVALID, "the field is too large: at most %d cells along a side", 46340);
    Shapes *shapes = shapes_new(error);
    call->outputs[0].value = shapes;
    tracing.parent = shapes ? memory_new(field_count(field), sizeof *tracing.parent, error) : NULL;
    tracing.seen = tracing.parent ? memory_new_zeroed(field_count(field), 1, error) : NULL;
    Status status = tracing.seen ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        shapes->width = field->width;
        shapes->height = field->height;
        join_all(&tracing);
        status = find_rings(&tracing, error);
    }
    if (status == STATUS_OK)
        status = link_rings(&tracing, shapes, error);
    memory_free(tracing.parent);
    memory_free(tracing.seen);
    memory_free(tracing.rings);
    memory_free(tracing.points);
    return status;
}

const Operation op_polygonize = {
    .name = "polygonize",
    .category = "vectors",
    .keywords = "vectorize outline zones labels mask raster to vector gdal_polygonize r.to.vect",
    .summary = "Makes polygons of the cells that have equal numbers",
    .description =
        "Cells that share a side and a number other than 0 are one polygon, with its holes; the number is "
        "its attribute `value`. Cells without data belong to none. Outlines follow the sides of cells.",
    .inputs = { { "labels", "whole numbers, or a mask" } },
    .outputs = { { "polygons", "the outlines", &type_polygons } },
    .gaps = GAPS_OWN,
    .example = "local polygons = height:terrace{ steps = 3 }:polygonize()",
    .see_also = "basins catchment rasterize contours",
    .run = run,
};
