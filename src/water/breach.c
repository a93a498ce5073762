// Pits opened by channels of least cost (Lindsay and Dhun 2015, "Modelling surface drainage patterns in
// altered landscapes using LiDAR", section 2.2; Lindsay 2016, "Efficient hybrid breaching-filling sink
// removal methods for flow path enforcement in digital elevation models").

#include "water/breaching.h"

#include "core/memory.h"
#include "water/filling.h"

#include <string.h>

typedef struct Search { // for pits
    const Field *height, *filled;
    float sea;
    uint8_t *marks;
} Search;

enum { PIT = 4 }; // beside BREACH_SEA

static void mark_rows(void *context, int first, int end) {
    const Search *search = context;
    const size_t width = (size_t)search->height->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        const bool is_pit = breach_is_pit(search->height, i, search->filled->cells[i]);
        search->marks[i] =
            (uint8_t)((search->height->cells[i] < search->sea ? BREACH_SEA : 0) | (is_pit ? PIT : 0));
    }
}

// Lists the pits of marked cells.
static Status list_pits(const Search *search, Waiting **pits, size_t *count, Error *error) {
    const size_t cells = field_count(search->height), width = (size_t)search->height->width;
    *count = 0;
    for (size_t i = 0; i < cells; i++)
        *count += search->marks[i] >= PIT;
    *pits = memory_new(*count + 1, sizeof **pits, error);
    if (!*pits)
        return STATUS_MEMORY;
    size_t found = 0;
    for (size_t i = 0; i < cells; i++)
        if (search->marks[i] >= PIT)
            (*pits)[found++] = waiting_cell(search->height->cells[i], (int)(i % width), (int)(i / width));
    return STATUS_OK;
}

// `out` has filled heights, which are replaced.
static Status open_pits(const Run *run, const Breach *params, Search *search, Field *out, bool *left,
                        Error *error) {
    const Field *height = search->height;
    Waiting *pits = NULL;
    size_t count;
    Status status = parallel_rows(run, height->height, (double)height->width * 4, mark_rows, search);
    if (status == STATUS_OK)
        status = list_pits(search, &pits, &count, error);
    if (status == STATUS_OK) {
        memcpy(field_cells(out), height->cells, field_count(height) * sizeof(float));
        BreachCells cells = { .width = height->width,
                              .height = height->height,
                              .given = height->cells,
                              .ground = field_cells(out),
                              .marks = search->marks };
        status = breach_pits(run, params, height, &cells, pits, count, left, error);
    }
    memory_free(pits);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Breach *params = call->params;
    Field *out = &call->outputs[0].field;
    Search search = { .height = call->inputs[0].field, .filled = out, .sea = (float)params->sea_level };
    memcpy(field_cells(out), search.height->cells, field_count(out) * sizeof(float));
    bool left = false;
    Status status = fill_to_spills(call->run, search.height, search.sea, out, error);
    search.marks = status == STATUS_OK ? memory_new(field_count(out), 1, error) : NULL;
    if (status == STATUS_OK)
        status = search.marks ? open_pits(call->run, params, &search, out, &left, error) : STATUS_MEMORY;
    memory_free(search.marks);
    return status == STATUS_OK && left ? fill_to_spills(call->run, out, search.sea, out, error) : status;
}

static Status run_limits(const Call *call, Error *error) {
    const Breach *params = call->params;
    double *limits = memory_new(4, sizeof *limits, error);
    if (!limits)
        return STATUS_MEMORY;
    limits[0] = params->slope;
    limits[1] = params->depth;
    limits[2] = params->length;
    limits[3] = params->sea_level;
    call->outputs[0].numbers.count = 4;
    call->outputs[0].numbers.at = limits;
    return STATUS_OK;
}

static const Param params[] = {
    PARAM(Breach, slope, .initial = 0, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "gradient of channels; a step too small for heights to hold is the next that they hold; 0: "
                 "as high as the pit's bottom throughout"),
    PARAM(Breach, depth, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "no channel is deeper below the given ground; pits that need one are filled instead; 0: "
                 "any depth"),
    PARAM(Breach, length, .initial = 0, .min = 0, .max = 1, .unit = UNIT_SIDES,
          .doc = "pits that need a longer channel are filled instead; 0: any length"),
    PARAM(Breach, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_breach = {
    .name = "breach",
    .measures = MEASURES_CELLS,
    .category = "rivers",
    .keywords = "carve depression sink removal channel condition hydrodem enforcement conditioning",
    .summary = "Opens the pits of a terrain by channels, so that water drains from everywhere",
    .description = "fill makes flats; breach cuts through the rim instead and usually changes far fewer "
                   "cells. From the lowest on, each pit gets the channel, one cell wide, that needs the "
                   "least digging: the sum of the heights by which its cells are lowered, as they are by "
                   "then. With a slope, which makes longer channels deeper, the least is not always found. "
                   "Nothing is raised unless depth or length are given.",
    .source = "Lindsay and Dhun 2015, least-cost breaching; Lindsay 2016, hybrid breaching and filling",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "breached", "heights without pits", .heights = true } },
    .params = params,
    .params_size = sizeof(Breach),
    .example = "local open = height:breach{ depth = 0.1 }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local open = height:breach{}\n"
               "return open:relief{ rivers = ((height - open) * 100):clamp() }",
    .see_also = "fill lakes flow_accumulation",
    .run = run,
};

const Operation limits_of_breach = {
    .name = "breach",
    .gaps = GAPS_OWN,
    .inputs = { { "height", "heights" } },
    .outputs = { { "limits", "slope, depth, length, sea_level", &type_numbers } },
    .params = params,
    .params_size = sizeof(Breach),
    .shapes_outputs = true,
    .wrapping = WRAPPING_LOST,
    .run = run_limits,
};
