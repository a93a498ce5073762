// The lakes in a window of a zoomable map, as outlines.

#include "rivermap/view.h"
#include "rivers/network.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "water/drainage.h"

#include <assert.h>
#include <math.h>

typedef struct LakeOutlines {
    WINDOW_MEMBERS;
} LakeOutlines;

// Pixels that are connected over sides and have one level.
typedef struct Lake {
    float level;
    double area; // share of the map
    int rings;
    bool salt;
} Lake;

// Of the pixel edges that part a lake from all else, those that follow one another, with the lake to the
// right: around it, or around an island.
typedef struct Ring {
    int lake, x, y; // of its first edge, the upper one of a pixel
    int points;
} Ring;

typedef struct Tracer {
    const View *view;
    const float *salt;  // of each pixel (View); NULL: there is none
    const Field *level; // 0 or less where no lake is marked by `lake`
    int *lake;          // of each pixel, from 1; 0: none
    Lake *lakes;
    Ring *rings;
    uint8_t *seen; // whether the upper edge of a pixel belongs to a ring that is known
    int lake_count, ring_count, lake_room, ring_room;
} Tracer;

// --- lakes -------------------------------------------------------------------------------------------------

static int lake_at(const Tracer *tracer, int x, int y) {
    const int width = tracer->view->width;
    return x < 0 || y < 0 || x >= width || y >= tracer->view->height
               ? 0
               : tracer->lake[(size_t)y * (size_t)width + (size_t)x];
}

// The share of the map that a pixel of a row shows; of an equirectangular map of a planet, of its surface.
static double pixel_share(const View *view, int y) {
    const double cell = 1 / view->pixels;
    if (!view->map->tiling->planet)
        return cell * cell;
    const double top = ldexp((double)view_top(view), -PLACE_BITS) + y * cell;
    const double from = 2 * PI * (0.5 - top), to = 2 * PI * (0.5 - top - cell);
    return cell * (sine(from) - sine(to)) / 2;
}

static bool add_lake(Tracer *tracer, const Field *water, size_t first, int *stack, Error *error) {
    const int width = tracer->view->width, height = tracer->view->height;
    const float *levels = tracer->level->cells, *depths = water->cells;
    if (tracer->lake_count == tracer->lake_room) {
        const int room = 2 * tracer->lake_room + 16;
        Lake *lakes =
            memory_enlarge(tracer->lakes, (size_t)tracer->lake_count, (size_t)room, sizeof *lakes, error);
        if (!lakes)
            return false;
        tracer->lakes = lakes;
        tracer->lake_room = room;
    }
    Lake *lake = &tracer->lakes[tracer->lake_count++];
    *lake = (Lake){ .level = levels[first], .salt = tracer->salt && tracer->salt[first] < 0 };
    int waiting = 0;
    tracer->lake[first] = tracer->lake_count;
    stack[waiting++] = (int)first;
    while (waiting > 0) {
        const int cell = stack[--waiting], x = cell % width, y = cell / width;
        lake->area += pixel_share(tracer->view, y);
        for (int d = 0; d < NEIGHBOURS; d += 2) {
            const int column = x + neighbour_x[d], row = y + neighbour_y[d];
            const int beside = row * width + column;
            if (column < 0 || row < 0 || column >= width || row >= height || tracer->lake[beside] ||
                !(depths[beside] > 0) || levels[beside] != lake->level)
                continue;
            tracer->lake[beside] = tracer->lake_count;
            stack[waiting++] = beside;
        }
    }
    return true;
}

static Status find_lakes(Tracer *tracer, const Field *water, Error *error) {
    const size_t count = field_count(water);
    int *stack = memory_new(count, sizeof *stack, error);
    bool enough = stack;
    for (size_t i = 0; i < count && enough; i++)
        if (water->cells[i] > 0 && !tracer->lake[i])
            enough = add_lake(tracer, water, i, stack, error);
    memory_free(stack);
    return enough ? STATUS_OK : STATUS_MEMORY;
}

// --- rings -------------------------------------------------------------------------------------------------

// An edge from a corner of pixels on, to the right, down, left or up.
typedef struct Edge {
    int x, y, way;
} Edge;

static const int way_x[4] = { 1, 0, -1, 0 }, way_y[4] = { 0, 1, 0, -1 };

static bool is_edge(const Tracer *tracer, int lake, const Edge *edge) {
    static const int right_x[4] = { 0, -1, -1, 0 }, right_y[4] = { 0, 0, -1, -1 };
    const int left = (edge->way + 3) % 4;
    return lake_at(tracer, edge->x + right_x[edge->way], edge->y + right_y[edge->way]) == lake &&
           lake_at(tracer, edge->x + right_x[left], edge->y + right_y[left]) != lake;
}

