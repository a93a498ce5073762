// Long profiles of rivers: χ, the normalised steepness, and knickpoints.
//
// Perron and Royden 2013, "An integral approach to bedrock river profile analysis", equations 6 and 7: with
// the drained area A along the distance x upstream of the mouth,
//
//     χ(x) = ∫ (A0 / A)^θ dx,    z(χ) = z(0) + k_sn A0^-θ χ
//
// so that a river in a steady state is a straight line over χ, whose slope is its steepness k_sn (Wobus et
// al. 2006, "Tectonics from topography").

#include "core/elementary.h"
#include "core/least_squares.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "places/points.h"

#include <math.h>
#include <stdlib.h>

typedef struct RiverProfiles {
    double concavity, area, factor;
    int window;
} RiverProfiles;

enum { REACH, DISTANCE, AREA, CHI, KSN, KNICKPOINT, COLUMNS };

static const char *const names[COLUMNS] = { "reach", "distance", "area", "chi", "ksn", "knickpoint" };

typedef struct Profiles {
    const RiverNetwork *network;
    const RiverProfiles *params;
    double cell, cell_area, altitude; // of a cell's side and area, and a height, in m, or 1
    double *chi, *distance;           // of each point
} Profiles;

// --- along rivers ------------------------------------------------------------------------------------------

static double length_between(const Profiles *profiles, const RiverPoint *a, const RiverPoint *b) {
    const RiverNetwork *network = profiles->network;
    const CellShape shape = frame_row_shape(&network->frame, network->width, network->height,
                                            whole_within(0.5 * (a->y + b->y), 0, network->height - 1));
    const double across = (b->x - a->x) * shape.across, down = (b->y - a->y) * shape.down;
    return sqrt(across * across + down * down) * profiles->cell;
}

static double area_of(const Profiles *profiles, const RiverPoint *point) {
    return point->area * profiles->cell_area;
}

// (A0 / A)^θ, with at least the area of a cell.
static double integrand(const Profiles *profiles, const RiverPoint *point) {
    const double area = max(area_of(profiles, point), profiles->cell * profiles->cell);
    return power(profiles->params->area / area, profiles->params->concavity);
}

// By the trapezoidal rule, from the mouth up; where a reach ends in another one, on from there.
static void integrate(const Profiles *profiles, int index) {
    const RiverNetwork *network = profiles->network;
    const Reach *reach = &network->reaches[index];
    const int last = reach->first + reach->count - 1;
    const int below = reach->downstream >= 0 ? network->reaches[reach->downstream].first : -1;
    profiles->chi[last] = below >= 0 ? profiles->chi[below] : 0;
    profiles->distance[last] = below >= 0 ? profiles->distance[below] : 0;
    for (int i = last - 1; i >= reach->first; i--) {
        const RiverPoint *here = &network->points[i], *next = here + 1;
        // What joins at a confluence does not drain through the reach above it.
        const RiverPoint *through = i + 1 == last && below >= 0 ? here : next;
        const double length = length_between(profiles, here, next);
        profiles->chi[i] =
            profiles->chi[i + 1] + 0.5 * (integrand(profiles, here) + integrand(profiles, through)) * length;
        profiles->distance[i] = profiles->distance[i + 1] + length;
    }
}

typedef struct Depth {
    double distance; // of the lower end from where the river ends
    int reach;
} Depth;

static int compare_depths(const void *one, const void *other) {
    const Depth *a = one, *b = other;
    return a->distance != b->distance ? (a->distance < b->distance ? -1 : 1)
                                      : (a->reach > b->reach) - (a->reach < b->reach);
}

// Each reach after the one into which it flows.
static Status integrate_all(const Profiles *profiles, Error *error) {
    const RiverNetwork *network = profiles->network;
    Depth *order = memory_new((size_t)network->reach_count + 1, sizeof *order, error);
    if (!order)
        return STATUS_MEMORY;
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        order[i] = (Depth){ (double)network->points[reach->first + reach->count - 1].distance, i };
    }
    qsort(order, (size_t)network->reach_count, sizeof *order, compare_depths);
    for (int i = 0; i < network->reach_count; i++)
        integrate(profiles, order[i].reach);
    memory_free(order);
    return STATUS_OK;
}

// --- steepness ---------------------------------------------------------------------------------------------

// The slope of altitude over χ of the points first … last, times A0^θ.
static double steepness(const Profiles *profiles, int first, int last) {
    Line line = { 0 };
    const double base = (double)profiles->network->points[first].altitude;
    for (int i = first; i <= last; i++)
        line_add(&line, profiles->chi[i] - profiles->chi[last],
                 ((double)profiles->network->points[i].altitude - base) * profiles->altitude);
    return line_slope(&line) * power(profiles->params->area, profiles->params->concavity);
}

// How much steeper the river is below a point than above, where one is more than `factor` times the other;
// else 0.
static double break_at(const Profiles *profiles, const Reach *reach, int at) {
    const int window = profiles->params->window, last = reach->first + reach->count - 1;
    if (at - window < reach->first || at + window > last)
        return 0;
    const double above = max(steepness(profiles, at - window, at), 0.0),
                 below = max(steepness(profiles, at, at + window), 0.0);
    return max(above, below) > profiles->params->factor * min(above, below) ? below - above : 0;
}

