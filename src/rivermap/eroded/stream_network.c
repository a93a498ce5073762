// The rivers of a map's eroded land as data: from cell to cell of the level that a window's pixels come from.

#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/river_courses.h"
#include "rivermap/eroded/stream_data.h"
#include "rivermap/globe.h"

#include "core/random.h"

#include <math.h>

typedef struct Reader {
    const Atlas *atlas;
    float least;
    StreamCells found[STREAM_SORTS];
} Reader;

// A place in the window's pixels; of a planet on its unrotated equirectangular map.
static Vec2 place_in_window(const Atlas *atlas, AtlasPlace place) {
    const View *view = atlas->view;
    const Int128 left = view_left(view), top = view_top(view);
    if (!atlas->planet)
        return (Vec2){ (double)(place.x - left) / (double)view->pixel,
                       (double)(place.y - top) / (double)view->pixel };
    const Vec2 on_map = globe_on_map(atlas_on_planet(atlas, place));
    return (Vec2){ (view_nearest_turn(view, on_map.x) - ldexp((double)left, -PLACE_BITS)) * view->pixels,
                   (on_map.y - ldexp((double)top, -PLACE_BITS)) * view->pixels };
}

static RiverPoint point_at(const Atlas *atlas, const StreamPlace *place, AtlasCell cell, float area) {
    const Vec2 at = place_in_window(atlas, place->at);
    const double altitude = altitude_of(atlas, cell);
    return (RiverPoint){ .x = at.x,
                         .y = at.y,
                         .area = drained_share(atlas, area),
                         .altitude = (float)(altitude > 0 ? altitude : 0),
                         .width = (float)(river_width(atlas, area) * atlas->cell) };
}

static uint64_t key_of(const Atlas *atlas, AtlasCell cell) {
    const LandWindow *land = land_of(atlas, cell);
    const uint64_t x = (uint64_t)(land->x + cell.x), y = (uint64_t)(land->y + cell.y);
    return mix64(mix64(x) + y + ((uint64_t)cell.face << 61)) | 1;
}

static bool set_line(const void *context, int number, StreamLine *line) {
    const Reader *reader = context;
    const Atlas *atlas = reader->atlas;
    Stream stream;
    if (!stream_at(atlas, reader->found[0].at[number], reader->least, false, &stream))
        return false;
    *line = (StreamLine){ .from = point_at(atlas, &stream.at, stream.from, stream.area),
                          .to = point_at(atlas, &stream.to_at, stream.to, stream.to_area),
                          .from_key = key_of(atlas, stream.from),
                          .to_key = key_of(atlas, stream.to),
                          .ends = stream.ends,
                          .mouth = stream.mouth };
    return true;
}

static int sort_stream(const void *context, AtlasCell cell) {
    (void)context, (void)cell;
    return 0;
}

Status eroded_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    Atlas atlas;
    const int depth = atlas_depth(view);
    Status status = atlas_open(&atlas, view, depth, river_margin(view->map, depth), error);
    Reader reader = { .atlas = &atlas, .least = river_min_area(view->map, depth, atlas.cell) };
    if (status == STATUS_OK)
        status = find_gaps(&atlas, reader.least, error);
    if (status == STATUS_OK)
        status = stream_cells_find(&atlas, reader.least, sort_stream, NULL, reader.found, error);
    if (status == STATUS_OK)
        status = stream_data_add(view, builder, reader.found[0].count, set_line, &reader, error);
    stream_cells_free(reader.found);
    atlas_close(&atlas);
    return status;
}
