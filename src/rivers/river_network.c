// River networks grown by space colonisation (Speirs 2020).

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "rivers/boundary.h"
#include "rivers/growth.h"
#include "rivers/meander.h"
#include "rivers/network.h"
#include "rivers/profiles.h"

#include <math.h>

// --- inputs of growth --------------------------------------------------------------------------------------

// The inputs of growth: boundary, attraction points, mouths and ridges (Speirs 2020, section 4.3).

typedef struct GrownNetwork {
    int points, rivers, ridges, ridge_resolution, boundary, max_steps;
    double reach, kill, step, mouth_spacing;
    double concavity, steepest, river_width, floodplain, meander;
    Numbers polygon, mouths, ridge_lines;
    const Field *mask;
} GrownNetwork;

enum { BOUNDARY_RECTANGLE, BOUNDARY_ELLIPSE };
enum {
    ELLIPSE_CORNERS = 128,
    CORNERS_MAX = ELLIPSE_CORNERS > NUMBERS_MAX / 2 ? ELLIPSE_CORNERS : NUMBERS_MAX / 2
};

typedef struct Plan {
    const Call *call;
    const GrownNetwork *params;
    double width, height; // map units
    Boundary boundary;
    Vec2 corners[CORNERS_MAX];
    Vec2 *points; // attraction points
    int point_count, mouth_count;
    Vec2 *mouths, *edges; // where rivers begin, and where they flow out
    Vec2 *ridge_points;
    Ridge *ridges;
    int ridge_point_count, ridge_count;
    Wall *walls;
    int wall_count;
} Plan;

enum { STREAM_POINTS, STREAM_RIDGES };

// --- boundary ----------------------------------------------------------------------------------------------

static void set_rectangle(Plan *plan) {
    plan->corners[0] = (Vec2){ 0, 0 };
    plan->corners[1] = (Vec2){ plan->width, 0 };
    plan->corners[2] = (Vec2){ plan->width, plan->height };
    plan->corners[3] = (Vec2){ 0, plan->height };
    plan->boundary.corner_count = 4;
    plan->boundary.convex = true;
}

// Slightly inside the window, so that there is sea all around.
static void set_ellipse(Plan *plan) {
    static const double share = 0.48;
    for (int i = 0; i < ELLIPSE_CORNERS; i++) {
        const double angle = 2 * PI * i / ELLIPSE_CORNERS;
        plan->corners[i] =
            (Vec2){ plan->width * (0.5 + share * cosine(angle)), plan->height * (0.5 + share * sine(angle)) };
    }
    plan->boundary.corner_count = ELLIPSE_CORNERS;
    plan->boundary.convex = plan->boundary.coast = true;
}

static bool in_window(const Plan *plan, Vec2 spot) {
    return spot.x >= 0 && spot.y >= 0 && spot.x <= plan->width && spot.y <= plan->height;
}

static Vec2 row_of(const Numbers *numbers, int columns, int row, int first) {
    return (Vec2){ numbers->at[columns * row + first], numbers->at[columns * row + first + 1] };
}

