// Points at random that keep a distance: Poisson disks as a function of place (Lagae and Dutré 2006, "Poisson
// disk distributions as procedural objects", compare methods; here by rank). Every cell of an endless
// lattice, whose cells are a third of a distance wide, has a candidate with a random place and rank. In the
// order of rank, a candidate is taken if no other within the distance has been. Whether it is depends only on
// candidates of lower rank around it, and on those around these: chains of falling ranks are short, so that
// this is decided place by place, and windows of the plane agree. Species are taken in turn, and keep half
// the sum of their distances from those before.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/sample.h"
#include "core/whole.h"
#include "places/points.h"

#include <math.h>
#include <string.h>

typedef struct Scatter {
    Numbers distances;
    Fields density; // of each species
    Numbers at;
} Scatter;

enum { SPECIES_MAX = 8, REACH = 3, MARGIN = 16 }; // REACH: lattice cells as far as a distance
enum { CANDIDATES_MAX = 1 << 26 };

typedef enum State { UNKNOWN, TAKEN, LEFT } State;

// The candidates of one species: `columns` × `rows` lattice cells from (left, top) on, or all of a torus.
typedef struct Lattice {
    double distance;       // in N
    double side_x, side_y; // of a lattice cell in N
    int64_t left, top;
    int columns, rows;
    bool wraps;
    RandomKey across, down, order, thin, vary;
    uint8_t *states; // NULL: none
} Lattice;

typedef struct Plane {
    const Call *call;
    double left, top, side, width, height; // the window in N; its side in cells
    int count;
    Lattice species[SPECIES_MAX];
} Plane;

typedef struct Candidate {
    int64_t i, j;
    uint32_t key_i, key_j; // the same for all images on a torus
    double x, y;           // in N
} Candidate;

static int64_t modulo(int64_t at, int count) {
    return at >= 0 && at < count ? at : (at % count + count) % count;
}

static Candidate candidate(const Lattice *lattice, int64_t i, int64_t j) {
    const uint32_t a = (uint32_t)(lattice->wraps ? modulo(i, lattice->columns) : i);
    const uint32_t b = (uint32_t)(lattice->wraps ? modulo(j, lattice->rows) : j);
    return (Candidate){ i,
                        j,
                        a,
                        b,
                        ((double)i + (double)random_unit(lattice->across, a, b)) * lattice->side_x,
                        ((double)j + (double)random_unit(lattice->down, a, b)) * lattice->side_y };
}

// NULL outside the lattice: farther away than chains reach.
static uint8_t *state_of(const Lattice *lattice, int64_t i, int64_t j) {
    const int64_t column = lattice->wraps ? modulo(i, lattice->columns) : i - lattice->left;
    const int64_t row = lattice->wraps ? modulo(j, lattice->rows) : j - lattice->top;
    if (column < 0 || row < 0 || column >= lattice->columns || row >= lattice->rows)
        return NULL;
    return &lattice->states[(size_t)row * (size_t)lattice->columns + (size_t)column];
}

static bool is_state(const Lattice *lattice, int64_t i, int64_t j, State state) {
    const uint8_t *found = state_of(lattice, i, j);
    return found && *found == state;
}

static bool ranks_before(const Lattice *lattice, const Candidate *a, const Candidate *b) {
    const uint32_t x = random_bits(lattice->order, a->key_i, a->key_j);
    const uint32_t y = random_bits(lattice->order, b->key_i, b->key_j);
    return x != y ? x < y : a->key_j != b->key_j ? a->key_j < b->key_j : a->key_i < b->key_i;
}

// Whether two places are nearer than `distance`.
static bool is_near(const Candidate *a, const Candidate *b, double distance) {
    const double dx = a->x - b->x, dy = a->y - b->y;
    return dx * dx + dy * dy < distance * distance;
}

// The height at (x, y), in cells from the upper left corner. Fields end half a cell outside the centres of
// their cells; beyond those their outermost heights go on, or those of the opposite edge.
static double height_at(const Field *field, bool wraps, double x, double y) {
    if (!wraps)
        return grid_sample(field->cells, field->width, field->height, x - 0.5, y - 0.5);
    const double left = floor(x - 0.5), top = floor(y - 0.5);
    const int x0 = wrap(whole_int(left), field->width), x1 = wrap(x0 + 1, field->width);
    const float *upper = field_row(field, wrap(whole_int(top), field->height));
    const float *lower = field_row(field, wrap(whole_int(top) + 1, field->height));
    return bilinear((double)upper[x0], (double)upper[x1], (double)lower[x0], (double)lower[x1],
                    x - 0.5 - left, y - 0.5 - top);
}

