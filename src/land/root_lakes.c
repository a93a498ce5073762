// Lakes of level 0: depressions of the first heights that stay filled. A lake keeps its shape and is as high
// as its outlet, which erosion cuts as any stream; all water that enters it leaves there.

#include "land/law.h"
#include "land/root.h"

#include "core/math.h"
#include "core/memory.h"
#include "water/cell_queue.h"

#include <stdlib.h>

enum {
    LEAST_CELLS = 6,      // of a lake, or finer levels would lose it
    LEAST_DRAINED = 96,   // cells that drain through its outlet,
    DRAINED_PER_CELL = 3, // and for each of its own: a lake that gets less would dry up
    LARGEST_PART = 6,     // a lake is at most this part of all
    FROM_EDGE = 12,       // cells from a flat map's edge
};

typedef struct Lake {
    int outlet, spill; // its last cell, and the one into which that drains
    int direction;     // from one to the other
    int first, count;  // of `cells`, from the outlet on
} Lake;

struct RootLakes {
    Lake *at;
    int count;
    int *of;          // of each cell, the lake from 1; negative: that beside which it lies as its bank
    int *cells, *way; // lake by lake, and the cell towards the outlet
    int cell_count;
};

// --- depressions -------------------------------------------------------------------------------------------

typedef struct Depression {
    int deepest, cells;
} Depression;

typedef struct Choice {
    const Root *root;
    RootLakes *lakes;
    uint8_t *open;   // whether a cell may become a lake's
    uint8_t *barred; // whether it lies too near to the sea, the edge or another lake for that
    int *depression; // its number from 1; 0: none
    int *stack;
    Depression *found;
    int count;
} Choice;

// In units.
static int32_t depth_of(const Choice *choice, size_t cell) {
    return difference(choice->root->window->altitude[cell], choice->root->first[cell]);
}

// Two cells around one: finer levels could join what is closer.
static void close_around(const Choice *choice, size_t cell) {
    choice->open[cell] = 0;
    choice->barred[cell] = 1;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const ptrdiff_t beside = cell_beside(choice->root, cell, d);
        if (beside == NO_CELL)
            continue;
        choice->open[beside] = 0;
        choice->barred[beside] = 1;
        for (int e = 0; e < NEIGHBOURS; e++) {
            const ptrdiff_t beyond = cell_beside(choice->root, (size_t)beside, e);
            if (beyond == NO_CELL)
                continue;
            choice->open[beyond] = 0;
            choice->barred[beyond] = 1;
        }
    }
}

static bool is_near_edge(const Root *root, size_t cell) {
    const LandWindow *window = root->window;
    const int x = (int)(cell % (size_t)window->width), y = (int)(cell / (size_t)window->width);
    return !root->land->rules.planet && (x < FROM_EDGE || y < FROM_EDGE || x >= window->width - FROM_EDGE ||
                                         y >= window->height - FROM_EDGE);
}

static bool is_coast(const Root *root, size_t cell) {
    bool coast = false;
    for (int d = 0; d < NEIGHBOURS && root->window->receiver[cell] == LAND_SEA && !coast; d++) {
        const ptrdiff_t beside = cell_beside(root, cell, d);
        coast = beside != NO_CELL && root->window->receiver[beside] != LAND_SEA;
    }
    return coast;
}

static void find_open(const Choice *choice) {
    const Root *root = choice->root;
    for (size_t i = 0; i < root->count; i++) {
        choice->barred[i] = is_near_edge(root, i);
        choice->open[i] =
            root->window->receiver[i] != LAND_SEA && depth_of(choice, i) > 0 && !choice->barred[i];
    }
    for (size_t i = 0; i < root->count; i++)
        if (is_coast(root, i) || root_courses_has(root->courses, i))
            close_around(choice, i);
}

