// Lakes that rain fills and evaporation empties.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "water/depressions.h"

#include <math.h>
#include <stdlib.h>

// --- fill, spill, merge ------------------------------------------------------------------------------------

// Fill, spill, merge (Barnes, Callaghan and Wickert 2021, sections 3.2 and 3.3): from the roots down it is
// known how much each depression receives in all; from that follows whether it overflows, and so what the
// other one receives. The last roots to reach an outlet may spill into earlier ones, never the other way
// round.

typedef struct Filling {
    const Depressions *all;
    double evaporation, drained;
    uint32_t *waiting; // depressions to be looked at
    uint32_t waiting_count;
    float *heights; // of the own cells of depressions that are partly full
    uint32_t *start;
} Filling;

// Water spills into a leaf: all depressions around it receive it, up to `end`.
static void spill_into(const Filling *filling, uint32_t leaf, uint32_t end, double amount) {
    Depression *at = filling->all->at;
    for (uint32_t i = leaf; i != end; i = at[i].parent)
        at[i].water += amount;
}

static void overflow(const Filling *filling, uint32_t from, uint32_t end) {
    Depression *at = filling->all->at;
    const double capacity = capacity_of(&at[from], filling->evaporation);
    spill_into(filling, at[from].beyond, end, at[from].water - capacity);
    at[from].water = capacity;
}

static void look_at_children(Filling *filling, uint32_t index) {
    Depression *at = filling->all->at, *parent = &at[index];
    double capacity[2];
    for (int i = 0; i < 2; i++)
        capacity[i] = capacity_of(&at[parent->children[i]], filling->evaporation);
    if (parent->water >= capacity[0] + capacity[1]) { // merged
        parent->holds = true;
        return;
    }
    for (int i = 0; i < 2; i++)
        if (at[parent->children[i]].water > capacity[i])
            overflow(filling, parent->children[i], index);
    for (int i = 0; i < 2; i++)
        filling->waiting[filling->waiting_count++] = parent->children[i];
}

static void look_at(Filling *filling, uint32_t index) {
    Depression *depression = &filling->all->at[index];
    if (depression->children[0] == NO_DEPRESSION ||
        depression->water >= capacity_of(depression, filling->evaporation))
        depression->holds = depression->water > 0;
    else
        look_at_children(filling, index);
}

static void fill_root(Filling *filling, uint32_t root) {
    Depression *depression = &filling->all->at[root];
    const double capacity = capacity_of(depression, filling->evaporation);
    const double excess = depression->water - capacity;
    if (excess > 0) {
        depression->water = capacity; // to the bit, so that it is full
        if (depression->beyond == 0)
            filling->drained += excess;
        else
            spill_into(filling, depression->beyond, NO_DEPRESSION, excess);
    }
    filling->waiting[filling->waiting_count++] = root;
    while (filling->waiting_count > 0)
        look_at(filling, filling->waiting[--filling->waiting_count]);
}

// --- levels ----------------------------------------------------------------------------------------------

static bool is_partial(const Filling *filling, const Depression *depression) {
    return depression->holds && depression->water < capacity_of(depression, filling->evaporation);
}

static int compare(const void *one, const void *other) {
    const float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

static void gather_band(const Filling *filling, int band) {
    const Depressions *all = filling->all;
    const size_t first = own_first(all, band);
    for (size_t i = first; i < first + all->own.count[band]; i++) {
        const uint32_t own = all->own.depression[i];
        if (is_partial(filling, &all->at[own]))
            filling->heights[filling->start[own]++] = all->height->cells[all->own.cell[i]];
    }
}

static Status gather_heights(Filling *filling, Error *error) {
    const Depressions *all = filling->all;
    size_t count = 0;
    filling->start = memory_new(all->count, sizeof *filling->start, error);
    if (!filling->start)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < all->count; i++) {
        filling->start[i] = (uint32_t)count;
        count += is_partial(filling, &all->at[i]) ? all->at[i].own : 0;
    }
    filling->heights = memory_new(count + 1, sizeof *filling->heights, error);
    if (!filling->heights)
        return STATUS_MEMORY;
    for (int band = 0; band < all->own.bands.count && count > 0; band++)
        gather_band(filling, band);
    for (uint32_t i = 0; i < all->count; i++)
        if (is_partial(filling, &all->at[i])) {
            filling->start[i] -= all->at[i].own;
            qsort(filling->heights + filling->start[i], all->at[i].own, sizeof *filling->heights, compare);
        }
    return STATUS_OK;
}

