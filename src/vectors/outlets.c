#include "vectors/outlets.h"

#include "core/math.h"
#include "places/overlay.h"

int snap_columns(SnapReach reach) {
    return whole_within(mend_rounding(reach.radius / reach.shape.across), 0, SIDE_MAX);
}

int snap_rows(SnapReach reach) {
    return whole_within(mend_rounding(reach.radius / reach.shape.down), 0, SIDE_MAX);
}

size_t snap_cell(const Field *flow, size_t cell, SnapReach reach) {
    const int columns = snap_columns(reach), rows = snap_rows(reach);
    const int x = (int)(cell % (size_t)flow->width), y = (int)(cell / (size_t)flow->width);
    size_t best = cell;
    double nearest = 0;
    for (int j = max(y - rows, 0); j <= min(y + rows, flow->height - 1); j++)
        for (int i = max(x - columns, 0); i <= min(x + columns, flow->width - 1); i++) {
            const double across = (i - x) * reach.shape.across, down = (j - y) * reach.shape.down,
                         squared = across * across + down * down;
            const size_t here = (size_t)j * (size_t)flow->width + (size_t)i;
            const float more = flow->cells[here] - flow->cells[best];
            if (squared <= reach.radius * reach.radius && (more > 0 || (more == 0 && squared < nearest))) {
                best = here;
                nearest = squared;
            }
        }
    return best;
}

Status cells_of_shares(const Numbers *places, const Field *field, size_t *cells, Error *error) {
    (void)error;
    for (int i = 0; i < places->count / 2; i++) {
        const int x = index_within(places->at[2 * i] * field->width, field->width),
                  y = index_within(places->at[2 * i + 1] * field->height, field->height);
        cells[i] = (size_t)y * (size_t)field->width + (size_t)x;
    }
    return STATUS_OK;
}

Status cells_of_points(const Shapes *points, const Field *field, size_t *cells, Error *error) {
    for (int i = 0; i < points->count; i++) {
        const ShapePoint *point = &points->points[i];
        cells[i] = place_cell(point->x, point->y, field->width, field->height);
        if (cells[i] == SIZE_MAX)
            return fail(error, STATUS_INVALID, "point %d lies outside the field, at cell %.6g, %.6g", i + 1,
                        point->x, point->y);
    }
    return STATUS_OK;
}
