// Reads the text chunks of a PNG file without libpng: libpng's limits do not apply to them, and a small file
// could make it allocate gigabytes.

#ifndef ESKER_PNG_TEXT_H
#define ESKER_PNG_TEXT_H

#include "core/operation.h"

#include <stdio.h>

// Reads from the stream's position to the end; `path` is for messages. Appends the file's tEXt chunks to
// `labels`, in their order: at most 64 of at most 64 KiB, together 256 KiB; others are skipped. The caller
// frees `labels`, also after a failure.
Status png_read_text(FILE *stream, const char *path, Labels *labels, Error *error);

// The value of a label, or NULL.
const char *label_value(const Labels *labels, const char *key);

// Frees what png_read_text appended.
void labels_free(Labels *labels);

#endif
