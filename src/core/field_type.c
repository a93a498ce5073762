// The value type of fields.

#include "core/field.h"
#include "core/finite.h"
#include "core/gaps.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- fields ------------------------------------------------------------------------------------------------

Status field_create(Field *field, int width, int height, Error *error) {
    *field = (Field){ 0 };
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "a field's sides must be 1 to %d, got %d × %d", SIDE_MAX, width,
                    height);
    float *cells = memory_new_cells(width, height, sizeof *cells, error);
    if (!cells)
        return STATUS_MEMORY;
    *field = (Field){ .width = width, .height = height, .cells = cells };
    return STATUS_OK;
}

void field_free(Field *field) {
    memory_free(field_cells(field));
    gaps_release(field->gaps);
    *field = (Field){ 0 };
}

static Whole whole_of(const Field *field) {
    return field->whole.width > 0 ? field->whole : (Whole){ .width = field->width, .height = field->height };
}

double field_cell_heights(const Field *field) {
    const Whole whole = whole_of(field);
    return frame_cell_heights(&field->frame, whole.width, whole.height);
}

double field_cell_metres(const Field *field) {
    const Whole whole = whole_of(field);
    return frame_is_of_map(&field->frame) ? 0 : frame_cell_metres(&field->frame, whole.width, whole.height);
}

double field_row_area(const Field *field, int row) {
    const CellShape shape = field_row_shape(field, row);
    const double cell = field_cell_metres(field);
    return cell * cell * shape.across * shape.down;
}

Status field_cells_of_length(const Field *field, double length, double *cells, Error *error) {
    const Whole whole = whole_of(field);
    double uneven;
    const Status status =
        length > 0 ? frame_check_ground(&field->frame, whole.width, whole.height, &uneven, error) : STATUS_OK;
    const double metres = status == STATUS_OK ? field_cell_metres(field) : 0;
    *cells = metres > 0 ? mend_rounding(length / metres) : length;
    return status;
}

CellShape field_cell_shape(const Field *field) {
    const Whole whole = whole_of(field);
    return frame_cell_shape(&field->frame, whole.width, whole.height);
}

CellShape field_row_shape(const Field *field, int row) {
    const Whole whole = whole_of(field);
    const int beyond = (whole.row + row) % whole.height; // of rows beyond an edge that meets the other
    return frame_row_shape(&field->frame, whole.width, whole.height,
                           beyond < 0 ? beyond + whole.height : beyond);
}

// Eight lanes, each mixing every eighth pair of cells: limited by memory speed, and independent of byte
// order.
uint64_t field_hash(const Field *field) {
    enum { LANES = 8 };
    uint64_t lanes[LANES];
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = mix64((uint64_t)lane + 1);
    const size_t count = field_count(field);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &field->cells[i], sizeof bits);
        uint64_t *lane = &lanes[i % LANES];
        *lane = (*lane ^ bits) * UINT64_C(0x9fb21c651e98df25);
        *lane ^= *lane >> 32;
    }
    uint64_t hash = mix64((uint64_t)field->width << 32 | (uint32_t)field->height);
    for (int lane = 0; lane < LANES; lane++)
        hash = mix64(hash ^ lanes[lane]);
    for (size_t i = 0; field->gaps && i < count; i++)
        hash = mix64(hash ^ field->gaps->at[i]);
    return hash;
}

// --- the type ----------------------------------------------------------------------------------------------

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

static double cell_metres(const void *value) {
    const Field *field = value;
    return frame_cell_metres(&field->frame, field->width, field->height);
}

static const ValueProperty properties[] = {
    { "width", .get = width, .doc = "cells from left to right" },
    { "height", .get = height, .doc = "cells from top to bottom" },
    { "gaps", .get = gaps, .doc = "number of cells without data (see find_gaps)" },
    { "frame", .doc = FRAME_DOC "; can be set" },
    { "wraps", .boolean = true, .get = wraps, .doc = "whether opposite edges meet; can be set" },
    { "cell_metres", .length = cell_metres,
      .doc = "metres across a cell, in the field's middle; nil where they are not known" },
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