// Over k cells whose heights have the sum s water w stands at (w - k e + s) / k, if no further cell is lower.
static double level_of(const Filling *filling, uint32_t index) {
    const Depression *at = filling->all->at, *depression = &at[index];
    const float *heights = filling->heights + filling->start[index];
    double cells = 0, sum = 0, last = -(double)INFINITY;
    for (int i = 0; i < 2 && depression->children[i] != NO_DEPRESSION; i++) {
        const Depression *child = &at[depression->children[i]];
        cells += child->cells;
        sum += child->sum;
        last = (double)child->rim;
    }
    for (uint32_t i = 0;; i++) {
        const double level =
            cells > 0 ? (depression->water + sum) / cells - filling->evaporation : (double)INFINITY;
        if (i == depression->own || (cells > 0 && level <= (double)heights[i]))
            return max(level, last);
        last = (double)heights[i];
        sum += last;
        cells++;
    }
}

// Distributes what leaves receive (`water`, set by the caller): sets water, holds and level. Returns in
// `drained` what reaches an outlet, leaf 0's own included.
static Status depressions_fill(const Depressions *depressions, double evaporation, double *drained,
                               Error *error) {
    Depression *at = depressions->at;
    Filling filling = { .all = depressions, .evaporation = evaporation, .drained = at[0].water };
    filling.waiting = memory_new(depressions->count, sizeof *filling.waiting, error);
    Status status = filling.waiting ? STATUS_OK : STATUS_MEMORY;
    for (uint32_t i = depressions->leaves.count; i < depressions->count; i++)
        at[i].water = 0;
    for (uint32_t i = 1; i < depressions->count; i++)
        if (at[i].parent != NO_DEPRESSION)
            at[at[i].parent].water += at[i].water;
    for (uint32_t i = depressions->root_count; i > 0 && status == STATUS_OK; i--)
        fill_root(&filling, depressions->roots[i - 1]);
    if (status == STATUS_OK)
        status = gather_heights(&filling, error);
    for (uint32_t i = 1; i < depressions->count && status == STATUS_OK; i++)
        if (at[i].holds)
            at[i].level = is_partial(&filling, &at[i]) ? level_of(&filling, i) : (double)at[i].rim;
    *drained = filling.drained;
    memory_free(filling.waiting);
    memory_free(filling.heights);
    memory_free(filling.start);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Lakes {
    double rain, evaporation, sea_level;
    const Field *rain_map;
} Lakes;

// What is read for every cell of a leaf: the water above it.
typedef struct LeafWater {
    double level;  // of its lake; -INFINITY: none
    float surface; // the same
    uint32_t lake; // the depression
} LeafWater;

typedef struct Painting {
    const Depressions *all;
    uint32_t *lake; // for each depression, the depression whose lake contains it, or NO_DEPRESSION
    LeafWater *leaves;
    uint32_t *number;
    Field *level, *lakes, *outlets, *closed;
    double stored; // in all lakes
} Painting;

enum { RAIN_KNOWN = 1024 }; // sums of rain that are known at once

// --- rain --------------------------------------------------------------------------------------------------

// What equal rain on `cells` adds up to, one by one.
static double equal_rain(double rain, const double *table, size_t cells) {
    double water = table[min(cells, (size_t)RAIN_KNOWN - 1)];
    for (size_t i = RAIN_KNOWN - 1; i < cells; i++)
        water += rain;
    return water;
}

// No rain falls on gaps. They are sea, leaf 0; but none can be lower than ground and sea of -HEIGHT_MAX.
static void rain_equally(const Call *call, const Depressions *all) {
    const Lakes *params = call->params;
    double table[RAIN_KNOWN] = { 0 };
    for (int i = 1; i < RAIN_KNOWN; i++)
        table[i] = table[i - 1] + params->rain;
    const size_t *cells = all->leaves.cells;
    const size_t gaps = all->height->gaps ? all->height->gaps->count : 0;
    all->at[0].water = equal_rain(params->rain, table, cells[0] - min(gaps, cells[0]));
    for (uint32_t i = 1; i < all->leaves.count; i++)
        all->at[i].water = equal_rain(params->rain, table, cells[i]);
}

static Status rain_by_map(const Call *call, const Depressions *all, Error *error) {
    const Lakes *params = call->params;
    double *water = memory_new_zeroed(all->leaves.count, sizeof *water, error);
    if (!water)
        return STATUS_MEMORY;
    Status status = STATUS_OK;
    for (size_t i = 0; i < field_count(all->height) && status == STATUS_OK; i++) {
        const double share = (double)params->rain_map->cells[i];
        if (share < 0)
            status = fail(error, STATUS_INVALID, "rain_map must be 0 or more, got %s at cell (%zu, %zu)",
                          digits_of(share).text, i % (size_t)call->width, i / (size_t)call->width);
        if (field_has_data(all->height, i))
            water[all->leaves.label[i]] += params->rain * share;
    }
    for (uint32_t i = 0; i < all->leaves.count; i++)
        all->at[i].water += water[i];
    memory_free(water);
    return status;
}

static Status rain_on_leaves(const Call *call, const Depressions *all, Error *error) {
    const Lakes *params = call->params;
    if (params->rain_map)
        return rain_by_map(call, all, error);
    rain_equally(call, all);
    return STATUS_OK;
}

// --- results -----------------------------------------------------------------------------------------------

// Parents, which may hold the lake of their children, come after these.
static void find_holders(const Painting *painting) {
    const Depression *at = painting->all->at;
    for (uint32_t i = painting->all->count; i > 0; i--) {
        const uint32_t index = i - 1, parent = at[index].parent;
        const uint32_t above = parent == NO_DEPRESSION ? NO_DEPRESSION : painting->lake[parent];
        painting->lake[index] = above != NO_DEPRESSION ? above : at[index].holds ? index : NO_DEPRESSION;
    }
}

static bool spills(const Depression *lake) {
    return lake->level >= (double)lake->rim;
}

static void list_leaves(const Painting *painting) {
    for (uint32_t i = 0; i < painting->all->leaves.count; i++) {
        const uint32_t lake = i > 0 ? painting->lake[i] : NO_DEPRESSION;
        const double level = lake == NO_DEPRESSION ? -(double)INFINITY : painting->all->at[lake].level;
        painting->leaves[i] = (LeafWater){ level, (float)level, lake };
    }
}

// Lists the cells below the water of a lake where those were that lie below rims.
static void list_wet(void *context, int first, int end) {
    const Painting *painting = context;
    const Depressions *all = painting->all;
    const OwnCells *own = &all->own;
    const size_t width = (size_t)all->height->width;
    for (int band = first; band < end; band++) {
        const size_t start = own_first(all, band);
        const size_t after = (size_t)band_end(own->bands, all->height, band) * width;
        size_t count = 0;
        for (size_t i = start; i < after; i++) {
            own->cell[start + count] = (uint32_t)i;
            count += painting->leaves[all->leaves.label[i]].level > (double)all->height->cells[i];
        }
        own->count[band] = count;
    }
}

// What stands in lakes: their levels less the ground's heights.
static double store(const Painting *painting) {
    const Depressions *all = painting->all;
    const OwnCells *own = &all->own;
    double stored = 0;
    for (int band = 0; band < own->bands.count; band++) {
        const uint32_t *cell = own->cell + own_first(all, band);
        for (size_t i = 0; i < own->count[band]; i++)
            stored +=
                painting->leaves[all->leaves.label[cell[i]]].level - (double)all->height->cells[cell[i]];
    }
    return stored;
}

// Lakes are numbered in the order in which rows meet them.
static void number_lakes(const Painting *painting) {
    const Depressions *all = painting->all;
    const OwnCells *own = &all->own;
    uint32_t count = 0;
    for (int band = 0; band < own->bands.count; band++) {
        const uint32_t *cell = own->cell + own_first(all, band);
        for (size_t i = 0; i < own->count[band]; i++) {
            const LeafWater *water = &painting->leaves[all->leaves.label[cell[i]]];
            if (painting->number[water->lake] == 0 && water->surface > all->height->cells[cell[i]])
                painting->number[water->lake] = ++count;
        }
    }
}

// Two loops that each depend on the order of cells, side by side.
static void sum_up(void *context, int first, int end) {
    Painting *painting = context;
    for (int i = first; i < end; i++)
        if (i == 0)
            number_lakes(painting);
        else
            painting->stored = store(painting);
}

static void paint_rows(void *context, int first, int end) {
    const Painting *painting = context;
    const Depressions *all = painting->all;
    const size_t width = (size_t)all->height->width;
    float *level = field_cells(painting->level), *lakes = field_cells(painting->lakes);
    float *closed = field_cells(painting->closed), *outlets = field_cells(painting->outlets);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        const LeafWater *water = &painting->leaves[all->leaves.label[i]];
        const float ground = all->height->cells[i];
        const bool wet = water->surface > ground;
        level[i] = wet ? water->surface : ground;
        lakes[i] = wet ? (float)painting->number[water->lake] : 0;
        closed[i] = wet && !spills(&all->at[water->lake]) ? lakes[i] : 0;
        outlets[i] = 0;
    }
}

