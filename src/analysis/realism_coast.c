// The dimension of the coast, by Minkowski's sausage: the cells within r steps of the shore (which is land
// beside sea; diagonal steps count as one) are as many as (2r + 1)^(2 - D), for r of 1, 2, 4 … up to a
// sixteenth of the field. Unlike counting boxes this does not depend on where a grid of boxes lies.

#include "analysis/survey.h"
#include "core/elementary.h"
#include "core/least_squares.h"
#include "core/memory.h"

#include <string.h>

enum { SHORE_MIN = 64 }; // cells: fewer have no dimension

static bool is_shore(const Survey *survey, int x, int y) {
    const Field *height = survey->height;
    const float sea = survey->sea_level;
    if (field_row(height, y)[x] < sea)
        return false;
    return field_row(height, y)[max(x - 1, 0)] < sea ||
           field_row(height, y)[min(x + 1, height->width - 1)] < sea ||
           field_row(height, max(y - 1, 0))[x] < sea ||
           field_row(height, min(y + 1, height->height - 1))[x] < sea;
}

// The steps of a row's cells from the shore, no more than those from the row before and from one side.
static void step_along(uint16_t *steps, const uint16_t *before, int width, int direction) {
    const int first = direction > 0 ? 0 : width - 1;
    for (int i = 0; i < width; i++) {
        const int x = first + i * direction;
        int least = UINT16_MAX;
        if (i > 0)
            least = steps[x - direction];
        for (int u = max(x - 1, 0); before && u <= min(x + 1, width - 1); u++)
            least = min(least, (int)before[u]);
        steps[x] = (uint16_t)min((int)steps[x], least + 1);
    }
}

// Down and up again (Rosenfeld and Pfaltz 1966): exact, since diagonal steps count as one.
static void find_steps(uint16_t *steps, int width, int height) {
    uint16_t *row = steps;
    for (int y = 0; y < height; y++, row += width)
        step_along(row, y > 0 ? row - width : NULL, width, 1);
    for (int y = 0; y < height; y++) {
        row -= width;
        step_along(row, y > 0 ? row + width : NULL, width, -1);
    }
}

static double dimension(const uint16_t *steps, size_t cells, int furthest, double *within) {
    Line line = { 0 };
    memset(within, 0, (size_t)(furthest + 1) * sizeof *within);
    for (size_t i = 0; i < cells; i++)
        if (steps[i] <= furthest)
            within[steps[i]]++;
    double count = within[0];
    for (int r = 1, next = 1; r <= furthest; r++) {
        count += within[r];
        if (r == next)
            line_add(&line, logarithm(2 * r + 1), logarithm(count));
        next = r == next ? 2 * next : next;
    }
    return 2 - line_slope(&line);
}

static Status measure_coast(Survey *survey, uint16_t *steps, Error *error) {
    const Field *height = survey->height;
    const size_t cells = field_count(height), width = (size_t)height->width;
    const int furthest = min(height->width, height->height) / 16;
    double *within = memory_new((size_t)furthest + 1, sizeof *within, error);
    size_t shore = 0;
    if (!within)
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++) {
        const bool is = is_shore(survey, (int)(i % width), (int)(i / width));
        steps[i] = is ? 0 : UINT16_MAX;
        shore += is;
    }
    if (furthest >= 4 && shore >= SHORE_MIN) {
        find_steps(steps, height->width, height->height);
        survey_set(survey, MEASURE_coast, dimension(steps, cells, furthest, within));
    }
    memory_free(within);
    return STATUS_OK;
}

Status survey_coast(Survey *survey, Error *error) {
    uint16_t *steps = memory_new(field_count(survey->height), sizeof *steps, error);
    if (!steps)
        return STATUS_MEMORY;
    const Status status = measure_coast(survey, steps, error);
    memory_free(steps);
    return status;
}
