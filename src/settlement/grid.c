#include "settlement/grid.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivermap/eroded/atlas.h"
#include "rivermap/globe.h"
#include "settlement/own_coasts.h"

#include <math.h>
#include <string.h>

// --- boxes -------------------------------------------------------------------------------------------------

GridBox grid_box(int bits, const Int128 corners[4], int margin) {
    const int shift = PLACE_BITS - bits, side = 1 << bits;
    const Int128 most = side;
    const Int128 left = (corners[0] >> shift) - margin, top = (corners[1] >> shift) - margin,
                 right = -(-corners[2] >> shift) + margin, bottom = -(-corners[3] >> shift) + margin;
    const int x = (int)(left < 0       ? 0
                        : left >= most ? most - 1
                                       : left),
              y = (int)(top < 0       ? 0
                        : top >= most ? most - 1
                                      : top);
    return (GridBox){ x, y, (int)(right > most ? most : right) - x,
                      (int)(bottom > most ? most : bottom) - y };
}

GridBox grid_box_aligned(int bits, GridBox box, int side) {
    const int all = 1 << bits, x = box.x & -side, y = box.y & -side;
    const int right = min((box.x + box.width + side - 1) & -side, all),
              bottom = min((box.y + box.height + side - 1) & -side, all);
    return (GridBox){ x, y, right - x, bottom - y };
}

// The part of a box that two boxes have in common; width 0: none.
static GridBox common_box(GridBox a, GridBox b) {
    const int x = max(a.x, b.x), y = max(a.y, b.y), right = min(a.x + a.width, b.x + b.width),
              bottom = min(a.y + a.height, b.y + b.height);
    return right > x && bottom > y ? (GridBox){ x, y, right - x, bottom - y } : (GridBox){ 0 };
}

// The smallest box that holds two.
static GridBox both_boxes(GridBox a, GridBox b) {
    if (box_is_none(&a) || box_is_none(&b))
        return box_is_none(&a) ? b : a;
    const int x = min(a.x, b.x), y = min(a.y, b.y), right = max(a.x + a.width, b.x + b.width),
              bottom = max(a.y + a.height, b.y + b.height);
    return (GridBox){ x, y, right - x, bottom - y };
}

static GridBox larger_box(GridBox box, int more) {
    return (GridBox){ box.x - more, box.y - more, box.width + 2 * more, box.height + 2 * more };
}

static GridBox face_box(int bits) {
    return (GridBox){ 0, 0, 1 << bits, 1 << bits };
}

// What a box that reaches beyond edges of a face covers of another one.
static GridBox box_on_face(int bits, int from, GridBox box, int face) {
    const int side = 1 << bits;
    const GridBox beyond[] = { { side, 0, side - 1, side },
                               { 0, side, side, side - 1 },
                               { 1 - side, 0, side - 1, side },
                               { 0, 1 - side, side, side - 1 } };
    GridBox found = from == face ? common_box(box, face_box(bits)) : (GridBox){ 0 };
    for (int edge = 0; edge < CUBE_EDGES; edge++) {
        const GridBox there = common_box(box, beyond[edge]);
        CubeCell first = { from, there.x, there.y, 0 },
                 last = { from, there.x + there.width - 1, there.y + there.height - 1, 0 };
        if (box_is_none(&there) || !cube_resolve(side, &first) || !cube_resolve(side, &last) ||
            first.face != face)
            continue;
        const int x = (int)min(first.x, last.x), y = (int)min(first.y, last.y);
        const GridBox turned = { x, y, (int)max(first.x, last.x) - x + 1, (int)max(first.y, last.y) - y + 1 };
        found = both_boxes(found, turned);
    }
    return found;
}

static bool is_on_face(const Region *region, int face) {
    return region->corners[face][2] > 0;
}

GridBox region_box(const Region *region, int bits, int face, int margin) {
    if (!region->axes)
        return face == 0 ? grid_box(bits, region->corners[0], margin) : (GridBox){ 0 };
    if (margin >= 1 << bits)
        return face_box(bits);
    GridBox box = { 0 };
    for (int from = 0; from < CUBE_FACES; from++)
        if (is_on_face(region, from))
            box = both_boxes(
                box,
                box_on_face(bits, from, larger_box(grid_box(bits, region->corners[from], 0), margin), face));
    return box;
}

