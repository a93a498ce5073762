#include "rivermap/eroded/atlas.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "land/cube.h"
#include "rivermap/globe.h"

#include <math.h>
#include <string.h>

// --- the grids of a cube -----------------------------------------------------------------------------------

static double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

GridPlace grid_place(const Vec3 axes[3], double side, Vec3 at) {
    return cube_place(side, (Vec3){ dot(at, axes[0]), dot(at, axes[1]), dot(at, axes[2]) });
}

Vec3 place_on_planet(const Vec3 axes[3], double side, int face, double x, double y) {
    const Vec3 cube = cube_direction(side, face, x, y);
    return (Vec3){ cube.x * axes[0].x + cube.y * axes[1].x + cube.z * axes[2].x,
                   cube.x * axes[0].y + cube.y * axes[1].y + cube.z * axes[2].y,
                   cube.x * axes[0].z + cube.y * axes[1].z + cube.z * axes[2].z };
}

// --- atlases -----------------------------------------------------------------------------------------------

// Pixels along the map's length. A cube's face has as many cells as pixels, which are larger in its middle
// and smaller at its corners.
static double pixels_along(const View *view) {
    if (!view->map->tiling->planet)
        return view->pixels;
    const bool faces = view->projection == PROJECTION_CUBE || view->projection == PROJECTION_GRID;
    return faces ? 4 * view->pixels : 2 * PI / globe_pixel(view);
}

int atlas_depth(const View *view) {
    const int depth = log2_above(pixels_along(view)), least = eroded_of(view->map)->depth;
    return max(depth, least);
}

static Atlas atlas_of(const View *view, int depth) {
    const bool planet = view->map->tiling->planet;
    const double scale = planet ? PLANET_SCALE : VERTICAL_SCALE;
    const LandRules rules = eroded_of(view->map)->rules;
    const int heights = height_depth(view->map, depth);
    const double length = view->map->metres, surface = planet ? 4 * PI * length * length : length * length;
    const double faces = planet ? 16.0 / CUBE_FACES : 1, millimetres = 1000, year = 365 * 86400.0;
    return (Atlas){ .view = view,
                    .planet = planet,
                    .depth = depth,
                    .side = (Int128)1 << (planet ? depth - 2 : depth),
                    .cell = ldexp(planet ? 2 * PI / globe_pixel(view) : view->pixels, -depth),
                    .pixels = planet ? 1 / globe_pixel(view) : view->pixels,
                    .widening = view->map->width,
                    .height_depth = heights,
                    .rise = land_rise(&rules, depth - eroded_of(view->map)->depth),
                    .unit = ldexp(1 / scale, -heights - rules.unit_bits),
                    .per_runoff = faces * ldexp(surface / (millimetres * year), -2 * depth) };
}

// --- which cells a view shows ------------------------------------------------------------------------------

// The first and last cell of a row or column of a flat map.
typedef struct Span {
    Int128 first, last;
} Span;

static Span span_of(const Atlas *atlas, Int128 from, Int128 size) {
    const int shift = PLACE_BITS - atlas->depth;
    const Int128 last = atlas->side - 1;
    return (Span){ clamp(from >> shift, 0, last), clamp((from + size - 1) >> shift, 0, last) };
}

static void find_shown_flat(Atlas *atlas) {
    const View *view = atlas->view;
    const Span across = span_of(atlas, view_left(view), view->pixel * view->width),
               down = span_of(atlas, view_top(view), view->pixel * view->height);
    atlas->shown[0] = (LandRect){ across.first, down.first, across.last + 1, down.last + 1 };
}

typedef struct Shown {
    const Atlas *atlas;
    LandRect (*rows)[CUBE_FACES];
} Shown;

static void include_cell(LandRect *rect, Int128 x, Int128 y) {
    const bool empty = rect->right <= rect->left;
    *rect = (LandRect){ empty || x < rect->left ? x : rect->left, empty || y < rect->top ? y : rect->top,
                        empty || x >= rect->right ? x + 1 : rect->right,
                        empty || y >= rect->bottom ? y + 1 : rect->bottom };
}

