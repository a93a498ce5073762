#include "settlement/road_refine.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>

typedef struct Refining {
    const Network *before;
    const Grids *grids;
    const Vec3 *axes; // of a planet
    int *sites;       // of each cell of the grids before: 1 + the place that was there; 0: none
    const Sites *all;
    Network *made;
    RoadPoint *road; // a stretch that is being made
    int room;
} Refining;

// --- gates -------------------------------------------------------------------------------------------------

// Whether there is water in a pixel or beside it.
static bool is_beside_water(const Grid *grid, int x, int y) {
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (box_holds(&grid->box, i, j) && grid_is_wet(grid, grid_index(grid, i, j)))
                return true;
    return false;
}

// How unfit a pixel is for a gate: 0 on land, 1 beside water, 2 in a river, 3 in open water.
static int unfitness(const Grid *grid, int x, int y) {
    const size_t at = grid_index(grid, x, y);
    return grid_is_open_water(grid, at) ? 3 : grid_is_wet(grid, at) ? 2 : is_beside_water(grid, x, y);
}

// The pixel nearest to a point that has no water beside it, or at least in it, or is no open water.
static RoadPixel fit_pixel(const Grid *grid, Vec2 at) {
    const RoadPixel own = { whole_int(floor(at.x)), whole_int(floor(at.y)) };
    RoadPixel best = own;
    double nearest = INFINITY;
    int least = 3;
    const int here = box_holds(&grid->box, own.x, own.y) ? unfitness(grid, own.x, own.y) : 0,
              far = here == 3 ? (int)LAKE_MOVES : (int)GATE_MOVES;
    if (here == 0)
        return own;
    for (int y = own.y - far; y <= own.y + far; y++)
        for (int x = own.x - far; x <= own.x + far; x++) {
            if (!box_holds(&grid->box, x, y))
                continue;
            const double off_x = x + 0.5 - at.x, off_y = y + 0.5 - at.y,
                         distance = off_x * off_x + off_y * off_y;
            if (least == 0 && distance >= nearest)
                continue;
            const int unfit = unfitness(grid, x, y);
            if (unfit < least || (unfit == least && unfit < 3 && distance < nearest)) {
                best = (RoadPixel){ x, y };
                nearest = distance;
                least = unfit;
            }
        }
    return best;
}

// A pixel of a face.
typedef struct Gate {
    int face;
    RoadPixel at;
} Gate;

// Where a gate of a stretch is on the finer grids: a place where it is one. It is found on its own face, and
// so is the road from there, wherever the stretch began.
static Gate gate_on(const Refining *refining, int face, const RoadPoint *gate) {
    int turn;
    const ptrdiff_t cell = cell_number(&refining->before->cells, face, gate->x, gate->y, &turn);
    const int number = cell >= 0 ? refining->sites[cell] : 0;
    if (number) {
        const Site *site = &refining->all->at[number - 1];
        return (Gate){ site->face, { site->x, site->y } };
    }
    double x = 2 * gate->at.x, y = 2 * gate->at.y;
    const Grid on = { .bits = refining->grids->bits, .face = face, .axes = refining->axes };
    const int own = grid_face_of(&on, &x, &y);
    const RoadPixel fit = fit_pixel(&refining->grids->on[own], (Vec2){ x, y });
    CubeCell pixel = { own, fit.x, fit.y, 0 };
    if (refining->axes)
        cube_resolve((Int128)1 << on.bits, &pixel);
    return (Gate){ pixel.face, { (int)pixel.x, (int)pixel.y } };
}

// The widest margin with which both ends and the box fit in REFINE_BOX.
static int margin_of(RoadPixel from, RoadPixel to) {
    const int far = max(abs(to.x - from.x), abs(to.y - from.y)) + 1;
    return clamp((REFINE_BOX - far) / 2, 0, (int)REFINE_MARGIN);
}

// From one gate to the next one, on the grid of the first one's face.
static Status list_search(const Refining *refining, const GridBox needed[CUBE_FACES], const Gate *from,
                          const Gate *to, int of, bool meets, RoadSearches *searches, Error *error) {
    const Grid *grid = &refining->grids->on[from->face];
    RoadSearch search = { .from = from->at, .to = to->at, .face = from->face, .of = of, .meets = meets };
    if (box_is_none(&grid->box) || !pixel_on_grid(grid, to->face, &search.to.x, &search.to.y))
        return STATUS_OK;
    search.margin = margin_of(search.from, search.to);
    const GridBox box = road_box(grid, search.from, search.to, search.margin);
    return road_box_is_known(grid, &box) && boxes_touch(&box, &needed[from->face])
               ? add_search(searches, &search, error)
               : STATUS_OK;
}

// Of each stretch the pairs of gates that are needed.
static Status list_searches(const Refining *refining, const GridBox needed[CUBE_FACES],
                            RoadSearches *searches, Error *error) {
    const Network *before = refining->before;
    Status status = STATUS_OK;
    for (int i = 0; i < before->count; i++) {
        const Stretch *stretch = &before->at[i];
        const RoadPoint *points = before->points + stretch->first;
        Gate last = gate_on(refining, stretch->face, points);
        for (int k = 1, since = 1; k < stretch->count && status == STATUS_OK; k++, since++) {
            const bool joint = is_joint(before, stretch->face, points[k].x, points[k].y);
            if (!points[k].gate && !joint && since < GATES_MOST)
                continue;
            since = 0;
            const Gate to = gate_on(refining, stretch->face, &points[k]);
            status = list_search(refining, needed, &last, &to, i, joint, searches, error);
            last = to;
        }
    }
    return status;
}

