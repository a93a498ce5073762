// River networks grown by space colonisation (Speirs 2020).

#include "core/elementary.h"
#include "core/memory.h"
#include "core/random.h"
#include "rivers/growth.h"
#include "rivers/meander.h"
#include "rivers/network.h"
#include "rivers/profiles.h"
#include "rivers/ridges.h"

#include <math.h>

typedef struct GrownNetwork {
    int points, rivers, ridges, ridge_resolution, boundary, most_steps;
    double reach, kill, step, mouth_spacing;
    double concavity, steepest, river_width, floodplain, meander;
    Numbers polygon, mouths, ridge_lines;
    const Field *mask;
} GrownNetwork;

enum { BOUNDARY_RECTANGLE, BOUNDARY_ELLIPSE };
enum { STREAM_POINTS, STREAM_RIDGES };
enum {
    ELLIPSE_CORNERS = 128,
    CORNERS_MAX = ELLIPSE_CORNERS > NUMBERS_MAX / 2 ? ELLIPSE_CORNERS : NUMBERS_MAX / 2
};

typedef struct Plan { // what is known before rivers grow
    const Call *call;
    const GrownNetwork *params;
    double width, height; // map units
    Boundary boundary;
    Spot corners[CORNERS_MAX];
    Spot *points; // attraction points, then mouths
    int point_count, mouth_count;
    Spot *mouths, *edges; // where rivers begin, and where that flows out
    Spot *ridge_points;
    Ridge *ridges;
    int ridge_point_count, ridge_count;
    Wall *walls;
    int wall_count;
} Plan;

// --- boundary ----------------------------------------------------------------------------------------------

static void set_rectangle(Plan *plan) {
    plan->corners[0] = (Spot){ 0, 0 };
    plan->corners[1] = (Spot){ plan->width, 0 };
    plan->corners[2] = (Spot){ plan->width, plan->height };
    plan->corners[3] = (Spot){ 0, plan->height };
    plan->boundary.corner_count = 4;
    plan->boundary.convex = true;
}

// A little inside the window, so that there is sea all around.
static void set_ellipse(Plan *plan) {
    static const double share = 0.48;
    for (int i = 0; i < ELLIPSE_CORNERS; i++) {
        const double angle = 2 * PI * i / ELLIPSE_CORNERS;
        plan->corners[i] =
            (Spot){ plan->width * (0.5 + share * cosine(angle)), plan->height * (0.5 + share * sine(angle)) };
    }
    plan->boundary.corner_count = ELLIPSE_CORNERS;
    plan->boundary.convex = plan->boundary.coast = true;
}

static bool in_window(const Plan *plan, Spot spot) {
    return spot.x >= 0 && spot.y >= 0 && spot.x <= plan->width && spot.y <= plan->height;
}

static Spot row_of(const Numbers *numbers, int columns, int row, int first) {
    return (Spot){ numbers->at[columns * row + first], numbers->at[columns * row + first + 1] };
}

static Status set_polygon(Plan *plan, Error *error) {
    const Numbers *polygon = &plan->params->polygon;
    const int count = polygon->count / 2;
    if (count < 3)
        return fail(error, STATUS_INVALID, "polygon must have at least 3 corners, got %d", count);
    for (int i = 0; i < count; i++) {
        plan->corners[i] = row_of(polygon, 2, i, 0);
        if (!in_window(plan, plan->corners[i]))
            return fail(error, STATUS_INVALID,
                        "polygon: corner %d must lie in the window, 0 to %g and 0 to %g, got (%g, %g)", i + 1,
                        plan->width, plan->height, plan->corners[i].x, plan->corners[i].y);
    }
    plan->boundary.corner_count = count;
    plan->boundary.coast = true;
    return boundary_check(&plan->boundary, error);
}

static Status set_mask(Plan *plan, Error *error) {
    const Field *mask = plan->params->mask;
    Boundary *boundary = &plan->boundary;
    boundary->columns = mask->width;
    boundary->rows = mask->height;
    boundary->cell = plan->width / mask->width;
    boundary->coast = true;
    if (mask->width < 2 || mask->height < 2 ||
        !(fabs(boundary->cell * mask->height - plan->height) <= 0.5 * boundary->cell))
        return fail(error, STATUS_INVALID,
                    "mask must have the proportions of the network, %d × %d, got %d × %d", plan->call->width,
                    plan->call->height, mask->width, mask->height);
    boundary->shore = memory_new(field_count(mask), sizeof *boundary->shore, error);
    if (!boundary->shore)
        return STATUS_MEMORY;
    return boundary_measure_mask(boundary, mask, error);
}

