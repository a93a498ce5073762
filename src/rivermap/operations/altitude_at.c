// The altitude of one place of a zoomable map, to more digits than a field's cells have.

#include "rivermap/view.h"

#include <math.h>

typedef struct AltitudeAt {
    Decimal x, y, from_x, from_y;
    double zoom, from_zoom;
    int face;
} AltitudeAt;

enum { WHOLE, FACES_FIRST };

static Status run(const Call *call, Error *error) {
    const AltitudeAt *place = call->params;
    const RiverMap *map = call->inputs[0].value;
    const bool planet = map->tiling->planet, cube = place->face != WHOLE;
    if (cube && !planet)
        return fail(error, STATUS_INVALID, "face is for planets; this map is flat");
    View view = { .projection = cube ? PROJECTION_CUBE : PROJECTION_EQUIRECTANGULAR,
                  .face = cube ? place->face - FACES_FIRST : 0 };
    const Asked asked = { .x = place->x, .y = place->y, .zoom = place->zoom };
    Datum datum, from = { .depth = 0 };
    Status status = view_set(&view, call, &asked, error);
    if (status == STATUS_OK)
        status = view_datum(&view, &datum, error);
    if (status == STATUS_OK && !isnan(place->from_zoom)) {
        const Asked other = { .x = place->from_x, .y = place->from_y, .zoom = place->from_zoom };
        status = view_datum_of(&view, &other, call, &from, error);
    }
    if (status == STATUS_OK)
        call->outputs[0].number = datum_above(&datum, &from);
    return status;
}

static const Param params[] = {
    PARAM(AltitudeAt, x, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the place, as the centre of a window in render"),
    PARAM(AltitudeAt, y, .initial = 0.5, .min = 0, .max = 1, .doc = "the same"),
    PARAM(AltitudeAt, zoom, .initial = 1, .min = 1, .max = 0x1p100,
          .doc = "of that window: finer pixels show finer ground"),
    PARAM(AltitudeAt, face, .choices = CHOICES("whole", "front", "right", "back", "left", "top", "bottom"),
          .doc = "of planets: a face of the cube, on which x and y are; \"whole\": the equirectangular map"),
    PARAM(AltitudeAt, from_zoom, .min = 1, .max = 0x1p100, .optional = true,
          .doc = "gives the height above the centre of another window, of this zoom and the same size; by "
                 "default above the sea"),
    PARAM(AltitudeAt, from_x, .initial = 0.5, .min = 0, .max = 1, .doc = "centre of that window"),
    PARAM(AltitudeAt, from_y, .initial = 0.5, .min = 0, .max = 1, .doc = "the same"),
    { 0 },
};

const Operation op_altitude_at = {
    .name = "altitude_at",
    .category = "zoomable maps",
    .keywords = "height elevation point place datum exact",
    .summary = "Gives the altitude of one place of a zoomable map, or how far it is above another",
    .description = "This is the altitude of the ground at the centre of a window, the zero of a relative "
                   "window: without rivers, but with the beds and banks of those wide enough to shape it. "
                   "Differences are exact at any zoom: the altitudes are subtracted "
                   "before they are rounded.\n\n"
                   "The ground is that of pixels whose side is the map's divided by zoom times size. A small "
                   "size gives the same ground close to the map's border, where a larger window would leave "
                   "the map: zoom = 256, size = 2 in place of zoom = 2, size = 256.",
    .inputs = { { "map", "a map made by river_map", { &type_map } } },
    .outputs = { { "altitude", "-1 to 1, the sea at 0", &type_number } },
    .params = params,
    .params_size = sizeof(AltitudeAt),
    .sized = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local altitude = map:altitude_at{ x = 0.4, y = 0.6, zoom = 1000 }",
    .see_also = "render river_map",
    .run = run,
};