// One density is that of all species.
static const Field *density_of(const Plane *plane, const Lattice *lattice) {
    const Fields *densities = &((const Scatter *)plane->call->params)->density;
    return densities->at[min((int)(lattice - plane->species), densities->count - 1)];
}

static double density_at(const Plane *plane, const Lattice *lattice, const Candidate *at) {
    const Fields *densities = &((const Scatter *)plane->call->params)->density;
    if (!densities->count)
        return 1;
    const Field *density = density_of(plane, lattice);
    double x = (at->x - plane->left) * plane->side, y = (at->y - plane->top) * plane->side;
    if (plane->species[0].wraps) {
        x -= density->width * floor(x / density->width);
        y -= density->height * floor(y / density->height);
    }
    return height_at(density, plane->species[0].wraps, x, y);
}

// Whether the cell at a place has data; beyond the field one may have.
static bool has_ground(const Plane *plane, const Field *field, const Candidate *at) {
    if (!field->gaps)
        return true;
    double x = (at->x - plane->left) * plane->side, y = (at->y - plane->top) * plane->side;
    if (plane->species[0].wraps) {
        x -= field->width * floor(x / field->width);
        y -= field->height * floor(y / field->height);
    }
    return !(x >= 0 && y >= 0 && x < field->width && y < field->height) ||
           field_has_data(field, (size_t)whole_int(y) * (size_t)field->width + (size_t)whole_int(x));
}

// Whether a point that is taken remains where density is below 1.
static bool remains(const Plane *plane, const Lattice *lattice, const Candidate *at) {
    const Fields *densities = &((const Scatter *)plane->call->params)->density;
    if (!has_ground(plane, plane->call->inputs[0].field, at))
        return false;
    if (densities->count && !has_ground(plane, density_of(plane, lattice), at))
        return false;
    return (double)random_unit(lattice->thin, at->key_i, at->key_j) < density_at(plane, lattice, at);
}

static bool is_taken(const Plane *plane, int species, const Candidate *at);

// Whether a point of an earlier species is too near.
static bool is_blocked(const Plane *plane, int species, const Candidate *at) {
    for (int k = 0; k < species; k++) {
        const Lattice *other = &plane->species[k];
        const double apart = 0.5 * (plane->species[species].distance + other->distance);
        const int64_t left = whole_64(floor((at->x - apart) / other->side_x));
        const int64_t right = whole_64(floor((at->x + apart) / other->side_x));
        const int64_t top = whole_64(floor((at->y - apart) / other->side_y));
        const int64_t bottom = whole_64(floor((at->y + apart) / other->side_y));
        for (int64_t j = top; j <= bottom; j++)
            for (int64_t i = left; i <= right; i++) {
                if (is_state(other, i, j, LEFT))
                    continue;
                const Candidate near = candidate(other, i, j);
                if (is_near(&near, at, apart) && is_taken(plane, k, &near) && remains(plane, other, &near))
                    return true;
            }
    }
    return false;
}

// How many lattice cells a distance reaches across and down.
static void find_reach(const Lattice *lattice, int *across, int *down) {
    *across = REACH + (lattice->side_x * REACH < lattice->distance);
    *down = REACH + (lattice->side_y * REACH < lattice->distance);
}

// A candidate that is taken leaves no room to those around it.
static void take(const Lattice *lattice, const Candidate *at, uint8_t *state) {
    int across, down;
    find_reach(lattice, &across, &down);
    *state = TAKEN;
    for (int64_t j = at->j - down; j <= at->j + down; j++)
        for (int64_t i = at->i - across; i <= at->i + across; i++) {
            if (!is_state(lattice, i, j, UNKNOWN))
                continue;
            const Candidate near = candidate(lattice, i, j);
            if (is_near(&near, at, lattice->distance))
                *state_of(lattice, i, j) = LEFT;
        }
}

