#include "erosion/stream_history.h"

#include "core/math.h"
#include "erosion/hillslopes.h"
#include "erosion/lake_fill.h"

#include <string.h>

// --- slopes ------------------------------------------------------------------------------------------------

// Streams cut slits a cell wide: the sides of valleys slide until they are little steeper than the given
// land.
static Status slide(const Run *run, const StreamLevel *level, const StreamRule *rule) {
    const Slope slope = { .grid = &level->tree.grid,
                          .heights = level->ground,
                          .mask = level->mask,
                          .most = rule->talus / level->side,
                          .uncut = level->start,
                          .bank = rule->bank / level->side };
    padded_extend(slope.grid, level->start);
    return hillslopes_slide(run, &slope);
}

// --- sediment ----------------------------------------------------------------------------------------------

typedef struct Settling {
    const StreamLevel *level;
    Field *deposit;
} Settling;

static void clear_rows(void *context, int first, int end) {
    const Settling *settling = context;
    for (int y = first; y < end; y++)
        memset(field_row(settling->deposit, y), 0, (size_t)settling->deposit->width * sizeof(float));
}

// Before sediment settles the ground is taken off the deposit, afterwards it is added again.
static void take_off_rows(void *context, int first, int end) {
    const Settling *settling = context;
    for (int y = first; y < end; y++) {
        const float *ground = settling->level->ground + padded_at(&settling->level->tree.grid, 0, y);
        float *deposit = field_row(settling->deposit, y);
        for (int x = 0; x < settling->deposit->width; x++)
            deposit[x] -= ground[x];
    }
}

static void add_rows(void *context, int first, int end) {
    const Settling *settling = context;
    for (int y = first; y < end; y++) {
        const float *ground = settling->level->ground + padded_at(&settling->level->tree.grid, 0, y);
        float *deposit = field_row(settling->deposit, y);
        for (int x = 0; x < settling->deposit->width; x++)
            deposit[x] = max(deposit[x] + ground[x], 0);
    }
}

static Status each_row(const Run *run, Settling settling, RowsBody *body) {
    return parallel_rows(run, settling.deposit->height, settling.deposit->width * 0.5, body, &settling);
}

// --- all ---------------------------------------------------------------------------------------------------

static Status settle(const Run *run, StreamLevel *level, const StreamRule *rule, Field *deposit) {
    Status status = each_row(run, (Settling){ level, deposit }, take_off_rows);
    if (status == STATUS_OK)
        status = stream_level_settle(run, level, rule);
    return status == STATUS_OK ? each_row(run, (Settling){ level, deposit }, add_rows) : status;
}

static Status fill_lakes(const Run *run, StreamLevel *level, const StreamRule *rule, Field *deposit,
                         Error *error) {
    Status status = each_row(run, (Settling){ level, deposit }, take_off_rows);
    if (status == STATUS_OK)
        status = lakes_fill(run, level, rule, error);
    return status == STATUS_OK ? each_row(run, (Settling){ level, deposit }, add_rows) : status;
}

static Status erode_later(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                          const StreamHistory *history, Field *deposit, Error *error) {
    StreamLevel *level = &pyramid->levels[0];
    const StreamRule *later = &history->later;
    float *young = level->room; // the ground, while nothing settles
    memcpy(young, level->ground, padded_count(&level->tree.grid) * sizeof *young);
    Status status = stream_pyramid_drain(run, pyramid, input, &history->mature, error);
    if (status == STATUS_OK)
        status = stream_level_raise(run, level, input, young, later->time);
    if (status == STATUS_OK)
        status = stream_level_erode(run, level, later);
    return status == STATUS_OK ? settle(run, level, later, deposit) : status;
}

Status stream_history_run(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                          const StreamHistory *history, Field *deposit, Error *error) {
    StreamLevel *level = &pyramid->levels[0];
    const bool captured = history->later.time > 0;
    const StreamRule *rule = captured ? &history->later : &history->young;
    Status status = stream_pyramid_create(run, pyramid, input, &history->young, error);
    if (status == STATUS_OK)
        status = each_row(run, (Settling){ level, deposit }, clear_rows);
    if (status == STATUS_OK)
        status = stream_level_drain(run, level, &history->young, false, error);
    if (status == STATUS_OK)
        status = stream_level_erode(run, level, &history->young);
    if (status == STATUS_OK && captured)
        status = erode_later(run, pyramid, input, history, deposit, error);
    if (status == STATUS_OK)
        status = stream_level_raise(run, level, input, NULL, history->young.time + history->later.time);
    if (status == STATUS_OK)
        status = slide(run, level, rule);
    if (status == STATUS_OK)
        status = hillslopes_round(run, level, rule->rounding);
    if (status == STATUS_OK)
        status = stream_level_drain_again(run, level, rule, error);
    return status == STATUS_OK ? fill_lakes(run, level, rule, deposit, error) : status;
}
