// What game engines import as terrain, the notes of the settings, and the engines' coordinates.

#include "exchange/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- notes -------------------------------------------------------------------------------------------------

static void unreal(FILE *stream, const Ground *ground) {
    fputs("Unreal Engine: Landscape mode, Manage, New, Import from File.\n", stream);
    if (ground->mask) {
        fprintf(stream, "Layer (Paint mode, or the layer's Import from File): %s, 8 bits\n", ground->file);
        return;
    }
    const double range = ground->high - ground->low;
    fprintf(stream, "Heightmap File: %s, 16 bits\n", ground->file);
    fprintf(stream, "Overall Resolution: %d x %d\n", ground->size, ground->size);
    fprintf(stream, "Scale: X %.9g  Y %.9g  Z %.9g\n", 100 * ground->cell, 100 * ground->row,
            range * 100 / 512);
    fprintf(stream, "Location: X 0  Y 0  Z %.9g (sea level is then at Z %.9g)\n",
            50 * (ground->low + ground->high), 100 * ground->sea);
}

static void unity(FILE *stream, const Ground *ground) {
    fputs("Unity: Terrain, Terrain Settings, Texture Resolutions, Import Raw.\n", stream);
    if (ground->mask) {
        fprintf(stream, "Texture or terrain mask: %s, 8 bits\n", ground->file);
        return;
    }
    const double steps = ground->size - 1;
    fprintf(stream,
            "File: %s\nDepth: Bit 16\nResolution: %d x %d\nByte Order: Windows\nFlip Vertically: off\n",
            ground->file, ground->size, ground->size);
    fprintf(stream, "Terrain Size: X %.9g  Y %.9g  Z %.9g\n", ground->cell * steps,
            ground->high - ground->low, ground->row * steps);
    fprintf(stream, "Position of the Terrain: Y %.9g (sea level is then at Y %.9g)\n", ground->low,
            ground->sea);
}

static void godot(FILE *stream, const Ground *ground) {
    if (ground->mask) {
        fprintf(stream, "Godot: control or splat map: %s, 8 bits\n", ground->file);
        return;
    }
    fputs("Godot, Terrain3D: addons/terrain_3d/tools/importer.tscn.\n", stream);
    fprintf(stream,
            "Height File Name: %s\nR16 Size: %d x %d\nR16 Range: %.9g to %.9g\nVertex Spacing: %.9g\n",
            ground->file, ground->size, ground->size, ground->low, ground->high, ground->cell);
    fputs("Godot, HTerrain: Terrain, Import maps. Raw heights, 16 bits, Little Endian.\n", stream);
    fprintf(stream, "Min Height: %.9g\nMax Height: %.9g\nMap Scale: X %.9g  Y 1  Z %.9g\n", ground->low,
            ground->high, ground->cell, ground->cell);
}

static void minetest(FILE *stream, const Ground *ground) {
    if (ground->mask) {
        fprintf(stream, "Luanti (Minetest): a layer for mods of your own.\nLayer: %s, 8 bits\n",
                ground->file);
        return;
    }
    fprintf(
        stream,
        "Luanti (Minetest):\n"
        "1. Copy the folder examples/luanti/esker, which is part of Esker's sources, into the "
        "folder worldmods of the world (make worldmods if it is missing).\n"
        "2. Copy %s into that copy. It must be the only .r16 in it. Files .geojson for Luanti whose names "
        "end with rivers, lakes, road, bridges, towns or trees may lie beside it.\n"
        "3. Start the world. What was made before stays as it was, so let the world be a new one.\n\n"
        "File: %s\nSize: %d x %d nodes of %.9g m\n"
        "A number of 16 bits, low byte first, is 32768 more than the height in nodes; north comes first.\n",
        ground->file, ground->file, ground->size, ground->size, ground->cell);
}

// --- what lies on a terrain --------------------------------------------------------------------------------

static Axes unreal_axes(const Ground *ground) {
    return (Axes){
        .across = 100 * ground->cell,
        .down = 100 * ground->row,
        .up = 100,
        .names = "X, Y, Z in cm; the first vertex of the landscape, in the north-west, is at X 0  Y 0"
    };
}

static Axes unity_axes(const Ground *ground) {
    return (Axes){
        .first = { 0, ground->row * (ground->size - 1) },
        .across = ground->cell,
        .down = -ground->row,
        .up = 1,
        .names = "X, Z, Y in metres; the first vertex of the terrain, in the south-west, is at X 0  Z 0"
    };
}

static Axes godot_axes(const Ground *ground) {
    return (Axes){
        .across = ground->cell,
        .down = ground->cell,
        .up = 1,
        .names = "X, Z, Y in metres; the first vertex of the terrain, in the north-west, is at X 0  Z 0"
    };
}

