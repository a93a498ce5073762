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
#include "water/downstream.h"
#include "water/drainage.h"

#include <math.h>

enum { ORDERS_MAX = 32, BINS = 64, BIN_MIN = 16, BINS_MIN = 3 };

typedef struct Node { // of the tree, a cell
    uint32_t area;    // drained, in cells
    float longest;    // way to a divide
    uint8_t channels; // donors that are channels
    uint8_t order;    // Strahler's; 0: no channel
} Node;

typedef struct Streams {
    const Survey *survey;
    Drainage drainage;
    uint8_t *ways; // directions of land into land; DRAINS_OFF over the border and into the sea; of sea UNSEEN
    Node *nodes;   // not of sea
} Streams;

static Status find_drainage(Streams *streams, Error *error) {
    const Field *height = streams->survey->height;
    Drainage *drainage = &streams->drainage;
    Status status = field_create(&drainage->filled, height->width, height->height, error);
    return status == STATUS_OK ? drainage_find(streams->survey->run, drainage, error) : status;
}

static bool tree_create(Streams *streams, Error *error) {
    const size_t cells = field_count(streams->survey->height);
    return (streams->ways = memory_new(cells, sizeof *streams->ways, error)) &&
           (streams->nodes = memory_new(cells, sizeof *streams->nodes, error));
}

static void streams_free(Streams *streams) {
    field_free(&streams->drainage.filled);
    memory_free(streams->drainage.direction);
    memory_free(streams->ways);
    memory_free(streams->nodes);
}

#define NOWHERE SIZE_MAX

// Where a cell of land drains: NOWHERE over the border and into the sea.
static size_t receiver_of(const Streams *streams, size_t cell) {
    const int way = streams->ways[cell];
    return way == DRAINS_OFF ? NOWHERE : neighbour_of(streams->survey->height, cell, way);
}

// The length of a step in this direction, in cells.
static double length_of(int direction) {
    return direction % 2 ? 1.4142135623730950488 : 1;
}

static double distance_of(const Streams *streams, size_t cell) {
    const int direction = streams->drainage.direction[cell];
    return direction != DRAINS_OFF ? length_of(direction) : 1;
}

// --- the tree ----------------------------------------------------------------------------------------------

static void find_ways(void *context, int first, int end) {
    const Streams *streams = context;
    const Survey *survey = streams->survey;
    const size_t width = (size_t)survey->height->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        const int direction = streams->drainage.direction[i];
        const bool stays =
            direction < NEIGHBOURS && survey_is_land(survey, neighbour_of(survey->height, i, direction));
        streams->ways[i] = (uint8_t)(!survey_is_land(survey, i) ? UNSEEN : stays ? direction : DRAINS_OFF);
    }
}

// A cell from its donors.
static Node add_up(const Streams *streams, size_t cell, unsigned donors) {
    Node node = { .area = 1 };
    int twice = 0;
    for (int i = 0; donors; i++, donors >>= 1) {
        if (!(donors & 1))
            continue;
        const Node from = streams->nodes[neighbour_of(streams->survey->height, cell, i)];
        const float way = from.longest + (float)length_of(i);
        node.area += from.area;
        node.longest = max(way, node.longest);
        node.channels = (uint8_t)(node.channels + (from.order > 0));
        twice = from.order > node.order ? 0 : twice | (from.order > 0 && from.order == node.order);
        node.order = from.order > node.order ? from.order : node.order;
    }
    node.order = (uint8_t)(node.order + twice);
    if (node.order == 0 && node.area >= (uint32_t)streams->survey->channel)
        node.order = 1;
    return node;
}

static void add_up_all(void *context, const uint32_t *cells, int count, const uint8_t *donors) {
    const Streams *streams = context;
    for (int i = 0; i < count; i++)
        streams->nodes[cells[i]] = add_up(streams, cells[i], donors[cells[i]]);
}

