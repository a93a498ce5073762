#include "water/streams.h"

#include "core/memory.h"
#include "water/flow.h"

#include <math.h>

Status beginning_cells(Beginning beginning, const Field *height, double *cells, Error *error) {
    const double metres = field_cell_metres(height);
    if (!isnan(beginning.area) && !isnan(beginning.cells))
        return fail(error, STATUS_INVALID, "area and cells both say where rivers begin: give one");
    if (!isnan(beginning.area) && metres == 0)
        return fail(error, STATUS_INVALID,
                    "area: the field has no frame in which an area is known: set one with georeference, or "
                    "give cells");
    *cells = !isnan(beginning.area)    ? beginning.area / (metres * metres)
             : !isnan(beginning.cells) ? beginning.cells
                                       : beginning.share * (double)field_count(height);
    return STATUS_OK;
}

Status streams_find(const Run *run, Streams *streams, Beginning beginning, Error *error) {
    const Field *height = streams->drainage.height;
    double least = 0;
    Field areas = { 0 };
    streams->sea = (float)streams->drainage.sea_level;
    Status status = beginning_cells(beginning, height, &least, error);
    streams->least = (float)least;
    if (status == STATUS_OK)
        status = drainage_find(run, &streams->drainage, error);
    if (status != STATUS_OK || (streams->rivers && !streams->measured))
        return status;
    status = field_create(&streams->drained, height->width, height->height, error);
    if (status == STATUS_OK && !isnan(beginning.area))
        status = flow_areas(height, &areas, error);
    Flow flow = { .drainage = streams->drainage,
                  .sum = streams->drained,
                  .rain = areas.cells ? &areas : NULL };
    if (status == STATUS_OK)
        status = flow_accumulate(run, &flow, error);
    field_free(&areas);
    return status;
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
