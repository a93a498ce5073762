// The altitude of one place of a zoomable map, to more digits than a field's cells have.

#include "rivermap/view.h"

#include <math.h>

typedef struct AltitudeAt {
    Decimal x, y, from_x, from_y;
    double zoom, from_zoom, side, radius;
    int face;
} AltitudeAt;

static Status run(const Call *call, Error *error) {
    const AltitudeAt *place = call->params;
    const RiverMap *map = call->inputs[0].value;
    View view;
    const WindowRequest asked = {
        .x = place->x, .y = place->y, .zoom = place->zoom, .side = place->side, .radius = place->radius
    };
    Datum datum, from = { .depth = 0 };
    Status status = view_on_face(&view, map, place->face, error);
    if (status == STATUS_OK)
        status = check_from(place->from_x, place->from_y, place->from_zoom, error);
    if (status == STATUS_OK)
        status = view_set_point(&view, call, &asked, error);
    if (status == STATUS_OK)
        status = view_datum(&view, &datum, error);
    if (status == STATUS_OK && !isnan(place->from_zoom)) {
        WindowRequest other = asked;
        other.x = place->from_x;
        other.y = place->from_y;
        other.zoom = place->from_zoom;
        status = view_datum_of(&view, &other, call, &from, error);
    }
    if (status == STATUS_OK)
        call->outputs[0].number = datum_above(&datum, &from) * view_height(&view);
    return status;
}

static const Param params[] = {
    PARAM(AltitudeAt, x, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the place, anywhere on the map, in the coordinates of render"),
    PARAM(AltitudeAt, y, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the same; on the equirectangular map of a planet 0.25, the north pole, to 0.75"),
    PARAM(AltitudeAt, zoom, .initial = 1024, .min = 1, .max = 0x1p100,
          .doc = "finer pixels show finer ground: their side is the map's divided by zoom times size; by "
                 "default by 524,288"),
    FACE_PARAM(AltitudeAt),
    PARAM(AltitudeAt, from_zoom, .min = 1, .max = 0x1p100, .optional = true,
          .doc = "gives the height above another place, at this zoom and the same size; by default above the "
                 "sea"),
    PARAM(AltitudeAt, from_x, .min = 0, .max = 1, .optional = true, .doc = "that place; by default 0.5"),
    PARAM(AltitudeAt, from_y, .min = 0, .max = 1, .optional = true, .doc = "the same"),
    SIDE_PARAM(AltitudeAt),
    RADIUS_PARAM(AltitudeAt),
    { 0 },
};

const Operation op_altitude_at = {
    .name = "altitude_at",
    .category = "zoomable maps",
    .keywords = "height elevation point place datum exact",
    .summary = "Gives the altitude of one place of a zoomable map, or how far it is above another",
    .description = "This is the altitude of the ground, to more digits than a field's cells have: without "
                   "rivers, but with the beds and banks of those wide enough to shape it. Differences are "
                   "exact at any zoom: the altitudes are subtracted before they are rounded.\n\n"
                   "It is that of the land's cell at the place, which is at most a pixel wide. A pixel of a "
                   "window shows a weighted mean of the cells within two pixels of its middle, and beds of "
                   "streams, so that it may be a little higher or lower.\n\n"
                   "With the zoom and size of a window, it is the ground that pixels of this window show: at "
                   "its centre, the zero of a relative window.",
    .inputs = { { "map", "a map made by river_map", { &type_map } } },
    .outputs = { { "altitude", "as that of render", &type_number } },
    .params = params,
    .params_size = sizeof(AltitudeAt),
    .sized = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local altitude = map:altitude_at{ x = 0.42, y = 0.57 }",
    .see_also = "render river_map",
    .run = run,
};
