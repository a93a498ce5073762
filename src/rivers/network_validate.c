// Validates a network received from another process: every count, position and link.

#include "rivers/network.h"

#include <math.h>
#include <string.h>

static void make_flag(bool *flag) {
    unsigned char byte;
    memcpy(&byte, flag, 1);
    *flag = byte != 0;
}

static bool is_place(double x, double y) {
    return fabs(x) <= 1e30 && fabs(y) <= 1e30; // false for NaN
}

static bool are_places(const Vec2 *spots, int count) {
    for (int i = 0; i < count; i++)
        if (!is_place(spots[i].x, spots[i].y))
            return false;
    return true;
}

static bool is_part(int first, int count, int least, int all) {
    return first >= 0 && count >= least && count <= all && first <= all - count;
}

static bool points_are_valid(const RiverNetwork *network) {
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        if (!is_place(point->x, point->y) || !(point->area >= 0 && point->area <= 1e30) ||
            !(fabsf(point->altitude) <= 1e30f) || !(point->width >= 0 && point->width <= 1e9f) ||
            !(point->distance >= 0 && point->distance <= 1e30f))
            return false;
    }
    return true;
}

static bool reaches_are_valid(RiverNetwork *network) {
    for (int i = 0; i < network->reach_count; i++) {
        Reach *reach = &network->reaches[i];
        make_flag(&reach->mouth);
        if (!is_part(reach->first, reach->count, 1, network->point_count) || reach->downstream < -1 ||
            reach->downstream >= network->reach_count || reach->order < 1 || reach->order > 64)
            return false;
    }
    return true;
}

// Follows every reach down until it ends or meets one that is known to end. Those have their orders' sign
// turned meanwhile.
static bool links_end(RiverNetwork *network) {
    Reach *reaches = network->reaches;
    bool valid = true;
    for (int i = 0; valid && i < network->reach_count; i++) {
        int steps = 0;
        for (int at = i; valid && at >= 0 && reaches[at].order > 0; at = reaches[at].downstream)
            valid = ++steps <= network->reach_count;
        for (int at = i; valid && at >= 0 && reaches[at].order > 0; at = reaches[at].downstream)
            reaches[at].order = -reaches[at].order;
    }
    for (int i = 0; i < network->reach_count; i++)
        if (reaches[i].order < 0)
            reaches[i].order = -reaches[i].order;
    return valid;
}

static bool ridges_are_valid(const RiverNetwork *network) {
    for (int i = 0; i < network->ridge_count; i++) {
        const Ridge *ridge = &network->ridges[i];
        if (!is_part(ridge->first, ridge->count, 0, network->ridge_point_count) ||
            !are_places(&ridge->low, 1) || !are_places(&ridge->high, 1))
            return false;
    }
    return are_places(network->ridge_points, network->ridge_point_count);
}

static bool boundary_is_valid(Boundary *boundary) {
    make_flag(&boundary->convex);
    make_flag(&boundary->coast);
    if ((boundary->columns > 0) != (boundary->rows > 0) ||
        (boundary->columns > 0 && !(boundary->cell > 0 && boundary->cell <= 1e30)))
        return false;
    const size_t cells = (size_t)boundary->columns * (size_t)boundary->rows;
    for (size_t i = 0; i < cells; i++)
        if (!(fabsf(boundary->shore[i]) <= 1e30f))
            return false;
    return are_places(boundary->corners, boundary->corner_count);
}

// On the map, within the rounding of a window.
static bool is_exact_place(Int128 place) {
    const Int128 one = (Int128)1 << 120;
    return place >= -one && place <= 2 * one;
}

bool network_is_valid(RiverNetwork *network) {
    make_flag(&network->planet);
    make_flag(&network->lines);
    return network->width >= 1 && network->width <= SIDE_MAX && network->height >= 1 &&
           network->height <= SIDE_MAX && is_place(network->left, network->top) &&
           is_exact_place(network->exact_left) && is_exact_place(network->exact_top) &&
           is_exact_place(network->exact_cell) && network->exact_cell >= 0 && network->cell > 0 &&
           network->cell <= 1e30 && points_are_valid(network) && reaches_are_valid(network) &&
           links_end(network) && ridges_are_valid(network) && boundary_is_valid(&network->boundary);
}
