// Writes heights, colours or rivers; the extension selects the format. A file is written completely or not
// at all.

#include "core/gaps.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/summary.h"
#include "file/coordinate_systems.h"
#include "file/formats.h"
#include "file/sidecar.h"
#include "file/whole_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Save {
    int bits, type, order;
    double low, high;
    Fields more;
    const char *names;
    bool flip;
} Save;

enum { BITS_16, BITS_8 };

// The heights of 0 and the largest number: the field's own range, to use the full range of numbers. A
// constant field gets a range of 1 above it.
static Status choose_scale(const Call *call, Scale *scale, Error *error) {
    const Save *save = call->params;
    *scale = (Scale){ save->low, save->high, save->bits == BITS_8 ? 8 : 16 };
    if (save->low != 0 || save->high != 0)
        return save->high > save->low ? STATUS_OK
                                      : fail(error, STATUS_INVALID, "high must be above low, got %s and %s",
                                             digits_of(save->high).text, digits_of(save->low).text);
    const Status status = field_range(call->run, call->inputs[0].field, &scale->low, &scale->high, error);
    if (scale->high == scale->low)
        scale->high = scale->low + 1;
    if (scale->high == scale->low) { // so large that adding 1 changes nothing
        scale->low = min(scale->low, 0);
        scale->high = max(scale->high, 0);
    }
    return status;
}

// --- several fields in one file ----------------------------------------------------------------------------

// Whether all are different, and none is missing.
static Status check_names(const Layers *layers, int named, const char *names, Error *error) {
    bool differ = named == layers->count;
    for (int i = 0; differ && i < layers->count; i++)
        differ = layers->names[i][0] && layer_named(layers, layers->names[i]) == i;
    return differ
               ? STATUS_OK
               : fail(error, STATUS_INVALID,
                      "names must give %d different names of at most %d characters, as in \"height, flow\"; "
                      "got \"%.200s\"",
                      layers->count, LAYER_NAME_MAX, names);
}

// The field and those of the parameter more; without names the one field is Y, as in pictures of brightness.
static Status gather_layers(const Call *call, const Field *field, Layers *layers, Error *error) {
    const Save *save = call->params;
    *layers = (Layers){ .count = 1 + save->more.count, .at = { field } };
    for (int i = 0; i < save->more.count; i++)
        layers->at[1 + i] = save->more.at[i];
    const char *names = *save->names || layers->count > 1 ? save->names : "Y";
    int named = 0;
    for (const char *at = names; *(at += strspn(at, ", ")); named++) {
        const size_t length = strcspn(at, ", ");
        if (named < layers->count && length <= LAYER_NAME_MAX)
            memcpy(layers->names[named], at, length);
        at += length;
    }
    return check_names(layers, named, names, error);
}

static Status write_layers(const Call *call, const Field *field, FILE *stream, Error *error) {
    const Save *save = call->params;
    Layers layers;
    if (save->type == TYPE_INT16 || save->type == TYPE_UINT16)
        return fail(error, STATUS_INVALID, "an .exr has numbers of type float32 or float16");
    const Status status = gather_layers(call, field, &layers, error);
    return status == STATUS_OK ? write_exr(stream, &layers, save->type == TYPE_FLOAT16, call->labels, error)
                               : status;
}

// --- what a format takes -----------------------------------------------------------------------------------

// An option that the format would ignore is a mistake. Options that have their initial value are not given.
static Status check_options(const Call *call, const ValueType *type, const char *ending, Error *error) {
    const Save *save = call->params;
    const bool is_whole = save->type == TYPE_INT16 || save->type == TYPE_UINT16;
    const struct {
        const char *name, *endings;
        bool given;
    } options[] = {
        { "bits", ".png, .pgm", save->bits != BITS_16 },
        { "type", ".tif, .exr", save->type != TYPE_FLOAT32 },
        { "order", ".r16, .raw, .r32", save->order != 0 },
        { "flip", ".r16, .raw, .r32", save->flip },
        { "low and high",
          is_whole ? ".png, .pgm, .r16, .raw, .tif" : ".png, .pgm, .r16, .raw, .tif of integers",
          save->low != 0 || save->high != 0 },
        { "more", ".exr", save->more.count > 0 },
        { "names", ".exr", *save->names != '\0' },
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *taken = strstr(options[i].endings, ending);
        if (!options[i].given || (type == &type_field && taken && strncmp(taken, ".tif of", 7) != 0))
            continue;
        if (type != &type_field)
            return fail(error, STATUS_INVALID, "%s: for fields only, and this is %s", options[i].name,
                        type->singular);
        return fail(error, STATUS_INVALID, "'%.200s' takes no %s, an option of %s", call->inputs[1].text,
                    options[i].name, options[i].endings);
    }
    return STATUS_OK;
}

// --- one file ----------------------------------------------------------------------------------------------

