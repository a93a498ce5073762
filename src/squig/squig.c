#include "squig/squig.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>

// --- geometry ----------------------------------------------------------------------------------------------

// The corners at an edge's two ends, in the same order from both sides, by the corners' names: that which
// faces the edge across, down, or the diagonal. A lower triangle is an upper one turned by half a turn.
static const uint8_t ends[2][SQUIG_EDGES][2] = {
    { { SQUIG_DOWN, SQUIG_DIAGONAL }, { SQUIG_DIAGONAL, SQUIG_ACROSS }, { SQUIG_DOWN, SQUIG_ACROSS } },
    { { SQUIG_DIAGONAL, SQUIG_DOWN }, { SQUIG_ACROSS, SQUIG_DIAGONAL }, { SQUIG_ACROSS, SQUIG_DOWN } },
};

// Corners of a cell's halves: its upper left (0, 0) to its lower right (1, 1).
static const uint8_t corners[2][SQUIG_EDGES][2] = {
    { { 1, 1 }, { 0, 0 }, { 1, 0 } },
    { { 0, 0 }, { 1, 1 }, { 0, 1 } },
};

// The corner that faces an edge, on the same grid.
static void squig_corner(const SquigTriangle *triangle, SquigEdge edge, int *x, int *y) {
    const uint8_t *corner = corners[triangle->lower][edge];
    *x = 2 * (triangle->x + corner[0]);
    *y = 2 * (triangle->y + corner[1]);
}

void squig_middle(const SquigTriangle *triangle, SquigEdge edge, int *x, int *y) {
    const uint8_t *at = ends[triangle->lower][edge];
    const uint8_t *from = corners[triangle->lower][at[0]], *to = corners[triangle->lower][at[1]];
    *x = 2 * triangle->x + from[0] + to[0];
    *y = 2 * triangle->y + from[1] + to[1];
}

// A place on the next level's grid by a number that does not depend on the level, since a middle is on no
// coarser grid: hashing it is hashing the edge's ends.
static uint32_t place_at(int level, int at) {
    return (uint32_t)at << (SQUIG_LEVELS_MAX + 1 - level);
}

static uint32_t edge_bits(const Squig *squig, RandomKey key, const SquigTriangle *triangle, SquigEdge edge) {
    int x, y;
    squig_middle(triangle, edge, &x, &y);
    return random_bits(key, place_at(squig->level, x), place_at(squig->level, y));
}

static uint32_t triangle_bits(const Squig *squig, RandomKey key, const SquigTriangle *triangle) {
    return edge_bits(squig, key, triangle, SQUIG_DIAGONAL) ^ (triangle->lower ? UINT32_C(0x9e3779b9) : 0);
}

// The child in whose side the river crosses an edge: one half of it, by the edge's hash, "so that the exit
// segment from one triangle matches the entry segment of the neighboring triangle" (figure 7).
static int crossed_half(const Squig *squig, const SquigTriangle *triangle, SquigEdge edge) {
    return ends[triangle->lower][edge][edge_bits(squig, squig->halves, triangle, edge) >> 31];
}

// --- one triangle ------------------------------------------------------------------------------------------

// The children: the corners and the centre, which touches all of them. Water passes from corner to corner
// through the centre, so there is only one path.
enum { CENTRE = SQUIG_EDGES, CHILDREN };

typedef struct Children {
    bool used[CHILDREN];
    uint8_t entries[CHILDREN]; // from outside the triangle
    int last;                  // the corner where the river leaves
    int source;                // the child where a river springs, or -1
} Children;

static bool is_single(uint8_t entries) {
    return entries && !(entries & (entries - 1));
}

// Where the water of one triangle comes from and goes to.
static Children find_way(const Squig *squig, const SquigTriangle *triangle) {
    Children children = { .source = -1 };
    children.last = crossed_half(squig, triangle, triangle->exit);
    children.used[children.last] = true;
    for (int edge = 0; edge < SQUIG_EDGES; edge++) {
        if (!(triangle->entries >> edge & 1))
            continue;
        const int corner = crossed_half(squig, triangle, (SquigEdge)edge);
        children.entries[corner] |= (uint8_t)(1 << edge);
        children.used[corner] = true;
        if (corner != children.last)
            children.used[CENTRE] = true;
    }
    return children;
}

