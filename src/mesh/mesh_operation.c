// A field as a mesh: with all of its points, or as few as an error allows; a surface, or a printable solid.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "mesh/mesh.h"
#include "mesh/refinement.h"

#include <math.h>

typedef enum Kind { RIGHT, DELAUNAY } Kind;

typedef struct Triangulate {
    int triangles;
    double error, vertical_scale, side, base;
} Triangulate;

// The triangles of one kind, as few as the error allows.
typedef struct Simplified {
    Refinement right;
    Delaunay *delaunay;
} Simplified;

typedef struct Builder {
    const Field *field;
    Mesh *mesh;
    uint32_t *numbers; // of each cell's point, or NO_POINT
    size_t points, triangles;
    MeshGround cell; // where the ground lies, and the sides of a cell
    bool mirrored;   // its rows and columns run the other way round
    float low, rise; // height to z
} Builder;

#define NO_POINT UINT32_MAX

// `right` and `up` in cells from the field's lower left corner.
static MeshPoint place_of(const Builder *builder, double right, double up) {
    const MeshGround *cell = &builder->cell;
    return (
        MeshPoint){ .x = (float)((double)cell->x + right * (double)cell->right_x + up * (double)cell->up_x),
                    .y = (float)((double)cell->y + right * (double)cell->right_y + up * (double)cell->up_y) };
}

static MeshPoint point_of(const Builder *builder, GridPoint at) {
    const float height = field_row(builder->field, at.y)[at.x];
    const MeshPoint place = place_of(builder, at.x + 0.5, builder->field->height - 1 - at.y + 0.5);
    return (MeshPoint){ place.x, place.y, (height - builder->low) * builder->rise };
}

// Counterclockwise seen from outside, of corners that are so in cells.
static MeshTriangle triangle_of(const Builder *builder, uint32_t a, uint32_t b, uint32_t c) {
    return builder->mirrored ? (MeshTriangle){ { a, c, b } } : (MeshTriangle){ { a, b, c } };
}

static void add_triangle(Builder *builder, uint32_t a, uint32_t b, uint32_t c) {
    builder->mesh->triangles[builder->triangles++] = triangle_of(builder, a, b, c);
}

// --- all points --------------------------------------------------------------------------------------------

// Each cell is cut from its upper left to its lower right, as in squig mountains.
static void fill_rows(void *context, int first, int end) {
    const Builder *builder = context;
    const uint32_t width = (uint32_t)builder->field->width;
    for (int y = first; y < end; y++) {
        MeshPoint *points = builder->mesh->points + (size_t)y * width;
        for (int x = 0; x < builder->field->width; x++)
            points[x] = point_of(builder, (GridPoint){ x, y });
        if (y + 1 == builder->field->height)
            continue;
        MeshTriangle *triangles = builder->mesh->triangles + 2 * (size_t)y * (width - 1);
        for (uint32_t x = 0; x + 1 < width; x++) {
            const uint32_t a = (uint32_t)y * width + x, b = a + 1, c = a + width, d = c + 1;
            triangles[2 * x] = triangle_of(builder, a, c, d);
            triangles[2 * x + 1] = triangle_of(builder, a, d, b);
        }
    }
}

// --- as few as possible ------------------------------------------------------------------------------------

static Status simplify(Simplified *simplified, const Call *call, const Field *field, Error *error) {
    const Triangulate *params = call->params;
    return params->triangles == DELAUNAY
               ? delaunay_create(&simplified->delaunay, call->run, field, params->error, error)
               : refinement_create(&simplified->right, call->run, field, params->error, error);
}

static void walk(const Simplified *simplified, void (*triangle)(void *context, const GridPoint corners[3]),
                 void *context) {
    if (simplified->delaunay)
        delaunay_walk(simplified->delaunay, triangle, context);
    else
        refinement_walk(&simplified->right, triangle, context);
}

static void simplified_free(Simplified *simplified) {
    delaunay_free(simplified->delaunay);
    refinement_free(&simplified->right);
}

static void count_triangle(void *context, const GridPoint corners[3]) {
    Builder *builder = context;
    for (int i = 0; i < 3; i++) {
        uint32_t *number =
            &builder->numbers[(size_t)corners[i].y * (size_t)builder->field->width + (size_t)corners[i].x];
        if (*number == NO_POINT)
            *number = (uint32_t)builder->points++;
    }
    builder->triangles++;
}

