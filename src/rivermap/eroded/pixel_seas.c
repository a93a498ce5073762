// A pixel that holds water though its altitude is above the sea's becomes land from the coast inward, one
// layer after another, only if the water around it stays connected over sides: thinning, as that of the
// land's own seas (land/level_seas.c).

#include "rivermap/eroded/pixel_seas.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivermap/eroded/ground.h"
#include "rivermap/globe.h"
#include "water/drainage.h"

#include <math.h>
#include <stdatomic.h>

// Marks. Bits at first; then SEA: stays; HOLDS_WATER: is to be land; LEAVING: becomes land after the round.
enum { LAND = 0, HOLDS_WATER = 1, MOUTH = 2, SEA = 4, LEAVING = 8 };

// In cells: sea that is farther from all land is sea in the picture, too.
enum { NEAR = 3 };

// Of pixels that would show land, in cells.
#define DEPTH 0.125

Status pixel_seas_create(PixelSeas *seas, int width, int height, Error *error) {
    *seas = (PixelSeas){ .width = width, .height = height };
    seas->marks = memory_new_cells_zeroed(width, height, sizeof *seas->marks, error);
    return seas->marks ? STATUS_OK : STATUS_MEMORY;
}

void pixel_seas_free(PixelSeas *seas) {
    memory_free((void *)seas->marks);
}

static bool is_sea(const LandWindow *land, int cell) {
    return land->receiver[cell] >= NEIGHBOURS && land->base + land->altitude[cell] <= 0;
}

static bool is_near_land(const LandWindow *land, int x, int y) {
    if (x < NEAR || y < NEAR || x >= land->width - NEAR || y >= land->height - NEAR)
        return true; // of a planet, whose next face may have land there
    for (int row = y - NEAR; row <= y + NEAR; row++)
        for (int i = row * land->width + x - NEAR; i <= row * land->width + x + NEAR; i++)
            if (!is_sea(land, i))
                return true;
    return false;
}

KERNEL static int32_t highest_among(const int32_t *altitudes, int count) {
    int32_t highest = INT32_MIN;
    for (int i = 0; i < count; i++)
        highest = max(highest, altitudes[i]);
    return highest;
}

// Whether there may be land near cells `first` … `end` - 1 of row y.
static bool may_be_near_land(const LandWindow *land, int first, int end, int y) {
    if (first < NEAR || y < NEAR || end > land->width - NEAR || y >= land->height - NEAR)
        return true;
    int32_t highest = INT32_MIN;
    for (int row = y - NEAR; row <= y + NEAR; row++) {
        const int32_t here =
            highest_among(land->altitude + (size_t)row * (size_t)land->width + (size_t)(first - NEAR),
                          end - first + 2 * NEAR);
        highest = max(highest, here);
    }
    return land->base + highest > 0;
}

void pixel_seas_find(const LandWindow *land, int y, SeaCell *found, const void *context) {
    enum { PIECE = 64 };
    for (int first = 0; first < land->width; first += PIECE) {
        const int end = min(first + PIECE, land->width);
        const bool near = may_be_near_land(land, first, end, y);
        for (int x = first; x < end && near; x++)
            if (is_sea(land, y * land->width + x) && is_near_land(land, x, y))
                found(context, x, y);
    }
}

static void mark(const PixelSeas *seas, int x, int y, int bit) {
    if (x >= 0 && y >= 0 && x < seas->width && y < seas->height)
        atomic_fetch_or_explicit(&seas->marks[(size_t)y * (size_t)seas->width + (size_t)x], (uint8_t)bit,
                                 memory_order_relaxed);
}

void pixel_seas_add_pixel(const PixelSeas *seas, int x, int y) {
    mark(seas, x, y, HOLDS_WATER);
}

// The pixels that a line passes through: from one to the next over the side that it crosses first. Counted
// from the first one's corner, so that windows, whose places differ by whole pixels, agree.
void pixel_seas_add(const PixelSeas *seas, double x, double y, double to_x, double to_y) {
    const double left = floor(x), top = floor(y), columns = floor(to_x) - left, rows = floor(to_y) - top;
    const double across = to_x - x, down = to_y - y, right = across < 0 ? -1 : 1, below = down < 0 ? -1 : 1;
    const int first_x = whole_int(left), first_y = whole_int(top);
    double column = 0, row = 0;
    mark(seas, first_x, first_y, HOLDS_WATER);
    while (column != columns || row != rows) {
        const double side_x = column + (right > 0) - (x - left), side_y = row + (below > 0) - (y - top);
        const bool aside = row == rows || (column != columns && fabs(side_x * down) <= fabs(side_y * across));
        column += aside ? right : 0;
        row += aside ? 0 : below;
        mark(seas, first_x + whole_int(column), first_y + whole_int(row), HOLDS_WATER);
    }
}

