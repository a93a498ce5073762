#include "core/field.h"

#include "core/gaps.h"
#include "core/memory.h"
#include "core/random.h"

#include <string.h>

Status field_create(Field *field, int width, int height, Error *error) {
    *field = (Field){ 0 };
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "a field's sides must be 1 to %d, got %d × %d", SIDE_MAX, width,
                    height);
    float *cells = memory_new((size_t)width * (size_t)height, sizeof *cells, error);
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
    return field->whole.width > 0 ? field->whole : (Whole){ field->width, field->height, 0 };
}

double field_cell_heights(const Field *field) {
    const Whole whole = whole_of(field);
    return frame_cell_heights(&field->frame, whole.width, whole.height);
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
