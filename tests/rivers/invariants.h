// What holds for every network that river_network grows.

#ifndef ESKER_TEST_RIVER_INVARIANTS_H
#define ESKER_TEST_RIVER_INVARIANTS_H

#include "support.h"

#include "rivers/meander.h"
#include "rivers/network.h"

#include <stdlib.h>

static inline void assert_rivers_fall_to_mouths(const RiverNetwork *network) {
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        assert_true(reach->downstream >= 0 || reach->mouth);
        for (int k = 1; k < reach->count; k++) {
            assert_true(points[k].altitude < points[k - 1].altitude ||
                        points[k].distance > points[k - 1].distance - 1e-3f);
            assert_true(points[k].altitude <= points[k - 1].altitude);
            assert_true(points[k].area >= points[k - 1].area);
            assert_true(points[k].width >= points[k - 1].width);
            assert_true(points[k].distance < points[k - 1].distance);
        }
        int at = i, steps = 0;
        while (network->reaches[at].downstream >= 0 && steps++ < network->reach_count)
            at = network->reaches[at].downstream;
        const RiverPoint *mouth =
            network->points + network->reaches[at].first + network->reaches[at].count - 1;
        assert_near((double)mouth->altitude, 0, 0);
        if (!(points[0].altitude <= 0.8f && points[0].altitude > 0))
            fail_msg("a river lies at %.9g", (double)points[0].altitude);
        if (reach->downstream >= 0) {
            const RiverPoint *next = network->points + network->reaches[reach->downstream].first;
            assert_true(next->x == points[reach->count - 1].x && next->y == points[reach->count - 1].y);
        }
    }
}

static inline void assert_free_of_crossings(const RiverNetwork *network) {
    Crossings crossings = { 0 };
    Error error;
    assert_ok(crossings_find(network, &crossings, &error), error);
    if (crossings.count)
        fail_msg("%d crossings, the first at (%g, %g)", crossings.count, crossings.at[0].x,
                 crossings.at[0].y);
    crossings_free(&crossings);
}

// No two rivers end at one place, and no two reaches are the same.
static inline int by_place(const void *a, const void *b) {
    const Vec2 *one = a, *other = b;
    return one->x != other->x ? (one->x > other->x ? 1 : -1) : (one->y > other->y) - (one->y < other->y);
}

static inline void assert_mouths_are_apart(const RiverNetwork *network) {
    Vec2 *mouths = calloc((size_t)network->reach_count + 1, sizeof *mouths);
    int count = 0;
    assert_non_null(mouths);
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *last = network->points + network->reaches[i].first + network->reaches[i].count - 1;
        if (network->reaches[i].downstream < 0)
            mouths[count++] = (Vec2){ last->x, last->y };
    }
    qsort(mouths, (size_t)count, sizeof *mouths, by_place);
    for (int i = 1; i < count; i++)
        if (mouths[i].x == mouths[i - 1].x && mouths[i].y == mouths[i - 1].y)
            fail_msg("two rivers end at (%g, %g)", mouths[i].x, mouths[i].y);
    free(mouths);
}

#endif
