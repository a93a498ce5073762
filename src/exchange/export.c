// Writes heights or a mask as the file that an engine imports, and what lies on them in its coordinates;
// beside each a note of the import settings.

#include "exchange/export.h"
#include "exchange/format_list.h"
#include "filter/resize.h"

#include "core/math.h"
#include "core/operation.h"
#include "core/summary.h"
#include "core/whole.h"
#include "file/formats.h"
#include "file/whole_file.h"
#include "places/points.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Export {
    int engine, size, overlap;
    double metres, cell, low, high;
    bool mask, control;
    Numbers part;
} Export;

// A field's cells on the ground, in metres.
typedef struct Cells {
    double across, down;
} Cells;

enum { ALONE = -1 }; // the overlap of a terrain without neighbours

// Larger heights are metres, as in `esker tiles`.
#define HEIGHTS_AS_SHARES 1.5

extern const Operation op_resize, op_export;

// --- what is exported --------------------------------------------------------------------------------------

// Of the whole, or of the part that is exported.
static Extent part_extent(const Call *call) {
    const Export *params = call->params;
    Extent extent = export_extent(&call->inputs[0]);
    if (params->part.count > 0)
        extent.width = extent.height = whole_within(params->part.at[2], 1, SIDE_MAX);
    return extent;
}

// The field with `size` points a side.
static Status resized(const Call *call, const Engine *engine, int size, Field *out, Error *error) {
    if (!engine->nodes)
        return resize_as_points(call->run, call->inputs[0].field, size, size, out, error);
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
    const Extent extent = export_extent(&call->inputs[0]);
    const int width = extent.width, height = extent.height;
    const Frame *frame = extent.frame;
    const bool given = !isnan(params->cell);
    const double cell = given ? params->cell : frame_cell_metres(frame, width, height);
    if (cell == 0 || (given && !frame_is_of_map(frame))) {
        if (!given && frame_is_set(frame))
            tell(call->notice, "the frame is in degrees: a cell is taken for 1 m (argument cell)");
        cells->across = cells->down = given ? cell : 1;
        return STATUS_OK;
    }
    const CellShape shape = frame_cell_shape(frame, width, height);
    *cells = (Cells){ cell * shape.across, cell * shape.down };
    const double shorter = min(cells->across, cells->down);
    if (engine->squares && frame_cell_form(frame, width, height) != CELLS_SQUARE)
        return fail(error, STATUS_INVALID,
                    "cells are %.6g × %.6g m, and this engine's are squares: resize{ width = %.0f, height = "
                    "%.0f } makes them so; then crop it to a square",
                    cells->across, cells->down, width * cells->across / shorter,
                    height * cells->down / shorter);
    return STATUS_OK;
}

