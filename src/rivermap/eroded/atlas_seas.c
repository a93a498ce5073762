// Where the sea of an atlas shows in a picture: in the pixels of cells, along the lines between the middles
// of neighbouring ones where a projection parts them, and where streams end.

#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/pixel_seas.h"
#include "rivermap/globe.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

typedef struct Search {
    const Atlas *atlas;
    const PixelSeas *seas;
    int face;
    const int *columns,
        *rows; // of a flat map's pixels, in which the middles of the window's columns and rows lie
    double pixels, around; // that a planet's cell takes; those around the planet, if they meet, or 0
    float least;           // streams drain
} Search;

// --- flat maps: cells are no larger than pixels, so those of neighbours are neighbours --------------------

static void add_pixel(const void *context, int x, int y) {
    const Search *search = context;
    pixel_seas_add_pixel(search->seas, search->columns[x], search->rows[y]);
}

// Of the pixels from `start` on those that hold the middles of cells; -1: before them.
static void find_pixels(const Atlas *atlas, Int128 start, Int128 first, int count, int *pixels) {
    const View *view = atlas->view;
    const Int128 cell = (Int128)1 << (PLACE_BITS - atlas->depth);
    for (int i = 0; i < count; i++) {
        const Int128 from = (first + i) * cell + cell / 2 - start - view_nudge(view);
        pixels[i] = from < 0 ? -1 : (int)(from / view->pixel);
    }
}

// --- planets: straits and inlets ---------------------------------------------------------------------------

// Where a picture shows a cell, in its pixels.
typedef struct Spot {
    bool shown;
    double x, y;
} Spot;

static Spot spot_of(const Atlas *atlas, AtlasCell cell) {
    const View *view = atlas->view;
    Vec2 position;
    const bool shown = globe_shows(view, atlas_on_planet(atlas, middle_of(atlas, cell)), &position);
    if (view_goes_round(view))
        position.x = view_nearest_turn(view, position.x);
    return (Spot){ .shown = shown,
                   .x = (position.x - ldexp((double)view_left(view), -PLACE_BITS)) * view->pixels,
                   .y = (position.y - ldexp((double)view_top(view), -PLACE_BITS)) * view->pixels };
}

// Planets that meet themselves are drawn as if they went on; both ends lie on the same side of the seam.
static void add_line(const Search *search, Spot from, Spot to) {
    const double around = search->around;
    if (!from.shown || !to.shown)
        return;
    to.x += to.x - from.x > around / 2 ? -around : from.x - to.x > around / 2 ? around : 0;
    for (int turn = around > 0 ? -1 : 0; turn <= (around > 0 ? 1 : 0); turn++) {
        const double left = min(from.x, to.x) + turn * around, right = max(from.x, to.x) + turn * around;
        if (right >= 0 && left < search->seas->width && max(from.y, to.y) >= 0 &&
            min(from.y, to.y) < search->seas->height)
            pixel_seas_add(search->seas, from.x + turn * around, from.y, to.x + turn * around, to.y);
    }
}

// To the right and down, and over edges both ways: beyond one, right may be down.
static void add_lines(const Search *search, AtlasCell cell, Spot from) {
    const Atlas *atlas = search->atlas;
    for (int d = 0; d < NEIGHBOURS; d += 2) {
        AtlasCell other;
        if (beside(atlas, cell, d, &other) && (d < 4 || other.face != cell.face) &&
            !is_drained(atlas, other) && height_of(atlas, other) <= 0)
            add_line(search, from, spot_of(atlas, other));
    }
}

// --- planets: mouths ---------------------------------------------------------------------------------------

// Not where more drains through the pixel elsewhere.
static void add_mouth_at(const Search *search, float area, int column, int row) {
    if (column >= 0 && row >= 0 && column < search->seas->width && row < search->seas->height &&
        !(field_row(search->atlas->view->flow, row)[column] > (float)((double)area * search->pixels)))
        pixel_seas_add_mouth(search->seas, column, row);
}

static void add_mouth(const Search *search, AtlasCell cell, Spot spot) {
    const float area = most_into(search->atlas, cell);
    if (area < search->least)
        return;
    for (int turn = search->around > 0 ? -1 : 0; spot.shown && turn <= (search->around > 0 ? 1 : 0); turn++)
        add_mouth_at(search, area, whole_int(floor(spot.x + turn * search->around)),
                     whole_int(floor(spot.y)));
}

static void add_cell(const void *context, int x, int y) {
    const Search *search = context;
    const AtlasCell cell = { search->face, x, y, 0 };
    const Spot spot = spot_of(search->atlas, cell);
    add_lines(search, cell, spot);
    add_mouth(search, cell, spot);
}

// -----------------------------------------------------------------------------------------------------------

static void add_rows(void *context, int first, int end) {
    const Search *search = context;
    for (int y = first; y < end; y++)
        pixel_seas_find(&search->atlas->land.on[search->face], y, search->columns ? add_pixel : add_cell,
                        search);
}

static Status add_cells(const Atlas *atlas, const PixelSeas *seas, const int *columns) {
    const View *view = atlas->view;
    Search search = { .atlas = atlas,
                      .seas = seas,
                      .columns = columns,
                      .rows = columns ? columns + atlas->land.on[0].width : NULL,
                      .pixels = atlas->planet ? pixels_of_cell(atlas) : 0,
                      .around = view_goes_round(view) ? view->pixels : 0,
                      .least = least_at_mouth(atlas) };
    Status status = STATUS_OK;
    for (; search.face < CUBE_FACES && status == STATUS_OK; search.face++) {
        const LandWindow *land = &atlas->land.on[search.face];
        if (land->altitude)
            status = parallel_rows(view->run, land->height, land->width * 50.0, add_rows, &search);
    }
    return status;
}

Status open_seas(const Atlas *atlas, Error *error) {
    const View *view = atlas->view;
    const LandWindow *land = &atlas->land.on[0];
    int *columns = NULL;
    PixelSeas seas;
    Status status = pixel_seas_create(&seas, view->width, view->height, error);
    if (status == STATUS_OK && !atlas->planet) {
        columns = memory_new((size_t)land->width + (size_t)land->height, sizeof *columns, error);
        if (columns) {
            find_pixels(atlas, view_left(view), land->x, land->width, columns);
            find_pixels(atlas, view_top(view), land->y, land->height, columns + land->width);
        } else
            status = STATUS_MEMORY;
    }
    if (status == STATUS_OK)
        status = add_cells(atlas, &seas, columns);
    if (status == STATUS_OK)
        status =
            pixel_seas_open(&seas, shore_of(atlas), ldexp(atlas->unit, eroded_of(view->map)->rules.unit_bits),
                            view->altitude, view->flow, error);
    memory_free(columns);
    pixel_seas_free(&seas);
    return status;
}
