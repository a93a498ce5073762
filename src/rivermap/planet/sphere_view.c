// Draws a sphere of tiles: finds the smallest tile around each pixel's centre. Pixels go down together, a
// block at a time (descent.h); where rivers cross tiles they are cut one by one.

#include "core/math.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/globe.h"
#include "rivermap/line_cover.h"
#include "rivermap/planet/sphere.h"
#include "rivermap/planet/sphere_cells.h"

#include <math.h>
#include <string.h>

typedef struct Sphere {
    const RiverMap *map;
    Tile faces[SPHERE_FACES];
    double pixel; // its side
    bool whole_pixels;
    CutRules rules;
} Sphere;

// Places on their way down, and what rivers cover of each one's pixel.
typedef struct Block {
    const Sphere *sphere;
    float *rivers; // NULL: not wanted
    Descent descent;
} Block;

// --- rivers ------------------------------------------------------------------------------------------------

// Rivers are drawn from the first tiles on the way down that are no larger than this, squared, in pixels:
// they cover several.
#define RIVER_TILE 8

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

// --- the way down ------------------------------------------------------------------------------------------

static Vec3 place_of(const Block *block, int i) {
    const Places *places = &block->descent.places;
    return (Vec3){ places->x[i], places->y[i], places->z[i] };
}

static void draw_rivers(const Block *block, const Tile *tile, int first, int end) {
    for (int i = first; i < end; i++)
        block->rivers[block->descent.places.number[i]] =
            river_cover(tile, place_of(block, i), block->sphere->pixel);
}

static void draw_finest(const Block *block, const Tile *tile, int first, int end) {
    const Sphere *sphere = block->sphere;
    const Cell cell = sphere_cell(tile);
    for (int i = first; i < end; i++) {
        const int number = block->descent.places.number[i];
        block->descent.altitudes[number] = sphere_altitude(&sphere->rules, &cell, place_of(block, i));
        if (block->rivers && sphere->whole_pixels)
            block->rivers[number] = tile_has_river(tile) ? 1 : 0;
    }
}

static void go_down(Block *block, const Tile *tile, int first, int end, bool drawn, bool alone);

static void cut_further(Block *block, const Tile *tile, int first, int end, bool drawn, bool alone) {
    Tile halves[2];
    tile_cut(block->sphere->map, tile, halves);
    const Vec3 *corners = halves[0].places; // the cut, an end, and the vertex across
    const Vec3 plane = sphere_plane(corners[0], corners[2], corners[1]);
    const int middle = descent_split(&block->descent, first, end, plane, corners[0]);
    if (first < middle)
        go_down(block, &halves[0], first, middle, drawn, alone);
    if (middle < end)
        go_down(block, &halves[1], middle, end, drawn, alone);
}

// Places `first` … `end` - 1, all in a tile. `drawn`: its rivers were, or those of a larger one. `alone`: all
// tiles are cut here, also those without rivers.
static void go_down(Block *block, const Tile *tile, int first, int end, bool drawn, bool alone) {
    const Sphere *sphere = block->sphere;
    const bool now = !drawn && tile->shape.longest <= RIVER_TILE * sphere->rules.finest;
    if (now && block->rivers && !sphere->whole_pixels)
        draw_rivers(block, tile, first, end);
    if (tile->shape.longest <= sphere->rules.finest) {
        draw_finest(block, tile, first, end);
    } else if (!alone && !tile_has_river(tile)) {
        const Cell cell = sphere_cell(tile);
        descent_go(&block->descent, &cell, first, end);
    } else {
        cut_further(block, tile, first, end, drawn || now, alone);
    }
}

// A river begins in a tile without rivers.
static void begin_river(void *context, const Group *group, bool alone) {
    Block *block = context;
    Tile tile = { .shape = { .longest = -1 } };
    for (int i = 0; i < 3; i++) {
        const Apex *apex = &group->cell.at[i];
        tile.places[i] = apex_place(*apex);
        tile.vertices[i] = (Vertex){ whole_64(apex->altitude), apex->seed };
    }
    tile.shape = longest_edge_shape(tile.places);
    const bool drawn = tile.shape.longest <= RIVER_TILE * block->sphere->rules.finest;
    cut_further(block, &tile, group->first, group->end, drawn, alone);
}

// Whether all places surely lie in one face: on one side of each of the planes that part faces.
static bool in_one_face(const Descent *descent) {
    static const Vec3 normals[] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 0 }, { 1, -1, 0 },
                                    { 0, 1, 1 }, { 0, 1, -1 }, { 1, 0, 1 }, { 1, 0, -1 } };
    for (size_t i = 0; i < sizeof normals / sizeof *normals; i++) {
        bool positive;
        if (!descent_all_beside(descent, normals[i], (Vec3){ 0, 0, 0 }, &positive))
            return false;
    }
    return true;
}

// The face of each place; those of one face go down together.
static void go_down_faces(Block *block, int count) {
    Descent *descent = &block->descent;
    const bool together = in_one_face(descent);
    int first = 0;
    while (first < count) {
        const int face = sphere_face_at(place_of(block, first));
        int end = together ? count : first + 1;
        for (int i = end; i < count; i++)
            if (sphere_face_at(place_of(block, i)) == face)
                descent_swap(descent, i, end++);
        go_down(block, &block->sphere->faces[face], first, end, false, false);
        descent_finish(descent);
        first = end;
    }
}

static void find_places(const void *planet, const Vec3 *places, int count, double *altitudes, float *rivers) {
    const Sphere *sphere = planet;
    Block block;
    if (rivers)
        memset(rivers, 0, (size_t)count * sizeof *rivers);
    block.sphere = sphere;
    block.rivers = rivers;
    block.descent.methods = &sphere_cells;
    block.descent.rules = sphere->rules;
    block.descent.altitudes = altitudes;
    block.descent.begins = begin_river;
    block.descent.context = &block;
    descent_start(&block.descent, places, count);
    go_down_faces(&block, count);
}

static Sphere sphere_of(const RiverMap *map, double pixel) {
    Sphere sphere = { .map = map, .pixel = pixel };
    sphere.rules = (CutRules){ .dry = dry_cut(&map->constants), .finest = pixel * pixel };
    sphere_tiles(map, sphere.faces);
    return sphere;
}

static Status render(const View *view, Error *error) {
    Sphere sphere = sphere_of(view->map, globe_pixel(view));
    sphere.whole_pixels = view->whole_pixels;
    sphere.rules.datum = view->datum ? (double)view->datum->altitude : 0;
    return globe_draw_places(view, find_places, &sphere, error);
}

static Status find_datum(const View *view, Datum *datum, Error *error) {
    const Sphere sphere = sphere_of(view->map, globe_pixel(view));
    const Vec3 at = globe_middle(view);
    double altitude;
    (void)error;
    globe_find(find_places, &sphere, &at, 1, &altitude);
    *datum = (Datum){ whole_64(floor(altitude * FIXED_UNITS)), 0, 1 / FIXED_UNITS };
    return STATUS_OK;
}

static void find_altitudes(const RiverMap *map, double pixel, const Vec3 *places, int count,
                           double *altitudes) {
    const Sphere sphere = sphere_of(map, pixel);
    globe_find(find_places, &sphere, places, count, altitudes);
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
