#include "settlement/sea_lanes.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the sea as ground -------------------------------------------------------------------------------------

static Status sea_grid(Grid *sea, const Grid *grid, Error *error) {
    const GridBox *box = &grid->box;
    *sea = (Grid){ .bits = grid->bits,
                   .face = grid->face,
                   .axes = grid->axes,
                   .box = *box,
                   .metres = grid->metres,
                   .is_sea = true };
    Status status = grid_find_tangents(sea, error);
    if (status == STATUS_OK)
        status = field_create(&sea->altitude, box->width, box->height, error);
    if (status == STATUS_OK)
        status = field_create(&sea->river, box->width, box->height, error);
    if (status != STATUS_OK)
        return status;
    const size_t count = field_count(&sea->altitude);
    memset(field_cells(&sea->river), 0, count * sizeof(float));
    float *altitude = field_cells(&sea->altitude);
    for (size_t i = 0; i < count; i++)
        altitude[i] = grid->altitude.cells[i] < 0 ? 0 : -1;
    return STATUS_OK;
}

Status sea_grids(Grids *seas, const Grids *grids, Error *error) {
    Status status = STATUS_OK;
    *seas = (Grids){ .bits = grids->bits, .round = grids->round };
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        seas->own[face] = grids->own[face];
        if (!box_is_none(&grids->on[face].box))
            status = sea_grid(&seas->on[face], &grids->on[face], error);
    }
    return status;
}

static bool is_sea(const Grid *sea, int x, int y) {
    return box_holds(&sea->box, x, y) && !grid_is_open_water(sea, grid_index(sea, x, y));
}

// --- ports -------------------------------------------------------------------------------------------------

static int distance_squared_to(RoadPixel from, int x, int y) {
    return (x - from.x) * (x - from.x) + (y - from.y) * (y - from.y);
}

// Of the sea's pixels at most so `far` from one, that nearest to a town; of equal ones the first in reading
// order.
static bool find_sea(const Grid *sea, RoadPixel near, int far, RoadPixel town, RoadPixel *found) {
    int least = -1;
    for (int y = near.y - far; y <= near.y + far; y++)
        for (int x = near.x - far; x <= near.x + far; x++) {
            const int distance = distance_squared_to(town, x, y);
            if (is_on_own_face(sea, x, y) && (least < 0 || distance < least) &&
                distance_squared_to(near, x, y) <= far * far && is_sea(sea, x, y)) {
                least = distance;
                *found = (RoadPixel){ x, y };
            }
        }
    return least >= 0;
}

static const Site *find_same(const Sites *sites, const Site *site) {
    for (int i = 0; i < sites->count; i++)
        if (compare_sites(&sites->at[i], site) == 0)
            return &sites->at[i];
    return NULL;
}

// Where ships of a place moor; false if it is no port: it has to be one on its level's grid. `last`: the port
// on the grid before.
static bool find_mooring(const Grid *sea, const Site *site, const Site *last, RoadPixel *moored) {
    const RoadPixel town = { site->x, site->y };
    const bool is_new = site->before_x < 0,
               is_harbour = site->kind == SITE_HARBOUR || site->kind == SITE_MOUTH;
    if (!last)
        return is_new && find_sea(sea, town, is_harbour ? COASTAL : BESIDE, town, moored);
    return find_sea(sea, (RoadPixel){ 2 * last->x, 2 * last->y }, MOVES, town, moored);
}

static bool is_alone(const Site *ports, int count, int number) {
    for (int i = 0; i < count; i++)
        if (ports[i].face == ports[number].face && ports[i].x == ports[number].x &&
            ports[i].y == ports[number].y && compare_sites(&ports[i], &ports[number]) < 0)
            return false;
    return true;
}

// Of those with one pixel the first by level and square stays.
static void leave_out_shared(Ports *ports) {
    Site *at = ports->moored.at;
    int kept = 0;
    for (int i = 0; at && i < ports->moored.count; i++)
        at[i].worth = is_alone(at, ports->moored.count, i) ? 1 : 0;
    for (int i = 0; at && i < ports->moored.count; i++)
        if (at[i].worth > 0) {
            at[kept] = at[i];
            ports->towns[kept++] = ports->towns[i];
        }
    ports->moored.count = kept;
}

Status ports_find(Ports *ports, const Ports *before, const Grids *seas, const Sites *sites, Error *error) {
    *ports = (Ports){ .moored = { .room = sites->count } };
    const size_t room = (size_t)sites->count + 1;
    ports->moored.at = memory_new(room, sizeof *ports->moored.at, error);
    if (ports->moored.at)
        ports->towns = memory_new(room, sizeof *ports->towns, error);
    if (!ports->towns)
        return STATUS_MEMORY;
    for (int i = 0; i < sites->count; i++) {
        Site site = sites->at[i];
        const Grid *sea = &seas->on[site.face];
        const RoadPixel town = { site.x, site.y };
        RoadPixel moored;
        const Site *last = find_same(&before->moored, &site);
        if (!find_mooring(sea, &site, last, &moored))
            continue;
        site.before_x = last ? last->x : -1;
        site.before_y = last ? last->y : -1;
        site.x = moored.x;
        site.y = moored.y;
        site.at = grid_place_of(sea, site.x, site.y);
        ports->towns[ports->moored.count] = town;
        ports->moored.at[ports->moored.count++] = site;
    }
    leave_out_shared(ports);
    return STATUS_OK;
}

