// A sphere of scalene tiles: its faces, cut into tiles or cells, drawn and listed.

#include "rivermap/planet/sphere.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/globe.h"
#include "rivermap/planet/descent.h"
#include "rivermap/tile/tile.h"
#include "rivermap/view.h"

#include <math.h>
#include <string.h>

// --- the first tiles ---------------------------------------------------------------------------------------

// Face 8 p + s: of the six orders of the axes, by falling size of the coordinates, and the eight signs.
static const int orders[6][3] = {
    { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
};

int sphere_face_at(Vec3 at) {
    const double size[3] = { fabs(at.x), fabs(at.y), fabs(at.z) };
    int order = 0;
    while (size[orders[order][0]] < size[orders[order][1]] || size[orders[order][1]] < size[orders[order][2]])
        order++;
    return 8 * order + (at.x < 0) + 2 * (at.y < 0) + 4 * (at.z < 0);
}

// Vertex 0, 1 or 2 of a face lies on one, two or three axes.
static void place_vertex(const RiverMap *map, Tile *face, int index, int number) {
    double place[3] = { 0, 0, 0 };
    uint32_t code = 0; // says which of the 26 it is
    for (int i = 0; i <= number; i++) {
        const int axis = orders[index / 8][i];
        const bool negative = index >> axis & 1;
        place[axis] = negative ? -1 / sqrt(number + 1.0) : 1 / sqrt(number + 1.0);
        code |= (negative ? 2u : 1u) << 2 * axis;
    }
    const RandomKey seeds = random_key(map->seeds[0], map->seeds[1]),
                    altitudes = random_key(map->seeds[2], 0);
    face->places[number] = (Vec3){ place[0], place[1], place[2] };
    const double altitude = clamp(0.3 * (double)random_signed(altitudes, code, 0) - map->sea_level, -1, 1);
    face->vertices[number] = (Vertex){ whole_64(altitude * FIXED_UNITS), random_bits(seeds, code, 0) };
}

// The face across an edge: over that between the vertices on one axis and on two, the third axis changes its
// sign; over the next, the first two axes change places; over the last, the last two.
static int neighbour(int face, int edge) {
    const int *order = orders[face / 8];
    if (edge == 0)
        return face ^ 1 << order[2];
    const int wanted[3] = { order[edge == 1 ? 1 : 0], order[edge == 1 ? 0 : 2], order[edge == 1 ? 2 : 1] };
    for (int i = 0; i < 6; i++)
        if (orders[i][0] == wanted[0] && orders[i][1] == wanted[1])
            return 8 * i + face % 8;
    return face;
}

static Altitude level_of(const Tile *face) {
    return (face->vertices[0].altitude + face->vertices[1].altitude + face->vertices[2].altitude) / 3;
}

// The edge over which a face drains, or -1.
static int lowest_edge(const Tile *faces, int face) {
    int lowest = -1;
    Altitude level = level_of(&faces[face]);
    for (int edge = 0; edge < 3; edge++)
        if (level_of(&faces[neighbour(face, edge)]) < level) {
            level = level_of(&faces[neighbour(face, edge)]);
            lowest = edge;
        }
    return lowest;
}

static bool reaches_sea(const Tile *faces, int face) {
    for (int edge = lowest_edge(faces, face); edge >= 0; edge = lowest_edge(faces, face))
        face = neighbour(face, edge);
    for (int i = 0; i < 3; i++)
        if (faces[face].vertices[i].altitude < 0)
            return true;
    return false;
}

// The edge through which a face's river leaves, or -1.
static int outlet(const Tile *face) {
    for (int edge = 0; edge < 3; edge++)
        if (face->edges[edge].river && face->edges[edge].forwards)
            return edge;
    return -1;
}

static void add_first_rivers(Tile *faces) {
    for (int face = 0; face < SPHERE_FACES; face++) {
        const int edge = lowest_edge(faces, face);
        if (edge < 0 || level_of(&faces[face]) < 0 || !reaches_sea(faces, face))
            continue;
        const int below = neighbour(face, edge);
        const Altitude altitude = (level_of(&faces[face]) + level_of(&faces[below])) / 2;
        faces[face].edges[edge] = (Crossing){ true, true, 0, altitude };
        faces[below].edges[edge] =
            (Crossing){ true, false, 0, altitude }; // neighbours number shared edges equally
    }
    for (int face = 0; face < SPHERE_FACES; face++) // each adds its area to all edges downstream
        for (int at = face, edge; (edge = outlet(&faces[at])) >= 0; at = neighbour(at, edge)) {
            const double basin = (double)faces[at].edges[edge].basin;
            const float more = (float)sqrt(basin * basin + 4 * PI / SPHERE_FACES);
            faces[at].edges[edge].basin = faces[neighbour(at, edge)].edges[edge].basin = more;
        }
}

int sphere_tiles(const RiverMap *map, Tile tiles[FIRST_TILES_MAX]) {
    for (int face = 0; face < SPHERE_FACES; face++) {
        tiles[face] = (Tile){ 0 };
        for (int number = 0; number < 3; number++)
            place_vertex(map, &tiles[face], face, number);
        tiles[face].shape = longest_edge_shape(tiles[face].places);
    }
    if (map->constants.rivers)
        add_first_rivers(tiles);
    return SPHERE_FACES;
}

// --- cells without rivers ----------------------------------------------------------------------------------

// The tiles of a sphere that no river crosses, as cells: many at once (descent.h).

extern const CellMethods sphere_cells;

// Differences of places first: the plane is exact to the last bits for the smallest tiles, too.
KERNEL_INLINE Vec3 plane_between(Vec3 cut, Vec3 across, Vec3 end) {
    return vec3_towards(vec3_cross(vec3_minus(across, cut), cut), vec3_minus(end, cut));
}

// The plane that separates the halves of a tile, through the cut, the vertex across and the planet's centre;
// towards the half of vertex `end`.
static Vec3 sphere_plane(Vec3 cut, Vec3 across, Vec3 end) {
    return plane_between(cut, across, end);
}

// A cell is a, b, c: its longest edge from a to b, and the vertex across, c. As tile_cut cuts a tile without
// rivers.
KERNEL_INLINE CellCut cut_between(const CutRules *rules, double longest, Apex a, Apex b, Apex c) {
    const double x = a.x + b.x, y = a.y + b.y, z = a.z + b.z, length = sqrt(x * x + y * y + z * z);
    const uint32_t seed = mix_seeds(a.seed, b.seed);
    const double altitude =
        dry_altitude(&rules->dry, dry_step(&rules->dry, sqrt(longest)), 0.5f, a.altitude, b.altitude, seed);
    const Apex middle = { x / length, y / length, z / length, altitude, seed };
    return (CellCut){ middle, plane_between(apex_place(middle), apex_place(c), apex_place(a)),
                      dry_source(&rules->dry, a.altitude, b.altitude, c.altitude, altitude) };
}

// The half of a cell at one end of its longest edge.
typedef struct SphereHalf {
    double longest;
    Apex a, b, c;
} SphereHalf;

KERNEL_INLINE SphereHalf half_of(Apex middle, Apex end, Apex across) {
    const double l0 = apex_distance(middle, end), l1 = apex_distance(end, across),
                 l2 = apex_distance(across, middle);
    const bool second = l1 > l0;
    const double longer = value_if(second, l1, l0);
    const bool third = l2 > longer;
    return (SphereHalf){ value_if(third, l2, longer), apex_if(third, across, apex_if(second, end, middle)),
                         apex_if(third, middle, apex_if(second, across, end)),
                         apex_if(third, end, apex_if(second, middle, across)) };
}

static Cell cell_of(SphereHalf half) {
    return (Cell){ half.longest, { half.a, half.b, half.c } };
}

// A tile without rivers.
static Cell sphere_cell(const Tile *tile) {
    Apex at[3];
    for (int i = 0; i < 3; i++)
        at[i] = (Apex){ tile->places[i].x, tile->places[i].y, tile->places[i].z,
                        (double)tile->vertices[i].altitude, tile->vertices[i].seed };
    return cell_of(half_of(at[0], at[1], at[2]));
}

static CellCut cut_cell(const CutRules *rules, const Cell *cell) {
    return cut_between(rules, cell->longest, cell->at[0], cell->at[1], cell->at[2]);
}

static Cell half_cell(const Cell *cell, const CellCut *cut, bool second) {
    return cell_of(half_of(cut->middle, cell->at[second], cell->at[2]));
}

KERNEL_INLINE void set_half(Lanes *to, int i, SphereHalf half) {
    to->longest[i] = half.longest;
    lane_set(to, 0, i, half.a);
    lane_set(to, 1, i, half.b);
    lane_set(to, 2, i, half.c);
}

KERNEL static void halve_sphere_lanes(const CutRules *rules, int count, const Lanes *restrict from,
                                      Lanes *first, Lanes *second, int at, LaneCuts *restrict cuts) {
    const CutRules all = *rules;
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++) {
        const Apex a = lane_apex(from, 0, i), b = lane_apex(from, 1, i), c = lane_apex(from, 2, i);
        const CellCut cut = cut_between(&all, from->longest[i], a, b, c);
        lane_set_cut(cuts, i, cut);
        set_half(first, i, half_of(cut.middle, a, c));
        set_half(second, at + i, half_of(cut.middle, b, c));
    }
}

