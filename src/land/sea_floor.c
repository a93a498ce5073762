// Smooths the floor of the sea in level 0, which nothing erodes: the raw map's steps would show as blocks and
// triangles. Land counts as ground at the sea's level, so that the sea is shallow along coasts.

#include "land/root.h"

#include "core/math.h"
#include "core/memory.h"

enum {
    ROUNDS = 24, // of a binomial mean: a width of 3.5 cells
    DEPTHS = 2,  // of a cell: a depth that is kept, as finer levels would close shallower inlets
};

typedef struct Smoothing {
    const Root *root;
    double *floor, *smooth;
} Smoothing;

// Of cells on opposite sides, where there are both: without those beyond the map's border the mean would be
// that of places farther inside, and the floor level across the border.
static double mean_around(const Smoothing *smoothing, size_t cell) {
    double sum = 4 * smoothing->floor[cell], weight = 4;
    for (int d = 0; d < NEIGHBOURS / 2; d++) {
        const ptrdiff_t one = cell_beside(smoothing->root, cell, d),
                        other = cell_beside(smoothing->root, cell, opposite(d));
        if (one == NO_CELL || other == NO_CELL)
            continue;
        const double share = d % 2 == 0 ? 2 : 1;
        sum += share * (smoothing->floor[one] + smoothing->floor[other]);
        weight += 2 * share;
    }
    return sum / weight;
}

// Of cells that have all neighbours: the same.
KERNEL static void smooth_inside(const double *restrict above, const double *restrict row,
                                 const double *restrict below, int count, double *restrict smooth) {
    for (int i = 0; i < count; i++) {
        const double sides = row[i - 1] + row[i + 1] + above[i] + below[i],
                     corners = above[i - 1] + above[i + 1] + below[i - 1] + below[i + 1];
        const double mean = (4 * row[i] + 2 * sides + corners) * (1.0 / 16);
        smooth[i] = row[i] < 0 ? mean : 0;
    }
}

static void smooth_rows(void *context, int first, int end) {
    const Smoothing *smoothing = context;
    const int width = smoothing->root->window->width, height = smoothing->root->window->height;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * (size_t)width;
        const double *row = smoothing->floor + start + 1;
        if (y > 0 && y < height - 1 && width > 2)
            smooth_inside(row - width, row, row + width, width - 2, smoothing->smooth + start + 1);
        for (size_t cell = start; cell < start + (size_t)width; cell++)
            if (smoothing->root->edge[cell])
                smoothing->smooth[cell] = smoothing->floor[cell] < 0 ? mean_around(smoothing, cell) : 0;
    }
}

Status smooth_sea_floor(const Root *root, const Run *run, Error *error) {
    int32_t *altitude = root->window->altitude;
    double *spare = memory_new(root->count, sizeof *spare, error);
    Status status = spare ? STATUS_OK : STATUS_MEMORY;
    Smoothing smoothing = { root, root->z, spare };
    for (size_t i = 0; i < root->count; i++)
        root->z[i] = (double)min(altitude[i], 0);
    for (int round = 0; round < ROUNDS && status == STATUS_OK; round++) {
        status = parallel_rows(run, root->window->height, root->window->width * 3.0, smooth_rows, &smoothing);
        smoothing = (Smoothing){ root, smoothing.smooth, smoothing.floor };
    }
    for (size_t i = 0; i < root->count && status == STATUS_OK; i++) {
        const int32_t least = max(altitude[i], -root->land->cell / DEPTHS),
                      smooth = whole_int(smoothing.floor[i]);
        altitude[i] = altitude[i] < 0 ? min(smooth, least) : altitude[i];
    }
    memory_free(spare);
    return status;
}
