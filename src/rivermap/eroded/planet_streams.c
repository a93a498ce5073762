// The streams of a planet's eroded land, over the edges of faces.

#include "rivermap/eroded/planet.h"
#include "rivers/drainage.h"

#include "core/counts.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <math.h>

// A cell on its own face, and its number in that face's window.
typedef struct StreamCell {
    CubeCell at;
    int cell;
} StreamCell;

static const LandWindow *land_of(const PlanetWindow *window, const StreamCell *cell) {
    return &window->land.on[cell->at.face];
}

static int receiver_of(const PlanetWindow *window, const StreamCell *cell) {
    return land_of(window, cell)->receiver[cell->cell];
}

static float area_of(const PlanetWindow *window, const StreamCell *cell) {
    return land_of(window, cell)->area[cell->cell];
}

static StreamCell cell_of(const LandWindow *land, int face, int cell) {
    return (StreamCell){ { face, land->x + cell % land->width, land->y + cell / land->width, 0 }, cell };
}

// The cell beside one; false beyond the window.
static bool beside(const PlanetWindow *window, const StreamCell *cell, int direction, StreamCell *other) {
    other->at = (CubeCell){ cell->at.face, cell->at.x + neighbour_x[direction],
                            cell->at.y + neighbour_y[direction], 0 };
    other->cell = planet_cell(window, &other->at);
    return other->cell >= 0;
}

// The one of the cells that drain into this one through which most comes.
static bool main_donor(const PlanetWindow *window, const StreamCell *cell, StreamCell *donor) {
    float most = -1;
    for (int direction = 0; direction < NEIGHBOURS; direction++) {
        StreamCell other;
        if (!beside(window, cell, direction, &other) || receiver_of(window, &other) >= NEIGHBOURS)
            continue;
        const int back = turned_direction((direction + 4) & 7, other.at.turn);
        if (receiver_of(window, &other) == back && area_of(window, &other) > most) {
            most = area_of(window, &other);
            *donor = other;
        }
    }
    return most >= 0;
}

static bool next_along(const PlanetWindow *window, StreamCell *cell, bool downstream) {
    StreamCell next;
    const int receiver = receiver_of(window, cell);
    const bool exists = !downstream ? main_donor(window, cell, &next)
                                    : receiver < NEIGHBOURS && beside(window, cell, receiver, &next);
    if (exists)
        *cell = next;
    return exists;
}

static Vec3 middle_of(const PlanetWindow *window, const StreamCell *cell) {
    return place_on_planet(eroded_of(window->view->map)->axes, window->side, cell->at.face,
                           (double)cell->at.x + 0.5, (double)cell->at.y + 0.5);
}

static void add_place(Vec3 *sum, Vec3 place, double weight) {
    sum->x += weight * place.x;
    sum->y += weight * place.y;
    sum->z += weight * place.z;
}

static int smoothing(const PlanetWindow *window, const StreamCell *cell) {
    const double width = PLANET_WIDENING * window->view->map->width * sqrt((double)area_of(window, cell));
    return receiver_of(window, cell) < NEIGHBOURS ? stream_smoothing(width) : 0;
}

// As on flat land (streams.c): a mean of the cells up and downstream.
static Vec3 smoothed_place(const PlanetWindow *window, const StreamCell *cell) {
    const int reach = smoothing(window, cell), weight = reach + 1;
    Vec3 sum = { 0, 0, 0 };
    add_place(&sum, middle_of(window, cell), weight);
    for (int way = 0; way < 2; way++) {
        StreamCell at = *cell;
        for (int step = 1; step <= reach; step++) {
            next_along(window, &at, way);
            add_place(&sum, middle_of(window, &at), weight - step);
        }
    }
    const double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
    return (Vec3){ sum.x / length, sum.y / length, sum.z / length };
}

// The way to the mouth of a cell's river, 1: as far as is looked or farther.
static double way_from_sea(const PlanetWindow *window, StreamCell at) {
    const int reach = smoothing(window, &at), estuary = min(2 * (reach + 1), STREAM_ESTUARY);
    for (int left = 0; left < estuary; left++) {
        if (receiver_of(window, &at) >= NEIGHBOURS) {
            const LandWindow *land = &window->land.on[at.at.face];
            return land->base + land->altitude[at.cell] <= 0 ? (double)left / estuary : 1;
        }
        if (!next_along(window, &at, true))
            return 1;
    }
    return 1;
}

// As on flat land: marks the cells below a river's, unless too little drains farther down, too.
static void find_gap(const PlanetWindow *window, StreamCell cell, float least) {
    StreamCell gap[RIVER_GAP];
    int count = 0;
    bool inside = next_along(window, &cell, true);
    while (inside && receiver_of(window, &cell) < NEIGHBOURS && area_of(window, &cell) < least) {
        if (count == RIVER_GAP)
            return;
        gap[count++] = cell;
        inside = next_along(window, &cell, true);
    }
    for (int i = 0; inside && i < count; i++)
        atomic_store_explicit(&window->in_gap[gap[i].at.face][gap[i].cell], 1, memory_order_relaxed);
}