// The largest of the breaks around it, of several the first.
static double knickpoint_at(const Profiles *profiles, const Reach *reach, int at) {
    const double own = break_at(profiles, reach, at);
    const int window = profiles->params->window, last = reach->first + reach->count - 1;
    for (int i = max(at - window, reach->first); own != 0 && i <= min(at + window, last); i++) {
        const double other = fabs(break_at(profiles, reach, i));
        if (other > fabs(own) || (other == fabs(own) && i < at))
            return 0;
    }
    return own;
}

// --- the operation -----------------------------------------------------------------------------------------

static Status add_point(const Profiles *profiles, Points *points, const int *columns, int index, int at,
                        Error *error) {
    const RiverNetwork *network = profiles->network;
    const Reach *reach = &network->reaches[index];
    const RiverPoint *point = &network->points[at];
    const int window = profiles->params->window, last = reach->first + reach->count - 1;
    points->at[at] = (PlacePoint){ .x = point->x, .y = point->y, .altitude = point->altitude, .species = 1 };
    const double values[COLUMNS] = { index + 1,
                                     profiles->distance[at],
                                     area_of(profiles, point),
                                     profiles->chi[at],
                                     steepness(profiles, max(at - window, reach->first),
                                               min(at + window, last)),
                                     knickpoint_at(profiles, reach, at) };
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < COLUMNS; i++)
        status = isfinite(values[i])
                     ? attributes_set_number(points->attributes, columns[i], at, values[i], error)
                     : fail(error, STATUS_INVALID, "%s is not finite", names[i]);
    return status;
}

static Status make_points(const Profiles *profiles, Points *points, Error *error) {
    const RiverNetwork *network = profiles->network;
    int columns[COLUMNS];
    Status status = STATUS_OK;
    points->width = network->width;
    points->height = network->height;
    for (int i = 0; status == STATUS_OK && i < COLUMNS; i++)
        status = attributes_column(points->attributes, names[i], &columns[i], error);
    for (int i = 0; status == STATUS_OK && i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        for (int k = reach->first; status == STATUS_OK && k < reach->first + reach->count; k++)
            status = add_point(profiles, points, columns, i, k, error);
    }
    return status;
}

static Status run(const Call *call, Error *error) {
    const RiverNetwork *network = call->inputs[0].value;
    if (network->planet || network->lines)
        return fail(error, STATUS_INVALID, "network must be the rivers of a field, got %s",
                    network->planet ? "those of a planet" : "lines");
    const Frame *frame = &network->frame;
    const double metres = frame_cell_metres(frame, network->width, network->height);
    const double cells = network->cell > 0 ? 1 / (network->cell * network->cell) : 1;
    Profiles profiles = { .network = network,
                          .params = call->params,
                          .cell = metres > 0 ? metres : 1,
                          .altitude = frame_height_metres(frame) > 0 ? frame_height_metres(frame) : 1 };
    profiles.cell_area = cells * profiles.cell * profiles.cell;
    const size_t count = (size_t)network->point_count + 1;
    profiles.chi = memory_new_zeroed(count, sizeof *profiles.chi, error);
    profiles.distance = profiles.chi ? memory_new_zeroed(count, sizeof *profiles.distance, error) : NULL;
    Points *points = profiles.distance ? points_new(network->point_count, error) : NULL;
    call->outputs[0].value = points;
    Status status =
        points && points_attributes(points, error) ? integrate_all(&profiles, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = make_points(&profiles, points, error);
    memory_free(profiles.chi);
    memory_free(profiles.distance);
    return status;
}

static const Param params[] = {
    PARAM(RiverProfiles, concavity, .initial = 0.45, .min = 0, .max = 2,
          .doc = "θ, of area in the steepness"),
    PARAM(RiverProfiles, area, .initial = 1, .min = 1e-9, .max = 1e15,
          .doc = "A0, the area of reference, in m² or cells"),
    PARAM(RiverProfiles, window, .initial = 5, .min = 1, .max = 1000,
          .doc = "points on each side over which a steepness is measured"),
    PARAM(RiverProfiles, factor, .initial = 2, .min = 1, .max = 1e6,
          .doc = "how many times steeper one side of a knickpoint is than the other"),
    { 0 },
};

const Operation op_river_profiles = {
    .name = "river_profiles",
    .category = "vectors",
    .keywords = "chi ksn steepness index knickpoint knickzone long profile slope area concavity longitudinal "
                "tectonics",
    .summary = "Gives distance, area, chi, steepness and knickpoints along rivers",
    .description =
        "A point for each of the rivers' points, with attributes. `reach` is its number, "
        "`distance` the distance to the river's end, `area` the drained area. Altitudes are those of filled "
        "ground. `ksn` is the steepness of altitude over `chi`. `knickpoint` is 0, or at a break how much "
        "steeper the "
        "river is below than above. Lengths are in m and areas in m² if the field's frame gives "
        "metres, otherwise in cells; heights are in m if their unit is known.",
    .source = "Perron and Royden 2013, equations 6 and 7; Wobus et al. 2006",
    .inputs = { { "network", "rivers, as rivers_from_flow gives them", { &type_network } } },
    .outputs = { { "points", "places along the rivers", &type_points } },
    .params = params,
    .params_size = sizeof(RiverProfiles),
    .example = "local points = height:rivers_from_flow{ threshold = 0.01 }:river_profiles{ window = 3 }",
    .see_also = "rivers_from_flow profile longest_flow_path",
    .run = run,
};