// Turns to the right first: pixels that meet at a corner alone are not connected.
static Edge next_edge(const Tracer *tracer, int lake, const Edge *edge) {
    Edge next = { edge->x + way_x[edge->way], edge->y + way_y[edge->way], (edge->way + 1) % 4 };
    while (!is_edge(tracer, lake, &next))
        next.way = (next.way + 3) % 4;
    return next;
}

typedef void RingPoint(void *context, double x, double y);

// Visits the middles of a ring's edges, but for those on a straight line; returns their number.
static int follow_ring(const Tracer *tracer, const Ring *ring, RingPoint *visit, void *context) {
    const Edge first = { ring->x, ring->y, 0 };
    Edge edge = first;
    int points = 0;
    do {
        const Edge before = edge;
        edge = next_edge(tracer, ring->lake, &edge);
        const Edge after = next_edge(tracer, ring->lake, &edge);
        if (edge.way == 0)
            tracer->seen[(size_t)edge.y * (size_t)tracer->view->width + (size_t)edge.x] = 1;
        if (edge.way == before.way && edge.way == after.way)
            continue;
        points++;
        if (visit)
            visit(context, edge.x + 0.5 * way_x[edge.way], edge.y + 0.5 * way_y[edge.way]);
    } while (edge.x != first.x || edge.y != first.y || edge.way != first.way);
    return points;
}

static bool add_ring(Tracer *tracer, int lake, int x, int y, Error *error) {
    if (tracer->ring_count == tracer->ring_room) {
        const int room = 2 * tracer->ring_room + 16;
        Ring *rings =
            memory_enlarge(tracer->rings, (size_t)tracer->ring_count, (size_t)room, sizeof *rings, error);
        if (!rings)
            return false;
        tracer->rings = rings;
        tracer->ring_room = room;
    }
    assert(tracer->rings && tracer->lakes);
    Ring *ring = &tracer->rings[tracer->ring_count++];
    *ring = (Ring){ .lake = lake, .x = x, .y = y };
    ring->points = follow_ring(tracer, ring, NULL, NULL);
    tracer->lakes[lake - 1].rings++;
    return true;
}

// Row by row, so that a lake's outer ring comes before those of its islands.
static Status find_rings(Tracer *tracer, Error *error) {
    const int width = tracer->view->width;
    bool enough = true;
    for (int y = 0; y < tracer->view->height; y++)
        for (int x = 0; x < width && enough; x++) {
            const int lake = lake_at(tracer, x, y);
            if (lake && lake_at(tracer, x, y - 1) != lake &&
                !tracer->seen[(size_t)y * (size_t)width + (size_t)x])
                enough = add_ring(tracer, lake, x, y, error);
        }
    return enough ? STATUS_OK : STATUS_MEMORY;
}

// --- the network -------------------------------------------------------------------------------------------

typedef struct Filling {
    RiverPoint *points;
    const Lake *lake;
    double area;
    int at; // counts down: lines have the lake on their left, as GeoJSON wants it
} Filling;

static void fill_point(void *context, double x, double y) {
    Filling *filling = context;
    filling->points[filling->at--] =
        (RiverPoint){ .x = x, .y = y, .area = filling->area, .altitude = filling->lake->level };
}

static void fill_reach(const Tracer *tracer, const Ring *ring, bool outer, Reach *reach, RiverPoint *points) {
    const Lake *lake = &tracer->lakes[ring->lake - 1];
    Filling filling = { points + reach->first, lake, outer ? lake->area : 0, ring->points - 1 };
    follow_ring(tracer, ring, fill_point, &filling);
    points[reach->first + ring->points] = points[reach->first];
    reach->count = ring->points + 1;
    reach->downstream = -1;
    reach->order = outer ? 1 : 2;
    reach->salt = outer && lake->salt;
}

// A lake's rings one after another. `first`: of each lake, its first reach.
static void fill_network(const Tracer *tracer, RiverNetwork *network, int *first) {
    int *filled = first + tracer->lake_count, reaches = 0, points = 0;
    for (int i = 0; i < tracer->lake_count; i++) {
        first[i] = reaches;
        filled[i] = 0;
        reaches += tracer->lakes[i].rings;
    }
    for (int i = 0; i < tracer->ring_count; i++) {
        const int lake = tracer->rings[i].lake - 1;
        network->reaches[first[lake] + filled[lake]++].count = i; // for now
    }
    for (int i = 0; i < reaches; i++) {
        const Ring *ring = &tracer->rings[network->reaches[i].count];
        network->reaches[i].first = points;
        fill_reach(tracer, ring, first[ring->lake - 1] == i, &network->reaches[i], network->points);
        points += ring->points + 1;
    }
}