static Status set_polygon(Plan *plan, Error *error) {
    const Numbers *polygon = &plan->params->polygon;
    const int count = polygon->count / 2;
    for (int i = 0; i < count; i++) {
        plan->corners[i] = row_of(polygon, 2, i, 0);
        if (!in_window(plan, plan->corners[i]))
            return fail(error, STATUS_INVALID,
                        "polygon: corner %d must be in the window, 0 to %s and 0 to %s, got (%s, %s)", i + 1,
                        digits_of(plan->width).text, digits_of(plan->height).text,
                        digits_of(plan->corners[i].x).text, digits_of(plan->corners[i].y).text);
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

// Tries the positions of a random stream in turn; those inside the boundary count.
typedef struct Places {
    RandomKey key;
    uint32_t tried;
} Places;

static bool next_place(const Plan *plan, Places *places, Vec2 *place) {
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
    uint32_t polled = 1; // in 2^16 tries: a small island takes many for each point
    plan->point_count = plan->params->points;
    plan->points = memory_new((size_t)plan->point_count, sizeof *plan->points, error);
    if (!plan->points)
        return STATUS_MEMORY;
    for (int i = 0; i < plan->point_count; i++) {
        if (places.tried >> 16 != polled && run_stopped(plan->call->run))
            return STATUS_STOPPED;
        polled = places.tried >> 16;
        if (!next_place(plan, &places, &plan->points[i]))
            return fail(error, STATUS_INVALID, "the boundary is too small: no attraction point is inside");
    }
    return STATUS_OK;
}

// --- mouths ------------------------------------------------------------------------------------------------

static Status take_given_mouths(Plan *plan, Error *error) {
    for (int i = 0; i < plan->mouth_count; i++) {
        const Vec2 mouth = row_of(&plan->params->mouths, 2, i, 0);
        if (!(boundary_distance(&plan->boundary, mouth) >= -1e-9))
            return fail(error, STATUS_INVALID, "mouths: number %d, (%s, %s), is outside the boundary", i + 1,
                        digits_of(mouth.x).text, digits_of(mouth.y).text);
        for (int k = 0; k < i; k++)
            if (vec2_distance(mouth, plan->mouths[k]) == 0)
                return fail(error, STATUS_INVALID, "mouths: numbers %d and %d are the same", k + 1, i + 1);
        plan->mouths[i] = plan->edges[i] = mouth;
    }
    return STATUS_OK;
}

static bool is_apart(const Plan *plan, Vec2 spot, int count, double spacing) {
    for (int i = 0; i < count; i++)
        if (vec2_distance(spot, plan->mouths[i]) < spacing)
            return false;
    return true;
}

// The points closest to the boundary become mouths (Speirs 2020, section 4) and stop being points. In the
// paper they may all be side by side; ours keep a distance, which shrinks if there is no room.
static Status find_mouths(Plan *plan, double *distances) {
    double spacing = plan->params->mouth_spacing;
    for (int i = 0; i < plan->point_count; i++)
        distances[i] = boundary_distance(&plan->boundary, plan->points[i]);
    for (int count = 0; count < plan->mouth_count;) {
        int closest = -1;
        if (run_stopped(plan->call->run))
            return STATUS_STOPPED;
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
    return STATUS_OK;
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
    const Status status = find_mouths(plan, distances);
    memory_free(distances);
    return status;
}

// --- ridges ------------------------------------------------------------------------------------------------

static void add_span(Plan *plan, Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    Ridge *ridge = &plan->ridges[plan->ridge_count - 1];
    const int resolution = plan->params->ridge_resolution;
    Vec2 *places = plan->ridge_points + plan->ridge_point_count - (ridge->count > 0);
    ridge_span(a, b, c, d, resolution, places);
    for (int i = 0; i < resolution; i++)
        plan->walls[plan->wall_count++] = (Wall){ places[i], places[i + 1] };
    for (int i = 0; i <= resolution; i++) {
        ridge->low = (Vec2){ fmin(ridge->low.x, places[i].x), fmin(ridge->low.y, places[i].y) };
        ridge->high = (Vec2){ fmax(ridge->high.x, places[i].x), fmax(ridge->high.y, places[i].y) };
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

static Vec2 mirrored(Vec2 at, Vec2 other) {
    return (Vec2){ 2 * at.x - other.x, 2 * at.y - other.y };
}

// Between two positions inside, not too close to each other, bent by two others.
static void add_random_ridges(Plan *plan) {
    static const double shortest = 0.25;
    Places places = { random_key(plan->call->seed, STREAM_RIDGES), 0 };
    for (int i = 0; i < plan->params->ridges; i++) {
        Vec2 spots[4];
        for (int k = 0; k < 4; k++)
            if (!next_place(plan, &places, &spots[k]))
                return;
        for (int tries = 0; tries < 64 && vec2_distance(spots[1], spots[2]) < shortest; tries++)
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
            return fail(error, STATUS_INVALID, "ridge_lines: ridge %g has one point, but needs two",
                        lines->at[3 * first]);
        begin_ridge(plan);
        for (int i = first; i + 1 < end; i++) {
            const Vec2 b = row_of(lines, 3, i, 1), c = row_of(lines, 3, i + 1, 1);
            const Vec2 a = i > first ? row_of(lines, 3, i - 1, 1) : mirrored(b, c);
            const Vec2 d = i + 2 < end ? row_of(lines, 3, i + 2, 1) : mirrored(c, b);
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

// --- together ----------------------------------------------------------------------------------------------

// From the arguments of river_network. Freed by plan_free, also after a failure.
static Status plan_create(Plan *plan, const Call *call, Error *error) {
    const double side = max(call->width, call->height);
    *plan = (Plan){
        .call = call, .params = call->params, .width = call->width / side, .height = call->height / side
    };
    Status status = set_boundary(plan, error);
    if (status == STATUS_OK)
        status = scatter(plan, error);
    if (status == STATUS_OK)
        status = choose_mouths(plan, error);
    return status == STATUS_OK ? make_ridges(plan, error) : status;
}

static void plan_free(Plan *plan) {
    memory_free(plan->walls);
    memory_free(plan->ridge_points);
    memory_free(plan->ridges);
    memory_free(plan->edges);
    memory_free(plan->mouths);
    memory_free(plan->points);
    memory_free(plan->boundary.shore);
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
