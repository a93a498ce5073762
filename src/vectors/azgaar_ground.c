// A cell of a map is a fan of triangles between its middle and its corners, across which heights are linear.
// The middle has the cell's height, a corner the mean of the cells around it; but one between land and ocean
// has 0, and one between land and a lake the height of its water. So coasts and shores run along the sides of
// cells, as the map draws them, and no cell's middle changes from land to water.

#include "vectors/azgaar_ground.h"

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAND = 20 };        // the least height of land
#define DEEPEST (-990.0)   // metres
#define SHELF 0.05         // of the square's side: how far beyond the map the sea gets that deep
#define METRES_OF_SEA 50.0 // of its unit of depth

// --- altitudes ---------------------------------------------------------------------------------------------

// Metres, whatever unit the map shows them in: land (h − 18)^exponent, sea 50 (h − 20)/h ("heightExponent" of
// Azgaar's units editor). The least land is at 2^exponent.
static double metres_of(const Azgaar *map, double height) {
    if (height >= LAND)
        return power(height - 18, map->settings.exponent);
    return height > 0 ? max((height - LAND) / height * METRES_OF_SEA, DEEPEST) : DEEPEST;
}

static bool is_land(const AzgaarCell *cell) {
    return cell->height >= LAND;
}

static double water_of(const AzgaarGround *ground, int cell) {
    return ground->water[ground->lakes[cell]];
}

double azgaar_altitude(const AzgaarGround *ground, int number) {
    return ground->lakes[number] >= 0 ? water_of(ground, number)
                                      : metres_of(ground->map, azgaar_cells(ground->map)[number].height);
}

// --- lakes -------------------------------------------------------------------------------------------------

