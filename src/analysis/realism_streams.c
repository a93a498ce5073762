// What water makes of the land: pits are filled, every cell drains into its steepest neighbour (D8), and
// cells that drain `channel` cells or more are channels.
//
// Hack's exponent and θ are slopes of lines through the logarithms of means over half an octave of drained
// area each, so that the many small channels do not outweigh the few large ones.

#include "analysis/survey.h"
#include "core/elementary.h"
#include "core/least_squares.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivers/drainage.h"

#include <math.h>

enum { ORDERS_MAX = 32, TWICE = 64, DONE = 255, BINS = 64, BIN_MIN = 16, BINS_MIN = 3 };

typedef struct Streams {
    const Survey *survey;
    Drainage drainage;
    uint8_t *waiting;  // number of donors not yet added, or DONE
    uint8_t *channels; // donors that are channels
    uint8_t *order;    // Strahler's; 0: no channel. While donors are missing the highest of theirs, and TWICE
    uint32_t *area;    // drained, in cells
    float *longest;    // way to a divide
} Streams;

static Status find_drainage(Streams *streams, Error *error) {
    const Field *height = streams->survey->height;
    Drainage *drainage = &streams->drainage;
    Status status = field_create(&drainage->filled, height->width, height->height, error);
    return status == STATUS_OK ? drainage_find(streams->survey->run, drainage, error) : status;
}

static bool tree_create(Streams *streams, Error *error) {
    const size_t cells = field_count(streams->survey->height);
    return (streams->waiting = memory_new_zeroed(cells, 1, error)) &&
           (streams->channels = memory_new_zeroed(cells, 1, error)) &&
           (streams->order = memory_new_zeroed(cells, 1, error)) &&
           (streams->area = memory_new(cells, sizeof *streams->area, error)) &&
           (streams->longest = memory_new_zeroed(cells, sizeof *streams->longest, error));
}

static void streams_free(Streams *streams) {
    field_free(&streams->drainage.filled);
    memory_free(streams->drainage.direction);
    memory_free(streams->waiting);
    memory_free(streams->channels);
    memory_free(streams->order);
    memory_free(streams->area);
    memory_free(streams->longest);
}

#define NOWHERE SIZE_MAX

// Where a cell drains: NOWHERE over the border and into the sea.
static size_t receiver_of(const Streams *streams, size_t cell) {
    const int direction = streams->drainage.direction[cell];
    if (direction == DRAINS_OFF)
        return NOWHERE;
    const size_t to = neighbour_of(streams->survey->height, cell, direction);
    return survey_is_land(streams->survey, to) ? to : NOWHERE;
}

static double distance_of(const Streams *streams, size_t cell) {
    const int direction = streams->drainage.direction[cell];
    return direction != DRAINS_OFF && direction % 2 ? 1.4142135623730950488 : 1;
}

// --- the tree ----------------------------------------------------------------------------------------------

// All donors of the cell are done: so is the cell.
static void finish(const Streams *streams, size_t cell) {
    uint8_t *order = &streams->order[cell];
    *order = (uint8_t)((*order & ~TWICE) + (*order & TWICE ? 1 : 0));
    if (streams->area[cell] >= (uint32_t)streams->survey->channel && *order == 0)
        *order = 1;
    streams->waiting[cell] = DONE;
}

static void pass_on(const Streams *streams, size_t from, size_t to) {
    const int own = streams->order[from], theirs = streams->order[to] & ~TWICE;
    const float way = streams->longest[from] + (float)distance_of(streams, from);
    streams->area[to] += streams->area[from];
    streams->longest[to] = max(way, streams->longest[to]);
    streams->channels[to] = (uint8_t)(streams->channels[to] + (own > 0));
    if (own > theirs)
        streams->order[to] = (uint8_t)own;
    else if (own > 0 && own == theirs)
        streams->order[to] |= TWICE;
}

// From each cell without donors downstream, as long as nothing else is missing.
static Status grow_tree(const Streams *streams) {
    const size_t cells = field_count(streams->survey->height);
    for (size_t i = 0; i < cells; i++) {
        const size_t to = survey_is_land(streams->survey, i) ? receiver_of(streams, i) : NOWHERE;
        streams->area[i] = 1;
        if (to != NOWHERE)
            streams->waiting[to]++;
    }
    for (size_t i = 0; i < cells; i++) {
        if (i % (1 << 16) == 0 && run_stopped(streams->survey->run))
            return STATUS_STOPPED;
        size_t cell = i;
        while (cell != NOWHERE && streams->waiting[cell] == 0 && survey_is_land(streams->survey, cell)) {
            finish(streams, cell);
            const size_t to = receiver_of(streams, cell);
            if (to != NOWHERE) {
                pass_on(streams, cell, to);
                streams->waiting[to]--;
            }
            cell = to;
        }
    }
    return STATUS_OK;
}

// --- measures ----------------------------------------------------------------------------------------------

typedef struct Bin { // channels of nearly the same area
    double count, log_area, log_way, fall, distance;
} Bin;

