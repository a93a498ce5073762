#include "rivers/growth.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

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

static void attraction_free(Attraction *attraction) {
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

static void attraction_arrive(Attraction *attraction, Arrival *arrival) {
    meet_box(attraction, 1, arrival);
}

// Removes a point that was not reached.
static void attraction_give_up(Attraction *attraction, int point) {
    if (attraction->points[point].closest >= 0)
        take_away(attraction, point);
}

// --- growth ------------------------------------------------------------------------------------------------

typedef struct Pull { // on one tributary, in one step
    int64_t x, y;     // the sum of directions, in 2^-PULL_BITS
    int count;        // of points that pull
    int closest;      // of these
    double distance;  // squared, to it
} Pull;

enum { PULL_BITS = 30, GRID_MAX = 2048 };

// --- the grid ----------------------------------------------------------------------------------------------

static int cell_along(double at, double cell, int count) {
    return index_within(at / cell, count);
}

static int *cell_of(const Growth *growth, Vec2 spot) {
    return &growth->grid[(size_t)cell_along(spot.y, growth->cell, growth->rows) * (size_t)growth->columns +
                         (size_t)cell_along(spot.x, growth->cell, growth->columns)];
}

// Whether the line from a tributary to `to` is free of other tributaries; with `apart`, whether moreover none
// ends within half a step of `to`. Lines are at most a step long, and cells at least as large: what meets
// this one ends at most two cells away.
static bool is_free(const Growth *growth, int tributary, Vec2 to, bool apart) {
    const Vec2 from = growth->tributaries[tributary].at;
    const int x = cell_along(to.x, growth->cell, growth->columns);
    const int y = cell_along(to.y, growth->cell, growth->rows);
    for (int row = y > 2 ? y - 2 : 0; row <= y + 2 && row < growth->rows; row++)
        for (int column = x > 2 ? x - 2 : 0; column <= x + 2 && column < growth->columns; column++) {
            int i = growth->grid[(size_t)row * (size_t)growth->columns + (size_t)column];
            for (; i >= 0; i = growth->tributaries[i].next) {
                const Tributary *other = &growth->tributaries[i];
                if (apart && i != tributary && vec2_distance(other->at, to) < 0.5 * growth->step)
                    return false;
                if (i != tributary && other->parent >= 0 && other->parent != tributary &&
                    lines_meet(from, to, growth->tributaries[other->parent].at, other->at))
                    return false;
            }
        }
    return true;
}

// --- walls -------------------------------------------------------------------------------------------------

enum { WALLS_PER_GROUP = 6 };

static bool meets_group(const Growth *growth, const WallGroup *group, Vec2 from, Vec2 to) {
    if ((from.x > group->high.x && to.x > group->high.x) || (from.x < group->low.x && to.x < group->low.x) ||
        (from.y > group->high.y && to.y > group->high.y) || (from.y < group->low.y && to.y < group->low.y))
        return false;
    for (int i = group->first; i < group->end; i++)
        if (lines_meet(from, to, growth->walls[i].from, growth->walls[i].to))
            return true;
    return false;
}

static bool meets_wall(const Growth *growth, Vec2 from, Vec2 to) {
    for (int i = 0; i < growth->group_count; i++)
        if (meets_group(growth, &growth->groups[i], from, to))
            return true;
    return false;
}

static Status group_walls(Growth *growth, Error *error) {
    growth->group_count = (growth->wall_count + WALLS_PER_GROUP - 1) / WALLS_PER_GROUP;
    const size_t room = (size_t)growth->group_count + 1;
    if (!(growth->groups = memory_new(room, sizeof *growth->groups, error)) ||
        !(growth->near_groups = memory_new(room, sizeof *growth->near_groups, error)))
        return STATUS_MEMORY;
    for (int i = 0; i < growth->group_count; i++) {
        WallGroup *group = &growth->groups[i];
        *group = (WallGroup){ .first = i * WALLS_PER_GROUP,
                              .low = { INFINITY, INFINITY },
                              .high = { -INFINITY, -INFINITY } };
        group->end = group->first + WALLS_PER_GROUP;
        group->end = min(group->end, growth->wall_count);
        for (int k = 2 * group->first; k < 2 * group->end; k++) {
            const Vec2 spot = k % 2 ? growth->walls[k / 2].to : growth->walls[k / 2].from;
            group->low = (Vec2){ fmin(group->low.x, spot.x), fmin(group->low.y, spot.y) };
            group->high = (Vec2){ fmax(group->high.x, spot.x), fmax(group->high.y, spot.y) };
        }
    }
    return STATUS_OK;
}

static bool is_near(const Growth *growth, const WallGroup *group, Vec2 at) {
    const double x = at.x < group->low.x    ? group->low.x - at.x
                     : at.x > group->high.x ? at.x - group->high.x
                                            : 0;
    const double y = at.y < group->low.y    ? group->low.y - at.y
                     : at.y > group->high.y ? at.y - group->high.y
                                            : 0;
    return x * x + y * y <= growth->reach * growth->reach;
}

static bool may_grow(const Growth *growth, int tributary, Vec2 to, bool apart) {
    const Vec2 from = growth->tributaries[tributary].at;
    return !meets_wall(growth, from, to) && boundary_holds(growth->boundary, from, to) &&
           is_free(growth, tributary, to, apart);
}

// --- tributaries -------------------------------------------------------------------------------------------

static bool enlarge(void **block, size_t size, int count, int room, Error *error) {
    void *larger = memory_enlarge(*block, (size_t)count, (size_t)room, size, error);
    *block = larger ? larger : *block;
    return larger;
}

// As many as fill the area at a kill distance apart, minus gaps: usually enough.
static int expected_count(const Growth *growth) {
    const double on_ground = 0.5 * boundary_area(growth->boundary) / (growth->kill * growth->step);
    const double by_points = growth->attraction.count * (1 + growth->reach / growth->step);
    const double least = min(on_ground, by_points);
    return 4096 + (whole_within(least, 0, 100000000));
}

static bool reserve(Growth *growth, Error *error) {
    if (growth->count < growth->room)
        return true;
    const int room = growth->room ? growth->room + growth->room / 2 : expected_count(growth);
    const int words = (room + 63) / 64;
    void *tributaries = growth->tributaries, *pulls = growth->pulls;
    const bool enough = enlarge(&tributaries, sizeof(Tributary), growth->count, room, error);
    growth->tributaries = tributaries;
    const bool more = enough && enlarge(&pulls, sizeof(Pull), growth->count, room, error);
    growth->pulls = pulls;
    if (!more)
        return false;
    uint64_t *pulled = memory_new_zeroed((size_t)words, sizeof *pulled, error);
    if (!pulled)
        return false;
    if (growth->room)
        memcpy(pulled, growth->pulled, (size_t)((growth->room + 63) / 64) * sizeof *pulled);
    memory_free(growth->pulled);
    growth->pulled = pulled;
    growth->room = room;
    return true;
}

static Status add(Growth *growth, int parent, Vec2 at, Error *error) {
    if (!reserve(growth, error))
        return STATUS_MEMORY;
    Tributary tributary = { .at = at, .parent = parent };
    if (parent >= 0) {
        const Vec2 from = growth->tributaries[parent].at;
        const double length = vec2_distance(from, at);
        tributary.direction_x = length > 0 ? (float)((at.x - from.x) / length) : 0;
        tributary.direction_y = length > 0 ? (float)((at.y - from.y) / length) : 0;
        growth->tributaries[parent].grown = true;
    }
    int *cell = cell_of(growth, at);
    tributary.next = *cell;
    *cell = growth->count;
    growth->pulls[growth->count] = (Pull){ .closest = -1 };
    growth->tributaries[growth->count++] = tributary;
    return STATUS_OK;
}

// From here on `sees` looks from `at`.
static void look_around(Growth *growth, Vec2 at) {
    growth->near_group_count = 0;
    for (int i = 0; i < growth->group_count; i++)
        if (is_near(growth, &growth->groups[i], at))
            growth->near_groups[growth->near_group_count++] = i;
}

static bool sees(void *context, Vec2 from, Vec2 to) {
    const Growth *growth = context;
    for (int i = 0; i < growth->near_group_count; i++)
        if (meets_group(growth, &growth->groups[growth->near_groups[i]], from, to))
            return false;
    return growth->boundary->convex || boundary_holds(growth->boundary, from, to);
}

// Tells the points about the tributary.
static void arrive(Growth *growth, int tributary) {
    const Vec2 at = growth->tributaries[tributary].at;
    look_around(growth, at);
    Arrival arrival = { .at = at,
                        .tributary = tributary,
                        .reach = growth->reach * growth->reach,
                        .kill = growth->kill * growth->kill,
                        .sees = sees,
                        .context = growth };
    attraction_arrive(&growth->attraction, &arrival);
    growth->tributaries[tributary].reached += arrival.reached;
}

Status growth_begin(Growth *growth, double width, double height, Error *error) {
    const double longest = max(width, height);
    growth->cell = max(growth->step, longest / GRID_MAX);
    growth->columns = whole_int(width / growth->cell) + 1;
    growth->rows = whole_int(height / growth->cell) + 1;
    const size_t cells = memory_count(growth->columns, growth->rows);
    growth->grid = memory_new(cells, sizeof *growth->grid, error);
    if (!growth->grid || group_walls(growth, error) != STATUS_OK || !reserve(growth, error))
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        growth->grid[i] = -1;
    return STATUS_OK;
}

void growth_finish(Growth *growth) {
    attraction_free(&growth->attraction);
    memory_free(growth->pulls);
    memory_free(growth->pulled);
    memory_free(growth->groups);
    memory_free(growth->near_groups);
    growth->pulls = NULL;
    growth->pulled = NULL;
    growth->groups = NULL;
    growth->near_groups = NULL;
}

void growth_free(Growth *growth) {
    growth_finish(growth);
    memory_free(growth->tributaries);
    memory_free(growth->grid);
}

// --- mouths ------------------------------------------------------------------------------------------------

static Vec2 towards(Vec2 from, Vec2 to, double length) {
    const double distance = vec2_distance(from, to), share = distance > 0 ? length / distance : 0;
    return (Vec2){ from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share };
}

static const AttractionPoint *closest_in_sight(const Growth *growth, Vec2 spot) {
    const AttractionPoint *closest = NULL;
    double least = INFINITY;
    for (int i = 0; i < growth->attraction.count; i++) {
        const AttractionPoint *point = &growth->attraction.points[i];
        const double x = point->x - spot.x, y = point->y - spot.y;
        const Vec2 to = { point->x, point->y };
        if (point->closest >= 0 && x * x + y * y < least && !meets_wall(growth, spot, to) &&
            boundary_holds(growth->boundary, spot, to)) {
            least = x * x + y * y;
            closest = point;
        }
    }
    return closest;
}

static Status extend_to(Growth *growth, Vec2 to, Error *error) {
    Status status = STATUS_OK;
    for (;;) {
        const int last = growth->count - 1;
        const Vec2 from = growth->tributaries[last].at;
        const double length = vec2_distance(from, to);
        if (status != STATUS_OK || !(length > 0))
            return status;
        const Vec2 next = length > growth->step ? towards(from, to, growth->step) : to;
        if (meets_wall(growth, from, next) || !is_free(growth, last, next, false))
            return STATUS_OK;
        status = add(growth, last, next, error);
        if (status == STATUS_OK)
            arrive(growth, growth->count - 1);
    }
}

Status growth_plant(Growth *growth, Vec2 edge, Vec2 mouth, Error *error) {
    Status status = add(growth, -1, edge, error);
    if (status != STATUS_OK)
        return status;
    arrive(growth, growth->count - 1);
    status = extend_to(growth, mouth, error);
    const Vec2 from = growth->tributaries[growth->count - 1].at;
    const AttractionPoint *closest = status == STATUS_OK ? closest_in_sight(growth, from) : NULL;
    const Vec2 to = closest ? (Vec2){ closest->x, closest->y } : from;
    const double far = vec2_distance(from, to);
    return far > growth->reach ? extend_to(growth, towards(from, to, far - 0.99 * growth->reach), error)
                               : status;
}

// --- growth ------------------------------------------------------------------------------------------------

static void collect_pulls(Growth *growth) {
    const Attraction *attraction = &growth->attraction;
    for (int leaf = 0; leaf < attraction->leaves; leaf++) {
        if (attraction->pulled[leaf] == 0)
            continue;
        for (int i = leaf * POINTS_PER_LEAF; i < (leaf + 1) * POINTS_PER_LEAF && i < attraction->count; i++) {
            const AttractionPoint *point = &attraction->points[i];
            if (point->tributary < 0)
                continue;
            Pull *pull = &growth->pulls[point->tributary];
            pull->x += whole_64((double)(point->pull_x * (float)(1 << PULL_BITS)));
            pull->y += whole_64((double)(point->pull_y * (float)(1 << PULL_BITS)));
            if (pull->count++ == 0 || point->closest < pull->distance) {
                pull->distance = point->closest;
                pull->closest = i;
            }
            growth->pulled[point->tributary / 64] |= UINT64_C(1) << (point->tributary % 64);
        }
    }
}

// The end of a child: one step in the mean direction, which includes the parent's (Speirs 2020, section 4,
// with the sum that its formula omits: Runions et al. 2007).
static Vec2 mean_step(const Growth *growth, int tributary) {
    const Tributary *parent = &growth->tributaries[tributary];
    const Pull *pull = &growth->pulls[tributary];
    const double unit = 1.0 / (1 << PULL_BITS);
    const double x = (double)parent->direction_x + (double)pull->x * unit;
    const double y = (double)parent->direction_y + (double)pull->y * unit;
    const double length = sqrt(x * x + y * y);
    if (!(length > 1e-6))
        return parent->at;
    return (Vec2){ parent->at.x + x / length * growth->step, parent->at.y + y / length * growth->step };
}

// Whether a child that ends there is a step closer to the point: free of other rivers, and seen by the point,
// which otherwise would never stop pulling.
static bool leads_to(Growth *growth, int tributary, Vec2 to, Vec2 point) {
    look_around(growth, to);
    return may_grow(growth, tributary, to, false) && sees(growth, to, point);
}

// Where the mean direction would cross a ridge, leave the land, meet another river or come close to one,
// the child grows straight to the closest point. Where that is impossible, or a mouth already has its
// river, the point is removed.
static Status grow_child(Growth *growth, int tributary, Error *error) {
    const Tributary parent = growth->tributaries[tributary];
    const Vec2 mean = mean_step(growth, tributary);
    const Pull pull = growth->pulls[tributary];
    const bool complete = parent.parent < 0 && parent.grown;
    growth->pulls[tributary] = (Pull){ .closest = -1 };
    if (!complete && vec2_distance(parent.at, mean) > 0 && may_grow(growth, tributary, mean, true))
        return add(growth, tributary, mean, error);
    const AttractionPoint *closest = &growth->attraction.points[pull.closest];
    const Vec2 point = { closest->x, closest->y };
    const double far = vec2_distance(parent.at, point);
    const Vec2 straight = far > growth->step ? towards(parent.at, point, growth->step) : point;
    if (!complete && leads_to(growth, tributary, straight, point))
        return add(growth, tributary, straight, error);
    attraction_give_up(&growth->attraction, pull.closest);
    return STATUS_OK;
}

static Status grow_children(Growth *growth, Error *error) {
    const int count = growth->count;
    for (int word = 0; word < (count + 63) / 64; word++) {
        uint64_t bits = growth->pulled[word];
        growth->pulled[word] = 0;
        for (; bits; bits &= bits - 1) {
            const Status status = grow_child(growth, 64 * word + __builtin_ctzll(bits), error);
            if (status != STATUS_OK)
                return status;
        }
    }
    for (int i = count; i < growth->count; i++)
        arrive(growth, i);
    return STATUS_OK;
}

Status growth_run(Growth *growth, const Run *run, Error *error) {
    Attraction *attraction = &growth->attraction;
    for (int steps = 0;; steps++) {
        const int count = growth->count, left = attraction->left;
        if (growth->max_steps > 0 && steps == growth->max_steps)
            return STATUS_OK;
        if (run_advance(run, attraction->count - left, attraction->count) != STATUS_OK)
            return STATUS_STOPPED;
        collect_pulls(growth);
        const Status status = grow_children(growth, error);
        if (status != STATUS_OK || (growth->count == count && attraction->left == left))
            return status;
    }
}

void growth_widen(Growth *growth, double reach) {
    growth->reach = reach;
    for (int i = 0; i < growth->count; i++)
        arrive(growth, i);
}
