#include "core/finite.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/summary.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

static const char *what_is(double number) {
    return isnan(number) ? "not a number" : "infinite";
}

// --- arrays ------------------------------------------------------------------------------------------------

enum { PART = 1 << 13, MADE = 1 << 14 }; // cells

typedef struct Search {
    const float *numbers;
    size_t count;
    atomic_bool found; // any thread may find one first
} Search;

KERNEL static int32_t largest_magnitude(const float *numbers, size_t count) {
    int32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = max(float_magnitude(numbers[i]), most);
    return most;
}

static void find_not_finite(void *context, int first, int end) {
    Search *search = context;
    const size_t start = (size_t)first * PART, stop = min((size_t)end * PART, search->count);
    if (largest_magnitude(search->numbers + start, stop - start) >= FLOAT_INFINITE)
        search->found = true;
}

Status find_first_not_finite(const Run *run, const float *numbers, size_t count, size_t *first) {
    Search search = { .numbers = numbers, .count = count };
    const int parts = (int)((count + PART - 1) / PART);
    const Status status = parallel_rows(run, parts, PART * 0.1, find_not_finite, &search);
    size_t i = search.found ? 0 : count;
    while (i < count && isfinite(numbers[i]))
        i++;
    *first = i;
    return status;
}

Status field_check_finite(const Run *run, const Field *field, Error *error) {
    size_t i;
    const Status status = find_first_not_finite(run, field->cells, field_count(field), &i);
    if (status != STATUS_OK || i == field_count(field))
        return status;
    return fail(error, STATUS_INVALID, "cell (%zu, %zu) is %s", i % (size_t)field->width,
                i / (size_t)field->width, what_is((double)field->cells[i]));
}

// --- rows that are made ------------------------------------------------------------------------------------

typedef struct Made {
    const Field *field;
    RowsBody *body; // or
    MeasuredBody *measured;
    void *context;
    atomic_bool found;
} Made;

// Rows that stay in the cache until they are looked at.
static int32_t make_few(const Made *made, int first, int end) {
    if (made->measured)
        return made->measured(made->context, first, end);
    made->body(made->context, first, end);
    return largest_magnitude(field_row(made->field, first),
                             (size_t)(end - first) * (size_t)made->field->width);
}

static void make_rows(void *context, int first, int end) {
    Made *made = context;
    const int rows = made->measured ? end - first : max(MADE / made->field->width, 1);
    for (int y = first; y < end; y += rows)
        if (make_few(made, y, min(y + rows, end)) >= FLOAT_INFINITE)
            made->found = true;
}

static Status make_all(const Call *call, double cost_per_row, Made *made) {
    Output *output = &call->outputs[0];
    made->field = &output->field;
    const Status status = parallel_rows(call->run, made->field->height, cost_per_row, make_rows, made);
    output->finite = status == STATUS_OK && !made->found;
    return status;
}

Status finite_rows(const Call *call, double cost_per_row, RowsBody *body, void *context) {
    return make_all(call, cost_per_row, &(Made){ .body = body, .context = context });
}

Status finite_rows_measured(const Call *call, double cost_per_row, MeasuredBody *body, void *context) {
    return make_all(call, cost_per_row, &(Made){ .measured = body, .context = context });
}

// --- outputs -----------------------------------------------------------------------------------------------

static Status check_numbers(const OutputSpec *spec, const Output *output, Error *error) {
    if (!isfinite(output->number))
        return fail(error, STATUS_INVALID, "%s is %s", spec->name, what_is(output->number));
    for (int i = 0; i < output->numbers.count; i++)
        if (!isfinite(output->numbers.at[i]))
            return fail(error, STATUS_INVALID, "%s: number %d is %s", spec->name, i + 1,
                        what_is(output->numbers.at[i]));
    return STATUS_OK;
}

// Why a result may be that: the range of each field that was given.
static void blame(const Call *call, const Operation *operation, const char *found, Error *error) {
    size_t used = 0;
    Error ranges = { "" };
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++) {
        double low, high;
        if (!call->inputs[i].field ||
            field_range(call->run, call->inputs[i].field, &low, &high, NULL) != STATUS_OK)
            continue;
        const int wrote = snprintf(ranges.text + used, sizeof ranges.text - used, "%s%s is %.4g to %.4g",
                                   used > 0 ? ", " : ": ", operation->inputs[i].name, low, high);
        used = min(used + (size_t)max(wrote, 0), sizeof ranges.text - 1);
    }
    fail(error, STATUS_INVALID, "the result's %s%s", found, ranges.text);
}

Status outputs_check_finite(const Call *call, const Operation *operation, Error *error) {
    const Output *outputs = call->outputs;
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        Error found;
        Status status = check_numbers(&operation->outputs[i], &outputs[i], &found);
        const ValueType *type = outputs[i].type;
        const void *value = type->check && !outputs[i].finite ? output_value(&outputs[i]) : NULL;
        if (status == STATUS_OK && value)
            status = type->check(call->run, value, &found);
        if (status == STATUS_INVALID)
            blame(call, operation, found.text, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
