#include "erosion/erodibility.h"

#include "core/summary.h"
#include "erosion/in_place.h"

Status erodibility_create(Erodibility *erodibility, const Call *call, const Field *mask, bool woven,
                          Error *error) {
    *erodibility = (Erodibility){ .everywhere = !mask, .owned = !mask || woven };
    if (!mask) {
        const Status status = field_create(&erodibility->cells, call->width, 1, error);
        for (int x = 0; status == STATUS_OK && x < call->width; x++)
            field_cells(&erodibility->cells)[x] = 1;
        return status;
    }
    double least = 0, most = 1;
    Status status = field_range(call->run, mask, &least, &most, error);
    if (status == STATUS_OK && (least < 0 || most > 1))
        status = fail(error, STATUS_INVALID, "mask must be 0 to 1, got %s to %s", digits_of(least).text,
                      digits_of(most).text);
    if (status == STATUS_OK && !woven)
        erodibility->cells = *mask;
    if (status == STATUS_OK && woven)
        status = field_create(&erodibility->cells, call->width, call->height, error);
    if (status == STATUS_OK && woven)
        status = weave(call->run, mask, &erodibility->cells);
    return status;
}

void erodibility_free(Erodibility *erodibility) {
    if (erodibility->owned)
        field_free(&erodibility->cells);
}