static Status grow_tree(Streams *streams, Error *error) {
    const Survey *survey = streams->survey;
    const Downstream downstream = { .width = survey->height->width,
                                    .height = survey->height->height,
                                    .direction = streams->ways,
                                    .visit = add_up_all,
                                    .context = streams };
    const Status status =
        parallel_rows(survey->run, downstream.height, downstream.width * 2.0, find_ways, streams);
    return status == STATUS_OK ? visit_downstream(survey->run, &downstream, error) : status;
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

// What a cell of a channel adds to sums, whose order is that of cells: rows are looked at side by side, and
// then added one after the other.
typedef struct Channel {
    double along, straight; // of the channel that begins here
    double log_area, log_way, fall, distance;
    uint8_t order, bin; // NO_BIN: it drains nowhere
    bool ends;          // the last of its order
} Channel;

enum { NO_BIN = 255, GROUP_CELLS = 1 << 15 };

typedef struct RowSums {
    uint32_t land, raised, channels;
} RowSums;

typedef struct Group {
    const Streams *streams;
    Channel *channels; // of each row, from the place of its first cell
    RowSums *rows;
    int first;
} Group;

// The channel from its first cell to the next confluence, or its end.
static void measure_link(const Streams *streams, Channel *channel, size_t first) {
    const size_t width = (size_t)streams->survey->height->width;
    size_t cell = first;
    for (size_t to = receiver_of(streams, cell); to != NOWHERE; to = receiver_of(streams, cell)) {
        channel->along += distance_of(streams, cell);
        cell = to;
        if (streams->nodes[cell].channels > 1)
            break;
    }
    const ptrdiff_t dx = (ptrdiff_t)(cell % width) - (ptrdiff_t)(first % width);
    const ptrdiff_t dy = (ptrdiff_t)(cell / width) - (ptrdiff_t)(first / width);
    channel->straight = sqrt((double)(dx * dx + dy * dy));
}

static Channel channel_at(const Streams *streams, size_t cell) {
    const Field *filled = &streams->drainage.filled;
    const size_t to = receiver_of(streams, cell);
    Channel channel = { .distance = distance_of(streams, cell),
                        .order = streams->nodes[cell].order,
                        .bin = NO_BIN };
    channel.ends = to == NOWHERE || streams->nodes[to].order != channel.order;
    if (streams->nodes[cell].channels != 1)
        measure_link(streams, &channel, cell);
    if (to == NOWHERE)
        return channel;
    const double area = (double)streams->nodes[cell].area;
    const double octaves = logarithm(area / streams->survey->channel) / logarithm(2);
    channel.bin = (uint8_t)index_within(2 * octaves, BINS);
    channel.log_area = logarithm(area);
    channel.log_way = logarithm(max((double)streams->nodes[cell].longest, 1.0));
    channel.fall = (double)filled->cells[cell] - (double)filled->cells[to];
    return channel;
}

static void look_at_rows(void *context, int first, int end) {
    const Group *group = context;
    const Streams *streams = group->streams;
    const Field *height = streams->survey->height;
    const size_t width = (size_t)height->width;
    for (int row = first; row < end; row++) {
        const size_t start = (size_t)(group->first + row) * width;
        Channel *channels = group->channels + (size_t)row * width;
        RowSums sums = { 0 };
        for (size_t i = start; i < start + width; i++) {
            if (!survey_is_land(streams->survey, i))
                continue;
            sums.land++;
            sums.raised += streams->drainage.filled.cells[i] > height->cells[i];
            if (streams->nodes[i].order > 0)
                channels[sums.channels++] = channel_at(streams, i);
        }
        group->rows[row] = sums;
    }
}

static void add_channel(Sums *sums, const Channel *channel) {
    sums->length += channel->distance;
    sums->lengths[channel->order] += channel->distance;
    sums->streams[channel->order] += channel->ends;
    sums->along += channel->along;
    sums->straight += channel->straight;
    if (channel->bin == NO_BIN)
        return;
    Bin *bin = &sums->bins[channel->bin];
    bin->count++;
    bin->log_area += channel->log_area;
    bin->log_way += channel->log_way;
    bin->fall += channel->fall;
    bin->distance += channel->distance;
}

static Status sum_rows(Group *group, int rows, Sums *sums) {
    const Survey *survey = group->streams->survey;
    const size_t width = (size_t)survey->height->width;
    const Status status = parallel_rows(survey->run, rows, survey->height->width * 10.0, look_at_rows, group);
    for (int row = 0; status == STATUS_OK && row < rows; row++) {
        sums->land += group->rows[row].land;
        sums->raised += group->rows[row].raised;
        for (uint32_t i = 0; i < group->rows[row].channels; i++)
            add_channel(sums, &group->channels[(size_t)row * width + i]);
    }
    return status;
}

static Status sum_cells(const Streams *streams, Sums *sums, Error *error) {
    const Field *height = streams->survey->height;
    const int rows = min(max(GROUP_CELLS / height->width, 1), height->height);
    Group group = { .streams = streams };
    group.rows = memory_new((size_t)rows, sizeof *group.rows, error);
    group.channels = memory_new_cells(rows, height->width, sizeof *group.channels, error);
    Status status = group.rows && group.channels ? STATUS_OK : STATUS_MEMORY;
    for (; status == STATUS_OK && group.first < height->height; group.first += rows)
        status = sum_rows(&group, min(rows, height->height - group.first), sums);
    memory_free(group.rows);
    memory_free(group.channels);
    return status;
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

static Status measure_tree(Survey *survey, Streams *streams, Error *error) {
    Sums sums = { 0 };
    Status status = grow_tree(streams, error);
    if (status == STATUS_OK)
        status = sum_cells(streams, &sums, error);
    if (status != STATUS_OK)
        return status;
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
        status = measure_tree(survey, &streams, error);
    streams_free(&streams);
    return status;
}
