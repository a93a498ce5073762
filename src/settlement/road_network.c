#include "settlement/road_network.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <assert.h>

Status network_create(Network *network, const GridBox *box, Error *error) {
    *network = (Network){ .box = *box };
    network->links = memory_new_cells_zeroed(box->width, box->height, sizeof *network->links, error);
    if (network->links)
        network->joints = memory_new_cells_zeroed(box->width, box->height, sizeof *network->joints, error);
    return network->joints ? STATUS_OK : STATUS_MEMORY;
}

void network_free(Network *network) {
    memory_free(network->links);
    memory_free(network->joints);
    memory_free(network->at);
    memory_free(network->points);
    *network = (Network){ 0 };
}

// --- stretches ---------------------------------------------------------------------------------------------

static Status add_point(Network *network, RoadPoint point, Error *error) {
    if (network->point_count == network->point_room) {
        const int room = 2 * network->point_room + 1024;
        RoadPoint *points = memory_enlarge(network->points, (size_t)network->point_count, (size_t)room,
                                           sizeof *points, error);
        if (!points)
            return STATUS_MEMORY;
        network->points = points;
        network->point_room = room;
    }
    network->points[network->point_count++] = point;
    return STATUS_OK;
}

// Ends a stretch, to which all points belong that were added since the last; `of` says whose it is.
static Status end_stretch(Network *network, const Stretch *of, Error *error) {
    if (network->count == network->room) {
        const int room = 2 * network->room + 64;
        Stretch *at = memory_enlarge(network->at, (size_t)network->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        network->at = at;
        network->room = room;
    }
    const Stretch *last = &network->at[network->count - 1];
    const int first = network->count ? last->first + last->count : 0;
    Stretch *stretch = &network->at[network->count++];
    *stretch = *of;
    stretch->first = first;
    stretch->count = network->point_count - first;
    return STATUS_OK;
}

static int way_between(RoadPoint from, RoadPoint to) {
    int way = 0;
    while (way < WAYS && (road_x[way] != to.x - from.x || road_y[way] != to.y - from.y))
        way++;
    return way;
}

// Marks the steps of stretches from number `first` on, and their ends.
static void link_stretches(Network *network, int first) {
    const GridBox *box = &network->box;
    for (int i = first; i < network->count; i++) {
        const Stretch *stretch = &network->at[i];
        const RoadPoint *points = network->points + stretch->first;
        for (int k = 0; k + 1 < stretch->count; k++) {
            const int way = way_between(points[k], points[k + 1]);
            network->links[box_index(box, points[k].x, points[k].y)] |= (uint8_t)(1 << way);
            network->links[box_index(box, points[k + 1].x, points[k + 1].y)] |=
                (uint8_t)(1 << (way + WAYS / 2) % WAYS);
        }
        const RoadPoint *last = &points[stretch->count - 1];
        network->joints[box_index(box, points->x, points->y)] = true;
        network->joints[box_index(box, last->x, last->y)] = true;
    }
}

Status add_road(Network *network, const RoadPoint *points, int count, const Stretch *of, Error *error) {
    assert(points || count == 0);
    const int first = network->count;
    bool open = false;
    Status status = STATUS_OK;
    for (int k = 0; k + 1 < count && status == STATUS_OK; k++) {
        const int links = network->links[box_index(&network->box, points[k].x, points[k].y)];
        const bool known = links >> way_between(points[k], points[k + 1]) & 1;
        if (open && links) {
            status = end_stretch(network, of, error);
            open = false;
        }
        if (known)
            continue;
        if (!open && status == STATUS_OK)
            status = add_point(network, points[k], error);
        open = true;
        if (status == STATUS_OK)
            status = add_point(network, points[k + 1], error);
    }
    if (open && status == STATUS_OK)
        status = end_stretch(network, of, error);
    link_stretches(network, first);
    return status;
}

bool are_linked(const Network *network, RoadPixel from, RoadPixel to, int steps) {
    enum { SIDE = 2 * NETWORK_STEPS + 1 };
    bool seen[SIDE * SIDE] = { false };
    RoadPixel queue[SIDE * SIDE];
    int ends[NETWORK_STEPS + 2] = { 0, 1 }; // where each step's pixels end in the queue
    queue[0] = from;
    seen[NETWORK_STEPS * SIDE + NETWORK_STEPS] = true;
    for (int step = 1; step <= steps; step++) {
        ends[step + 1] = ends[step];
        for (int i = ends[step - 1]; i < ends[step]; i++) {
            const int links = network->links[box_index(&network->box, queue[i].x, queue[i].y)];
            for (int way = 0; way < WAYS; way++) {
                const RoadPixel next = { queue[i].x + road_x[way], queue[i].y + road_y[way] };
                const int at = (next.y - from.y + NETWORK_STEPS) * SIDE + next.x - from.x + NETWORK_STEPS;
                if (!(links >> way & 1) || seen[at])
                    continue;
                if (next.x == to.x && next.y == to.y)
                    return true;
                seen[at] = true;
                queue[ends[step + 1]++] = next;
            }
        }
    }
    return false;
}

// --- joints and curves -------------------------------------------------------------------------------------

bool is_joint(const Network *network, int x, int y) {
    const size_t at = box_index(&network->box, x, y);
    const int more = network->links[at] & (network->links[at] - 1); // than one way
    return network->joints[at] || more == 0 || (more & (more - 1)) != 0;
}

static Vec2 smooth_point(const Network *network, const Grid *grid, const RoadPoint *points, int k) {
    const RoadPoint *point = &points[k];
    int reach = 0;
    if (!is_joint(network, point->x, point->y))
        do
            reach++;
        while (reach < SMOOTHED && !is_joint(network, points[k - reach].x, points[k - reach].y) &&
               !is_joint(network, points[k + reach].x, points[k + reach].y));
    const bool wet = grid_is_wet(grid, grid_index(grid, point->x, point->y));
    for (; reach > 0; reach--) { // weights 1, 2, … reach + 1, … 2, 1
        int x = 0, y = 0;
        for (int i = -reach; i <= reach; i++) {
            const int weight = reach + 1 - (i < 0 ? -i : i);
            x += weight * (points[k + i].x - point->x);
            y += weight * (points[k + i].y - point->y);
        }
        const double sum = (reach + 1) * (reach + 1);
        const Vec2 at = { point->x + 0.5 + x / sum, point->y + 0.5 + y / sum };
        if (wet || !grid_is_wet(grid, grid_index(grid, whole_int(at.x), whole_int(at.y))))
            return at;
    }
    return (Vec2){ point->x + 0.5, point->y + 0.5 };
}

void network_smooth(Network *network, const Grid *grid) {
    for (int i = 0; i < network->count; i++) {
        RoadPoint *points = network->points + network->at[i].first;
        for (int k = 0; k < network->at[i].count; k++)
            points[k].at = smooth_point(network, grid, points, k);
    }
}