static Status make_network(const Tracer *tracer, RiverNetwork **made, Error *error) {
    int64_t points = 0;
    for (int i = 0; i < tracer->ring_count; i++)
        points += tracer->rings[i].points + 1;
    if (points > INT32_MAX / 2)
        return fail(error, STATUS_INVALID, "the outlines of lakes have more than %d points", INT32_MAX / 2);
    RiverNetwork *network = network_new(tracer->ring_count, (int)points, 0, error);
    int *first = memory_new(2 * (size_t)tracer->lake_count + 1, sizeof *first, error);
    Status status = network && first ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        fill_network(tracer, network, first);
        network->lines = true;
    }
    memory_free(first);
    if (status == STATUS_OK)
        *made = network;
    else
        memory_free(network);
    return status;
}

static Status trace(Tracer *tracer, const Field *water, RiverNetwork **network, Error *error) {
    const size_t count = field_count(water);
    tracer->lake = memory_new_zeroed(count, sizeof *tracer->lake, error);
    tracer->seen = memory_new_zeroed(count, sizeof *tracer->seen, error);
    Status status = tracer->lake && tracer->seen ? find_lakes(tracer, water, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = find_rings(tracer, error);
    if (status == STATUS_OK)
        status = make_network(tracer, network, error);
    memory_free(tracer->lake);
    memory_free(tracer->seen);
    memory_free(tracer->lakes);
    memory_free(tracer->rings);
    return status;
}

static Status run(const Call *call, Error *error) {
    enum { FIELDS = 6 };
    const LakeOutlines *lakes = call->params;
    const RiverMap *map = call->inputs[0].value;
    Field fields[FIELDS] = { 0 };
    View view = { .altitude = &fields[0],
                  .river = &fields[1],
                  .flow = &fields[2],
                  .water = &fields[3],
                  .lake_level = &fields[4],
                  .salt = &fields[5] };
    const WindowRequest asked = { WINDOW_ASKED(lakes) };
    RiverNetwork *network = NULL;
    Status status = view_set(&view, call, &asked, error);
    if (status == STATUS_OK && map_has_lakes(map))
        status = view_draw(&view, error);
    if (status == STATUS_OK && map_has_lakes(map))
        status = trace(&(Tracer){ .view = &view, .salt = fields[5].cells, .level = &fields[4] }, &fields[3],
                       &network, error);
    else if (status == STATUS_OK)
        network = network_new(0, 0, 0, error);
    for (int i = 0; i < FIELDS; i++)
        field_free(&fields[i]);
    if (status != STATUS_OK || !network)
        return status == STATUS_OK ? STATUS_MEMORY : status;
    network->lines = true;
    view_place_network(&view, network);
    call->outputs[0].value = network;
    return STATUS_OK;
}

static const Param params[] = {
    WINDOW_PARAMS(LakeOutlines),
    { 0 },
};

const Operation op_lake_outlines = {
    .name = "lake_outlines",
    .category = "zoomable maps",
    .keywords = "water polygons outlines shores geojson level area islands",
    .summary = "Gives the lakes in a window of a zoomable map as outlines with level and area",
    .description = "A RiverNetwork of closed lines. A lake's outline has order 1, its level as the altitude "
                   "of all points, "
                   "and the lake's area in the window; those of its islands follow it and have order 2. The "
                   "level is the "
                   "same at every zoom. The flag salt is true for a lake without outflow, of a map with a "
                   "climate. Lines join the middles of pixels' edges. In .geojson and .gpkg a "
                   "lake is a polygon "
                   "with level and area, in metres and square metres on maps that have them: "
                   "only the file lists them, and `reaches` counts lakes and islands. A lake that "
                   "leaves the window is "
                   "closed along its border. Only maps with river_map{ lakes = SHARE } have lakes.",
    .inputs = { { "map", "a map made by river_map", { &type_map } } },
    .outputs = { { "outlines", "the lakes", &type_network } },
    .params = params,
    .params_size = sizeof(LakeOutlines),
    .sized = true,
    .example = "local map = esker.river_map{ seed = 3, lakes = 0.02 }\n"
               "local lakes = map:lake_outlines{ zoom = 1, size = 256 }",
    .picture = "local map, window = esker.river_map{ seed = 3, lakes = 0.02 }, { size = 128, zoom = 4, x = "
               "0.42, y = 0.44 }\n"
               "return (map:render(window)), map:lake_outlines(window)",
    .see_also = "river_map render rivers lakes",
    .run = run,
};