KERNEL static int cut_sphere_lanes(const CutRules *rules, LanePlaces *places, Lanes *lanes, int first) {
    const CutRules all = *rules;
    int more = 0;
    INDEPENDENT_PASSES
    for (int i = first; i < first + LOOP_LANES; i++) {
        const Apex a = lane_apex(lanes, 0, i), b = lane_apex(lanes, 1, i), c = lane_apex(lanes, 2, i);
        const Vec3 at = { places->x[i], places->y[i], places->z[i] };
        const double longest = lanes->longest[i];
        const bool finest = longest <= all.finest;
        const CellCut cut = cut_between(&all, longest, a, b, c);
        const bool to_a = vec3_dot(cut.normal, vec3_minus(at, apex_place(cut.middle))) >= 0;
        const SphereHalf half = half_of(cut.middle, apex_if(to_a, a, b), c);
        const double left = value_if(finest, longest, half.longest);
        places->begins[i] = seed_if(!finest & cut.begins, 1, places->begins[i]);
        lanes->longest[i] = left;
        lane_set(lanes, 0, i, apex_if(finest, a, half.a));
        lane_set(lanes, 1, i, apex_if(finest, b, half.b));
        lane_set(lanes, 2, i, apex_if(finest, c, half.c));
        more = (int)seed_if(left > all.finest, 1, (uint32_t)more);
    }
    return more;
}

