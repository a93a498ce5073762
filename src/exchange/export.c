// Writes heights, or a mask, as the file that an engine imports, and a note of the import settings.

#include "exchange/export.h"

#include "core/math.h"
#include "core/operation.h"
#include "core/summary.h"
#include "file/formats.h"
#include "file/whole_file.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// --- engines -----------------------------------------------------------------------------------------------

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
        "1. Copy the folder examples/luanti/esker_terrain, which is part of Esker's sources, into the "
        "folder worldmods of the world (make worldmods if there is none).\n"
        "2. Copy %s into that copy. It is the only .r16 there.\n"
        "3. Start the world. What was made before stays as it was, so let the world be a new one.\n\n"
        "File: %s\nSize: %d x %d nodes of %.9g m\n"
        "A number of 16 bits, low byte first, is 32768 more than the height in nodes; north comes first.\n",
        ground->file, ground->file, ground->size, ground->size, ground->cell);
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

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Export {
    int engine, size;
    double metres, cell, low, high;
    bool mask;
} Export;

// A field's cells on the ground, in metres.
typedef struct Cells {
    double across, down;
} Cells;

// Larger heights are metres, as in `esker tiles`.
#define HEIGHTS_AS_SHARES 1.5

extern const Operation op_resize;

// --- what is exported --------------------------------------------------------------------------------------

// The field with `size` cells a side.
static Status resized(const Call *call, int size, Field *out, Error *error) {
    max_align_t params[16];
    assert(op_resize.params_size <= sizeof params);
    params_initialise(&op_resize, params);
    Output outputs[OUTPUTS_MAX] = { 0 };
    Call inner = { .run = call->run, .inputs = { call->inputs[0] }, .outputs = outputs };
    Status status = param_set_number(operation_param(&op_resize, "size"), params, size, error);
    if (status == STATUS_OK)
        status = param_set_text(operation_param(&op_resize, "interpolation"), params, "cubic", error);
    if (status == STATUS_OK)
        status = operation_run(&op_resize, &inner, params, error);
    *out = outputs[0].field;
    return status;
}

// The cells as the argument says, or the frame.
static Status choose_cells(const Call *call, const Engine *engine, Cells *cells, Error *error) {
    const Export *params = call->params;
    const Field *field = call->inputs[0].field;
    const Frame *frame = &field->frame;
    const bool given = !isnan(params->cell);
    const double cell = given ? params->cell : frame_cell_metres(frame, field->width, field->height);
    if (cell == 0 || (given && !frame_is_of_map(frame))) {
        if (!given && frame_is_set(frame))
            tell(call->notice, "the frame is in degrees: a cell is taken for 1 m (argument cell)");
        cells->across = cells->down = given ? cell : 1;
        return STATUS_OK;
    }
    const CellShape shape = frame_cell_shape(frame, field->width, field->height);
    *cells = (Cells){ cell * shape.across, cell * shape.down };
    const double shorter = min(cells->across, cells->down);
    if (engine->squares && frame_cell_form(frame, field->width, field->height) != CELLS_SQUARE)
        return fail(error, STATUS_INVALID,
                    "cells are %.6g × %.6g m, and this engine's are squares: resize{ width = %.0f, height = "
                    "%.0f } makes them so; then crop it to a square",
                    cells->across, cells->down, field->width * cells->across / shorter,
                    field->height * cells->down / shorter);
    return STATUS_OK;
}

// A window of a map knows its slopes, but no metres: one of cell and metres says what the other is.
static Status choose_map_scale(const Call *call, Export *params, Error *error) {
    const Field *field = call->inputs[0].field;
    const Frame *frame = &field->frame;
    if (!frame_is_of_map(frame) || params->mask)
        return STATUS_OK;
    const double per_cell = 1 / frame_cell_heights(frame, field->width, field->height); // metres for a metre
    const FrameSphere sphere = frame_sphere(frame);
    if (isnan(params->cell) && isnan(params->metres))
        return fail(error, STATUS_INVALID,
                    "how long is a cell of this map's window, in metres? (argument cell%s)",
                    sphere.mercator     ? ""
                    : sphere.radius > 0 ? ", or render{ radius }"
                                        : ", or render{ side }");
    params->cell = isnan(params->cell) ? params->metres / per_cell : params->cell;
    params->metres = isnan(params->metres) ? params->cell * per_cell : params->metres;
    return STATUS_OK;
}

