// Points, lines and polygons on a field: where they lie in its cells, and which cells they cover.

#include "places/overlay.h"

#include "core/math.h"
#include "core/memory.h"
#include "places/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- where they lie ----------------------------------------------------------------------------------------

Window window_of_field(const char *name, const Field *field) {
    return (Window){ name, &field->frame, field->width, field->height };
}

bool systems_differ(const char *a, const char *b) {
    if (!a || !b)
        return false;
    const int code = frame_system_code(a);
    return code ? code != frame_system_code(b) : strcmp(a, b) != 0;
}

static Status refuse_sizes(const Window *from, const Window *to, Error *error) {
    return fail(error, STATUS_INVALID,
                "the cells of %s are %d × %d, those of %s %d × %d, and %s has no place on a map: "
                "georeference gives it one",
                from->name, from->width, from->height, to->name, to->width, to->height,
                frame_is_set(from->frame) ? to->name : from->name);
}

Status cell_map_find(const Window *from, const Window *to, bool vectors, CellMap *map, Error *error) {
    const Frame *a = from->frame, *b = to->frame;
    *map = (CellMap){ .right_x = 1, .down_y = 1 };
    if (!frame_is_set(a) || !frame_is_set(b))
        return from->width == to->width && from->height == to->height ? STATUS_OK
                                                                      : refuse_sizes(from, to, error);
    if (systems_differ(a->system, b->system))
        return fail(error, STATUS_INVALID, "the system of %s is %.60s, that of %s %.60s: %s", from->name,
                    a->system, to->name, b->system,
                    vectors ? "reproject{ like = … } changes it" : "gdalwarp changes one of them");
    const double area = b->right_x * b->down_y - b->right_y * b->down_x;
    const double off_x = a->x - b->x, off_y = a->y - b->y;
    map->x = (off_x * b->down_y - off_y * b->down_x) / area;
    map->y = (off_y * b->right_x - off_x * b->right_y) / area;
    map->right_x = (a->right_x * b->down_y - a->right_y * b->down_x) / area;
    map->right_y = (a->right_y * b->right_x - a->right_x * b->right_y) / area;
    map->down_x = (a->down_x * b->down_y - a->down_y * b->down_x) / area;
    map->down_y = (a->down_y * b->right_x - a->down_x * b->right_y) / area;
    return STATUS_OK;
}

// --- copies ------------------------------------------------------------------------------------------------

typedef struct Copying {
    Shapes *to;
    CellMap map;
} Copying;

static Status copy_point(const Copying *copying, double x, double y, float altitude, Error *error) {
    double at[2];
    cell_map_point(&copying->map, x, y, at);
    return shapes_add_point(copying->to, (ShapePoint){ at[0], at[1], altitude }, error);
}

static Status copy_points(const Copying *copying, const Points *points, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < points->count; i++) {
        status = copy_point(copying, points->at[i].x, points->at[i].y, points->at[i].altitude, error);
        if (status == STATUS_OK)
            status = shapes_end_part(copying->to, false, error);
        if (status == STATUS_OK)
            status = shapes_end_shape(copying->to, error);
    }
    return status;
}

static Status copy_network(const Copying *copying, const RiverNetwork *network, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 0; status == STATUS_OK && k < network->reaches[i].count; k++)
            status = copy_point(copying, points[k].x, points[k].y, points[k].altitude, error);
        if (status == STATUS_OK)
            status = shapes_end_part(copying->to, false, error);
        if (status == STATUS_OK)
            status = shapes_end_shape(copying->to, error);
    }
    return status;
}

static Status copy_shapes(const Copying *copying, const Shapes *shapes, Error *error) {
    Status status = STATUS_OK;
    copying->to->has_altitudes = shapes->has_altitudes;
    for (int i = 0; i < shapes->count; i++) {
        for (int k = 0; k < shapes->shapes[i].count; k++) {
            const ShapePart *part = &shapes->parts[shapes->shapes[i].first + k];
            for (int m = 0; status == STATUS_OK && m < part->count; m++) {
                const ShapePoint *point = &shapes->points[part->first + m];
                status = copy_point(copying, point->x, point->y, point->altitude, error);
            }
            if (status == STATUS_OK)
                status = shapes_end_part(copying->to, part->hole, error);
        }
        if (status == STATUS_OK)
            status = shapes_end_shape(copying->to, error);
    }
    return status;
}

static int side_of(const Input *input, const char *side) {
    return (int)value_property(input->type, side)->get(input->value);
}

Status overlay_map(const Input *input, const Window *to, CellMap *map, Error *error) {
    const Window from = { input->type->plural, input->type->frame((void *)input->value),
                          side_of(input, "width"), side_of(input, "height") };
    return cell_map_find(&from, to, true, map, error);
}

Shapes *overlay_copy(const Input *input, const CellMap *map, Error *error) {
    const Copying copying = { shapes_new(error), *map };
    if (!copying.to)
        return NULL;
    const Status status = input->type == &type_points    ? copy_points(&copying, input->value, error)
                          : input->type == &type_network ? copy_network(&copying, input->value, error)
                                                         : copy_shapes(&copying, input->value, error);
    if (status == STATUS_OK)
        return copying.to;
    shapes_free(copying.to);
    return NULL;
}

