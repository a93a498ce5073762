// The nearest cells with data, exactly: of several those of the leftmost column as seen from the cell, and
// there the uppermost. What is found depends on nothing that is farther away, so that windows of a field are
// filled alike. Columns first, then rows (Meijster, Roerdink and Hesselink 2000, "A general algorithm for
// computing distance transforms in linear time", section 2).
//
// Where opposite edges meet, rows and columns have numbers beyond the edges, too: none is nearer than half a
// side, so that the columns go twice around, and rows see half a side more at each end.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"

#include <limits.h>
#include <stdlib.h>

enum { NOWHERE = INT_MIN };

typedef struct Filling {
    const Field *field;
    Field *filled;
    bool wraps;
    int *row;         // of each cell that of the nearest one with data in its column, or NOWHERE
    int *site, *from; // columns that are nearest somewhere in a row, and where each begins to be
} Filling;

// The cell of a number that is less than a side beyond the edges.
static int inside(int at, int side) {
    return at < 0 ? at + side : at >= side ? at - side : at;
}

static int *rows_at(const Filling *filling, int y) {
    return filling->row + (size_t)y * (size_t)filling->field->width;
}

// Each cell gets the row that the cell in row `from` has, which is `around` rows farther on, if it is nearer.
static void take_nearer(const Filling *filling, int y, int from, int around) {
    int *rows = rows_at(filling, y);
    const int *others = rows_at(filling, from);
    for (int x = 0; x < filling->field->width; x++)
        if (others[x] != NOWHERE && (rows[x] == NOWHERE || abs(others[x] + around - y) < abs(rows[x] - y)))
            rows[x] = others[x] + around;
}

static void search_columns(const Filling *filling) {
    const int width = filling->field->width, height = filling->field->height, rounds = filling->wraps ? 2 : 1;
    for (int y = 0; y < height; y++) {
        int *rows = rows_at(filling, y);
        for (int x = 0; x < width; x++)
            rows[x] = field_has_data(filling->field, (size_t)y * (size_t)width + (size_t)x) ? y : NOWHERE;
    }
    for (int round = 0; round < rounds; round++) {
        if (round > 0)
            take_nearer(filling, 0, height - 1, -height);
        for (int y = 1; y < height; y++)
            take_nearer(filling, y, y - 1, 0);
    }
    for (int round = 0; round < rounds; round++) {
        if (round > 0)
            take_nearer(filling, height - 1, 0, height);
        for (int y = height - 2; y >= 0; y--)
            take_nearer(filling, y, y + 1, 0);
    }
}

static int row_of(const Filling *filling, const int *rows, int column) {
    return rows[inside(column, filling->field->width)];
}

static int64_t squared(const Filling *filling, const int *rows, int column, int x, int y) {
    const int64_t across = x - column, along = row_of(filling, rows, column) - y;
    return across * across + along * along;
}

// The first column from which on `right` is nearer than `left`.
static int64_t boundary(const Filling *filling, const int *rows, int left, int right, int y) {
    const int64_t rest = squared(filling, rows, right, 0, y) - squared(filling, rows, left, 0, y);
    const int64_t step = 2 * (right - left);
    return (rest >= 0 ? rest / step : -((step - 1 - rest) / step)) + 1;
}

static void fill_row(const Filling *filling, int y) {
    const int width = filling->field->width, beyond = filling->wraps ? width / 2 : 0;
    const int *rows = rows_at(filling, y);
    int count = 0;
    for (int x = -beyond; x < width + beyond; x++) {
        if (row_of(filling, rows, x) == NOWHERE)
            continue;
        while (count > 0 && squared(filling, rows, filling->site[count - 1], filling->from[count - 1], y) >
                                squared(filling, rows, x, filling->from[count - 1], y))
            count--;
        const int64_t from = count > 0 ? boundary(filling, rows, filling->site[count - 1], x, y) : 0;
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
        const int column = inside(filling->site[count - 1], width);
        cells[x] = field_row(filling->field, inside(rows[column], filling->field->height))[column];
    }
}

Status gaps_fill(const Field *field, bool wraps, Field *filled, Error *error) {
    Status status = field_create(filled, field->width, field->height, error);
    if (status != STATUS_OK)
        return status;
    const size_t width = (size_t)field->width;
    filled->whole = field->whole;
    filled->wraps = field->wraps;
    filled->frame = field->frame;
    Filling filling = { .field = field, .filled = filled, .wraps = wraps };
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