// Takes metres and the length of a cell from the field's frame, unless they are given.
static Status choose_units(const Call *call, Export *params, Error *error) {
    const Field *field = call->inputs[0].field;
    if (frame_is_set(&field->frame) && !frame_is_upright(&field->frame))
        tell(call->notice, "the first row is not the north, from west to east: the terrain will be turned or "
                           "mirrored (flip, transform)");
    const Frame *frame = &field->frame;
    const double metres = frame->system ? frame_height_metres(frame) : frame_unit_metres(frame);
    if (isnan(params->metres) && metres == 0 && field->frame.unit && !params->mask)
        return fail(error, STATUS_INVALID, "how long is the frame's unit of heights, '%s'? (argument metres)",
                    field->frame.unit);
    if (isnan(params->metres) && metres > 0)
        params->metres = metres;
    if (!isnan(params->metres))
        return STATUS_OK;
    double low, high;
    const Status status = field_range(call->run, field, &low, &high, error);
    params->metres = low < -HEIGHTS_AS_SHARES || high > HEIGHTS_AS_SHARES ? 1 : 1000;
    return status;
}

// The heights of 0 and the largest number.
static Status choose_scale(const Call *call, const Engine *engine, Cells cells, const Field *field,
                           Scale *scale, Error *error) {
    const Export *params = call->params;
    *scale = (Scale){ params->low, params->high, params->mask ? 8 : 16 };
    const bool given = params->low != 0 || params->high != 0;
    if (given && engine->nodes && !params->mask)
        return fail(
            error, STATUS_INVALID,
            "this engine's numbers are nodes, 32768 at height 0 in every terrain: leave out low and high");
    if (given)
        return params->high > params->low ? STATUS_OK : fail(error, STATUS_INVALID, "high must be above low");
    if (params->mask) {
        scale->high = 1;
        return STATUS_OK;
    }
    if (engine->nodes) { // 32768 is 0, and each number a node
        const double node = cells.across * call->inputs[0].field->width / field->width / params->metres;
        scale->low = -32768 * node;
        scale->high = 32767 * node;
        return STATUS_OK;
    }
    const Status status = field_range(call->run, field, &scale->low, &scale->high, error);
    if (scale->high <= scale->low)
        scale->high = scale->low + 1;
    return status;
}

// Tells of heights that the file's numbers cannot be, where they are nodes.
static Status tell_clipped(const Call *call, const Field *field, Scale scale, Error *error) {
    double low, high;
    const Status status = field_range(call->run, field, &low, &high, error);
    const double node = (scale.high - scale.low) / 65535;
    if (status == STATUS_OK && (low < scale.low || high > scale.high))
        tell(call->notice,
             "heights reach from %.6g to %.6g nodes, and numbers from -32768 to 32767: what lies beyond is "
             "cut "
             "off (arguments metres, cell)",
             low / node, high / node);
    return status;
}

// --- files -------------------------------------------------------------------------------------------------

static Status write_ground(const Call *call, const Engine *engine, const Field *field, Scale scale,
                           FILE *stream, Error *error) {
    const bool png = scale.bits == 8 || strcmp(engine->ending, ".png") == 0;
    return png ? write_png_field(stream, call->run, field, scale, call->labels, error)
               : write_r16(stream, field, scale, false, engine->south_first);
}

static void write_note(const Call *call, const Engine *engine, const Ground *ground, FILE *stream) {
    engine->note(stream, ground);
    for (int i = 0; call->labels && i < call->labels->count; i++)
        fprintf(stream, "%s%s: %s\n", i ? "" : "\n", call->labels->at[i].key, call->labels->at[i].value);
}

static Status write_files(const Call *call, const Engine *engine, Cells cells, const Field *field,
                          Scale scale, Error *error) {
    const Export *params = call->params;
    const char *stem = call->inputs[1].text, *slash = strrchr(stem, '/');
    char path[4096], note[4096];
    if (strlen(stem) > sizeof path - 8)
        return fail(error, STATUS_INVALID, "the path is too long");
    snprintf(path, sizeof path, "%s%s", stem, params->mask ? ".png" : engine->ending);
    snprintf(note, sizeof note, "%s.txt", stem);
    const Ground ground = { .size = field->width,
                            .cell = cells.across * call->inputs[0].field->width / field->width,
                            .row = cells.down * call->inputs[0].field->height / field->height,
                            .low = scale.low * params->metres,
                            .high = scale.high * params->metres,
                            .sea = field->frame.sea * params->metres,
                            .mask = params->mask,
                            .file = path + (slash ? slash - stem + 1 : 0) };
    WholeFile file;
    Status status = whole_file_open(&file, path, error);
    if (status != STATUS_OK)
        return status;
    FILE *beside;
    status = write_ground(call, engine, field, scale, file.stream, error);
    if (status == STATUS_OK)
        status = whole_file_open_beside(&file, note, &beside, error);
    if (status == STATUS_OK)
        write_note(call, engine, &ground, beside);
    return whole_file_close(&file, status, error);
}