// --- whether they meet the field ---------------------------------------------------------------------------

typedef struct Extent {
    double low[2], high[2];
} Extent;

static Extent extent_of(const Shapes *shapes) {
    Extent extent = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
    for (int i = 0; i < shapes->point_count; i++) {
        const double at[2] = { shapes->points[i].x, shapes->points[i].y };
        for (int k = 0; k < 2; k++) {
            extent.low[k] = min(extent.low[k], at[k]);
            extent.high[k] = max(extent.high[k], at[k]);
        }
    }
    return extent;
}

// "733975, 3469995 to 734975, 3468995", in the coordinates of a map where there is one.
static void describe_extent(const Frame *frame, const double from[2], const double to[2], char *text,
                            size_t size) {
    double corners[2][2] = { { from[0], from[1] }, { to[0], to[1] } };
    for (int i = 0; i < 2 && frame_is_set(frame); i++)
        frame_locate(frame, i ? to[0] : from[0], i ? to[1] : from[1], corners[i]);
    snprintf(text, size, "%.9g, %.9g to %.9g, %.9g", corners[0][0], corners[0][1], corners[1][0],
             corners[1][1]);
}

Status overlay_check_meeting(const char *name, const Shapes *shapes, const Window *to, double reach,
                             Error *error) {
    const Extent extent = extent_of(shapes);
    const double size[2] = { to->width, to->height };
    if (shapes->point_count == 0 || (extent.low[0] <= size[0] + reach && extent.high[0] >= -reach &&
                                     extent.low[1] <= size[1] + reach && extent.high[1] >= -reach))
        return STATUS_OK;
    char theirs[256], own[256];
    describe_extent(to->frame, extent.low, extent.high, theirs, sizeof theirs);
    describe_extent(to->frame, (const double[]){ 0, 0 }, size, own, sizeof own);
    return fail(error, STATUS_INVALID,
                "%s lie outside %s: from %s, and %s from %s: check the order of their coordinates and their "
                "system, or take a model of that place",
                name, to->name, theirs, to->name, own);
}

bool is_part_of_map(const Input *input) {
    return input->type == &type_network && frame_is_of_map(input->type->frame((void *)input->value));
}

double input_radius(const Input *input) {
    double largest = 0;
    const Points *points = input->type == &type_points ? input->value : NULL;
    for (int i = 0; points && i < points->count; i++)
        largest = max(largest, (double)points->at[i].radius);
    return largest;
}

Status input_check_meeting(const Input *input, const Window *to, double reach, Error *error) {
    if (input->type == &type_network) // rivers of a window may run beside it
        return STATUS_OK;
    const CellMap same = { .right_x = 1, .down_y = 1 };
    Shapes *shapes = overlay_copy(input, &same, error);
    const Status status =
        shapes ? overlay_check_meeting(input->type->plural, shapes, to, reach, error) : STATUS_MEMORY;
    shapes_free(shapes);
    return status;
}

// -----------------------------------------------------------------------------------------------------------

Status overlay_new(const Input *input, const Window *to, Shapes **placed, Error *error) {
    CellMap map;
    *placed = NULL;
    const Status status = overlay_map(input, to, &map, error);
    if (status != STATUS_OK)
        return status;
    Shapes *shapes = *placed = overlay_copy(input, &map, error);
    if (!shapes)
        return STATUS_MEMORY;
    shapes->width = to->width;
    shapes->height = to->height;
    shapes->frame = *to->frame;
    frame_drop_heights(&shapes->frame);
    return is_part_of_map(input) ? STATUS_OK
                                 : overlay_check_meeting(input->type->plural, shapes, to, 0, error);
}

const Attributes *input_attributes(const Input *input) {
    return input->type == &type_points ? ((const Points *)input->value)->attributes
           : input->type == &type_lines || input->type == &type_polygons
               ? ((const Shapes *)input->value)->attributes
               : NULL;
}

// --- cells -------------------------------------------------------------------------------------------------

typedef struct Crossing { // of a row's middle by a side
    int row;
    double x;
} Crossing;

