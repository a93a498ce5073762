// The climate of a window of a zoomable map.

#include "rivermap/eroded/map_climate.h"

typedef struct ClimateWindow {
    WINDOW_MEMBERS;
    int projection, face;
    Numbers rotation;
} ClimateWindow;

enum { TEMPERATURE, RANGE, RAIN, EVAPORATION, RUNOFF, KOPPEN, RESULTS };

typedef struct Painting {
    const Field *altitude;
    Output *outputs;
} Painting;

static void paint(void *context, const Air *airs, const Vec3 *places, int left, int y, int count) {
    (void)places;
    const Painting *painting = context;
    for (int x = left; x < left + count; x++) {
        const Air *air = &airs[x - left];
        const bool sea = field_row(painting->altitude, y)[x] < 0;
        const float values[RESULTS] = { air->temperature,
                                        2 * air->half_range,
                                        air->rain,
                                        air->evaporation,
                                        sea ? 0 : air->rain - air->evaporation,
                                        sea ? 0 : (float)koppen_class(air) };
        for (int i = 0; i < RESULTS; i++)
            field_row(&painting->outputs[i].field, y)[x] = values[i];
    }
}

static Status draw(const View *of, const Climate *climate, Output *outputs, Error *error) {
    Field fields[3] = { 0 };
    View view = *of;
    view.altitude = &fields[0];
    view.river = &fields[1];
    view.flow = &fields[2];
    Painting painting = { &fields[0], outputs };
    Status status = view_draw(&view, error);
    if (status == STATUS_OK)
        status = view_raise(&view);
    for (int i = 0; i < RESULTS && status == STATUS_OK; i++)
        status = view_field(&outputs[i].field, &view, error); // 0 outside a globe
    if (status == STATUS_OK)
        status = view_airs(&view, climate, paint, &painting, error);
    for (int i = 0; i < RESULTS && status == STATUS_OK; i++) {
        outputs[i].field.frame = view_frame(&view);
        frame_drop_heights(&outputs[i].field.frame);
    }
    for (int i = 0; i < 3; i++)
        field_free(&fields[i]);
    return status;
}

static Status run(const Call *call, Error *error) {
    const ClimateWindow *window = call->params;
    const Climate *climate;
    View view = { 0 };
    const WindowRequest asked = { WINDOW_ASKED(window) };
    Status status = map_climate(call->inputs[0].value, call->run, &climate, error);
    if (status == STATUS_OK)
        status = view_project(&view, call->inputs[0].value, window->projection, window->face,
                              &window->rotation, error);
    if (status == STATUS_OK)
        status = view_set(&view, call, &asked, error);
    return status == STATUS_OK ? draw(&view, climate, call->outputs, error) : status;
}

static const Param params[] = {
    WINDOW_PARAMS(ClimateWindow),
    PROJECTION_PARAMS(ClimateWindow),
    { 0 },
};

const Operation op_climate = {
    .name = "climate",
    .category = "zoomable maps",
    .keywords =
        "weather temperature rain precipitation runoff koppen koeppen biome season evaporation desert",
    .summary = "Gives temperature, rain, runoff and Köppen's classes in a window of a zoomable map",
    .description = "Winds carry water from the sea over the whole map's coarse ground; it rains where they "
                   "rise. Between its cells "
                   "the climate is smooth, and the temperature falls with the window's own altitudes. The "
                   "map's parameters "
                   "latitudes, wind, temperature, rain, seasons and lift set it (docs/climate.md).\n\n"
                   "Köppen's classes: 0 the sea, 1 Af, 2 Am, 3 Aw, 4 BWh, 5 BWk, 6 BSh, 7 BSk. 8 to 16 are "
                   "Csa, Csb, Csc, "
                   "Cwa, Cwb, Cwc, Cfa, Cfb, Cfc. 17 to 28 are Dsa, Dsb, Dsc, Dsd, Dwa, Dwb, Dwc, Dwd, Dfa, "
                   "Dfb, Dfc, Dfd. "
                   "29 is ET, 30 EF.",
    .source = "Pike 1964; Peel et al. 2007; Beck et al. 2018 (numbers of classes)",
    .inputs = { { "map", "a map with eroded land", { &type_map } } },
    .outputs = { { "temperature", "the year's mean, °C; of the sea at its surface" },
                 { "range", "how much the warmest month is warmer than the coldest, °C" },
                 { "rain", "rain and snow, mm a year" },
                 { "evaporation", "of it, what evaporates from land, mm a year" },
                 { "runoff", "what remains for rivers, mm a year; 0 in the sea" },
                 { "koppen", "classes, whole numbers" } },
    .record = true,
    .params = params,
    .params_size = sizeof(ClimateWindow),
    .sized = true,
    .shapes_outputs = true,
    .example = "local map = esker.river_map{ seed = 2, latitudes = { 15, 45 } }\n"
               "local air = map:climate{ zoom = 4, size = 64 }\n"
               "local picture = air.rain:colorize{ legend = true, low = 0, high = 3000 }",
    .picture = "local air = esker.river_map{ seed = 7, latitudes = { 15, 45 } }:climate{ size = 192 }\n"
               "return air.temperature:colorize{ palette = \"diverging\", low = -30, high = 30 },\n"
               "    air.rain:colorize{ low = 0, high = 3000 },\n"
               "    air.koppen:colorize{ palette = \"koppen\", low = 0, high = 30 }",
    .see_also = "render river_map colorize",
    .run = run,
};
