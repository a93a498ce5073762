// Arms of the sea: what is too narrow for a disk (an opening, Serra 1982, "Image analysis and mathematical
// morphology"), in pieces that are long enough.

#include "rivermap/eroded/sea_arms.h"

#include "core/math.h"
#include "core/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    DISK = 3,          // radius of the disk that fits into the open sea, in cells
    LEAST_LENGTH = 40, // cells along the longer side of an arm's box
    NEAR = 14,         // cells around an arm that are near it
};

enum { LAND, NARROW, WIDE, SEEN };

typedef struct Arms {
    const Field *field;
    uint8_t *kind;
    int *distance; // to the nearest arm: 3 for a step over a side, 4 over a corner (Borgefors 1986)
    int *piece;    // cells of one piece of narrow sea
    int count;     // of them
} Arms;

enum { OVER_SIDE = 3, OVER_CORNER = 4 };

static bool is_sea(const Field *field, int x, int y) {
    const bool beyond = x < 0 || y < 0 || x >= field->width || y >= field->height;
    return beyond || field_row(field, y)[x] < 0;
}

// How far the disk reaches to either side in a row.
static int disk_reach(int down) {
    static const int reach[DISK + 1] = { 3, 3, 2, 1 };
    return reach[abs(down)];
}

// `next`: it fits one cell to the left, so only its right edge is new.
static bool disk_fits(const Field *field, int x, int y, bool next) {
    for (int down = -DISK; down <= DISK; down++)
        for (int reach = disk_reach(down), across = next ? reach : -reach; across <= reach; across++)
            if (!is_sea(field, x + across, y + down))
                return false;
    return true;
}

// Around a place where the disk fits.
static void widen(const Arms *arms, int x, int y, bool next) {
    const int width = arms->field->width, height = arms->field->height;
    for (int down = max(-DISK, -y); down <= min(DISK, height - 1 - y); down++) {
        const int reach = disk_reach(down), first = x + (next ? reach : -reach), last = x + reach;
        for (int column = max(first, 0); column <= min(last, width - 1); column++)
            arms->kind[(y + down) * width + column] = WIDE;
    }
}

// Places beyond the field count, too.
static void find_narrow_sea(const Arms *arms) {
    const int width = arms->field->width, height = arms->field->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            arms->kind[y * width + x] = is_sea(arms->field, x, y) ? NARROW : LAND;
    for (int y = -DISK; y < height + DISK; y++) {
        bool fits = false;
        for (int x = -DISK; x < width + DISK; x++) {
            const bool next = fits;
            fits = disk_fits(arms->field, x, y, next);
            if (fits)
                widen(arms, x, y, next);
        }
    }
}

// --- pieces ------------------------------------------------------------------------------------------------

static void see(Arms *arms, int x, int y) {
    const int width = arms->field->width, cell = y * width + x;
    if (x < 0 || y < 0 || x >= width || y >= arms->field->height || arms->kind[cell] != NARROW)
        return;
    arms->kind[cell] = SEEN;
    arms->piece[arms->count++] = cell;
}

// The piece around a cell. Returns whether it is an arm.
static bool take_piece(Arms *arms, int x, int y) {
    const int width = arms->field->width;
    int left = x, right = x, top = y, bottom = y;
    arms->count = 0;
    see(arms, x, y);
    for (int i = 0; i < arms->count; i++) {
        const int at_x = arms->piece[i] % width, at_y = arms->piece[i] / width;
        left = min(left, at_x), right = max(right, at_x);
        top = min(top, at_y), bottom = max(bottom, at_y);
        for (int to_y = at_y - 1; to_y <= at_y + 1; to_y++)
            for (int to_x = at_x - 1; to_x <= at_x + 1; to_x++)
                see(arms, to_x, to_y);
    }
    return max(right - left, bottom - top) >= LEAST_LENGTH;
}

// Returns whether there is an arm.
static bool find_pieces(Arms *arms) {
    const int width = arms->field->width, count = width * arms->field->height;
    bool found = false;
    for (int cell = 0; cell < count; cell++)
        arms->distance[cell] = NEAR * OVER_SIDE;
    for (int cell = 0; cell < count; cell++) {
        if (arms->kind[cell] != NARROW || !take_piece(arms, cell % width, cell / width))
            continue;
        found = true;
        for (int i = 0; i < arms->count; i++)
            arms->distance[arms->piece[i]] = 0;
    }
    return found;
}

// --- distances ---------------------------------------------------------------------------------------------

static int distance_by(const Arms *arms, int x, int y, int step) {
    const bool beyond = x < 0 || y < 0 || x >= arms->field->width || y >= arms->field->height;
    return beyond ? INT_MAX : arms->distance[y * arms->field->width + x] + step;
}

// By the neighbours above it, or those below.
static void set_distance(const Arms *arms, int x, int y, int towards) {
    int *distance = &arms->distance[y * arms->field->width + x];
    const int beside = distance_by(arms, x + towards, y, OVER_SIDE),
              straight = distance_by(arms, x, y + towards, OVER_SIDE),
              left = distance_by(arms, x - 1, y + towards, OVER_CORNER),
              right = distance_by(arms, x + 1, y + towards, OVER_CORNER);
    const int sides = min(beside, straight), corners = min(left, right);
    const int nearest = min(sides, corners);
    *distance = min(*distance, nearest);
}

static void set_distances(const Arms *arms) {
    const int width = arms->field->width, count = width * arms->field->height;
    for (int cell = 0; cell < count; cell++)
        set_distance(arms, cell % width, cell / width, -1);
    for (int cell = count - 1; cell >= 0; cell--)
        set_distance(arms, cell % width, cell / width, 1);
}

static float nearness(const Arms *arms, int x, int y) {
    const int width = arms->field->width;
    const int cell = min(y, arms->field->height - 1) * width + min(x, width - 1);
    const float near = 1 - (float)arms->distance[cell] / (NEAR * OVER_SIDE);
    return near * near * (3 - 2 * near);
}

static Status set_near(const Arms *arms, int step, float **near, Error *error) {
    const int columns = arms->field->width / step + 1, rows = arms->field->height / step + 1;
    *near = memory_new_cells(columns, rows, sizeof **near, error);
    if (!*near)
        return STATUS_MEMORY;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            (*near)[y * columns + x] = nearness(arms, x * step, y * step);
    return STATUS_OK;
}

Status find_sea_arms(const Field *field, int step, float **near, Error *error) {
    const size_t count = field_count(field);
    Arms arms = { .field = field };
    arms.kind = memory_new(count, 1, error);
    arms.distance = memory_new(count, sizeof *arms.distance, error);
    arms.piece = memory_new(count, sizeof *arms.piece, error);
    Status status = arms.kind && arms.distance && arms.piece ? STATUS_OK : STATUS_MEMORY;
    *near = NULL;
    if (status == STATUS_OK) {
        find_narrow_sea(&arms);
        if (find_pieces(&arms)) {
            set_distances(&arms);
            status = set_near(&arms, step, near, error);
        }
    }
    memory_free(arms.piece);
    memory_free(arms.distance);
    memory_free(arms.kind);
    return status;
}