static int compare_features(const void *a, const void *b) {
    const AzgaarFeature *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

static void find_lakes(AzgaarGround *ground) {
    const Azgaar *map = ground->map;
    const AzgaarCell *cells = azgaar_cells(map);
    const AzgaarFeature *features = map->features.at;
    for (int i = 0; i < map->cells.count; i++) {
        const AzgaarFeature wanted = { .number = cells[i].feature };
        const AzgaarFeature *found =
            map->features.count && !is_land(&cells[i])
                ? bsearch(&wanted, features, (size_t)map->features.count, sizeof wanted, compare_features)
                : NULL;
        const bool is_lake = found && strcmp(azgaar_text(map, found->type), "lake") == 0;
        ground->lakes[i] = is_lake ? whole_int((double)(found - features)) : -1;
    }
}

// A lake's water is as high as the map says, and nowhere above the land beside it. `shores`: of each vertex
// the lowest land beside it.
static void find_shores(const AzgaarGround *ground, double *shores) {
    const Azgaar *map = ground->map;
    const AzgaarCell *cells = azgaar_cells(map);
    for (int i = 0; i < map->vertices.count; i++)
        shores[i] = INFINITY;
    for (int i = 0; i < map->cells.count; i++)
        for (int k = 0; k < cells[i].corners.count && is_land(&cells[i]); k++) {
            double *shore = &shores[azgaar_numbers(map, cells[i].corners)[k]];
            *shore = min(*shore, metres_of(map, cells[i].height));
        }
}

static void level_lakes(const AzgaarGround *ground, const double *shores) {
    const Azgaar *map = ground->map;
    const AzgaarFeature *features = map->features.at;
    for (int i = 0; i < map->features.count; i++) {
        const double given = features[i].height;
        ground->water[i] = given >= LAND && given <= 100 ? metres_of(map, given) : INFINITY;
    }
    for (int i = 0; i < map->cells.count; i++) {
        const AzgaarSlice corners = azgaar_cells(map)[i].corners;
        for (int k = 0; k < corners.count && ground->lakes[i] >= 0; k++) {
            double *water = &ground->water[ground->lakes[i]];
            *water = min(*water, shores[azgaar_numbers(map, corners)[k]]);
        }
    }
    for (int i = 0; i < map->features.count; i++)
        if (!isfinite(ground->water[i]))
            ground->water[i] = metres_of(map, LAND); // without any shore
}

// By the first river that leaves it.
static void find_outlets(const AzgaarGround *ground) {
    const Azgaar *map = ground->map;
    const AzgaarRiver *rivers = map->rivers.at;
    for (int i = 0; i < map->features.count; i++)
        ground->outlets[i] = -1;
    for (int i = 0; i < map->rivers.count; i++) {
        const int *cells = azgaar_numbers(map, rivers[i].cells);
        for (int k = 0; k + 1 < rivers[i].cells.count; k++) {
            const int lake = cells[k] >= 0 ? ground->lakes[cells[k]] : -1;
            int *outlet = lake >= 0 ? &ground->outlets[lake] : NULL;
            if (outlet && *outlet < 0 && cells[k + 1] >= 0 && ground->lakes[cells[k + 1]] != lake)
                *outlet = cells[k];
        }
    }
}

// --- the square --------------------------------------------------------------------------------------------

static Status find_side(const Azgaar *map, double given, double *side, Error *error) {
    static const struct {
        const char *name;
        double metres;
    } units[] = { { "mi", 1609.344 }, { "km", 1000 },  { "lg", 4828.032 },
                  { "vr", 1066.8 },   { "nmi", 1852 }, { "nlg", 5556 } };
    const char *name = azgaar_text(map, map->settings.unit);
    const double pixels = max(map->info.width, map->info.height);
    double metres = NAN;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        metres = strcmp(name, units[i].name) == 0 ? units[i].metres : metres;
    *side = isnan(given) ? pixels * map->settings.scale * metres : given;
    if (isnan(*side) && isnan(metres))
        return fail(error, STATUS_INVALID,
                    "the map's unit of length, '%.40s', is none of mi, km, lg, vr, nmi, nlg: give side, the "
                    "metres of its longer side",
                    name);
    if (!(*side >= 1 && *side <= 4e8))
        return fail(error, STATUS_INVALID,
                    "the map's longer side is %s m, not 1 to 4e8: give side, its metres",
                    digits_of(*side).text);
    return STATUS_OK;
}

Status azgaar_ground_create(AzgaarGround *ground, const Azgaar *map, double side, bool continued,
                            Error *error) {
    const AzgaarInfo *info = &map->info;
    const double pixels = max(info->width, info->height);
    *ground = (AzgaarGround){ .map = map,
                              .pixels = pixels,
                              .left = (pixels - info->width) / 2,
                              .top = (pixels - info->height) / 2,
                              .continued = continued };
    const Status status = find_side(map, side, &ground->side, error);
    if (status != STATUS_OK)
        return status;
    ground->lakes = memory_new((size_t)map->cells.count, sizeof *ground->lakes, error);
    ground->water = memory_new((size_t)map->features.count + 1, sizeof *ground->water, error);
    ground->outlets = memory_new((size_t)map->features.count + 1, sizeof *ground->outlets, error);
    double *shores = memory_new((size_t)map->vertices.count, sizeof *shores, error);
    const bool made = ground->lakes && ground->water && ground->outlets && shores;
    if (made) {
        find_lakes(ground);
        find_outlets(ground);
        find_shores(ground, shores);
        level_lakes(ground, shores);
    }
    memory_free(shores);
    return made ? STATUS_OK : STATUS_MEMORY;
}

void azgaar_ground_free(AzgaarGround *ground) {
    memory_free(ground->lakes);
    memory_free(ground->water);
    memory_free(ground->outlets);
}

AzgaarPlace azgaar_share(const AzgaarGround *ground, AzgaarPlace pixel) {
    return (AzgaarPlace){ (pixel.x + ground->left) / ground->pixels,
                          (pixel.y + ground->top) / ground->pixels };
}

Frame azgaar_frame(const AzgaarGround *ground, int width, bool centred) {
    const double cell = ground->side / (centred ? width - 1 : width), half = centred ? cell / 2 : 0;
    return (Frame){ .x = -half, .y = ground->side + half, .right_x = cell, .down_y = -cell, .unit = "m" };
}

// --- the grid ----------------------------------------------------------------------------------------------

enum {
    GUIDE_LEAST = 8,
    GUIDE_MOST = 10,
    PER_CELL = 3
}; // powers of two; cells of the guide in one of the map

int azgaar_guide_side(const Azgaar *map) {
    const double area = map->info.width * map->info.height / map->cells.count;
    const double wanted = PER_CELL * max(map->info.width, map->info.height) / sqrt(area);
    int depth = GUIDE_LEAST;
    while (depth < GUIDE_MOST && (1 << depth) < wanted)
        depth++;
    return (1 << depth) + 1;
}

typedef struct Corner {
    double sum, water; // of altitudes around it; of lakes
    int count;
    bool land, ocean;
} Corner;

typedef struct Point { // in cells of the grid, with its altitude
    double x, y, height;
} Point;

typedef struct Filling {
    const AzgaarGround *ground;
    Field *heights;
    int *cells;
    Corner *corners;
    double effort; // cells of the grid that may still be looked at
} Filling;

static void sum_corners(const Filling *filling) {
    const Azgaar *map = filling->ground->map;
    for (int i = 0; i < map->vertices.count; i++)
        filling->corners[i] = (Corner){ .water = INFINITY };
    for (int i = 0; i < map->cells.count; i++) {
        const AzgaarCell *cell = &azgaar_cells(map)[i];
        const double altitude = azgaar_altitude(filling->ground, i);
        for (int k = 0; k < cell->corners.count; k++) {
            Corner *corner = &filling->corners[azgaar_numbers(map, cell->corners)[k]];
            corner->sum += altitude;
            corner->count++;
            corner->land |= is_land(cell);
            corner->ocean |= !is_land(cell) && filling->ground->lakes[i] < 0;
            if (filling->ground->lakes[i] >= 0)
                corner->water = min(corner->water, water_of(filling->ground, i));
        }
    }
}

static double corner_height(const Corner *corner) {
    if (corner->ocean && (corner->land || corner->water < INFINITY))
        return 0;
    if (corner->land && corner->water < INFINITY)
        return corner->water;
    return corner->sum / corner->count;
}

static Point grid_point(const Filling *filling, AzgaarPlace pixel, double height) {
    const AzgaarPlace share = azgaar_share(filling->ground, pixel);
    const double last = filling->heights->width - 1;
    return (Point){ share.x * last, share.y * last, height };
}

static double doubled_area(Point a, Point b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static void fill_triangle(Filling *filling, const Point p[3], int cell) {
    const int last = filling->heights->width - 1;
    const double area = doubled_area(p[0], p[1], p[2].x, p[2].y);
    const int left = whole_within(ceil(min(min(p[0].x, p[1].x), p[2].x)), 0, last + 1),
              right = whole_within(floor(max(max(p[0].x, p[1].x), p[2].x)), -1, last),
              top = whole_within(ceil(min(min(p[0].y, p[1].y), p[2].y)), 0, last + 1),
              bottom = whole_within(floor(max(max(p[0].y, p[1].y), p[2].y)), -1, last);
    if (!(fabs(area) > 0) || right < left || bottom < top)
        return;
    filling->effort -= (double)(right - left + 1) * (bottom - top + 1);
    for (int y = top; y <= bottom && filling->effort >= 0; y++)
        for (int x = left; x <= right; x++) {
            const double a = doubled_area(p[1], p[2], x, y) / area, b = doubled_area(p[2], p[0], x, y) / area,
                         c = 1 - a - b;
            if (!(a >= 0 && b >= 0 && c >= -1e-12))
                continue;
            field_row(filling->heights, y)[x] = (float)(a * p[0].height + b * p[1].height + c * p[2].height);
            filling->cells[(size_t)y * (size_t)filling->heights->width + (size_t)x] = cell;
        }
}

static void fill_cell(Filling *filling, int number) {
    const Azgaar *map = filling->ground->map;
    const AzgaarCell *cell = &azgaar_cells(map)[number];
    const int *corners = azgaar_numbers(map, cell->corners);
    const Point middle =
        grid_point(filling, *azgaar_places(map, cell->place), azgaar_altitude(filling->ground, number));
    for (int k = 0; k < cell->corners.count; k++) {
        const int a = corners[k], b = corners[(k + 1) % cell->corners.count];
        const Point triangle[] = {
            middle, grid_point(filling, azgaar_vertex(map, a), corner_height(&filling->corners[a])),
            grid_point(filling, azgaar_vertex(map, b), corner_height(&filling->corners[b]))
        };
        fill_triangle(filling, triangle, number);
    }
}

// --- beyond the map ----------------------------------------------------------------------------------------

// How far a cell of the grid lies beyond the map, as a share of the square's side; below 0: inside.
static double beyond(const Filling *filling, int x, int y) {
    const AzgaarGround *ground = filling->ground;
    const double last = filling->heights->width - 1, across = ground->left / ground->pixels,
                 down = ground->top / ground->pixels;
    const double dx = fabs(x / last - 0.5) - (0.5 - across), dy = fabs(y / last - 0.5) - (0.5 - down);
    return max(dx, dy);
}

// Cells of a row or column from `from` on that no cell of the map covers take the height before them.
static void spread(const Filling *filling, size_t from, ptrdiff_t step) {
    float *heights = field_cells(filling->heights);
    bool known = false;
    for (int i = 0; i < filling->heights->width; i++) {
        const size_t at = from + (size_t)(i * step);
        if (!isnan(heights[at]))
            known = true;
        else if (known)
            heights[at] = heights[at - (size_t)step];
    }
}

static void spread_all(const Filling *filling) {
    const ptrdiff_t side = filling->heights->width;
    for (ptrdiff_t i = 0; i < side; i++) {
        spread(filling, (size_t)(i * side), 1);
        spread(filling, (size_t)(i * side + side - 1), -1);
    }
    for (ptrdiff_t i = 0; i < side; i++) {
        spread(filling, (size_t)i, side);
        spread(filling, (size_t)((side - 1) * side + i), -side);
    }
}

// Outside of the map is sea, which gets as deep as Azgaar's deepest.
static void deepen(const Filling *filling) {
    const AzgaarGround *ground = filling->ground;
    for (int y = 0; y < filling->heights->height && !ground->continued; y++)
        for (int x = 0; x < filling->heights->width; x++) {
            const double far = beyond(filling, x, y);
            float *height = &field_row(filling->heights, y)[x];
            if (!(far > 0))
                continue;
            const double share = min(far / SHELF, 1.0), near = min((double)*height, -1.0);
            *height = (float)(near + share * (DEEPEST - near));
        }
}

static Status fill(Filling *filling, Error *error) {
    const Azgaar *map = filling->ground->map;
    const size_t count = field_count(filling->heights);
    for (size_t i = 0; i < count; i++) {
        field_cells(filling->heights)[i] = NAN;
        filling->cells[i] = -1;
    }
    sum_corners(filling);
    for (int i = 0; i < map->cells.count && filling->effort >= 0; i++)
        fill_cell(filling, i);
    if (filling->effort < 0)
        return fail(error, STATUS_FILE, "its cells overlap, or their corners lie far from them");
    spread_all(filling);
    if (isnan(field_cells(filling->heights)[0]))
        return fail(error, STATUS_FILE, "its cells have no area");
    deepen(filling);
    return STATUS_OK;
}

Status azgaar_guide(const AzgaarGround *ground, int side, Field *heights, int **cells, Error *error) {
    *cells = NULL;
    Status status = field_create(heights, side, side, error);
    if (status != STATUS_OK)
        return status;
    const size_t count = field_count(heights);
    Filling filling = { .ground = ground, .heights = heights, .effort = 64 * (double)count };
    filling.cells = *cells = memory_new(count, sizeof **cells, error);
    filling.corners = memory_new((size_t)ground->map->vertices.count, sizeof *filling.corners, error);
    status = *cells && filling.corners ? fill(&filling, error) : STATUS_MEMORY;
    memory_free(filling.corners);
    double highest = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        highest = max(highest, (double)field_cells(heights)[i]);
    heights->frame = azgaar_frame(ground, side, true);
    heights->frame.top = highest;
    return status;
}