static Status write_field(const Call *call, const Field *field, const char *ending, FILE *stream,
                          Sidecar *beside, Error *error) {
    const Save *save = call->params;
    if (strcasecmp(ending, ".exr") == 0)
        return write_layers(call, field, stream, error);
    if (save->type == TYPE_FLOAT16)
        return fail(error, STATUS_INVALID, "only an .exr has numbers of type float16");
    Scale scale;
    const Status status = choose_scale(call, &scale, error);
    if (status != STATUS_OK)
        return status;
    if (strcasecmp(ending, ".tif") == 0)
        return write_tif_field(stream, field, (CellType)save->type, scale, call->labels, error);
    if (strcasecmp(ending, ".png") == 0)
        return write_png_field(stream, call->run, field, scale, call->labels, error);
    beside->is_big = save->order == 1;
    beside->is_flipped = save->flip;
    if (strcasecmp(ending, ".r32") == 0) {
        beside->type = "float32";
        return write_r32(stream, field, beside->is_big, beside->is_flipped);
    }
    beside->low = scale.low;
    beside->high = scale.high;
    if (strcasecmp(ending, ".r16") == 0 || strcasecmp(ending, ".raw") == 0) {
        beside->type = "uint16";
        beside->scaled = true;
        return write_r16(stream, field, scale, beside->is_big, beside->is_flipped);
    }
    if (strcasecmp(ending, ".npy") == 0)
        return write_npy(stream, field);
    if (strcasecmp(ending, ".asc") == 0)
        return write_asc(stream, field);
    return write_pgm(stream, field, scale);
}

// The type's format with this extension, or NULL with the error filled.
static const FileFormat *find_format(const ValueType *type, const char *path, const char *ending,
                                     Error *error) {
    char names[120] = "";
    for (const FileFormat *format = type->formats; format->ending; format++) {
        if (ending && strcasecmp(ending, format->ending) == 0)
            return format;
        const char *joint = format == type->formats ? "" : format[1].ending ? ", " : " or ";
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", joint, format->ending);
    }
    fail(error, STATUS_INVALID, "'%s' must end in %s", path, names);
    return NULL;
}

