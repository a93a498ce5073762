// Lists the flats of a field: its connected cells without direction (drainage.h). A flat is a list of
// stretches, which are cells of it side by side in a row.

#ifndef ESKER_FLAT_LIST_H
#define ESKER_FLAT_LIST_H

#include "core/error.h"
#include "core/parallel.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Stretch {
    uint32_t start, end; // cells; `end` is the one after the last
} Stretch;

typedef struct FlatList {
    Stretch *stretches; // flat by flat, those of a flat in the order of their cells
    uint32_t *first;    // of each flat: its first stretch; one more: the count of all
    int count;          // of flats
    size_t cells;       // in all flats
} FlatList;

// Lists the flats among the rows `first` … `end` - 1 that reach neither the first nor the last of these rows.
// `direction` holds rows of `width` cells, of which the first and the last are in no flat. The list is freed
// by flat_list_free, also after a failure.
Status flat_list_create(const Run *run, FlatList *list, const uint8_t *direction, int width, int first,
                        int end, Error *error);

void flat_list_free(FlatList *list);

#endif
