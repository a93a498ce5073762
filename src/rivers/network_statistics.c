// Geomorphological statistics of river networks.

#include "core/elementary.h"
#include "core/least_squares.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "rivers/network.h"

#include <math.h>

enum { ORDERS_MAX = 32 };

// Streams: chains of reaches of one order, from where the order begins to where it ends.
typedef struct OrderSums {
    int streams;
    double length, area; // of all of them; area at their lower ends
} OrderSums;

// Square metres of a cell in the middle of the window; 0: lengths in metres are not known.
static double cell_area(const RiverNetwork *network) {
    const double cell = network->planet || frame_is_of_map(&network->frame)
                            ? 0
                            : frame_cell_metres(&network->frame, network->width, network->height);
    return cell * cell;
}

// Between two points, as long as cells are in the row between them: in metres where the ground is known,
// elsewhere in cells.
static double between(const RiverNetwork *network, const RiverPoint *a, const RiverPoint *b) {
    const double area = cell_area(network);
    CellShape shape = { 1, 1 };
    if (area > 0)
        shape = frame_row_shape(&network->frame, network->width, network->height,
                                whole_within(0.5 * (a->y + b->y), 0, network->height - 1));
    const double across = (b->x - a->x) * shape.across, down = (b->y - a->y) * shape.down;
    return sqrt(across * across + down * down) * (area > 0 ? sqrt(area) : 1);
}

static double reach_length(const RiverNetwork *network, const Reach *reach) {
    const RiverPoint *points = network->points + reach->first;
    if (cell_area(network) == 0)
        return (double)(points[0].distance - points[reach->count - 1].distance);
    double length = 0;
    for (int i = 1; i < reach->count; i++)
        length += between(network, &points[i - 1], &points[i]);
    return length;
}

static void sum_orders(const RiverNetwork *network, OrderSums *orders) {
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        OrderSums *order = &orders[reach->order < ORDERS_MAX ? reach->order : ORDERS_MAX - 1];
        order->length += reach_length(network, reach);
        const bool goes_on =
            reach->downstream >= 0 && network->reaches[reach->downstream].order == reach->order;
        if (!goes_on) {
            order->streams++;
            order->area += network_drained(network, reach);
        }
    }
}

typedef struct Horton { // how much from one order to the next
    double number, length, area;
} Horton;

// Least squares on the logarithms, for orders with more than one stream (Horton 1945).
static Horton ratios(const OrderSums *orders) {
    Line number = { 0 }, length = { 0 }, area = { 0 };
    for (int i = 1; i < ORDERS_MAX; i++) {
        const OrderSums *order = &orders[i];
        if (order->streams < 2 || !(order->length > 0) || !(order->area > 0))
            continue;
        line_add(&number, i, logarithm(order->streams));
        line_add(&length, i, logarithm(order->length / order->streams));
        line_add(&area, i, logarithm(order->area / order->streams));
    }
    const bool enough = number.count > 1;
    return (Horton){ enough ? exponential(-line_slope(&number)) : 0,
                     enough ? exponential(line_slope(&length)) : 0,
                     enough ? exponential(line_slope(&area)) : 0 };
}

// The longest way to a spring above each reach's lower end, found downstream from the springs.
static bool longest_above(const RiverNetwork *network, double *longest, Error *error) {
    const int count = network->reach_count;
    int *waiting = memory_new_zeroed((size_t)count + 1, sizeof *waiting, error);
    int *ready = waiting ? memory_new((size_t)count + 1, sizeof *ready, error) : NULL;
    int done = 0;
    for (int i = 0; i < count && ready; i++)
        if (network->reaches[i].downstream >= 0)
            waiting[network->reaches[i].downstream]++;
    for (int i = 0; i < count && ready; i++) {
        longest[i] = reach_length(network, &network->reaches[i]);
        if (waiting[i] == 0)
            ready[done++] = i;
    }
    for (int next = 0; next < done; next++) {
        const int down = network->reaches[ready[next]].downstream;
        if (down < 0)
            continue;
        const double with = longest[ready[next]] + reach_length(network, &network->reaches[down]);
        longest[down] = max(with, longest[down]);
        if (--waiting[down] == 0)
            ready[done++] = down;
    }
    const bool enough = ready != NULL;
    memory_free(ready);
    memory_free(waiting);
    return enough;
}

