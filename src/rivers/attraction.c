#include "rivers/attraction.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

// --- order -------------------------------------------------------------------------------------------------

// Interleaves the bits of both numbers (Morton order): points close in this order are close in the plane.
static uint64_t spread_bits(uint32_t number) {
    uint64_t bits = number;
    bits = (bits | bits << 16) & UINT64_C(0x0000ffff0000ffff);
    bits = (bits | bits << 8) & UINT64_C(0x00ff00ff00ff00ff);
    bits = (bits | bits << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    bits = (bits | bits << 2) & UINT64_C(0x3333333333333333);
    return (bits | bits << 1) & UINT64_C(0x5555555555555555);
}

typedef struct CurvePlace { // along that curve
    uint64_t code;
    int index;
} CurvePlace;

static CurvePlace curve_place(Vec2 spot, int index) {
    const double scale = (double)(1 << 24);
    return (CurvePlace){ spread_bits((uint32_t)whole_within(spot.x * scale, 0, INT_MAX)) |
                             spread_bits((uint32_t)whole_within(spot.y * scale, 0, INT_MAX)) << 1,
                         index };
}

// Radix sort, one byte at a time: equal codes keep their order.
static void sort_places(CurvePlace *places, CurvePlace *scratch, int count) {
    for (int shift = 0; shift < 64; shift += 8) {
        int starts[257] = { 0 };
        for (int i = 0; i < count; i++)
            starts[(places[i].code >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            starts[i + 1] += starts[i];
        for (int i = 0; i < count; i++)
            scratch[starts[places[i].code >> shift & 255]++] = places[i];
        CurvePlace *const sorted = scratch;
        scratch = places;
        places = sorted;
    } // an even number of passes leaves the result in the first array
}

// --- tree --------------------------------------------------------------------------------------------------

static int leaf_end(const Attraction *attraction, int leaf) {
    const int end = (leaf + 1) * POINTS_PER_LEAF;
    return min(end, attraction->count);
}

static void measure_leaf(const Attraction *attraction, int leaf) {
    AttractionBox box = { INFINITY, INFINITY, -INFINITY, -INFINITY, -1 };
    for (int i = leaf * POINTS_PER_LEAF; i < leaf_end(attraction, leaf); i++) {
        const AttractionPoint *point = &attraction->points[i];
        box.left = min(point->x, box.left);
        box.right = max(point->x, box.right);
        box.top = min(point->y, box.top);
        box.bottom = max(point->y, box.bottom);
        box.farthest = INFINITY;
    }
    attraction->boxes[attraction->leaves + leaf] = box;
}

static void join_boxes(AttractionBox *box, const AttractionBox *a, const AttractionBox *b) {
    box->left = min(a->left, b->left);
    box->right = max(a->right, b->right);
    box->top = min(a->top, b->top);
    box->bottom = max(a->bottom, b->bottom);
    box->farthest = max(a->farthest, b->farthest);
}

static void build(Attraction *attraction) {
    for (int i = 0; i < attraction->leaves; i++)
        measure_leaf(attraction, i);
    for (int i = attraction->leaves - 1; i >= 1; i--)
        join_boxes(&attraction->boxes[i], &attraction->boxes[2 * i], &attraction->boxes[2 * i + 1]);
}

Status attraction_create(Attraction *attraction, const Vec2 *places, int count, Error *error) {
    *attraction = (Attraction){ .count = count, .left = count, .leaves = 1 };
    while (attraction->leaves * POINTS_PER_LEAF < count)
        attraction->leaves *= 2;
    CurvePlace *order = memory_new((size_t)count + 1, sizeof *order, error), *scratch = NULL;
    const size_t leaves = (size_t)attraction->leaves;
    const bool enough =
        order && (scratch = memory_new((size_t)count + 1, sizeof *scratch, error)) &&
        (attraction->points = memory_new((size_t)count + 1, sizeof *attraction->points, error)) &&
        (attraction->boxes = memory_new(2 * leaves, sizeof *attraction->boxes, error)) &&
        (attraction->pulled = memory_new_zeroed(leaves, sizeof *attraction->pulled, error));
    if (enough) {
        for (int i = 0; i < count; i++)
            order[i] = curve_place(places[i], i);
        sort_places(order, scratch, count);
        for (int i = 0; i < count; i++) {
            const Vec2 place = places[order[i].index];
            attraction->points[i] = (AttractionPoint){ place.x, place.y, INFINITY, 0, 0, -1 };
        }
        build(attraction);
    }
    memory_free(scratch);
    memory_free(order);
    return enough ? STATUS_OK : STATUS_MEMORY;
}

void attraction_free(Attraction *attraction) {
    memory_free(attraction->points);
    memory_free(attraction->boxes);
    memory_free(attraction->pulled);
    *attraction = (Attraction){ 0 };
}

// --- arrivals ----------------------------------------------------------------------------------------------

static double distance_to_box(const AttractionBox *box, Vec2 spot) {
    const double x = spot.x < box->left ? box->left - spot.x : spot.x > box->right ? spot.x - box->right : 0;
    const double y = spot.y < box->top ? box->top - spot.y : spot.y > box->bottom ? spot.y - box->bottom : 0;
    return x * x + y * y;
}

static void take_away(Attraction *attraction, int point) {
    AttractionPoint *gone = &attraction->points[point];
    attraction->pulled[point / POINTS_PER_LEAF] -= gone->tributary >= 0;
    attraction->left--;
    gone->closest = -1;
    gone->tributary = -1;
}

static void meet_point(Attraction *attraction, int i, Arrival *arrival) {
    AttractionPoint *point = &attraction->points[i];
    const double x = point->x - arrival->at.x, y = point->y - arrival->at.y, distance = x * x + y * y;
    if (!(distance < point->closest) || distance > arrival->reach ||
        !arrival->sees(arrival->context, arrival->at, (Vec2){ point->x, point->y }))
        return;
    if (distance <= arrival->kill) {
        take_away(attraction, i);
        arrival->reached++;
        return;
    }
    const double far = sqrt(distance);
    attraction->pulled[i / POINTS_PER_LEAF] += point->tributary < 0;
    point->closest = distance;
    point->pull_x = (float)(x / far);
    point->pull_y = (float)(y / far);
    point->tributary = arrival->tributary;
}

static void meet_leaf(Attraction *attraction, int leaf, Arrival *arrival) {
    double farthest = -1;
    for (int i = leaf * POINTS_PER_LEAF; i < leaf_end(attraction, leaf); i++) {
        meet_point(attraction, i, arrival);
        const double closest = attraction->points[i].closest;
        farthest = max(closest, farthest);
    }
    attraction->boxes[attraction->leaves + leaf].farthest = farthest;
}

static void meet_box(Attraction *attraction, int i, Arrival *arrival) { // NOLINT(misc-no-recursion): 20 deep
    AttractionBox *box = &attraction->boxes[i];
    const double distance = distance_to_box(box, arrival->at);
    if (!(distance < box->farthest) || distance > arrival->reach)
        return;
    if (i >= attraction->leaves) {
        meet_leaf(attraction, i - attraction->leaves, arrival);
        return;
    }
    meet_box(attraction, 2 * i, arrival);
    meet_box(attraction, 2 * i + 1, arrival);
    const double a = attraction->boxes[2 * i].farthest, b = attraction->boxes[2 * i + 1].farthest;
    box->farthest = max(a, b);
}

void attraction_arrive(Attraction *attraction, Arrival *arrival) {
    meet_box(attraction, 1, arrival);
}

void attraction_give_up(Attraction *attraction, int point) {
    if (attraction->points[point].closest >= 0)
        take_away(attraction, point);
}
