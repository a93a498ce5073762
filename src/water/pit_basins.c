#include "water/pit_basins.h"

#include "core/counts.h"
#include "core/disjoint_sets.h"
#include "core/memory.h"
#include "water/downhill.h"

#include <string.h>

enum { TOP, BOTTOM, EDGES };

typedef struct Labelling {
    const Field *height;
    float sea;
    RowBands bands;
    uint32_t *label;
    uint32_t *first; // of each band, its first basin among those of all; one more at the end
    uint32_t *over;  // of each cell in the first and the last row of a band, the one into which it drains
                     // beyond the band; itself, if it does not
    uint32_t *next;  // of each basin the one in which it goes on; itself: a pit's, or outlets
    uint32_t *leaf;  // of each basin
    uint32_t *cells; // of each basin, how many it has
} Labelling;

#define NOT_NUMBERED UINT32_MAX

static size_t row_start(const Labelling *labelling, int y) {
    return (size_t)y * (size_t)labelling->height->width;
}

static uint32_t *over_row(const Labelling *labelling, int band, int edge) {
    return labelling->over + (size_t)(band * EDGES + edge) * (size_t)labelling->height->width;
}

// --- bands -----------------------------------------------------------------------------------------------

static void label_row(const Labelling *labelling, int y, uint32_t place) {
    const Field *height = labelling->height;
    uint32_t *label = labelling->label + row_start(labelling, y);
    if (y > 0 && y < height->height - 1)
        point_downhill(field_row(height, y - 1), field_row(height, y), field_row(height, y + 1), label,
                       height->width, place, labelling->sea);
    else
        for (int x = 0; x < height->width; x++)
            label[x] = BASIN_FOUND;
}

// What drains beyond the band ends here, for now.
static void end_ways(const Labelling *labelling, int y, uint32_t *over, uint32_t place, uint32_t cells) {
    uint32_t *label = labelling->label + row_start(labelling, y);
    const uint32_t first = (uint32_t)row_start(labelling, y) - place;
    for (uint32_t x = 0; x < (uint32_t)labelling->height->width; x++) {
        const bool beyond = label[x] != BASIN_FOUND && label[x] >= cells;
        over[x] = first + (beyond ? label[x] : place + x);
        label[x] = beyond ? place + x : label[x];
    }
}

static void label_band(const Labelling *labelling, int band) {
    const uint32_t width = (uint32_t)labelling->height->width;
    const int first = band * labelling->bands.rows, end = band_end(labelling->bands, labelling->height, band);
    const uint32_t cells = (uint32_t)(end - first) * width;
    for (int y = first; y < end; y++)
        label_row(labelling, y, (uint32_t)(y - first) * width);
    end_ways(labelling, first, over_row(labelling, band, TOP), 0, cells);
    if (end - 1 > first)
        end_ways(labelling, end - 1, over_row(labelling, band, BOTTOM), cells - width, cells);
    labelling->first[band] = label_downhill(labelling->label + row_start(labelling, first), cells);
}

static void label_bands(void *context, int first, int end) {
    for (int band = first; band < end; band++)
        label_band(context, band);
}

// --- leaves ----------------------------------------------------------------------------------------------

static uint32_t basin_at(const Labelling *labelling, size_t cell, int band) {
    return labelling->first[band] + (labelling->label[cell] & ~BASIN_FOUND);
}

static void link_edge(const Labelling *labelling, int band, int edge) {
    const RowBands bands = labelling->bands;
    const int y = edge == TOP ? band * bands.rows : band_end(bands, labelling->height, band) - 1;
    const uint32_t *over = over_row(labelling, band, edge);
    for (size_t x = 0; x < (size_t)labelling->height->width; x++) {
        const size_t cell = row_start(labelling, y) + x;
        if (over[x] != cell)
            labelling->next[basin_at(labelling, cell, band)] =
                basin_at(labelling, over[x], over[x] < cell ? band - 1 : band + 1);
    }
}

