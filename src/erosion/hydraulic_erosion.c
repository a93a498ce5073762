// Hydraulic erosion (Olsen 2004, "Hydraulic erosion", after Beneš and Forsbach): rain dissolves ground,
// carries it downhill and deposits it where the water evaporates. This file declares the operation; each of
// the two methods has its own file.

#include "erosion/hydraulic_erosion.h"

#include "core/operation.h"
#include "erosion/erodibility.h"

static Status run(const Call *call, Error *error) {
    const HydraulicErosion *erosion = call->params;
    return erosion->method == HYDRAULIC_REFERENCE ? hydraulic_reference(call, error)
                                                  : hydraulic_fast(call, error);
}

// What flows from a neighbour depends on its own neighbours.
static int hydraulic_reach(const Call *call) {
    return 2 * ((const HydraulicErosion *)call->params)->iterations;
}

static const Param params[] = {
    PARAM(HydraulicErosion, method, .choices = CHOICES("fast", "reference"),
          .doc = "the paper's optimized method, or its reference method"),
    PARAM(HydraulicErosion, iterations, .initial = 100, .min = 0, .max = 1e6, .doc = "number of showers"),
    PARAM(HydraulicErosion, rain, .initial = 0.01, .min = 0, .max = 1,
          .doc = "water added to each cell in a shower"),
    PARAM(HydraulicErosion, solubility, .initial = 0.01, .min = 0, .max = 1,
          .doc = "ground dissolved by a unit of water"),
    PARAM(HydraulicErosion, evaporation, .initial = 0.5, .min = 0, .max = 1,
          .doc = "share of the water that evaporates after a shower"),
    PARAM(HydraulicErosion, capacity, .initial = 1, .min = 0, .max = 1,
          .doc = "sediment that a unit of water can carry; only for \"reference\", \"fast\" uses the "
                 "solubility"),
    PARAM_MASK(HydraulicErosion),
    { 0 },
};

const Operation op_hydraulic_erosion = {
    .name = "hydraulic_erosion",
    .reach = hydraulic_reach,
    .measures = MEASURES_SQUARES,
    .category = "erosion",
    .keywords = "water rain sediment weather fluvial droplet wear deposits",
    .summary = "Simulates rain that dissolves ground, carries it downhill and deposits it in valleys",
    .description = "Material is conserved: sediment that is still in the water at the end is deposited "
                   "where it is. The result does not depend on the order of cells. The fast method has "
                   "no sediment map: water always carries as much as it can.\n\n"
                   "A shower moves water by one cell, so the effect decreases with resolution. With the "
                   "same arguments, a field of twice the side changes 0.5 (fast) to 0.7 times "
                   "(reference) as much, relative to the standard deviation of its heights. Twice the "
                   "iterations restore the effect.",
    .source = "Olsen 2004, Hydraulic erosion",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights", .heights = true } },
    .params = params,
    .params_size = sizeof(HydraulicErosion),
    .example = "local washed = height:hydraulic_erosion{ iterations = 20 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:hydraulic_erosion{ method = \"reference\", iterations = 300 }",
    .see_also = "thermal_erosion olsen_erosion flow_accumulation",
    .run = run,
};