static void write_triangle(void *context, const GridPoint corners[3]) {
    Builder *builder = context;
    uint32_t numbers[3];
    for (int i = 0; i < 3; i++) {
        numbers[i] =
            builder->numbers[(size_t)corners[i].y * (size_t)builder->field->width + (size_t)corners[i].x];
        builder->mesh->points[numbers[i]] = point_of(builder, corners[i]);
    }
    add_triangle(builder, numbers[0], numbers[2], numbers[1]);
}

// --- a solid -----------------------------------------------------------------------------------------------

// The border clockwise on the map, from the upper left corner.
static GridPoint border_place(const Field *field, int at) {
    const int right = field->width - 1, bottom = field->height - 1;
    if (at < right)
        return (GridPoint){ at, 0 };
    if (at < right + bottom)
        return (GridPoint){ right, at - right };
    if (at < 2 * right + bottom)
        return (GridPoint){ 2 * right + bottom - at, bottom };
    return (GridPoint){ 0, 2 * (right + bottom) - at };
}

static uint32_t number_at(const Builder *builder, GridPoint at) {
    const size_t cell = (size_t)at.y * (size_t)builder->field->width + (size_t)at.x;
    return builder->numbers ? builder->numbers[cell] : (uint32_t)cell;
}

static size_t count_border(const Builder *builder) {
    const int around = 2 * (builder->field->width + builder->field->height - 2);
    size_t count = 0;
    for (int i = 0; i < around; i++)
        count += number_at(builder, border_place(builder->field, i)) != NO_POINT;
    return count;
}

// Walls down from the border, and a floor of triangles around its middle.
static void add_walls(Builder *builder, size_t count, float floor) {
    const Field *field = builder->field;
    const int around = 2 * (field->width + field->height - 2);
    MeshPoint *points = builder->mesh->points;
    const uint32_t first = (uint32_t)builder->points, middle = first + (uint32_t)count;
    points[middle] = place_of(builder, 0.5 * field->width, 0.5 * field->height);
    points[middle].z = floor;
    uint32_t last = number_at(builder, border_place(field, 0)), below = first, next = first;
    points[next] = points[last];
    points[next++].z = floor;
    for (int i = 1; i <= around; i++) {
        const uint32_t number = number_at(builder, border_place(field, i % around));
        if (number == NO_POINT)
            continue;
        const uint32_t under = i < around ? next++ : first;
        points[under] = points[number];
        points[under].z = floor;
        add_triangle(builder, last, number, under);
        add_triangle(builder, last, under, below);
        add_triangle(builder, below, under, middle);
        last = number, below = under;
    }
    builder->points = (size_t)middle + 1;
}

// --- running -----------------------------------------------------------------------------------------------

static Status count_all(const Call *call, Builder *builder, Simplified *simplified, Error *error) {
    const Triangulate *params = call->params;
    const Field *field = builder->field;
    builder->points = field_count(field);
    builder->triangles = 2 * (size_t)(field->width - 1) * (size_t)(field->height - 1);
    if (params->error == 0)
        return STATUS_OK;
    Status status = simplify(simplified, call, field, error);
    if (status != STATUS_OK)
        return status;
    builder->numbers = memory_new(field_count(field), sizeof *builder->numbers, error);
    if (!builder->numbers)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(field); i++)
        builder->numbers[i] = NO_POINT;
    builder->points = builder->triangles = 0;
    walk(simplified, count_triangle, builder);
    return STATUS_OK;
}

static void cover(const Field *field, MeshGround cell, Mesh *mesh) {
    const float columns = (float)field->width, rows = (float)field->height;
    mesh->ground =
        (MeshGround){ cell.x,           cell.y,          columns * cell.right_x, columns * cell.right_y,
                      rows * cell.up_x, rows * cell.up_y };
    mesh->width = fabsf(mesh->ground.right_x) + fabsf(mesh->ground.up_x);
    mesh->height = fabsf(mesh->ground.right_y) + fabsf(mesh->ground.up_y);
}