static void number_depression(Choice *choice, size_t first) {
    Depression *depression = &choice->found[choice->count++];
    int waiting = 0;
    *depression = (Depression){ (int)first, 0 };
    choice->depression[first] = choice->count;
    choice->stack[waiting++] = (int)first;
    while (waiting > 0) {
        const int cell = choice->stack[--waiting];
        depression->cells++;
        if (depth_of(choice, (size_t)cell) > depth_of(choice, (size_t)depression->deepest))
            depression->deepest = cell;
        for (int d = 0; d < NEIGHBOURS; d += 2) {
            const ptrdiff_t beside = cell_beside(choice->root, (size_t)cell, d);
            if (beside == NO_CELL || !choice->open[beside] || choice->depression[beside])
                continue;
            choice->depression[beside] = choice->count;
            choice->stack[waiting++] = (int)beside;
        }
    }
}

// The largest first.
static int compare_depressions(const void *a, const void *b) {
    const Depression *one = a, *other = b;
    return one->cells != other->cells ? (one->cells < other->cells ? 1 : -1)
                                      : (one->deepest > other->deepest) - (one->deepest < other->deepest);
}

// --- lakes -------------------------------------------------------------------------------------------------

static bool reach_cell(const Choice *choice, Queue *heap, size_t cell, Error *error) {
    const size_t width = (size_t)choice->root->window->width;
    choice->open[cell] = 0;
    return heap_add(heap,
                    (Waiting)(UINT32_MAX - (uint32_t)depth_of(choice, cell)) << 32 | cell / width << 16 |
                        cell % width,
                    error);
}

// Whether a depression goes on beside a cell where no lake may be.
static bool is_barred(const Choice *choice, size_t cell) {
    const Root *root = choice->root;
    bool barred = false;
    for (int d = 0; d < NEIGHBOURS && !barred; d++) {
        const ptrdiff_t beside = cell_beside(root, cell, d);
        barred = beside != NO_CELL && choice->barred[beside] && root->window->receiver[beside] != LAND_SEA &&
                 depth_of(choice, (size_t)beside) > 0;
    }
    return barred;
}

// The deepest cells of a depression that are connected over sides, as a new lake's: `most`, or fewer where it
// goes on below as no lake may. So a shore follows the depression.
static Status fill_lake(const Choice *choice, int deepest, int most, Lake *lake, Error *error) {
    RootLakes *lakes = choice->lakes;
    Queue heap = { 0 };
    bool enough = reach_cell(choice, &heap, (size_t)deepest, error);
    *lake = (Lake){ .first = lakes->cell_count };
    while (heap.count > 0 && lake->count < most && enough) {
        const Waiting next = heap_take(&heap);
        const size_t cell =
            (size_t)waiting_y(next) * (size_t)choice->root->window->width + (size_t)waiting_x(next);
        if (is_barred(choice, cell))
            break;
        lakes->cells[lake->first + lake->count++] = (int)cell;
        for (int d = 0; d < NEIGHBOURS && enough; d += 2) {
            const ptrdiff_t beside = cell_beside(choice->root, cell, d);
            if (beside != NO_CELL && choice->open[beside])
                enough = reach_cell(choice, &heap, (size_t)beside, error);
        }
    }
    memory_free(heap.at);
    return enough ? STATUS_OK : STATUS_MEMORY;
}

// The lowest cell around it, beside a cell that shares a side with it where one does. It lies lower than all
// of the lake and around, so the way on from there does not come back.
static bool find_outlet(const Root *root, const RootLakes *lakes, Lake *lake) {
    const int32_t *altitude = root->window->altitude;
    lake->spill = NO_CELL;
    for (int i = lake->first; i < lake->first + lake->count; i++)
        for (int turn = 0; turn < NEIGHBOURS; turn++) {
            const int d = turn < 4 ? 2 * turn : 2 * turn - 7; // sides first
            const ptrdiff_t beside = cell_beside(root, (size_t)lakes->cells[i], d);
            const bool lower =
                beside != NO_CELL && (lake->spill == NO_CELL || altitude[beside] < altitude[lake->spill]);
            const bool same = beside == lake->spill && !(d & 1) && lake->direction & 1;
            if (beside == NO_CELL || !(lower || same))
                continue;
            lake->outlet = lakes->cells[i];
            lake->spill = (int)beside;
            lake->direction = d;
        }
    return lake->spill != NO_CELL;
}

