// Hills, ridges, valleys and pits of one's own on a zoomable map.

#include "rivermap/operations/map_edits.h"

#include "core/math.h"
#include "places/points.h"

#include <math.h>

typedef struct Raise {
    Numbers along, outline;
    double width, height;
    double roughness;
    const Field *like;
} Raise;

#define STEEPEST 1.0 // of the width
#define DEEPEST 0.4  // the same, of pits, whose water does not run off else

extern const Operation op_raise;

static Status run(const Call *call, Error *error) {
    const Raise *params = call->params;
    const RiverMap *map = call->inputs[0].value;
    const double width = isnan(params->width) ? map->metres / 64 : params->width,
                 height = isnan(params->height) ? width / 20 : params->height;
    if (fabs(height) > STEEPEST * width)
        return fail(error, STATUS_INVALID, "height must be at most the width, %s m, up or down, got %s m",
                    digits_of(width).text, digits_of(height).text);
    const bool outline = params->outline.count > 0;
    const Input *places = &call->inputs[1];
    const bool pit =
        input_is_given(places) ? places->type == &type_points : params->along.count == 2 && !outline;
    if (pit && height < -DEEPEST * width)
        return fail(error, STATUS_INVALID,
                    "a pit may be 0.4 of its width deep, %s m, got height %s m; make a lake of it",
                    digits_of(DEEPEST * width).text, digits_of(height).text);
    if (outline && params->along.count > 0)
        return fail(error, STATUS_INVALID, "give along or outline, not both");
    const MapEdit edit = { .operation = &op_raise,
                           .kind = EDIT_RAISE,
                           .list_name = "along or outline",
                           .list = outline ? &params->outline : &params->along,
                           .outline = outline,
                           .roughness = params->roughness,
                           .like = params->like,
                           .width = width,
                           .height = height };
    return map_edit(call, &edit, error);
}

static const Param params[] = {
    PARAM(Raise, along, .columns = 2, .min = 0, .max = 1, .optional = true,
          .doc = "places { x, y } in the coordinates of render, 0 to 1: one makes a hill, more a ridge along "
                 "them"),
    PARAM(Raise, outline, .columns = 2, .min = 0, .max = 1, .rows_min = 3, .optional = true,
          .doc = "instead: the corners of an area, which is raised as a whole"),
    PARAM(Raise, width, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "from foot to foot; of an area twice the width of its slopes, which lie inside the outline. "
                 "By default a "
                 "64th of the map's side"),
    PARAM(Raise, height, .optional = true, .min = -0x1p30, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "of the middle above the ground, in the sea above its surface; below 0 a pit, at most 0.4 "
                 "of the width deep, or a valley; "
                 "at most "
                 "the width; by default a twentieth of the width"),
    PARAM(
        Raise, roughness, .initial = 0.8, .min = 0, .max = 1,
        .doc =
            "how far an outline wanders off straight lines between its corners: by a quarter of their length "
            "at 1, with ever smaller bends between; 0 keeps it straight"),
    PARAM(Raise, like,
          .doc = "a field that shows the whole map, for places with coordinates of a system; others are "
                 "placed as shares of their window"),
    { 0 },
};

const Operation op_raise = {
    .name = "raise",
    .category = "zoomable maps",
    .keywords = "edit hill mountain ridge valley pit mound dig lower sculpt brush author own",
    .summary = "Raises a hill, a ridge or an area on a zoomable map, or sinks a valley, at every zoom",
    .description =
        "Streams that begin on it carve it, and so do rivers that cross it, which keep their courses in "
        "gorges. Land farther away keeps every bit. Where forms overlap, their heights add up, in any order. "
        "In the sea it makes islands and moles; ground that sinks below the sea beside it becomes a bay.\n\n"
        "Valleys and pits are only as deep as their water can run off. A pit that a river leaves holds a "
        "lake.\n\n"
        "It enters the level on which it is 8 to 16 cells wide, so coarser zooms do not show it.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "places",
                  "Points, each a hill, lines, each a ridge, or Polygons, each an area; may be left out "
                  "where along or outline is given",
                  { &type_points, &type_lines, &type_network, &type_polygons },
                  .optional = true } },
    .outputs = { { "map", "the map with these forms", &type_map } },
    .params = params,
    .params_size = sizeof(Raise),
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local hill = map:raise{ along = { { 0.42, 0.57 } }, width = 20e3, height = 800 }",
    .picture =
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.42, y = 0.57, zoom = 60, size = 192 }\n"
        "local ridge = { { 0.413, 0.573 }, { 0.419, 0.57 }, { 0.426, 0.569 } }\n"
        "local before, streams = map:render(window)\n"
        "local raised = map:raise{ along = ridge, width = 6000, height = 600 }\n"
        "local after, rivers = raised:render(window)\n"
        "return before:relief{ rivers = streams, exaggeration = 3 },\n"
        "    after:relief{ rivers = rivers, exaggeration = 3 }",
    .see_also = "river_map coast level lake set_rivers render",
    .run = run,
};
