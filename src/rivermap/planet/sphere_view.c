// Draws a sphere of tiles. Each pixel searches for the smallest tile around its centre, starting from the
// previous pixel's tile, going up and down the tree, so that most tiles are cut only once.

#include "core/math.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/globe.h"
#include "rivermap/line_cover.h"
#include "rivermap/planet/sphere.h"

#include <math.h>

enum { WALK_MAX = 128 };

typedef struct Sphere {
    const View *view;
    Tile faces[SPHERE_FACES];
    double pixel, longest; // its side; and squared, what tiles are cut down to
    Altitude datum;
} Sphere;

// The path down to the last point: the tiles, and the side of each new edge that it took.
typedef struct Walk {
    int face, depth; // depth 0: nowhere yet
    Tile tiles[WALK_MAX];
    Vec3 cuts[WALK_MAX], across[WALK_MAX]; // the ends of the new edge
    bool first_is_positive[WALK_MAX], second[WALK_MAX];
} Walk;

_Static_assert(sizeof(Walk) <= GLOBE_WALK_MAX, "a walk must fit");

// Six times the volume of (a, b, p) and the centre, with the sign of the side on which p lies; the same bits
// except for the sign when a and b are swapped.
static double side_of_plane(Vec3 a, Vec3 b, Vec3 p) {
    const bool turn = first_is_near(b, a);
    const Vec3 first = turn ? b : a, second = turn ? a : b;
    return (first.y * second.z - first.z * second.y) * p.x + (first.z * second.x - first.x * second.z) * p.y +
           (first.x * second.y - first.y * second.x) * p.z;
}

static bool goes_second(const Walk *walk, int i, Vec3 at) {
    const double side = side_of_plane(walk->cuts[i], walk->across[i], at);
    return side == 0 ? !walk->first_is_positive[i] : (side > 0) != walk->first_is_positive[i];
}

// The smallest face around `at`. Each cut on the path is decided by the new edge alone, so the path does
// not depend on the previous point; the part shared with the previous path is reused.
static const Tile *walk_to(const Sphere *sphere, Walk *walk, Vec3 at) {
    const int face = sphere_face_at(at);
    if (walk->depth == 0 || walk->face != face) {
        walk->face = face;
        walk->tiles[0] = sphere->faces[face];
        walk->depth = 1;
    }
    int common = 0;
    while (common + 1 < walk->depth && goes_second(walk, common, at) == walk->second[common])
        common++;
    walk->depth = common + 1;
    const Tile *tile = &walk->tiles[common];
    while (tile->shape.longest > sphere->longest && walk->depth < WALK_MAX) {
        const int i = walk->depth - 1;
        Tile halves[2];
        tile_cut(sphere->view->map, tile, halves);
        walk->cuts[i] = halves[0].places[0];
        walk->across[i] = halves[0].places[2];
        walk->first_is_positive[i] = side_of_plane(walk->cuts[i], walk->across[i], halves[0].places[1]) > 0;
        walk->second[i] = goes_second(walk, i, at);
        walk->tiles[walk->depth] = halves[walk->second[i]];
        tile = &walk->tiles[walk->depth++];
    }
    return tile;
}

static double altitude_in(const Tile *tile, Altitude datum, Vec3 at) {
    double sum = 0, shares = 0;
    for (int i = 0; i < 3; i++) {
        const Vec3 a = tile->places[(i + 1) % 3], b = tile->places[(i + 2) % 3];
        const double share = side_of_plane(a, b, at) / side_of_plane(a, b, tile->places[i]);
        sum += share * (double)(tile->vertices[i].altitude - datum);
        shares += share;
    }
    return ldexp(sum / shares, -FIXED_BITS);
}

// --- rivers ------------------------------------------------------------------------------------------------

enum { RIVER_LEVELS = 3 }; // rivers are drawn from tiles coarser by this factor, which cover several pixels

