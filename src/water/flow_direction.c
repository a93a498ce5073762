// The direction in which each cell drains, over filled pits.

#include "core/memory.h"
#include "core/operation.h"
#include "water/drainage.h"

typedef struct FlowDirection {
    int unit;
    double sea_level;
} FlowDirection;

enum { UNIT_CODE, UNIT_ANGLE };

// Codes: Jenson and Domingue 1988, "Extracting topographic structure from digital elevation data for
// geographic information system analysis", figure 2, with the order that GIS programs have since: powers of
// two, clockwise from the right.
static const float codes[NEIGHBOURS + 1] = { 1, 2, 4, 8, 16, 32, 64, 128, 0 };
static const float angles[NEIGHBOURS + 1] = { 90, 135, 180, 225, 270, 315, 0, 45, -1 };

typedef struct Naming {
    const uint8_t *direction;
    Field *out;
    const float *names;
} Naming;

static void name_rows(void *context, int first, int end) {
    const Naming *naming = context;
    for (int y = first; y < end; y++) {
        const uint8_t *direction = naming->direction + (size_t)y * (size_t)naming->out->width;
        float *out = field_row(naming->out, y);
        for (int x = 0; x < naming->out->width; x++)
            out[x] = naming->names[direction[x]];
    }
}

static Status run(const Call *call, Error *error) {
    const FlowDirection *params = call->params;
    Field *out = &call->outputs[0].field;
    Drainage drainage = { .height = call->inputs[0].field, .filled = *out, .sea_level = params->sea_level };
    Status status = drainage_find(call->run, &drainage, error);
    float names[NEIGHBOURS + 1];
    const Compass compass = frame_compass(&call->inputs[0].field->frame);
    for (int i = 0; i <= NEIGHBOURS; i++)
        names[i] = params->unit == UNIT_CODE ? codes[i]
                   : angles[i] < 0           ? -1
                                             : (float)compass_from_cells(compass, (double)angles[i]);
    Naming naming = { drainage.direction, out, names };
    if (status == STATUS_OK)
        status = parallel_rows(call->run, out->height, out->width, name_rows, &naming);
    memory_free(drainage.direction);
    return status;
}

static const Param params[] = {
    PARAM(FlowDirection, unit, .choices = CHOICES("code", "angle"),
          .doc = "\"code\": 1 right, 2 lower right, 4 down and so on clockwise to 128, as GIS programs "
                 "have it, and 0 where water leaves; \"angle\": degrees clockwise from north, as aspect has "
                 "them, and -1"),
    PARAM(FlowDirection, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_flow_direction = {
    .name = "flow_direction",
    .measures = MEASURES_SQUARES,
    .category = "rivers",
    .keywords = "d8 drainage aspect pointer downhill field",
    .summary = "Gives the direction in which each cell drains: its steepest descent, over filled pits",
    .description =
        "Flat ground and filled pits drain to their outlets, by cheap ways that keep away from higher ground "
        "and join. Of several neighbours to which the descent is equally steep, water takes the one that "
        "leads most nearly where the ground around the cell falls. Water leaves across the border, where no "
        "neighbour is lower, in the sea, and into cells without data: directions of cells beside such a gap "
        "point into it, as if it were the lowest neighbour.",
    .source = "D8: O'Callaghan and Mark 1984; flats after Garbrecht and Martz 1997 and Barnes, Lehman and "
              "Mulla 2014; codes: Jenson and Domingue 1988",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "direction", "directions, as codes or angles" } },
    .params = params,
    .params_size = sizeof(FlowDirection),
    .example = "local direction = height:flow_direction{ unit = \"angle\" }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .always_finite = "directions are among nine numbers",
    .picture = "local hues = { { 0, \"#c8553d\" }, { 0.25, \"#e9c46a\" }, { 0.5, \"#4f8f7f\" }, { 0.75, "
               "\"#5b5f97\" }, "
               "{ 1, \"#c8553d\" } }\n"
               "local angle = height:blur{ sigma = 0.015 }:flow_direction{ unit = \"angle\" } / 360\n"
               "return angle:relief{ palette = hues, contrast = 0 }",
    .see_also = "flow_accumulation basins fill",
    .run = run,
};