static Status set_boundary(Plan *plan, Error *error) {
    plan->boundary.corners = plan->corners;
    if (plan->params->mask && plan->params->polygon.count)
        return fail(error, STATUS_INVALID, "give polygon or mask, not both");
    if (plan->params->mask)
        return set_mask(plan, error);
    if (plan->params->polygon.count)
        return set_polygon(plan, error);
    if (plan->params->boundary == BOUNDARY_ELLIPSE)
        set_ellipse(plan);
    else
        set_rectangle(plan);
    return STATUS_OK;
}

// --- points ------------------------------------------------------------------------------------------------

// The places of a stream are tried in turn; those inside the boundary count.
typedef struct Places {
    RandomKey key;
    uint32_t tried;
} Places;

static bool next_place(const Plan *plan, Places *places, Spot *place) {
    enum { TRIES = 1 << 16 }; // a smaller share of the window is no boundary
    const double margin = plan->boundary.corner_count ? 0 : 0.5 * plan->boundary.cell;
    for (int i = 0; i < TRIES; i++) {
        place->x = plan->width * (double)random_unit(places->key, places->tried, 0);
        place->y = plan->height * (double)random_unit(places->key, places->tried, 1);
        places->tried++;
        if (boundary_distance(&plan->boundary, *place) > margin)
            return true;
    }
    return false;
}

static Status scatter(Plan *plan, Error *error) {
    Places places = { random_key(plan->call->seed, STREAM_POINTS), 0 };
    plan->point_count = plan->params->points;
    plan->points = memory_new((size_t)plan->point_count, sizeof *plan->points, error);
    if (!plan->points)
        return STATUS_MEMORY;
    for (int i = 0; i < plan->point_count; i++)
        if (i % (1 << 16) == 0 && run_stopped(plan->call->run))
            return STATUS_STOPPED;
        else if (!next_place(plan, &places, &plan->points[i]))
            return fail(error, STATUS_INVALID, "the boundary is too small: no attraction point lies inside");
    return STATUS_OK;
}

// --- mouths ------------------------------------------------------------------------------------------------

static Status take_given_mouths(Plan *plan, Error *error) {
    for (int i = 0; i < plan->mouth_count; i++) {
        const Spot mouth = row_of(&plan->params->mouths, 2, i, 0);
        if (!(boundary_distance(&plan->boundary, mouth) >= -1e-9))
            return fail(error, STATUS_INVALID, "mouths: number %d, (%g, %g), lies outside the boundary",
                        i + 1, mouth.x, mouth.y);
        plan->mouths[i] = plan->edges[i] = mouth;
    }
    return STATUS_OK;
}

static bool is_apart(const Plan *plan, Spot spot, int count, double spacing) {
    for (int i = 0; i < count; i++)
        if (spot_distance(spot, plan->mouths[i]) < spacing)
            return false;
    return true;
}

// The points closest to the boundary become mouths (Speirs 2020, section 4), and are points no more. The
// paper's may all lie side by side: ours keep apart, less far where there is no room.
static void find_mouths(Plan *plan, double *distances) {
    double spacing = plan->params->mouth_spacing;
    for (int i = 0; i < plan->point_count; i++)
        distances[i] = boundary_distance(&plan->boundary, plan->points[i]);
    for (int count = 0; count < plan->mouth_count;) {
        int closest = -1;
        for (int i = 0; i < plan->point_count; i++)
            if ((closest < 0 || distances[i] < distances[closest]) &&
                is_apart(plan, plan->points[i], count, spacing))
                closest = i;
        if (closest < 0) {
            spacing = spacing > 1e-3 ? spacing / 2 : 0;
            continue;
        }
        plan->mouths[count] = plan->points[closest];
        plan->edges[count] = boundary_nearest(&plan->boundary, plan->points[closest]);
        count++;
        const int last = --plan->point_count;
        plan->points[closest] = plan->points[last];
        distances[closest] = distances[last];
    }
}

