// What lies on a terrain, in the coordinates of the engine that has it: points, lines, polygons and rivers;
// and pictures for it.
//
// Places are in cells, whose corners are whole numbers; the first vertex is in the middle of one (Spacing).

#include "core/math.h"
#include "core/memory.h"
#include "core/sample.h"
#include "core/whole.h"
#include "exchange/export.h"
#include "exchange/format_list.h"
#include "file/whole_file.h"
#include "places/overlay.h"
#include "places/points.h"

#include <string.h>

Extent export_extent(const Input *what) {
    if (what->field)
        return (Extent){ what->field->width, what->field->height, &what->field->frame };
    if (what->image)
        return (Extent){ what->image->width, what->image->height, &what->image->frame };
    if (what->type == &type_points) {
        const Points *points = what->value;
        return (Extent){ points->width, points->height, &points->frame };
    }
    if (what->type == &type_network) {
        const RiverNetwork *network = what->value;
        return (Extent){ network->width, network->height, &network->frame };
    }
    const Shapes *shapes = what->value;
    return (Extent){ shapes->width, shapes->height, &shapes->frame };
}

// --- altitudes ---------------------------------------------------------------------------------------------

// The points of a value, whose altitudes lie `offset` bytes from the beginning of each.
typedef struct Vertices {
    const void *at;
    size_t count, size, offset;
} Vertices;

static Vertices vertices_of(const Input *what) {
    if (what->type == &type_points) {
        const Points *points = what->value;
        return (Vertices){ points->at, (size_t)points->count, sizeof *points->at,
                           offsetof(PlacePoint, altitude) };
    }
    if (what->type == &type_network) {
        const RiverNetwork *network = what->value;
        return (Vertices){ network->points, (size_t)network->point_count, sizeof *network->points,
                           offsetof(RiverPoint, altitude) };
    }
    const Shapes *shapes = what->value;
    return (Vertices){ shapes->points, (size_t)shapes->point_count, sizeof *shapes->points,
                       offsetof(ShapePoint, altitude) };
}

static const float *altitude_at(const Vertices *vertices, size_t i) {
    return (const float *)(const void *)((const char *)vertices->at + i * vertices->size + vertices->offset);
}

void export_altitudes(const Input *what, double *low, double *high) {
    const Vertices vertices = vertices_of(what);
    *low = *high = 0;
    for (size_t i = 0; i < vertices.count; i++) {
        const double altitude = (double)*altitude_at(&vertices, i);
        *low = i ? min(*low, altitude) : altitude;
        *high = i ? max(*high, altitude) : altitude;
    }
}

// A copy with `up` times the altitudes; NULL if memory runs out. Freed by memory_free.
static void *raised(const Vertices *vertices, double up, Error *error) {
    void *copy = memory_new(vertices->count + 1, vertices->size, error);
    if (!copy || !vertices->count)
        return copy;
    memcpy(copy, vertices->at, vertices->count * vertices->size);
    const Vertices copied = { copy, vertices->count, vertices->size, vertices->offset };
    for (size_t i = 0; i < vertices->count; i++)
        *(float *)altitude_at(&copied, i) = (float)((double)*altitude_at(vertices, i) * up);
    return copy;
}

// --- files -------------------------------------------------------------------------------------------------

// From cells of the value to the engine's coordinates.
static Frame frame_of(const Ground *ground, const Axes *axes) {
    const double right = axes->across / ground->spacing.cells, down = axes->down / ground->spacing.cells;
    return (Frame){ .x = axes->first[0] - (ground->left + ground->spacing.first) * right,
                    .y = axes->first[1] - (ground->top + ground->spacing.first) * down,
                    .right_x = right,
                    .down_y = down };
}

static Status write_as(const Call *call, const ValueType *type, const void *value, const char *path,
                       FILE *stream, Error *error) {
    const Writing writing = {
        .stream = stream, .path = path, .run = call->run, .type = type, .value = value, .labels = call->labels
    };
    const FileFormat *format = find_written_format(type, path);
    return format->holds[written_as(format, type)].write(&writing, error);
}

