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

KERNEL static void scale_row(float *restrict cells, Scaling scaling, int count) {
    const float rise = scaling.high - scaling.low;
    for (int i = 0; i < count; i++) {
        const float scaled = scaling.low + rise * ((cells[i] - scaling.least) / scaling.range);
        cells[i] = clamp(scaled, scaling.bottom, scaling.top); // rounding may exceed a bound slightly
    }
}

void scale_cells(const Scaling *scaling, float *cells, int count) {
    scale_row(cells, *scaling, count);
}

typedef struct Rescaling {
    Field *field;
    Scaling scaling;
} Rescaling;

static void scale_rows(void *context, int first, int end) {
    const Rescaling *rescaling = context;
    for (int y = first; y < end; y++)
        scale_cells(&rescaling->scaling, field_row(rescaling->field, y), rescaling->field->width);
}

Status field_scale_by(const Run *run, Field *field, const Scaling *scaling) {
    Rescaling rescaling = { field, *scaling };
    return parallel_rows(run, field->height, field->width * 0.3, scale_rows, &rescaling);
}

Status field_rescale(const Run *run, Field *field, double low, double high, Error *error) {
    double least, most;
    const Status status = field_range(run, field, &least, &most, error);
    if (status != STATUS_OK)
        return status;
    const Scaling scaling = scaling_to(least, most, low, high);
    return field_scale_by(run, field, &scaling);
}