// A spring in the corner through which the river leaves, in the centre, or beyond it; more often far away,
// because rivers are long.
static void place_source(Children *children, uint32_t bits, bool beyond_last) {
    const int beside[2] = { (children->last + 1) % 3, (children->last + 2) % 3 };
    const uint32_t pick = bits & 7;
    if (pick == 0 && !beyond_last) {
        children->source = children->last;
    } else if (pick <= 1) {
        children->source = CENTRE;
    } else {
        const int corner = beside[bits >> 3 & 1];
        children->source = children->used[corner] ? CENTRE : corner;
    }
    children->used[children->source] = true;
    if (children->source != children->last)
        children->used[CENTRE] = true;
}

// Figure 11 (a): a tributary from a child that no river crosses joins where there is only one river.
static void add_tributary(Children *children, uint32_t bits) {
    if (!children->used[CENTRE]) {
        if (is_single(children->entries[children->last]))
            place_source(children, bits, true);
        return;
    }
    int inflows = 0, unused = -1;
    for (int corner = 0; corner < SQUIG_EDGES; corner++) {
        inflows += children->used[corner] && corner != children->last;
        unused = children->used[corner] ? unused : corner;
    }
    if (inflows == 1 && unused >= 0) {
        children->source = unused;
        children->used[unused] = true;
    }
}

// Divides the triangle's fall between three consecutive children: evenly, or mostly in one of them.
static void divide_fall(const Squig *squig, const SquigTriangle *triangle, double high, double between[2]) {
    const uint32_t place = triangle_bits(squig, squig->falls, triangle) % 3;
    const double even = (1 - squig->waterfalls) / 3, fall = high - triangle->low;
    between[0] = high - fall * (even + (place == 0 ? squig->waterfalls : 0));
    between[1] = triangle->low + fall * (even + (place == 2 ? squig->waterfalls : 0));
}

// All water enters a child at the same altitude, so no river is lower than another that it meets; where the
// river enters and leaves in one corner, water from the centre arrives level.
static int write_children(const Squig *squig, const SquigTriangle *triangle, const Children *children,
                          double rise, SquigTriangle *out) {
    const int last = children->last;
    const bool own_source = triangle->entries == 0, met = children->entries[last] != 0;
    const double high = triangle->high + (own_source ? rise : 0);
    double between[2] = { high, high };
    if (!met)
        divide_fall(squig, triangle, high, between);
    const double source = triangle->high + rise;
    int count = 0;
    uint8_t into_centre = 0;
    for (int corner = 0; corner < SQUIG_EDGES; corner++) {
        if (corner == last || !children->used[corner])
            continue;
        into_centre |= (uint8_t)(1 << corner);
        out[count++] = (SquigTriangle){ .exit = (uint8_t)corner,
                                        .entries = children->entries[corner],
                                        .high = children->source == corner ? source : high,
                                        .low = between[0],
                                        .x = corner };
    }
    if (children->used[CENTRE])
        out[count++] = (SquigTriangle){ .exit = (uint8_t)last,
                                        .entries = into_centre,
                                        .high = children->source == CENTRE ? source : between[0],
                                        .low = between[1],
                                        .x = CENTRE };
    const uint8_t from_centre = (uint8_t)(children->used[CENTRE] ? 1 << last : 0);
    out[count++] = (SquigTriangle){ .exit = triangle->exit,
                                    .entries = children->entries[last] | from_centre,
                                    .high = met || !from_centre ? high : between[1],
                                    .low = triangle->low,
                                    .x = last };
    return count;
}

static void place_child(const SquigTriangle *triangle, SquigTriangle *child) {
    const int which = child->x;
    const uint8_t *corner = corners[triangle->lower][which == CENTRE ? SQUIG_DIAGONAL : which];
    child->x = 2 * triangle->x + corner[0];
    child->y = 2 * triangle->y + corner[1];
    child->lower = triangle->lower != (which == CENTRE);
}