GridBox region_box_on_grid(const Region *region, int bits, int face, int margin) {
    GridBox box = region_box(region, bits, face, margin);
    for (int from = 0; from < CUBE_FACES && region->axes; from++) {
        const GridBox there = region_box(region, bits, from, margin);
        CubeCell first = { from, there.x, there.y, 0 },
                 last = { from, there.x + there.width - 1, there.y + there.height - 1, 0 };
        const Int128 side = (Int128)1 << bits;
        if (from == face || box_is_none(&there) || !cube_unfold(side, face, &first) ||
            !cube_unfold(side, face, &last))
            continue;
        const int x = (int)min(first.x, last.x), y = (int)min(first.y, last.y);
        const GridBox turned = { x, y, (int)max(first.x, last.x) - x + 1, (int)max(first.y, last.y) - y + 1 };
        box = both_boxes(box, turned);
    }
    return box;
}

// What is `more` before a pixel, or beyond the edge at 0.
static int before_or_across(int at, int more, int across) {
    return at < more ? min(at - more, -across) : at - more;
}

GridBox box_beyond(const Region *region, int bits, GridBox box, int more, int across) {
    const int side = 1 << bits;
    if (box_is_none(&box))
        return box;
    if (!region->axes)
        return common_box(larger_box(box, more), face_box(bits));
    const int x = before_or_across(box.x, more, across), y = before_or_across(box.y, more, across),
              right = side - before_or_across(side - box.x - box.width, more, across),
              bottom = side - before_or_across(side - box.y - box.height, more, across);
    return common_box((GridBox){ x, y, right - x, bottom - y }, larger_box(face_box(bits), side - 1));
}

// What a window shows of each face, by places that are some pixels apart.
enum { APART = 4 };
_Static_assert(APART > 1, "the window's edges are half as far from the outermost places");

typedef struct ShownRow {
    LandRect on[CUBE_FACES];
    int count; // of places that the window shows
} ShownRow;

typedef struct Showing {
    const View *view;
    ShownRow *rows;
} Showing;

enum { SHARE_BITS = 40 }; // of a face's side, to which a region is rounded

static void show_place(void *context, Vec3 at, int x, int y) {
    const Showing *showing = context;
    const double side = ldexp(1, SHARE_BITS);
    const CubePlace place = grid_place(eroded_of(showing->view->map)->axes, side, at);
    const Int128 column = whole_64(floor(clamp(place.x, 0, side - 1))),
                 row = whole_64(floor(clamp(place.y, 0, side - 1)));
    LandRect *rect = &showing->rows[y].on[place.face];
    const bool empty = rect->right <= rect->left;
    (void)x;
    showing->rows[y].count++;
    *rect = (LandRect){ empty ? column : min(column, rect->left), empty ? row : min(row, rect->top),
                        empty ? column + 1 : max(column + 1, rect->right),
                        empty ? row + 1 : max(row + 1, rect->bottom) };
}

// Half of what is between two places, and more: a projection's scale varies by 2, and that of a face, too. At
// the rim of a globe that is seen from afar depth counts.
static double margin_of(const View *places, int count) {
    const double pixel = globe_pixel(places);
    const bool rim = places->projection == PROJECTION_ORTHOGRAPHIC && count < places->width * places->height;
    return rim ? 2 * sqrt(pixel) : 2 * pixel;
}

// Adds the places of a row to what is shown of a face, in shares of its side.
static void add_row(Int128 corners[4], const LandRect *rect) {
    const bool empty = corners[2] == 0;
    if (rect->right <= rect->left)
        return;
    corners[0] = empty ? rect->left : min(corners[0], rect->left);
    corners[1] = empty ? rect->top : min(corners[1], rect->top);
    corners[2] = empty ? rect->right : max(corners[2], rect->right);
    corners[3] = empty ? rect->bottom : max(corners[3], rect->bottom);
}

