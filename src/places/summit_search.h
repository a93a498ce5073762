// What the steps of the search for summits share (internal to src/places): the ground in bands of rows, and
// the summit of each cell.

#ifndef ESKER_SUMMIT_SEARCH_H
#define ESKER_SUMMIT_SEARCH_H

#include "core/math.h"
#include "places/saddles.h"
#include "places/summits.h"
#include "water/cell_queue.h"

typedef struct Band {
    Saddles saddles;
    uint64_t highest, lowest; // places of its cells
} Band;

typedef struct Search {
    Summits *summits;
    uint32_t *summit; // of each cell; of one that ended a higher one
    uint8_t *open;    // of a summit: whether its ground touches an edge of its band
    Band *bands;
    int band_rows, band_count;
    int group; // the first band of the current group
} Search;

static inline float level_at(const Summits *summits, size_t cell) {
    return summits->sign * surface_at(summits, cell) + 0.0f;
}

// In the order of heights, the highest first; equally high cells are in the order of rows.
static inline uint64_t place_of(const Search *search, uint32_t cell) {
    return (uint64_t)~ordered_bits(level_at(search->summits, cell)) << 32 | cell;
}

static inline int first_row(const Search *search, int band) {
    return band * search->band_rows;
}

static inline int end_row(const Search *search, int band) {
    return min(first_row(search, band + 1), search->summits->height->height);
}

static inline uint32_t first_cell(const Search *search, int y) {
    return (uint32_t)y * (uint32_t)search->summits->height->width;
}

// Gives the cells of bands `first` … `end` - 1 the summits that they reach uphill within their band, and each
// band its highest and lowest cell; a RowsBody.
void climb_bands(void *search, int first, int end);

#endif