// In the plane through the corners, where the line from the planet's centre to the place meets it.
KERNEL_INLINE double altitude_in(Apex a, Apex b, Apex c, double datum, Vec3 at) {
    const Vec3 corner = apex_place(a), to_b = vec3_minus(apex_place(b), corner),
               to_c = vec3_minus(apex_place(c), corner), up = vec3_cross(to_b, to_c);
    const double lower = vec3_dot(up, corner) / vec3_dot(up, at);
    const Vec3 off = vec3_minus((Vec3){ at.x * lower, at.y * lower, at.z * lower }, corner);
    const double whole = 1 / vec3_dot(up, up);
    const double share_b = vec3_dot(up, vec3_cross(off, to_c)) * whole,
                 share_c = vec3_dot(up, vec3_cross(to_b, off)) * whole;
    return (a.altitude - datum + share_b * (b.altitude - a.altitude) + share_c * (c.altitude - a.altitude)) *
           (1 / FIXED_UNITS);
}

// The altitude at a place in a cell, in units.
static double sphere_altitude(const CutRules *rules, const Cell *cell, Vec3 at) {
    return altitude_in(cell->at[0], cell->at[1], cell->at[2], rules->datum, at);
}

KERNEL static void find_sphere_altitudes(const CutRules *rules, LanePlaces *restrict places,
                                         const Lanes *restrict lanes, int first) {
    const double datum = rules->datum;
    for (int i = first; i < first + LOOP_LANES; i++) {
        const Vec3 at = { places->x[i], places->y[i], places->z[i] };
        places->altitudes[i] =
            altitude_in(lane_apex(lanes, 0, i), lane_apex(lanes, 1, i), lane_apex(lanes, 2, i), datum, at);
    }
}

const CellMethods sphere_cells = {
    3, cut_cell, half_cell, halve_sphere_lanes, cut_sphere_lanes, find_sphere_altitudes
};

// --- rivers as data ----------------------------------------------------------------------------------------

// The rivers of a sphere, on its equirectangular map.

// The window is inside a circle around its centre; an arc is longer than its chord.
static bool beside(const TileWindow *window, const Tile *tile) {
    const View *view = window->view;
    const double pixel = 1 / view->pixels, width = view->width * pixel, height = view->height * pixel;
    const double radius = 3.1416 * (width + height) + 1.6 * sqrt(tile->shape.longest);
    return squared_distance(tile->places[0], window->middle) > radius * radius;
}

Status sphere_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    (void)error;
    TileWindow window = tile_window(view);
    window.pixel = globe_pixel(view);
    window.middle = globe_middle(view);
    window.on_map = globe_on_map;
    window.beside = beside;
    return tile_rivers_add(&window, builder);
}

// --- drawing -----------------------------------------------------------------------------------------------

// Draws a sphere of tiles: finds the smallest tile around each pixel's centre. Pixels go down together, a
// block at a time (descent.h); where rivers cross tiles they are cut one by one.

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
static float tile_cover(const Tile *tile, Vec3 at, double pixel) {
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
            tile_cover(tile, place_of(block, i), block->sphere->pixel);
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