// As the mod has it: the middle of the field is at x = 0, z = 0.
static Axes minetest_axes(const Ground *ground) {
    const int half = ground->size / 2;
    return (Axes){ .first = { -half, half - 1 },
                   .across = 1,
                   .down = -1,
                   .up = 1 / ground->cell,
                   .names = "x, z, y in nodes; the north-western node of the field is the first" };
}

void engine_note_tiles(const Engine *engine, const Ground *ground, int overlap, FILE *stream) {
    const Axes axes = engine->axes(ground);
    const int step = ground->size - overlap;
    fprintf(stream,
            "\nOne tile of a larger terrain. Tiles share %s with their neighbours: a tile's first vertex is "
            "%.9g from that of the tile to the west, and %.9g from that of the one to the %s.\n",
            overlap ? "a row of points" : "no points", axes.across * step, fabs(axes.down) * step,
            axes.down < 0 ? "south" : "north");
    if (engine->most_tiles)
        fprintf(
            stream,
            "Terrain3D: Region Size %d; the importer puts each tile at its Import Position, from %d to %d "
            "regions from the middle.\n",
            ground->size, -engine->most_tiles / 2, engine->most_tiles / 2 - 1);
}

void engine_note_places(const Axes *axes, const Ground *ground, FILE *stream) {
    fprintf(stream,
            "File: %s\nCoordinates: %s\nThe terrain has %d x %d vertices, %.9g m apart (export its heights "
            "with the "
            "same size and cell).\nRadii, areas, levels of lakes and widths of rivers are in the unit "
            "of the coordinates; other attributes are unchanged.\n",
            ground->file, axes->names, ground->size, ground->size, ground->cell);
}

const Engine engines[ENGINE_COUNT] = {
    [UNREAL] = { { 127, 253, 505, 1009, 2017, 4033, 8129 },
                 ".png",
                 .tiles = { 256, 512, 1024, 2048, 4096 },
                 .shares = true,
                 .place = "_x%d_y%d",
                 .note = unreal,
                 .axes = unreal_axes },
    [UNITY] = { { 33, 65, 129, 257, 513, 1025, 2049, 4097 },
                ".raw",
                .south_first = true,
                .shares = true,
                .place = "_%d_%d",
                .note = unity,
                .axes = unity_axes },
    [GODOT] = { { 257, 513, 1025, 2049, 4097 },
                ".r16",
                .tiles = { 64, 128, 256, 512, 1024, 2048 },
                .most_tiles = 32,
                .place = "_x%d_y%d",
                .squares = true,
                .note = godot,
                .axes = godot_axes },
    [MINETEST] = { { 0 }, ".r16", .nodes = true, .squares = true, .note = minetest, .axes = minetest_axes },
};

// A list that ends with 0, in words.
static void name_sizes(const int *sizes, char *names, size_t room) {
    *names = '\0';
    for (int i = 0; i < ENGINE_SIZES && sizes[i]; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, room - used, "%s%d", i ? ", " : "", sizes[i]);
    }
}

Status engine_size(const Engine *engine, int wanted, int width, int height, int *size, Error *error) {
    if (width != height || width < 1)
        return fail(error, STATUS_INVALID, "engines take squares, and this is %d × %d: crop or resize it",
                    width, height);
    *size = wanted ? wanted : width;
    if (!engine->sizes[0])
        return STATUS_OK;
    for (int i = 0; i < ENGINE_SIZES && engine->sizes[i]; i++) {
        const int each = engine->sizes[i];
        if (wanted == each)
            return STATUS_OK;
        if (!wanted) {
            *size = each;
            if (each >= width)
                return STATUS_OK;
        }
    }
    char names[120];
    name_sizes(engine->sizes, names, sizeof names);
    return wanted ? fail(error, STATUS_INVALID, "this engine takes the sizes %s; got %d", names, wanted)
                  : STATUS_OK;
}

Status engine_check_tile(const Engine *engine, int size, int overlap, Error *error) {
    if (!engine->place)
        return fail(error, STATUS_INVALID,
                    "this engine takes one file of any size, no tiles: leave out overlap");
    if (overlap ? !engine->shares : !engine->tiles[0])
        return fail(error, STATUS_INVALID,
                    engine->shares ? "this engine's tiles share a row of points: overlap must be 1"
                                   : "this engine's tiles share no points: overlap must be 0");
    const int *sizes = overlap ? engine->sizes : engine->tiles;
    for (int i = 0; i < ENGINE_SIZES && sizes[i]; i++)
        if (size == sizes[i])
            return STATUS_OK;
    char names[120];
    name_sizes(sizes, names, sizeof names);
    return fail(error, STATUS_INVALID, "this engine's tiles that share %s have the sizes %s; got %d",
                overlap ? "a row of points" : "no points", names, size);
}

Spacing engine_spacing(const Engine *engine, int from, int size) {
    if (engine->nodes || from < 2 || size < 2)
        return (Spacing){ 0.5 * from / size, (double)from / size };
    return (Spacing){ 0.5, (from - 1.0) / (size - 1) };
}
