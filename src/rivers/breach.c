// Pits opened by channels (Lindsay 2016, "Efficient hybrid breaching-filling sink removal methods for flow
// path enforcement in digital elevation models").
//
// From the bottom of a pit water goes the way that it would take over the filled pit: to the lowest spill,
// and down behind it. The ground on this way is dug as low as the bottom, until there is lower ground. The
// lowest pits are opened first, so that no cell is dug twice: higher ones end in their channels.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "rivers/cell_queue.h"
#include "rivers/drainage.h"
#include "rivers/filling.h"

#include <stdlib.h>
#include <string.h>

typedef struct Breach {
    double slope, depth;
    int length;
    double sea_level;
} Breach;

enum { PIT = 1, CHANNEL = 2 };

typedef struct Digging {
    const Breach *params;
    Drainage drainage;
    Field ground; // as dug so far; the cells of drainage.filled before
    uint8_t *marks;
    Waiting *pits;
    size_t pit_count;
    bool left; // whether pits were too deep to be opened
} Digging;

// --- pits ------------------------------------------------------------------------------------------------

static bool is_pit(const Digging *digging, int x, int y) {
    const Field *height = digging->drainage.height;
    const size_t cell = (size_t)y * (size_t)height->width + (size_t)x;
    if (!(digging->drainage.filled.cells[cell] > height->cells[cell])) // so that it is not on the border
        return false;
    for (int i = 0; i < NEIGHBOURS; i++)
        if (height->cells[neighbour_of(height, cell, i)] < height->cells[cell])
            return false;
    return true;
}

static void mark_rows(void *context, int first, int end) {
    const Digging *digging = context;
    const int width = digging->ground.width;
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x++)
            digging->marks[(size_t)y * (size_t)width + (size_t)x] = is_pit(digging, x, y) ? PIT : 0;
}

static int compare(const void *one, const void *other) {
    const Waiting a = *(const Waiting *)one, b = *(const Waiting *)other;
    return (a > b) - (a < b);
}

static Status list_pits(const Run *run, Digging *digging, Error *error) {
    const Field *height = digging->drainage.height;
    const size_t cells = field_count(height), width = (size_t)height->width;
    digging->marks = memory_new(cells, 1, error);
    if (!digging->marks)
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, height->height, (double)width * 4, mark_rows, digging);
    if (status != STATUS_OK)
        return status;
    size_t count = 0;
    for (size_t i = 0; i < cells; i++)
        count += digging->marks[i] == PIT;
    digging->pits = memory_new(count + 1, sizeof *digging->pits, error);
    if (!digging->pits)
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        if (digging->marks[i] == PIT)
            digging->pits[digging->pit_count++] =
                waiting_cell(height->cells[i], (int)(i % width), (int)(i / width));
    qsort(digging->pits, count, sizeof *digging->pits, compare);
    return STATUS_OK;
}

// --- channels --------------------------------------------------------------------------------------------

// How far from a pit, and how deep, its channel goes on.
typedef struct Channel {
    size_t at;
    float bed;
    float depth; // at most, so far
    int length;
} Channel;

// Steps to the next cell that has to be dug; false at the end of the channel.
static bool dig_on(const Digging *digging, Channel *channel) {
    const int direction = digging->drainage.direction[channel->at];
    if (direction >= NEIGHBOURS)
        return false;
    channel->at = neighbour_of(&digging->ground, channel->at, direction);
    channel->bed -= (float)digging->params->slope / inverse_distance[direction];
    const float ground = digging->ground.cells[channel->at];
    if (ground < channel->bed || ground < (float)digging->drainage.sea_level ||
        (ground == channel->bed && digging->marks[channel->at] & CHANNEL))
        return false;
    channel->depth = max(ground - channel->bed, channel->depth);
    channel->length++;
    return true;
}

static bool is_allowed(const Breach *params, const Channel *channel) {
    return (params->depth <= 0 || channel->depth <= (float)params->depth) &&
           (params->length <= 0 || channel->length <= params->length);
}

static void open_pit(Digging *digging, size_t pit) {
    const Channel start = { .at = pit, .bed = digging->ground.cells[pit] };
    Channel channel = start;
    bool allowed = true;
    while (allowed && dig_on(digging, &channel))
        allowed = is_allowed(digging->params, &channel);
    digging->left = digging->left || !allowed;
    digging->marks[pit] |= allowed ? CHANNEL : 0;
    for (channel = start; allowed && dig_on(digging, &channel);) {
        field_cells(&digging->ground)[channel.at] = channel.bed;
        digging->marks[channel.at] |= CHANNEL;
    }
}

static Status open_pits(const Run *run, Digging *digging, Error *error) {
    enum { PITS_PER_POLL = 1 << 12 };
    const size_t width = (size_t)digging->ground.width;
    Status status = drainage_find(run, &digging->drainage, error);
    if (status == STATUS_OK)
        status = list_pits(run, digging, error);
    if (status != STATUS_OK)
        return status;
    memcpy(field_cells(&digging->ground), digging->drainage.height->cells,
           field_count(&digging->ground) * sizeof(float));
    for (size_t i = 0; i < digging->pit_count && status == STATUS_OK; i++) {
        if (i % PITS_PER_POLL == 0)
            status = run_advance(run, (double)i, (double)digging->pit_count);
        const Waiting pit = digging->pits[i];
        open_pit(digging, (size_t)waiting_y(pit) * width + (size_t)waiting_x(pit));
    }
    return status;
}

static Status run(const Call *call, Error *error) {
    const Breach *params = call->params;
    Field *out = &call->outputs[0].field;
    Digging digging = {
        .params = params,
        .ground = *out,
        .drainage = { .height = call->inputs[0].field, .filled = *out, .sea_level = params->sea_level }
    };
    Status status = open_pits(call->run, &digging, error);
    memory_free(digging.drainage.direction);
    memory_free(digging.marks);
    memory_free(digging.pits);
    if (status == STATUS_OK && digging.left)
        status = fill_to_spills(call->run, out, (float)params->sea_level, out, error);
    return status;
}

static const Param params[] = {
    PARAM(Breach, slope, .initial = 0, .min = 0, .max = 1e4, .unit = UNIT_PER_SIDE,
          .doc = "gradient of channels; 0: as high as the pit's bottom throughout"),
    PARAM(Breach, depth, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "pits whose channel would be deeper are filled instead; 0: none"),
    PARAM(Breach, length, .initial = 0, .min = 0, .max = 1e9, .unit = UNIT_CELLS,
          .doc = "pits whose channel would be longer are filled instead; 0: none"),
    PARAM(Breach, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_breach = {
    .name = "breach",
    .category = "rivers",
    .keywords = "carve depression sink removal channel condition",
    .summary = "Opens the pits of a terrain by channels, so that water drains from everywhere",
    .description = "Where fill makes lakes and flats, this cuts through what holds the water, and mostly "
                   "changes far fewer cells. Channels are one cell wide and follow the way that water "
                   "takes over the filled pit. Nothing is raised unless depth or length are given.",
    .source = "Lindsay 2016, hybrid breaching and filling",
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
