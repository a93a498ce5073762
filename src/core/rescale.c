#include "core/rescale.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/summary.h"

typedef struct Scaling {
    Field *field;
    float min, range, low, high, bottom, top;
} Scaling;

KERNEL static void scale_rows(void *context, int first, int end) {
    const Scaling *scaling = context;
    const float min = scaling->min, range = scaling->range;
    const float low = scaling->low, rise = scaling->high - low;
    const float bottom = scaling->bottom, top = scaling->top;
    for (int y = first; y < end; y++) {
        float *row = field_row(scaling->field, y);
        for (int x = 0; x < scaling->field->width; x++) {
            const float scaled = low + rise * ((row[x] - min) / range);
            row[x] = clamp(scaled, bottom, top); // rounding may exceed a bound slightly
        }
    }
}

Status field_rescale(const Run *run, Field *field, double low, double high, Error *error) {
    double min, max;
    const Status status = field_range(run, field, &min, &max, error);
    if (status != STATUS_OK)
        return status;
    Scaling scaling = {
        .field = field,
        .min = (float)min,
        // Divided by the same difference as the highest cell, so that it becomes `high` exactly.
        .range = max > min ? (float)max - (float)min : 1,
        .low = (float)low,
        .high = (float)high,
        .bottom = (float)min(low, high),
        .top = (float)max(high, low),
    };
    return parallel_rows(run, field->height, field->width * 0.3, scale_rows, &scaling);
}
