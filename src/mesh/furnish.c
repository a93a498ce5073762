// What lies and stands on a mesh: a picture and trees.

#include "core/math.h"
#include "core/operation.h"
#include "mesh/mesh.h"
#include "places/points.h"

#include <math.h>

static Status drape(const Call *call, Error *error) {
    const Mesh *mesh = call->inputs[0].value;
    Mesh *copy;
    const Status status =
        mesh_copy(call->run, mesh, mesh->instance_count, call->inputs[1].image, &copy, error);
    call->outputs[0].value = copy;
    return status;
}

const Operation op_drape = {
    .name = "drape",
    .category = "mesh",
    .keywords = "texture cover wrap gltf glb model uv shrinkwrap",
    .summary = "Lays a picture on a mesh, over the whole map",
    .description = "A .glb holds it; an .obj holds the coordinates, to which any picture of the map fits.",
    .inputs = { { "mesh", "triangles made by mesh", { &type_mesh } },
                { "image", "the picture, of any size", { &type_image } } },
    .outputs = { { "mesh", "the mesh with the picture", &type_mesh } },
    .any_sizes = true,
    .example = "local model = height:mesh{ error = 0.01 }:drape(height:relief{})",
    .picture =
        "local land = height:stream_erosion{ age = 0.5 }:normalize{}\n"
        "local map = land:relief{}:paint(land:contours{ interval = 0.1 }, { colour = \"#5d3f1c\", opacity = "
        "0.6 })\n"
        "map = map:paint(land:rivers_from_flow{ threshold = 0.01 }, { colour = \"#24557a\", line = 1.5 })\n"
        "-- what a viewer of land:mesh{}:drape(map) shows\n"
        "return map, land:perspective{ drape = map, rock = 0, width = 256, height = 128, pitch = 40, "
        "distance = 1.9 }",
    .see_also = "mesh plant save",
    .run = drape,
};

typedef struct Plant {
    double size, height, tallest;
} Plant;

typedef struct Planting {
    const Plant *params;
    const Points *points;
    Mesh *mesh;
} Planting;

static void plant_trees(void *context, int first, int end) {
    const Planting *planting = context;
    const Plant *params = planting->params;
    const Points *points = planting->points;
    const Mesh *mesh = planting->mesh;
    const MeshGround *ground = &mesh->ground;
    const double columns = max(points->width, 1), rows = max(points->height, 1);
    const double right_x = (double)ground->right_x / columns, right_y = (double)ground->right_y / columns;
    const double up_x = (double)ground->up_x / rows, up_y = (double)ground->up_y / rows;
    const double cell = sqrt(fabs(right_x * up_y - right_y * up_x));
    const double metres = frame_cell_metres(&points->frame, points->width, points->height);
    const double tallest = metres > 0 ? params->tallest * cell / metres : INFINITY;
    for (int i = first; i < end; i++) {
        const PlacePoint *point = &points->at[i];
        const double radius = min((double)point->radius * cell * params->size, tallest / params->height);
        const double above = points->height - point->y;
        const double vigour = 0.75 + 0.5 * (double)point->variation;
        mesh->instances[i] =
            (MeshInstance){ .at = { (float)((double)ground->x + point->x * right_x + above * up_x),
                                    (float)((double)ground->y + point->x * right_y + above * up_y),
                                    (point->altitude - mesh->low) * mesh->rise },
                            .radius = (float)(radius * vigour),
                            .height = (float)(radius * vigour * params->height),
                            .kind = max(point->species, 1) };
    }
}

static Status plant(const Call *call, Error *error) {
    Planting planting = { .params = call->params, .points = call->inputs[1].value };
    const int count = planting.points->count;
    Status status = mesh_copy(call->run, call->inputs[0].value, (size_t)count, NULL, &planting.mesh, error);
    if (status != STATUS_OK)
        return status;
    call->outputs[0].value = planting.mesh;
    return parallel_rows(call->run, count, 10, plant_trees, &planting);
}

static const Param plant_params[] = {
    PARAM(Plant, size, .initial = 0.7, .min = 0.001, .max = 100,
          .doc = "radius of a tree, in radii of its point: half the distance to others of its species"),
    PARAM(Plant, height, .initial = 3, .min = 0.01, .max = 100, .doc = "height of a tree, in its radii"),
    PARAM(Plant, tallest, .initial = 25, .min = 0.01, .max = 1e4, .unit = UNIT_METRES,
          .doc = "where the frame tells metres: the height of a tree at most, on average; a quarter of it "
                 "more for "
                 "the most vigorous"),
    { 0 },
};

const Operation op_plant = {
    .name = "plant",
    .category = "mesh",
    .keywords = "trees instances scatter forest gltf glb model foliage vegetation copy points",
    .summary = "Stands a tree on a mesh at each of a scatter's points",
    .description =
        "A .glb holds the trees, as nodes that share one cone for each species, to be replaced by models; "
        "other files hold the ground alone. The points must be of the field that the mesh was made of.",
    .inputs = { { "mesh", "triangles made by mesh", { &type_mesh } },
                { "points", "where trees stand", { &type_points } } },
    .outputs = { { "mesh", "the mesh with trees", &type_mesh } },
    .params = plant_params,
    .params_size = sizeof(Plant),
    .example = "local forest = height:mesh{ error = 0.01 }:plant(height:scatter{ distances = { 0.05 } }, { "
               "height = 4 })",
    .picture = "local land = height:resize{ size = 256 }:stream_erosion{ age = 0.5 }:normalize{}\n"
               "local places = land:select{ height = { 0, 0.5, 0.2 }, slope = { 0, 30, 10 } }\n"
               "local points = land:scatter{ distances = { 0.045 }, density = places }\n"
               "-- what a viewer of land:mesh{}:plant(points) shows: cones\n"
               "local cones = (1 - points:rasterize():distance{} / 0.017):max(0)\n"
               "local ground = land:texture{ snow = {}, shade = land:hillshade() * 1.6 }\n"
               "local green = ground:paint(cones:select{ height = { 0.05, 1 } }, { colour = \"#4a8a4a\" })\n"
               "return points:draw{ scale = 0.5, line = 1 }, (land + cones):perspective{ drape = green, rock "
               "= 0, width = 256,\n"
               "    height = 128, pitch = 35, distance = 1.3, vertical_scale = 0.8 }",
    .see_also = "scatter drape mesh",
    .run = plant,
};
