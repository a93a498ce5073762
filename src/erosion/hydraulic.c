// Hydraulic erosion (Olsen 2004, "Hydraulic erosion", after Beneš and Forsbach): rain dissolves the ground,
// flows down with it and leaves it where it evaporates. This file declares the operation; the two methods
// have files of their own.

#include "erosion/hydraulic.h"

#include "core/operation.h"
#include "erosion/erodibility.h"

static Status run(const Call *call, Error *error) {
    const HydraulicErosion *erosion = call->params;
    return erosion->method == HYDRAULIC_REFERENCE ? hydraulic_reference(call, error)
                                                  : hydraulic_fast(call, error);
}

static const Param params[] = {
    PARAM(HydraulicErosion, method, .choices = CHOICES("fast", "reference"),
          .doc = "the paper's optimized method, or the one it is measured against"),
    PARAM(HydraulicErosion, iterations, .initial = 100, .min = 0, .max = 1e6, .doc = "showers of rain"),
    PARAM(HydraulicErosion, rain, .initial = 0.01, .min = 0, .max = 1,
          .doc = "water on each cell in a shower"),
    PARAM(HydraulicErosion, solubility, .initial = 0.01, .min = 0, .max = 1,
          .doc = "ground that a unit of water dissolves"),
    PARAM(HydraulicErosion, evaporation, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the share of the water that evaporates after a shower"),
    PARAM(HydraulicErosion, capacity, .initial = 1, .min = 0, .max = 1,
          .doc = "sediment that a unit of water can carry; reference only, fast uses the solubility"),
    PARAM_MASK(HydraulicErosion),
    { 0 },
};

const Operation op_hydraulic_erosion = {
    .name = "hydraulic_erosion",
    .category = "erosion",
    .summary = "Lets rain dissolve the ground, carry it down and leave it in the valleys",
    .description =
        "Material is conserved: what is still in the water at the end settles where it is. No order of cells "
        "shows. The fast method has no sediment map: all water carries as much as it can.\n\n"
        "A shower moves water by one cell, so the effect falls with the resolution: with the same arguments "
        "it changes a field of twice the side 0.5 (fast) to 0.7 times (reference) as much, relative to the "
        "heights' standard deviation. Twice the iterations restore the effect.",
    .source = "Olsen 2004, Hydraulic erosion",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights" } },
    .params = params,
    .params_size = sizeof(HydraulicErosion),
    .example = "local washed = height:hydraulic_erosion{ iterations = 20 }",
    .wrapping = WRAPPING_CHOSEN,
    .run = run,
};
