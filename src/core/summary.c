#include "core/summary.h"

#include "core/kernel.h"
#include "core/memory.h"

#include <math.h>

enum { LANES = 8 };

typedef struct Partial { // of one row; sums of h - shift and of its square
    double sum, squares;
    float min, max;
} Partial;

typedef struct Summing {
    const Field *field;
    double shift; // some height of the field: the squares of the differences keep their digits
    Partial *partials;
} Summing;

KERNEL static void sum_rows(void *context, int first, int end) {
    const Summing *summing = context;
    const int width = summing->field->width;
    const double shift = summing->shift;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(summing->field, y);
        double sums[LANES] = { 0 }, squares[LANES] = { 0 };
        float least[LANES], most[LANES];
        for (int lane = 0; lane < LANES; lane++)
            least[lane] = most[lane] = row[0];
        int x = 0;
        for (; x + LANES <= width; x += LANES)
            for (int lane = 0; lane < LANES; lane++) {
                const float height = row[x + lane];
                const double off = (double)height - shift;
                sums[lane] += off;
                squares[lane] += off * off;
                least[lane] = height < least[lane] ? height : least[lane];
                most[lane] = height > most[lane] ? height : most[lane];
            }
        for (int lane = 0; x + lane < width; lane++) {
            const float height = row[x + lane];
            const double off = (double)height - shift;
            sums[lane] += off;
            squares[lane] += off * off;
            least[lane] = height < least[lane] ? height : least[lane];
            most[lane] = height > most[lane] ? height : most[lane];
        }
        Partial partial = { 0, 0, least[0], most[0] };
        for (int lane = 0; lane < LANES; lane++) {
            partial.sum += sums[lane];
            partial.squares += squares[lane];
            partial.min = least[lane] < partial.min ? least[lane] : partial.min;
            partial.max = most[lane] > partial.max ? most[lane] : partial.max;
        }
        summing->partials[y] = partial;
    }
}

Status field_summarise(const Run *run, const Field *field, Summary *summary, Error *error) {
    Summing summing = { .field = field, .shift = (double)field->cells[0] };
    summing.partials = memory_new((size_t)field->height, sizeof *summing.partials, error);
    if (!summing.partials)
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, field->height, field->width * 0.2, sum_rows, &summing);
    if (status == STATUS_OK) {
        Partial total = summing.partials[0];
        for (int y = 1; y < field->height; y++) {
            const Partial *row = &summing.partials[y];
            total.sum += row->sum;
            total.squares += row->squares;
            total.min = row->min < total.min ? row->min : total.min;
            total.max = row->max > total.max ? row->max : total.max;
        }
        const double count = (double)field_count(field), off = total.sum / count;
        const double variance = total.squares / count - off * off;
        *summary = (Summary){
            .min = (double)total.min,
            .max = (double)total.max,
            .mean = summing.shift + off,
            .stddev = variance > 0 ? sqrt(variance) : 0,
            .sum = summing.shift * count + total.sum,
        };
    }
    memory_free(summing.partials);
    return status;
}