// The lowest cell of a lake beside its outlet; the outlet if there is none.
static size_t last_cell(const Painting *painting, size_t outlet, float number) {
    const Field *height = painting->all->height;
    const int width = height->width, x = (int)(outlet % (size_t)width), y = (int)(outlet / (size_t)width);
    size_t last = outlet;
    for (int v = max(y - 1, 0); v <= min(y + 1, height->height - 1); v++)
        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); u++) {
            const size_t cell = (size_t)v * (size_t)width + (size_t)u;
            if (painting->lakes->cells[cell] == number && height->cells[cell] < height->cells[last])
                last = cell;
        }
    return last;
}

// The last cell of each lake's rim that spills has the lake's number. Of several lakes that spill over one,
// the others have theirs in the water in front of it.
static void paint_outlets(const Painting *painting) {
    const Depressions *all = painting->all;
    float *outlets = field_cells(painting->outlets);
    for (uint32_t i = 1; i < all->count; i++)
        if (painting->lake[i] == i && spills(&all->at[i])) {
            const size_t outlet = all->at[i].outlet;
            const float number = (float)painting->number[i];
            outlets[outlets[outlet] > 0 ? last_cell(painting, outlet, number) : outlet] = number;
        }
}

// What lakes receive and do not spill: it stands in them, or evaporates.
static double kept_by(const Painting *painting) {
    double kept = 0;
    for (uint32_t i = 1; i < painting->all->count; i++)
        kept += painting->lake[i] == i ? painting->all->at[i].water : 0;
    return kept;
}

