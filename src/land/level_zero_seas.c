// The seas of level 0: each is connected to the others, and its floor is smooth.

#include "core/math.h"
#include "core/memory.h"
#include "land/root.h"
#include "water/cell_queue.h"

// --- closed seas -------------------------------------------------------------------------------------------

// Joins closed seas of level 0 to open ones, so that the rivers around them reach the open sea: where little
// land lies between, a strait is cut along the shortest and lowest way (Dijkstra 1959). Seas farther inland
// become land, unless they are large: as a lake that overflows cuts its outlet down until it is drained, and
// its river crosses the plain.

enum {
    STRAIT_CELLS = 10, // a strait's length and the sum of the altitudes along it, at most
    STRAIT_DEPTHS = 4, // of a cell: straits are one deep
    SMALL_SEA = 1000,  // cells: what drains into it is several times as large
    OPEN_SEA = 2000,
};

typedef struct Sea {
    int cells;
    bool open;
} Sea;

typedef struct Straits {
    const Root *root;
    Sea *seas;
    int *sea;       // the number of each cell's sea, from 1; 0 on land
    int *cost, *to; // of each cell's way to an open sea, and the next cell on it
    Queue heap;
} Straits;

// All ways here pass over sides of cells: over corners the finer levels would close them.
enum { NEXT_SIDE = 2 };

// Numbers the cells of the sea around `first`. A sea is open if it reaches the map's edge or is large.
static void number_sea(const Straits *straits, size_t first, int number) {
    const Root *root = straits->root;
    Sea *sea = &straits->seas[number];
    int *stack = straits->to; // not in use yet
    size_t waiting = 0;
    straits->sea[first] = number;
    stack[waiting++] = (int)first;
    while (waiting > 0) {
        const size_t cell = (size_t)stack[--waiting];
        sea->cells++;
        for (int d = 0; d < NEIGHBOURS; d += NEXT_SIDE) {
            const ptrdiff_t beside = cell_beside(root, cell, d);
            sea->open |= beside == NO_CELL;
            if (beside == NO_CELL || straits->sea[beside] > 0 || root->window->altitude[beside] >= 0)
                continue;
            straits->sea[beside] = number;
            stack[waiting++] = (int)beside;
        }
    }
    sea->open |= sea->cells >= OPEN_SEA;
}

// Where none is, the largest one is open. Returns whether any is closed.
static bool find_seas(const Straits *straits) {
    int count = 0, largest = 0, open = 0;
    for (size_t i = 0; i < straits->root->count; i++) {
        if (straits->sea[i] > 0 || straits->root->window->altitude[i] >= 0)
            continue;
        number_sea(straits, i, ++count);
        open += straits->seas[count].open;
        largest = straits->seas[count].cells > straits->seas[largest].cells ? count : largest;
    }
    if (open == 0 && count > 0) {
        straits->seas[largest].open = true;
        open = 1;
    }
    return open < count;
}

// --- ways to the open sea ----------------------------------------------------------------------------------

static bool reach(Straits *straits, size_t cell, size_t to, int cost, Error *error) {
    const size_t width = (size_t)straits->root->window->width;
    straits->cost[cell] = cost;
    straits->to[cell] = (int)to;
    return heap_add(&straits->heap, (Waiting)cost << 32 | cell / width << 16 | cell % width, error);
}

static bool is_amid_sea(const Straits *straits, size_t cell) {
    bool amid = true;
    for (int d = 0; d < NEIGHBOURS && amid; d += NEXT_SIDE) {
        const ptrdiff_t beside = cell_beside(straits->root, cell, d);
        amid = beside == NO_CELL || straits->sea[beside] == straits->sea[cell];
    }
    return amid;
}

// From an open sea's coasts.
static bool reach_from(Straits *straits, size_t cell, Error *error) {
    if (!is_amid_sea(straits, cell))
        return reach(straits, cell, cell, 0, error);
    straits->cost[cell] = 0;
    return true;
}