// From the outlet on: each cell after the one to which it passes its water.
static void route_lake(RootLakes *lakes, const Root *root, Lake *lake, int number) {
    int known = 1;
    for (int i = lake->first; i < lake->first + lake->count; i++)
        lakes->of[lakes->cells[i]] = 0;
    for (int i = lake->first; i < lake->first + lake->count; i++)
        lakes->way[i] = lakes->cells[i]; // scratch
    for (int i = 0; i < lake->count; i++)
        lakes->of[lakes->way[lake->first + i]] = -number;
    lakes->cells[lake->first] = lake->outlet;
    lakes->way[lake->first] = lake->spill;
    lakes->of[lake->outlet] = number;
    for (int i = 0; i < known; i++) {
        const int cell = lakes->cells[lake->first + i];
        for (int d = 0; d < NEIGHBOURS; d += 2) {
            const ptrdiff_t beside = cell_beside(root, (size_t)cell, d);
            if (beside == NO_CELL || lakes->of[beside] != -number)
                continue;
            lakes->of[beside] = number;
            lakes->cells[lake->first + known] = (int)beside;
            lakes->way[lake->first + known++] = cell;
        }
    }
}

static void mark_banks(const RootLakes *lakes, const Root *root, const Lake *lake, int number) {
    for (int i = lake->first; i < lake->first + lake->count; i++)
        for (int d = 0; d < NEIGHBOURS; d++) {
            const ptrdiff_t beside = cell_beside(root, (size_t)lakes->cells[i], d);
            if (beside != NO_CELL && lakes->of[beside] == 0 && beside != lake->spill)
                lakes->of[beside] = -number;
        }
}

static bool is_fed(const Root *root, const Lake *lake) {
    const float drained = root->window->area[lake->spill];
    return drained >= LEAST_DRAINED && drained >= (float)(DRAINED_PER_CELL * lake->count);
}

// The deepest part of a depression, as far as it is fed.
static Status add_lake(const Choice *choice, const Depression *depression, int most, Error *error) {
    RootLakes *lakes = choice->lakes;
    Lake lake = { 0 };
    Status status = STATUS_OK;
    if (choice->open[depression->deepest])
        status = fill_lake(choice, depression->deepest, most, &lake, error);
    if (status != STATUS_OK || lake.count < LEAST_CELLS || !find_outlet(choice->root, lakes, &lake) ||
        !is_fed(choice->root, &lake))
        return status;
    lakes->at[lakes->count++] = lake;
    route_lake(lakes, choice->root, &lake, lakes->count);
    mark_banks(lakes, choice->root, &lake, lakes->count);
    lakes->cell_count += lake.count;
    for (int i = lake.first; i < lake.first + lake.count; i++)
        close_around(choice, (size_t)lakes->cells[i]);
    return status;
}

static Status choose(Choice *choice, Error *error) {
    const Root *root = choice->root;
    size_t land = 0;
    find_open(choice);
    for (size_t i = 0; i < root->count; i++) {
        land += root->window->receiver[i] != LAND_SEA;
        if (choice->open[i] && !choice->depression[i])
            number_depression(choice, i);
    }
    qsort(choice->found, (size_t)choice->count, sizeof *choice->found, compare_depressions);
    const int wanted = whole_int((float)land * root->land->rules.lakes);
    Status status = STATUS_OK;
    for (int i = 0; i < choice->count && status == STATUS_OK; i++) {
        const int left = wanted - choice->lakes->cell_count,
                  largest = max(wanted / LARGEST_PART, LEAST_CELLS);
        if (left >= LEAST_CELLS)
            status = add_lake(choice, &choice->found[i], min(left, largest), error);
    }
    return status;
}

