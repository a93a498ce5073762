// Lines, points or polygons as a field: the share of each cell that they cover, or an attribute of what lies
// there.

#include "core/whole.h"
#include "places/overlay.h"
#include "places/points.h"
#include "rivers/line_coverage.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>

typedef struct Rasterize {
    double scale, line;
    const Field *like;
    const char *attribute;
} Rasterize;

// --- coverage ----------------------------------------------------------------------------------------------

static void fill_row(void *context, int row, int first, int end) {
    float *cells = field_row((Field *)context, row);
    for (int x = first; x < end; x++)
        cells[x] = 1;
}

static Status fill_polygons(const Shapes *shapes, Field *mask, Error *error) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < field_count(mask); i++)
        field_cells(mask)[i] = 0;
    for (int i = 0; status == STATUS_OK && i < shapes->count; i++)
        status = polygon_cells(shapes, &shapes->shapes[i], mask->width, mask->height, fill_row, mask, error);
    return status;
}

// Lines, or dots of points, in the cells of the mask.
static Status stroke(const Call *call, const CellMap *map, Field *mask, Error *error) {
    const Rasterize *params = call->params;
    RiverNetwork *made;
    const RiverNetwork *lines = input_lines(&call->inputs[0], &made, error);
    if (!lines)
        return STATUS_MEMORY;
    RiverNetwork placed = *lines;
    const double area = map->right_x * map->down_y - map->right_y * map->down_x;
    placed.points = memory_new((size_t)lines->point_count + 1, sizeof *placed.points, error);
    Status status = placed.points ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; status == STATUS_OK && i < lines->point_count; i++) {
        double at[2];
        cell_map_point(map, lines->points[i].x, lines->points[i].y, at);
        placed.points[i] = lines->points[i];
        placed.points[i].x = at[0];
        placed.points[i].y = at[1];
        placed.points[i].width *= (float)sqrt(fabs(area));
    }
    const Strokes strokes = { .network = &placed, .scale = 1, .least = params->line };
    if (status == STATUS_OK)
        status = stroke_network(call->run, mask, &strokes, error);
    memory_free(placed.points);
    memory_free(made);
    return status;
}

// --- attributes --------------------------------------------------------------------------------------------

// The number of an attribute, of which flags are 0 and 1.
static Status read_number(const Attributes *attributes, int column, int row, const char *name, float *number,
                          Error *error) {
    const Attribute value = attributes_get(attributes, column, row);
    *number = (float)value.number;
    if (value.kind == ATTRIBUTE_NUMBER ? isfinite(*number) : value.kind == ATTRIBUTE_FLAG)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "attribute '%.60s' of number %d is %s, which a cell cannot hold", name,
                row + 1,
                value.kind == ATTRIBUTE_NONE     ? "missing"
                : value.kind == ATTRIBUTE_NUMBER ? "too large"
                                                 : "no number");
}

static Status give_attribute(const Call *call, const Shapes *shapes, Field *field, Error *error) {
    const Rasterize *params = call->params;
    const Input *input = &call->inputs[0];
    int column;
    Status status = attributes_require(input_attributes(input), params->attribute, &column, error);
    if (status != STATUS_OK)
        return status;
    uint32_t *numbers = memory_new_zeroed(field_count(field), sizeof *numbers, error);
    float *values = memory_new_zeroed((size_t)shapes->count + 1, sizeof *values, error);
    status = numbers && values ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; status == STATUS_OK && i < shapes->count; i++)
        status = read_number(input_attributes(input), column, i, params->attribute, &values[i + 1], error);
    if (status == STATUS_OK)
        status = number_cells(shapes, input->type, field->width, field->height, numbers, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        field_cells(field)[i] = values[numbers[i]];
    memory_free(numbers);
    memory_free(values);
    return status;
}

// --- all ---------------------------------------------------------------------------------------------------

// The cells of the mask: those of `like`, or of the window of the lines, `scale` times as many.
static Status make_mask(const Call *call, Field *mask, CellMap *map, Error *error) {
    const Rasterize *params = call->params;
    const Input *input = &call->inputs[0];
    const Field *like = params->like;
    if (like) {
        const Window window = window_of_field("like", like);
        const Status status = overlay_map(input, &window, map, error);
        return status == STATUS_OK ? field_create(mask, like->width, like->height, error) : status;
    }
    const int width = (int)value_property(input->type, "width")->get(input->value),
              height = (int)value_property(input->type, "height")->get(input->value);
    *map = (CellMap){ .right_x = params->scale, .down_y = params->scale };
    const Status status = field_create(mask, whole_within(width * params->scale + 0.5, 1, SIDE_MAX),
                                       whole_within(height * params->scale + 0.5, 1, SIDE_MAX), error);
    return status;
}

