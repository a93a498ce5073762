#include "vectors/outlets.h"

#include "core/math.h"
#include "places/overlay.h"

size_t snap_cell(const Field *flow, size_t cell, double radius) {
    const int reach = whole_within(radius, 0, SIDE_MAX);
    const int x = (int)(cell % (size_t)flow->width), y = (int)(cell / (size_t)flow->width);
    size_t best = cell;
    int64_t nearest = 0;
    for (int j = max(y - reach, 0); j <= min(y + reach, flow->height - 1); j++)
        for (int i = max(x - reach, 0); i <= min(x + reach, flow->width - 1); i++) {
            const int64_t squared = (int64_t)(i - x) * (i - x) + (int64_t)(j - y) * (j - y);
            const size_t here = (size_t)j * (size_t)flow->width + (size_t)i;
            const float more = flow->cells[here] - flow->cells[best];
            if ((double)squared <= radius * radius && (more > 0 || (more == 0 && squared < nearest))) {
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
