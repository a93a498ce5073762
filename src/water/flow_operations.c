// Directions of flow and what drains through each cell, as operations.

#include "core/memory.h"
#include "core/operation.h"
#include "water/drainage.h"
#include "water/flow.h"

#include <math.h>

// --- flow_direction ----------------------------------------------------------------------------------------

// The direction in which each cell drains, over filled pits.

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

void flow_direction_names(bool angle, const Frame *frame, float names[NEIGHBOURS + 1]) {
    const Compass compass = frame_compass(frame);
    for (int i = 0; i <= NEIGHBOURS; i++)
        names[i] = !angle          ? codes[i]
                   : angles[i] < 0 ? -1
                                   : (float)compass_from_cells(compass, (double)angles[i]);
}

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

static Status direction_run(const Call *call, Error *error) {
    const FlowDirection *params = call->params;
    Field *out = &call->outputs[0].field;
    Drainage drainage = { .height = call->inputs[0].field, .filled = *out, .sea_level = params->sea_level };
    Status status = drainage_find(call->run, &drainage, error);
    float names[NEIGHBOURS + 1];
    flow_direction_names(params->unit == UNIT_ANGLE, &call->inputs[0].field->frame, names);
    Naming naming = { drainage.direction, out, names };
    if (status == STATUS_OK)
        status = parallel_rows(call->run, out->height, out->width, name_rows, &naming);
    memory_free(drainage.direction);
    return status;
}

static const Param direction_params[] = {
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
    .measures = MEASURES_SHAPES,
    .category = "rivers",
    .keywords = "d8 drainage aspect pointer downhill field",
    .summary = "Gives the direction in which each cell drains: its steepest descent, over filled pits",
    .description = "Flat ground and filled pits drain to their outlets, by cheap paths that keep away from "
                   "higher ground and join. If several neighbours are equally steep, water takes the one "
                   "nearest to the direction in which the ground around the cell falls. Water leaves across "
                   "the border, where no neighbour is lower, in the sea, and into cells without data, as if "
                   "such a gap were as low as the lowest neighbour.",
    .source = "D8: O'Callaghan and Mark 1984; flats after Garbrecht and Martz 1997 and Barnes, Lehman and "
              "Mulla 2014; codes: Jenson and Domingue 1988",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "direction", "directions, as codes or angles" } },
    .params = direction_params,
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
    .run = direction_run,
};

// --- flow_accumulation -------------------------------------------------------------------------------------

// What drains through each cell: its own rain and that of all cells upstream.

#include <math.h>

typedef struct FlowAccumulation {
    int method, measure;
    double sea_level;
    const Field *rain;
} FlowAccumulation;

enum { METHOD_D8, METHOD_DINF };

enum { MEASURE_CELLS, MEASURE_AREA, MEASURE_SPECIFIC };

typedef struct Scaling {
    const Field *height;
    Field sum;
    int measure;
} Scaling;

// Square metres; or over the width of a cell, through which the water flows: metres.
static void scale_rows(void *context, int first, int end) {
    Scaling *scaling = context;
    const double cell = field_cell_metres(scaling->height), area = cell * cell;
    for (int y = first; y < end; y++) {
        float *row = field_row(&scaling->sum, y);
        const double over =
            scaling->measure == MEASURE_SPECIFIC ? sqrt(field_row_area(scaling->height, y)) : 1;
        for (int x = 0; x < scaling->sum.width; x++)
            row[x] = (float)((double)row[x] * area / over);
    }
}

static Status run(const Call *call, Error *error) {
    const FlowAccumulation *params = call->params;
    const Field sum = call->outputs[0].field;
    Scaling scaling = { call->inputs[0].field, sum, params->measure };
    Field areas = { 0 };
    if (params->measure != MEASURE_CELLS && field_cell_metres(scaling.height) == 0)
        return fail(
            error, STATUS_INVALID,
            "measure: the field has no frame in which an area is known: set one with georeference, or "
            "leave it \"cells\"");
    double uneven;
    if (params->measure != MEASURE_CELLS &&
        frame_check_ground(&call->frame, call->frame_width, call->frame_height, &uneven, error) != STATUS_OK)
        return STATUS_INVALID;
    if (params->measure != MEASURE_CELLS && params->rain)
        return fail(error, STATUS_INVALID,
                    "measure: with rain the result is water, not an area: leave one out");
    Flow flow = { .rain = params->rain,
                  .sum = sum,
                  .drainage = {
                      .height = call->inputs[0].field, .filled = sum, .sea_level = params->sea_level } };
    Status status = flow_check_rain(params->rain, error);
    if (status == STATUS_OK && params->measure != MEASURE_CELLS)
        status = flow_areas(scaling.height, &areas, error);
    flow.rain = areas.cells ? &areas : flow.rain;
    if (status == STATUS_OK)
        status = flow_find(call->run, &flow, params->method == METHOD_DINF, error);
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, &flow, error);
    flow_free(&flow);
    field_free(&areas);
    if (status == STATUS_OK && params->measure != MEASURE_CELLS)
        status = parallel_rows(call->run, sum.height, sum.width, scale_rows, &scaling);
    return status;
}

static const Param params[] = {
    PARAM(FlowAccumulation, method, .choices = CHOICES("d8", "dinf"),
          .doc = "\"d8\": all water goes to the steepest neighbour; \"dinf\": divided between two by "
                 "the direction of the slope"),
    PARAM(FlowAccumulation, measure, .choices = CHOICES("cells", "area", "specific"),
          .doc =
              "\"cells\" that drain; \"area\": square metres of the ground of a field with a frame; "
              "\"specific\": that over the side of a square of a cell's area, the specific catchment area in "
              "metres"),
    PARAM(FlowAccumulation, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .unit = UNIT_SEA, .doc = "ground below this is sea, into which water drains"),
    PARAM(FlowAccumulation, rain, .doc = "rain on each cell, 0 or more; by default 1"),
    { 0 },
};

const Operation op_flow_accumulation = {
    .name = "flow_accumulation",
    .measures = MEASURES_SHAPES,
    .category = "rivers",
    .keywords = "drainage watershed catchment discharge upstream area d8 dinf mfd terraflow map field",
    .summary = "Gives the water that drains through each cell: its own rain and that of all cells "
               "upstream",
    .description = "Water crosses pits as if they were filled, and leaves across the border or into the "
                   "sea. With rain 1 everywhere the result is the drained area in cells. D-infinity "
                   "divides water between two neighbours on slopes; on flats and along the border it is "
                   "the same as D8.",
    .source = "D8: O'Callaghan and Mark 1984; D-infinity: Tarboton 1997",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "flow", "what drains: with measure \"area\" in m², with \"specific\" in m, by default",
                   .dimension = DIMENSION_CELLS } },
    .params = params,
    .params_size = sizeof(FlowAccumulation),
    .example = "local drained = height:flow_accumulation{ method = \"dinf\" }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local land = height:stream_erosion{ age = 0.6 }:normalize{}\n"
               "local shades = { { 0, \"#f7fbff\" }, { 1, \"#08306b\" } }\n"
               "return land, (land:flow_accumulation{} ^ 0.3):relief{ palette = shades, contrast = 0 }",
    .see_also = "fill rivers_from_flow",
    .run = run,
};
