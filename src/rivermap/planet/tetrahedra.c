// A planet by tetrahedral subdivision, the future work of Mogensen and Isenbecker 2025 (section 9; Mogensen
// 2010): a tetrahedron around the sphere is repeatedly cut in two at its longest edge, and only the part
// that contains the current point is kept. Altitudes only: more than two tetrahedra share an edge, and at
// most one point of an edge is on the surface, so a river across it could not keep its banks above it.
//
// Tetrahedra that share a face cut it in the same place: the longest edge comes first, whichever of the two
// is cut; of edges of equal length, the one with the larger seed.

#include "core/math.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/globe.h"
#include "rivermap/tile/tile.h"

#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 190 };

typedef struct Apex {
    Vec3 place;
    Vertex vertex;
} Apex;

typedef struct Tetrahedron {
    Apex corners[4];
} Tetrahedron;

// The path down to the last point, and the side of each cut that it took.
typedef struct Walk {
    int depth; // 0: nowhere yet
    bool first_is_positive[DEEPEST], second[DEEPEST];
    Tetrahedron tetrahedra[DEEPEST];
    Vec3 planes[DEEPEST];    // through the cut and the edge across: normal …
    double offsets[DEEPEST]; // … and its product with a point of it
} Walk;

_Static_assert(sizeof(Walk) <= GLOBE_WALK_MAX, "a walk must fit");

typedef struct Planet {
    const View *view;
    double longest; // squared, what tetrahedra are cut down to
    Scales scales;
    Altitude datum;
} Planet;

