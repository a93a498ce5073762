#include "core/rescale.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/summary.h"

Scaling scaling_to(double least, double most, double low, double high) {
    return (Scaling){
        .least = (float)least,
        // Divided by the same difference as the highest cell, so that it becomes `high` exactly.
        .range = most > least ? (float)most - (float)least : 1,
        .low = (float)low,
        .high = (float)high,
        .bottom = (float)min(low, high),
        .top = (float)max(high, low),
    };
}

KERNEL static void scale_row(const float *from, float *to, Scaling scaling, int count) {
    const float rise = scaling.high - scaling.low;
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++) {
        const float scaled = scaling.low + rise * ((from[i] - scaling.least) / scaling.range);
        to[i] = clamp(scaled, scaling.bottom, scaling.top); // rounding may exceed a bound slightly
    }
}

void scale_cells(const Scaling *scaling, const float *from, float *to, int count) {
    scale_row(from, to, *scaling, count);
}

typedef struct Rescaling {
    const Field *from;
    Field *to;
    Scaling scaling;
} Rescaling;

static void scale_rows(void *context, int first, int end) {
    const Rescaling *rescaling = context;
    for (int y = first; y < end; y++)
        scale_cells(&rescaling->scaling, field_row(rescaling->from, y), field_row(rescaling->to, y),
                    rescaling->from->width);
}

Status field_scale_by(const Run *run, const Field *from, Field *to, const Scaling *scaling) {
    Rescaling rescaling = { from, to, *scaling };
    return parallel_rows(run, from->height, from->width * 0.3, scale_rows, &rescaling);
}

Status field_rescale(const Run *run, const Field *from, Field *to, double low, double high, Error *error) {
    double least, most;
    const Status status = field_range(run, from, &least, &most, error);
    if (status != STATUS_OK)
        return status;
    const Scaling scaling = scaling_to(least, most, low, high);
    return field_scale_by(run, from, to, &scaling);
}
