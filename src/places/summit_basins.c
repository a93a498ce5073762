// Which summit each cell reaches uphill within its band.

#include "places/summit_search.h"

#include "core/kernel.h"
#include "water/drainage.h"

// Points the inner cells of a row to a higher neighbour, if one is; `first` is the row's first cell.
KERNEL static void point_uphill(const float *restrict up, const float *restrict row,
                                const float *restrict down, uint32_t *restrict to, int width, uint32_t first,
                                float sign, float sea) {
    for (int x = 1; x < width - 1; x++) {
        float most = sign * max(row[x], sea);
        int at = x;
#define LOOK(neighbour, more, place)                                                                         \
    {                                                                                                        \
        const float level = sign * max(neighbour, sea);                                                      \
        at = level more most ? (place) : at;                                                                 \
        most = level more most ? level : most;                                                               \
    }
        LOOK(up[x - 1], >=, x - width - 1)
        LOOK(up[x], >=, x - width)
        LOOK(up[x + 1], >=, x - width + 1)
        LOOK(row[x - 1], >=, x - 1)
        LOOK(row[x + 1], >, x + 1)
        LOOK(down[x - 1], >, x + width - 1)
        LOOK(down[x], >, x + width)
        LOOK(down[x + 1], >, x + width + 1)
#undef LOOK
        to[x] = first + (uint32_t)at;
    }
}

// The same for a cell at an edge of the band of rows `first` … `end` - 1.
static uint32_t uphill(const Search *search, int x, int y, int first, int end) {
    const Summits *summits = search->summits;
    const int width = summits->height->width;
    uint32_t highest = first_cell(search, y) + (uint32_t)x;
    uint64_t place = place_of(search, highest);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int row = y + neighbour_y[i], beside = x + neighbour_x[i];
        const int column = summits->wraps ? (beside + width) % width : beside;
        if (row < first || row >= end || column < 0 || column >= width)
            continue;
        const uint32_t cell = first_cell(search, row) + (uint32_t)column;
        const uint64_t other = place_of(search, cell);
        highest = other < place ? cell : highest;
        place = min(other, place);
    }
    return highest;
}

// Follows a cell uphill, and gives all on the way its summit.
static void climb_from(uint32_t *summit, uint32_t cell) {
    uint32_t at = cell;
    while (summit[at] != at)
        at = summit[at];
    for (uint32_t next; cell != at; cell = next) {
        next = summit[cell];
        summit[cell] = at;
    }
}

static void climb_band(const Search *search, int index) {
    const Summits *summits = search->summits;
    const Field *height = summits->height;
    const int first = first_row(search, index), end = end_row(search, index), width = height->width;
    uint32_t *summit = search->summit;
    for (int y = first; y < end; y++) {
        const uint32_t row = first_cell(search, y);
        const bool inner = y > first && y < end - 1;
        if (inner)
            point_uphill(field_row(height, y - 1), field_row(height, y), field_row(height, y + 1),
                         summit + row, width, row, summits->sign, summits->sea_level);
        for (int x = 0; x < width; x += inner ? max(width - 1, 1) : 1)
            summit[row + (uint32_t)x] = uphill(search, x, y, first, end);
    }
    Band *band = &search->bands[index];
    band->highest = band->lowest = place_of(search, first_cell(search, first));
    const uint32_t after = first_cell(search, end - 1) + (uint32_t)width;
    for (uint32_t i = first_cell(search, first); i < after; i++) {
        const uint64_t place = place_of(search, i);
        band->highest = min(band->highest, place);
        band->lowest = max(band->lowest, place);
        climb_from(summit, i);
    }
}

void climb_bands(void *context, int first, int end) {
    for (int band = first; band < end; band++)
        climb_band(context, band);
}
