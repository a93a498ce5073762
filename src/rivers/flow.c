#include "rivers/flow.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivers/cell_queue.h"
#include "rivers/counting.h"

#include <math.h>
#include <string.h>

// --- D-infinity --------------------------------------------------------------------------------------------

// The steepest of the eight triangles around a cell (Tarboton 1997, equations 1 to 5): flow parts between the
// two neighbours of the triangle by its angle from either. Facet i lies between the neighbour 2⌊i/2⌋, which
// shares a side, and a diagonal one: the next clockwise for even i, counter-clockwise for odd.
typedef struct Facet {
    double slope;   // height per cell
    double tangent; // of the slope's angle from the neighbour that shares a side, 0 … PI / 4: so 0 … 1
    int beside, diagonal;
} Facet;

static Facet facet_of(const Field *filled, size_t cell, int i) {
    Facet facet = { .beside = i & ~1 };
    facet.diagonal = (facet.beside + (i & 1 ? NEIGHBOURS - 1 : 1)) % NEIGHBOURS;
    const double e0 = (double)filled->cells[cell];
    const double e1 = (double)filled->cells[neighbour_of(filled, cell, facet.beside)];
    const double e2 = (double)filled->cells[neighbour_of(filled, cell, facet.diagonal)];
    const double s1 = e0 - e1, s2 = e1 - e2;
    if (s2 <= 0) {
        facet.slope = s1;
    } else if (s2 >= s1) {
        facet.slope = (e0 - e2) * 0.70710678118654752440;
        facet.tangent = 1;
    } else {
        facet.slope = sqrt(s1 * s1 + s2 * s2);
        facet.tangent = s2 / s1;
    }
    return facet;
}

static void part_flow(const Flow *flow, size_t cell) {
    Facet steepest = { .slope = 0 };
    for (int i = 0; i < NEIGHBOURS; i++) {
        const Facet facet = facet_of(&flow->drainage.filled, cell, i);
        if (facet.slope > steepest.slope)
            steepest = facet;
    }
    flow->share[cell] = 0;
    if (!(steepest.slope > 0))
        return;                                            // flat: follows the flood
    const double angle = arctangent2(steepest.tangent, 1); // of the steepest facet only, since it is slow
    const int share = whole_within(angle * (4 / PI) * 65535 + 0.5, 0, 65535);
    const bool all = share == 65535;
    flow->drainage.direction[cell] = (uint8_t)(all ? steepest.diagonal : steepest.beside);
    // The lowest bit says on which side of the first neighbour the second is.
    flow->share[cell] =
        all || share < 2
            ? 0
            : (uint16_t)((share & ~1) | (steepest.diagonal == (steepest.beside + 1) % NEIGHBOURS ? 1 : 0));
}

static void part_rows(void *context, int first, int end) {
    const Flow *flow = context;
    const Field *filled = &flow->drainage.filled;
    for (int y = first; y < end; y++)
        for (int x = 0; x < filled->width; x++) {
            const size_t cell = (size_t)y * (size_t)filled->width + (size_t)x;
            const bool border = x == 0 || y == 0 || x == filled->width - 1 || y == filled->height - 1;
            if (!border && filled->cells[cell] >= (float)flow->drainage.sea_level)
                part_flow(flow, cell);
            else
                flow->share[cell] = 0; // along the border as D8
        }
}

Status flow_check_rain(const Field *rain, Error *error) {
    for (size_t i = 0; rain && i < field_count(rain); i++)
        if (rain->cells[i] < 0)
            return fail(error, STATUS_INVALID, "rain must be 0 or more, got %s at cell (%zu, %zu)",
                        digits_of((double)rain->cells[i]).text, i % (size_t)rain->width,
                        i / (size_t)rain->width);
    return STATUS_OK;
}

// --- accumulation ------------------------------------------------------------------------------------------

typedef struct Receivers {
    int count;
    size_t at[2];
    float share[2];
} Receivers;