static Status choose_mouths(Plan *plan, Error *error) {
    const bool given = plan->params->mouths.count > 0;
    plan->mouth_count = given ? plan->params->mouths.count / 2 : plan->params->rivers;
    if (!given && plan->mouth_count > plan->point_count)
        return fail(error, STATUS_INVALID, "rivers must be at most points, %d, got %d", plan->point_count,
                    plan->mouth_count);
    plan->mouths = memory_new((size_t)plan->mouth_count, sizeof *plan->mouths, error);
    plan->edges = plan->mouths ? memory_new((size_t)plan->mouth_count, sizeof *plan->edges, error) : NULL;
    if (!plan->edges)
        return STATUS_MEMORY;
    if (given)
        return take_given_mouths(plan, error);
    double *distances = memory_new((size_t)plan->point_count, sizeof *distances, error);
    if (!distances)
        return STATUS_MEMORY;
    find_mouths(plan, distances);
    memory_free(distances);
    return STATUS_OK;
}

// --- ridges ------------------------------------------------------------------------------------------------

static void add_span(Plan *plan, Spot a, Spot b, Spot c, Spot d) {
    Ridge *ridge = &plan->ridges[plan->ridge_count - 1];
    const int resolution = plan->params->ridge_resolution;
    Spot *places = plan->ridge_points + plan->ridge_point_count - (ridge->count > 0);
    ridge_span(a, b, c, d, resolution, places);
    for (int i = 0; i < resolution; i++)
        plan->walls[plan->wall_count++] = (Wall){ places[i], places[i + 1] };
    for (int i = 0; i <= resolution; i++) {
        ridge->low = (Spot){ fmin(ridge->low.x, places[i].x), fmin(ridge->low.y, places[i].y) };
        ridge->high = (Spot){ fmax(ridge->high.x, places[i].x), fmax(ridge->high.y, places[i].y) };
    }
    const int added = resolution + (ridge->count == 0);
    plan->ridge_point_count += added;
    ridge->count += added;
}

static void begin_ridge(Plan *plan) {
    plan->ridges[plan->ridge_count++] = (Ridge){ .first = plan->ridge_point_count,
                                                 .low = { INFINITY, INFINITY },
                                                 .high = { -INFINITY, -INFINITY } };
}

static Spot mirrored(Spot at, Spot other) {
    return (Spot){ 2 * at.x - other.x, 2 * at.y - other.y };
}

// Between two places inside, not too close to each other, bent by two others.
static void add_random_ridges(Plan *plan) {
    static const double shortest = 0.25;
    Places places = { random_key(plan->call->seed, STREAM_RIDGES), 0 };
    for (int i = 0; i < plan->params->ridges; i++) {
        Spot spots[4];
        for (int k = 0; k < 4; k++)
            if (!next_place(plan, &places, &spots[k]))
                return;
        for (int tries = 0; tries < 64 && spot_distance(spots[1], spots[2]) < shortest; tries++)
            if (!next_place(plan, &places, &spots[2]))
                return;
        begin_ridge(plan);
        add_span(plan, spots[0], spots[1], spots[2], spots[3]);
    }
}

// Rows { ridge, x, y }: rows of one number follow each other and are one spline.
static Status add_given_ridges(Plan *plan, Error *error) {
    const Numbers *lines = &plan->params->ridge_lines;
    const int rows = lines->count / 3;
    for (int first = 0, end; first < rows; first = end) {
        for (end = first + 1; end < rows && lines->at[3 * end] == lines->at[3 * first];)
            end++;
        if (end - first < 2)
            return fail(error, STATUS_INVALID, "ridge_lines: ridge %g has one place, and needs two",
                        lines->at[3 * first]);
        begin_ridge(plan);
        for (int i = first; i + 1 < end; i++) {
            const Spot b = row_of(lines, 3, i, 1), c = row_of(lines, 3, i + 1, 1);
            const Spot a = i > first ? row_of(lines, 3, i - 1, 1) : mirrored(b, c);
            const Spot d = i + 2 < end ? row_of(lines, 3, i + 2, 1) : mirrored(c, b);
            add_span(plan, a, b, c, d);
        }
    }
    return STATUS_OK;
}

static Status make_ridges(Plan *plan, Error *error) {
    const int rows = plan->params->ridge_lines.count / 3, ridges = plan->params->ridges + rows;
    const size_t places = (size_t)(ridges + 1) * ((size_t)plan->params->ridge_resolution + 1);
    if (!(plan->ridges = memory_new((size_t)ridges + 1, sizeof *plan->ridges, error)) ||
        !(plan->ridge_points = memory_new(places, sizeof *plan->ridge_points, error)) ||
        !(plan->walls = memory_new(places, sizeof *plan->walls, error)))
        return STATUS_MEMORY;
    add_random_ridges(plan);
    return add_given_ridges(plan, error);
}

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
    // A reach that was not given grows until all points are reached that can be seen.
    static const double widest = 0.5;
    const bool chosen = plan->params->reach > 0 || plan->params->most_steps > 0;
    while (status == STATUS_OK && !chosen && growth->attraction.left > 0 && growth->reach < widest) {
        growth_widen(growth, 2 * growth->reach);
        status = growth_run(growth, plan->call->run, error);
    }
    return status;
}