static void include_pixel(void *planet, Vec3 at, int x, int y) {
    const Shown *shown = planet;
    const Atlas *atlas = shown->atlas;
    (void)x;
    const double side = (double)atlas->side, last = side - 1;
    const GridPlace place = grid_place(eroded_of(atlas->view->map)->axes, side, at);
    const double column = floor(place.x), row = floor(place.y);
    include_cell(&shown->rows[y][place.face], whole_64(clamp(column, 0, last)),
                 whole_64(clamp(row, 0, last)));
}

static Status find_shown_planet(Atlas *atlas, Error *error) {
    View view = *atlas->view;
    Field frame = { .width = view.width, .height = view.height };
    const size_t rows = (size_t)view.height;
    Shown shown = { atlas, memory_new_zeroed(rows, sizeof *shown.rows, error) };
    if (!shown.rows)
        return STATUS_MEMORY;
    if (!view.altitude)
        view.altitude = &frame;
    const Status status = globe_draw(&view, include_pixel, &shown, error);
    for (size_t y = 0; y < rows; y++)
        for (int face = 0; face < CUBE_FACES; face++) {
            const LandRect *rect = &shown.rows[y][face];
            if (rect->right <= rect->left)
                continue;
            include_cell(&atlas->shown[face], rect->left, rect->top);
            include_cell(&atlas->shown[face], rect->right - 1, rect->bottom - 1);
        }
    memory_free(shown.rows);
    return status;
}

// --- the land ----------------------------------------------------------------------------------------------

// Of an altitude above the sea: nothing that falls rises by this.
KERNEL_INLINE int64_t risen(int64_t altitude, int rise) {
    return altitude + (max(altitude, 0) * rise >> 16);
}

// `base` and `risen_base`: what the altitudes count from before and after.
KERNEL static void raise_altitudes(int32_t *altitude, int64_t base, int64_t risen_base, int rise, int count) {
    for (int i = 0; i < count; i++)
        altitude[i] = (int32_t)(risen(base + altitude[i], rise) - risen_base);
}

typedef struct Raising {
    const LandWindow *window;
    int64_t base, risen_base;
    int rise;
} Raising;

static void raise_rows(void *context, int first, int end) {
    const Raising *raising = context;
    const LandWindow *window = raising->window;
    for (int y = first; y < end; y++)
        raise_altitudes(window->altitude + (size_t)y * (size_t)window->width, raising->base,
                        raising->risen_base, raising->rise, window->width);
}

// Altitudes of a coarse level to those that its ground has on average on the last graded one.
static Status raise(Atlas *atlas) {
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        LandWindow *window = &atlas->land.on[face];
        const int64_t base = (int64_t)window->base;
        const Raising raising = { window, base, risen(base, atlas->rise), atlas->rise };
        if (window->altitude)
            status = parallel_rows(atlas->view->run, window->height, window->width * 0.5, raise_rows,
                                   (void *)&raising);
    }
    for (int face = 0; face < CUBE_FACES; face++)
        atlas->land.on[face].base = risen((int64_t)atlas->land.on[face].base, atlas->rise);
    return status;
}

typedef Status MakeFaces(Land *land, const Run *run, int level, LandFaces *faces, Error *error);

static Status make(Atlas *atlas, int margin, MakeFaces *make_faces, Error *error) {
    const View *view = atlas->view;
    Land *land;
    const Status status = eroded_land(view->map, view->run, &land, error);
    if (status != STATUS_OK)
        return status;
    const int level = atlas->depth - eroded_of(view->map)->depth;
    memcpy(atlas->land.wanted, atlas->shown, sizeof atlas->shown);
    land_faces_spread(land, level, &atlas->land, margin);
    return make_faces(land, view->run, level, &atlas->land, error);
}

static Status fill(Atlas *atlas, int margin, Error *error) {
    const Status made = make(atlas, margin, land_faces, error);
    return made == STATUS_OK && atlas->rise > 0 ? raise(atlas) : made;
}

static Status find_shown(Atlas *atlas, Error *error) {
    if (atlas->planet)
        return find_shown_planet(atlas, error);
    find_shown_flat(atlas);
    return STATUS_OK;
}