// Gaps become the lowest height in a file that cannot say what they are.
static Status lower_gaps(const Call *call, const Field *field, Field *lowered, Error *error) {
    double low, high;
    Status status = field_range(call->run, field, &low, &high, error);
    if (status == STATUS_OK)
        status = field_create(lowered, field->width, field->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        field_cells(lowered)[i] = field_has_data(field, i) ? field->cells[i] : (float)low;
    lowered->frame = field->frame;
    tell(call->notice, "'%.200s' does not store that %zu cells have no data: they have the lowest height",
         call->inputs[1].text, field->gaps->count);
    return status;
}

// Other programs take all coordinates of GeoJSON without a system for degrees, as RFC 7946 says.
static void tell_no_degrees(const Call *call, const Frame *frame) {
    const bool on_map = frame_is_of_map(frame) && frame_sphere(frame).radius == 0;
    if (on_map)
        tell(call->notice,
             "coordinates in '%.200s' are shares of the map's side, which other programs take for degrees "
             "(side = METRES)",
             call->inputs[1].text);
    else if (frame_is_set(frame) && frame_sphere(frame).radius == 0 &&
             (fabs(frame->x) > 180 || fabs(frame->y) > 90))
        tell(call->notice,
             "'%.200s' has no coordinate system: other programs take its coordinates for degrees "
             "(frame.system)",
             call->inputs[1].text);
}

// Tells what the file cannot hold of where its cells lie.
static void tell_losses(const Call *call, const FileFormat *format, const Frame *frame, bool named) {
    if (!frame)
        return;
    const unsigned keeps = format->keeps;
    const bool place = keeps & KEEPS_PLACE && (keeps & KEEPS_TURN || frame_is_upright(frame));
    const bool system = named || !frame->system || keeps & KEEPS_SYSTEM ||
                        (keeps & KEEPS_EPSG && frame_system_code(frame->system));
    const char *beside = keeps & KEEPS_BESIDE ? "; the .json beside it does" : "";
    if (!place)
        tell(call->notice, "'%.200s' does not store where its cells lie%s", call->inputs[1].text, beside);
    else if (!system)
        tell(call->notice, "'%.200s' does not store its coordinate system, %.100s%s", call->inputs[1].text,
             frame->system, beside);
    else if (!frame->system && strcmp(format->ending, ".geojson") == 0)
        tell_no_degrees(call, frame);
}

// The type's GeoJSON, made into a GeoPackage.
static Status write_package(const Call *call, const ValueType *type, const void *value, FILE *stream,
                            Error *error) {
    const FileFormat *format = find_format(type, ".geojson", ".geojson", error);
    char *text = NULL;
    size_t size = 0;
    FILE *memory = format ? open_memstream(&text, &size) : NULL;
    if (!memory)
        return fail(error, STATUS_MEMORY, "not enough memory for a file");
    Status status = format->write(memory, value, NULL, error);
    if (fclose(memory) != 0 && status == STATUS_OK)
        status = fail(error, STATUS_MEMORY, "not enough memory for a file");
    if (status == STATUS_OK)
        status = write_geopackage(stream, call->inputs[1].text, text, size, value_frame(type, value),
                                  call->labels, error);
    free(text);
    return status;
}

// The .json beside the file. `sidecar` has what was decided when it was written.
static Status write_beside(const Call *call, const Frame *frame, WholeFile *file, Sidecar *sidecar,
                           Error *error) {
    const Field *field = call->inputs[0].field;
    if (field) {
        sidecar->width = field->width;
        sidecar->height = field->height;
    }
    if (frame)
        sidecar->frame = *frame;
    return sidecar_write(file, call->inputs[1].text, sidecar, call->labels, error);
}

static Status run(const Call *call, Error *error) {
    const Input *what = &call->inputs[0];
    const char *path = call->inputs[1].text, *ending = strrchr(path, '.');
    const ValueType *type = what->field ? &type_field : what->image ? &type_image : what->type;
    const bool is_long = ending && strcasecmp(ending, ".tiff") == 0;
    const FileFormat *format = find_format(type, path, is_long ? ".tif" : ending, error);
    if (!format)
        return STATUS_INVALID;
    ending = format->ending;
    Status status = check_options(call, type, ending, error);
    if (status != STATUS_OK)
        return status;
    const void *value = what->field   ? (const void *)what->field
                        : what->image ? (const void *)what->image
                                      : what->value;
    WholeFile file;
    status = whole_file_open(&file, path, error);
    if (status != STATUS_OK)
        return status;
    const Frame *frame = value_frame(type, value);
    bool named = false; // its system, in a .prj
    if (frame && frame->system && frame_is_upright(frame) && strcmp(format->ending, ".asc") == 0)
        status = prj_write(&file, path, frame->system, &named, error);
    tell_losses(call, format, frame, named);
    Sidecar beside = { 0 };
    Field lowered = { 0 };
    if (status == STATUS_OK && what->field && what->field->gaps && !(format->keeps & KEEPS_GAPS))
        status = lower_gaps(call, what->field, &lowered, error);
    if (status == STATUS_OK && what->field)
        status =
            write_field(call, lowered.cells ? &lowered : what->field, ending, file.stream, &beside, error);
    else if (status == STATUS_OK && what->image)
        status = strcasecmp(ending, ".tif") == 0
                     ? write_tif_image(file.stream, what->image, call->labels, error)
                     : write_png_image(file.stream, call->run, what->image, call->labels, error);
    else if (status == STATUS_OK && strcasecmp(ending, ".gpkg") == 0)
        status = write_package(call, type, value, file.stream, error);
    else if (status == STATUS_OK)
        status = format->write(file.stream, what->value, call->labels, error);
    field_free(&lowered);
    if (status == STATUS_OK && format->keeps & KEEPS_BESIDE)
        status = write_beside(call, frame, &file, &beside, error);
    return whole_file_close(&file, status, error);
}

static const Param params[] = {
    PARAM(Save, bits, .choices = CHOICES("16", "8"), .doc = "bits per height, in .png and .pgm"),
    PARAM(Save, type, .choices = CHOICES("float32", "int16", "uint16", "float16"),
          .doc =
              "numbers in a .tif, or float32 or float16 in an .exr; integers span low to high, and the file "
              "stores how they become heights"),
    PARAM(Save, order, .choices = CHOICES("little", "big"),
          .doc = "which byte of raw numbers comes first: the lowest or the highest"),
    PARAM(Save, flip, .doc = "true: the lowest row of raw numbers comes first"),
    PARAM(Save, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .doc = "height that becomes 0"),
    PARAM(Save, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "height that becomes the largest number; low and high 0: the lowest and the highest "
                 "height"),
    PARAM(Save, more, .doc = "further fields for an .exr"),
    PARAM(Save, names, .initial_text = "",
          .doc = "names of its channels, as in \"height, flow\"; of a single one \"Y\""),
    { 0 },
};

const Operation op_save = {
    .name = "save",
    .gaps = GAPS_OWN,
    .category = "file",
    .keywords = "write export file png geojson stl obj geotiff tif exr openexr channels displacement map "
                "astype int16 uint16 float16 translate",
    .summary = "Writes a value to a file, whose ending names the format",
    .description =
        "The file is written completely or not at all. By default the range of heights is scaled to the full "
        "range of the file. A .png and a .pgm store the range, so that load restores heights to within half "
        "a step. Beside an .r16, .raw, .r32, .asc, .npy, .pgm, .csv or .stl lies a .json of what the format "
        "cannot say: size, range, order of bytes and rows, frame, recipe.  Heights outside a given low and "
        "high are clipped. An .asc and a .tif store heights exactly; a .tif is a cloud-optimised GeoTIFF, "
        "and needs GDAL. Saving reports which parts of the field's frame the format cannot store.",
    .inputs = { { "picture", .accepts_saved = true },
                { "path", "the file; its extension selects the format", { &type_text } } },
    .params = params,
    .params_size = sizeof(Save),
    .writes_labels = true,
    .see_also = "load info mesh",
    .run = run,
};
