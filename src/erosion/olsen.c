// Olsen's erosion for games (Olsen 2004, "A new proposed algorithm"): the fast thermal erosion with its
// condition turned round. What is FLATTER than the talus is levelled; steeper slopes stay and grow steeper.

#include "core/operation.h"
#include "erosion/erodibility.h"
#include "erosion/levelling.h"

typedef struct OlsenErosion {
    int iterations;
    double talus; // T
    const Field *mask;
} OlsenErosion;

static Status run(const Call *call, Error *error) {
    const OlsenErosion *erosion = call->params;
    const Levelling levelling = {
        .above = 0, .most = (float)erosion->talus, .share = 0.5f, .mask = erosion->mask
    };
    return level_in_place(call, levelling, erosion->iterations, error);
}

static const Param params[] = {
    PARAM(OlsenErosion, iterations, .initial = 50, .min = 0, .max = 1e6, .doc = "passes over the field"),
    PARAM(OlsenErosion, talus, .initial = 16, .min = 0, .max = 1e4, .unit = UNIT_PER_SIDE,
          .doc = "the greatest height difference that is levelled"),
    PARAM_MASK(OlsenErosion),
    { 0 },
};

const Operation op_olsen_erosion = {
    .name = "olsen_erosion",
    .category = "erosion",
    .summary = "Levels what is flatter than the talus and leaves steeper slopes alone",
    .description = "Makes wide flats between steep slopes, the terrain that strategy games want, in a "
                   "fraction of the time that hydraulic erosion takes. The paper uses 8 to 16 for the talus; "
                   "after 50 passes little changes. Material is conserved. The order of the cells is part of "
                   "the algorithm (src/erosion/in_place.h) and does not depend on the number of threads.",
    .source = "Olsen 2004, A new proposed algorithm",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights" } },
    .params = params,
    .params_size = sizeof(OlsenErosion),
    .example = "local land = height:olsen_erosion{ talus = 12, iterations = 20 }",
    .run = run,
};