Status atlas_open(Atlas *atlas, const View *view, int depth, int margin, Error *error) {
    *atlas = atlas_of(view, depth);
    const Status status = find_shown(atlas, error);
    return status == STATUS_OK ? fill(atlas, margin, error) : status;
}

Status atlas_prepare(const View *view, int depth, int margin, Error *error) {
    Atlas atlas = atlas_of(view, depth);
    Status status = find_shown(&atlas, error);
    if (status == STATUS_OK)
        status = make(&atlas, margin, atlas.planet ? land_faces : land_faces_ahead, error);
    atlas_close(&atlas);
    return status;
}

Status atlas_open_coarser(Atlas *atlas, const Atlas *finer, int depth, int margin, Error *error) {
    const int levels = finer->depth - depth;
    *atlas = atlas_of(finer->view, depth);
    atlas->rise = finer->rise; // streams keep their beds from level to level
    atlas->datum = finer->datum >> (finer->height_depth - atlas->height_depth);
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandRect *rect = &finer->shown[face];
        if (rect->right > rect->left)
            atlas->shown[face] =
                (LandRect){ rect->left >> levels, rect->top >> levels, ((rect->right - 1) >> levels) + 1,
                            ((rect->bottom - 1) >> levels) + 1 };
    }
    return fill(atlas, margin, error);
}

void atlas_close(Atlas *atlas) {
    land_faces_free(&atlas->land);
}

// --- cells -------------------------------------------------------------------------------------------------

static bool is_inside(const LandWindow *land, Int128 x, Int128 y) {
    return land->altitude && x >= 0 && y >= 0 && x < land->width && y < land->height;
}

bool atlas_resolve(const Atlas *atlas, AtlasCell *cell) {
    const LandWindow *land = land_of(atlas, *cell);
    if (is_inside(land, cell->x, cell->y))
        return true;
    CubeCell on_cube = { cell->face, land->x + cell->x, land->y + cell->y, cell->turn };
    if (!atlas->planet || !cube_resolve(atlas->side, &on_cube))
        return false;
    land = &atlas->land.on[on_cube.face];
    const Int128 x = on_cube.x - land->x, y = on_cube.y - land->y;
    if (!is_inside(land, x, y))
        return false;
    *cell = (AtlasCell){ on_cube.face, (int)x, (int)y, on_cube.turn };
    return true;
}

// The direction to the main donor of a cell whose neighbours are all in its window, or -1.
static int donor_inside(const LandWindow *land, int number) {
    int found = -1;
    float most = -1;
    for (int direction = 0; direction < NEIGHBOURS; direction++) {
        const int other = number + neighbour_y[direction] * land->width + neighbour_x[direction];
        if (land->receiver[other] == turned_direction(direction, 2) && land->area[other] > most) {
            most = land->area[other];
            found = direction;
        }
    }
    return found;
}

static int donor_at_border(const Atlas *atlas, AtlasCell cell) {
    int found = -1;
    float most = -1;
    for (int direction = 0; direction < NEIGHBOURS; direction++) {
        AtlasCell other;
        if (beside(atlas, cell, direction, &other) &&
            receiver_of(atlas, other) == turned_direction(direction, 2 + other.turn) &&
            area_of(atlas, other) > most) {
            most = area_of(atlas, other);
            found = direction;
        }
    }
    return found;
}

bool main_donor(const Atlas *atlas, AtlasCell cell, AtlasCell *donor) {
    const LandWindow *land = land_of(atlas, cell);
    const bool inside = cell.x > 0 && cell.y > 0 && cell.x < land->width - 1 && cell.y < land->height - 1;
    const int direction =
        inside ? donor_inside(land, cell_number(atlas, cell)) : donor_at_border(atlas, cell);
    return direction >= 0 && beside(atlas, cell, direction, donor);
}

Vec3 atlas_on_planet(const Atlas *atlas, AtlasPlace place) {
    const int shift = PLACE_BITS - atlas->depth;
    return place_on_planet(eroded_of(atlas->view->map)->axes, (double)atlas->side, place.face,
                           ldexp((double)place.x, -shift), ldexp((double)place.y, -shift));
}
