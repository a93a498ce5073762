#include "large/large.h"

#include "core/field.h"

Status plane_create(Plane *plane, int width, int height, size_t cell, Error *error) {
    *plane = (Plane){ 0 };
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "sides must be 1 to %d, got %d × %d", SIDE_MAX, width, height);
    ScratchRange range;
    const Status status = scratch_take((int64_t)width * height * (int64_t)cell, &range, error);
    if (status == STATUS_OK)
        *plane = (Plane){ width, height, cell, range };
    return status;
}

void plane_free(Plane *plane) {
    scratch_give_back(&plane->range);
    *plane = (Plane){ 0 };
}

Status plane_read_bytes(const Plane *plane, size_t at, size_t size, void *bytes, Error *error) {
    return scratch_read(plane->range.start + (int64_t)at, size, bytes, error);
}

Status plane_write_bytes(const Plane *plane, size_t at, size_t size, const void *bytes, Error *error) {
    return scratch_write(plane->range.start + (int64_t)at, size, bytes, error);
}

Status plane_read(const Plane *plane, int first, int rows, void *cells, Error *error) {
    const size_t row = plane_row(plane);
    return plane_read_bytes(plane, (size_t)first * row, (size_t)rows * row, cells, error);
}

Status plane_write(const Plane *plane, int first, int rows, const void *cells, Error *error) {
    const size_t row = plane_row(plane);
    return plane_write_bytes(plane, (size_t)first * row, (size_t)rows * row, cells, error);
}

void plane_discard(const Plane *plane, int first, int rows) {
    const int64_t row = (int64_t)plane_row(plane), start = plane->range.start + first * row;
    scratch_discard((ScratchRange){ start, start + rows * row });
}
