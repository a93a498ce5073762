// What can be seen from a point (Franklin and Ray 1994, "Higher isn't necessarily better: visibility
// algorithms and experiments", section "XDraw"): ring by ring around the observer, the steepest line of sight
// that passes over a cell is interpolated from the two cells of the ring before that the line crosses. Slopes
// are rises per ring, not per distance: along a ring they are linear on a plane, which hides nothing of
// itself.

#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>

typedef struct Viewshed {
    double x, y, eye, object;
} Viewshed;

typedef struct Sight {
    const Field *height;
    Field *blocked; // the slope from the eye below which ground behind a cell is hidden
    Field *hidden;
    int x, y;
    double eye, object; // height of the eye; of the object above the ground
} Sight;

static double blocked_at(const Sight *sight, int x, int y) {
    const int column = clamp(x, 0, sight->height->width - 1), row = clamp(y, 0, sight->height->height - 1);
    return (double)field_row(sight->blocked, row)[column];
}

// The slope that the ring before lets pass towards (dx, dy) from the eye, `ring` cells away along one axis.
static double passing(const Sight *sight, int dx, int dy, int ring) {
    const double shrink = (ring - 1.0) / ring;
    const bool across = abs(dx) == ring; // the line crosses a column of the ring before, otherwise a row
    const double at = (across ? dy : dx) * shrink, before = floor(at), share = at - before;
    const int first = whole_int(before), second = share > 0 ? first + 1 : first;
    const int fixed = (across ? dx : dy) > 0 ? ring - 1 : 1 - ring;
    if (across)
        return lerp(blocked_at(sight, sight->x + fixed, sight->y + first),
                    blocked_at(sight, sight->x + fixed, sight->y + second), share);
    return lerp(blocked_at(sight, sight->x + first, sight->y + fixed),
                blocked_at(sight, sight->x + second, sight->y + fixed), share);
}

static void look_at(const Sight *sight, int dx, int dy, int ring) {
    const int x = sight->x + dx, y = sight->y + dy;
    if (x < 0 || y < 0 || x >= sight->height->width || y >= sight->height->height)
        return;
    const double ground = (double)field_row(sight->height, y)[x];
    const double slope = (ground - sight->eye) / ring;
    const double least = ring > 1 ? passing(sight, dx, dy, ring) : slope;
    const double needed = sight->eye + least * ring - (ground + sight->object);
    field_row(sight->hidden, y)[x] = (float)max(needed, 0);
    field_row(sight->blocked, y)[x] = (float)max(slope, least);
}

static void look_around(const Sight *sight, int ring) {
    for (int i = -ring; i <= ring; i++) {
        look_at(sight, i, -ring, ring);
        look_at(sight, i, ring, ring);
    }
    for (int i = 1 - ring; i < ring; i++) {
        look_at(sight, -ring, i, ring);
        look_at(sight, ring, i, ring);
    }
}

static Status run(const Call *call, Error *error) {
    const Viewshed *params = call->params;
    const Field *height = call->inputs[0].field;
    Field blocked = { 0 };
    Sight sight = { .height = height,
                    .blocked = &blocked,
                    .hidden = &call->outputs[0].field,
                    .x = index_within(params->x * call->width, call->width),
                    .y = index_within(params->y * call->height, call->height),
                    .object = params->object };
    Status status = field_create(&blocked, call->width, call->height, error);
    if (status == STATUS_OK) {
        const float ground = field_row(height, sight.y)[sight.x];
        sight.eye = (double)ground + params->eye;
        field_row(sight.hidden, sight.y)[sight.x] = 0;
        field_row(&blocked, sight.y)[sight.x] = ground;
    }
    const int rings = max(max(sight.x, call->width - 1 - sight.x), max(sight.y, call->height - 1 - sight.y));
    for (int ring = 1; ring <= rings && status == STATUS_OK; ring++) {
        look_around(&sight, ring);
        status = run_advance(call->run, ring, rings);
    }
    field_free(&blocked);
    return status;
}

static const Param params[] = {
    PARAM(Viewshed, x, .initial = 0.5, .min = 0, .max = 1, .unit = UNIT_PLACE,
          .doc = "position of the eye, as a share of the width"),
    PARAM(Viewshed, y, .initial = 0.5, .min = 0, .max = 1, .unit = UNIT_PLACE,
          .doc = "position of the eye from the top, as a share of the height"),
    PARAM(Viewshed, eye, .initial = 0.02, .min = 0, .max = HEIGHT_MAX,
          .doc = "height of the eye above the ground"),
    PARAM(Viewshed, object, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "height of the object that is looked at, above the ground"),
    { 0 },
};

const Operation op_viewshed = {
    .name = "viewshed",
    .category = "surface",
    .keywords = "visible visibility sight line hidden observer lookout",
    .summary = "Computes what is visible from a point: 0 for visible ground, else how far it is below the "
               "line of sight",
    .description = "A tower as high as the result would just be visible. For a mask of the visible ground: "
                   "hidden:select{ height = { 0, 0 } }.",
    .source = "Franklin and Ray 1994, Higher isn't necessarily better: visibility algorithms and experiments",
    .inputs = { { "height", "heights" } },
    .outputs = { { "hidden", "height between the ground and the line of sight, 0 or more" } },
    .params = params,
    .params_size = sizeof(Viewshed),
    .example = "local hidden = height:viewshed{ x = 0.3, y = 0.6, eye = 0.01 }",
    .wrapping = WRAPPING_LOST,
    .picture = "local hidden = height:viewshed{ x = 0.4, y = 0.55 }\n"
               "local eye = esker.points{ size = height.width, list = { { 0.4 * height.width, 0.55 * "
               "height.width } } }\n"
               "return height:relief{}:paint(hidden:remap{ from = { 0, 0.02 } }, { colour = \"#141a2c\", "
               "opacity = 0.7 }):paint(eye, { line = 6 })",
    .see_also = "sky_view hillshade openness",
    .run = run,
};