// The files are NAME.raw and NAME.txt.
static Status check_stem(const char *stem, Error *error) {
    static const char *const endings[] = { ".png", ".raw", ".r16", ".txt" };
    const char *slash = strrchr(stem, '/'), *name = slash ? slash + 1 : stem, *dot = strrchr(name, '.');
    if (!*name)
        return fail(error, STATUS_INVALID,
                    "the path names the files, without an ending, as in \"terrain\"; got '%.200s'", stem);
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return fail(error, STATUS_INVALID,
                        "the path has no ending, the engine's is added: '%.*s', not '%.200s'",
                        (int)min(dot - stem, 200), stem, stem);
    return STATUS_OK;
}

static Status run(const Call *given_call, Error *error) {
    Export params = *(const Export *)given_call->params;
    Call with_units = *given_call;
    with_units.params = &params;
    const Call *call = &with_units;
    const Engine *engine = &engines[params.engine];
    const Field *given = call->inputs[0].field;
    int size = 0;
    Field copy = { 0 };
    Scale scale;
    Cells cells;
    Status status = check_stem(call->inputs[1].text, error);
    if (status == STATUS_OK)
        status = engine_size(engine, params.size, given->width, given->height, &size, error);
    if (status == STATUS_OK)
        status = choose_map_scale(call, &params, error);
    if (status == STATUS_OK)
        status = choose_cells(call, engine, &cells, error);
    if (status == STATUS_OK)
        status = choose_units(call, &params, error);
    if (status == STATUS_OK && size != given->width)
        status = resized(call, size, &copy, error);
    const Field *field = copy.cells ? &copy : given;
    if (status == STATUS_OK)
        status = choose_scale(call, engine, cells, field, &scale, error);
    if (status == STATUS_OK && engine->nodes && !params.mask)
        status = tell_clipped(call, field, scale, error);
    if (status == STATUS_OK)
        status = write_files(call, engine, cells, field, scale, error);
    field_free(&copy);
    return status;
}

static const Param params[] = {
    PARAM(Export, engine, .choices = CHOICES("unreal", "unity", "godot", "minetest"),
          .doc = "what imports it"),
    PARAM(Export, size, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc =
              "points along a side, one of the engine's sizes; 0: the smallest that keeps all cells, or its "
              "largest"),
    PARAM(Export, metres, .min = 1e-9, .max = 1e9, .optional = true,
          .doc = "metres that a height of 1 stands for; none: those of the frame's unit (m, ft, US survey "
                 "foot), in a window of a map those that make slopes true for the length of a cell, 1 where "
                 "heights exceed 1.5, otherwise 1000"),
    PARAM(Export, cell, .min = 1e-6, .max = 1e6, .optional = true,
          .doc = "metres along a cell of the field; none: those of its frame, which may be longer than wide, "
                 "or 1"),
    PARAM(Export, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "height that becomes 0; give it and high for neighbouring terrains, except in minetest"),
    PARAM(Export, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc =
              "height that becomes the largest number; low and high 0: the field's range, of a mask 0 to 1"),
    PARAM(Export, mask, .initial = false,
          .doc = "whether this is a layer of 8 bits, such as where grass grows"),
    { 0 },
};

const Operation op_export = {
    .name = "export",
    .category = "file",
    .keywords = "unreal unity godot minetest luanti game engine heightmap terrain import layer splat",
    .summary = "Writes heights or a mask as a game engine imports them, with a note of the import settings",
    .description =
        "The path has no ending: the engine's is added, and .txt for the note, which also names the recipe. "
        "The field is resized to a size that the engine takes. Unreal: .png of 16 bits. Unity: .raw of 16 "
        "bits, from south to north. Godot (Terrain3D, HTerrain): .r16. Luanti: .r16 for the mod in "
        "examples/luanti/esker_terrain. Masks are .png of 8 bits.",
    .source = "the engines' manuals (docs/tiles.md)",
    .inputs = { { "height", "heights or a mask, a square" },
                { "path", "the files, without an ending", { &type_text } } },
    .params = params,
    .params_size = sizeof(Export),
    .writes_labels = true,
    .see_also = "save terrain_rgb",
    .run = run,
};