static int compare_crossings(const void *one, const void *other) {
    const Crossing *a = one, *b = other;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

// The rows whose middles a side crosses: from *first to below *end. A middle at the lower end counts, one at
// the upper end does not.
static void rows_of(const ShapePoint *a, const ShapePoint *b, int height, int *first, int *end) {
    const double low = min(a->y, b->y), high = max(a->y, b->y);
    *first = whole_within(ceil(low - 0.5), 0, height);
    *end = whole_within(ceil(high - 0.5), 0, height);
}

static size_t find_crossings(const Shapes *shapes, const Shape *shape, int height, Crossing *found) {
    size_t count = 0;
    for (int i = shape->first; i < shape->first + shape->count; i++)
        for (int k = 1; k < shapes->parts[i].count; k++) {
            const ShapePoint *a = &shapes->points[shapes->parts[i].first + k - 1], *b = a + 1;
            int first, end;
            rows_of(a, b, height, &first, &end);
            for (int row = first; row < end; row++, count++)
                if (found)
                    found[count] =
                        (Crossing){ row, a->x + (b->x - a->x) * ((row + 0.5 - a->y) / (b->y - a->y)) };
        }
    return count;
}

Status polygon_cells(const Shapes *shapes, const Shape *shape, int width, int height, CoverCells *cover,
                     void *context, Error *error) {
    const size_t count = find_crossings(shapes, shape, height, NULL);
    Crossing *found = memory_new(count + 1, sizeof *found, error);
    if (!found)
        return STATUS_MEMORY;
    find_crossings(shapes, shape, height, found);
    qsort(found, count, sizeof *found, compare_crossings);
    for (size_t i = 0; i + 1 < count; i += 2) {
        const int first = whole_within(floor(found[i].x + 0.5), 0, width);
        const int end = whole_within(floor(found[i + 1].x + 0.5), 0, width);
        if (end > first)
            cover(context, found[i].row, first, end);
    }
    memory_free(found);
    return STATUS_OK;
}

size_t place_cell(double x, double y, int width, int height) {
    if (!(x >= 0 && y >= 0 && x < width && y < height))
        return SIZE_MAX;
    return (size_t)whole_int(y) * (size_t)width + (size_t)whole_int(x);
}

// Cuts a line to the part of it, from *from to *to of its length, where a coordinate is 0 to `most`.
static void cut(double start, double step, double most, double *from, double *to) {
    if (step == 0) {
        if (!(start >= 0 && start <= most))
            *to = -1;
        return;
    }
    const double a = -start / step, b = (most - start) / step;
    *from = max(*from, min(a, b));
    *to = min(*to, max(a, b));
}

// Amanatides and Woo 1987, "A fast voxel traversal algorithm for ray tracing": from cell to cell over the
// side that comes first along the line.
void line_cells(const ShapePoint *a, const ShapePoint *b, int width, int height, VisitCell *visit,
                void *context) {
    const double dx = b->x - a->x, dy = b->y - a->y;
    double from = 0, to = 1;
    cut(a->x, dx, width, &from, &to);
    cut(a->y, dy, height, &from, &to);
    if (!(from <= to))
        return;
    int x = index_within(floor(a->x + dx * from), width), y = index_within(floor(a->y + dy * from), height);
    const int last_x = index_within(floor(a->x + dx * to), width),
              last_y = index_within(floor(a->y + dy * to), height);
    const int step_x = last_x < x ? -1 : 1, step_y = last_y < y ? -1 : 1;
    int left_x = abs(last_x - x), left_y = abs(last_y - y);
    visit(context, (size_t)y * (size_t)width + (size_t)x);
    while (left_x || left_y) {
        const double at_x = left_x ? (x + (step_x > 0) - a->x) / dx : INFINITY;
        const double at_y = left_y ? (y + (step_y > 0) - a->y) / dy : INFINITY;
        if (at_x <= at_y) {
            x += step_x;
            left_x--;
        } else {
            y += step_y;
            left_y--;
        }
        visit(context, (size_t)y * (size_t)width + (size_t)x);
    }
}

typedef struct Numbering {
    uint32_t *numbers, number;
    int width;
} Numbering;

static void number_row(void *context, int row, int first, int end) {
    const Numbering *numbering = context;
    uint32_t *numbers = numbering->numbers + (size_t)row * (size_t)numbering->width;
    for (int x = first; x < end; x++)
        numbers[x] = numbering->number;
}

static void number_cell(void *context, size_t cell) {
    const Numbering *numbering = context;
    numbering->numbers[cell] = numbering->number;
}

static void number_part(Numbering *numbering, const Shapes *shapes, const ShapePart *part, bool line,
                        int height) {
    const ShapePoint *points = shapes->points + part->first;
    for (int i = line; i < part->count; i++) {
        const size_t cell = line ? SIZE_MAX : place_cell(points[i].x, points[i].y, numbering->width, height);
        if (line)
            line_cells(&points[i - 1], &points[i], numbering->width, height, number_cell, numbering);
        else if (cell != SIZE_MAX)
            number_cell(numbering, cell);
    }
}

Status number_cells(const Shapes *shapes, const ValueType *type, int width, int height, uint32_t *numbers,
                    Error *error) {
    Numbering numbering = { .width = width };
    numbering.numbers = numbers;
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < shapes->count; i++) {
        const Shape *shape = &shapes->shapes[i];
        numbering.number = (uint32_t)i + 1;
        if (type == &type_polygons) {
            status = polygon_cells(shapes, shape, width, height, number_row, &numbering, error);
            continue;
        }
        for (int k = shape->first; k < shape->first + shape->count; k++)
            number_part(&numbering, shapes, &shapes->parts[k], type != &type_points, height);
    }
    return status;
}