bool planet_stream(const PlanetWindow *window, int face, int cell, float least, PlanetStream *stream) {
    const LandWindow *land = &window->land.on[face];
    if (land->receiver[cell] >= NEIGHBOURS || !planet_has_river(window, face, cell, least))
        return false;
    const StreamCell from = cell_of(land, face, cell);
    StreamCell to;
    if (!beside(window, &from, land->receiver[cell], &to))
        return false;
    to.at.turn = 0;
    *stream = (PlanetStream){ .from = from.at,
                              .to = to.at,
                              .from_cell = from.cell,
                              .to_cell = to.cell,
                              .at = smoothed_place(window, &from),
                              .to_at = smoothed_place(window, &to),
                              .area = land->area[cell],
                              .from_sea = way_from_sea(window, from),
                              .to_from_sea = way_from_sea(window, to),
                              .ends = receiver_of(window, &to) >= NEIGHBOURS };
    const LandWindow *below_land = &window->land.on[to.at.face];
    stream->mouth = stream->ends && below_land->base + below_land->altitude[to.cell] <= 0;
    const float below = area_of(window, &to);
    stream->to_area = stream->ends || below < stream->area ? stream->area : below;
    return true;
}

// --- all of a window ---------------------------------------------------------------------------------------

// The rows of all faces, one below the other.
typedef struct Search {
    const PlanetWindow *window;
    float least;
    int top[CUBE_FACES + 1]; // of each face; the number of rows
    uint32_t *found;         // in each row, and where those begin that come before
    PlanetCell *cells;       // NULL: they are only counted
} Search;

static Search search_in(const PlanetWindow *window, float least) {
    Search search = { .window = window, .least = least };
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &window->land.on[face];
        search.top[face + 1] = search.top[face] + (land->altitude ? land->height : 0);
    }
    return search;
}

static double cost_of_row(const Search *search) {
    int width = 0;
    for (int face = 0; face < CUBE_FACES; face++)
        width = max(search->window->land.on[face].width, width);
    return 2.0 * width;
}

// The face of a row, and its first cell there.
static int face_of(const Search *search, int row, int *first) {
    int face = 0;
    while (row >= search->top[face + 1])
        face++;
    *first = (row - search->top[face]) * search->window->land.on[face].width;
    return face;
}

static void find_gaps_in_rows(void *context, int first, int end) {
    const Search *search = context;
    for (int row = first; row < end; row++) {
        int begin;
        const int face = face_of(search, row, &begin);
        const LandWindow *land = &search->window->land.on[face];
        for (int i = begin; i < begin + land->width; i++)
            if (land->area[i] >= search->least && land->receiver[i] < NEIGHBOURS)
                find_gap(search->window, cell_of(land, face, i), search->least);
    }
}

Status planet_find_gaps(PlanetWindow *window, float least, Error *error) {
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &window->land.on[face];
        if (land->altitude)
            window->in_gap[face] = memory_new_zeroed((size_t)land->width * (size_t)land->height,
                                                     sizeof *window->in_gap[face], error);
        if (land->altitude && !window->in_gap[face])
            return STATUS_MEMORY;
    }
    Search search = search_in(window, least);
    return parallel_rows(window->view->run, search.top[CUBE_FACES], cost_of_row(&search), find_gaps_in_rows,
                         &search);
}

static void search_rows(void *context, int first, int end) {
    const Search *search = context;
    for (int row = first; row < end; row++) {
        int begin;
        const int face = face_of(search, row, &begin);
        const LandWindow *land = &search->window->land.on[face];
        for (int i = begin; i < begin + land->width; i++) {
            if (!planet_has_river(search->window, face, i, search->least) || land->receiver[i] >= NEIGHBOURS)
                continue;
            if (search->cells)
                search->cells[search->found[row]] = (PlanetCell){ face, i };
            search->found[row]++;
        }
    }
}

Status planet_cells_find(const PlanetWindow *window, float least, PlanetCells *found, Error *error) {
    const Run *run = window->view->run;
    Search search = search_in(window, least);
    const int rows = search.top[CUBE_FACES];
    *found = (PlanetCells){ 0 };
    search.found = memory_new_zeroed((size_t)rows + 1, sizeof *search.found, error);
    Status status = search.found ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, rows, cost_of_row(&search), search_rows, &search);
    if (status == STATUS_OK) {
        counts_to_starts(search.found, (size_t)rows + 1);
        found->count = (int)search.found[rows];
        found->at = search.cells = memory_new((size_t)found->count + 1, sizeof *found->at, error);
        status =
            found->at ? parallel_rows(run, rows, cost_of_row(&search), search_rows, &search) : STATUS_MEMORY;
    }
    memory_free(search.found);
    return status;
}
