// Children of inland cells that lie below the sea are raised to it. The means that are too high then are put
// right by a smooth refinement (octaves.h) of what is too much, which lowers the ground beside them as well:
// so it falls gently to what has become level. A few rounds leave little; for that, the children of a cell
// move towards their mean, which alone would leave a level square with steep sides.

#include "erosion/dry_land.h"

#include "core/math.h"
#include "erosion/octaves.h"

#include <float.h>

enum { ROUNDS = 5, REACH = 6 };  // REACH: of the refinement, in cells of the field
static const float HASTE = 1.8f; // how much of what is too much a round takes away; the last: all

// Rows of the field, which may begin beyond its edges.
typedef struct Strip {
    int top, height;
} Strip;

typedef struct Drying {
    const Field *field;
    Field *finer, *excess; // excess: by how much the mean of a cell's children is too high
    int side;              // how many children lie along a cell's side
    float sea;
    Strip strip; // what may be below it
} Drying;

static int row_of(const Field *field, int y, bool wraps) { // -1: none
    return wraps ? wrap(y, field->height) : y >= 0 && y < field->height ? y : -1;
}

// Whether neither the cell nor one of the eight around it is sea.
static bool is_inland(const Drying *drying, int x, int y) {
    const Field *field = drying->field;
    float least = field_row(field, y)[x];
    for (int v = y - 1; v <= y + 1; v++) {
        const float *row = field_row(field, neighbour_at(v, field->height, drying->finer->wraps));
        for (int u = x - 1; u <= x + 1; u++)
            least = min(least, row[neighbour_at(u, field->width, drying->finer->wraps)]);
    }
    return least >= drying->sea;
}

// The children of a cell in one row.
static float *children(const Drying *drying, int x, int row) {
    return field_row(drying->finer, row) + (ptrdiff_t)x * drying->side;
}

static float least_child(const Drying *drying, int x, int y) {
    float least = FLT_MAX;
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++)
            least = min(least, children(drying, x, v)[u]);
    return least;
}

// Raises the children of a cell to the sea; by how much their mean is too high then.
static float raise_children(const Drying *drying, int x, int y) {
    double sum = 0;
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++) {
            float *child = children(drying, x, v) + u;
            *child = max(*child, drying->sea);
            sum += (double)*child;
        }
    return (float)(sum / (drying->side * drying->side) - (double)field_row(drying->field, y)[x]);
}

static void raise_rows(void *context, int first, int end) {
    const Drying *drying = context;
    for (int i = first; i < end; i++) {
        const int y = row_of(drying->field, drying->strip.top + i, drying->finer->wraps);
        for (int x = 0; y >= 0 && x < drying->field->width; x++) {
            float *excess = &field_row(drying->excess, y)[x];
            const bool wet = is_inland(drying, x, y) && least_child(drying, x, y) < drying->sea;
            *excess = wet || *excess != 0 ? raise_children(drying, x, y) : 0;
        }
    }
}

// The children of a cell move towards its height until none is below the sea.
static void shrink_children(const Drying *drying, int x, int y) {
    const float mean = field_row(drying->field, y)[x], sea = drying->sea, least = least_child(drying, x, y);
    if (!(least < sea))
        return;
    const float share = (mean - sea) / (mean - least);
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++) {
            float *child = children(drying, x, v) + u;
            *child = max(mean + share * (*child - mean), sea);
        }
}

static void shrink_rows(void *context, int first, int end) {
    const Drying *drying = context;
    for (int i = first; i < end; i++) {
        const int y = row_of(drying->field, drying->strip.top + i, drying->finer->wraps);
        for (int x = 0; y >= 0 && x < drying->field->width; x++)
            if (is_inland(drying, x, y))
                shrink_children(drying, x, y);
    }
}

// --- rounds ------------------------------------------------------------------------------------------------

static bool any_excess(const Field *excess, int y) {
    bool any = false;
    for (int x = 0; x < excess->width; x++)
        any = any || field_row(excess, y)[x] != 0;
    return any;
}

// The rows with an excess and those around that their refinement reaches; none: of height 0.
static Strip strip_of(const Field *excess) {
    int top = excess->height, bottom = 0;
    for (int y = 0; y < excess->height; y++)
        if (any_excess(excess, y)) {
            top = min(top, y);
            bottom = y + 1;
        }
    if (top >= bottom)
        return (Strip){ 0 };
    const Strip strip = { top - REACH, bottom - top + 2 * REACH };
    return strip.height < excess->height ? strip : (Strip){ 0, excess->height };
}

static Status excess_of_strip(const Drying *drying, float haste, Field *taken, Error *error) {
    const Field *excess = drying->excess;
    const Status status = field_create(taken, excess->width, drying->strip.height, error);
    taken->wraps = drying->finer->wraps;
    for (int y = 0; y < taken->height && status == STATUS_OK; y++) {
        const int row = row_of(excess, drying->strip.top + y, taken->wraps);
        for (int x = 0; x < excess->width; x++)
            field_row(taken, y)[x] = row < 0 ? 0 : haste * field_row(excess, row)[x];
    }
    return status;
}

typedef struct Taking {
    const Field *taken;
    Field *finer;
    int top; // the row of `finer` that is the first of `taken`
} Taking;

static void take_rows(void *context, int first, int end) {
    const Taking *taking = context;
    for (int y = first; y < end; y++) {
        const int row = row_of(taking->finer, taking->top + y, taking->finer->wraps);
        for (int x = 0; row >= 0 && x < taking->finer->width; x++)
            field_row(taking->finer, row)[x] -= field_row(taking->taken, y)[x];
    }
}

static Status take_excess(const Run *run, const Drying *drying, int levels, float haste, Error *error) {
    Field taken = { 0 };
    Status status = excess_of_strip(drying, haste, &taken, error);
    for (int l = 0; l < levels && status == STATUS_OK; l++) {
        Field finer = { 0 };
        status = twice_as_fine(run, &taken, &finer, error);
        field_free(&taken);
        taken = finer;
    }
    Taking taking = { &taken, drying->finer, drying->strip.top * drying->side };
    if (status == STATUS_OK)
        status = parallel_rows(run, taken.height, taken.width * 0.5, take_rows, &taking);
    field_free(&taken);
    return status;
}

Status keep_dry(const Run *run, const Field *field, int levels, float sea, Field *finer, Error *error) {
    Field excess = { 0 };
    Drying drying = { field, finer, &excess, 1 << levels, sea, { 0, field->height } };
    const double cost = finer->width * 0.5 * drying.side;
    Status status = field_create(&excess, field->width, field->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        field_cells(&excess)[i] = 0;
    for (int round = 0; round < ROUNDS && drying.strip.height > 0 && status == STATUS_OK; round++) {
        status = parallel_rows(run, drying.strip.height, cost, raise_rows, &drying);
        drying.strip = strip_of(&excess);
        if (status == STATUS_OK && drying.strip.height > 0)
            status = take_excess(run, &drying, levels, round + 1 < ROUNDS ? HASTE : 1, error);
    }
    if (status == STATUS_OK && drying.strip.height > 0)
        status = parallel_rows(run, drying.strip.height, cost, shrink_rows, &drying);
    field_free(&excess);
    return status;
}
