// The text chunks of a PNG file: how it was made.

#include "file/access.h"
#include "file/png_text.h"

static Status run(const Call *call, Error *error) {
    const char *path = call->inputs[0].text;
    FILE *stream = access_open(path, error);
    if (!stream)
        return STATUS_FILE;
    return access_close(stream, path, png_read_text(stream, path, &call->outputs[0].labels, error), error);
}

const Operation op_info = {
    .name = "info",
    .category = "file",
    .keywords = "provenance metadata made labels gdalinfo",
    .summary = "Gives the texts in a PNG file: what made it and how to make it again",
    .description = "The command esker info reads files of all other formats, too.",
    .inputs = { { "path", "the file", { &type_text } } },
    .outputs = { { "labels", "a table from name to text", &type_labels } },
    .shapes_outputs = true,
    .see_also = "save",
    .run = run,
};
