// A PNG file is a signature of eight bytes, then chunks: length, type, data, checksum (PNG specification,
// 5.3). This parser reads small tEXt chunks and skips all others.

#include "file/png_text.h"

#include "core/memory.h"
#include "file/access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// --- png text ----------------------------------------------------------------------------------------------

enum { TEXT_MAX = 64 * 1024, TEXTS_MAX = 256 * 1024, LABELS_MAX = 64, CHUNKS_MAX = 1 << 20 };

static const unsigned char signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static char *copy_text(const char *text, size_t length, Error *error) {
    char *copy = memory_new(length + 1, 1, error);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

// `data` is a key, a zero byte and a value.
static Status append_label(Labels *labels, const char *data, size_t length, Error *error) {
    const char *zero = memchr(data, '\0', length);
    if (!zero)
        return STATUS_OK;
    const size_t key_length = (size_t)(zero - data);
    Label *label = &labels->at[labels->count++];
    label->value = NULL;
    label->key = copy_text(data, key_length, error);
    if (label->key)
        label->value = copy_text(zero + 1, length - key_length - 1, error);
    return label->value ? STATUS_OK : STATUS_MEMORY;
}

// A chunk's type is four letters of ASCII (PNG specification, 5.3).
static bool is_type(const unsigned char *type) {
    for (int i = 0; i < 4; i++)
        if ((type[i] | 0x20) < 'a' || (type[i] | 0x20) > 'z')
            return false;
    return true;
}

static Status read_chunks(FILE *file, const char *path, Labels *labels, char *buffer, Error *error) {
    unsigned char head[8];
    uint32_t total = 0;
    if (fread(head, 1, 8, file) != 8 || memcmp(head, signature, 8) != 0)
        return fail(error, STATUS_FILE, "cannot read '%.300s': it is not a PNG file", path);
    for (int chunks = 0; fread(head, 1, 8, file) == 8 && memcmp(head + 4, "IEND", 4) != 0; chunks++) {
        const uint32_t length = big_endian(head);
        if (!is_type(head + 4))
            return fail(error, STATUS_FILE, "cannot read '%.300s': a chunk is damaged", path);
        if (chunks == CHUNKS_MAX)
            return fail(error, STATUS_FILE, "cannot read '%.300s': it has more than %d chunks", path,
                        CHUNKS_MAX);
        if (length > INT32_MAX)
            return fail(error, STATUS_FILE, "cannot read '%.300s': a chunk is longer than PNG allows", path);
        const bool wanted = memcmp(head + 4, "tEXt", 4) == 0 && length <= TEXT_MAX &&
                            labels->count < LABELS_MAX && total + length <= TEXTS_MAX;
        if (wanted) {
            if (fread(buffer, 1, length, file) != length)
                return fail(error, STATUS_FILE, "cannot read '%.300s': it is truncated", path);
            total += length;
            const Status status = append_label(labels, buffer, length, error);
            if (status != STATUS_OK)
                return status;
        }
        if (fseek(file, wanted ? 4 : (long)length + 4, SEEK_CUR) != 0)
            return fail(error, STATUS_FILE, "cannot read '%.300s': %s", path, strerror(errno));
    }
    return STATUS_OK;
}

Status png_read_text(FILE *stream, const char *path, Labels *labels, Error *error) {
    *labels = (Labels){ 0 };
    Status status = STATUS_MEMORY;
    char *buffer = memory_new(TEXT_MAX, 1, error);
    labels->at = buffer ? memory_new_zeroed(LABELS_MAX, sizeof(Label), error) : NULL;
    if (labels->at)
        status = read_chunks(stream, path, labels, buffer, error);
    memory_free(buffer);
    return status;
}

const char *label_value(const Labels *labels, const char *key) {
    for (int i = 0; i < labels->count; i++)
        if (strcmp(labels->at[i].key, key) == 0)
            return labels->at[i].value;
    return NULL;
}

void labels_free(Labels *labels) {
    for (int i = 0; i < labels->count; i++) {
        memory_free(labels->at[i].key);
        memory_free(labels->at[i].value);
    }
    memory_free(labels->at);
    *labels = (Labels){ 0 };
}

// --- the operation -----------------------------------------------------------------------------------------

// The text chunks of a PNG file: how it was made.

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
