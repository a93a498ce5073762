// The streams of a planet's eroded land, over the edges of faces, and as data.

#include "rivermap/eroded/planet.h"
#include "rivermap/globe.h"
#include "rivers/drainage.h"
#include "rivers/network.h"

#include "core/memory.h"
#include "core/random.h"

#include <math.h>

// A cell on its own face, and its number in that face's window.
typedef struct StreamCell {
    CubeCell at;
    int cell;
} StreamCell;

static const LandWindow *land_of(const PlanetWindow *window, const StreamCell *cell) {
    return &window->land.on[cell->at.face];
}

static int receiver_of(const PlanetWindow *window, const StreamCell *cell) {
    return land_of(window, cell)->receiver[cell->cell];
}

static float area_of(const PlanetWindow *window, const StreamCell *cell) {
    return land_of(window, cell)->area[cell->cell];
}

static StreamCell cell_of(const LandWindow *land, int face, int cell) {
    return (StreamCell){ { face, land->x + cell % land->width, land->y + cell / land->width, 0 }, cell };
}

// The cell beside one; false beyond the window.
static bool beside(const PlanetWindow *window, const StreamCell *cell, int direction, StreamCell *other) {
    other->at = (CubeCell){ cell->at.face, cell->at.x + neighbour_x[direction],
                            cell->at.y + neighbour_y[direction], 0 };
    other->cell = planet_cell(window, &other->at);
    return other->cell >= 0;
}

// The one of the cells that drain into this one through which most comes.
static bool main_donor(const PlanetWindow *window, const StreamCell *cell, StreamCell *donor) {
    float most = -1;
    for (int direction = 0; direction < NEIGHBOURS; direction++) {
        StreamCell other;
        if (!beside(window, cell, direction, &other) || receiver_of(window, &other) >= NEIGHBOURS)
            continue;
        const int back = turned_direction((direction + 4) & 7, other.at.turn);
        if (receiver_of(window, &other) == back && area_of(window, &other) > most) {
            most = area_of(window, &other);
            *donor = other;
        }
    }
    return most >= 0;
}

static bool next_along(const PlanetWindow *window, StreamCell *cell, bool downstream) {
    StreamCell next;
    const int receiver = receiver_of(window, cell);
    const bool exists = !downstream ? main_donor(window, cell, &next)
                                    : receiver < NEIGHBOURS && beside(window, cell, receiver, &next);
    if (exists)
        *cell = next;
    return exists;
}

static Vec3 middle_of(const PlanetWindow *window, const StreamCell *cell) {
    return place_on_planet(eroded_of(window->view->map)->axes, window->side, cell->at.face,
                           (double)cell->at.x + 0.5, (double)cell->at.y + 0.5);
}

static void add_place(Vec3 *sum, Vec3 place, double weight) {
    sum->x += weight * place.x;
    sum->y += weight * place.y;
    sum->z += weight * place.z;
}

// As on flat land (streams.c): a mean of the cells up and downstream.
static Vec3 smoothed_place(const PlanetWindow *window, const StreamCell *cell) {
    const double width = PLANET_WIDENING * window->view->map->width * sqrt((double)area_of(window, cell));
    const bool land = receiver_of(window, cell) < NEIGHBOURS;
    const int reach = !land ? 0 : width < 1.5 ? 1 : width < 4 ? 3 : STREAM_SMOOTHING, weight = reach + 1;
    Vec3 sum = { 0, 0, 0 };
    add_place(&sum, middle_of(window, cell), weight);
    for (int way = 0; way < 2; way++) {
        StreamCell at = *cell;
        for (int step = 1; step <= reach; step++) {
            next_along(window, &at, way);
            add_place(&sum, middle_of(window, &at), weight - step);
        }
    }
    const double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
    return (Vec3){ sum.x / length, sum.y / length, sum.z / length };
}

// As on flat land: marks the cells below a river's, unless too little drains farther down, too.
static void find_gap(const PlanetWindow *window, StreamCell cell, float least) {
    StreamCell gap[RIVER_GAP];
    int count = 0;
    bool inside = next_along(window, &cell, true);
    while (inside && receiver_of(window, &cell) < NEIGHBOURS && area_of(window, &cell) < least) {
        if (count == RIVER_GAP)
            return;
        gap[count++] = cell;
        inside = next_along(window, &cell, true);
    }
    for (int i = 0; inside && i < count; i++)
        window->in_gap[gap[i].at.face][gap[i].cell] = 1;
}