static void enlarge_corners(Int128 corners[4], Int128 margin) {
    const int shift = PLACE_BITS - SHARE_BITS;
    const Int128 side = (Int128)1 << SHARE_BITS;
    for (int i = 0; i < 4 && corners[2] > 0; i++) {
        const Int128 at = corners[i] + (i < 2 ? -margin : margin);
        corners[i] = clamp(at, 0, side);
    }
    for (int i = 0; i < 4; i++)
        corners[i] <<= shift;
}

static Status show_faces(Region *region, const View *view, Error *error) {
    View places = *view;
    places.pixel = view->pixel * APART;
    places.pixels = view->pixels / APART;
    places.width = (view->width + APART - 1) / APART;
    places.height = (view->height + APART - 1) / APART;
    Field frame = { .width = places.width, .height = places.height };
    places.altitude = &frame;
    Showing showing = { &places, memory_new_zeroed((size_t)places.height, sizeof *showing.rows, error) };
    if (!showing.rows)
        return STATUS_MEMORY;
    const Status status = globe_draw(&places, show_place, &showing, error);
    int count = 0;
    for (int y = 0; y < places.height; y++) {
        count += showing.rows[y].count;
        for (int face = 0; face < CUBE_FACES; face++)
            add_row(region->corners[face], &showing.rows[y].on[face]);
    }
    const double margin = margin_of(&places, count) * (2 / PI);
    for (int face = 0; face < CUBE_FACES; face++)
        enlarge_corners(region->corners[face], whole_64(ceil(ldexp(min(margin, 1), SHARE_BITS))));
    memory_free(showing.rows);
    return status;
}

Status region_of_view(Region *region, const View *view, Error *error) {
    *region = (Region){ .axes = NULL };
    if (view->map->tiling->planet) {
        region->axes = eroded_of(view->map)->axes;
        return show_faces(region, view, error);
    }
    const Int128 left = view_left(view), top = view_top(view);
    const Int128 corners[4] = { left, top, left + view->pixel * view->width,
                                top + view->pixel * view->height };
    memcpy(region->corners[0], corners, sizeof corners);
    return STATUS_OK;
}

// --- places ------------------------------------------------------------------------------------------------

int grid_face_of(const Grid *grid, double *x, double *y) {
    const double side = ldexp(1, grid->bits);
    if (!grid->axes || (*x >= 0 && *y >= 0 && *x <= side && *y <= side))
        return grid->face;
    if (*x < 0 || *x > side)
        *y = clamp(*y, 0, side);
    const double column = clamp(floor(*x), 1 - side, 2 * side - 2),
                 row = clamp(floor(*y), 1 - side, 2 * side - 2);
    CubeCell cell = { grid->face, whole_64(column == side && *x == side ? side - 1 : column),
                      whole_64(row == side ? side - 1 : row), 0 };
    double right = *x - column - 0.5, down = *y - row - 0.5;
    if (!cube_resolve((Int128)1 << grid->bits, &cell))
        return grid->face;
    for (int i = 0; i < cell.turn; i++) {
        const double old = right;
        right = -down;
        down = old;
    }
    *x = (double)cell.x + 0.5 + right;
    *y = (double)cell.y + 0.5 + down;
    return cell.face;
}

Vec3 grid_direction(const Grid *grid, double x, double y) {
    const int face = grid_face_of(grid, &x, &y);
    return place_on_planet(grid->axes, ldexp(1, grid->bits), face, x, y);
}

Vec2 grid_in_climate(const Grid *grid, double x, double y) {
    const double side = ldexp(1, grid->bits);
    if (!grid->axes)
        return (Vec2){ x / side, y / side };
    const Vec2 on_map = globe_on_map(grid_direction(grid, x, y));
    return (Vec2){ on_map.x, 2 * on_map.y - 0.5 };
}

