#include "settlement/roads.h"

#include "core/math.h"
#include "core/whole.h"
#include "settlement/neighbours.h"
#include "settlement/own_sites.h"
#include "settlement/road_merge.h"
#include "settlement/road_refine.h"
#include "settlement/sea_lanes.h"

// What is kept from grid to grid.
typedef struct Building {
    const Settlement *settlement;
    const Region *region;
    int level, bits;
    bool lanes;
    Ports ports;              // of the last grid, for lanes
    GridMargins built, drawn; // within which new roads are wanted, and those of the grid before
    Network network;          // of the last grid
    RoadsVisitor *visitor;
    void *context;
} Building;

// --- new roads ---------------------------------------------------------------------------------------------

enum { ROAD_MARGIN = 8 }; // of a new road's box

// Searches the roads of which one end is of this level: others are those of a coarser one. Each is searched
// on the grid of its first place.
static Status search_pairs(const Building *building, const RoadGrounds *grounds, const Grids *grids,
                           const Pairs *pairs, int level, RoadSearches *searches, Error *error) {
    GridBox needed[CUBE_FACES];
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES; face++)
        needed[face] = region_box_on_grid(building->region, grids->bits, face,
                                          building->built.at[grids->bits] + MERGE_REACH);
    for (int i = 0; i < pairs->count && status == STATUS_OK; i++) {
        const Site *from = pairs->at[i].from, *to = pairs->at[i].to;
        const Grid *grid = &grids->on[from->face];
        RoadSearch search = { .from = { from->x, from->y },
                              .to = { to->x, to->y },
                              .face = from->face,
                              .margin = ROAD_MARGIN,
                              .of = i };
        pixel_on_grid(grid, to->face, &search.to.x, &search.to.y);
        const GridBox box = road_box(grid, search.from, search.to, search.margin);
        if (building->lanes && !lies_sea_between(grid, &building->ports, from, to))
            continue;
        if (pairs->at[i].joined && max(from->level, to->level) == level && road_box_is_known(grid, &box) &&
            boxes_touch(&box, &needed[from->face]))
            status = add_search(searches, &search, error);
    }
    return status == STATUS_OK ? search_roads(grounds, building->settlement->run, searches, error) : status;
}

static bool has_road(const Network *network, int face, const RoadPoint *point) {
    return links_at(network, face, point->x, point->y) != 0;
}

// Where a road leaves others at a point and is back soon, at a point to which they lead, too: that point;
// otherwise the same one.
static int end_of_rung(const Network *network, int face, const RoadPoint *points, int at, int count) {
    enum { RUNG = 4 };
    const RoadPoint *from = &points[at];
    if (!has_road(network, face, from))
        return at;
    for (int k = at + 1; k < count && k <= at + RUNG; k++)
        if (has_road(network, face, &points[k]))
            return are_linked(network, face, (RoadPixel){ from->x, from->y },
                              (RoadPixel){ points[k].x, points[k].y }, NETWORK_STEPS)
                       ? k
                       : at;
    return at;
}

// Adds a road without rungs between others.
static Status add_without_rungs(Network *network, const RoadPoint *points, int count, const Stretch *of,
                                Error *error) {
    Status status = STATUS_OK;
    int first = 0;
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        const int end = end_of_rung(network, of->face, points, k, count);
        if (end == k)
            continue;
        status = add_road(network, points + first, k - first + 1, of, error);
        first = end;
        k = end - 1;
    }
    return status == STATUS_OK ? add_road(network, points + first, count - first, of, error) : status;
}

static Status build_road(Building *building, const RoadMerge *merge, int number, const Neighbours *pair,
                         int level, Error *error) {
    RoadPoint points[ROAD_PIXELS], merged[MERGED_POINTS];
    const RoadSearch *search = &merge->searches->at[number];
    const Stretch of = { .face = search->face, .level = level, .from = *pair->from, .to = *pair->to };
    const Grid *grid = merge->grounds->on[search->face].grid;
    if (search->count == 0)
        return STATUS_OK;
    const int count = put_road(grid, merge->searches->pixels + search->first, search->count, points, 0);
    if (building->lanes) // ships cross each other's way at any angle
        return add_road(&building->network, points, count, &of, error);
    return add_without_rungs(&building->network, merged, merge_road(merge, number, points, count, merged),
                             &of, error);
}

