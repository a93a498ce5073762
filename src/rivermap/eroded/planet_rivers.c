// The rivers of a planet's eroded land as data: from cell to cell of the level that a window's pixels come
// from.

#include "rivermap/eroded/planet.h"
#include "rivermap/eroded/stream_data.h"
#include "rivermap/globe.h"

#include "core/memory.h"
#include "core/random.h"

#include <math.h>

static RiverPoint point_at(const PlanetWindow *window, Vec3 at, const CubeCell *cell, int number,
                           float area) {
    const View *view = window->view;
    const Vec2 place = globe_on_map(at);
    const double share = planet_share((double)area, window->depth),
                 altitude = planet_altitude(window, cell->face, number);
    return (RiverPoint){
        .x = (view_nearest_turn(view, place.x) - ldexp((double)view_left(view), -PLACE_BITS)) * view->pixels,
        .y = (place.y - ldexp((double)view_top(view), -PLACE_BITS)) * view->pixels,
        .area = share,
        .altitude = (float)(altitude > 0 ? altitude : 0),
        .width = (float)(view->map->width * sqrt(share) * view->pixels)
    };
}

static uint64_t key_of(const CubeCell *cell) {
    return mix64(mix64((uint64_t)cell->x) + (uint64_t)cell->y * CUBE_FACES + (uint64_t)cell->face) | 1;
}

typedef struct Reader {
    const PlanetWindow *window;
    float least;
    PlanetCells found;
} Reader;

static bool set_line(const void *context, int number, StreamLine *line) {
    const Reader *reader = context;
    const PlanetWindow *window = reader->window;
    const PlanetCell cell = reader->found.at[number];
    PlanetStream stream;
    if (!planet_stream(window, cell.face, cell.cell, reader->least, &stream))
        return false;
    *line = (StreamLine){ .from = point_at(window, stream.at, &stream.from, stream.from_cell, stream.area),
                          .to = point_at(window, stream.to_at, &stream.to, stream.to_cell, stream.to_area),
                          .from_key = key_of(&stream.from),
                          .to_key = key_of(&stream.to),
                          .ends = stream.ends,
                          .mouth = stream.mouth };
    return true;
}

Status planet_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    PlanetWindow window;
    const int depth = planet_depth(view);
    Status status = planet_open(&window, view, depth, river_margin(view->map, depth), error);
    Reader reader = { .window = &window, .least = river_min_area(view->map, depth, window.cell) };
    if (status == STATUS_OK)
        status = planet_find_gaps(&window, reader.least, error);
    if (status == STATUS_OK)
        status = planet_cells_find(&window, reader.least, &reader.found, error);
    if (status == STATUS_OK)
        status = stream_data_add(view, builder, reader.found.count, set_line, &reader, error);
    memory_free(reader.found.at);
    planet_close(&window);
    return status;
}
