#include "settlement/roads.h"

#include "core/math.h"
#include "core/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// --- lists -------------------------------------------------------------------------------------------------

void roads_free(Roads *roads) {
    memory_free(roads->at);
    memory_free(roads->points);
    *roads = (Roads){ 0 };
}

static Status add_point(Roads *roads, RoadPoint point, Error *error) {
    if (roads->point_count == roads->point_room) {
        const int room = 2 * roads->point_room + 1024;
        RoadPoint *points =
            memory_enlarge(roads->points, (size_t)roads->point_count, (size_t)room, sizeof *points, error);
        if (!points)
            return STATUS_MEMORY;
        roads->points = points;
        roads->point_room = room;
    }
    roads->points[roads->point_count++] = point;
    return STATUS_OK;
}

// Ends a stretch, to which all points belong that were added since the last; `of` says whose it is. A single
// point is none.
static Status end_stretch(Roads *roads, const Stretch *of, Error *error) {
    const int first =
        roads->count ? roads->at[roads->count - 1].first + roads->at[roads->count - 1].count : 0;
    if (roads->point_count - first < 2) {
        roads->point_count = first;
        return STATUS_OK;
    }
    if (roads->count == roads->room) {
        const int room = 2 * roads->room + 64;
        Stretch *at = memory_enlarge(roads->at, (size_t)roads->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        roads->at = at;
        roads->room = room;
    }
    Stretch *stretch = &roads->at[roads->count++];
    *stretch = *of;
    stretch->first = first;
    stretch->count = roads->point_count - first;
    return STATUS_OK;
}

// --- the network of a grid ---------------------------------------------------------------------------------

// The roads of a grid.
typedef struct Network {
    GridBox box;    // the grid's
    uint8_t *links; // of its pixels: bits of the ways that roads lead on
    bool *gates;    // and whether roads meet there
    Roads roads;
} Network;

// What is kept from grid to grid.
typedef struct Building {
    const Settlement *settlement;
    const Int128 *corners;
    int level, bits;
    GridMargins built, drawn; // within which new roads are wanted, and those of the grid before
    Network network;          // of the last grid; without links: there was none
    RoadsVisitor *visitor;
    void *context;
} Building;

static size_t box_index(const GridBox *box, int x, int y) {
    return (size_t)(y - box->y) * (size_t)box->width + (size_t)(x - box->x);
}

static int way_between(RoadPoint from, RoadPoint to) {
    int way = 0;
    while (way < WAYS && (road_x[way] != to.x - from.x || road_y[way] != to.y - from.y))
        way++;
    return way;
}

static void network_free(Network *network) {
    memory_free(network->links);
    memory_free(network->gates);
    roads_free(&network->roads);
}

// Without roads.
static Status network_create(Network *network, const GridBox *box, Error *error) {
    *network = (Network){ .box = *box };
    network->links = memory_new_cells_zeroed(box->width, box->height, sizeof *network->links, error);
    if (network->links)
        network->gates = memory_new_cells_zeroed(box->width, box->height, sizeof *network->gates, error);
    return network->gates ? STATUS_OK : STATUS_MEMORY;
}

// Marks the steps of stretches from number `first` on, and their gates.
static void link_stretches(Network *network, int first) {
    const GridBox *box = &network->box;
    for (int i = first; i < network->roads.count; i++) {
        const Stretch *stretch = &network->roads.at[i];
        const RoadPoint *points = network->roads.points + stretch->first;
        for (int k = 0; k < stretch->count; k++) {
            const size_t at = box_index(box, points[k].x, points[k].y);
            network->gates[at] = network->gates[at] || points[k].gate;
            if (k + 1 == stretch->count)
                continue;
            const int way = way_between(points[k], points[k + 1]);
            network->links[at] |= (uint8_t)(1 << way);
            network->links[box_index(box, points[k + 1].x, points[k + 1].y)] |=
                (uint8_t)(1 << (way + WAYS / 2) % WAYS);
        }
    }
}

// Adds those steps of a road that no road has yet, as stretches. Where they leave other roads and meet them
// are gates.
static Status add_new_steps(Network *network, const RoadPoint *points, int count, const Stretch *of,
                            Error *error) {
    assert(points || count == 0);
    Roads *roads = &network->roads;
    const int first = roads->count;
    bool open = false;
    Status status = STATUS_OK;
    for (int k = 0; k + 1 < count && status == STATUS_OK; k++) {
        const int links = network->links[box_index(&network->box, points[k].x, points[k].y)];
        const bool known = links >> way_between(points[k], points[k + 1]) & 1;
        if (open && links) {
            roads->points[roads->point_count - 1].gate = true;
            status = end_stretch(roads, of, error);
            open = false;
        }
        if (known)
            continue;
        if (!open && status == STATUS_OK)
            status = add_point(roads, (RoadPoint){ points[k].x, points[k].y, true }, error);
        open = true;
        if (status == STATUS_OK)
            status = add_point(roads, points[k + 1], error);
    }
    if (open && status == STATUS_OK) {
        roads->points[roads->point_count - 1].gate = true;
        status = end_stretch(roads, of, error);
    }
    link_stretches(network, first);
    return status;
}

// --- finer grids -------------------------------------------------------------------------------------------

enum { GATES_APART = 8, REFINE_MARGIN = 6 };

typedef struct Refining {
    const Building *building; // with the grid before
    const Grid *grid;
    int *sites; // of each pixel of the grid before: 1 + the place that was there; 0: none
    const Sites *all;
    bool *ends; // of each pixel of the grid before, whether a stretch ends there
    Network made;
    RoadPoint *road; // a stretch that is being made
    int room;
} Refining;

// Whether there is water in a pixel or beside it.
static bool is_beside_water(const Grid *grid, int x, int y) {
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (box_holds(&grid->box, i, j) && grid_is_wet(grid, grid_index(grid, i, j)))
                return true;
    return false;
}

// Where a gate is on the finer grid: a place where it is one, otherwise the lowest one of its four pixels
// that has no water beside it, or at least in it, or of those around them.
static RoadPixel gate_on(const Refining *refining, RoadPoint gate) {
    const int site = refining->sites[box_index(&refining->building->network.box, gate.x, gate.y)];
    if (site)
        return (RoadPixel){ refining->all->at[site - 1].x, refining->all->at[site - 1].y };
    const Grid *grid = refining->grid;
    RoadPixel best = { 2 * gate.x, 2 * gate.y };
    for (int wet = 0; wet < 3; wet++)
        for (int reach = 1; reach <= (wet ? 4 : 1); reach++) {
            float lowest = INFINITY;
            for (int y = 2 * gate.y + 1 - reach; y <= 2 * gate.y + reach; y++)
                for (int x = 2 * gate.x + 1 - reach; x <= 2 * gate.x + reach; x++) {
                    if (!box_holds(&grid->box, x, y))
                        continue;
                    const size_t at = grid_index(grid, x, y);
                    const float height = grid->altitude.cells[at];
                    if (height >= lowest || (wet == 0   ? is_beside_water(grid, x, y)
                                             : wet == 1 ? grid_is_wet(grid, at)
                                                        : grid_is_open_water(grid, at)))
                        continue;
                    lowest = height;
                    best = (RoadPixel){ x, y };
                }
            if (lowest < INFINITY)
                return best;
        }
    return best;
}

// Whether a point of the grid before is a gate: roads meet there, or it was chosen.
static bool is_gate(const Network *network, const RoadPoint *point) {
    return point->gate || network->gates[box_index(&network->box, point->x, point->y)];
}

// More than two ways.
static bool has_branches(int links) {
    links &= links - 1;
    return (links & (links - 1)) != 0;
}

// Whether other roads come to a gate.
static bool is_junction(const Refining *refining, const RoadPoint *point) {
    const Network *network = &refining->building->network;
    const size_t at = box_index(&network->box, point->x, point->y);
    return refining->ends[at] || refining->sites[at] ||
           (network->links[at] & (network->links[at] - 1)) == 0 || has_branches(network->links[at]);
}

// The searches of all stretches, one after the other: of[i] is the stretch of the i-th.
typedef struct Segments {
    int count, room;
    RoadSearch *searches;
    int *of;
} Segments;

static void segments_free(Segments *segments) {
    memory_free(segments->searches);
    memory_free(segments->of);
}

static Status add_segment(Segments *segments, const RoadSearch *search, int of, Error *error) {
    if (segments->count == segments->room) {
        const int room = 2 * segments->room + 64;
        RoadSearch *searches = memory_enlarge(segments->searches, (size_t)segments->count, (size_t)room,
                                              sizeof *searches, error);
        if (!searches)
            return STATUS_MEMORY;
        segments->searches = searches;
        int *ofs = memory_enlarge(segments->of, (size_t)segments->count, (size_t)room, sizeof *ofs, error);
        if (!ofs)
            return STATUS_MEMORY;
        segments->of = ofs;
        segments->room = room;
    }
    RoadSearch *added = &segments->searches[segments->count];
    added->from = search->from;
    added->to = search->to;
    added->margin = search->margin;
    added->meets = search->meets;
    added->count = 0;
    segments->of[segments->count++] = of;
    return STATUS_OK;
}

static bool boxes_touch(const GridBox *a, const GridBox *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

// Of each stretch the pairs of gates that are needed.
static Status list_segments(const Refining *refining, const GridBox *needed, Segments *segments,
                            Error *error) {
    const Network *network = &refining->building->network;
    Status status = STATUS_OK;
    for (int i = 0; i < network->roads.count; i++) {
        const Stretch *stretch = &network->roads.at[i];
        const RoadPoint *points = network->roads.points + stretch->first;
        int last = 0;
        for (int k = 1; k < stretch->count && status == STATUS_OK; k++) {
            if (k + 1 < stretch->count && !is_gate(network, &points[k]))
                continue;
            const RoadSearch search = { .from = gate_on(refining, points[last]),
                                        .to = gate_on(refining, points[k]),
                                        .margin = REFINE_MARGIN,
                                        .meets = is_junction(refining, &points[k]) };
            const GridBox box = road_box(refining->grid, search.from, search.to, search.margin);
            last = k;
            if (road_box_is_known(refining->grid, &box) && boxes_touch(&box, needed))
                status = add_segment(segments, &search, i, error);
        }
    }
    return status;
}

// Whether a road gets a gate of its own: GATES_APART pixels after the last one, or somewhat farther where it
// runs along a river, whose two sides are one pixel on the grid before. `left`: pixels to its end.
static bool wants_gate(const Grid *grid, RoadPixel at, int since, int left) {
    return since >= GATES_APART && left > GATES_APART / 2 &&
           (since >= 2 * GATES_APART || !is_beside_water(grid, at.x, at.y));
}

// The points of a road with its gates: those after `count` of them, whose last is the first of the road.
static int put_road(const Grid *grid, const RoadSearch *search, RoadPoint *points, int count) {
    for (int k = count ? 1 : 0, since = k; k < search->count; k++, since++) {
        const bool end = k == 0 || k == search->count - 1,
                   own = wants_gate(grid, search->road[k], since, search->count - 1 - k);
        if (own)
            since = 0;
        points[count++] = (RoadPoint){ search->road[k].x, search->road[k].y, end || own };
    }
    return count;
}

// Where a road went to a gate and back the same way, and no other road comes from there, it turns before.
static int retract(RoadPoint *points, int before, int count) {
    int last = before - 1, next = before;
    while (last > 0 && next < count && (last == before - 1 || !points[last].gate) &&
           points[last - 1].x == points[next].x && points[last - 1].y == points[next].y) {
        last--;
        next++;
    }
    if (next == before)
        return count;
    points[last].gate = true;
    for (int k = next; k < count; k++)
        points[last + 1 + k - next] = points[k];
    return last + 1 + count - next;
}

static Status join_segments(Refining *refining, const Segments *segments, Error *error) {
    Status status = STATUS_OK;
    int count = 0;
    for (int i = 0; i < segments->count && status == STATUS_OK; i++) {
        const RoadSearch *search = &segments->searches[i];
        if (count + search->count > refining->room) {
            const int room = 2 * (count + search->count);
            RoadPoint *road =
                memory_enlarge(refining->road, (size_t)count, (size_t)room, sizeof *road, error);
            if (!road)
                return STATUS_MEMORY;
            refining->road = road;
            refining->room = room;
        }
        const int before = count;
        count = put_road(refining->grid, search, refining->road, count);
        if (before > 0 && !search[-1].meets)
            count = retract(refining->road, before, count);
        const bool goes_on = i + 1 < segments->count && segments->of[i + 1] == segments->of[i] &&
                             search->count > 0 && search[1].count > 0 && search[1].from.x == search->to.x &&
                             search[1].from.y == search->to.y;
        if (goes_on)
            continue;
        status = add_new_steps(&refining->made, refining->road, count,
                               &refining->building->network.roads.at[segments->of[i]], error);
        count = 0;
    }
    return status;
}

static Status refine_open(Refining *refining, const Sites *sites, Error *error) {
    const Network *before = &refining->building->network;
    const GridBox *box = &before->box;
    refining->sites = memory_new_cells_zeroed(box->width, box->height, sizeof *refining->sites, error);
    if (refining->sites)
        refining->ends = memory_new_cells_zeroed(box->width, box->height, sizeof *refining->ends, error);
    if (!refining->ends)
        return STATUS_MEMORY;
    for (int i = 0; i < sites->count; i++)
        if (box_holds(box, sites->at[i].before_x, sites->at[i].before_y))
            refining->sites[box_index(box, sites->at[i].before_x, sites->at[i].before_y)] = i + 1;
    for (int i = 0; i < before->roads.count; i++) {
        const Stretch *stretch = &before->roads.at[i];
        const RoadPoint *points = before->roads.points + stretch->first, *last = points + stretch->count - 1;
        refining->ends[box_index(box, points->x, points->y)] = true;
        refining->ends[box_index(box, last->x, last->y)] = true;
    }
    return STATUS_OK;
}

// Draws all stretches anew on a finer grid.
static Status refine_roads(Building *building, const Grid *grid, const Sites *sites, Error *error) {
    Refining refining = { .building = building, .grid = grid, .all = sites };
    RoadGround ground = { 0 };
    Segments segments = { 0 };
    const GridBox needed = grid_box(grid->bits, building->corners, building->drawn.at[grid->bits]);
    Status status = network_create(&refining.made, &grid->box, error);
    if (status == STATUS_OK && building->network.links) {
        status = refine_open(&refining, sites, error);
        if (status == STATUS_OK)
            status = list_segments(&refining, &needed, &segments, error);
        if (status == STATUS_OK)
            status = road_ground_open(&ground, building->settlement, grid, NULL, true, error);
        if (status == STATUS_OK)
            status =
                search_roads(&ground, building->settlement->run, segments.searches, segments.count, error);
        if (status == STATUS_OK)
            status = join_segments(&refining, &segments, error);
    }
    road_ground_close(&ground);
    segments_free(&segments);
    memory_free(refining.sites);
    memory_free(refining.ends);
    memory_free(refining.road);
    network_free(&building->network);
    building->network = refining.made;
    for (int i = 0; i < sites->count && status == STATUS_OK; i++)
        building->network.gates[box_index(&grid->box, sites->at[i].x, sites->at[i].y)] = true;
    return status;
}

// --- new roads ---------------------------------------------------------------------------------------------

enum { LONGEST = 32, ROAD_MARGIN = 10 }; // pixels of the level's grid between neighbours; of a road's box

// Places by squares of SQUARE pixels, so that those nearby are found.
typedef struct Buckets {
    GridBox box; // in squares
    int *first;  // of each square, 1 + a place; 0: none
    int *next;   // of each place, the same
} Buckets;

static void buckets_free(Buckets *buckets) {
    memory_free(buckets->first);
    memory_free(buckets->next);
}

static Status fill_buckets(Buckets *buckets, const GridBox *box, const Sites *sites, Error *error) {
    const int left = box->x / SQUARE, top = box->y / SQUARE;
    buckets->box = (GridBox){ left, top, (box->x + box->width) / SQUARE - left + 1,
                              (box->y + box->height) / SQUARE - top + 1 };
    buckets->first =
        memory_new_cells_zeroed(buckets->box.width, buckets->box.height, sizeof *buckets->first, error);
    buckets->next = memory_new_zeroed((size_t)sites->count + 1, sizeof *buckets->next, error);
    if (!buckets->first || !buckets->next)
        return STATUS_MEMORY;
    for (int i = 0; i < sites->count; i++) {
        const int x = sites->at[i].x / SQUARE, y = sites->at[i].y / SQUARE;
        int *first = &buckets->first[box_index(&buckets->box, x, y)];
        buckets->next[i] = *first;
        *first = i + 1;
    }
    return STATUS_OK;
}

// Whether any place lies in the circle of which two places are a diameter: then they are no neighbours
// (Gabriel and Sokal 1969).
static bool is_between(const Buckets *buckets, const Sites *sites, const Site *a, const Site *b) {
    const int reach = LONGEST / 2 + 1, x = (a->x + b->x) / 2, y = (a->y + b->y) / 2;
    const GridBox *box = &buckets->box;
    for (int j = (y - reach) / SQUARE; j <= (y + reach) / SQUARE; j++)
        for (int i = (x - reach) / SQUARE; i <= (x + reach) / SQUARE; i++) {
            if (!box_holds(box, i, j))
                continue;
            for (int at = buckets->first[box_index(box, i, j)]; at; at = buckets->next[at - 1]) {
                const Site *site = &sites->at[at - 1];
                if (site != a && site != b &&
                    (site->x - a->x) * (site->x - b->x) + (site->y - a->y) * (site->y - b->y) <= 0)
                    return true;
            }
        }
    return false;
}

static int compare_places(const Site *a, const Site *b) {
    return a->level != b->level         ? a->level - b->level
           : a->square_y != b->square_y ? a->square_y - b->square_y
                                        : a->square_x - b->square_x;
}

typedef struct Neighbours {
    const Site *from, *to;
} Neighbours;

static int compare_neighbours(const void *first, const void *second) {
    const Neighbours *a = first, *b = second;
    const int from = compare_places(a->from, b->from);
    return from ? from : compare_places(a->to, b->to);
}

typedef struct Pairs {
    int count, room;
    Neighbours *at;
} Pairs;

static Status add_pair(Pairs *pairs, const Site *from, const Site *to, Error *error) {
    if (pairs->count == pairs->room) {
        const int room = 2 * pairs->room + 64;
        Neighbours *at = memory_enlarge(pairs->at, (size_t)pairs->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        pairs->at = at;
        pairs->room = room;
    }
    pairs->at[pairs->count++] = (Neighbours){ from, to };
    return STATUS_OK;
}

static Status find_pairs(const Buckets *buckets, const Sites *sites, Pairs *pairs, Error *error) {
    Status status = STATUS_OK;
    const GridBox *box = &buckets->box;
    enum { REACH = (LONGEST + SQUARE - 1) / SQUARE };
    for (int k = 0; k < sites->count; k++) {
        const Site *a = &sites->at[k];
        for (int j = a->y / SQUARE - REACH; j <= a->y / SQUARE + REACH; j++)
            for (int i = a->x / SQUARE - REACH; i <= a->x / SQUARE + REACH; i++) {
                if (!box_holds(box, i, j))
                    continue;
                for (int at = buckets->first[box_index(box, i, j)]; at && status == STATUS_OK;
                     at = buckets->next[at - 1]) {
                    const Site *b = &sites->at[at - 1];
                    const int x = a->x - b->x, y = a->y - b->y;
                    if (compare_places(a, b) < 0 && x * x + y * y <= LONGEST * LONGEST &&
                        !is_between(buckets, sites, a, b))
                        status = add_pair(pairs, a, b, error);
                }
            }
    }
    if (status == STATUS_OK && pairs->count > 0)
        qsort(pairs->at, (size_t)pairs->count, sizeof *pairs->at, compare_neighbours);
    return status;
}

// Roads between pairs, and in which of them each place is.
typedef struct Candidates {
    const Sites *sites;
    const Pairs *pairs;
    const Segments *roads; // of[i]: the pair of road i
    int *first;            // of each place, 1 + twice a road, + 1 where it is its end; 0: none
    int *next;             // after each of these, the same
} Candidates;

static int end_of(const Candidates *candidates, int link, bool other) {
    const Neighbours *pair = &candidates->pairs->at[candidates->roads->of[link / 2]];
    return (int)(((link % 2 != 0) != other ? pair->to : pair->from) - candidates->sites->at);
}

static Status link_candidates(Candidates *candidates, Error *error) {
    candidates->first = memory_new_zeroed((size_t)candidates->sites->count + 1, sizeof(int), error);
    candidates->next = memory_new_zeroed(2 * (size_t)candidates->roads->count + 1, sizeof(int), error);
    if (!candidates->first || !candidates->next)
        return STATUS_MEMORY;
    for (int link = 0; link < 2 * candidates->roads->count; link++) {
        if (!candidates->roads->searches[link / 2].count)
            continue;
        int *first = &candidates->first[end_of(candidates, link, false)];
        candidates->next[link] = *first;
        *first = link + 1;
    }
    return STATUS_OK;
}

// The least cost of a road between two places; infinite where there is none.
static float cost_between(const Candidates *candidates, int a, int b) {
    for (int link = candidates->first[a]; link; link = candidates->next[link - 1])
        if (end_of(candidates, link - 1, true) == b)
            return candidates->roads->searches[(link - 1) / 2].cost;
    return INFINITY;
}

// Whether a third place lies on the way: both roads by it cost less than this one (the relative neighbourhood
// of Toussaint 1980, by cost). All places stay joined that are.
static bool is_roundabout(const Candidates *candidates, int road) {
    const float cost = candidates->roads->searches[road].cost;
    const int a = end_of(candidates, 2 * road, false), b = end_of(candidates, 2 * road, true);
    for (int link = candidates->first[a]; link; link = candidates->next[link - 1]) {
        const int c = end_of(candidates, link - 1, true);
        if (c != b && candidates->roads->searches[(link - 1) / 2].cost < cost &&
            cost_between(candidates, c, b) < cost)
            return true;
    }
    return false;
}

static Status search_pairs(const Building *building, const Grid *grid, const Pairs *pairs, Segments *segments,
                           Error *error) {
    RoadGround ground = { 0 };
    const GridBox seen = grid_box(grid->bits, building->corners, building->built.at[grid->bits] + LONGEST);
    Status status = STATUS_OK;
    for (int i = 0; i < pairs->count && status == STATUS_OK; i++) {
        const Site *from = pairs->at[i].from, *to = pairs->at[i].to;
        const RoadSearch search = { .from = { from->x, from->y },
                                    .to = { to->x, to->y },
                                    .margin = ROAD_MARGIN };
        const GridBox box = road_box(grid, search.from, search.to, search.margin);
        if (road_box_is_known(grid, &box) && boxes_touch(&box, &seen))
            status = add_segment(segments, &search, i, error);
    }
    if (status == STATUS_OK)
        status = road_ground_open(&ground, building->settlement, grid, building->network.links, false, error);
    if (status == STATUS_OK)
        status = search_roads(&ground, building->settlement->run, segments->searches, segments->count, error);
    road_ground_close(&ground);
    return status;
}

// Builds roads of which one end is of this level: others are those of a coarser one.
static Status build_pairs(Building *building, const Grid *grid, const Sites *sites, const Pairs *pairs,
                          int level, Error *error) {
    Segments segments = { 0 };
    Candidates candidates = { .sites = sites, .pairs = pairs, .roads = &segments };
    const GridBox needed = grid_box(grid->bits, building->corners, building->built.at[grid->bits]);
    RoadPoint points[ROAD_PIXELS];
    Status status = search_pairs(building, grid, pairs, &segments, error);
    if (status == STATUS_OK)
        status = link_candidates(&candidates, error);
    for (int i = 0; i < segments.count && status == STATUS_OK; i++) {
        const Neighbours *pair = &pairs->at[segments.of[i]];
        const RoadSearch *search = &segments.searches[i];
        const GridBox box = road_box(grid, search->from, search->to, search->margin);
        const Stretch of = { .level = level, .from = *pair->from, .to = *pair->to };
        if (max(pair->from->level, pair->to->level) == level && boxes_touch(&box, &needed) &&
            !is_roundabout(&candidates, i))
            status = add_new_steps(&building->network, points, put_road(grid, search, points, 0), &of, error);
    }
    memory_free(candidates.first);
    memory_free(candidates.next);
    segments_free(&segments);
    return status;
}

static Status build_level(Building *building, const Grid *grid, const Sites *sites, int level, Error *error) {
    Buckets buckets = { .first = NULL };
    Pairs pairs = { 0 };
    Status status = fill_buckets(&buckets, &grid->box, sites, error);
    if (status == STATUS_OK)
        status = find_pairs(&buckets, sites, &pairs, error);
    if (status == STATUS_OK)
        status = build_pairs(building, grid, sites, &pairs, level, error);
    memory_free(pairs.at);
    buckets_free(&buckets);
    return status;
}

// --- from grid to grid -------------------------------------------------------------------------------------

static Status visit_grid(void *context, const Grid *grid, const Sites *sites, Error *error) {
    Building *building = context;
    const int level = grid->bits - level_bits(building->settlement, 0);
    Status status = refine_roads(building, grid, sites, error);
    if (status == STATUS_OK && level <= building->level)
        status = build_level(building, grid, sites, level, error);
    return status == STATUS_OK && grid->bits == building->bits
               ? building->visitor(building->context, grid, &building->network.roads, building->network.links,
                                   error)
               : status;
}

// How far around the window roads and places are wanted, grid by grid. A new road depends on roads in its
// box, and on places around that; a finer one on gates.
static void find_margins(Building *building, GridMargins *sites) {
    enum { SHOWN = 6, BOX = LONGEST + ROAD_MARGIN, GATE = 3 * GATES_APART };
    const int first = level_bits(building->settlement, 0),
              own = level_bits(building->settlement, building->level);
    int wanted = SHOWN;
    for (int bits = building->bits; bits >= first; bits--) {
        const bool builds = bits <= own;
        building->built.at[bits] = wanted;
        building->drawn.at[bits] = wanted + (builds ? LONGEST + BOX + ROAD_MARGIN : 0);
        sites->at[bits] = wanted + (builds ? LONGEST + BOX + LONGEST / 2 + ROAD_MARGIN : REFINE_MARGIN);
        wanted = (building->drawn.at[bits] + GATE + REFINE_MARGIN) / 2 + 1;
    }
}

Status find_roads(const Settlement *settlement, const Int128 corners[4], int level, int bits,
                  RoadsVisitor *visitor, void *context, Error *error) {
    Building building = { .settlement = settlement,
                          .corners = corners,
                          .level = level,
                          .bits = bits,
                          .visitor = visitor,
                          .context = context };
    GridMargins margins = { { 0 } };
    Sites sites = { 0 };
    if (level < 0)
        return STATUS_OK;
    find_margins(&building, &margins);
    const Status status =
        find_sites(settlement, corners, level, bits, &margins, visit_grid, &building, &sites, error);
    network_free(&building.network);
    sites_free(&sites);
    return status;
}