// A window of a map knows its slopes, but no metres: one of cell and metres says what the other is.
static Status choose_map_scale(const Call *call, Export *params, Error *error) {
    const Extent extent = export_extent(&call->inputs[0]);
    const Frame *frame = extent.frame;
    if (!frame_is_of_map(frame) || params->mask || call->inputs[0].image)
        return STATUS_OK;
    const double per_cell = 1 / frame_cell_heights(frame, extent.width, extent.height); // metres for a metre
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
    const Input *what = &call->inputs[0];
    const Frame *frame = export_extent(what).frame;
    if (frame_is_set(frame) && !frame_is_upright(frame))
        tell(call->notice, "the first row is not the north, from west to east: the terrain will be turned or "
                           "mirrored (flip, transform)");
    const double metres = frame->system ? frame_height_metres(frame) : frame_unit_metres(frame);
    if (isnan(params->metres) && metres == 0 && frame->unit && !params->mask && !what->image)
        return fail(error, STATUS_INVALID, "how long is the frame's unit of heights, '%s'? (argument metres)",
                    frame->unit);
    if (isnan(params->metres) && metres > 0)
        params->metres = metres;
    if (!isnan(params->metres))
        return STATUS_OK;
    double low = 0, high = 0;
    const Status status = what->field ? field_range(call->run, what->field, &low, &high, error) : STATUS_OK;
    if (what->value)
        export_altitudes(what, &low, &high);
    params->metres = low < -HEIGHTS_AS_SHARES || high > HEIGHTS_AS_SHARES ? 1 : 1000;
    // The highest of what lies on a terrain says little of the terrain's own heights.
    if (what->value && params->metres > 1 && (low < 0 || high > 0))
        tell(call->notice,
             "altitudes of at most %g are taken for shares of 1000 m; give metres as for the heights",
             HEIGHTS_AS_SHARES);
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
             "cut off (arguments metres, cell)",
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

// What all notes end with: where a tile's neighbours lie, and the recipe.
static void end_note(const Call *call, const Ground *ground, FILE *stream) {
    const Export *params = call->params;
    if (params->overlap != ALONE)
        engine_note_tiles(&engines[params->engine], ground, params->overlap, stream);
    for (int i = 0; call->labels && i < call->labels->count; i++)
        fprintf(stream, "%s%s: %s\n", i ? "" : "\n", call->labels->at[i].key, call->labels->at[i].value);
}

// What is written into NAME.txt. `path` is the file's.
static Ground ground_of(const Call *call, Cells cells, int size, const char *path) {
    const Export *params = call->params;
    const Extent extent = part_extent(call);
    const Spacing spacing = engine_spacing(&engines[params->engine], extent.width, size);
    const bool tile = params->part.count > 0;
    const char *slash = strrchr(path, '/');
    return (Ground){ .size = size,
                     .cell = cells.across * spacing.cells,
                     .row = cells.down * spacing.cells,
                     .spacing = spacing,
                     .sea = extent.frame->sea * params->metres,
                     .metres = params->metres,
                     .mask = params->mask,
                     .left = tile ? params->part.at[0] : 0,
                     .top = tile ? params->part.at[1] : 0,
                     .part = tile,
                     .ends = !engines[params->engine].nodes && params->overlap != 0,
                     .file = slash ? slash + 1 : path };
}

static Status write_files(const Call *call, const Engine *engine, Cells cells, const Field *field,
                          Scale scale, Error *error) {
    const Export *params = call->params;
    const char *stem = call->inputs[1].text;
    char path[4096], note[4096];
    snprintf(path, sizeof path, "%s%s", stem, params->mask ? ".png" : engine->ending);
    snprintf(note, sizeof note, "%s.txt", stem);
    Ground ground = ground_of(call, cells, field->width, path);
    ground.low = scale.low * params->metres;
    ground.high = scale.high * params->metres;
    WholeFile file;
    Status status = whole_file_open(&file, path, error);
    if (status != STATUS_OK)
        return status;
    FILE *beside;
    status = write_ground(call, engine, field, scale, file.stream, error);
    if (status == STATUS_OK)
        status = whole_file_open_beside(&file, note, &beside, error);
    if (status == STATUS_OK) {
        engine->note(beside, &ground);
        end_note(call, &ground, beside);
    }
    return whole_file_close(&file, status, error);
}

// The control map of a picture.
static Status write_control(const Call *call, const Image *shares, const char *path, FILE *stream,
                            Error *error) {
    const FileFormat *format = find_written_format(&type_field, path);
    if (!format)
        return fail(error, STATUS_INVALID, "a control map is an .exr, and Esker was built without OpenEXR");
    Field control = { 0 };
    Status status = export_control(shares, &control, error);
    const Writing writing = { .stream = stream,
                              .path = path,
                              .run = call->run,
                              .type = &type_field,
                              .value = &control,
                              .names = "R",
                              .labels = call->labels };
    if (status == STATUS_OK)
        status = format->holds[written_as(format, &type_field)].write(&writing, error);
    field_free(&control);
    return status;
}

static Status write_picture(const Call *call, Cells cells, int size, Error *error) {
    const char *stem = call->inputs[1].text;
    const bool control = ((const Export *)call->params)->control;
    char path[4096], note[4096];
    snprintf(path, sizeof path, "%s.%s", stem, control ? "exr" : "png");
    snprintf(note, sizeof note, "%s.txt", stem);
    const Ground ground = ground_of(call, cells, size, path);
    Image picture = { 0 };
    WholeFile file;
    FILE *beside;
    Status status = export_picture(call->inputs[0].image, size, ground.spacing, &picture, error);
    if (status == STATUS_OK)
        status = whole_file_open(&file, path, error);
    if (status == STATUS_OK) {
        status = control ? write_control(call, &picture, path, file.stream, error)
                         : write_png_image(file.stream, call->run, &picture, call->labels, error);
        if (status == STATUS_OK)
            status = whole_file_open_beside(&file, note, &beside, error);
        if (status == STATUS_OK) {
            if (control)
                fputs("Godot, Terrain3D: Control File Name of the importer. Textures 0 to 3 are the red, "
                      "green, blue and alpha of the image.\n",
                      beside);
            fprintf(beside,
                    "Picture: %s, %d x %d pixels, one for each vertex of the terrain, north at the top\n",
                    ground.file, size, size);
            end_note(call, &ground, beside);
        }
        status = whole_file_close(&file, status, error);
    }
    image_free(&picture);
    return status;
}

static Status write_shapes(const Call *call, const Engine *engine, Cells cells, int size, Error *error) {
    const char *stem = call->inputs[1].text;
    char path[4096], note[4096];
    snprintf(path, sizeof path, "%s.geojson", stem);
    snprintf(note, sizeof note, "%s.txt", stem);
    const Ground ground = ground_of(call, cells, size, path);
    const Axes axes = engine->axes(&ground);
    WholeFile file;
    FILE *beside;
    Status status = export_shapes(call, stem, &ground, &axes, &file, error);
    if (status != STATUS_OK)
        return status;
    status = whole_file_open_beside(&file, note, &beside, error);
    if (status == STATUS_OK) {
        engine_note_places(&axes, &ground, beside);
        end_note(call, &ground, beside);
    }
    return whole_file_close(&file, status, error);
}

// The files are NAME.raw and NAME.txt.
static Status check_stem(const char *stem, Error *error) {
    static const char *const endings[] = { ".png", ".raw", ".r16", ".txt", ".csv", ".geojson", ".exr" };
    const char *slash = strrchr(stem, '/'), *name = slash ? slash + 1 : stem, *dot = strrchr(name, '.');
    if (!*name)
        return fail(error, STATUS_INVALID,
                    "the path names the files, without an ending, as in \"terrain\"; got '%.200s'", stem);
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return fail(error, STATUS_INVALID,
                        "the path has no ending, the engine's is added: '%.*s', not '%.200s'",
                        (int)min(dot - stem, 200), stem, stem);
    return strlen(stem) > 4000 ? fail(error, STATUS_INVALID, "the path is too long") : STATUS_OK;
}

static Status write_field(const Call *call, const Engine *engine, Cells cells, int size, Error *error) {
    const Export *params = call->params;
    const Field *given = call->inputs[0].field;
    Field copy = { 0 };
    Scale scale;
    Status status = STATUS_OK;
    if (size != given->width)
        status = resized(call, engine, size, &copy, error);
    const Field *field = copy.cells ? &copy : given;
    if (status == STATUS_OK)
        status = choose_scale(call, engine, cells, field, &scale, error);
    if (status == STATUS_OK && engine->nodes && !params->mask)
        status = tell_clipped(call, field, scale, error);
    if (status == STATUS_OK)
        status = write_files(call, engine, cells, field, scale, error);
    field_free(&copy);
    return status;
}

// Parameters of another value.
static Status refuse_others(const Call *call, Error *error) {
    const Export *given = call->params;
    if (given->control && (!call->inputs[0].image || given->engine != GODOT))
        return fail(error, STATUS_INVALID, "control: for images and the engine \"godot\" only");
    if (given->part.count > 0 && !call->inputs[0].value)
        return fail(error, STATUS_INVALID,
                    "part: for points, lines, polygons and networks; crop cuts fields");
    if (given->part.count > 0 && given->overlap == ALONE)
        return fail(error, STATUS_INVALID, "part: of a tile of a larger terrain: give overlap, too");
    static const char *const names[] = { "low", "high", "mask" };
    for (size_t i = 0; i < sizeof names / sizeof *names && !call->inputs[0].field; i++)
        if (param_is_given(operation_param(&op_export, names[i]), call->params))
            return fail(error, STATUS_INVALID, "%s: for fields only, and this is %s", names[i],
                        call->inputs[0].image ? type_image.singular : call->inputs[0].type->singular);
    return STATUS_OK;
}

// A tile of a larger terrain keeps its size, or it would no longer fit its neighbours.
static Status choose_size(const Engine *engine, const Export *params, Extent extent, int *size,
                          Error *error) {
    if (params->overlap == ALONE)
        return engine_size(engine, params->size, extent.width, extent.height, size, error);
    *size = extent.width;
    if (extent.width != extent.height || (params->size && params->size != extent.width))
        return fail(error, STATUS_INVALID,
                    "a tile (argument overlap) is a square and keeps its size; got %d × %d", extent.width,
                    extent.height);
    return engine_check_tile(engine, extent.width, params->overlap, error);
}

static Status run(const Call *given_call, Error *error) {
    Export params = *(const Export *)given_call->params;
    Call with_units = *given_call;
    with_units.params = &params;
    const Call *call = &with_units;
    const Engine *engine = &engines[params.engine];
    const Input *what = &call->inputs[0];
    const Extent extent = part_extent(call);
    int size = 0;
    Cells cells;
    Status status = check_stem(call->inputs[1].text, error);
    if (status == STATUS_OK)
        status = refuse_others(given_call, error);
    if (status == STATUS_OK)
        status = choose_size(engine, &params, extent, &size, error);
    if (status == STATUS_OK)
        status = choose_map_scale(call, &params, error);
    if (status == STATUS_OK)
        status = choose_cells(call, engine, &cells, error);
    if (status == STATUS_OK)
        status = choose_units(call, &params, error);
    if (status != STATUS_OK)
        return status;
    if (what->image)
        return write_picture(call, cells, size, error);
    return what->field ? write_field(call, engine, cells, size, error)
                       : write_shapes(call, engine, cells, size, error);
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
    PARAM(Export, control, .initial = false,
          .doc =
              "whether an image becomes the control map of Godot's Terrain3D: red, green, blue and alpha are "
              "the shares of textures 0 to 3; of an opaque image red, green and blue those of 0 to 2"),
    PARAM(
        Export, overlap, .initial = ALONE, .min = ALONE, .max = 1,
        .doc =
            "for a tile of a larger terrain: the rows of points that it shares with its neighbours. It keeps "
            "its size, one of the engine's; -1: no tile"),
    PARAM(Export, part, .rows_min = 3, .rows_max = 3, .optional = true, .min = 0, .max = SIDE_MAX,
          .unit = UNIT_CELLS,
          .doc = "of points, lines, polygons and networks: the square of cells { left, top, side } that this "
                 "terrain is of a larger one; none: all"),
    { 0 },
};

const Operation op_export = {
    .name = "export",
    .category = "file",
    .keywords = "unreal unity godot minetest luanti game engine heightmap terrain import layer splat",
    .summary = "Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates",
    .description =
        "The path has no ending: the engine's is added, and .txt for the note, which also names the recipe. "
        "The field is resized to a size that the engine takes. Unreal: .png of 16 bits. Unity: .raw of 16 "
        "bits, from south to north. Godot (Terrain3D, HTerrain): .r16. Luanti: .r16 for the mod in "
        "examples/luanti/esker. Masks are .png of 8 bits.\n\n"
        "Images become .png of the terrain's size, a pixel for each vertex. Points, lines, polygons and "
        "rivers become .geojson, and points .csv, too: places and altitudes are the engine's coordinates, "
        "and the note says where the terrain's first vertex is. Give the same size and cell as for the "
        "heights.",
    .source = "the engines' manuals (docs/game-engines.md)",
    .inputs = { { "height",
                  "heights or a mask, an image, points, lines, polygons or rivers, of a square",
                  { &type_field, &type_image, &type_points, &type_lines, &type_polygons, &type_network } },
                { "path", "the files, without an ending", { &type_text } } },
    .params = params,
    .params_size = sizeof(Export),
    .writes_labels = true,
    .see_also = "save terrain_rgb",
    .run = run,
};
