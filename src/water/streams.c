#include "water/streams.h"

#include "core/memory.h"
#include "water/flow.h"

Status streams_find(const Run *run, Streams *streams, double threshold, Error *error) {
    const Field *height = streams->drainage.height;
    streams->sea = (float)streams->drainage.sea_level;
    streams->least = (float)(threshold * (double)field_count(height));
    Status status = drainage_find(run, &streams->drainage, error);
    if (status != STATUS_OK || (streams->rivers && !streams->measured))
        return status;
    status = field_create(&streams->drained, height->width, height->height, error);
    if (status != STATUS_OK)
        return status;
    Flow flow = { .drainage = streams->drainage, .sum = streams->drained };
    return flow_accumulate(run, &flow, error);
}

static void end_rows(void *context, int first, int end) {
    const Streams *streams = context;
    const size_t width = (size_t)streams->drainage.height->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        if (is_stream(streams, i))
            streams->drainage.direction[i] = DRAINS_OFF;
}

Status streams_end_ways(const Run *run, Streams *streams) {
    const Field *height = streams->drainage.height;
    return parallel_rows(run, height->height, height->width, end_rows, streams);
}

void streams_free(Streams *streams) {
    field_free(&streams->drained);
    memory_free(streams->drainage.direction);
}