// --- all ---------------------------------------------------------------------------------------------------

static Status fill(const Call *call, Depressions *all, Painting *painting, Error *error) {
    const Lakes *params = call->params;
    double drained;
    Status status = depressions_find(call->run, all, error);
    if (status == STATUS_OK)
        status = rain_on_leaves(call, all, error);
    if (status == STATUS_OK)
        status = depressions_fill(all, params->evaporation, &drained, error);
    if (status != STATUS_OK)
        return status;
    if (!(painting->lake = memory_new(all->count, sizeof *painting->lake, error)) ||
        !(painting->leaves = memory_new(all->leaves.count, sizeof *painting->leaves, error)) ||
        !(painting->number = memory_new_zeroed(all->count, sizeof *painting->number, error)))
        return STATUS_MEMORY;
    find_holders(painting);
    list_leaves(painting);
    status = parallel_rows(call->run, all->own.bands.count, 3.0 * all->own.bands.rows * all->height->width,
                           list_wet, painting);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, 2, 1.0 * (double)field_count(all->height), sum_up, painting);
    if (status != STATUS_OK)
        return status;
    status = parallel_rows(call->run, all->height->height, all->height->width * 3.0, paint_rows, painting);
    if (status != STATUS_OK)
        return status;
    paint_outlets(painting);
    call->outputs[3].number = painting->stored;
    call->outputs[4].number = params->evaporation > 0 ? kept_by(painting) - painting->stored : 0;
    call->outputs[5].number = drained;
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Lakes *params = call->params;
    Depressions all = { .height = call->inputs[0].field, .sea = (float)params->sea_level };
    Painting painting = { .all = &all,
                          .level = &call->outputs[0].field,
                          .lakes = &call->outputs[1].field,
                          .outlets = &call->outputs[2].field,
                          .closed = &call->outputs[6].field };
    const Status status = fill(call, &all, &painting, error);
    memory_free(painting.lake);
    memory_free(painting.leaves);
    memory_free(painting.number);
    depressions_free(&all);
    return status;
}