void ports_free(Ports *ports) {
    sites_free(&ports->moored);
    memory_free(ports->towns);
    *ports = (Ports){ .towns = NULL };
}

// --- lanes -------------------------------------------------------------------------------------------------

bool lies_sea_between(const Grid *sea, const Ports *ports, const Site *from, const Site *to) {
    const RoadPixel a = ports->towns[from - ports->moored.at];
    RoadPixel b = ports->towns[to - ports->moored.at];
    pixel_on_grid(sea, to->face, &b.x, &b.y);
    const int count = max(max(abs(b.x - a.x), abs(b.y - a.y)), 1);
    int wet = 0;
    for (int i = 0; i <= count; i++)
        wet += is_sea(sea, a.x + (2 * (b.x - a.x) * i + count) / (2 * count),
                      a.y + (2 * (b.y - a.y) * i + count) / (2 * count));
    return 5 * wet >= 3 * count;
}

// --- their course ------------------------------------------------------------------------------------------

static RoadPixel pixel_along(RoadPixel from, RoadPixel to, int i, int count) {
    const int x = 2 * i * (to.x - from.x) + count, y = 2 * i * (to.y - from.y) + count, twice = 2 * count;
    return (RoadPixel){ from.x + (x >= 0 ? x / twice : -((twice - 1 - x) / twice)),
                        from.y + (y >= 0 ? y / twice : -((twice - 1 - y) / twice)) };
}

static float price_at(const RoadGround *sea, RoadPixel at) {
    return sea->prices[grid_index(sea->grid, at.x, at.y)];
}

static float length_between(RoadPixel from, RoadPixel to) {
    const float x = (float)(to.x - from.x), y = (float)(to.y - from.y);
    return sqrtf(x * x + y * y);
}

static int pixels_between_ends(RoadPixel from, RoadPixel to) {
    return max(abs(to.x - from.x), abs(to.y - from.y));
}

static float straight_lane_cost(const RoadGround *sea, RoadPixel from, RoadPixel to) {
    const int count = pixels_between_ends(from, to);
    float price = 0.5f * (price_at(sea, from) + price_at(sea, to));
    for (int i = 1; i < count; i++)
        price += price_at(sea, pixel_along(from, to, i, count));
    return length_between(from, to) * price / (float)count;
}

int straighten_lane(const RoadGround *sea, RoadPixel lane[], int count) {
    float costs[ROAD_PIXELS]; // from its start
    RoadPixel made[ROAD_PIXELS] = { lane[0] };
    int made_count = 1;
    costs[0] = 0;
    for (int k = 1; k < count; k++)
        costs[k] = costs[k - 1] + 0.5f * length_between(lane[k - 1], lane[k]) *
                                      (price_at(sea, lane[k - 1]) + price_at(sea, lane[k]));
    for (int from = 0, to; from + 1 < count; from = to) {
        for (to = count - 1; to > from + 1; to--)
            if (straight_lane_cost(sea, lane[from], lane[to]) <= costs[to] - costs[from])
                break;
        const int pixels = pixels_between_ends(lane[from], lane[to]);
        for (int i = 1; i <= pixels; i++)
            made[made_count++] = pixel_along(lane[from], lane[to], i, pixels);
    }
    memcpy(lane, made, (size_t)made_count * sizeof *made);
    return made_count;
}

// --- their ends --------------------------------------------------------------------------------------------

// Moves a lane's end at a mooring to its town.
static void reach_port(const Grid *sea, const Ports *ports, RoadPoint *point) {
    for (int k = 0; k < ports->moored.count; k++) {
        const Site *site = &ports->moored.at[k];
        RoadPixel town = ports->towns[k], moored = { site->x, site->y };
        if (pixel_on_grid(sea, site->face, &moored.x, &moored.y) &&
            pixel_on_grid(sea, site->face, &town.x, &town.y) && moored.x == point->x &&
            moored.y == point->y && abs(town.x - point->x) <= MOORED && abs(town.y - point->y) <= MOORED)
            point->at = (Vec2){ town.x + 0.5, town.y + 0.5 };
    }
}

void reach_ports(Network *network, const Grids *seas, const Ports *ports) {
    for (int i = 0; i < network->count; i++) {
        const Stretch *stretch = &network->at[i];
        const Grid *sea = &seas->on[stretch->face];
        reach_port(sea, ports, &network->points[stretch->first]);
        reach_port(sea, ports, &network->points[stretch->first + stretch->count - 1]);
    }
}
