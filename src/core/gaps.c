#include "core/gaps.h"

#include "core/kernel.h"
#include "core/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

Gaps *gaps_new_unset(size_t cells, Error *error) {
    Gaps *gaps = memory_new(1, sizeof *gaps + cells, error);
    if (gaps) {
        atomic_init(&gaps->users, 1);
        gaps->count = 0;
    }
    return gaps;
}

Gaps *gaps_new(size_t cells, Error *error) {
    Gaps *gaps = gaps_new_unset(cells, error);
    if (gaps)
        memset(gaps->at, 0, cells);
    return gaps;
}

Gaps *gaps_keep(Gaps *gaps) {
    if (gaps)
        atomic_fetch_add(&gaps->users, 1);
    return gaps;
}

void gaps_release(Gaps *gaps) {
    if (gaps && atomic_fetch_sub(&gaps->users, 1) == 1)
        memory_free(gaps);
}

// Sets the cells in gaps to 0, and counts them.
KERNEL static size_t clear_gaps(const unsigned char *restrict at, float *restrict cells, size_t cell_count) {
    size_t count = 0;
    for (size_t i = 0; i < cell_count; i++)
        count += at[i] != 0;
    if (count > 0)
        for (size_t i = 0; i < cell_count; i++)
            cells[i] = at[i] ? 0 : cells[i];
    return count;
}

void field_set_gaps(Field *field, Gaps *gaps) {
    field_set_counted_gaps(field, gaps,
                           gaps ? clear_gaps(gaps->at, field_cells(field), field_count(field)) : 0);
}

void field_set_counted_gaps(Field *field, Gaps *gaps, size_t count) {
    gaps_release(field->gaps);
    field->gaps = NULL;
    if (count == 0) {
        gaps_release(gaps);
        return;
    }
    if (gaps->count != count)
        gaps->count = count;
    field->gaps = gaps;
}

KERNEL static bool are_finite(const float *restrict cells, size_t count) {
    int others = 0;
    for (size_t i = 0; i < count; i++)
        others |= !(fabsf(cells[i]) <= FLT_MAX);
    return !others;
}

Status gaps_find(Field *field, Error *error) {
    Gaps *gaps = NULL;
    const bool finite = are_finite(field->cells, field_count(field));
    for (size_t i = 0; i < field_count(field) && !finite; i++)
        if (!isfinite(field->cells[i])) {
            if (!gaps && !(gaps = gaps_new(field_count(field), error)))
                return STATUS_MEMORY;
            gaps->at[i] = 1;
        }
    field_set_gaps(field, gaps);
    return STATUS_OK;
}

Status gaps_join(Gaps **all, const Field *field, Error *error) {
    if (!field->gaps || field->gaps == *all)
        return STATUS_OK;
    if (!*all) {
        *all = gaps_keep(field->gaps);
        return STATUS_OK;
    }
    Gaps *both = gaps_new(field_count(field), error);
    if (!both)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(field); i++)
        both->at[i] = (*all)->at[i] | field->gaps->at[i];
    gaps_release(*all);
    *all = both;
    return STATUS_OK;
}

Status gaps_take(Field *field, const Field *mask, Error *error) {
    Gaps *gaps = gaps_new(field_count(field), error);
    if (!gaps)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(field); i++)
        gaps->at[i] = fabsf(mask->cells[i]) > 1e-4f || !field_has_data(field, i);
    field_set_gaps(field, gaps);
    return STATUS_OK;
}
