// The value type of fields.

#include "core/finite.h"
#include "core/gaps.h"
#include "core/value.h"

#include <math.h>
#include <stdio.h>

static bool is_empty(const void *value) {
    return !((const Field *)value)->cells;
}

static void free_field(void *value) {
    field_free(value);
}

static int64_t width(const void *value) {
    return ((const Field *)value)->width;
}

static int64_t height(const void *value) {
    return ((const Field *)value)->height;
}

static int64_t wraps(const void *value) {
    return ((const Field *)value)->wraps;
}

static Frame *frame(void *value) {
    return &((Field *)value)->frame;
}

static int64_t gaps(const void *value) {
    const Field *field = value;
    return field->gaps ? (int64_t)field->gaps->count : 0;
}

static uint64_t hash(const void *value) {
    return field_hash(value);
}

static void describe(const void *value, char *text, size_t size) {
    const Field *field = value;
    snprintf(text, size, " %d × %d", field->width, field->height);
}

static Status check(const Run *run, const void *value, Error *error) {
    return field_check_finite(run, value, error);
}

static void write(const void *value, ByteWriter *to) {
    const Field *field = value;
    const unsigned char flag = field->wraps;
    bytes_put(to, &field->width, sizeof field->width);
    bytes_put(to, &field->height, sizeof field->height);
    bytes_put(to, &flag, 1);
    frame_write(&field->frame, to);
    const unsigned char has_gaps = field->gaps != NULL;
    bytes_put(to, &has_gaps, 1);
    if (has_gaps)
        bytes_put(to, field->gaps->at, field_count(field));
    bytes_put(to, field->cells, field_count(field) * sizeof *field->cells);
}

static Status read_gaps(Field *field, FILE *from, Error *error) {
    unsigned char has_gaps = 0;
    Status status = bytes_get(from, &has_gaps, 1, error);
    if (status != STATUS_OK || !has_gaps)
        return status;
    field->gaps = gaps_new(field_count(field), error);
    if (!field->gaps)
        return STATUS_MEMORY;
    status = bytes_get(from, field->gaps->at, field_count(field), error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++) {
        field->gaps->at[i] = field->gaps->at[i] != 0;
        field->gaps->count += field->gaps->at[i];
    }
    return status == STATUS_OK && field->gaps->count == 0 ? bytes_damaged(error) : status;
}

static Status read(void *held, FILE *from, Error *error) {
    Field *field = held;
    int sides[2] = { 0 };
    unsigned char flag = 0;
    Frame frame = { 0 };
    Status status = bytes_get_sides(from, sides, sizeof *field->cells, error);
    if (status == STATUS_OK)
        status = bytes_get(from, &flag, 1, error);
    if (status == STATUS_OK)
        status = frame_read(&frame, from, error);
    if (status == STATUS_OK)
        status = field_create(field, sides[0], sides[1], error);
    if (status == STATUS_OK)
        status = read_gaps(field, from, error);
    if (status != STATUS_OK)
        return status;
    field->wraps = flag != 0;
    field->frame = frame;
    status = bytes_get(from, field_cells(field), field_count(field) * sizeof *field->cells, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        if (!isfinite(field->cells[i]))
            status = bytes_damaged(error);
    return status;
}

static const ValueProperty properties[] = {
    { "width", .get = width, .doc = "cells from left to right" },
    { "height", .get = height, .doc = "cells from top to bottom" },
    { "gaps", .get = gaps, .doc = "number of cells without data (see find_gaps)" },
    { "frame", .doc = FRAME_DOC "; can be set" },
    { "wraps", .boolean = true, .get = wraps, .doc = "whether opposite edges meet; can be set" },
    { 0 },
};

const ValueType type_field = {
    .name = "Field",
    .kind = "field",
    .singular = "a field",
    .plural = "fields",
    .number = 1,
    .doc = "heights: a grid of 32-bit floats, all of them finite",
    .properties = properties,
    .picture = "local field, pixels = ...\n"
               "local longer, range, small = math.max(field.width, field.height), field:statistics(), field\n"
               "if longer > pixels then\n"
               "    local factor = pixels / longer\n"
               "    small = field:resize{ width = math.max(2, field.width * factor // 1 | 0),\n"
               "                          height = math.max(2, field.height * factor // 1 | 0) }\n"
               "end\n"
               "if small.width < 2 or small.height < 2 then return nil end\n"
               "return small:relief{ low = range.min, high = math.max(range.max, range.min + 1e-6) }",
    .ending = "png",
    .size = sizeof(Field),
    .offset = offsetof(Output, field),
    .is_empty = is_empty,
    .free = free_field,
    .frame = frame,
    .hash = hash,
    .describe = describe,
    .check = check,
    .write = write,
    .read = read,
};