static void place_mask(const Call *call, Field *mask) {
    const Rasterize *params = call->params;
    const Input *input = &call->inputs[0];
    const Frame *own = value_frame(input->type, input->value);
    mask->wraps = params->like ? params->like->wraps : call->wraps;
    if (params->like)
        mask->frame = params->like->frame;
    else if (own)
        mask->frame = frame_of_cells(own, (int)value_property(input->type, "width")->get(input->value),
                                     (int)value_property(input->type, "height")->get(input->value),
                                     mask->width, mask->height);
    frame_drop_heights(&mask->frame);
}

// In the cells of the mask.
static Status check_place(const Call *call, const CellMap *map, const Field *mask, Error *error) {
    const Rasterize *params = call->params;
    const Input *input = &call->inputs[0];
    if (params->like ? is_part_of_map(input) : input->type == &type_network)
        return STATUS_OK;
    const Window window = window_of_field(params->like ? "like" : "their window", mask);
    const double scale = sqrt(fabs(map->right_x * map->down_y - map->right_y * map->down_x));
    const double reach = call->wraps ? HUGE_VAL : input_radius(input) * scale + params->line;
    Shapes *shapes = overlay_copy(input, map, error);
    const Status status =
        shapes ? overlay_check_meeting(input->type->plural, shapes, &window, reach, error) : STATUS_MEMORY;
    shapes_free(shapes);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Rasterize *params = call->params;
    const Input *input = &call->inputs[0];
    Field *mask = &call->outputs[0].field;
    CellMap map;
    Status status = make_mask(call, mask, &map, error);
    if (status == STATUS_OK)
        place_mask(call, mask);
    if (status == STATUS_OK)
        status = check_place(call, &map, mask, error);
    if (status != STATUS_OK || (!*params->attribute && input->type != &type_polygons))
        return status == STATUS_OK ? stroke(call, &map, mask, error) : status;
    Shapes *shapes = overlay_copy(input, &map, error);
    status = !shapes              ? STATUS_MEMORY
             : *params->attribute ? give_attribute(call, shapes, mask, error)
                                  : fill_polygons(shapes, mask, error);
    shapes_free(shapes);
    return status;
}

static const Param params[] = {
    PARAM(Rasterize, scale, .initial = 1, .min = 0.01, .max = 100,
          .doc = "cells of the field per cell of the lines' window, without like"),
    PARAM(Rasterize, line, .initial = 1, .min = 0, .max = 1000, .unit = UNIT_CELLS,
          .doc = "smallest width of lines and points; below 1 they are fainter instead"),
    PARAM(Rasterize, like, .doc = "a field whose cells the result has, wherever the lines' window lies"),
    PARAM(Rasterize, attribute, .initial_text = "",
          .doc = "a number among the attributes, which cells get instead of a share"),
    { 0 },
};

const Operation op_rasterize = {
    .name = "rasterize",
    .measures = MEASURES_SQUARES,
    .category = "places",
    .keywords = "burn raster lines network points polygons mask rivers roads field zones gdal_rasterize "
                "v.to.rast cutout",
    .summary = "Makes a mask of lines, points or polygons: the share of each cell that they cover",
    .description =
        "Use it for arguments that take a field of rivers or roads: rivers of relief, contour_map, "
        "perspective and playability, water of texture and path. Where edges meet, lines and disks go on "
        "beyond them; points know whether theirs do. Polygons cover whole cells, those whose centres they "
        "contain. With an attribute, cells have its number and others 0: lines give it to each cell that "
        "they pass through, and later ones in the list lie on top.",
    .inputs = { { "lines",
                  "lines, points or polygons",
                  { &type_network, &type_points, &type_lines, &type_polygons } } },
    .outputs = { { "mask", "0 to 1, or the attribute" } },
    .params = params,
    .params_size = sizeof(Rasterize),
    .wrapping = WRAPPING_CHOSEN,
    .framing = FRAMING_SET,
    .any_sizes = true,
    .gaps = GAPS_OWN, // only the place of `like` counts
    .shapes_outputs = true,
    .example = "local rivers = height:rivers_from_flow{ threshold = 0.01 }:rasterize()",
    .picture = "local land = height:stream_erosion{ age = 0.6 }:normalize{}\n"
               "local rivers = land:rivers_from_flow{ threshold = 0.003 }:rasterize()\n"
               "return rivers:colorize{ palette = \"heights\" }, land:relief{ rivers = rivers }",
    .see_also = "distance paint draw from_points reproject",
    .run = run,
};