static const Param params[] = {
    PARAM(Lakes, rain, .initial = 0.01, .min = 0, .max = 1e30,
          .doc = "height of the water that falls on each cell"),
    PARAM(Lakes, evaporation, .initial = 0, .min = 0, .max = 1e30,
          .doc = "height of the water that lakes lose where they stand"),
    PARAM(Lakes, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    PARAM(Lakes, rain_map, .doc = "factor on `rain` for each cell, 0 or more; by default 1"),
    { 0 },
};

const Operation op_lakes = {
    .name = "lakes",
    .category = "rivers",
    .keywords = "fill spill merge depression hierarchy endorheic water pond level",
    .summary =
        "Fills the pits of a terrain with the rain that reaches them: lakes that spill, merge or dry up",
    .description =
        "All rain runs down into pits. A lake that is full spills over the lowest point of its rim; two that "
        "stand at their common rim merge. With enough rain and no evaporation levels are those of fill. "
        "Evaporation takes its height from every cell under water, so that lakes in dry land stay below "
        "their rims. Water runs to the lowest neighbour, and out over all cells of the border. "
        "rivers_from_flow takes every lake to spill: its rivers run through all "
        "of them. For rivers that end in the lakes that do not, put these below the sea, as in (height - 2 * "
        "closed:clamp()):rivers_from_flow{} for heights 0 to 1. Amounts of "
        "water are in heights times cells; stored, evaporated and drained add up to the rain, none "
        "of which falls on gaps.",
    .source = "Barnes, Callaghan and Wickert 2020 and 2021, depression hierarchies and Fill-Spill-Merge",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "level", "heights of the water's surface, and of dry ground", .heights = true },
                 { "lakes", "the number of each lake, from 1; 0 where none is" },
                 { "outlets",
                   "the number of each lake that spills at the cell where it does, or, where another lake "
                   "spills over the same cell, in its own water in front of it; 0 elsewhere" },
                 { "stored", "water in lakes", &type_number },
                 { "evaporated", "water that lakes lost", &type_number },
                 { "drained", "water that left over the border or into the sea", &type_number },
                 { "closed", "the number of each lake that does not spill; 0 elsewhere" } },
    .params = params,
    .params_size = sizeof(Lakes),
    .example = "local level, lakes, outlets = height:lakes{ rain = 0.01, evaporation = 0.1 }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local level, lakes = height:lakes{ rain = 0.02, evaporation = 0.1 }\n"
               "return level:relief{ rivers = lakes:clamp() }",
    .see_also = "fill breach flow_accumulation",
    .run = run,
};
