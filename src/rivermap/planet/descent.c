#include "rivermap/planet/descent.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

// --- lists of places ---------------------------------------------------------------------------------------

KERNEL static int find_sides(const Places *restrict places, int first, int end, Vec3 normal, Vec3 point,
                             uint8_t *restrict sides) {
    const double *restrict x = places->x + first, *restrict y = places->y + first,
                           *restrict z = places->z + first;
    const int count = end - first;
    int positive = 0;
    for (int i = 0; i < count; i++) {
        const double side = vec3_dot(normal, vec3_minus((Vec3){ x[i], y[i], z[i] }, point));
        const int over = side >= 0;
        sides[i] = (uint8_t)over;
        positive += over;
    }
    return positive;
}

// Without branches.
void descent_swap(Descent *descent, int a, int b) {
    Places *places = &descent->places;
    const double x = places->x[a], y = places->y[a], z = places->z[a];
    const uint16_t number = places->number[a];
    places->x[a] = places->x[b];
    places->y[a] = places->y[b];
    places->z[a] = places->z[b];
    places->number[a] = places->number[b];
    places->x[b] = x;
    places->y[b] = y;
    places->z[b] = z;
    places->number[b] = number;
}

void descent_start(Descent *descent, const Vec3 *places, int count) {
    Places *to = &descent->places;
    const Vec3 centre = places[count / 2];
    double farthest = 0;
    for (int i = 0; i < count; i++) {
        to->x[i] = places[i].x;
        to->y[i] = places[i].y;
        to->z[i] = places[i].z;
        to->number[i] = (uint16_t)i;
        farthest = max(squared_distance(centre, places[i]), farthest);
    }
    descent->count = count;
    descent->centre = centre;
    descent->radius = sqrt(farthest) * (1 + 1e-9) + 1e-15; // more than rounding takes away
    descent->at.count = descent->group_count = 0;
}

// Whether all places surely lie on one side of a plane, far from it.
static bool all_beside(const Descent *descent, Vec3 normal, Vec3 point, bool *positive) {
    const double side = vec3_dot(normal, vec3_minus(descent->centre, point));
    const double reach = descent->radius * sqrt(vec3_dot(normal, normal));
    *positive = side > 0;
    return fabs(side) > reach;
}

int descent_split(Descent *descent, int first, int end, Vec3 normal, Vec3 point) {
    bool beside;
    if (end - first == descent->count && all_beside(descent, normal, point, &beside))
        return beside ? end : first;
    const int positive = find_sides(&descent->places, first, end, normal, point, descent->sides);
    if (positive == 0 || positive == end - first)
        return first + positive;
    int to = first;
    for (int i = first; i < end; i++) { // the others stay between `to` and i
        descent_swap(descent, i, to);
        to += descent->sides[i - first];
    }
    return to;
}

// --- lanes -------------------------------------------------------------------------------------------------

// Sets a lane.
static void put_lane(Descent *descent, int lane, const Cell *cell, Vec3 place) {
    LanePlaces *at = &descent->at;
    Lanes *lanes = &descent->lanes[0];
    at->x[lane] = place.x;
    at->y[lane] = place.y;
    at->z[lane] = place.z;
    at->begins[lane] = 0;
    lanes->longest[lane] = cell->longest;
    for (int apex = 0; apex < descent->methods->apexes; apex++)
        lane_set(lanes, apex, lane, cell->at[apex]);
}

static bool any_begins(const LanePlaces *at, int first, int end) {
    uint32_t any = 0;
    for (int lane = first; lane < end; lane++)
        any |= at->begins[lane];
    return any;
}

void descent_finish(Descent *descent) {
    LanePlaces *at = &descent->at;
    const CellMethods *methods = descent->methods;
    int now = 0;
    if (at->count == 0)
        return;
    for (int lane = at->count; lane < LANES; lane++)
        put_lane(descent, lane, &descent->groups[0].cell, (Vec3){ at->x[0], at->y[0], at->z[0] });
    for (int more = 1; more; now = 1 - now)
        more = methods->cut_lanes(&descent->rules, at, &descent->lanes[now], &descent->lanes[1 - now]);
    methods->find_altitudes(&descent->rules, at, &descent->lanes[now]);
    int lane = 0;
    for (int i = 0; i < descent->group_count; i++) {
        const Group *group = &descent->groups[i];
        const int start = lane;
        for (int place = group->first; place < group->end; place++)
            descent->altitudes[descent->places.number[place]] = at->altitudes[lane++];
        if (any_begins(at, start, lane))
            descent->begins(descent->context, group, true);
    }
    at->count = descent->group_count = 0;
}

// One lane for each place.
static void add_lanes(Descent *descent, const Cell *cell, int first, int end) {
    const Places *places = &descent->places;
    if (descent->at.count + end - first > LANES)
        descent_finish(descent);
    for (int i = first; i < end; i++)
        put_lane(descent, descent->at.count++, cell, (Vec3){ places->x[i], places->y[i], places->z[i] });
    descent->groups[descent->group_count++] = (Group){ *cell, first, end };
}

// --- the way down ------------------------------------------------------------------------------------------

// Cells no longer than this, squared, in those of the finest: a few pixels. Their places go on alone.
#define ALONE 64

void descent_go(Descent *descent, const Cell *start, int first, int end) {
    const CellMethods *methods = descent->methods;
    Cell cell = *start;
    while (cell.longest > ALONE * descent->rules.finest) {
        const CellCut cut = methods->cut(&descent->rules, &cell);
        if (cut.begins) {
            const Group group = { cell, first, end };
            descent->begins(descent->context, &group, false);
            return;
        }
        const int middle = descent_split(descent, first, end, cut.normal, apex_place(cut.middle));
        if (first < middle && middle < end) {
            const Cell half = methods->half(&cell, &cut, false);
            descent_go(descent, &half, first, middle);
        }
        cell = methods->half(&cell, &cut, middle < end);
        first = middle < end ? middle : first;
    }
    while (end - first > LANES) {
        add_lanes(descent, &cell, first, first + LANES);
        first += LANES;
    }
    if (first < end)
        add_lanes(descent, &cell, first, end);
}
