#include "water/flow.h"

#include "core/memory.h"
#include "water/accumulation.h"
#include "water/downstream.h"
#include "water/parted_flow.h"

#include <float.h>
#include <math.h>

Status flow_check_rain(const Field *rain, Error *error) {
    for (size_t i = 0; rain && i < field_count(rain); i++)
        if (rain->cells[i] < 0)
            return fail(error, STATUS_INVALID, "rain must be 0 or more, got %s at cell (%zu, %zu)",
                        digits_of((double)rain->cells[i]).text, i % (size_t)rain->width,
                        i / (size_t)rain->width);
    return STATUS_OK;
}

// --- accumulation ------------------------------------------------------------------------------------------

// The share of a cell's water that goes to one of the neighbours into which it drains.
static double share_of(const Flow *flow, size_t cell, int direction) {
    if (!flow->share || flow->second[cell] == NO_SECOND)
        return 1;
    const double second = flow->share[cell] * (1 / 65535.0);
    return flow->second[cell] == direction ? second : 1 - second;
}

static void add_donors(void *context, const uint32_t *cells, int count, const uint8_t *donors) {
    Flow *flow = context;
    const Field size = flow->sum;
    const float *rain = flow->rain ? flow->rain->cells : NULL;
    float *sums = field_cells(&flow->sum), *rests = flow->rest;
    for (int k = 0; k < count; k++) {
        const size_t cell = cells[k];
        double sum = rain ? (double)rain[cell] : 1;
        for (unsigned left = donors[cell]; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const size_t from = neighbour_of(&size, cell, i);
            const double all = (double)sums[from] + (double)rests[from];
            sum += all * share_of(flow, from, (i + NEIGHBOURS / 2) % NEIGHBOURS);
        }
        sums[cell] = (float)sum;
        rests[cell] = (float)(sum - (double)(float)sum);
    }
}

// Rain may be as large as numbers go; its sum is not.
static Status check_sums(const Field *sum, Error *error) {
    for (size_t i = 0; i < field_count(sum); i++)
        if (!isfinite(sum->cells[i]))
            return fail(error, STATUS_INVALID,
                        "rain is too much: what drains through cell (%zu, %zu) is more than %s",
                        i % (size_t)sum->width, i / (size_t)sum->width, digits_of((double)FLT_MAX).text);
    return STATUS_OK;
}

Status flow_accumulate(const Run *run, Flow *flow, Error *error) {
    const size_t cells = field_count(&flow->sum);
    if (!flow->rain && !flow->share && cells < UINT32_MAX)
        return count_cells_above(run, flow->drainage.direction, &flow->sum, error);
    flow->rest = memory_new(cells, sizeof *flow->rest, error);
    if (!flow->rest)
        return STATUS_MEMORY;
    const Downstream downstream = { .width = flow->sum.width,
                                    .height = flow->sum.height,
                                    .direction = flow->drainage.direction,
                                    .second = flow->second,
                                    .visit = add_donors,
                                    .context = flow };
    const Status status = visit_downstream(run, &downstream, error);
    memory_free(flow->rest);
    return status == STATUS_OK && flow->rain ? check_sums(&flow->sum, error) : status;
}

// --- both --------------------------------------------------------------------------------------------------

Status flow_find(const Run *run, Flow *flow, bool parted, Error *error) {
    const size_t cells = field_count(&flow->sum);
    Status status = drainage_find(run, &flow->drainage, error);
    if (status != STATUS_OK || !parted)
        return status;
    if (!(flow->share = memory_new(cells, sizeof *flow->share, error)) ||
        !(flow->second = memory_new(cells, sizeof *flow->second, error)))
        return STATUS_MEMORY;
    return part_flow(run, &flow->drainage, flow->share, flow->second);
}

void flow_free(Flow *flow) {
    memory_free(flow->share);
    memory_free(flow->second);
    memory_free(flow->drainage.direction);
}