static Status build_level(Building *building, const Grids *grids, const Sites *sites, int level,
                          Error *error) {
    RoadGrounds grounds = { 0 };
    Pairs pairs = { 0 };
    RoadSearches searches = { 0 };
    RoadMerge merge = { 0 };
    Status status =
        road_grounds_open(&grounds, building->settlement, grids, &building->network, false, error);
    if (status == STATUS_OK)
        status = find_pairs(&grounds, sites, building->lanes ? LONGEST_LANE : LONGEST, &pairs, error);
    if (status == STATUS_OK)
        status = search_pairs(building, &grounds, grids, &pairs, level, &searches, error);
    if (status == STATUS_OK)
        status = road_merge_open(&merge, &building->network.cells, &grounds, &searches, error);
    for (int i = 0; i < searches.count && status == STATUS_OK; i++)
        status = build_road(building, &merge, i, &pairs.at[searches.at[i].of], level, error);
    road_merge_close(&merge);
    searches_free(&searches);
    pairs_free(&pairs);
    road_grounds_close(&grounds);
    return status;
}

// --- from grid to grid -------------------------------------------------------------------------------------

static Status draw_anew(Building *building, const Grids *grids, const Sites *sites, Error *error) {
    GridBox needed[CUBE_FACES];
    for (int face = 0; face < CUBE_FACES; face++)
        needed[face] =
            region_box_on_grid(building->region, grids->bits, face, building->drawn.at[grids->bits]);
    Network made;
    const Status status =
        refine_roads(building->settlement, &building->network, grids, sites, needed, &made, error);
    network_free(&building->network);
    building->network = made;
    for (int i = 0; i < sites->count && status == STATUS_OK; i++)
        set_joint(&made, sites->at[i].face, sites->at[i].x, sites->at[i].y);
    return status;
}

// One's own place in pixels of a grid, which may show it beyond an edge; false: not, or another pixel is
// drier.
static bool find_on_grid(const Grids *grids, int face, const OwnPlace *own, const Site *site, Vec2 *at) {
    const Int128 side = (Int128)1 << grids->bits;
    CubeCell cell = { site->face, site->x, site->y, 0 };
    int x, y;
    own_pixel(own, grids->bits, &x, &y);
    if (x != site->x || y != site->y || (face != site->face && !cube_unfold(side, face, &cell)))
        return false;
    Vec2 off = { ldexp((double)own->x, grids->bits - PLACE_BITS) - (x + 0.5),
                 ldexp((double)own->y, grids->bits - PLACE_BITS) - (y + 0.5) };
    for (int i = 0; i < cell.turn; i++)
        off = (Vec2){ off.y, -off.x };
    *at = (Vec2){ (double)cell.x + 0.5 + off.x, (double)cell.y + 0.5 + off.y };
    return true;
}

// Roads lead to one's own places themselves, wherever those are in their pixels.
static void reach_own_places(Network *network, const Settlement *settlement, const Grids *grids,
                             const Sites *sites) {
    for (int i = 0; i < sites->count; i++) {
        const Site *site = &sites->at[i];
        for (int k = 0; site->own && k < network->count; k++) {
            const Stretch *stretch = &network->at[k];
            Vec2 at;
            if (!find_on_grid(grids, stretch->face, &settlement->map->places->at[site->own - 1], site, &at))
                continue;
            for (RoadPoint *point = network->points + stretch->first;
                 point < network->points + stretch->first + stretch->count; point++)
                if (point->x == whole_int(floor(at.x)) && point->y == whole_int(floor(at.y)))
                    point->at = at;
        }
    }
}

