// The nearest cells with data, exactly: of several those in the leftmost column, and there the uppermost.
// What is found depends on nothing that is farther away, so that windows of a field are filled alike. Columns
// first, then rows (Meijster, Roerdink and Hesselink 2000, "A general algorithm for computing distance
// transforms in linear time", section 2).

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"

#include <stdlib.h>

enum { NOWHERE = -1 };

typedef struct Filling {
    const Field *field;
    Field *filled;
    int *row;         // of each cell that of the nearest one with data in its column, or NOWHERE
    int *site, *from; // columns that are nearest somewhere in a row, and where each begins to be
} Filling;

static int distance(const int *rows, int x, int y) {
    return rows[x] == NOWHERE ? INT32_MAX : abs(rows[x] - y);
}

static void search_columns(const Filling *filling) {
    const int width = filling->field->width, height = filling->field->height;
    for (int y = 0; y < height; y++) {
        int *rows = filling->row + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++)
            rows[x] = field_has_data(filling->field, (size_t)y * (size_t)width + (size_t)x) ? y
                      : y > 0                                                               ? rows[x - width]
                                                                                            : NOWHERE;
    }
    for (int y = height - 2; y >= 0; y--) {
        int *rows = filling->row + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++)
            if (distance(rows + width, x, y) < distance(rows, x, y))
                rows[x] = rows[x + width];
    }
}

static int64_t squared(const int *rows, int column, int x, int y) {
    const int64_t across = x - column, along = rows[column] - y;
    return across * across + along * along;
}

// The first column from which on `right` is nearer than `left`.
static int64_t boundary(const int *rows, int left, int right, int y) {
    const int64_t rest = squared(rows, right, 0, y) - squared(rows, left, 0, y), step = 2 * (right - left);
    return (rest >= 0 ? rest / step : -((step - 1 - rest) / step)) + 1;
}

static void fill_row(const Filling *filling, int y) {
    const int width = filling->field->width;
    const int *rows = filling->row + (size_t)y * (size_t)width;
    int count = 0;
    for (int x = 0; x < width; x++) {
        if (rows[x] == NOWHERE)
            continue;
        while (count > 0 && squared(rows, filling->site[count - 1], filling->from[count - 1], y) >
                                squared(rows, x, filling->from[count - 1], y))
            count--;
        const int64_t from = count > 0 ? boundary(rows, filling->site[count - 1], x, y) : 0;
        if (from < width) {
            filling->site[count] = x;
            filling->from[count++] = (int)max(from, (int64_t)0);
        }
    }
    float *cells = field_row(filling->filled, y);
    for (int x = 0; x < width && count == 0; x++)
        cells[x] = 0; // there is no data at all
    for (int x = width - 1; x >= 0 && count > 0; x--) {
        while (filling->from[count - 1] > x)
            count--;
        const int column = filling->site[count - 1];
        cells[x] = field_row(filling->field, rows[column])[column];
    }
}

Status gaps_fill(const Field *field, Field *filled, Error *error) {
    Status status = field_create(filled, field->width, field->height, error);
    if (status != STATUS_OK)
        return status;
    const size_t width = (size_t)field->width;
    filled->side = field->side;
    filled->wraps = field->wraps;
    filled->frame = field->frame;
    Filling filling = { .field = field, .filled = filled };
    if ((filling.row = memory_new(field_count(field), sizeof *filling.row, error)) &&
        (filling.site = memory_new(width, sizeof *filling.site, error)) &&
        (filling.from = memory_new(width, sizeof *filling.from, error))) {
        search_columns(&filling);
        for (int y = 0; y < field->height; y++)
            fill_row(&filling, y);
    } else {
        status = STATUS_MEMORY;
        field_free(filled);
    }
    memory_free(filling.row);
    memory_free(filling.site);
    memory_free(filling.from);
    return status;
}