Status root_lakes_choose(Root *root, Error *error) {
    RootLakes *lakes = memory_new_zeroed(1, sizeof *lakes, error);
    root->lakes = lakes;
    if (!lakes)
        return STATUS_MEMORY;
    lakes->at = memory_new(root->count / LEAST_CELLS + 1, sizeof *lakes->at, error);
    lakes->of = memory_new_zeroed(root->count, sizeof *lakes->of, error);
    lakes->cells = memory_new(root->count, sizeof *lakes->cells, error);
    lakes->way = memory_new(root->count, sizeof *lakes->way, error);
    Choice choice = { .root = root, .lakes = lakes, .open = root->seen };
    choice.depression = memory_new_zeroed(root->count, sizeof *choice.depression, error);
    choice.barred = memory_new(root->count, sizeof *choice.barred, error);
    choice.stack = memory_new(root->count, sizeof *choice.stack, error);
    choice.found = memory_new(root->count, sizeof *choice.found, error);
    const bool made = lakes->at && lakes->of && lakes->cells && lakes->way && choice.depression &&
                      choice.barred && choice.stack && choice.found;
    const Status status = made ? choose(&choice, error) : STATUS_MEMORY;
    memory_free(choice.depression);
    memory_free(choice.stack);
    memory_free(choice.barred);
    memory_free(choice.found);
    return status;
}

void root_lakes_free(RootLakes *lakes) {
    if (!lakes)
        return;
    memory_free(lakes->at);
    memory_free(lakes->of);
    memory_free(lakes->cells);
    memory_free(lakes->way);
    memory_free(lakes);
}

// --- water -------------------------------------------------------------------------------------------------

bool root_lakes_has(const RootLakes *lakes, size_t cell) {
    return lakes && lakes->of[cell] > 0 && lakes->at[lakes->of[cell] - 1].outlet != (int)cell;
}

size_t root_lakes_outlet(const RootLakes *lakes, size_t cell) {
    return (size_t)lakes->at[lakes->of[cell] - 1].outlet;
}

void root_lakes_route(const Root *root) {
    const RootLakes *lakes = root->lakes;
    for (int i = 0; lakes && i < lakes->cell_count; i++) {
        root->window->receiver[lakes->cells[i]] = 0; // any: only the target counts
        root->target[lakes->cells[i]] = lakes->way[i];
    }
    for (int i = 0; lakes && i < lakes->count; i++)
        root->window->receiver[lakes->at[i].outlet] = (uint8_t)lakes->at[i].direction;
}

void root_lakes_hold(const Root *root) {
    const RootLakes *lakes = root->lakes;
    if (!lakes)
        return;
    for (size_t i = 0; i < root->count; i++) {
        const int lake = lakes->of[i];
        const double level = lake ? root->z[lakes->at[abs(lake) - 1].outlet] : 0;
        if (lake)
            root->z[i] = lake > 0 ? level : max(root->z[i], level + root->fall);
    }
    for (size_t k = 0; k < root->count; k++) {
        const size_t cell = (size_t)root->order[k];
        const double bed = root->target[cell] >= 0 ? max(root->z[root->target[cell]], 0.0) : 0;
        if (root->window->receiver[cell] < NEIGHBOURS && !root_lakes_has(lakes, cell))
            root->z[cell] = max(root->z[cell], bed + root->fall);
    }
}

void root_lakes_end(const Root *root) {
    const RootLakes *lakes = root->lakes;
    for (int i = 0; lakes && i < lakes->cell_count; i++) {
        const size_t cell = (size_t)lakes->cells[i];
        if (!root_lakes_has(lakes, cell))
            continue;
        root->window->receiver[cell] = LAND_LAKE;
        root->window->area[cell] = 1;
    }
}