static Status build(const Call *call, Builder *builder, Simplified *simplified, float floor, Error *error) {
    const Triangulate *params = call->params;
    Status status = count_all(call, builder, simplified, error);
    if (status != STATUS_OK)
        return status;
    const size_t border = params->base > 0 ? count_border(builder) : 0, walls = border ? border + 1 : 0;
    builder->mesh = mesh_new(builder->points + walls, builder->triangles + 3 * border, error);
    if (!builder->mesh)
        return STATUS_MEMORY;
    cover(builder->field, builder->cell, builder->mesh);
    builder->mesh->low = builder->low;
    builder->mesh->rise = builder->rise;
    if (params->error > 0) {
        builder->triangles = 0;
        walk(simplified, write_triangle, builder);
    } else {
        const int rows = builder->field->height;
        status = parallel_rows(call->run, rows, builder->field->width * 5.0, fill_rows, builder);
    }
    if (border && status == STATUS_OK)
        add_walls(builder, border, floor);
    return status;
}

// Sets the sides of cells as they lie on the map, where a square of their area has the side `cell`.
static void lay_cells(Builder *builder, double cell) {
    const Field *field = builder->field;
    const Frame *frame = &field->frame;
    const CellShape shape = frame_cell_shape(frame, field->width, field->height);
    const double width = (double)(float)(cell * shape.across), height = (double)(float)(cell * shape.down);
    double right_x = 1, right_y = 0, up_x = 0, up_y = 1;
    if (frame_is_set(frame)) {
        const double right = sqrt(frame->right_x * frame->right_x + frame->right_y * frame->right_y);
        const double down = sqrt(frame->down_x * frame->down_x + frame->down_y * frame->down_y);
        right_x = frame->right_x / right, right_y = frame->right_y / right;
        up_x = 0 - frame->down_x / down, up_y = 0 - frame->down_y / down;
    }
    right_x *= width, right_y *= width, up_x *= height, up_y *= height;
    builder->mirrored = right_x * up_y < right_y * up_x;
    builder->cell = (MeshGround){ (float)(0 - min(field->width * right_x, 0) - min(field->height * up_x, 0)),
                                  (float)(0 - min(field->width * right_y, 0) - min(field->height * up_y, 0)),
                                  (float)right_x,
                                  (float)right_y,
                                  (float)up_x,
                                  (float)up_y };
}

// Metres where the field's frame and the unit of its heights say how long a cell and a height of 1 are, and
// no side is given; otherwise the side, and for the heights what a zoomable map's slopes make of it, or a
// share of it.
static Status choose_scale(const Call *call, Builder *builder, Error *error) {
    const Triangulate *params = call->params;
    const Field *field = call->inputs[0].field;
    if (params->side != 0 && params->side < 1e-6)
        return fail(error, STATUS_INVALID, "side must be 0 or at least 1e-06, got %s",
                    digits_of(params->side).text);
    const double cell = frame_cell_metres(&field->frame, field->width, field->height);
    const double metres = frame_height_metres(&field->frame);
    if (params->side == 0 && cell > 0 && metres > 0) {
        lay_cells(builder, cell);
        builder->rise = (float)(params->vertical_scale * metres);
        return STATUS_OK;
    }
    double low = 0, high = 0;
    const Status status = field_extent(call->run, field, &low, &high, error);
    const double range = high > low ? high - low : 1, side = params->side == 0 ? 1 : params->side;
    const CellShape shape = field_cell_shape(field);
    const double length = side / max(field->width * shape.across, field->height * shape.down);
    lay_cells(builder, length);
    builder->low = (float)low;
    builder->rise = (float)(params->vertical_scale * side / 16 / range);
    if (frame_is_of_map(&field->frame))
        builder->rise = (float)(params->vertical_scale * length / field_cell_heights(field));
    return status;
}

// No file of a mesh holds a place on a map.
static void tell_of_place(const Call *call, const Field *field) {
    double corner[2] = { INFINITY, INFINITY };
    for (int i = 0; i < 4; i++) {
        double place[2];
        frame_locate(&field->frame, i & 1 ? field->width : 0, i & 2 ? field->height : 0, place);
        corner[0] = min(corner[0], place[0]);
        corner[1] = min(corner[1], place[1]);
    }
    if (frame_is_set(&field->frame) && field->frame.system)
        tell(call->notice,
             "files of meshes hold no coordinates of a map: note that (0, 0) of this mesh is %.9g, %.9g in "
             "%.20s",
             corner[0], corner[1], field->frame.system);
}

