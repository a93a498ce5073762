#include "erosion/stream_history.h"

#include "core/math.h"
#include "erosion/hillslopes.h"
#include "erosion/lake_fill.h"

#include <string.h>

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

static Status erode_later(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                          const StreamHistory *history, Error *error) {
    StreamLevel *level = &pyramid->levels[0];
    const StreamRule *later = &history->later;
    float *young = level->room; // the ground, while nothing settles
    memcpy(young, level->ground, padded_count(&level->tree.grid) * sizeof *young);
    Status status = stream_pyramid_drain(run, pyramid, input, &history->mature, error);
    if (status == STATUS_OK)
        status = stream_level_raise(run, level, input, young, later->time);
    if (status == STATUS_OK)
        status = stream_level_erode(run, level, later);
    return status == STATUS_OK ? stream_level_settle(run, level, later) : status;
}

Status stream_history_run(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                          const StreamHistory *history, Error *error) {
    StreamLevel *level = &pyramid->levels[0];
    const bool captured = history->later.time > 0;
    const StreamRule *rule = captured ? &history->later : &history->young;
    Status status = stream_pyramid_create(run, pyramid, input, &history->young, error);
    if (status == STATUS_OK)
        status = stream_level_drain(run, level, &history->young, false, error);
    if (status == STATUS_OK)
        status = stream_level_erode(run, level, &history->young);
    if (status == STATUS_OK && captured)
        status = erode_later(run, pyramid, input, history, error);
    if (status == STATUS_OK)
        status = stream_level_raise(run, level, input, NULL, history->young.time + history->later.time);
    if (status == STATUS_OK)
        status = slide(run, level, rule);
    if (status == STATUS_OK)
        status = hillslopes_round(run, level, rule->rounding);
    if (status == STATUS_OK)
        status = stream_level_drain_again(run, level, rule, error);
    return status == STATUS_OK ? lakes_fill(run, level, rule, error) : status;
}