static void add_nodes(const Plan *plan, const Growth *growth, const Profiles *profiles,
                      const ProfileShape *shape, NetworkBuilder *builder) {
    const double side = plan->call->width > plan->call->height ? plan->call->width : plan->call->height;
    const double area = boundary_area(&plan->boundary) / plan->params->points; // that a point stands for
    network_reserve(builder, growth->count);
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

static RiverNetwork *build(const Plan *plan, NetworkBuilder *builder, Error *error) {
    const double side = plan->call->width > plan->call->height ? plan->call->width : plan->call->height;
    const RiverNetwork frame = { .width = plan->call->width,
                                 .height = plan->call->height,
                                 .cell = 1 / side,
                                 .ridge_count = plan->ridge_count,
                                 .ridge_point_count = plan->ridge_point_count,
                                 .ridges = plan->ridges,
                                 .ridge_points = plan->ridge_points,
                                 .boundary = plan->boundary };
    RiverNetwork *network = network_finish(builder, network_frame_size(&frame), error);
    if (network)
        network_copy_frame(network, &frame);
    return network;
}

// Lengths that are not given follow the points: twice as many, twice as fine.
static Status set_lengths(const Plan *plan, Growth *growth, Error *error) {
    const GrownNetwork *params = plan->params;
    const double apart = sqrt(boundary_area(&plan->boundary) / params->points);
    growth->reach = params->reach > 0 ? params->reach : params->kill > 0 ? 2 * params->kill : 1.8 * apart;
    growth->kill = params->kill > 0 ? params->kill : growth->reach / 2;
    growth->step = params->step > 0 ? params->step : growth->kill;
    if (!(growth->reach > growth->kill))
        return fail(error, STATUS_INVALID, "reach must be larger than kill, %g, got %g", growth->kill,
                    growth->reach);
    if (!(growth->step >= 1e-5))
        return fail(error, STATUS_INVALID, "step must be at least 1e-05, got %g", growth->step);
    return STATUS_OK;
}

static Status grow_network(Plan *plan, Output *output, Error *error) {
    const GrownNetwork *params = plan->params;
    Growth growth = { .boundary = &plan->boundary,
                      .walls = plan->walls,
                      .wall_count = plan->wall_count,
                      .most_steps = params->most_steps };
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
    RiverNetwork *network = status == STATUS_OK ? build(plan, &builder, error) : NULL;
    if (network && params->meander > 0) {
        output->network = network_meander(network, params->meander, plan->call->seed, error);
        memory_free(network);
    } else {
        output->network = network;
    }
    return status == STATUS_OK && !output->network ? STATUS_MEMORY : status;
}

static Status run(const Call *call, Error *error) {
    const GrownNetwork *params = call->params;
    const double side = call->width > call->height ? call->width : call->height;
    Plan *plan = memory_new_zeroed(1, sizeof *plan, error);
    if (!plan)
        return STATUS_MEMORY;
    plan->call = call;
    plan->params = params;
    plan->width = call->width / side;
    plan->height = call->height / side;
    Status status = set_boundary(plan, error);
    if (status == STATUS_OK)
        status = scatter(plan, error);
    if (status == STATUS_OK)
        status = choose_mouths(plan, error);
    if (status == STATUS_OK)
        status = make_ridges(plan, error);
    if (status == STATUS_OK)
        status = grow_network(plan, &call->outputs[0], error);
    memory_free(plan->walls);
    memory_free(plan->ridge_points);
    memory_free(plan->ridges);
    memory_free(plan->edges);
    memory_free(plan->mouths);
    memory_free(plan->points);
    memory_free(plan->boundary.shore);
    memory_free(plan);
    return status;
}

static const Param params[] = {
    PARAM(GrownNetwork, points, .initial = 8000, .min = 1, .max = 1e8,
          .doc = "attraction points; the more, the more tributaries"),
    PARAM(GrownNetwork, rivers, .initial = 4, .min = 1, .max = 1000,
          .doc = "rivers; the points closest to the boundary become their mouths"),
    PARAM(GrownNetwork, mouths, .columns = 2, .min = 0, .max = 1,
          .doc = "the mouths by hand instead, a list of { x, y }"),
    PARAM(GrownNetwork, mouth_spacing, .initial = 0.2, .min = 0, .max = 1,
          .doc = "how far mouths keep apart, where there is room"),
    PARAM(GrownNetwork, reach, .initial = 0, .min = 0, .max = 2,
          .doc = "points farther from a tributary do not pull it; 0: 1.8 mean distances "
                 "between points, and more where none is so close"),
    PARAM(GrownNetwork, kill, .initial = 0, .min = 0, .max = 1,
          .doc = "a point so close to a tributary is reached; 0: half of reach"),
    PARAM(GrownNetwork, step, .initial = 0, .min = 0, .max = 1,
          .doc = "how far a tributary grows at once; 0: as kill"),
    PARAM(GrownNetwork, most_steps, .initial = 0, .min = 0, .max = 1e6,
          .doc = "stop after so many steps; 0: when no point pulls any more"),
    PARAM(GrownNetwork, boundary, .choices = CHOICES("rectangle", "ellipse"),
          .doc = "where rivers grow: in the window, or on an oval island in it"),
    PARAM(GrownNetwork, polygon, .columns = 2, .min = 0, .max = 1,
          .doc = "the coast by hand instead, a list of corners { x, y }"),
    PARAM(GrownNetwork, mask, .doc = "the land instead: cells over 0.5"),
    PARAM(GrownNetwork, ridges, .initial = 0, .min = 0, .max = 1000,
          .doc = "random ridges, which no tributary crosses"),
    PARAM(GrownNetwork, ridge_lines, .columns = 3, .min = 0, .max = 1e4,
          .doc = "ridges by hand: places { ridge, x, y }, those of one number in a row"),
    PARAM(GrownNetwork, ridge_resolution, .initial = 10, .min = 1, .max = 1000,
          .doc = "straight lines of a ridge between two places"),
    PARAM(GrownNetwork, concavity, .initial = 0.35, .min = 0, .max = 1,
          .doc = "how much steeper rivers are upstream: gradients go with area^-concavity; 0: all alike"),
    PARAM(
        GrownNetwork, steepest, .initial = 3, .min = 0.01, .max = 1e4,
        .doc =
            "how much higher than another river beside it one may lie, in heights a side: from half of this "
            "at the sea to one and a half times at the top"),
    PARAM(GrownNetwork, floodplain, .initial = 3, .min = 0, .max = 100,
          .doc = "how far from its banks a river keeps others low, in its widths"),
    PARAM(GrownNetwork, meander, .initial = 1, .min = 0, .max = 1.5,
          .doc = "how much rivers wind, the more the wider and the lower they are; 0: straight from point to "
                 "point"),
    PARAM(GrownNetwork, river_width, .initial = 0.01, .min = 0, .max = 0.5,
          .doc = "of the largest river at its mouth; others by the square root of what they drain"),
    { 0 },
};

const Operation op_river_network = {
    .name = "river_network",
    .category = "rivers",
    .summary = "Grows rivers from their mouths into the land, by space colonisation",
    .description =
        "Attraction points fill the land; each pulls the closest tributary within reach, which grows a step "
        "in the "
        "mean direction of all that pull it and its own, until it comes as close as kill. Rivers compete for "
        "points; no tributary crosses a ridge, a river or the boundary.\n\n"
        "Places and lengths are in map units: the window's longer side is 1, (0, 0) its upper left corner, "
        "so "
        "that a network does not depend on size. Altitudes are 0 at mouths and 0.8 at most.\n\n"
        "Beside the operations on networks there are network:reaches() (see rivers; here points have also "
        "discharge, the drained cells, and distance to the mouth along the river, in cells), #network, their "
        "number, network:walk(number), which gives a reach's points in a for loop and then those downstream "
        "to "
        "the mouth, and network:ridges(), lists of places in cells.",
    .source = "Speirs 2020, sections 4 and 5.2; Runions, Lane and Prusinkiewicz 2007",
    .outputs = { { "network", "the rivers", KIND_NETWORK } },
    .params = params,
    .params_size = sizeof(GrownNetwork),
    .sized = true,
    .seeded = true,
    .any_sizes = true,
    .example =
        "local rivers = esker.river_network{ points = 500, rivers = 3, ridges = 1, seed = 2, size = 64 }",
    .run = run,
};
