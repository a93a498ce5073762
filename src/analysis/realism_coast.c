// The dimension D of the coast, by Minkowski's sausage: the number of cells within r steps of the shore (land
// beside sea; diagonal steps count as one) grows as (2r + 1)^(2 - D), for r of 1, 2, 4 … up to a sixteenth of
// the field. Unlike counting boxes this does not depend on where a grid of boxes lies.

#include "analysis/survey.h"
#include "core/elementary.h"
#include "core/kernel.h"
#include "core/least_squares.h"
#include "core/memory.h"

#include <string.h>

enum {
    SHORE_MIN = 64, // cells: fewer have no dimension
    FAR = 60000,    // steps, more than are looked at, to which more can be added
    SHARES = 16,    // of the rows, counted side by side
};

typedef struct Coast {
    const Survey *survey;
    int furthest;
    uint16_t *steps;  // of each cell, from the shore
    uint32_t *shore;  // cells of each row
    uint64_t *within; // cells by their steps, of each share
} Coast;

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

// Steps along a row: from its shore alone.
static void step_along(uint16_t *steps, int width) {
    for (int x = 1; x < width; x++)
        steps[x] = (uint16_t)min((int)steps[x], steps[x - 1] + 1);
    for (int x = width - 2; x >= 0; x--)
        steps[x] = (uint16_t)min((int)steps[x], steps[x + 1] + 1);
}

static uint16_t fewer(uint16_t one, uint16_t other) {
    return one < other ? one : other;
}

// From a row to the next: straight or diagonally. Steps along the row are known.
KERNEL static void step_across(const uint16_t *restrict before, uint16_t *restrict steps, int width) {
    steps[0] = fewer(steps[0], (uint16_t)(fewer(before[0], before[min(1, width - 1)]) + 1));
    for (int x = 1; x < width - 1; x++)
        steps[x] = fewer(steps[x], (uint16_t)(fewer(fewer(before[x - 1], before[x]), before[x + 1]) + 1));
    if (width > 1)
        steps[width - 1] =
            fewer(steps[width - 1], (uint16_t)(fewer(before[width - 2], before[width - 1]) + 1));
}

static void find_shore(void *context, int first, int end) {
    const Coast *coast = context;
    const int width = coast->survey->height->width;
    for (int y = first; y < end; y++) {
        uint16_t *steps = coast->steps + (size_t)y * (size_t)width;
        uint32_t shore = 0;
        for (int x = 0; x < width; x++) {
            const bool is = is_shore(coast->survey, x, y);
            steps[x] = is ? 0 : FAR;
            shore += is;
        }
        if (shore > 0)
            step_along(steps, width);
        coast->shore[y] = shore;
    }
}

// Down and up again (Rosenfeld and Pfaltz 1966): exact, since diagonal steps count as one.
static void step_across_all(const Coast *coast) {
    const int height = coast->survey->height->height, width = coast->survey->height->width;
    uint16_t *row = coast->steps;
    for (int y = 1; y < height; y++, row += width)
        step_across(row, row + width, width);
    for (int y = 1; y < height; y++, row -= width)
        step_across(row, row - width, width);
}

static void count_steps(void *context, int first, int end) {
    const Coast *coast = context;
    const int height = coast->survey->height->height;
    const size_t width = (size_t)coast->survey->height->width;
    for (int share = first; share < end; share++) {
        uint64_t *within = coast->within + (size_t)share * (size_t)(coast->furthest + 1);
        memset(within, 0, (size_t)(coast->furthest + 1) * sizeof *within);
        const size_t start = (size_t)((int64_t)height * share / SHARES) * width;
        const size_t after = (size_t)((int64_t)height * (share + 1) / SHARES) * width;
        for (size_t i = start; i < after; i++)
            if (coast->steps[i] <= coast->furthest)
                within[coast->steps[i]]++;
    }
}

static double dimension(const Coast *coast) {
    Line line = { 0 };
    double count = 0;
    for (int r = 0, next = 1; r <= coast->furthest; r++) {
        for (int share = 0; share < SHARES; share++)
            count += (double)coast->within[share * (coast->furthest + 1) + r];
        if (r == next)
            line_add(&line, logarithm(2 * r + 1), logarithm(count));
        next = r == next ? 2 * next : next;
    }
    return 2 - line_slope(&line);
}

static Status measure_coast(Survey *survey, const Coast *coast) {
    const Field *height = survey->height;
    size_t shore = 0;
    Status status =
        parallel_rows(survey->run, height->height, height->width * 5.0, find_shore, (void *)coast);
    for (int y = 0; status == STATUS_OK && y < height->height; y++)
        shore += coast->shore[y];
    if (status != STATUS_OK || coast->furthest < 4 || shore < SHORE_MIN)
        return status;
    step_across_all(coast);
    status =
        parallel_rows(survey->run, SHARES, (double)field_count(height) / SHARES, count_steps, (void *)coast);
    if (status == STATUS_OK)
        survey_set(survey, MEASURE_coast, dimension(coast));
    return status;
}

Status survey_coast(Survey *survey, Error *error) {
    const Field *height = survey->height;
    Coast coast = { .survey = survey, .furthest = min(height->width, height->height) / 16 };
    Status status = STATUS_MEMORY;
    if ((coast.steps = memory_new(field_count(height), sizeof *coast.steps, error)) &&
        (coast.shore = memory_new((size_t)height->height, sizeof *coast.shore, error)) &&
        (coast.within = memory_new(SHARES * ((size_t)coast.furthest + 1), sizeof *coast.within, error)))
        status = measure_coast(survey, &coast);
    memory_free(coast.steps);
    memory_free(coast.shore);
    memory_free(coast.within);
    return status;
}
