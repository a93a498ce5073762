// Cells without data: found, and declared.

#include "core/gaps.h"
#include "core/operation.h"

#include <string.h>

static Status run_find(const Call *call, Error *error) {
    (void)error;
    const Field *height = call->inputs[0].field;
    float *mask = field_cells(&call->outputs[0].field);
    for (size_t i = 0; i < field_count(height); i++)
        mask[i] = field_has_data(height, i) ? 0 : 1;
    return STATUS_OK;
}

const Operation op_find_gaps = {
    .name = "find_gaps",
    .gaps = GAPS_OWN,
    .reach = reach_none,
    .category = "filter",
    .keywords = "nodata missing void mask null",
    .summary = "Gives a mask of the cells that have no data",
    .description =
        "Fields from files may have such cells; height.gaps is how many. Operations skip them or report an "
        "error; in that case fill them with height:inpaint(height:find_gaps()), or crop.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "mask", "1 where there is no data, else 0" } },
    .always_finite = "gives 0 and 1",
    .example = "local voids = height:find_gaps()",
    .picture = "local hole = esker.shape{ kind = \"dome\", size = height.width, radius = 0.25 } * 9\n"
               "local data = height:set_gaps(hole)\n"
               "return data:relief{ low = -1, high = 1, exaggeration = 2 }, data:find_gaps():colorize{ "
               "palette = \"heights\" }",
    .see_also = "set_gaps inpaint",
    .run = run_find,
};

static Status run_set(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field, *mask = call->inputs[1].field;
    Field *result = &call->outputs[0].field;
    memcpy(field_cells(result), height->cells, field_count(height) * sizeof *height->cells);
    Gaps *gaps = gaps_new(field_count(height), error);
    if (!gaps)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(height); i++)
        gaps->at[i] = !field_has_data(height, i) || mask->cells[i] > 0.5f;
    field_set_gaps(result, gaps);
    return STATUS_OK;
}

const Operation op_set_gaps = {
    .name = "set_gaps",
    .gaps = GAPS_OWN,
    .reach = reach_none,
    .category = "filter",
    .keywords = "nodata missing void mask null cut out",
    .summary = "Marks cells as having no data",
    .description = "For the sea of a survey, or what lies beyond a border. Cells that had no data stay gaps. "
                   ".tif and .asc files keep them; in pictures they are transparent.",
    .inputs = { { "height", "heights" }, { "mask", "above 0.5: no data" } },
    .outputs = { { "height", "the same heights, with gaps", .heights = true } },
    .always_finite = "copies cells",
    .example = "local island = height:set_gaps(height:select{ height = { -1, 0.3, 0 } })\nprint(island.gaps)",
    .picture = "local hole = esker.shape{ kind = \"dome\", size = height.width, radius = 0.25 } * 9\n"
               "return height:set_gaps(hole):relief{}",
    .see_also = "find_gaps inpaint crop",
    .run = run_set,
};
