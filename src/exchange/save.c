// Writes heights, colours or rivers; the extension selects the format. A file is written completely or not
// at all.

#include "core/gaps.h"
#include "core/math.h"
#include "core/summary.h"
#include "exchange/format_list.h"
#include "file/coordinate_systems.h"
#include "file/sidecar.h"
#include "file/whole_file.h"

typedef struct Save {
    int bits, type, order;
    double low, high;
    Fields more;
    const char *names;
    bool flip;
} Save;

enum { BITS_16, BITS_8 };

extern const Operation op_save;

// The heights of 0 and the largest number: the field's own range, to use the full range of numbers. A
// constant field gets a range of 1 above it.
static Status choose_scale(const Call *call, const Field *field, Scale *scale, Error *error) {
    const Save *save = call->params;
    *scale = (Scale){ save->low, save->high, save->bits == BITS_8 ? 8 : 16 };
    if (save->low != 0 || save->high != 0)
        return save->high > save->low ? STATUS_OK
                                      : fail(error, STATUS_INVALID, "high must be above low, got %s and %s",
                                             digits_of(save->high).text, digits_of(save->low).text);
    const Status status = field_range(call->run, field, &scale->low, &scale->high, error);
    if (scale->high == scale->low)
        scale->high = scale->low + 1;
    if (scale->high == scale->low) { // so large that adding 1 changes nothing
        scale->low = min(scale->low, 0);
        scale->high = max(scale->high, 0);
    }
    return status;
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

// What the file cannot say of where its cells lie.
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

static Status refuse_path(const ValueType *type, const char *path, Error *error) {
    return fail(error, STATUS_INVALID, "'%.300s' must end in %s", path, endings_written(type).text);
}

// Options of fields, for a value of another type.
static Status refuse_options(const Call *call, const ValueType *type, Error *error) {
    for (const Param *param = op_save.params; param->name; param++)
        if (param_is_given(param, call->params))
            return fail(error, STATUS_INVALID, "%s: for fields only, and this is %s", param->name,
                        type->singular);
    return STATUS_OK;
}

static Status write_value(const Call *call, const FileFormat *format, const ValueType *type,
                          const void *value, FILE *stream, Sidecar *beside, Error *error) {
    const Save *save = call->params;
    Writing writing = { .stream = stream,
                        .path = call->inputs[1].text,
                        .run = call->run,
                        .type = type,
                        .value = value,
                        .labels = call->labels,
                        .notice = call->notice,
                        .is_scaled = save->low != 0 || save->high != 0,
                        .cells = (CellType)save->type,
                        .is_big = save->order == 1,
                        .is_flipped = save->flip,
                        .more = save->more,
                        .names = save->names };
    if (type == &type_field && has_word(format->save_takes, "low")) {
        const Status status = choose_scale(call, value, &writing.scale, error);
        if (status != STATUS_OK)
            return status;
    }
    *beside = (Sidecar){ .type = format->raw_type,
                         .is_big = writing.is_big,
                         .is_flipped = writing.is_flipped,
                         .scaled = format->bits > 0,
                         .low = writing.scale.low,
                         .high = writing.scale.high };
    return format->holds[written_as(format, type)].write(&writing, error);
}

static Status run(const Call *call, Error *error) {
    const Input *what = &call->inputs[0];
    const char *path = call->inputs[1].text;
    const ValueType *type = what->field ? &type_field : what->image ? &type_image : what->type;
    const FileFormat *format = find_written_format(type, path);
    if (!format)
        return refuse_path(type, path, error);
    Status status = type == &type_field ? refuse_ignored(&op_save, call->params, format, path, error)
                                        : refuse_options(call, type, error);
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
    if (frame && frame->system && frame_is_upright(frame) && format->keeps & KEEPS_PROJECT)
        status = prj_write(&file, path, frame->system, &named, error);
    tell_losses(call, format, frame, named);
    Sidecar beside;
    Field lowered = { 0 };
    if (status == STATUS_OK && what->field && what->field->gaps && !(format->keeps & KEEPS_GAPS))
        status = lower_gaps(call, what->field, &lowered, error);
    if (status == STATUS_OK)
        status =
            write_value(call, format, type, lowered.cells ? &lowered : value, file.stream, &beside, error);
    field_free(&lowered);
    if (status == STATUS_OK && format->keeps & KEEPS_BESIDE)
        status = write_beside(call, frame, &file, &beside, error);
    return whole_file_close(&file, status, error);
}

static const Param params[] = {
    PARAM(Save, bits, .choices = CHOICES("16", "8"), .doc = "bits per height"),
    PARAM(Save, type, .choices = CHOICES("float32", "int16", "uint16", "float16", "uint8"),
          .doc =
              "numbers: integers of 16 bits, of GeoTIFF, span low to high, and the file stores how they "
              "become heights; uint8, of GeoTIFF, holds masks and labels up to 255 as they are; float16 is "
              "of OpenEXR"),
    PARAM(Save, order, .choices = CHOICES("little", "big"),
          .doc = "which byte of raw numbers comes first: the lowest or the highest"),
    PARAM(Save, flip, .doc = "true: the lowest row of raw numbers comes first"),
    PARAM(Save, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .doc = "height that becomes 0"),
    PARAM(Save, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "height that becomes the largest number; low and high 0: the lowest and the highest "
                 "height"),
    PARAM(Save, more, .doc = "further fields for the same file"),
    PARAM(Save, names, .initial_text = "",
          .doc = "names of all its channels, as in \"height, flow\"; of a single one \"Y\""),
    { 0 },
};

const Operation op_save = {
    .name = "save",
    .gaps = GAPS_OWN,
    .category = "file",
    .keywords = "write export file png geojson stl obj geotiff tif exr openexr channels displacement map "
                "astype int16 uint16 uint8 byte float16 translate savetxt tofile",
    .summary = "Writes a value to a file, whose ending names the format",
    .description =
        "The file is written completely or not at all. By default the range of heights is scaled to the full "
        "range of the file. A .png and a .pgm store the range, so that load restores heights to within half "
        "a step. What a format cannot store is written to a .json beside the file: size, range, order of "
        "bytes and rows, frame, recipe. Heights outside a given low and high are clipped. A .tif is a "
        "cloud-optimised GeoTIFF. Saving reports which parts of the field's frame the format cannot store.",
    .inputs = { { "picture", .accepts_saved = true },
                { "path", "the file; its extension selects the format", { &type_text } } },
    .params = params,
    .params_size = sizeof(Save),
    .writes_labels = true,
    .see_also = "load info mesh",
    .run = run,
};