// Decides all before it in rank that are near; one that is taken leaves it no room.
static void decide_before(const Plane *plane, int species, const Candidate *at, const uint8_t *state) {
    const Lattice *lattice = &plane->species[species];
    int across, down;
    find_reach(lattice, &across, &down);
    for (int64_t j = at->j - down; j <= at->j + down; j++)
        for (int64_t i = at->i - across; i <= at->i + across && *state == UNKNOWN; i++) {
            if (!is_state(lattice, i, j, UNKNOWN))
                continue;
            const Candidate near = candidate(lattice, i, j);
            if (is_near(&near, at, lattice->distance) && ranks_before(lattice, &near, at))
                is_taken(plane, species, &near);
        }
}

// Recursion follows falling ranks.
static bool is_taken(const Plane *plane, int species, const Candidate *at) { // NOLINT(misc-no-recursion)
    const Lattice *lattice = &plane->species[species];
    uint8_t *state = state_of(lattice, at->i, at->j);
    if (!state)
        return false;
    if (*state == UNKNOWN)
        decide_before(plane, species, at, state);
    if (*state == UNKNOWN && is_blocked(plane, species, at))
        *state = LEFT;
    if (*state == UNKNOWN)
        take(lattice, at, state);
    return *state == TAKEN;
}

// --- windows -----------------------------------------------------------------------------------------------

static Status make_lattice(const Plane *plane, double margin, bool wraps, Lattice *lattice, Error *error) {
    const double side = lattice->distance / REACH;
    lattice->side_x = lattice->side_y = side;
    lattice->wraps = wraps;
    double columns = 0, rows = 0;
    if (wraps) {
        columns = max(floor(plane->width / side + 0.5), 1);
        rows = max(floor(plane->height / side + 0.5), 1);
        lattice->side_x = plane->width / columns;
        lattice->side_y = plane->height / rows;
    } else {
        lattice->left = whole_64(floor((plane->left - margin) / side));
        lattice->top = whole_64(floor((plane->top - margin) / side));
        columns = ceil((plane->width + 2 * margin) / side) + 1;
        rows = ceil((plane->height + 2 * margin) / side) + 1;
    }
    if (!(columns * rows <= CANDIDATES_MAX))
        return fail(error, STATUS_INVALID, "distance %s is too short: there would be %.0f points to try",
                    digits_of(lattice->distance).text, columns * rows);
    lattice->columns = whole_within(columns, 1, CANDIDATES_MAX);
    lattice->rows = whole_within(rows, 1, CANDIDATES_MAX);
    lattice->states = memory_new_cells_zeroed(lattice->columns, lattice->rows, 1, error);
    return lattice->states ? STATUS_OK : STATUS_MEMORY;
}

typedef struct Found {
    const Plane *plane;
    Points *points; // NULL: they are counted
    int count;
} Found;

static void find_point(Found *found, int species, const Candidate *at) {
    const Plane *plane = found->plane;
    const Lattice *lattice = &plane->species[species];
    const Field *height = plane->call->inputs[0].field;
    const double x = (at->x - plane->left) * plane->side, y = (at->y - plane->top) * plane->side;
    if (!(x >= 0 && y >= 0 && x < height->width && y < height->height) || !is_taken(plane, species, at) ||
        !remains(plane, lattice, at))
        return;
    if (found->points)
        found->points->at[found->count] = (PlacePoint){
            .x = x,
            .y = y,
            .altitude = (float)height_at(height, lattice->wraps, x, y),
            .radius = (float)(0.5 * lattice->distance * plane->side),
            .variation = random_unit(lattice->vary, at->key_i, at->key_j),
            .species = species + 1,
        };
    found->count++;
}

static Status find_points(Found *found) {
    const Plane *plane = found->plane;
    found->count = 0;
    for (int k = 0; k < plane->count; k++) {
        const Lattice *lattice = &plane->species[k];
        const int64_t left = whole_64(floor(plane->left / lattice->side_x));
        const int64_t right = whole_64(floor((plane->left + plane->width) / lattice->side_x));
        const int64_t top = whole_64(floor(plane->top / lattice->side_y));
        const int64_t bottom = whole_64(floor((plane->top + plane->height) / lattice->side_y));
        for (int64_t j = top; j <= bottom; j++) {
            if (run_stopped(plane->call->run))
                return STATUS_STOPPED;
            for (int64_t i = left; i <= right; i++) {
                if (is_state(lattice, i, j, LEFT))
                    continue;
                const Candidate at = candidate(lattice, i, j);
                find_point(found, k, &at);
            }
        }
    }
    return STATUS_OK;
}

