// Lakes that rain fills and evaporation empties.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "rivers/depressions.h"

#include <string.h>

typedef struct Lakes {
    double rain, evaporation, sea_level;
    const Field *rain_map;
} Lakes;

typedef struct Painting {
    const Depressions *all;
    uint32_t *lake; // for each depression, the depression whose lake contains it, or NO_DEPRESSION
    uint32_t *number;
    Field *level, *lakes, *outlets, *closed;
} Painting;

// --- rain --------------------------------------------------------------------------------------------------

static Status rain_on_leaves(const Call *call, const Depressions *all, Error *error) {
    const Lakes *params = call->params;
    const Field *map = params->rain_map;
    for (size_t i = 0; i < field_count(all->height); i++) {
        const double share = map ? (double)map->cells[i] : 1;
        if (share < 0)
            return fail(error, STATUS_INVALID, "rain_map must be 0 or more, got %s at cell (%zu, %zu)",
                        digits_of(share).text, i % (size_t)call->width, i / (size_t)call->width);
        all->at[all->label[i]].water += params->rain * share;
    }
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

// Lakes are numbered in the order in which rows meet them.
static void paint(const Painting *painting) {
    const Depressions *all = painting->all;
    float *level = field_cells(painting->level), *lakes = field_cells(painting->lakes);
    float *closed = field_cells(painting->closed);
    uint32_t count = 0;
    for (size_t i = 0; i < field_count(all->height); i++) {
        const uint32_t leaf = all->label[i], lake = leaf ? painting->lake[leaf] : NO_DEPRESSION;
        const float ground = all->height->cells[i];
        const float surface = lake == NO_DEPRESSION ? ground : (float)all->at[lake].level;
        const bool wet = surface > ground;
        if (wet && painting->number[lake] == 0)
            painting->number[lake] = ++count;
        level[i] = wet ? surface : ground;
        lakes[i] = wet ? (float)painting->number[lake] : 0;
        closed[i] = wet && !spills(&all->at[lake]) ? lakes[i] : 0;
    }
}

// The last cell of each lake's rim that spills has the lake's number.
static void paint_outlets(const Painting *painting) {
    const Depressions *all = painting->all;
    float *outlets = field_cells(painting->outlets);
    memset(outlets, 0, field_count(painting->outlets) * sizeof *outlets);
    for (uint32_t i = 1; i < all->count; i++)
        if (painting->lake[i] == i && spills(&all->at[i]))
            outlets[all->at[i].outlet] = (float)painting->number[i];
}

// What stands in lakes: their level less the ground's heights.
static double stored_in(const Depressions *all, const Painting *painting, double evaporation,
                        double *evaporated) {
    double stored = 0;
    *evaporated = 0;
    for (uint32_t i = 1; i < all->count; i++)
        *evaporated += painting->lake[i] == i ? all->at[i].water : 0;
    for (size_t i = 0; i < field_count(all->height); i++) {
        const uint32_t leaf = all->label[i], lake = leaf ? painting->lake[leaf] : NO_DEPRESSION;
        const double depth = lake == NO_DEPRESSION ? 0 : all->at[lake].level - (double)all->height->cells[i];
        stored += max(depth, 0);
    }
    *evaporated = evaporation > 0 ? *evaporated - stored : 0;
    return stored;
}

// --- all ---------------------------------------------------------------------------------------------------

static Status fill(const Call *call, Depressions *all, Painting *painting, Error *error) {
    const Lakes *params = call->params;
    double drained, evaporated;
    Status status = depressions_find(call->run, all, error);
    if (status == STATUS_OK)
        status = rain_on_leaves(call, all, error);
    if (status == STATUS_OK)
        status = depressions_fill(all, params->evaporation, &drained, error);
    if (status != STATUS_OK)
        return status;
    if (!(painting->lake = memory_new(all->count, sizeof *painting->lake, error)) ||
        !(painting->number = memory_new_zeroed(all->count, sizeof *painting->number, error)))
        return STATUS_MEMORY;
    find_holders(painting);
    paint(painting);
    paint_outlets(painting);
    call->outputs[3].number = stored_in(all, painting, params->evaporation, &evaporated);
    call->outputs[4].number = evaporated;
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
    memory_free(painting.number);
    depressions_free(&all);
    return status;
}

static const Param params[] = {
    PARAM(Lakes, rain, .initial = 0.01, .min = 0, .max = 1e30,
          .doc = "height of the water that falls on each cell"),
    PARAM(Lakes, evaporation, .initial = 0, .min = 0, .max = 1e30,
          .doc = "height of the water that lakes lose where they stand"),
    PARAM(Lakes, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
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
        "water are in heights times cells; stored, evaporated and drained add up to the rain.",
    .source = "Barnes, Callaghan and Wickert 2020 and 2021, depression hierarchies and Fill-Spill-Merge",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "level", "heights of the water's surface, and of dry ground", .heights = true },
                 { "lakes", "the number of each lake, from 1; 0 where none is" },
                 { "outlets", "the number of each lake that spills at the cell where it does; 0 elsewhere" },
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
