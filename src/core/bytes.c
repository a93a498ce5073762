#include "core/bytes.h"

#include "core/field.h"
#include "core/memory.h"

void bytes_put(ByteWriter *to, const void *bytes, size_t size) {
    if (size > to->left || to->full) {
        to->full = true;
        return;
    }
    to->left -= size;
    if (size > 0)
        fwrite(bytes, 1, size, to->stream);
}

Status bytes_damaged(Error *error) {
    return fail(error, STATUS_INVALID, "the bytes cannot be read");
}

Status bytes_get(FILE *from, void *bytes, size_t size, Error *error) {
    return size == 0 || fread(bytes, 1, size, from) == size ? STATUS_OK : bytes_damaged(error);
}

size_t bytes_left(FILE *from) {
    const long at = ftell(from);
    if (at < 0 || fseek(from, 0, SEEK_END) != 0)
        return 0;
    const long end = ftell(from);
    return fseek(from, at, SEEK_SET) == 0 && end > at ? (size_t)(end - at) : 0;
}

Status bytes_get_sides(FILE *from, int sides[2], size_t cell, Error *error) {
    const Status status = bytes_get(from, sides, 2 * sizeof *sides, error);
    if (status != STATUS_OK)
        return status;
    const bool fits = sides[0] >= 1 && sides[1] >= 1 && sides[0] <= SIDE_MAX && sides[1] <= SIDE_MAX &&
                      memory_count(sides[0], sides[1]) <= bytes_left(from) / cell;
    return fits ? STATUS_OK : bytes_damaged(error);
}