static inline Receivers receivers_of(const Flow *flow, size_t cell) {
    const int direction = flow->drainage.direction[cell];
    Receivers receivers = { 0 };
    if (direction == DRAINS_OFF)
        return receivers;
    receivers.at[receivers.count] = neighbour_of(&flow->sum, cell, direction);
    receivers.share[receivers.count++] = 1;
    const uint16_t share = flow->share ? flow->share[cell] : 0;
    if (share) {
        const int second = (direction + (share & 1 ? 1 : NEIGHBOURS - 1)) % NEIGHBOURS;
        receivers.at[receivers.count] = neighbour_of(&flow->sum, cell, second);
        receivers.share[receivers.count++] = (float)(share & ~1) / 65535.0f;
        receivers.share[0] = 1 - receivers.share[1];
    }
    return receivers;
}

static void add_flow(Flow *flow, size_t cell, float amount) {
    const float sum = flow->sum.cells[cell], with = sum + amount, part = with - sum;
    flow->rest[cell] += (sum - (with - part)) + (amount - part); // the rounding error (Knuth, two-sum)
    field_cells(&flow->sum)[cell] = with;
}

// Passes on the water of a complete cell, and of the cells below that become complete.
static bool pass_down(Flow *flow, Queue *ready, size_t cell, Error *error) {
    enum { DONE = 255 };
    for (;;) {
        const Receivers receivers = receivers_of(flow, cell);
        size_t next = SIZE_MAX;
        flow->above[cell] = DONE;
        for (int i = 0; i < receivers.count; i++) {
            const size_t to = receivers.at[i];
            add_flow(flow, to, flow->sum.cells[cell] * receivers.share[i]);
            flow->rest[to] += flow->rest[cell] * receivers.share[i];
            if (--flow->above[to] > 0)
                continue;
            if (next != SIZE_MAX && !queue_append(ready, to, error))
                return false;
            next = next == SIZE_MAX ? to : next;
        }
        if (next == SIZE_MAX && ready->count == 0)
            return true;
        cell = next == SIZE_MAX ? stack_take(ready) : next;
    }
}

Status flow_accumulate(const Run *run, Flow *flow, Error *error) {
    const size_t cells = field_count(&flow->sum);
    if (!flow->rain && !flow->share && cells < UINT32_MAX)
        return count_cells_above(run, flow->drainage.direction, &flow->sum, error);
    Queue ready = { 0 };
    Status status = STATUS_OK;
    if (!(flow->rest = memory_new(cells, sizeof *flow->rest, error)) ||
        !(flow->above = memory_new(cells, 1, error)))
        return STATUS_MEMORY;
    memset(flow->rest, 0, cells * sizeof *flow->rest);
    memset(flow->above, 0, cells);
    for (size_t i = 0; i < cells; i++) {
        const Receivers receivers = receivers_of(flow, i);
        for (int k = 0; k < receivers.count; k++)
            flow->above[receivers.at[k]]++;
        field_cells(&flow->sum)[i] = flow->rain ? flow->rain->cells[i] : 1;
    }
    for (size_t i = 0; i < cells && status == STATUS_OK; i++) {
        if (i % (1 << 16) == 0)
            status = run_advance(run, (double)i, (double)cells);
        if (status == STATUS_OK && flow->above[i] == 0 && !pass_down(flow, &ready, i, error))
            status = STATUS_MEMORY;
    }
    for (size_t i = 0; i < cells; i++)
        field_cells(&flow->sum)[i] += flow->rest[i];
    memory_free(ready.at);
    return status;
}

// --- both --------------------------------------------------------------------------------------------------

Status flow_find(const Run *run, Flow *flow, bool parted, Error *error) {
    const Field *height = flow->drainage.height;
    const size_t cells = field_count(height);
    Status status = drainage_find(run, &flow->drainage, error);
    if (status == STATUS_OK && parted && !(flow->share = memory_new(cells, sizeof *flow->share, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK && parted)
        status = parallel_rows(run, height->height, height->width * 60.0, part_rows, flow);
    return status;
}

void flow_forget(Flow *flow) {
    memory_free(flow->above);
    memory_free(flow->rest);
    flow->above = NULL;
    flow->rest = NULL;
}

void flow_free(Flow *flow) {
    flow_forget(flow);
    memory_free(flow->share);
    memory_free(flow->drainage.direction);
}