Vec3 grid_place_of(const Grid *grid, int x, int y) {
    if (!grid->axes)
        return (Vec3){ x, y, 0 };
    const Vec3 at = grid_direction(grid, x + 0.5, y + 0.5);
    const double pixels = ldexp(2 / PI, grid->bits); // of a radius
    return (Vec3){ at.x * pixels, at.y * pixels, at.z * pixels };
}

GridShape grid_shape(const Grid *grid, int x, int y) {
    if (!grid->axes)
        return (GridShape){ 1, 1, 0 };
    const double a = grid->tangents[x - grid->box.x], b = grid->tangents[grid->box.width + y - grid->box.y];
    const double long_a = 1 + a * a, long_b = 1 + b * b, squared = 1 / (long_a + b * b);
    return (GridShape){ long_a * sqrt(long_b) * squared, long_b * sqrt(long_a) * squared,
                        -a * b / sqrt(long_a * long_b) };
}

// Beyond an edge those of the edge.
Status grid_find_tangents(Grid *grid, Error *error) {
    const GridBox *box = &grid->box;
    const double side = ldexp(1, grid->bits);
    if (!grid->axes)
        return STATUS_OK;
    grid->tangents = memory_new((size_t)box->width + (size_t)box->height, sizeof *grid->tangents, error);
    if (!grid->tangents)
        return STATUS_MEMORY;
    for (int i = 0; i < box->width + box->height; i++) {
        const int at = i < box->width ? box->x + i : box->y + i - box->width;
        const double angle = (clamp((at + 0.5) / side, 0, 1) - 0.5) * (PI / 2);
        grid->tangents[i] = sine(angle) / cosine(angle);
    }
    return STATUS_OK;
}

// --- drawing -----------------------------------------------------------------------------------------------

// A box of a face's own pixels.
static Status draw_on_face(Grid *grid, const RiverMap *map, int bits, int face, GridBox box, const Run *run,
                           Error *error) {
    const Int128 pixel = (Int128)1 << (PLACE_BITS - bits);
    const bool planet = map->tiling->planet;
    *grid = (Grid){ .bits = bits,
                    .face = face,
                    .axes = planet ? eroded_of(map)->axes : NULL,
                    .box = box,
                    .metres = ldexp(face_metres(map), -bits) };
    const double pixels = ldexp(1, bits);
    View view = { .map = map,
                  .run = run,
                  .altitude = &grid->altitude,
                  .river = &grid->river,
                  .flow = &grid->flow,
                  .water = &grid->water,
                  .discharge = map->watered ? &grid->discharge : NULL,
                  .width = box.width,
                  .height = box.height,
                  .x = pixel * box.x + pixel * box.width / 2,
                  .y = pixel * box.y + pixel * box.height / 2,
                  .pixel = pixel,
                  .pixels = pixels,
                  .side = planet ? 0 : map->metres,
                  .radius = planet ? map->metres : 0,
                  .projection = planet ? PROJECTION_GRID : PROJECTION_EQUIRECTANGULAR,
                  .face = face,
                  .axes = grid->axes,
                  .line_basin = map->constants.width > 0
                                    ? (float)((double)CHANNEL_MIN / (double)map->constants.width / pixels)
                                    : INFINITY };
    view.centre_x = view.x;
    view.centre_y = view.y;
    Status status = view_draw(&view, error);
    if (status == STATUS_OK)
        status = view_raise(&view);
    if (status == STATUS_OK)
        show_coasts(grid, map);
    return status;
}

Status grid_draw(Grid *grid, const RiverMap *map, int bits, GridBox box, const Run *run, Error *error) {
    return draw_on_face(grid, map, bits, 0, box, run, error);
}

void grid_free(Grid *grid) {
    field_free(&grid->altitude);
    field_free(&grid->river);
    field_free(&grid->flow);
    field_free(&grid->water);
    field_free(&grid->discharge);
    memory_free(grid->tangents);
    grid->tangents = NULL;
}

// --- grids that go on beyond edges -------------------------------------------------------------------------

enum { GRID_FIELDS = 5 };

static void list_fields(Grid *grid, Field *fields[GRID_FIELDS]) {
    fields[0] = &grid->altitude;
    fields[1] = &grid->river;
    fields[2] = &grid->flow;
    fields[3] = &grid->water;
    fields[4] = &grid->discharge;
}