static Status build_grids(Building *building, const Grids *grids, const Sites *sites, Error *error) {
    const int level = grids->bits - level_bits(building->settlement, 0);
    Status status = draw_anew(building, grids, sites, error);
    if (status == STATUS_OK && level <= building->level)
        status = build_level(building, grids, sites, level, error);
    if (status == STATUS_OK) {
        network_smooth(&building->network, grids);
        if (building->lanes)
            reach_ports(&building->network, grids, &building->ports);
        else
            reach_own_places(&building->network, building->settlement, grids, sites);
    }
    return status == STATUS_OK && grids->bits == building->bits
               ? building->visitor(building->context, grids, &building->network, error)
               : status;
}

static Status build_lanes(Building *building, const Grids *grids, const Sites *sites, Error *error) {
    Grids seas;
    Ports ports = { .towns = NULL };
    Status status = sea_grids(&seas, grids, error);
    if (status == STATUS_OK)
        status = ports_find(&ports, &building->ports, &seas, sites, error);
    ports_free(&building->ports);
    building->ports = ports;
    if (status == STATUS_OK)
        status = build_grids(building, &seas, &building->ports.moored, error);
    grids_free(&seas);
    return status;
}

// Roads, and lanes on the same grid where they are wanted.
typedef struct Both {
    Building roads, lanes;
    bool has_lanes;
} Both;

static Status visit_grids(void *context, const Grids *grids, const Sites *sites, Error *error) {
    Both *both = context;
    const Status status = build_grids(&both->roads, grids, sites, error);
    return status == STATUS_OK && both->has_lanes ? build_lanes(&both->lanes, grids, sites, error) : status;
}

// How far around the window roads and places are wanted, grid by grid. A new road depends on roads in its
// box, on places at its ends and on those nearer to them; a finer one on the roads of the grid before.
static void find_margins(Building *building, GridMargins *sites) {
    enum { SHOWN = SMOOTHED + 3 };
    const int longest =
                  pixels_within(building->settlement, building->lanes ? LONGEST_LANE + 2 * MOVES : LONGEST),
              rim = building->lanes ? SHORE_RIM : GROUND_RIM,
              box = longest + 2 * ROAD_MARGIN + rim + MERGE_REACH;
    const int first = level_bits(building->settlement, 0),
              own = level_bits(building->settlement, building->level);
    int wanted = SHOWN;
    sites->beyond = ROAD_SIDE + rim;
    for (int bits = building->bits; bits >= first; bits--) {
        const bool builds = bits <= own;
        building->built.at[bits] = wanted;
        building->drawn.at[bits] = wanted + (builds ? box : 0);
        // A search's box begins beside what is drawn, at the farthest.
        sites->at[bits] =
            max(building->drawn.at[bits] + REFINE_BOX - 1 + rim - grid_beyond(building->settlement),
                builds ? wanted + MERGE_REACH + ROAD_MARGIN + 2 * longest : 0);
        wanted = (building->drawn.at[bits] + REFINE_REACH) / 2 + 1;
    }
}

Status find_roads(const Settlement *settlement, const Region *region, int level, int bits, bool lanes,
                  RoadsVisitor *visitor, void *context, Error *error) {
    Both both = { .roads = { .settlement = settlement,
                             .region = region,
                             .level = level,
                             .bits = bits,
                             .visitor = visitor,
                             .context = context },
                  .has_lanes = lanes };
    GridMargins margins = { { 0 } }, of_lanes = { { 0 } };
    Sites sites = { 0 };
    if (level < 0)
        return STATUS_OK;
    both.lanes = both.roads;
    both.lanes.lanes = true;
    find_margins(&both.roads, &margins);
    find_margins(&both.lanes, &of_lanes);
    for (int i = 0; i < GRIDS_MAX && lanes; i++)
        margins.at[i] = max(margins.at[i], of_lanes.at[i]);
    margins.beyond = max(margins.beyond, of_lanes.beyond);
    const Status status =
        find_sites(settlement, region, level, bits, &margins, visit_grids, &both, &sites, error);
    network_free(&both.roads.network);
    network_free(&both.lanes.network);
    ports_free(&both.lanes.ports);
    sites_free(&sites);
    return status;
}
