#include "rivermap/tile/plane.h"

#include "rivermap/channels.h"

#include "core/math.h"
#include "core/whole.h"
#include "rivermap/tile/tile.h"

#include <math.h>
#include <string.h>

Vec3 plane_place(double x, double y) {
    const double sine = 0.29237170472273677, cosine = 0.95630475596303544;
    return (Vec3){ 0.5 + x * cosine - y * sine, 0.5 + x * sine + y * cosine, 0 };
}

Vertex plane_vertex(const RiverMap *map, int i) {
    return (Vertex){ whole_64(map->corners[i] * FIXED_UNITS), map->seeds[i] };
}

// --- blocks ------------------------------------------------------------------------------------------------

Corner block_corner(const BlockTiles *tiles, int corner, int i) {
    return (Corner){ tiles->x[corner][i],
                     tiles->y[corner][i],
                     { whole_64((double)tiles->altitudes[corner][i]), tiles->seeds[corner][i] } };
}

static void put_corner(BlockTiles *tiles, int corner, int i, const Corner *from) {
    tiles->x[corner][i] = from->x;
    tiles->y[corner][i] = from->y;
    tiles->altitudes[corner][i] = (double)from->vertex.altitude;
    tiles->seeds[corner][i] = from->vertex.seed;
}

// The numbers of one corner of all tiles, or of all cuts.
typedef struct CornerNumbers {
    double *x, *y, *altitudes;
    uint32_t *seeds;
} CornerNumbers;

static CornerNumbers numbers_of(const BlockTiles *tiles, int corner) {
    return (CornerNumbers){ tiles->x[corner], tiles->y[corner], tiles->altitudes[corner],
                            tiles->seeds[corner] };
}

static void set_numbers(BlockTiles *tiles, int corner, CornerNumbers numbers) {
    tiles->x[corner] = numbers.x;
    tiles->y[corner] = numbers.y;
    tiles->altitudes[corner] = numbers.altitudes;
    tiles->seeds[corner] = numbers.seeds;
}

static void copy_numbers(const BlockTiles *to, int corner, int at, CornerNumbers from, int how_many) {
    const size_t count = (size_t)how_many;
    memcpy(to->x[corner] + at, from.x, count * sizeof(double));
    memcpy(to->y[corner] + at, from.y, count * sizeof(double));
    memcpy(to->altitudes[corner] + at, from.altitudes, count * sizeof(double));
    memcpy(to->seeds[corner] + at, from.seeds, count * sizeof(uint32_t));
}

void block_halve(BlockTiles *tiles, BlockCuts *cuts, const int kept[3], BlockTiles *others,
                 const int other[3]) {
    const int count = tiles->count;
    const CornerNumbers old[4] = { numbers_of(tiles, NEAR),
                                   numbers_of(tiles, FAR),
                                   numbers_of(tiles, ACROSS),
                                   { cuts->x, cuts->y, cuts->altitudes, cuts->seeds } };
    const int replaced = NEAR + FAR + ACROSS + CUT - kept[0] - kept[1] - kept[2];
    for (int corner = 0; corner < 3; corner++)
        set_numbers(tiles, corner, old[kept[corner] == CUT ? replaced : kept[corner]]);
    for (int corner = 0; corner < 3; corner++)
        copy_numbers(others, corner, others->count, old[other[corner]], count);
    for (int corner = 0; corner < 3; corner++)
        if (kept[corner] == CUT)
            copy_numbers(tiles, corner, 0, old[CUT], count);
    others->count += count;
}

static bool any_begins(const BlockCuts *cuts, int count) {
    uint32_t any = 0;
    for (int i = 0; i < count; i++)
        any |= cuts->begins[i];
    return any;
}

void block_leave_rivers(Block *block, BlockTiles *tiles, BlockCuts *cuts, bool acute, bool ordered) {
    if (!any_begins(cuts, tiles->count))
        return;
    for (int i = 0; i < tiles->count; i++) {
        if (!cuts->begins[i])
            continue;
        const Corner nowhere = { 1e300, 0, { 0, 0 } };
        const Corner a = block_corner(tiles, NEAR, i), b = block_corner(tiles, FAR, i);
        const bool turn = !ordered && first_is_near((Vec3){ b.x, b.y, 0 }, (Vec3){ a.x, a.y, 0 });
        const Corner corners[3] = { turn ? b : a, turn ? a : b, block_corner(tiles, ACROSS, i) };
        block->begins(block->context, corners, acute, block->longest);
        for (int corner = 0; corner < 3; corner++)
            put_corner(tiles, corner, i, &nowhere);
        cuts->x[i] = nowhere.x;
        cuts->altitudes[i] = 0;
    }
}

BlockStep block_step(const Block *block) {
    const DryCut dry = dry_cut(&block->map->constants);
    return (BlockStep){ dry, dry_step(&dry, sqrt(block->longest)) };
}

