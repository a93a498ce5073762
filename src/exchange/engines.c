// Sources of the conventions:
// Unreal: "Landscape Technical Guide" (Epic): recommended sizes; heights of -256 to 255.992 m at a Z scale of
// 100, so
//     that the Z scale is the range in centimetres / 512.
// Unity: manual, "Working with Heightmaps": .raw, 16 bits, 2^n + 1 a side; its rows run from south to north.
// Godot has no terrain of its own: Terrain3D, "Importing & Exporting Data" (.r16 with its range and size),
// and
//     HTerrain's documentation (.raw, little-endian, 2^n + 1 a side).
// Luanti: "Lua Modding API Reference", register_on_generated; examples/minetest reads the file.

#include "exchange/engines.h"

#include <stdio.h>
#include <string.h>

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
    fputs("Luanti (Minetest): copy this file's folder into the mod of examples/minetest.\n", stream);
    if (ground->mask)
        fprintf(stream, "Layer: %s, 8 bits\n", ground->file);
    else
        fprintf(stream,
                "File: %s\nSize: %d x %d nodes of %.9g m\nA number of 16 bits, low byte first, is 32768 more "
                "than "
                "the height in nodes; north comes first.\n",
                ground->file, ground->size, ground->size, ground->cell);
}

const Engine engines[ENGINE_COUNT] = {
    [UNREAL] = { { 127, 253, 505, 1009, 2017, 4033, 8129 }, ".png", .note = unreal },
    [UNITY] = { { 33, 65, 129, 257, 513, 1025, 2049, 4097 }, ".raw", .south_first = true, .note = unity },
    [GODOT] = { { 257, 513, 1025, 2049, 4097 }, ".r16", .squares = true, .note = godot },
    [MINETEST] = { { 0 }, ".r16", .nodes = true, .squares = true, .note = minetest },
};

Status engine_size(const Engine *engine, int wanted, int width, int height, int *size, Error *error) {
    if (width != height)
        return fail(error, STATUS_INVALID,
                    "engines take squares, and the field is %d × %d: crop or resize it", width, height);
    *size = wanted ? wanted : width;
    if (!engine->sizes[0])
        return STATUS_OK;
    char names[120] = "";
    for (int i = 0; i < ENGINE_SIZES && engine->sizes[i]; i++) {
        const int each = engine->sizes[i];
        if (wanted == each)
            return STATUS_OK;
        if (!wanted) {
            *size = each;
            if (each >= width)
                return STATUS_OK;
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%d", i ? ", " : "", each);
    }
    return wanted ? fail(error, STATUS_INVALID, "this engine takes the sizes %s; got %d", names, wanted)
                  : STATUS_OK;
}