// --- the finer roads ---------------------------------------------------------------------------------------

// Gates divide it into equal parts of about GATES_APART points; the first and the last part are half as long.
// One beside water moves to where there is none, if that is near.
int put_road(const Grid *grid, const RoadPixel *road, int road_count, RoadPoint *points, int count) {
    const int skipped = count ? 1 : 0, gates = max((road_count + GATES_APART / 2) / GATES_APART, 1);
    RoadPoint *own = points + count - skipped;
    for (int k = skipped; k < road_count; k++)
        own[k] = (RoadPoint){ .x = road[k].x, .y = road[k].y };
    for (int i = 0; i < gates; i++) {
        const int middle = (2 * i + 1) * (road_count - 1) / (2 * gates);
        int gate = middle;
        for (int off = 1; off <= 4 && is_beside_water(grid, road[gate].x, road[gate].y); off++)
            gate = clamp(middle + (off % 2 ? off + 1 : -off) / 2, 0, road_count - 1);
        own[is_beside_water(grid, road[gate].x, road[gate].y) ? middle : gate].gate = true;
    }
    return count + road_count - skipped;
}

// Where a road returns beside itself soon after a gate, it leaves out the loop, which lies between points
// `first` and `last`. `before`: the points up to the gate.
static int leave_out_loop(RoadPoint *points, int first, int before, int last, int count) {
    int from = before - 1, to = from;
    for (int i = first; i < before; i++)
        for (int k = last; k - i > max(to - from, 1); k--)
            if (abs(points[k].x - points[i].x) <= 1 && abs(points[k].y - points[i].y) <= 1) {
                from = i;
                to = k;
            }
    if (to - from < 2)
        return count;
    if (points[from].x == points[to].x && points[from].y == points[to].y)
        to++;
    for (int k = to; k < count; k++)
        points[from + 1 + k - to] = points[k];
    return from + 1 + count - to;
}

static Status join_roads(Refining *refining, const RoadSearches *searches, Error *error) {
    Status status = STATUS_OK;
    int count = 0, middle = 0; // points, and the one in the middle of those between the last two gates
    for (int i = 0; i < searches->count && status == STATUS_OK; i++) {
        const RoadSearch *search = &searches->at[i], *next = search + 1;
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
        if (search->count > 0)
            count = put_road(&refining->grids->on[search->face], searches->pixels + search->first,
                             search->count, refining->road, count);
        const int added = count - before, last = before + added / 2;
        if (before > 0 && added > 0 && !search[-1].meets)
            count = leave_out_loop(refining->road, middle, before, last, count);
        middle = last - (before + added - count); // a loop lies before it
        const bool goes_on = i + 1 < searches->count && next->of == search->of &&
                             next->face == search->face && search->count > 0 && next->count > 0 &&
                             next->from.x == search->to.x && next->from.y == search->to.y;
        if (goes_on)
            continue;
        Stretch of = refining->before->at[search->of];
        of.face = search->face;
        status = add_road(refining->made, refining->road, count, &of, error);
        count = 0;
    }
    return status;
}

static Status refine_open(Refining *refining, Error *error) {
    const Cells *cells = &refining->before->cells;
    refining->sites = memory_new_zeroed((size_t)cells->count + 1, sizeof *refining->sites, error);
    if (!refining->sites)
        return STATUS_MEMORY;
    for (int i = 0; i < refining->all->count; i++) {
        const Site *site = &refining->all->at[i];
        int turn;
        const ptrdiff_t cell =
            site->before_x < 0 ? -1 : cell_number(cells, site->face, site->before_x, site->before_y, &turn);
        if (cell >= 0)
            refining->sites[cell] = i + 1;
    }
    return STATUS_OK;
}

Status refine_roads(const Settlement *settlement, const Network *before, const Grids *grids,
                    const Sites *sites, const GridBox needed[CUBE_FACES], Network *made, Error *error) {
    Refining refining = {
        .before = before, .grids = grids, .axes = any_grid(grids)->axes, .all = sites, .made = made
    };
    RoadGrounds grounds = { 0 };
    RoadSearches searches = { 0 };
    Status status = network_create(made, grids, error);
    if (status == STATUS_OK && before->count > 0) {
        status = refine_open(&refining, error);
        if (status == STATUS_OK)
            status = list_searches(&refining, needed, &searches, error);
        if (status == STATUS_OK)
            status = road_grounds_open(&grounds, settlement, grids, NULL, true, error);
        if (status == STATUS_OK)
            status = search_roads(&grounds, settlement->run, &searches, error);
        if (status == STATUS_OK)
            status = join_roads(&refining, &searches, error);
    }
    road_grounds_close(&grounds);
    searches_free(&searches);
    memory_free(refining.sites);
    memory_free(refining.road);
    return status;
}
