// What a PNG file says of how it was made.

#include "file/png_text.h"

static Status run(const Call *call, Error *error) {
    return png_read_text(call->inputs[0].text, &call->outputs[0].labels, error);
}

const Operation op_info = {
    .name = "info",
    .category = "file",
    .summary = "Gives the texts in a PNG file: what made it, and how to make it again",
    .inputs = { { "path", "the file", KIND_TEXT } },
    .outputs = { { "labels", "a table from name to text", KIND_LABELS } },
    .shapes_outputs = true,
    .run = run,
};
