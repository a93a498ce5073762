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
    descent->at.count = descent->group_count = descent->waiting_count = 0;
}

bool descent_all_beside(const Descent *descent, Vec3 normal, Vec3 point, bool *positive) {
    const double side = vec3_dot(normal, vec3_minus(descent->centre, point));
    const double reach = descent->radius * sqrt(vec3_dot(normal, normal));
    *positive = side > 0;
    return fabs(side) > reach;
}

int descent_split(Descent *descent, int first, int end, Vec3 normal, Vec3 point) {
    bool beside;
    if (end - first >= TREE_PLACES && descent_all_beside(descent, normal, point, &beside))
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

// --- trees -------------------------------------------------------------------------------------------------

// Cells larger than this, squared, in those of the finest, are cut three times: each cut leaves at least half
// of the longest edge, so that none is one too many.
#define TREE_SIZE 64

// Cells that are cut at once, each three times.
enum { TREES = LANES / 4, LEAVES = 8 };

// The halves of tree t's cell lie in lanes t and TREES + t, theirs 2 TREES further on, and those of the third
// cuts in lanes structures of their own. Leaf 1 is in the second half of the first cut only, 2 of the second
// …
typedef struct Trees {
    Lanes odd, even, second;    // generations; the last one's second halves
    LaneCuts cuts[3];           // by generation
    int64_t leaves[PLACES_MAX]; // that places lie in
} Trees;

static const Lanes *leaf_lanes(const Trees *trees, int64_t leaf) {
    return leaf < 4 ? &trees->even : &trees->second;
}

static int leaf_lane(int tree, int64_t leaf) {
    return tree + TREES * (int)(leaf & 3);
}

// --- places that go on alone -------------------------------------------------------------------------------

static void set_lane(Lanes *lanes, int lane, const Cell *cell, int apexes) {
    lanes->longest[lane] = cell->longest;
    for (int apex = 0; apex < apexes; apex++)
        lane_set(lanes, apex, lane, cell->at[apex]);
}

static void copy_lane(Lanes *to, int lane, const Lanes *from, int from_lane, int apexes) {
    to->longest[lane] = from->longest[from_lane];
    for (int apex = 0; apex < apexes; apex++)
        lane_set(to, apex, lane, lane_apex(from, apex, from_lane));
}

static void set_place(LanePlaces *at, int lane, Vec3 place) {
    at->x[lane] = place.x;
    at->y[lane] = place.y;
    at->z[lane] = place.z;
    at->begins[lane] = 0;
}

static bool any_begins(const LanePlaces *at, int first, int end) {
    uint32_t any = 0;
    for (int lane = first; lane < end; lane++)
        any |= at->begins[lane];
    return any;
}

static void finish_alone(Descent *descent) {
    LanePlaces *at = &descent->at;
    const CellMethods *methods = descent->methods;
    for (int lane = at->count; lane % LOOP_LANES != 0; lane++) { // loops take all
        set_place(at, lane, (Vec3){ at->x[0], at->y[0], at->z[0] });
        copy_lane(&descent->lanes, lane, &descent->lanes, 0, methods->apexes);
    }
    for (int first = 0; first < at->count; first += LOOP_LANES) {
        while (methods->cut_lanes(&descent->rules, at, &descent->lanes, first))
            ;
        methods->find_altitudes(&descent->rules, at, &descent->lanes, first);
    }
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

// One lane for each place, which starts from the cell, or from its leaf of a tree.
static void go_alone(Descent *descent, const Group *group, const Trees *trees, int tree) {
    const Places *places = &descent->places;
    LanePlaces *at = &descent->at;
    const int apexes = descent->methods->apexes;
    for (int first = group->first, end; first < group->end; first = end) {
        if (at->count == LANES || descent->group_count == GROUPS_MAX)
            finish_alone(descent);
        end = min(group->end, first + LANES - at->count);
        descent->groups[descent->group_count++] = (Group){ group->cell, first, end };
        for (int i = first; i < end; i++) {
            const int lane = at->count++;
            set_place(at, lane, (Vec3){ places->x[i], places->y[i], places->z[i] });
            if (trees)
                copy_lane(&descent->lanes, lane, leaf_lanes(trees, trees->leaves[i - group->first]),
                          leaf_lane(tree, trees->leaves[i - group->first]), apexes);
            else
                set_lane(&descent->lanes, lane, &group->cell, apexes);
        }
    }
}

// --- the way down ------------------------------------------------------------------------------------------

typedef struct Plane {
    Vec3 normal, point;
} Plane;

KERNEL_INLINE Plane plane_of(const LaneCuts *cuts, int i) {
    return (Plane){ { cuts->normal_x[i], cuts->normal_y[i], cuts->normal_z[i] },
                    { cuts->x[i], cuts->y[i], cuts->z[i] } };
}

KERNEL_INLINE double side_of(Plane plane, Vec3 at) {
    return vec3_dot(plane.normal, vec3_minus(at, plane.point));
}

// The leaves of `count` places from `first` on. Sides of all seven cuts are found, which is faster than to
// look for those that matter; all is in 64 bits, since the shortest numbers make the number of lanes.
KERNEL static void find_leaves(const Places *restrict places, int first, int count,
                               const LaneCuts *restrict cuts, int tree, int64_t *restrict leaves) {
    const double *restrict x = places->x + first, *restrict y = places->y + first,
                           *restrict z = places->z + first;
    const Plane a = plane_of(&cuts[0], tree), b0 = plane_of(&cuts[1], tree),
                b1 = plane_of(&cuts[1], tree + TREES), c0 = plane_of(&cuts[2], tree),
                c1 = plane_of(&cuts[2], tree + TREES), c2 = plane_of(&cuts[2], tree + 2 * TREES),
                c3 = plane_of(&cuts[2], tree + 3 * TREES);
    for (int i = 0; i < count; i++) {
        const Vec3 at = { x[i], y[i], z[i] };
        const double in_a = side_of(a, at), in_b0 = side_of(b0, at), in_b1 = side_of(b1, at),
                     in_c0 = side_of(c0, at), in_c1 = side_of(c1, at), in_c2 = side_of(c2, at),
                     in_c3 = side_of(c3, at);
        const double in_b = value_if(in_a >= 0, in_b0, in_b1);
        const double in_c =
            value_if(in_b >= 0, value_if(in_a >= 0, in_c0, in_c1), value_if(in_a >= 0, in_c2, in_c3));
        leaves[i] = (int64_t)(in_a < 0) | (int64_t)(in_b < 0) << 1 | (int64_t)(in_c < 0) << 2;
    }
}

static bool tree_begins(const Trees *trees, int tree) {
    uint32_t any = trees->cuts[0].begins[tree];
    for (int i = tree; i < 4 * TREES; i += TREES)
        any |= (i < 2 * TREES ? trees->cuts[1].begins[i] : 0) | trees->cuts[2].begins[i];
    return any;
}

static double longest_leaf(const Trees *trees, int tree) {
    double longest = 0;
    for (int leaf = 0; leaf < LEAVES; leaf++)
        longest = max(leaf_lanes(trees, leaf)->longest[leaf_lane(tree, leaf)], longest);
    return longest;
}

static void move_places(double *from, int count, const int64_t *to) {
    double moved[PLACES_MAX];
    for (int i = 0; i < count; i++)
        moved[to[i]] = from[i];
    // cppcheck-suppress uninitvar ; `to` has every place once
    memcpy(from, moved, (size_t)count * sizeof *from);
}

static void move_numbers(uint16_t *from, int count, const int64_t *to) {
    uint16_t moved[PLACES_MAX];
    for (int i = 0; i < count; i++)
        moved[to[i]] = from[i];
    // cppcheck-suppress uninitvar ; `to` has every place once
    memcpy(from, moved, (size_t)count * sizeof *from);
}

// Sorts places by leaf; sets where those of each end, from the first place on.
static void sort_places(Places *places, int first, int count, int64_t *leaves, int ends[LEAVES]) {
    memset(ends, 0, LEAVES * sizeof *ends);
    for (int i = 0; i < count; i++)
        ends[leaves[i]]++;
    for (int leaf = 0, at = 0; leaf < LEAVES; leaf++) {
        at += ends[leaf];
        ends[leaf] = at - ends[leaf];
    }
    for (int i = 0; i < count; i++)
        leaves[i] = ends[leaves[i]]++; // where it goes
    move_places(places->x + first, count, leaves);
    move_places(places->y + first, count, leaves);
    move_places(places->z + first, count, leaves);
    move_numbers(places->number + first, count, leaves);
}

static Cell leaf_cell(const Trees *trees, int tree, int leaf, int apexes) {
    const Lanes *lanes = leaf_lanes(trees, leaf);
    const int lane = leaf_lane(tree, leaf);
    Cell cell = { .longest = lanes->longest[lane] };
    for (int apex = 0; apex < apexes; apex++)
        cell.at[apex] = lane_apex(lanes, apex, lane);
    return cell;
}

static void go_by_leaf(Descent *descent, const Group *group, Trees *trees, int tree) {
    int ends[LEAVES];
    sort_places(&descent->places, group->first, group->end - group->first, trees->leaves, ends);
    for (int leaf = 0; leaf < LEAVES; leaf++) {
        const int first = leaf == 0 ? 0 : ends[leaf - 1];
        if (first < ends[leaf]) {
            const Cell cell = leaf_cell(trees, tree, leaf, descent->methods->apexes);
            descent_go(descent, &cell, group->first + first, group->first + ends[leaf]);
        }
    }
}

static void cut_once(Descent *descent, const Group *group) {
    const CellMethods *methods = descent->methods;
    const CellCut cut = methods->cut(&descent->rules, &group->cell);
    if (cut.begins) {
        descent->begins(descent->context, group, false);
        return;
    }
    const int middle = descent_split(descent, group->first, group->end, cut.normal, apex_place(cut.middle));
    for (int second = 0; second < 2; second++) {
        const int first = second ? middle : group->first, end = second ? group->end : middle;
        const Cell half = methods->half(&group->cell, &cut, second);
        if (first < end)
            descent_go(descent, &half, first, end);
    }
}

static void go_down_tree(Descent *descent, const Group *group, Trees *trees, int tree) {
    if (tree_begins(trees, tree)) {
        cut_once(descent, group);
        return;
    }
    find_leaves(&descent->places, group->first, group->end - group->first, trees->cuts, tree, trees->leaves);
    if (longest_leaf(trees, tree) <= TREE_SIZE * descent->rules.finest)
        go_alone(descent, group, trees, tree);
    else
        go_by_leaf(descent, group, trees, tree);
}

static void cut_trees(Descent *descent) {
    const CellMethods *methods = descent->methods;
    const CutRules *rules = &descent->rules;
    const int count = min(descent->waiting_count, TREES);
    Group groups[TREES];
    Trees trees;
    descent->waiting_count -= count;
    memcpy(groups, descent->waiting + descent->waiting_count, (size_t)count * sizeof *groups);
    for (int i = 0; i < TREES; i++)
        set_lane(&trees.odd, i, &groups[min(i, count - 1)].cell, methods->apexes);
    methods->halve_lanes(rules, TREES, &trees.odd, &trees.even, &trees.even, TREES, &trees.cuts[0]);
    methods->halve_lanes(rules, 2 * TREES, &trees.even, &trees.odd, &trees.odd, 2 * TREES, &trees.cuts[1]);
    methods->halve_lanes(rules, 4 * TREES, &trees.odd, &trees.even, &trees.second, 0, &trees.cuts[2]);
    for (int tree = 0; tree < count; tree++)
        go_down_tree(descent, &groups[tree], &trees, tree);
}

void descent_finish(Descent *descent) {
    while (descent->waiting_count > 0)
        cut_trees(descent);
    finish_alone(descent);
}

// Cells longer than this, squared, in radii around all places, squared: one side of most cuts has all places.
#define FAR 16

void descent_go(Descent *descent, const Cell *start, int first, int end) {
    const CellMethods *methods = descent->methods;
    const double fine = TREE_SIZE * descent->rules.finest, far = FAR * descent->radius * descent->radius;
    Cell cell = *start;
    while (cell.longest > max(fine, far)) {
        const CellCut cut = methods->cut(&descent->rules, &cell);
        if (cut.begins) {
            descent->begins(descent->context, &(Group){ cell, first, end }, false);
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
    const Group group = { cell, first, end };
    if (cell.longest > fine && end - first >= TREE_PLACES)
        descent->waiting[descent->waiting_count++] = group;
    else
        go_alone(descent, &group, NULL, 0);
}
