// Draws a window of a zoomable map: checks the arguments and calls the map's tiling.

#include "rivermap/view.h"

#include <math.h>

typedef struct Render {
    Decimal x, y;
    double zoom;
    bool inside, relative;
    Decimal from_x, from_y;
    double from_zoom;
    double side, radius;
    int border, style, projection, face;
    Numbers rotation;
} Render;

enum { SMOOTH, PAPER };
enum { RESULTS = 6 };

// The land of the whole window, before that of its centre alone is asked for: else all levels are made for
// the centre, and again for what is around it.
static Status make_land(const View *view, Error *error) {
    const LandMethods *land = view->map->land;
    return land->prepare ? land->prepare(view, error) : STATUS_OK;
}

// The altitude of the window's centre, or of the place that was named.
static Status find_datum(View *view, const Call *call, Datum *datum, Error *error) {
    const Render *render = call->params;
    view->datum = datum;
    view->own_datum = isnan(render->from_zoom) && view->map->land->finds_datum;
    if (view->own_datum)
        return STATUS_OK;
    if (isnan(render->from_zoom)) {
        const Status status = make_land(view, error);
        return status == STATUS_OK ? view_datum(view, datum, error) : status;
    }
    const WindowRequest from = { .x = render->from_x,
                                 .y = render->from_y,
                                 .zoom = render->from_zoom,
                                 .side = render->side,
                                 .radius = render->radius };
    return view_datum_of(view, &from, call, datum, error);
}

static Status run(const Call *call, Error *error) {
    const Render *render = call->params;
    if (!isnan(render->from_zoom) && !render->relative)
        return fail(error, STATUS_INVALID, "from_zoom is for relative = true");
    View view = { .altitude = &call->outputs[0].field,
                  .river = &call->outputs[1].field,
                  .flow = &call->outputs[2].field,
                  .water = &call->outputs[3].field,
                  .discharge = &call->outputs[4].field,
                  .wadi = &call->outputs[5].field,
                  .whole_pixels = render->style == PAPER,
                  .projection = PROJECTION_EQUIRECTANGULAR };
    const WindowRequest asked = { .x = render->x,
                                  .y = render->y,
                                  .zoom = render->zoom,
                                  .border = render->border,
                                  .side = render->side,
                                  .radius = render->radius,
                                  .inside = render->inside };
    Datum datum;
    Status status = view_project(&view, call->inputs[0].value, render->projection, render->face,
                                 &render->rotation, error);
    if (status == STATUS_OK)
        status = check_from(render->from_x, render->from_y, render->from_zoom, error);
    if (status == STATUS_OK)
        status = view_set(&view, call, &asked, error);
    if (status == STATUS_OK && render->relative)
        status = find_datum(&view, call, &datum, error);
    if (status != STATUS_OK)
        return status;
    status = view_draw(&view, error);
    if (status == STATUS_OK)
        status = view_raise(&view);
    for (int i = 0; status == STATUS_OK && i < RESULTS; i++)
        call->outputs[i].field.frame = view_frame(&view);
    for (int i = 1; i < RESULTS; i++)
        frame_drop_heights(&call->outputs[i].field.frame);
    return status;
}

static const Param params[] = {
    PARAM(Render, x, .initial = 0.5, .min = 0, .max = 1,
          .doc = "centre of the window, from 0 at the map's left to 1 at its right; a string of "
                 "digits is more precise, and exact where they are hexadecimal: \"0x.8a\" or \"0x8ap-8\". "
                 "Maps of planets, equirectangular and mercator, go on beyond 180°, "
                 "as does the frame: around x = 0 below -180, around x = 1 above 180"),
    PARAM(Render, y, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the same from top to bottom; on equirectangular maps of planets, which are half as high as "
                 "wide, from 0.25 at the north pole to 0.75 at the south pole"),
    PARAM(Render, zoom, .initial = 1, .min = 1, .max = 0x1p100,
          .doc = "the window's longer side is the map's side divided by this"),
    INSIDE_PARAM(Render),
    BORDER_PARAM(Render),
    SIDE_PARAM(Render),
    RADIUS_PARAM(Render),
    PARAM(Render, style, .choices = CHOICES("smooth", "paper"),
          .doc = "rivers as antialiased lines, or as whole pixels, as published"),
    PROJECTION_PARAMS(Render),
    PARAM(Render, relative, .initial = false,
          .doc =
              "measures altitudes from that of the window's centre, which altitude_at gives: in deep zooms "
              "on land, pixels differ by less than an absolute altitude can resolve (from zoom 200,000 "
              "or so on, shaded ground looks woven). The sea is then at -map:altitude_at of the same window; "
              "the frame says so to relief and others, but maps turned by latitude have none (sea_level)"),
    PARAM(Render, from_zoom, .min = 1, .max = 0x1p100, .optional = true,
          .doc = "with relative: measures altitudes from the centre of another window of this zoom and of "
                 "the same size, so that several windows have one zero"),
    PARAM(Render, from_x, .min = 0, .max = 1, .optional = true,
          .doc = "centre of that window; by default 0.5"),
    PARAM(Render, from_y, .min = 0, .max = 1, .optional = true, .doc = "the same"),
    { 0 },
};

const Operation op_render = {
    .name = "render",
    .category = "zoomable maps",
    .keywords = "window tile view draw zoom raster chunk chunks streaming cubemap skybox",
    .summary = "Draws a window of a zoomable map; the time hardly depends on the zoom",
    .description =
        "A pixel depends on the map, its position and its size, never on the window: windows "
        "on the same grid agree bit for bit, unless they are relative. If zoom times size is not a "
        "power of two, a window begins at the nearest 2^-32 of a pixel from the map's corner. So rounded "
        "numbers do not matter up to about 2^48 pixels along the map.\n\n"
        "The equirectangular map of a planet is half as high as wide. At a zoom below 2, where a square "
        "would be larger than the map, `size` gives the width, and the height is half of it. So "
        "planet:render{} is the whole planet in 512 × 256 pixels.\n\n"
        "On maps with a climate no rivers are drawn where snow lies all year.",
    .source = "Mogensen and Isenbecker 2025",
    .inputs = { { "map", "a map made by river_map", { &type_map } } },
    .outputs = { { "altitude",
                   "the sea at 0; of eroded land in metres, of raw land -1 to 1, in metres with side or "
                   "radius",
                   .heights = true },
                 { "river",
                   "width in cells of the river that covers the pixel; below 1, the share covered, and in an "
                   "estuary the river's share of the water" },
                 { "flow",
                   "area drained through the pixel, in pixels; on soil, outside streams, at most that from "
                   "which a stream begins; eroded land only, otherwise nil",
                   .optional = true },
                 { "water",
                   "how deep a lake is, in the unit of altitudes: 0 where there is none. The altitude is "
                   "that of its "
                   "surface. Of maps with lakes or a climate, otherwise nil",
                   .optional = true },
                 { "discharge",
                   "what flows through the pixel, m³/s in the mean of the year; 0 in the sea. Of maps with a "
                   "climate (river_map), otherwise nil",
                   .optional = true },
                 { "wadi",
                   "the share of the pixel that beds of rivers cover which are dry for most of the year; "
                   "there are no rivers in them. Of maps with a climate, otherwise nil",
                   .optional = true } },
    .params = params,
    .params_size = sizeof(Render),
    .sized = true,
    .shapes_outputs = true,
    .example = "local altitude, river = esker.river_map{ seed = 2 }:render{ zoom = 4, size = 64 }\n"
               "local picture = altitude:relief{ rivers = river }",
    .see_also = "river_map rivers relief",
    .run = run,
};
