// River networks grown by space colonisation (Speirs 2020).

#include "core/math.h"
#include "core/memory.h"
#include "rivers/growth_inputs.h"
#include "rivers/meander.h"
#include "rivers/profiles.h"

#include <math.h>

// --- growth ------------------------------------------------------------------------------------------------

static Status grow(Plan *plan, Growth *growth, Error *error) {
    Status status = attraction_create(&growth->attraction, plan->points, plan->point_count, error);
    memory_free(plan->points); // sorted copies are in use from here on
    plan->points = NULL;
    if (status == STATUS_OK)
        status = growth_begin(growth, plan->width, plan->height, error);
    for (int i = 0; i < plan->mouth_count && status == STATUS_OK; i++)
        status = growth_plant(growth, plan->edges[i], plan->mouths[i], error);
    if (status == STATUS_OK)
        status = growth_run(growth, plan->call->run, error);
    // A default reach grows until all visible points are reached.
    static const double widest = 0.5;
    const bool chosen = plan->params->reach > 0 || plan->params->max_steps > 0;
    while (status == STATUS_OK && !chosen && growth->attraction.left > 0 && growth->reach < widest) {
        growth_widen(growth, 2 * growth->reach);
        status = growth_run(growth, plan->call->run, error);
    }
    return status;
}

static void add_nodes(const Plan *plan, const Growth *growth, const Profiles *profiles,
                      const ProfileShape *shape, NetworkBuilder *builder) {
    const double side = max(plan->call->width, plan->call->height);
    const double area = boundary_area(&plan->boundary) / plan->params->points; // that a point represents
    network_reserve(builder, growth->count, false);
    for (int i = 0; i < growth->count; i++) {
        const Tributary *tributary = &growth->tributaries[i];
        const double width = profile_width(shape, profiles->drained[i], profiles->most);
        const RiverPoint point = { .x = tributary->at.x * side,
                                   .y = tributary->at.y * side,
                                   .altitude = profiles->altitude[i],
                                   .width = (float)(width * side),
                                   .area = profiles->drained[i] * area };
        network_node(builder, 0, point);
    }
    for (int i = 0; i < growth->count; i++) {
        const int parent = growth->tributaries[i].parent;
        network_link(builder, i, parent >= 0 ? parent : NETWORK_MOUTH);
    }
}

static Status build(const Plan *plan, NetworkBuilder *builder, RiverNetwork **network, Error *error) {
    const double side = max(plan->call->width, plan->call->height);
    const RiverNetwork frame = { .width = plan->call->width,
                                 .height = plan->call->height,
                                 .cell = 1 / side,
                                 .ridge_count = plan->ridge_count,
                                 .ridge_point_count = plan->ridge_point_count,
                                 .ridges = plan->ridges,
                                 .ridge_points = plan->ridge_points,
                                 .boundary = plan->boundary };
    const Status status =
        network_finish(builder, STATUS_OK, plan->call->run, network_grown_size(&frame), network, error);
    if (status == STATUS_OK)
        network_copy_grown(*network, &frame);
    return status;
}

// Default lengths scale with the distance between points.
static Status set_lengths(const Plan *plan, Growth *growth, Error *error) {
    const GrownNetwork *params = plan->params;
    const double apart = sqrt(boundary_area(&plan->boundary) / params->points);
    growth->reach = params->reach > 0 ? params->reach : params->kill > 0 ? 2 * params->kill : 1.8 * apart;
    growth->kill = params->kill > 0 ? params->kill : growth->reach / 2;
    growth->step = params->step > 0 ? params->step : growth->kill;
    if (!(growth->reach > growth->kill))
        return fail(error, STATUS_INVALID, "reach must be larger than kill, %s, got %s",
                    digits_of(growth->kill).text, digits_of(growth->reach).text);
    if (!(growth->step >= 1e-5))
        return fail(error, STATUS_INVALID, "step must be at least 1e-05, got %s",
                    digits_of(growth->step).text);
    return STATUS_OK;
}

static Status grow_network(Plan *plan, Output *output, Error *error) {
    const GrownNetwork *params = plan->params;
    Growth growth = { .boundary = &plan->boundary,
                      .walls = plan->walls,
                      .wall_count = plan->wall_count,
                      .max_steps = params->max_steps };
    const ProfileShape shape = { params->concavity, params->steepest, params->river_width,
                                 params->floodplain };
    Profiles profiles = { 0 };
    NetworkBuilder builder = { 0 };
    Status status = set_lengths(plan, &growth, error);
    if (status == STATUS_OK)
        status = grow(plan, &growth, error);
    growth_finish(&growth);
    if (status == STATUS_OK)
        status = profiles_create(&profiles, &growth, &shape, error);
    if (status == STATUS_OK)
        add_nodes(plan, &growth, &profiles, &shape, &builder);
    profiles_free(&profiles);
    growth_free(&growth);
    if (status != STATUS_OK)
        return status;
    RiverNetwork *network, *bent = NULL;
    status = build(plan, &builder, &network, error);
    if (status != STATUS_OK || params->meander == 0) {
        output->value = network;
        return status;
    }
    status = network_meander(network, params->meander, plan->call, &bent, error);
    memory_free(network);
    output->value = bent;
    return status;
}

