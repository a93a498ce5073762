#include "erosion/erodibility.h"

#include "core/memory.h"
#include "core/summary.h"

typedef struct Padding {
    const Erodibility *erodibility;
    const Field *mask;
    bool wraps;
} Padding;

static void pad_rows(void *context, int first, int end) {
    const Padding *padding = context;
    const Field *mask = padding->mask;
    for (int i = first; i < end; i++) {
        const float *from = field_row(mask, neighbour_at(i - 1, mask->height, padding->wraps));
        float *to = padding->erodibility->cells + (size_t)i * padding->erodibility->stride;
        for (int x = -1; x <= mask->width; x++)
            to[x + 1] = from[neighbour_at(x, mask->width, padding->wraps)];
    }
}

Status erodibility_check(const Call *call, const Field *mask, Error *error) {
    double least = 0, most = 1;
    const Status status = mask ? field_range(call->run, mask, &least, &most, error) : STATUS_OK;
    if (status == STATUS_OK && (least < 0 || most > 1))
        return fail(error, STATUS_INVALID, "mask must be 0 to 1, got %s to %s", digits_of(least).text,
                    digits_of(most).text);
    return status;
}

Status uplift_map_check(const Call *call, const Field *map, Error *error) {
    double least = 0, most = 1;
    const Status status = map ? field_range(call->run, map, &least, &most, error) : STATUS_OK;
    if (status == STATUS_OK && (least < 0 || most > 1))
        return fail(error, STATUS_INVALID, "uplift_map must be 0 to 1, got %s to %s", digits_of(least).text,
                    digits_of(most).text);
    return status;
}

Status erodibility_create(Erodibility *erodibility, const Call *call, const Field *mask, Error *error) {
    *erodibility = (Erodibility){ .stride = mask ? (size_t)call->width + 2 : 0 };
    const Status status = erodibility_check(call, mask, error);
    if (status != STATUS_OK)
        return status;
    const int width = call->width + 2;
    erodibility->cells = memory_new_cells(width, mask ? call->height + 2 : 1, sizeof(float), error);
    if (!erodibility->cells)
        return STATUS_MEMORY;
    for (int x = 0; !mask && x < width; x++)
        erodibility->cells[x] = 1;
    Padding padding = { erodibility, mask, call->wraps };
    return mask ? parallel_rows(call->run, call->height + 2, call->width * 1.0, pad_rows, &padding)
                : STATUS_OK;
}

void erodibility_free(Erodibility *erodibility) {
    memory_free(erodibility->cells);
}
