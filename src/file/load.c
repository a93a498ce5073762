// Reads a file of heights or colours; the ending tells the format.

#include "core/operation.h"
#include "file/access.h"
#include "file/formats.h"

#include <string.h>
#include <strings.h>

typedef struct Load {
    double low, high, max_pixels;
    int width, height;
    bool wrap;
} Load;

typedef Status Reader(Reading *reading, Error *error);

static const struct {
    const char *ending;
    Reader *read;
} readers[] = { { ".png", read_png }, { ".r16", read_r16 }, { ".asc", read_asc }, { ".pgm", read_pgm } };

static Status run(const Call *call, Error *error) {
    const Load *load = call->params;
    const char *path = call->inputs[0].text, *ending = strrchr(path, '.');
    Reader *read = NULL;
    for (size_t i = 0; ending && i < sizeof readers / sizeof *readers; i++)
        if (strcasecmp(ending, readers[i].ending) == 0)
            read = readers[i].read;
    if (!read)
        return fail(error, STATUS_INVALID, "'%s' must end in .png, .r16, .asc or .pgm", path);
    const bool given = load->low != 0 || load->high != 0;
    if (given && !(load->high > load->low))
        return fail(error, STATUS_INVALID, "high must be above low, got %s and %s",
                    digits_of(load->high).text, digits_of(load->low).text);
    FILE *stream = access_open(path, error);
    if (!stream)
        return STATUS_FILE;
    Reading reading = { .stream = stream,
                        .path = path,
                        .given = given,
                        .low = given ? load->low : 0,
                        .high = given ? load->high : 1,
                        .width = load->width,
                        .height = load->height,
                        .max_pixels = load->max_pixels,
                        .field = &call->outputs[0].field,
                        .image = &call->outputs[1].image,
                        .notice = call->notice };
    const Status status = access_close(stream, path, read(&reading, error), error);
    reading.field->wraps = load->wrap && reading.field->cells;
    return status;
}

static const Param params[] = {
    PARAM(Load, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "the height of the file's 0"),
    PARAM(Load, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "the height of the file's largest number; with low 0: as the file says, or 0 to 1"),
    PARAM(Load, width, .initial = 0, .min = 0, .max = SIDE_MAX, .doc = "of a .r16, which does not tell"),
    PARAM(Load, height, .initial = 0, .min = 0, .max = SIDE_MAX, .doc = "of a .r16, which does not tell"),
    PARAM(Load, max_pixels, .initial = 268435456, .min = 1, .max = 4294967296,
          .doc = "larger pictures are refused"),
    PARAM(Load, wrap, .doc = "true: opposite edges of the heights meet, as those of a terrain that tiles do"),
    { 0 },
};

const Operation op_load = {
    .name = "load",
    .category = "file",
    .summary = "Reads heights (PNG in grey, .r16, .asc, .pgm) or an image (PNG in colour)",
    .description =
        "Whole numbers become heights from low to high: high = 65535 gives a 16-bit file's own "
        "numbers. A PNG or PGM that Esker wrote says itself which heights it holds. Gamma is never applied. "
        "Heights of an .asc are taken as they are; where it has none they become the lowest. Its place on "
        "earth "
        "is not kept, which a warning says.",
    .inputs = { { "path", "the file", { &type_text } } },
    .outputs = { { "height", "heights", &type_field }, { "image", "of a PNG in colour", &type_image } },
    .params = params,
    .params_size = sizeof(Load),
    .one_output = true,
    .shapes_outputs = true,
    .run = run,
};