static Status run(const Call *call, Error *error) {
    Plan *plan = memory_new(1, sizeof *plan, error);
    if (!plan)
        return STATUS_MEMORY;
    Status status = plan_create(plan, call, error);
    if (status == STATUS_OK)
        status = grow_network(plan, &call->outputs[0], error);
    plan_free(plan);
    memory_free(plan);
    return status;
}

static const Param params[] = {
    PARAM(GrownNetwork, points, .initial = 8000, .min = 1, .max = 1e8,
          .doc = "number of attraction points; more give more tributaries"),
    PARAM(GrownNetwork, rivers, .initial = 4, .min = 1, .max = 1000,
          .doc = "largest number of rivers; the points closest to the boundary become their mouths"),
    PARAM(GrownNetwork, mouths, .columns = 2, .min = 0, .max = 1,
          .doc = "mouths given by hand, a list of { x, y }"),
    PARAM(GrownNetwork, mouth_spacing, .initial = 0.2, .min = 0, .max = 1,
          .doc = "smallest distance between mouths, where there is room"),
    PARAM(GrownNetwork, reach, .initial = 0, .min = 0, .max = 2,
          .doc = "points farther than this from a tributary do not pull it; 0: 1.8 times the mean "
                 "distance between points, and more where none is as close"),
    PARAM(GrownNetwork, kill, .initial = 0, .min = 0, .max = 1,
          .doc = "a point this close to a tributary is reached; 0: half of reach"),
    PARAM(GrownNetwork, step, .initial = 0, .min = 0, .max = 1,
          .doc = "length of a growth step; 0: the same as kill"),
    PARAM(GrownNetwork, max_steps, .initial = 0, .min = 0, .max = 1e6,
          .doc = "number of growth steps; 0: until no point pulls"),
    PARAM(GrownNetwork, boundary, .choices = CHOICES("rectangle", "ellipse"),
          .doc = "where rivers grow: in the whole window, or on an oval island in it"),
    PARAM(GrownNetwork, polygon, .columns = 2, .rows_min = 3, .optional = true, .min = 0, .max = 1,
          .doc = "coast given by hand, a list of corners { x, y }"),
    PARAM(GrownNetwork, mask, .doc = "land given by hand: cells above 0.5"),
    PARAM(GrownNetwork, ridges, .initial = 0, .min = 0, .max = 1000,
          .doc = "number of random ridges, which no tributary crosses"),
    PARAM(GrownNetwork, ridge_lines, .columns = 3, .min = 0, .max = 1e4,
          .doc = "ridges given by hand: points { ridge, x, y }; consecutive points with the same "
                 "number form a ridge"),
    PARAM(GrownNetwork, ridge_resolution, .initial = 10, .min = 1, .max = 1000,
          .doc = "straight segments of a ridge between two points"),
    PARAM(GrownNetwork, concavity, .initial = 0.35, .min = 0, .max = 1,
          .doc = "how much steeper rivers are upstream: gradients are proportional to "
                 "area^-concavity; 0: the same everywhere"),
    PARAM(GrownNetwork, steepest, .initial = 3, .min = 0.01, .max = 1e4,
          .doc = "how far a river may be above another beside it, in heights per side: half of this "
                 "at the sea to 1.5 times at the top"),
    PARAM(GrownNetwork, floodplain, .initial = 3, .min = 0, .max = 100,
          .doc = "distance from its banks within which a river keeps others low, in river widths"),
    PARAM(GrownNetwork, meander, .initial = 1, .min = 0, .max = 1.5,
          .doc = "how much rivers wind, more where they are wide and low; 0: straight from point to "
                 "point"),
    PARAM(GrownNetwork, river_width, .initial = 0.01, .min = 0, .max = 0.5,
          .doc = "width of the largest river at its mouth, in map units; others proportional to the "
                 "square root of their discharge"),
    { 0 },
};

const Operation op_river_network = {
    .name = "river_network",
    .measures = MEASURES_SQUARES,
    .category = "rivers",
    .keywords = "space colonisation colonization tree branching drainage grow",
    .summary = "Grows rivers inland from their mouths by space colonisation",
    .description = "Attraction points fill the land. Each pulls the closest tributary within reach, "
                   "which grows a step in the mean direction of all its pulls and its own, until it is "
                   "within kill of the point. Rivers compete for points. No tributary crosses a ridge, "
                   "a river or the boundary.\n\n"
                   "Positions and lengths are in map units: the longer side of the window is 1, (0, 0) "
                   "its upper left corner, so that a network does not depend on size. Altitudes are 0 "
                   "at mouths and at most 0.8.\n\n"
                   "Networks also have network:reaches() (see rivers). Their points also have discharge, "
                   "in drained cells, and distance to the mouth along the river, in cells. #network is "
                   "the number of reaches. network:walk(number) iterates over a reach's points and then "
                   "those downstream to the mouth. network:ridges() gives lists of points in cells.",
    .source = "Speirs 2020, sections 4 and 5.2; Runions, Lane and Prusinkiewicz 2007",
    .outputs = { { "network", "the rivers", &type_network } },
    .params = params,
    .params_size = sizeof(GrownNetwork),
    .sized = true,
    .seeded = true,
    .any_sizes = true,
    .example =
        "local rivers = esker.river_network{ points = 500, rivers = 3, ridges = 1, seed = 2, size = 64 }",
    .picture = "return esker.river_network{ size = 128, points = 1500, rivers = 3, ridges = 1, seed = 2 }",
    .see_also = "terrain draw network_statistics",
    .run = run,
};
