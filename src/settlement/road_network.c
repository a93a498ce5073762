#include "settlement/road_network.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <assert.h>
#include <math.h>

// --- cells -------------------------------------------------------------------------------------------------

Cells cells_of_grids(const Grids *grids) {
    Cells cells = { .bits = grids->bits, .round = grids->round };
    for (int face = 0; face < CUBE_FACES; face++) {
        cells.on[face] = grids->own[face];
        cells.first[face] = cells.count;
        cells.count += (ptrdiff_t)grids->own[face].width * grids->own[face].height;
    }
    return cells;
}

ptrdiff_t cell_beyond_edge(const Cells *cells, int face, int x, int y, int *turn) {
    CubeCell cell = { face, x, y, 0 };
    if (!cube_resolve((Int128)1 << cells->bits, &cell))
        return -1;
    const GridBox *box = &cells->on[cell.face];
    *turn = cell.turn;
    return box_holds(box, (int)cell.x, (int)cell.y)
               ? cells->first[cell.face] + (ptrdiff_t)box_index(box, (int)cell.x, (int)cell.y)
               : -1;
}

// Bits of ways on a grid as those of a face whose directions are so many quarter turns from there.
static int turned_links(int links, int turn) {
    const int ways = 2 * (turn & 3);
    return (links << ways | links >> (WAYS - ways)) & 0xff;
}

int links_at(const Network *network, int face, int x, int y) {
    int turn;
    const ptrdiff_t cell = cell_number(&network->cells, face, x, y, &turn);
    return cell < 0 ? 0 : turned_links(network->links[cell], -turn);
}

static void add_link(Network *network, int face, RoadPoint point, int way) {
    int turn;
    const ptrdiff_t cell = cell_number(&network->cells, face, point.x, point.y, &turn);
    if (cell >= 0)
        network->links[cell] |= (uint8_t)turned_links(1 << way, turn);
}

void set_joint(Network *network, int face, int x, int y) {
    int turn;
    const ptrdiff_t cell = cell_number(&network->cells, face, x, y, &turn);
    if (cell >= 0)
        network->joints[cell] = true;
}

// -----------------------------------------------------------------------------------------------------------

Status network_create(Network *network, const Grids *grids, Error *error) {
    *network = (Network){ .cells = cells_of_grids(grids) };
    const size_t count = (size_t)network->cells.count;
    network->links = memory_new_zeroed(count + 1, sizeof *network->links, error);
    if (network->links)
        network->joints = memory_new_zeroed(count + 1, sizeof *network->joints, error);
    return network->joints ? STATUS_OK : STATUS_MEMORY;
}

void network_free(Network *network) {
    memory_free(network->links);
    memory_free(network->joints);
    memory_free(network->at);
    memory_free(network->points);
    *network = (Network){ 0 };
}

// --- ground ------------------------------------------------------------------------------------------------

// The links of a grid's pixels.
static uint8_t *links_on(const Network *network, const Grid *grid, Error *error) {
    const GridBox *box = &grid->box;
    uint8_t *links = memory_new_cells(box->width, box->height, sizeof *links, error);
    for (int y = 0; y < box->height && links; y++)
        for (int x = 0; x < box->width; x++)
            links[(size_t)y * (size_t)box->width + (size_t)x] =
                (uint8_t)links_at(network, grid->face, box->x + x, box->y + y);
    return links;
}

Status road_grounds_open(RoadGrounds *grounds, const Settlement *settlement, const Grids *grids,
                         const Network *network, bool open_water, Error *error) {
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        const Grid *grid = &grids->on[face];
        if (box_is_none(&grid->box))
            continue;
        uint8_t *links = network ? links_on(network, grid, error) : NULL;
        status = links || !network
                     ? road_ground_open(&grounds->on[face], settlement, grid, links, open_water, error)
                     : STATUS_MEMORY;
        memory_free(links);
    }
    return status;
}

void road_grounds_close(RoadGrounds *grounds) {
    for (int face = 0; face < CUBE_FACES; face++)
        road_ground_close(&grounds->on[face]);
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
    for (int i = first; i < network->count; i++) {
        const Stretch *stretch = &network->at[i];
        const RoadPoint *points = network->points + stretch->first, *last = &points[stretch->count - 1];
        for (int k = 0; k + 1 < stretch->count; k++) {
            const int way = way_between(points[k], points[k + 1]);
            add_link(network, stretch->face, points[k], way);
            add_link(network, stretch->face, points[k + 1], (way + WAYS / 2) % WAYS);
        }
        set_joint(network, stretch->face, points->x, points->y);
        set_joint(network, stretch->face, last->x, last->y);
    }
}

Status add_road(Network *network, const RoadPoint *points, int count, const Stretch *of, Error *error) {
    assert(points || count == 0);
    const int first = network->count;
    bool open = false;
    Status status = STATUS_OK;
    for (int k = 0; k + 1 < count && status == STATUS_OK; k++) {
        const int links = links_at(network, of->face, points[k].x, points[k].y);
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

bool are_linked(const Network *network, int face, RoadPixel from, RoadPixel to, int steps) {
    enum { SIDE = 2 * NETWORK_STEPS + 1 };
    bool seen[SIDE * SIDE] = { false };
    RoadPixel queue[SIDE * SIDE];
    int ends[NETWORK_STEPS + 2] = { 0, 1 }; // where each step's pixels end in the queue
    queue[0] = from;
    seen[NETWORK_STEPS * SIDE + NETWORK_STEPS] = true;
    for (int step = 1; step <= steps; step++) {
        ends[step + 1] = ends[step];
        for (int i = ends[step - 1]; i < ends[step]; i++) {
            const int links = links_at(network, face, queue[i].x, queue[i].y);
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

bool is_joint(const Network *network, int face, int x, int y) {
    int turn;
    const ptrdiff_t at = cell_number(&network->cells, face, x, y, &turn);
    if (at < 0)
        return true;
    const int more = network->links[at] & (network->links[at] - 1); // than one way
    return network->joints[at] || more == 0 || (more & (more - 1)) != 0;
}

static bool is_joint_point(const Network *network, int face, const RoadPoint *point) {
    return is_joint(network, face, point->x, point->y);
}

static Vec2 smooth_point(const Network *network, const Grid *grid, const RoadPoint *points, int k) {
    const RoadPoint *point = &points[k];
    int reach = 0;
    if (!is_joint_point(network, grid->face, point))
        do
            reach++;
        while (reach < SMOOTHED && !is_joint_point(network, grid->face, &points[k - reach]) &&
               !is_joint_point(network, grid->face, &points[k + reach]));
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
        if (wet || !grid_is_wet(grid, grid_index(grid, whole_int(floor(at.x)), whole_int(floor(at.y)))))
            return at;
    }
    return (Vec2){ point->x + 0.5, point->y + 0.5 };
}

void network_smooth(Network *network, const Grids *grids) {
    for (int i = 0; i < network->count; i++) {
        RoadPoint *points = network->points + network->at[i].first;
        const Grid *grid = &grids->on[network->at[i].face];
        for (int k = 0; k < network->at[i].count; k++)
            points[k].at = smooth_point(network, grid, points, k);
    }
}