static Status create_fields(Grid *grid, Grid *like, Error *error) {
    Field *fields[GRID_FIELDS], *of[GRID_FIELDS];
    Status status = grid_find_tangents(grid, error);
    list_fields(grid, fields);
    list_fields(like, of);
    for (int i = 0; i < GRID_FIELDS && status == STATUS_OK; i++)
        if (of[i]->cells)
            status = field_create(fields[i], grid->box.width, grid->box.height, error);
    return status;
}

typedef struct Joining {
    Grid *grid; // of one face and around it
    Grids *own; // the pixels of each face alone
} Joining;

// Where the pixel of a grid is on the faces. Beyond two edges it is one beside it.
static CubeCell cell_of(const Grid *grid, int x, int y) {
    const int side = 1 << grid->bits;
    const bool beside = x < 0 || x >= side;
    CubeCell cell = { grid->face, x, beside ? clamp(y, 0, side - 1) : y, 0 };
    cube_resolve(side, &cell);
    return cell;
}

static void join_rows(void *context, int first, int end) {
    const Joining *joining = context;
    const GridBox *box = &joining->grid->box;
    Field *to[GRID_FIELDS];
    list_fields(joining->grid, to);
    for (int y = first; y < end; y++)
        for (int x = 0; x < box->width; x++) {
            const CubeCell cell = cell_of(joining->grid, box->x + x, box->y + y);
            Grid *own = &joining->own->on[cell.face];
            const size_t at = (size_t)y * (size_t)box->width + (size_t)x,
                         from = grid_index(own, (int)cell.x, (int)cell.y);
            Field *of[GRID_FIELDS];
            list_fields(own, of);
            for (int i = 0; i < GRID_FIELDS; i++)
                if (to[i]->cells)
                    field_cells(to[i])[at] = of[i]->cells[from];
        }
}

// The pixels of all faces that grids need, each drawn once.
static Status draw_own(Grids *grids, Grids *own, const RiverMap *map, int bits,
                       const GridBox boxes[CUBE_FACES], const Run *run, Error *error) {
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        GridBox box = { 0 };
        for (int of = 0; of < CUBE_FACES; of++)
            if (!box_is_none(&boxes[of]))
                box = both_boxes(box, box_on_face(bits, of, boxes[of], face));
        grids->own[face] = box;
        if (!box_is_none(&box))
            status = draw_on_face(&own->on[face], map, bits, face, box, run, error);
    }
    return status;
}

static Status draw_round(Grids *grids, const RiverMap *map, int bits, const GridBox boxes[CUBE_FACES],
                         const Run *run, Error *error) {
    Grids own = { 0 };
    Status status = draw_own(grids, &own, map, bits, boxes, run, error);
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        Grid *grid = &grids->on[face];
        if (box_is_none(&boxes[face]))
            continue;
        *grid = (Grid){ .bits = bits,
                        .face = face,
                        .axes = eroded_of(map)->axes,
                        .box = boxes[face],
                        .metres = ldexp(face_metres(map), -bits) };
        status = create_fields(grid, &own.on[face], error);
        Joining joining = { grid, &own };
        if (status == STATUS_OK)
            status = parallel_rows(run, grid->box.height, grid->box.width * 20.0, join_rows, &joining);
    }
    grids_free(&own);
    return status;
}

Status grids_draw(Grids *grids, const RiverMap *map, int bits, const GridBox boxes[CUBE_FACES],
                  const Run *run, Error *error) {
    *grids = (Grids){ .bits = bits, .round = map->tiling->planet, .own = { boxes[0] } };
    if (grids->round)
        return draw_round(grids, map, bits, boxes, run, error);
    return box_is_none(&boxes[0]) ? STATUS_OK : grid_draw(&grids->on[0], map, bits, boxes[0], run, error);
}

void grids_free(Grids *grids) {
    for (int face = 0; face < CUBE_FACES; face++)
        grid_free(&grids->on[face]);
}
