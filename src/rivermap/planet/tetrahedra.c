// A planet by tetrahedral subdivision, the future work of Mogensen and Isenbecker 2025 (section 9; Mogensen
// 2010): a tetrahedron around the sphere is repeatedly cut in two at its longest edge, and only the part
// that contains the current point is kept. Altitudes only: more than two tetrahedra share an edge, and at
// most one point of an edge is on the surface, so a river across it could not keep its banks above it.

#include "rivermap/eroded/eroded.h"
#include "rivermap/globe.h"
#include "rivermap/planet/tetrahedron_cells.h"
#include "rivermap/tile/tile.h"

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

typedef struct Planet {
    Cell first;
    CutRules rules;
} Planet;

// Its inscribed sphere has twice the radius of the planet; its corners are displaced at random.
static Cell first_tetrahedron(const RiverMap *map) {
    static const double signs[4][3] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    const double radius = 6 / sqrt(3);
    Apex corners[4];
    for (int i = 0; i < 4; i++) {
        const RandomKey key = random_key(map->seeds[i], 3);
        corners[i] = (Apex){ radius * (signs[i][0] + 0.15 * (double)random_signed(key, 0, 0)),
                             radius * (signs[i][1] + 0.15 * (double)random_signed(key, 1, 0)),
                             radius * (signs[i][2] + 0.15 * (double)random_signed(key, 2, 0)),
                             (double)whole_64(map->corners[i] * FIXED_UNITS), map->seeds[i] };
    }
    return tetrahedron_cell(corners);
}

static void find_places(const void *context, const Vec3 *places, int count, double *altitudes,
                        float *rivers) {
    const Planet *planet = context;
    Descent descent;
    if (rivers)
        memset(rivers, 0, (size_t)count * sizeof *rivers);
    descent.methods = &tetrahedron_cells;
    descent.rules = planet->rules;
    descent.altitudes = altitudes;
    descent_start(&descent, places, count);
    descent_go(&descent, &planet->first, 0, count);
    descent_finish(&descent);
}

static Planet planet_of(const RiverMap *map, double pixel) {
    Planet planet = { .first = first_tetrahedron(map),
                      .rules = { .dry = dry_cut(&map->constants), .finest = 2 * pixel * pixel } };
    planet.rules.dry.k3 = INFINITY;
    return planet;
}

static Status find_datum(const View *view, Datum *datum, Error *error) {
    const Planet planet = planet_of(view->map, globe_pixel(view));
    const Vec3 at = globe_middle(view);
    double altitude;
    (void)error;
    globe_find(find_places, &planet, &at, 1, &altitude);
    *datum = (Datum){ whole_64(floor(altitude * FIXED_UNITS)), 0, 1 / FIXED_UNITS };
    return STATUS_OK;
}

static Status render(const View *view, Error *error) {
    Planet planet = planet_of(view->map, globe_pixel(view));
    planet.rules.datum = view->datum ? (double)view->datum->altitude : 0;
    return globe_draw_places(view, find_places, &planet, error);
}

static void find_altitudes(const RiverMap *map, double pixel, const Vec3 *places, int count,
                           double *altitudes) {
    const Planet planet = planet_of(map, pixel);
    globe_find(find_places, &planet, places, count, altitudes);
}

static const LandMethods raw = { .max_pixels = 0x1p40, .render = render, .datum = find_datum };

const Tiling tiling_tetrahedra = {
    .planet = true,
    .corners = true,
    .raw = &raw,
    .eroded = &eroded_planet,
    .altitudes = find_altitudes,
};