typedef struct Sums {
    double land, raised, length, along, straight;
    double streams[ORDERS_MAX], lengths[ORDERS_MAX];
    Bin bins[BINS];
} Sums;

// The channel from its first cell to the next confluence, or its end.
static void add_link(const Streams *streams, Sums *sums, size_t first) {
    const size_t width = (size_t)streams->survey->height->width;
    double along = 0;
    size_t cell = first;
    for (size_t to = receiver_of(streams, cell); to != NOWHERE; to = receiver_of(streams, cell)) {
        along += distance_of(streams, cell);
        cell = to;
        if (streams->channels[cell] > 1)
            break;
    }
    const ptrdiff_t dx = (ptrdiff_t)(cell % width) - (ptrdiff_t)(first % width);
    const ptrdiff_t dy = (ptrdiff_t)(cell / width) - (ptrdiff_t)(first / width);
    sums->along += along;
    sums->straight += sqrt((double)(dx * dx + dy * dy));
}

static void add_to_bin(const Streams *streams, Sums *sums, size_t cell, size_t to) {
    const double area = (double)streams->area[cell];
    const double octaves = logarithm(area / streams->survey->channel) / logarithm(2);
    Bin *bin = &sums->bins[index_within(2 * octaves, BINS)];
    const Field *filled = &streams->drainage.filled;
    bin->count++;
    bin->log_area += logarithm(area);
    bin->log_way += logarithm(max((double)streams->longest[cell], 1.0));
    bin->fall += (double)filled->cells[cell] - (double)filled->cells[to];
    bin->distance += distance_of(streams, cell);
}

static void add_channel(const Streams *streams, Sums *sums, size_t cell) {
    const size_t to = receiver_of(streams, cell);
    const int order = streams->order[cell];
    sums->length += distance_of(streams, cell);
    sums->lengths[order] += distance_of(streams, cell);
    sums->streams[order] += to == NOWHERE || streams->order[to] != order;
    if (streams->channels[cell] != 1)
        add_link(streams, sums, cell);
    if (to != NOWHERE)
        add_to_bin(streams, sums, cell, to);
}

static void sum_cells(const Streams *streams, Sums *sums) {
    const Field *height = streams->survey->height;
    for (size_t i = 0; i < field_count(height); i++) {
        if (!survey_is_land(streams->survey, i))
            continue;
        sums->land++;
        sums->raised += streams->drainage.filled.cells[i] > height->cells[i];
        if (streams->order[i] > 0)
            add_channel(streams, sums, i);
    }
}

// Horton 1945: by least squares through the logarithms, over orders of more than one stream.
static void set_ratios(Survey *survey, const Sums *sums) {
    Line number = { 0 }, length = { 0 };
    for (int i = 1; i < ORDERS_MAX; i++) {
        if (sums->streams[i] < 2)
            continue;
        line_add(&number, i, logarithm(sums->streams[i]));
        line_add(&length, i, logarithm(sums->lengths[i] / sums->streams[i]));
    }
    if (number.count < 2)
        return;
    survey_set(survey, MEASURE_bifurcation, exponential(-line_slope(&number)));
    survey_set(survey, MEASURE_length_ratio, exponential(line_slope(&length)));
}

static void set_powers(Survey *survey, const Sums *sums) {
    Line way = { 0 }, slope = { 0 };
    for (int i = 0; i < BINS; i++) {
        const Bin *bin = &sums->bins[i];
        if (bin->count < BIN_MIN)
            continue;
        line_add(&way, bin->log_area / bin->count, bin->log_way / bin->count);
        if (bin->fall > 0)
            line_add(&slope, bin->log_area / bin->count, logarithm(bin->fall / bin->distance));
    }
    if (way.count >= BINS_MIN)
        survey_set(survey, MEASURE_hack, line_slope(&way));
    if (slope.count >= BINS_MIN)
        survey_set(survey, MEASURE_concavity, -line_slope(&slope));
}

static Status measure_tree(Survey *survey, Streams *streams) {
    Sums sums = { 0 };
    const Status status = grow_tree(streams);
    if (status != STATUS_OK)
        return status;
    sum_cells(streams, &sums);
    survey_set(survey, MEASURE_hollows, sums.raised / sums.land);
    if (!(sums.length > 0))
        return STATUS_OK;
    survey_set(survey, MEASURE_density, sums.length / sums.land * sqrt(survey->channel));
    if (sums.straight > 0)
        survey_set(survey, MEASURE_sinuosity, sums.along / sums.straight);
    set_ratios(survey, &sums);
    set_powers(survey, &sums);
    return STATUS_OK;
}

Status survey_streams(Survey *survey, Error *error) {
    Streams streams = { .survey = survey,
                        .drainage = { .height = survey->height, .sea_level = (double)survey->sea_level } };
    if (!survey->known[MEASURE_hypsometric])
        return STATUS_OK; // no land, or flat: water does not run
    Status status = find_drainage(&streams, error);
    if (status == STATUS_OK && !tree_create(&streams, error))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = measure_tree(survey, &streams);
    streams_free(&streams);
    return status;
}