static double distance_to(Vec3 from, Vec3 to, Vec3 at) {
    const Vec3 along = { to.x - from.x, to.y - from.y, to.z - from.z };
    const Vec3 off = { at.x - from.x, at.y - from.y, at.z - from.z };
    const double length = along.x * along.x + along.y * along.y + along.z * along.z;
    const double share = length > 0 ? (off.x * along.x + off.y * along.y + off.z * along.z) / length : 0;
    const Vec3 nearest = place_between(from, to, clamp(share, 0, 1));
    const double x = at.x - nearest.x, y = at.y - nearest.y, z = at.z - nearest.z;
    return sqrt(x * x + y * y + z * z);
}

// The share of the pixel that the tile's rivers cover; neighbouring tiles draw the rest.
static float river_cover(const Tile *tile, Vec3 at, double pixel) {
    Vec3 crossings[3];
    const int count = tile_crossings(tile, crossings);
    if (count == 0)
        return 0;
    const Vec3 middle = tile_middle(count == 3 ? crossings : tile->places);
    double nearest =
        count == 2 ? distance_to(crossings[0], crossings[1], at) : distance_to(crossings[0], middle, at);
    for (int i = 1; count == 3 && i < 3; i++) {
        const double distance = distance_to(crossings[i], middle, at);
        nearest = min(distance, nearest);
    }
    const double inside = (double)RIVER_HALF_WIDTH + 0.5 - nearest / pixel;
    return (float)clamp(inside, 0, 1);
}

static void draw_pixel(void *planet, void *path, Vec3 at, int x, int y) {
    const Sphere *sphere = planet;
    Walk *walk = path;
    const View *view = sphere->view;
    const Tile *tile = walk_to(sphere, walk, at);
    field_row(view->altitude, y)[x] = (float)altitude_in(tile, sphere->datum, at);
    if (view->whole_pixels) {
        field_row(view->river, y)[x] = tile_has_river(tile) ? 1 : 0;
        return;
    }
    const int above = walk->depth - 1 - RIVER_LEVELS;
    field_row(view->river, y)[x] = river_cover(&walk->tiles[max(above, 0)], at, sphere->pixel);
}

static Status render(const View *view, Error *error) {
    const double pixel = globe_pixel(view);
    Sphere sphere = { .view = view, .pixel = pixel, .longest = pixel * pixel };
    sphere_tiles(view->map, sphere.faces);
    sphere.datum = view->datum ? view->datum->altitude : 0;
    return globe_draw(view, draw_pixel, &sphere, error);
}

static Status find_datum(const View *view, Datum *datum, Error *error) {
    const double pixel = globe_pixel(view);
    Sphere sphere = { .view = view, .pixel = pixel, .longest = pixel * pixel };
    Walk walk = { .depth = 0 };
    (void)error;
    sphere_tiles(view->map, sphere.faces);
    *datum = (Datum){ walk_to(&sphere, &walk, globe_middle(view))->vertices[0].altitude, 0, 1 / FIXED_UNITS };
    return STATUS_OK;
}

static void find_altitudes(const RiverMap *map, double pixel, const Vec3 *places, int count,
                           double *altitudes) {
    const View view = { .map = map };
    Sphere sphere = { .view = &view, .pixel = pixel, .longest = pixel * pixel };
    Walk walk = { .depth = 0 };
    sphere_tiles(map, sphere.faces);
    for (int i = 0; i < count; i++)
        altitudes[i] = altitude_in(walk_to(&sphere, &walk, places[i]), 0, places[i]);
}

// The middle of the arc.
static EdgeCut cut(Vec3 near, Vec3 far, uint32_t seed) {
    (void)seed;
    const Vec3 sum = { near.x + far.x, near.y + far.y, near.z + far.z };
    const double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
    return (EdgeCut){ { sum.x / length, sum.y / length, sum.z / length }, 0.5 };
}

static TileShape half(const TileShape *whole, bool far, const Vec3 places[3]) {
    (void)whole, (void)far;
    return longest_edge_shape(places);
}

static const TileMethods tiles = { .first = sphere_tiles, .cut = cut, .half = half, .finest = 1 };

static const LandMethods raw = {
    .datum = find_datum,
    .max_pixels = 0x1p40,
    .render = render,
    .add_rivers = sphere_add_rivers,
};

const Tiling tiling_sphere = {
    .planet = true,
    .raw = &raw,
    .eroded = &eroded_planet,
    .altitudes = find_altitudes,
    .tiles = &tiles,
};