static Status prepare(const Call *call, Plane *plane, Error *error) {
    const Scatter *scatter = call->params;
    double margin = 0;
    Status status = STATUS_OK;
    for (int k = plane->count - 1; status == STATUS_OK && k >= 0; k--) { // those before reach further
        Lattice *lattice = &plane->species[k];
        lattice->distance = scatter->distances.at[k];
        margin += (MARGIN + 1) * lattice->distance;
        const uint32_t stream = 8 * (uint32_t)k;
        lattice->across = random_key(call->seed, stream);
        lattice->down = random_key(call->seed, stream + 1);
        lattice->order = random_key(call->seed, stream + 2);
        lattice->thin = random_key(call->seed, stream + 3);
        lattice->vary = random_key(call->seed, stream + 4);
        status = make_lattice(plane, margin, call->wraps, lattice, error);
    }
    return status;
}

static Status run(const Call *call, Error *error) {
    const Scatter *scatter = call->params;
    const Field *height = call->inputs[0].field;
    const double side = field_side(height);
    Plane plane = { .call = call,
                    .left = call->wraps ? 0 : scatter->at.at[0],
                    .top = call->wraps ? 0 : scatter->at.at[1],
                    .side = side,
                    .width = height->width / side,
                    .height = height->height / side,
                    .count = scatter->distances.count };
    Found found = { .plane = &plane };
    const int densities = scatter->density.count;
    if (densities > 1 && densities != plane.count)
        return fail(error, STATUS_INVALID,
                    "density must be one field, or one for each of the %d distances, got %d", plane.count,
                    densities);
    Status status = prepare(call, &plane, error);
    if (status == STATUS_OK)
        status = find_points(&found);
    if (status == STATUS_OK) {
        found.points = points_new(found.count, error);
        status = found.points ? find_points(&found) : STATUS_MEMORY;
    }
    if (found.points) {
        found.points->width = height->width;
        found.points->height = height->height;
        found.points->wraps = call->wraps;
        call->outputs[0].value = found.points;
    }
    for (int k = 0; k < plane.count; k++)
        memory_free(plane.species[k].states);
    return status;
}

static const Param params[] = {
    PARAM(Scatter, distances, .initial_numbers = NUMBERS(0.03), .rows_min = 1, .rows_max = SPECIES_MAX,
          .min = 1e-4, .max = 10,
          .doc = "shortest distance between two points of each species, as a share of N, the longer side; "
                 "species listed first are placed first"),
    PARAM(Scatter, density,
          .doc = "the share of points that are kept, 0 to 1: one field, or a list with one for each species; "
                 "by default all"),
    PARAM(
        Scatter, at, .initial_numbers = NUMBERS(0, 0), .rows_min = 2, .rows_max = 2, .min = -1e6, .max = 1e6,
        .doc = "upper left corner of the window { x, y } on an endless plane, in N; where edges do not meet"),
    { 0 },
};

const Operation op_scatter = {
    .name = "scatter",
    .gaps = GAPS_KEPT, // where no point remains
    .measures = NEEDS_SQUARES,
    .category = "places",
    .summary = "Scatters points that keep a distance: trees, rocks, houses",
    .description =
        "Points of two species keep half the sum of their distances. A point is a function of place: "
        "scatter{ at = { 1, 0 } } continues scatter{} at the right, and windows that overlap have the same "
        "points, if density does not differ. Where edges meet, the points tile too. Each has the ground's "
        "altitude, a radius of half its distance, its species, and a random number, `variation`, for its "
        "size or turn. None stands where there is no data. Files: .csv and .geojson; points:list() gives "
        "tables.",
    .source = "Lagae and Dutré 2008, A comparison of methods for generating Poisson disk distributions",
    .inputs = { { "height", "heights" } },
    .outputs = { { "points", "the points", &type_points } },
    .params = params,
    .params_size = sizeof(Scatter),
    .seeded = true,
    .wrapping = WRAPPING_CHOSEN,
    .example = "local trees = height:scatter{ distances = { 0.1, 0.04 }, density = height:clamp{} }",
    .picture =
        "local low, high = height:select{ height = { -1, 0.5, 0.1 } }, height:select{ height = { 0.55, 2, "
        "0.1 } }\n"
        "return height:scatter{ distances = { 0.06, 0.03, 0.03 }, density = { low, low, high } }:draw{}",
    .keywords =
        "poisson disk trees forest rocks objects place placement instances vegetation points blue noise",
    .see_also = "draw path noise",
    .run = run,
};