Status planet_find_gaps(PlanetWindow *window, float least, Error *error) {
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &window->land.on[face];
        if (land->altitude)
            window->in_gap[face] = memory_new_zeroed((size_t)land->width * (size_t)land->height, 1, error);
        if (land->altitude && !window->in_gap[face])
            return STATUS_MEMORY;
    }
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &window->land.on[face];
        for (int i = 0; land->altitude && i < land->width * land->height; i++)
            if (land->area[i] >= least && land->receiver[i] < NEIGHBOURS)
                find_gap(window, cell_of(land, face, i), least);
    }
    return STATUS_OK;
}

bool planet_stream(const PlanetWindow *window, int face, int cell, float least, PlanetStream *stream) {
    const LandWindow *land = &window->land.on[face];
    if (land->receiver[cell] >= NEIGHBOURS || !planet_has_river(window, face, cell, least))
        return false;
    const StreamCell from = cell_of(land, face, cell);
    StreamCell to;
    if (!beside(window, &from, land->receiver[cell], &to))
        return false;
    to.at.turn = 0;
    *stream = (PlanetStream){ .from = from.at,
                              .to = to.at,
                              .from_cell = from.cell,
                              .to_cell = to.cell,
                              .at = smoothed_place(window, &from),
                              .to_at = smoothed_place(window, &to),
                              .area = land->area[cell],
                              .ends = receiver_of(window, &to) >= NEIGHBOURS };
    const LandWindow *below_land = &window->land.on[to.at.face];
    stream->mouth = stream->ends && below_land->base + below_land->altitude[to.cell] <= 0;
    const float below = area_of(window, &to);
    stream->to_area = stream->ends || below < stream->area ? stream->area : below;
    return true;
}

// --- as data ----------------------------------------------------------------------------------------------

static RiverPoint point_at(const PlanetWindow *window, Vec3 at, const CubeCell *cell, int number,
                           float area) {
    const View *view = window->view;
    const Vec2 place = globe_on_map(at);
    const double share = planet_share((double)area, window->depth),
                 altitude = planet_altitude(window, cell->face, number);
    return (RiverPoint){ .x = (place.x - ldexp((double)view_left(view), -PLACE_BITS)) * view->pixels,
                         .y = (place.y - ldexp((double)view_top(view), -PLACE_BITS)) * view->pixels,
                         .area = share,
                         .altitude = (float)(altitude > 0 ? altitude : 0),
                         .width = (float)(view->map->width * sqrt(share) * view->pixels) };
}

static uint64_t key_of(const CubeCell *cell) {
    return mix64(mix64((uint64_t)cell->x) + (uint64_t)cell->y * CUBE_FACES + (uint64_t)cell->face) | 1;
}

static void add_stream(const PlanetWindow *window, const PlanetStream *stream, NetworkBuilder *builder) {
    const View *view = window->view;
    const RiverPoint from = point_at(window, stream->at, &stream->from, stream->from_cell, stream->area);
    if (from.x < 0 || from.y < 0 || from.x >= view->width || from.y >= view->height)
        return;
    const RiverPoint to = point_at(window, stream->to_at, &stream->to, stream->to_cell, stream->to_area);
    // As in flat_rivers.c, each river has an end of its own.
    const uint64_t end = stream->ends ? mix64(key_of(&stream->from)) | 1 : key_of(&stream->to);
    const int first = network_node(builder, key_of(&stream->from), from),
              next = network_node(builder, end, to);
    network_link(builder, first, next);
    if (stream->mouth)
        network_link(builder, next, NETWORK_MOUTH);
}

Status planet_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    PlanetWindow window;
    const int depth = planet_depth(view);
    Status status = planet_open(&window, view, depth, river_margin(view->map, depth), error);
    const float least = river_min_area(view->map, depth, window.cell);
    if (status == STATUS_OK)
        status = planet_find_gaps(&window, least, error);
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        const LandWindow *land = &window.land.on[face];
        for (int i = 0; land->altitude && i < land->width * land->height; i++) {
            PlanetStream stream;
            if (planet_has_river(&window, face, i, least) && planet_stream(&window, face, i, least, &stream))
                add_stream(&window, &stream, builder);
        }
        status = run_advance(view->run, face + 1, CUBE_FACES);
    }
    planet_close(&window);
    return status;
}