static int subdivide(const Squig *squig, const SquigTriangle *triangle, double rise, SquigTriangle *out) {
    Children children = find_way(squig, triangle);
    const uint32_t bits = triangle_bits(squig, squig->branches, triangle);
    if (triangle->entries == 0)
        place_source(&children, bits, false);
    else if (squig->level < squig->branch_levels && (bits >> 8) * 0x1p-24 < squig->tributaries)
        add_tributary(&children, bits);
    const int count = write_children(squig, triangle, &children, rise, out);
    for (int i = 0; i < count; i++)
        place_child(triangle, &out[i]);
    return count;
}

// --- all of them -------------------------------------------------------------------------------------------

Status squig_begin(Squig *squig, uint64_t seed, const SquigTriangle *triangles, int count, Error *error) {
    squig->halves = random_key(seed, 1);
    squig->branches = random_key(seed, 2);
    squig->falls = random_key(seed, 3);
    squig->level = 0;
    squig->count = count;
    squig->triangles = memory_new((size_t)count, sizeof *squig->triangles, error);
    for (int i = 0; i < count && squig->triangles; i++)
        squig->triangles[i] = triangles[i];
    return squig->triangles ? STATUS_OK : STATUS_MEMORY;
}

Status squig_reserve(Squig *squig, Error *error) {
    squig->next = memory_new((size_t)squig->count, CHILDREN * sizeof *squig->next, error);
    return squig->next ? STATUS_OK : STATUS_MEMORY;
}

void squig_subdivide(Squig *squig, double rise) {
    int count = 0;
    for (int i = 0; i < squig->count; i++)
        count += subdivide(squig, &squig->triangles[i], rise, squig->next + count);
    squig->next_count = count;
}

void squig_advance(Squig *squig) {
    memory_free(squig->triangles);
    squig->triangles = squig->next;
    squig->next = NULL;
    squig->count = squig->next_count;
    squig->level++;
}

void squig_free(Squig *squig) {
    memory_free(squig->triangles);
    memory_free(squig->next);
    squig->triangles = squig->next = NULL;
}

// --- as a network ------------------------------------------------------------------------------------------

static int node_at(const Squig *squig, const SquigFrame *frame, NetworkBuilder *builder,
                   const SquigTriangle *triangle, SquigEdge edge) {
    int column, row;
    squig_middle(triangle, edge, &column, &row);
    const double side = (double)((uint64_t)2 << squig->level), u = column / side, v = row / side;
    const RiverPoint point = { .x = frame->left + u * frame->right_x + v * frame->bottom_x,
                               .y = frame->top + u * frame->right_y + v * frame->bottom_y,
                               .altitude = (float)(frame->base + frame->scale * triangle->high) };
    return network_node(builder, ((uint64_t)(uint32_t)row << 32 | (uint32_t)column) + 1, point);
}

// Each triangle on the way adds its area to the flow. Reaches are in the order of the triangles, upstream
// first.
static void gather(const SquigFrame *frame, RiverNetwork *network, double triangle, int triangles) {
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        RiverPoint *points = network->points + reach->first;
        points[0].area = points[0].area > 0 ? points[0].area : triangle;
        for (int k = 1; k < reach->count; k++)
            points[k].area = points[k - 1].area + triangle;
        if (reach->downstream >= 0)
            network->points[network->reaches[reach->downstream].first].area += points[reach->count - 1].area;
    }
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        if (reach->downstream >= 0)
            network->points[reach->first + reach->count - 1].area =
                network->points[network->reaches[reach->downstream].first].area;
    }
    for (int i = 0; i < network->point_count; i++) {
        RiverPoint *point = &network->points[i];
        point->width = (float)(frame->river_width * sqrt(point->area / (triangle * triangles)));
    }
}

void squig_reserve_nodes(const Squig *squig, NetworkBuilder *builder) {
    network_reserve(builder, squig->count + 2, true);
}

void squig_connect(const Squig *squig, const SquigFrame *frame, NetworkBuilder *builder) {
    for (int i = 0; i < squig->count; i++) {
        const SquigTriangle *triangle = &squig->triangles[i];
        int from[SQUIG_EDGES], count = 0;
        for (int edge = 0; edge < SQUIG_EDGES; edge++)
            if (triangle->entries >> edge & 1)
                from[count++] = node_at(squig, frame, builder, triangle, (SquigEdge)edge);
        const int to = node_at(squig, frame, builder, triangle, triangle->exit);
        while (count > 0)
            network_link(builder, from[--count], to);
    }
}

