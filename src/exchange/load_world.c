// Reads a whole world from a file: a guide of a zoomable map, and what lies on it.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "file/access.h"
#include "places/points.h"
#include "vectors/azgaar_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct LoadWorld {
    double side;
    int resolution, beyond;
} LoadWorld;

enum { GUIDE, RIVERS, LAKES, PLACES, ROUTES, BIOMES, BIOME_NAMES, LATITUDES, ABOUT }; // outputs

// --- biomes ------------------------------------------------------------------------------------------------

// Of each cell of the guide the biome of the map's cell, 0 beyond the map.
static Status make_biomes(const AzgaarGround *ground, const int *cells, int side, Field *biomes,
                          Error *error) {
    const Status status = field_create(biomes, side, side, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(biomes); i++)
        field_cells(biomes)[i] = cells[i] < 0 ? 0 : (float)azgaar_cells(ground->map)[cells[i]].biome;
    biomes->frame = azgaar_frame(ground, side, true);
    frame_drop_heights(&biomes->frame);
    return status;
}

// --- texts -------------------------------------------------------------------------------------------------

static char *copy_text(const char *text, Error *error) {
    const size_t size = strlen(text) + 1;
    char *copy = memory_new(size, 1, error);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static Status add_label(Labels *labels, const char *key, const char *value, Error *error) {
    Label *label = &labels->at[labels->count++];
    *label = (Label){ copy_text(key, error), copy_text(value, error) };
    return label->key && label->value ? STATUS_OK : STATUS_MEMORY;
}

static Status begin_labels(Labels *labels, int room, Error *error) {
    labels->at = memory_new((size_t)room + 1, sizeof *labels->at, error);
    return labels->at ? STATUS_OK : STATUS_MEMORY;
}

static Status name_biomes(const Azgaar *map, Labels *labels, Error *error) {
    Status status = begin_labels(labels, map->biomes.count, error);
    for (int i = 0; i < map->biomes.count && status == STATUS_OK; i++) {
        const AzgaarBiome *biome = (const AzgaarBiome *)map->biomes.at + i;
        status = add_label(labels, digits_of(biome->number).text, azgaar_text(map, biome->name), error);
    }
    return status;
}

static Status tell_about(const Azgaar *map, Labels *labels, Error *error) {
    Status status = begin_labels(labels, 3, error);
    if (status == STATUS_OK)
        status = add_label(labels, "program", "Azgaar's Fantasy Map Generator", error);
    if (status == STATUS_OK)
        status = add_label(labels, "version", azgaar_text(map, map->info.version), error);
    return status == STATUS_OK ? add_label(labels, "name", azgaar_text(map, map->info.name), error) : status;
}

// --- numbers -----------------------------------------------------------------------------------------------

// Those of the square, around the map's; none where the file has none.
static Status give_latitudes(const AzgaarGround *ground, Output *output, Error *error) {
    const AzgaarCoordinates *at = &ground->map->coordinates;
    const double half = fabs(at->north - at->south) / 2 * ground->pixels / ground->map->info.height;
    const double middle = (at->north + at->south) / 2;
    if (!(fabs(at->north) <= 90 && fabs(at->south) <= 90))
        return STATUS_OK;
    output->numbers.at = memory_new(2, sizeof *output->numbers.at, error);
    if (!output->numbers.at)
        return STATUS_MEMORY;
    output->numbers.count = 2;
    output->numbers.at[0] = max(middle - half, -90.0);
    output->numbers.at[1] = min(middle + half, 90.0);
    return STATUS_OK;
}

// ------------------------------------------------------------------------------------------------------------

static Status give_shapes(const AzgaarGround *ground, Output *outputs, Error *error) {
    static const int at[WORLD_SHAPES] = { RIVERS, LAKES, PLACES, ROUTES };
    Status status = STATUS_OK;
    for (int kind = 0; kind < WORLD_SHAPES && status == STATUS_OK; kind++) {
        Shapes *shapes;
        status = azgaar_shapes(ground, kind, &shapes, error);
        if (!shapes || kind != WORLD_PLACES) {
            outputs[at[kind]].value = shapes;
            continue;
        }
        Points *points;
        status = points_of_shapes(shapes, &points, error);
        outputs[PLACES].value = points;
        shapes_free(shapes);
    }
    return status;
}

static Status give(const Call *call, const AzgaarGround *ground, Error *error) {
    const LoadWorld *params = call->params;
    Output *outputs = call->outputs;
    const int side = params->resolution ? params->resolution : azgaar_guide_side(ground->map);
    int *cells;
    Status status = azgaar_guide(ground, side, &outputs[GUIDE].field, &cells, error);
    if (status == STATUS_OK)
        status = make_biomes(ground, cells, side, &outputs[BIOMES].field, error);
    memory_free(cells);
    if (status == STATUS_OK)
        status = give_shapes(ground, outputs, error);
    if (status == STATUS_OK)
        status = name_biomes(ground->map, &outputs[BIOME_NAMES].labels, error);
    if (status == STATUS_OK)
        status = give_latitudes(ground, &outputs[LATITUDES], error);
    return status == STATUS_OK ? tell_about(ground->map, &outputs[ABOUT].labels, error) : status;
}

static Status run(const Call *call, Error *error) {
    const LoadWorld *params = call->params;
    const char *path = call->inputs[0].text;
    if (params->resolution == 1)
        return fail(error, STATUS_INVALID, "resolution must be 0 or 2 to 1025, got 1");
    if (!fits_format(&format_azgaar, path))
        return fail(error, STATUS_INVALID, "'%.300s' must end in .json", path);
    FILE *stream = access_open(path, error);
    if (!stream)
        return STATUS_FILE;
    Azgaar *map;
    AzgaarGround ground = { 0 };
    Status status = azgaar_read(stream, path, &map, error);
    status = access_close(stream, path, status, error);
    if (status == STATUS_OK)
        status = azgaar_ground_create(&ground, map, params->side, params->beyond == 1, error);
    if (status == STATUS_OK)
        status = give(call, &ground, error);
    azgaar_ground_free(&ground);
    azgaar_free(map);
    return status;
}

static const Param params[] = {
    PARAM(LoadWorld, side, .min = 1, .max = 4e8, .optional = true,
          .doc = "metres of the map's longer side; by default as the map's scale says"),
    PARAM(LoadWorld, resolution, .initial = 0, .min = 0, .max = 1025,
          .doc =
              "cells along the guide's side, 257, 513 or 1025 as maps have them; 0: three or more to a cell "
              "of the map"),
    PARAM(LoadWorld, beyond, .choices = CHOICES("sea", "continued"),
          .doc = "what is around the map, which lies in the middle of a square: \"sea\", or its border "
                 "\"continued\""),
    { 0 },
};

const Operation op_load_world = {
    .name = "load_world",
    .category = "file",
    .keywords = "azgaar fantasy map generator fmg import read world json burgs rivers own map",
    .summary = "Reads a world of Azgaar's Fantasy Map Generator: heights, rivers, lakes, towns and routes",
    .description = "The file is the full export to JSON (\"Full\"). Its guide is a square of heights in "
                   "metres, from which river_map takes side and relief; the map lies in its middle. Coasts "
                   "and shores are the sides of the map's cells. Lines, outlines and towns have the "
                   "coordinates of the map that river_map makes: set_rivers takes the rivers, and reproject "
                   "puts all of them onto a window. Parts that the file does not have are nil.\n\n"
                   "More is in docs/your-map.md.",
    .source = "the data model of Azgaar's Fantasy Map Generator",
    .inputs = { { "path", "the file, .json", { &type_text } } },
    .outputs = { { "guide", "heights of a square, in metres above the sea" },
                 { "rivers", "from source to mouth; name, type, discharge (m³/s), area (m²), width (m)",
                   &type_lines, .optional = true },
                 { "lakes", "outlines; name, kind, altitude (m)", &type_polygons, .optional = true },
                 { "places", "towns; name, population, capital, port, kind", &type_points, .optional = true },
                 { "routes", "roads, trails and ways over sea; name, kind", &type_lines, .optional = true },
                 { "biomes", "the number of each cell's biome" },
                 { "biome_names", "their names by number", &type_labels },
                 { "latitudes", "south and north of the square; none if the file has none", &type_numbers },
                 { "about", "program, version and name of the map", &type_labels } },
    .params = params,
    .params_size = sizeof(LoadWorld),
    .record = true,
    .shapes_outputs = true,
    .see_also = "load river_map set_rivers",
    .run = run,
};
