#include "core/finite.h"

#include "core/kernel.h"
#include "core/math.h"

#include <math.h>
#include <stdatomic.h>

static const char *what_is(double number) {
    return isnan(number) ? "not a number" : "infinite";
}

// --- fields ------------------------------------------------------------------------------------------------

typedef struct Search {
    const Field *field;
    atomic_bool found; // any thread may find one first
} Search;

KERNEL static void find_not_finite(void *context, int first, int end) {
    Search *search = context;
    const float *cells = field_row(search->field, first);
    const size_t count = (size_t)(end - first) * (size_t)search->field->width;
    int32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = max(float_magnitude(cells[i]), most);
    if (most >= FLOAT_INFINITE)
        search->found = true;
}

Status field_check_finite(const Run *run, const Field *field, Error *error) {
    Search search = { .field = field };
    const Status status = parallel_rows(run, field->height, field->width * 0.1, find_not_finite, &search);
    if (status != STATUS_OK || !search.found)
        return status;
    size_t i = 0;
    while (isfinite(field->cells[i]))
        i++;
    return fail(error, STATUS_INVALID, "cell (%zu, %zu) is %s", i % (size_t)field->width,
                i / (size_t)field->width, what_is((double)field->cells[i]));
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

Status outputs_check_finite(const Run *run, const Operation *operation, const Output *outputs, Error *error) {
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        Error found;
        Status status = check_numbers(&operation->outputs[i], &outputs[i], &found);
        const ValueType *type = outputs[i].type;
        const void *value = type->check ? output_value(&outputs[i]) : NULL;
        if (status == STATUS_OK && value)
            status = type->check(run, value, &found);
        if (status == STATUS_INVALID)
            return fail(error, status, "the result's %s", found.text);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