Status squig_network(const Squig *squig, const SquigFrame *frame, NetworkBuilder *builder, Status connected,
                     const Run *run, RiverNetwork **made, Error *error) {
    const Status status = network_finish(builder, connected, run, 0, made, error);
    if (status != STATUS_OK)
        return status;
    RiverNetwork *network = *made;
    network->width = frame->width;
    network->height = frame->height;
    network->cell = 1 / (double)max(frame->width, frame->height);
    const double square = fabs(frame->right_x * frame->bottom_y - frame->right_y * frame->bottom_x);
    const double triangle = 0.5 * square * network->cell * network->cell;
    gather(frame, network, triangle / (double)((uint64_t)1 << 2 * squig->level), squig->count);
    return STATUS_OK;
}

// --- the bed of the river ----------------------------------------------------------------------------------

// Lays a squig river on the vertices of a grid.

// Places of a cell's vertices from its upper left one, by the triangle's half and the edge that a corner
// faces or that has its middle there.
typedef struct Bed {
    Field *height;
    int shift;
    size_t corners[2][SQUIG_EDGES], middles[2][SQUIG_EDGES];
} Bed;

static size_t place_of(const Bed *bed, int x, int y) {
    return ((size_t)y * (size_t)bed->height->width + (size_t)x) << bed->shift;
}

static Bed bed_of(Field *height, int shift) {
    Bed bed = { .height = height, .shift = shift };
    for (int lower = 0; lower < 2; lower++)
        for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++) {
            const SquigTriangle first = { .lower = lower };
            int x, y;
            squig_corner(&first, edge, &x, &y);
            bed.corners[lower][edge] = place_of(&bed, x, y);
            squig_middle(&first, edge, &x, &y);
            bed.middles[lower][edge] = place_of(&bed, x, y);
        }
    return bed;
}

static float *cell_of(const Bed *bed, const SquigTriangle *triangle) {
    return field_row(bed->height, 0) + place_of(bed, 2 * triangle->x, 2 * triangle->y);
}

static void raise_to(float *height, float least) {
    *height = max(*height, least);
}

static bool is_crossed(const SquigTriangle *triangle, SquigEdge edge) {
    return triangle->entries >> edge & 1 || edge == triangle->exit;
}

static void lay_triangle(const Bed *bed, const SquigTriangle *triangle, float water) {
    float *cell = cell_of(bed, triangle);
    const size_t *at = bed->corners[triangle->lower], *middles = bed->middles[triangle->lower];
    for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++) {
        raise_to(cell + at[edge], water);
        if (is_crossed(triangle, edge))
            cell[middles[edge]] = water;
        else
            raise_to(cell + middles[edge], water);
    }
}

// Water enters as high as in the triangle above: the opposite bank is no lower.
static void raise_bank(const Bed *bed, const SquigTriangle *triangle) {
    float *cell = cell_of(bed, triangle);
    const size_t *middles = bed->middles[triangle->lower];
    for (SquigEdge bank = 0; bank < SQUIG_EDGES; bank++)
        for (SquigEdge edge = 0; edge < SQUIG_EDGES && !is_crossed(triangle, bank); edge++)
            if (triangle->entries >> edge & 1)
                raise_to(cell + middles[bank], cell[middles[edge]]);
}

// A triangle's vertices are raised and its water is set at once: a middle that is crossed belongs to the two
// triangles that the water passes between, so nothing else raises it.
void squig_lay_river(const Squig *squig, Field *height, int levels, double alt) {
    const Bed bed = bed_of(height, levels - squig->level - 1);
    for (int i = squig->count - 1; i >= 0; i--)
        lay_triangle(&bed, &squig->triangles[i], (float)(alt + squig->triangles[i].high));
    for (int i = 0; i < squig->count; i++)
        raise_bank(&bed, &squig->triangles[i]);
}