static Status run(const Call *call, Error *error) {
    const Triangulate *params = call->params;
    const Field *field = call->inputs[0].field;
    if (field->width < 2 || field->height < 2)
        return fail(error, STATUS_INVALID, "height must have at least 2 × 2 cells, got %d × %d", field->width,
                    field->height);
    Builder builder = { .field = field };
    Status status = choose_scale(call, &builder, error);
    if (status != STATUS_OK)
        return status;
    double lowest, highest;
    status = field_range(call->run, field, &lowest, &highest, error);
    if (status != STATUS_OK)
        return status;
    Simplified simplified = { 0 };
    const float floor = (float)((lowest - (double)builder.low) * (double)builder.rise - params->base);
    status = build(call, &builder, &simplified, floor, error);
    memory_free(builder.numbers);
    simplified_free(&simplified);
    if (status == STATUS_OK) {
        call->outputs[0].value = builder.mesh;
        tell_of_place(call, field);
    } else
        memory_free(builder.mesh);
    return status;
}

static const Param params[] = {
    PARAM(Triangulate, error, .initial = 0, .min = 0, .max = 1e9,
          .doc = "largest vertical distance between the points of the field and the mesh, in heights; "
                 "0: all points are in the mesh"),
    PARAM(
        Triangulate, triangles, .initial = RIGHT, .choices = CHOICES("right", "delaunay"),
        .doc =
            "with an error: \"right\" halves right triangles, in parallel; \"delaunay\" inserts the farthest "
            "point into a Delaunay triangulation until none is too far, with fewer triangles"),
    PARAM(Triangulate, side, .initial = 0, .min = 0, .max = 1e9,
          .doc =
              "length of the map's longer side: 100 for 100 mm if a printer reads mm; 0: metres, where the "
              "field's frame is in metres and its heights have a unit, otherwise 1"),
    PARAM(Triangulate, vertical_scale, .initial = 1, .min = 0, .max = 1000,
          .doc =
              "vertical scale; 1: true heights in a mesh in metres or of a zoomable map's window, otherwise "
              "heights of 0 to 1 rise by a sixteenth of the side"),
    PARAM(Triangulate, base, .initial = 0, .min = 0, .max = 1e9,
          .doc = "thickness of the ground below its lowest point, in the unit of side or metres, closed by "
                 "walls and a floor; 0: only the surface"),
    { 0 },
};

const Operation op_mesh = {
    .name = "mesh",
    .category = "mesh",
    .keywords = "triangulate triangles 3d tin stl obj glb polygon decimate remesh heightfield convert "
                "displacement polyreduce solidify unwrap uv vertex skirt",
    .summary = "Makes a triangle mesh from heights, with as few triangles as an error bound allows",
    .description =
        "x points right, y up the map, z up; the lower left corner of the map is (0, 0). Ground lies as its "
        "frame says, also where rows run to the north, cells are turned, or are longer than wide. "
        "In metres, z is the altitude, so that meshes of neighbouring fields meet when each is moved "
        "to its corner on the map, which no file of a mesh holds. "
        "Points are the centres of cells, so the mesh ends half a cell inside the map. "
        "Without an error, every square of four points is cut into two triangles from its "
        "upper left to its lower right, as in squig_mountain. With an error, right triangles "
        "are halved, or points are inserted into a Delaunay triangulation, until no point is off "
        "by more. With a base the mesh is closed, for "
        "printing.\n\n"
        "mesh.points and mesh.triangles are the numbers of points and triangles; save writes "
        ".obj with texture coordinates, .ply, .stl and .glb (binary glTF 2.0).",
    .source =
        "Evans, Kirkpatrick and Townsend 2001, Right-triangulated irregular networks; Garland and Heckbert "
        "1995, Fast polygonal approximation of terrains and height fields",
    .inputs = { { "height", "heights" } },
    .outputs = { { "mesh", "the triangles", &type_mesh } },
    .params = params,
    .params_size = sizeof(Triangulate),
    .example = "local model = height:mesh{ error = 0.01, side = 100, base = 3 }",
    .picture = "return height:mesh{ error = 0.15 }",
    .see_also = "drape plant perspective save",
    .run = run,
};