void pixel_seas_add_mouth(const PixelSeas *seas, int x, int y) {
    mark(seas, x, y, MOUTH);
}

// --- thinning ---------------------------------------------------------------------------------------------

typedef struct Thinning {
    const PixelSeas *seas;
    ptrdiff_t beside[NEIGHBOURS];
    ptrdiff_t *drying; // pixels that are to be land
    size_t count;
} Thinning;

static int mark_of(const PixelSeas *seas, ptrdiff_t pixel) {
    return atomic_load_explicit(&seas->marks[pixel], memory_order_relaxed);
}

static void set_mark(const PixelSeas *seas, ptrdiff_t pixel, int mark) {
    atomic_store_explicit(&seas->marks[pixel], (uint8_t)mark, memory_order_relaxed);
}

static bool is_wet(const Thinning *thinning, ptrdiff_t pixel, int direction) {
    return mark_of(thinning->seas, pixel + thinning->beside[direction % NEIGHBOURS]) != LAND;
}

// Whether the water around a pixel remains connected over sides without it.
static bool is_simple(const Thinning *thinning, ptrdiff_t pixel) {
    int pieces = 0;
    for (int d = 0; d < NEIGHBOURS; d += 2)
        pieces +=
            is_wet(thinning, pixel, d) && !(is_wet(thinning, pixel, d + 1) && is_wet(thinning, pixel, d + 2));
    return pieces <= 1;
}

// Land comes from one side at a time, so that no two pixels between them close a strait.
static void dry_from(Thinning *thinning, int side) {
    const PixelSeas *seas = thinning->seas;
    for (size_t i = 0; i < thinning->count; i++)
        if (!is_wet(thinning, thinning->drying[i], side) && is_simple(thinning, thinning->drying[i]))
            set_mark(seas, thinning->drying[i], LEAVING);
    size_t left = 0;
    for (size_t i = 0; i < thinning->count; i++) {
        const ptrdiff_t pixel = thinning->drying[i];
        if (mark_of(seas, pixel) == LEAVING)
            set_mark(seas, pixel, LAND);
        else
            thinning->drying[left++] = pixel;
    }
    thinning->count = left;
}

// Marks what is sea by its altitude, and returns how many other pixels hold water. Outer pixels stay what
// they are.
static size_t mark_seas(const PixelSeas *seas, float sea, const Field *altitude) {
    size_t drying = 0;
    for (int y = 0; y < seas->height; y++)
        for (int x = 0; x < seas->width; x++) {
            const ptrdiff_t pixel = (ptrdiff_t)y * seas->width + x;
            const bool outer = x == 0 || y == 0 || x == seas->width - 1 || y == seas->height - 1;
            const int held = mark_of(seas, pixel);
            const bool stays = (held & MOUTH) || field_row(altitude, y)[x] < sea || (held && outer);
            set_mark(seas, pixel, stays ? SEA : held);
            drying += !stays && held;
        }
    return drying;
}

static Status begin(Thinning *thinning, float sea, const Field *altitude, Error *error) {
    const PixelSeas *seas = thinning->seas;
    for (int d = 0; d < NEIGHBOURS; d++)
        thinning->beside[d] = neighbour_y[d] * (ptrdiff_t)seas->width + neighbour_x[d];
    const size_t drying = mark_seas(seas, sea, altitude);
    thinning->drying = memory_new(drying + 1, sizeof *thinning->drying, error);
    if (!thinning->drying)
        return STATUS_MEMORY;
    for (ptrdiff_t pixel = 0; thinning->count < drying; pixel++)
        if (mark_of(seas, pixel) == HOLDS_WATER)
            thinning->drying[thinning->count++] = pixel;
    return STATUS_OK;
}

Status pixel_seas_open(const PixelSeas *seas, double sea, double cell, Field *altitude, Field *flow,
                       Error *error) {
    const float shore = (float)sea, floor_of_straits = (float)(sea - DEPTH * cell);
    Thinning thinning = { .seas = seas };
    const Status status = begin(&thinning, shore, altitude, error);
    for (int round = 0; round < PIXEL_SEAS_MARGIN && status == STATUS_OK; round++)
        dry_from(&thinning, 2 * round % NEIGHBOURS);
    memory_free(thinning.drying);
    for (size_t i = 0; i < field_count(altitude) && status == STATUS_OK; i++)
        if (mark_of(seas, (ptrdiff_t)i) != LAND && field_cells(altitude)[i] >= shore) {
            field_cells(altitude)[i] = floor_of_straits;
            field_cells(flow)[i] = 0;
        }
    return status;
}

// --- the seas of an atlas ----------------------------------------------------------------------------------

// Where the sea of an atlas shows in a picture: in the pixels of cells, along the lines between the middles
// of neighbouring ones where a projection parts them, and where streams end.

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
                      .pixels = pixels_of_cell(atlas),
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