// Hack 1957: the length of the longest stream is proportional to a power of the drained area, about 0.6 in
// nature.
static bool hack_exponent(const RiverNetwork *network, double *exponent, Error *error) {
    double *longest = memory_new((size_t)network->reach_count + 1, sizeof *longest, error);
    if (!longest)
        return false;
    const bool enough = longest_above(network, longest, error);
    Line line = { 0 };
    for (int i = 0; i < network->reach_count && enough; i++) {
        const double area = network_drained(network, &network->reaches[i]);
        if (network->reaches[i].order > 1 && area > 0 && longest[i] > 0)
            line_add(&line, logarithm(area), logarithm(longest[i]));
    }
    *exponent = line_slope(&line);
    memory_free(longest);
    return enough;
}

// Sinuosity: the length of reaches divided by the straight distance between their ends.
static double sinuosity(const RiverNetwork *network) {
    double along = 0, straight = 0;
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *from = &network->points[reach->first], *to = from + reach->count - 1;
        along += reach_length(network, reach);
        straight += between(network, from, to);
    }
    return straight > 0 ? along / straight : 1;
}

// What drains inside the window, in cells. Rivers enter windows of a map from outside, with reaches of order
// 1 that begin at the border. Where they drain more than the window has cells, the difference of what leaves
// and enters is less exact than the number of cells, which it cannot exceed.
static double cells_drained(const RiverNetwork *network) {
    double leaves = 0, enters = 0;
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *from = &network->points[reach->first];
        const bool is_inside =
            from->x >= 1 && from->y >= 1 && from->x <= network->width - 1 && from->y <= network->height - 1;
        leaves += reach->downstream < 0 ? network_drained(network, reach) : 0;
        enters += reach->order == 1 && !is_inside ? from->area : 0;
    }
    const double cell = network->cell * network->cell, all = (double)network->width * network->height;
    if (network->exact_cell == 0)
        return leaves / cell;
    return enters > all * cell ? all : clamp((leaves - enters) / cell, 0, all);
}

static Status run(const Call *call, Error *error) {
    const RiverNetwork *network = call->inputs[0].value;
    Output *outputs = call->outputs;
    OrderSums orders[ORDERS_MAX] = { 0 };
    double exponent = 0, length = 0;
    int mouths = 0, highest = 0;
    if (!hack_exponent(network, &exponent, error))
        return STATUS_MEMORY;
    sum_orders(network, orders);
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        highest = max(reach->order, highest);
        length += reach_length(network, reach);
        mouths += reach->downstream < 0;
    }
    const Horton horton = ratios(orders);
    const double cells = cells_drained(network);
    const double metres2 = cells * cell_area(network);
    const bool is_known = metres2 > 0;
    const double density = is_known ? 1000 * length / metres2 : cells > 0 ? length / cells : 0;
    const double results[] = {
        network->reach_count, mouths,        highest,    is_known ? length : length * network->cell, density,
        horton.number,        horton.length, horton.area
    };
    enum { RESULTS = sizeof results / sizeof *results };
    for (int i = 0; i < RESULTS; i++)
        outputs[i].number = results[i];
    outputs[RESULTS].number = exponent;
    outputs[RESULTS + 1].number = sinuosity(network);
    return STATUS_OK;
}

const Operation op_network_statistics = {
    .name = "network_statistics",
    .category = "rivers",
    .keywords = "horton strahler hack tokunaga bifurcation",
    .summary = "Measures a river network: Horton's ratios, Hack's exponent, drainage density",
    .description = "A stream is a chain of reaches of one order. Horton's ratios are the factors by "
                   "which streams get fewer, longer and larger from one order to the next, fitted by "
                   "least squares. In nature they are about 3 to 5, 1.5 to 3.5 and 3 to 6; 0 means that "
                   "the network has too few orders.",
    .source = "Horton 1945; Strahler 1957; Hack 1957",
    .inputs = { { "network", "rivers", { &type_network } } },
    .outputs = { { "reaches", "number of reaches", &type_number },
                 { "mouths", "number of rivers that end or leave the window", &type_number },
                 { "order", "highest Strahler order", &type_number },
                 { "length", "total length of rivers; of maps in map units", &type_number,
                   .dimension = DIMENSION_LENGTH },
                 { "density",
                   "length of rivers per area that drains inside the window: km per km², without a frame "
                   "cells per cell",
                   &type_number },
                 { "number_ratio", "Horton's ratio of stream numbers", &type_number },
                 { "length_ratio", "Horton's ratio of stream lengths", &type_number },
                 { "area_ratio", "Horton's ratio of stream areas", &type_number },
                 { "hack", "Hack's exponent", &type_number },
                 { "sinuosity", "length of reaches divided by the straight distance", &type_number } },
    .record = true,
    .example =
        "local ratio = esker.river_network{ points = 500, size = 64 }:network_statistics{}.number_ratio",
    .see_also = "river_network rivers rivers_from_flow",
    .run = run,
};