static bool reach_sea(Straits *straits, int number, Error *error) {
    bool enough = true;
    straits->seas[number].open = true;
    for (size_t i = 0; i < straits->root->count && enough; i++)
        if (straits->sea[i] == number)
            enough = reach_from(straits, i, error);
    return enough;
}

static void cut_strait(const Straits *straits, size_t from) {
    const LandWindow *window = straits->root->window;
    for (size_t cell = from; straits->cost[cell] > 0; cell = (size_t)straits->to[cell]) {
        window->altitude[cell] = min(window->altitude[cell], -straits->root->land->cell / STRAIT_DEPTHS);
        window->receiver[cell] = LAND_SEA;
        straits->sea[cell] = straits->sea[from];
    }
}

static bool reach_beside(Straits *straits, size_t cell, Error *error) {
    const Root *root = straits->root;
    const int most = STRAIT_CELLS * root->land->cell;
    bool enough = true;
    for (int d = 0; d < NEIGHBOURS && enough; d += NEXT_SIDE) {
        const ptrdiff_t beside = cell_beside(root, cell, d);
        if (beside == NO_CELL)
            continue;
        const int land = root->land->cell + min(root->window->altitude[beside], most);
        const int cost = straits->cost[cell] + (straits->sea[beside] > 0 ? 1 : land);
        if (cost < straits->cost[beside] && cost <= most)
            enough = reach(straits, (size_t)beside, cell, cost, error);
    }
    return enough;
}

static Status open_seas(Straits *straits, Error *error) {
    const size_t width = (size_t)straits->root->window->width;
    bool enough = true;
    for (size_t i = 0; i < straits->root->count; i++)
        straits->cost[i] = STRAIT_CELLS * straits->root->land->cell + 1;
    for (size_t i = 0; i < straits->root->count && enough; i++)
        if (straits->seas[straits->sea[i]].open)
            enough = reach_from(straits, i, error);
    while (straits->heap.count > 0 && enough) {
        const Waiting next = heap_take(&straits->heap);
        const size_t cell = (size_t)waiting_y(next) * width + (size_t)waiting_x(next);
        const int number = straits->sea[cell];
        if ((int)(next >> 32) > straits->cost[cell])
            continue;
        if (number == 0 || straits->seas[number].open) {
            enough = reach_beside(straits, cell, error);
            continue;
        }
        cut_strait(straits, cell);
        enough = reach_sea(straits, number, error);
    }
    return enough ? STATUS_OK : STATUS_MEMORY;
}

// --- all closed seas ---------------------------------------------------------------------------------------

static void fill_small_seas(const Straits *straits) {
    const LandWindow *window = straits->root->window;
    for (size_t i = 0; i < straits->root->count; i++) {
        const Sea *sea = &straits->seas[straits->sea[i]];
        if (straits->sea[i] == 0 || sea->open || sea->cells >= SMALL_SEA)
            continue;
        window->altitude[i] = 1;
        window->receiver[i] = LAND_NONE;
    }
}

Status open_closed_seas(const Root *root, Error *error) {
    Straits straits = { .root = root, .cost = root->inland, .to = root->target };
    straits.seas = memory_new_zeroed(root->count + 1, sizeof *straits.seas, error);
    straits.sea = memory_new_zeroed(root->count, sizeof *straits.sea, error);
    Status status = straits.seas && straits.sea ? STATUS_OK : STATUS_MEMORY;
    const bool closed = status == STATUS_OK && find_seas(&straits);
    if (closed)
        status = open_seas(&straits, error);
    if (closed && status == STATUS_OK)
        fill_small_seas(&straits);
    memory_free(straits.heap.at);
    memory_free(straits.sea);
    memory_free(straits.seas);
    return status;
}

// --- the floor ---------------------------------------------------------------------------------------------

// Smooths the floor of the sea in level 0, which nothing erodes: the raw map's steps would show as blocks and
// triangles. Land counts as ground at the sea's level, so that the sea is shallow along coasts.

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