static void clear_tiles(BlockTiles *tiles) {
    tiles->count = 0;
    for (int corner = 0; corner < 3; corner++)
        set_numbers(tiles, corner,
                    (CornerNumbers){ tiles->numbers[0][corner], tiles->numbers[1][corner],
                                     tiles->numbers[2][corner], tiles->whole_numbers[corner] });
}

void block_clear(Block *block) {
    clear_tiles(&block->obtuse);
    clear_tiles(&block->acute);
}

void block_add(Block *block, const Corner corners[3], bool acute, double longest) {
    BlockTiles *tiles = acute ? &block->acute : &block->obtuse;
    block->longest = longest;
    for (int corner = 0; corner < 3; corner++)
        put_corner(tiles, corner, tiles->count, &corners[corner]);
    tiles->count++;
}

void block_cut(Block *block, double longest) {
    while (block->longest > longest)
        block->map->tiling->tiles->cut_block(block);
}

// --- rivers ------------------------------------------------------------------------------------------------

static Vec2 on_map(Vec3 at) {
    return (Vec2){ at.x, at.y };
}

static bool beside(const TileWindow *window, const Tile *tile) {
    const View *view = window->view;
    const double reach = sqrt(tile->shape.longest) * (1 + view->map->tiling->tiles->reach);
    const Vec3 at = tile->places[0];
    return at.x + reach < window->left || at.x - reach > window->left + view->width * window->pixel ||
           at.y + reach < window->top || at.y - reach > window->top + view->height * window->pixel;
}

Status plane_add_rivers(const View *view, NetworkBuilder *builder, Error *error) {
    (void)error;
    TileWindow window = tile_window(view);
    window.pixel = 1 / view->pixels;
    window.on_map = on_map;
    window.beside = beside;
    return tile_rivers_add(&window, builder);
}

// --- channels ----------------------------------------------------------------------------------------------

// The channels of tiles in the plane, only along rivers wide enough to be channels.

static Int128 to_place(double units) {
    return whole_128(ldexp(units, PLACE_BITS));
}

static double from_sea(Altitude altitude) {
    return (double)altitude * (1 / FIXED_UNITS);
}

static void add_triangle(Channels *channels, const Tile *tile, Altitude zero, double side, double parent_side,
                         double limit) {
    Vec3 at[3];
    TriangleChannels triangle = {
        .count = tile_crossings(tile, at), .side = side, .parent_side = parent_side, .limit = limit
    };
    if (triangle.count == 0)
        return;
    const Vec3 middle = tile_middle(tile->places);
    triangle.middle_x = to_place(middle.x);
    triangle.middle_y = to_place(middle.y);
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const Crossing edge = tile->edges[i];
        if (!edge.river)
            continue;
        triangle.crossings[count] =
            (struct TriangleCrossing){ to_place(at[count].x), to_place(at[count].y),
                                       channel_width(channels, (double)edge.basin, from_sea(edge.altitude)),
                                       from_sea(edge.altitude - zero), edge.forwards };
        count++;
    }
    channels_add(channels, &triangle);
}

static void go_down(Channels *channels, const Tile *tile, Altitude zero, double parent_side,
                    double parent_limit) {
    const double length = sqrt(tile->shape.longest);
    const double side = length * channels->view->pixels;
    ChannelRange range = channel_range(channels, length, parent_limit);
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const Vec3 at = tile->places[i];
        left = min(at.x, left);
        right = max(at.x, right);
        top = min(at.y, top);
        bottom = max(at.y, bottom);
        if (!tile->edges[i].river)
            continue;
        channel_range_add(
            &range, channel_width(channels, (double)tile->edges[i].basin, from_sea(tile->edges[i].altitude)),
            parent_side);
    }
    channel_range_end(&range);
    const double bends = channels->view->map->tiling->tiles->reach * length;
    if (!channels_reach(channels, to_place(left - bends), to_place(top - bends), to_place(right + bends),
                        to_place(bottom + bends), &range))
        return;
    add_triangle(channels, tile, zero, side, parent_side, range.limit);
    if (!channels_go_on(&range, side))
        return;
    Tile halves[2];
    tile_cut(channels->view->map, tile, halves);
    for (int i = 0; i < 2; i++)
        go_down(channels, &halves[i], zero, side, range.limit);
}

void tile_channels_add(Channels *channels) {
    channels_set_zero(channels, 0, 1 / FIXED_UNITS);
    const Altitude zero = view_zero(channels->view, 0);
    Tile first[FIRST_TILES_MAX];
    const int count = first_tiles(channels->view->map, first);
    for (int i = 0; i < count; i++)
        go_down(channels, &first[i], zero, INFINITY, INFINITY);
}