// The value in the engine's coordinates, with vertices of its own, to a file, and points to a table as well.
static Status write_value(const Call *call, const Frame *frame, void *vertices, const char *stem,
                          WholeFile *file, Error *error) {
    const ValueType *type = call->inputs[0].type;
    const void *from = call->inputs[0].value, *value;
    Points points;
    RiverNetwork network;
    Shapes shapes;
    if (type == &type_points) {
        points = *(const Points *)from;
        points.at = vertices;
        points.frame = *frame;
        value = &points;
    } else if (type == &type_network) {
        network = *(const RiverNetwork *)from;
        network.points = vertices;
        network.frame = *frame;
        value = &network;
    } else {
        shapes = *(const Shapes *)from;
        shapes.points = vertices;
        shapes.frame = *frame;
        value = &shapes;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s.geojson", stem);
    Status status = whole_file_open(file, path, error);
    if (status != STATUS_OK)
        return status;
    status = write_as(call, type, value, path, file->stream, error);
    FILE *table;
    snprintf(path, sizeof path, "%s.csv", stem);
    if (status == STATUS_OK && type == &type_points) {
        status = whole_file_open_beside(file, path, &table, error);
        if (status == STATUS_OK)
            status = write_as(call, type, value, path, table, error);
    }
    return status == STATUS_OK ? status : whole_file_close(file, status, error);
}

// Of a point on the edge between tiles that share no vertices one has it.
static bool is_on(const Ground *ground, const PlacePoint *point) {
    const Box box = export_box(ground);
    const bool before = ground->ends ? point->x <= box.right && point->y <= box.bottom
                                     : point->x < box.right && point->y < box.bottom;
    return point->x >= box.left && point->y >= box.top && before;
}

// The points that lie on the terrain, which ends at its outermost vertices: beyond them a tree would hang in
// the air. *made is freed by the caller, also after a failure.
static Status points_on(const Call *call, const Ground *ground, const Points *from, Points **made,
                        Error *error) {
    Points *points = *made = points_new(from->count, error);
    Status status = points ? STATUS_OK : STATUS_MEMORY;
    Attributes *attributes = points && from->attributes ? points_attributes(points, error) : NULL;
    if (points && from->attributes && !attributes)
        return STATUS_MEMORY;
    int count = 0;
    for (int i = 0; status == STATUS_OK && i < from->count; i++)
        if (is_on(ground, &from->at[i])) {
            points->at[count] = from->at[i];
            if (attributes)
                status = attributes_copy(attributes, count, from->attributes, i, error);
            count++;
        }
    if (status != STATUS_OK)
        return status;
    points->count = count;
    points->width = from->width;
    points->height = from->height;
    points->wraps = from->wraps;
    points->frame = from->frame;
    if (count < from->count && !ground->part)
        tell(call->notice, "%d of %d points lie beyond the terrain's outermost vertices and are left out",
             from->count - count, from->count);
    return STATUS_OK;
}

static Status export_vertices(const Call *call, const char *stem, const Ground *ground, const Axes *axes,
                              WholeFile *file, Error *error) {
    const Input *what = &call->inputs[0];
    const Vertices vertices = vertices_of(what);
    const Frame frame = frame_of(ground, axes);
    void *own = raised(&vertices, axes->up * ground->metres, error);
    const Status status = own ? write_value(call, &frame, own, stem, file, error) : STATUS_MEMORY;
    memory_free(own);
    return status;
}

// Lines and polygons that come from elsewhere may reach beyond.
static Status tell_cut(const Call *call, const Box *box, Error *error) {
    const Extent extent = export_extent(&call->inputs[0]);
    const Box land = { 0, 0, extent.width, extent.height };
    CutCount count;
    const Status status = export_count_cut(&call->inputs[0], &land, box, &count, error);
    if (count.cut + count.left_out > 0)
        tell(call->notice, "%d of %d %s reach beyond the terrain: cut at its edge %d, left out %d",
             count.cut + count.left_out, count.all, call->inputs[0].type->plural, count.cut, count.left_out);
    return status;
}

// What lies on the terrain; NULL after a failure. It is freed by free_part.
static Status part_on(const Call *call, const Ground *ground, void **part, Error *error) {
    const Input *what = &call->inputs[0];
    const Box box = export_box(ground);
    if (what->type == &type_points) {
        Points *points;
        const Status status = points_on(call, ground, what->value, &points, error);
        *part = points;
        return status;
    }
    if (what->type == &type_network) {
        RiverNetwork *network;
        const Status status = export_cut_network(what->value, &box, &network, error);
        *part = network;
        return status;
    }
    Shapes *shapes;
    Status status = export_cut_shapes(what->value, what->type == &type_polygons, &box, &shapes, error);
    if (status == STATUS_OK && !ground->part)
        status = tell_cut(call, &box, error);
    *part = shapes;
    return status;
}

static void free_part(const ValueType *type, void *part) {
    if (type == &type_points)
        points_free(part);
    else if (type == &type_network)
        memory_free(part);
    else
        shapes_free(part);
}

Status export_shapes(const Call *call, const char *stem, const Ground *ground, const Axes *axes,
                     WholeFile *file, Error *error) {
    const Input *what = &call->inputs[0];
    const Extent extent = export_extent(what);
    const Window window = { "the terrain", extent.frame, extent.width, extent.height };
    Status status = input_check_meeting(what, &window, 0, error);
    if (status != STATUS_OK)
        return status;
    if (!ground->ends && !ground->part)
        return export_vertices(call, stem, ground, axes, file, error);
    void *part;
    status = part_on(call, ground, &part, error);
    if (status == STATUS_OK) {
        Call inner = *call;
        inner.inputs[0].value = part;
        status = export_vertices(&inner, stem, ground, axes, file, error);
    }
    free_part(call->inputs[0].type, part);
    return status;
}

// --- pictures ----------------------------------------------------------------------------------------------

static uint8_t mean_of(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d, double u,
                       double v) {
    return (uint8_t)whole_within(bilinear((double)*a, (double)*b, (double)*c, (double)*d, u, v) + 0.5, 0,
                                 255);
}

Status export_picture(const Image *from, int size, Spacing spacing, Image *made, Error *error) {
    const Status status = image_create(made, size, size, error);
    for (int y = 0; status == STATUS_OK && y < size; y++)
        for (int x = 0; x < size; x++) {
            const GridCell cell =
                grid_cell(from->width, from->height, spacing.first + x * spacing.cells - 0.5,
                          spacing.first + y * spacing.cells - 0.5);
            const Pixel *upper = from->pixels + cell.at, *lower = upper + cell.below;
            const Pixel *a = upper, *b = upper + cell.right, *c = lower, *d = lower + cell.right;
            image_row(made, y)[x] =
                (Pixel){ mean_of(&a->red, &b->red, &c->red, &d->red, cell.u, cell.v),
                         mean_of(&a->green, &b->green, &c->green, &d->green, cell.u, cell.v),
                         mean_of(&a->blue, &b->blue, &c->blue, &d->blue, cell.u, cell.v),
                         mean_of(&a->alpha, &b->alpha, &c->alpha, &d->alpha, cell.u, cell.v) };
        }
    return status;
}

// --- control maps ------------------------------------------------------------------------------------------

// The bits of a number of a control map (Terrain3D, "Control Map Format"): the texture below, the one above
// it, and how much of that shows, from 0 to 255. All other bits are 0: no hole, painted by hand.
enum { BASE_BIT = 27, OVERLAY_BIT = 22, BLEND_BIT = 14, TEXTURES = 4 };

static bool is_opaque(const Image *image) {
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            if (image_row(image, y)[x].alpha < 255)
                return false;
    return true;
}

// The texture of the largest share of those that are not `other`; of equals the first.
static int largest(const uint8_t shares[TEXTURES], int textures, int other) {
    int found = other == 0 ? 1 : 0;
    for (int i = found + 1; i < textures; i++)
        if (i != other && shares[i] > shares[found])
            found = i;
    return found;
}

static uint32_t control_of(Pixel pixel, int textures) {
    const uint8_t shares[TEXTURES] = { pixel.red, pixel.green, pixel.blue, pixel.alpha };
    const int base = largest(shares, textures, -1), over = largest(shares, textures, base);
    const uint32_t both = (uint32_t)shares[base] + shares[over],
                   blend = both ? (255 * (uint32_t)shares[over] + both / 2) / both : 0;
    return (uint32_t)base << BASE_BIT | (uint32_t)over << OVERLAY_BIT | blend << BLEND_BIT;
}

Status export_control(const Image *shares, Field *control, Error *error) {
    const int textures = is_opaque(shares) ? TEXTURES - 1 : TEXTURES;
    const Status status = field_create(control, shares->width, shares->height, error);
    for (int y = 0; status == STATUS_OK && y < shares->height; y++)
        for (int x = 0; x < shares->width; x++) {
            const uint32_t bits = control_of(image_row(shares, y)[x], textures);
            memcpy(field_row(control, y) + x, &bits, sizeof bits);
        }
    return status;
}