static uint32_t number_leaves(const Labelling *labelling) {
    const RowBands bands = labelling->bands;
    uint32_t *next = labelling->next, *leaf = labelling->leaf, leaves = 1;
    const uint32_t basins = labelling->first[bands.count];
    for (uint32_t i = 0; i < basins; i++) {
        next[i] = i;
        leaf[i] = NOT_NUMBERED;
    }
    for (int band = 0; band < bands.count; band++) {
        leaf[labelling->first[band]] = 0;
        link_edge(labelling, band, TOP);
        if (band_end(bands, labelling->height, band) - 1 > band * bands.rows)
            link_edge(labelling, band, BOTTOM);
    }
    for (uint32_t i = 0; i < basins; i++) {
        const uint32_t end = set_root(next, i);
        if (leaf[end] == NOT_NUMBERED)
            leaf[end] = leaves++;
        next[i] = end;
        leaf[i] = leaf[end];
    }
    return leaves;
}

static void name_bands(void *context, int first, int end) {
    const Labelling *labelling = context;
    for (int band = first; band < end; band++) {
        const uint32_t *leaf = labelling->leaf + labelling->first[band];
        uint32_t *cells = labelling->cells + labelling->first[band];
        const size_t start = row_start(labelling, band * labelling->bands.rows);
        const size_t after = row_start(labelling, band_end(labelling->bands, labelling->height, band));
        memset(cells, 0, (labelling->first[band + 1] - labelling->first[band]) * sizeof *cells);
        for (size_t i = start; i < after; i++) {
            const uint32_t basin = labelling->label[i] & ~BASIN_FOUND;
            cells[basin]++;
            labelling->label[i] = leaf[basin];
        }
    }
}

static void count_cells(const Labelling *labelling, size_t *cells) {
    for (uint32_t i = 0; i < labelling->first[labelling->bands.count]; i++)
        cells[labelling->leaf[i]] += labelling->cells[i];
}

// --- all -------------------------------------------------------------------------------------------------

static Status label_all(const Run *run, Labelling *labelling, Leaves *leaves, Error *error) {
    const Field *height = labelling->height;
    const RowBands bands = labelling->bands;
    const size_t edges = EDGES * (size_t)bands.count;
    if (!(labelling->label = leaves->label = memory_new(field_count(height), sizeof *leaves->label, error)) ||
        !(labelling->first = memory_new((size_t)bands.count + 1, sizeof *labelling->first, error)) ||
        !(labelling->over = memory_new(edges, (size_t)height->width * sizeof *labelling->over, error)))
        return STATUS_MEMORY;
    const double cells = (double)bands.rows * height->width;
    Status status = parallel_rows(run, bands.count, 8 * cells, label_bands, labelling);
    if (status != STATUS_OK)
        return status;
    labelling->first[bands.count] = 0;
    counts_to_starts(labelling->first, (size_t)bands.count + 1);
    const size_t basins = labelling->first[bands.count];
    if (!(labelling->next = memory_new(basins, sizeof *labelling->next, error)) ||
        !(labelling->leaf = memory_new(basins, sizeof *labelling->leaf, error)) ||
        !(labelling->cells = memory_new(basins, sizeof *labelling->cells, error)))
        return STATUS_MEMORY;
    leaves->count = number_leaves(labelling);
    leaves->cells = memory_new_zeroed(leaves->count, sizeof *leaves->cells, error);
    if (!leaves->cells)
        return STATUS_MEMORY;
    status = parallel_rows(run, bands.count, 3 * cells, name_bands, labelling);
    if (status == STATUS_OK)
        count_cells(labelling, leaves->cells);
    return status;
}

Status leaves_find(const Run *run, const Field *height, float sea, Leaves *leaves, Error *error) {
    Labelling labelling = { .height = height, .sea = sea, .bands = row_bands(height) };
    *leaves = (Leaves){ 0 };
    const Status status = label_all(run, &labelling, leaves, error);
    memory_free(labelling.first);
    memory_free(labelling.over);
    memory_free(labelling.next);
    memory_free(labelling.leaf);
    memory_free(labelling.cells);
    return status;
}

void leaves_free(Leaves *leaves) {
    memory_free(leaves->label);
    memory_free(leaves->cells);
}