static double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec3 difference(Vec3 a, Vec3 b) {
    return (Vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static Vec3 cross(Vec3 a, Vec3 b) {
    return (Vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// Its inscribed sphere has twice the radius of the planet; its corners are displaced at random.
static Tetrahedron first_tetrahedron(const RiverMap *map) {
    static const double signs[4][3] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    const double radius = 6 / sqrt(3);
    Tetrahedron first;
    for (int i = 0; i < 4; i++) {
        const RandomKey key = random_key(map->seeds[i], 3);
        const Vec3 place = { radius * (signs[i][0] + 0.15 * (double)random_signed(key, 0, 0)),
                             radius * (signs[i][1] + 0.15 * (double)random_signed(key, 1, 0)),
                             radius * (signs[i][2] + 0.15 * (double)random_signed(key, 2, 0)) };
        first.corners[i] = (Apex){ place, { whole_64(map->corners[i] * FIXED_UNITS), map->seeds[i] } };
    }
    return first;
}

// The ends of the longest edge come first; returns its length, squared.
static double put_longest_first(Tetrahedron *tetrahedron) {
    Apex *at = tetrahedron->corners;
    double longest = -1;
    uint32_t its_seed = 0;
    int first = 0, second = 1;
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 4; j++) {
            const double length = squared_distance(at[i].place, at[j].place);
            const uint32_t seed = mix_seeds(at[i].vertex.seed, at[j].vertex.seed);
            if (length > longest || (length == longest && seed > its_seed)) {
                longest = length;
                its_seed = seed;
                first = i;
                second = j;
            }
        }
    const Apex old[4] = { at[0], at[1], at[2], at[3] };
    int next = 2;
    for (int i = 0; i < 4; i++)
        at[i == first ? 0 : i == second ? 1 : next++] = old[i];
    return longest;
}

static Apex cut(const Planet *planet, const Apex *a, const Apex *b, double length) {
    const Constants *constants = &planet->view->map->constants;
    const double step = min(length, 1);
    return (Apex){ place_between(a->place, b->place, 0.5),
                   cut_dry_edge(constants, &planet->scales, constants->k1 * (float)(step * FIXED_UNITS), 0.5f,
                                a->vertex, b->vertex) };
}

static bool goes_second(const Walk *walk, int i, Vec3 at) {
    const double side = dot(walk->planes[i], at) - walk->offsets[i];
    return (side > 0) != walk->first_is_positive[i];
}

// The smallest tetrahedron around a point, starting from the previous one.
static const Tetrahedron *walk_to(const Planet *planet, Walk *walk, Vec3 at) {
    if (walk->depth == 0) {
        walk->tetrahedra[0] = first_tetrahedron(planet->view->map);
        walk->depth = 1;
    }
    int common = 0;
    while (common + 1 < walk->depth && goes_second(walk, common, at) == walk->second[common])
        common++;
    walk->depth = common + 1;
    for (;;) {
        const int i = walk->depth - 1;
        Tetrahedron *whole = &walk->tetrahedra[i];
        const double longest = put_longest_first(whole);
        if (longest <= planet->longest || walk->depth == DEEPEST)
            return whole;
        const Apex *corners = whole->corners;
        const Apex middle = cut(planet, &corners[0], &corners[1], sqrt(longest));
        // The corners across in an order of their own, so that a plane's bits depend on it alone.
        const bool turn = first_is_near(corners[3].place, corners[2].place);
        const Vec3 third = corners[turn ? 3 : 2].place, fourth = corners[turn ? 2 : 3].place;
        walk->planes[i] = cross(difference(third, middle.place), difference(fourth, middle.place));
        walk->offsets[i] = dot(walk->planes[i], middle.place);
        walk->first_is_positive[i] = dot(walk->planes[i], corners[0].place) > walk->offsets[i];
        walk->second[i] = goes_second(walk, i, at);
        Tetrahedron *half = &walk->tetrahedra[walk->depth++];
        *half = *whole;
        half->corners[walk->second[i] ? 0 : 1] = middle;
    }
}

// Between the corners: the share of each is the volume that the place holds with the three others.
static double altitude_in(const Tetrahedron *tetrahedron, Altitude datum, Vec3 at) {
    const Apex *corners = tetrahedron->corners;
    double sum = 0, shares = 0;
    for (int i = 0; i < 4; i++) {
        const Vec3 a = corners[(i + 1) % 4].place, b = corners[(i + 2) % 4].place,
                   c = corners[(i + 3) % 4].place;
        const Vec3 normal = cross(difference(b, a), difference(c, a));
        const double share = dot(normal, difference(at, a)) / dot(normal, difference(corners[i].place, a));
        sum += share * (double)(corners[i].vertex.altitude - datum);
        shares += share;
    }
    return sum / shares * (1 / FIXED_UNITS);
}

static void draw_pixel(void *context, void *walk, Vec3 at, int x, int y) {
    const Planet *planet = context;
    field_row(planet->view->altitude, y)[x] =
        (float)altitude_in(walk_to(planet, walk, at), planet->datum, at);
}

static Planet planet_of(const View *view) {
    const double pixel = globe_pixel(view);
    return (Planet){ .view = view,
                     .longest = 2 * pixel * pixel,
                     .scales = fixed_scales(&view->map->constants, 1),
                     .datum = view->datum ? view->datum->altitude : 0 };
}

static Status find_datum(const View *view, Datum *datum, Error *error) {
    const Planet planet = planet_of(view);
    Walk walk = { .depth = 0 };
    (void)error;
    *datum = (Datum){ walk_to(&planet, &walk, globe_middle(view))->corners[0].vertex.altitude, 0,
                      1 / FIXED_UNITS };
    return STATUS_OK;
}

static Status render(const View *view, Error *error) {
    Planet planet = planet_of(view);
    return globe_draw(view, draw_pixel, &planet, error);
}

static void find_altitudes(const RiverMap *map, double pixel, const Vec3 *places, int count,
                           double *altitudes) {
    const View view = { .map = map };
    const Planet planet = { .view = &view,
                            .longest = 2 * pixel * pixel,
                            .scales = fixed_scales(&map->constants, 1) };
    Walk walk = { .depth = 0 };
    for (int i = 0; i < count; i++)
        altitudes[i] = altitude_in(walk_to(&planet, &walk, places[i]), 0, places[i]);
}

static const LandMethods raw = { .max_pixels = 0x1p40, .render = render, .datum = find_datum };

const Tiling tiling_tetrahedra = {
    .planet = true,
    .corners = true,
    .raw = &raw,
    .eroded = &eroded_planet,
    .altitudes = find_altitudes,
};
