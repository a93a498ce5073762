#include "tiles/vector_tile.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "tiles/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Beyond the tile lines go on so far that their simplification on its edge does not depend on where they end.
enum { EXTENT = 4096, BEYOND = EXTENT / 16, TOLERANCE = EXTENT / 1024 };

// --- protocol buffers --------------------------------------------------------------------------------------

enum { VARINT = 0, DOUBLE = 1, BYTES = 2 }; // wire types

static void put_number(Growing *to, uint64_t number) {
    unsigned char bytes[10];
    size_t count = 0;
    for (; number > 127; number >>= 7)
        bytes[count++] = (unsigned char)(number | 128);
    bytes[count++] = (unsigned char)number;
    growing_put(to, bytes, count);
}

static void put_key(Growing *to, unsigned field, unsigned type) {
    put_number(to, field << 3 | type);
}

static void put_member(Growing *to, unsigned field, uint64_t number) {
    put_key(to, field, VARINT);
    put_number(to, number);
}

static void put_bytes(Growing *to, unsigned field, const void *bytes, size_t count) {
    put_key(to, field, BYTES);
    put_number(to, count);
    growing_put(to, bytes, count);
}

static void put_inner(Growing *to, unsigned field, Growing *inner) {
    put_bytes(to, field, inner->at, inner->count);
    to->failed = to->failed || inner->failed;
    growing_free(inner);
}

static void put_double(Growing *to, unsigned field, double number) {
    unsigned char bytes[8];
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    put_key(to, field, DOUBLE);
    growing_put(to, bytes, sizeof bytes);
}

// --- lines in the tile -------------------------------------------------------------------------------------

typedef struct Cutting {
    Pieces pieces;
    double left, top, scale;
} Cutting;

static int point_count(const Pieces *pieces) {
    return (int)(pieces->points.count / sizeof(Point));
}

static Piece *last_piece(const Pieces *pieces) {
    return piece_at(pieces, piece_count(pieces) - 1);
}

static void add_point(Pieces *pieces, Point point) {
    growing_put(&pieces->points, &point, sizeof point);
    if (!pieces->points.failed)
        last_piece(pieces)->count++;
}

static Point rounded(double x, double y) {
    return (Point){ double_to_within(floor(x + 0.5), -BEYOND, EXTENT + BEYOND),
                    double_to_within(floor(y + 0.5), -BEYOND, EXTENT + BEYOND) };
}

// Narrows the part `from` … `to` of a segment to where start + part × along is within the tile (Liang and
// Barsky 1984); false if nothing is left.
static bool clip(double start, double along, double *from, double *to) {
    const double low = -BEYOND, high = EXTENT + BEYOND;
    if (along == 0)
        return start >= low && start <= high;
    const double enters = ((along > 0 ? low : high) - start) / along,
                 leaves = ((along > 0 ? high : low) - start) / along;
    *from = max(*from, enters);
    *to = min(*to, leaves);
    return *from <= *to;
}

// Adds a segment of a line; it continues the last piece where that ends at its start.
static void add_segment(Cutting *cutting, const RiverPoint *start, const RiverPoint *end, const Piece *kind,
                        bool *open) {
    Pieces *pieces = &cutting->pieces;
    const double scale = cutting->scale;
    const double x = (start->x - cutting->left) * scale, y = (start->y - cutting->top) * scale;
    const double dx = (end->x - start->x) * scale, dy = (end->y - start->y) * scale;
    double from = 0, to = 1;
    if (!clip(x, dx, &from, &to) || !clip(y, dy, &from, &to)) {
        *open = false;
        return;
    }
    const Point first = rounded(x + from * dx, y + from * dy), last = rounded(x + to * dx, y + to * dy);
    if (first.x == last.x && first.y == last.y)
        return;
    if (!*open || last_piece(pieces)->value != kind->value || from > 0) {
        Piece piece = *kind;
        piece.first = point_count(pieces);
        growing_put(&pieces->list, &piece, sizeof piece);
        if (pieces->list.failed)
            return;
        add_point(pieces, first);
    }
    add_point(pieces, last);
    *open = to == 1;
}

// The largest half power of 2 that is not above a width.
static double half_power(double width) {
    int exponent;
    const double part = frexp(max(width, 0x1p-20), &exponent);
    return ldexp(part < 0.70710678118654752 ? 0.5 : 0.70710678118654752, exponent);
}

static void find_pieces(const RiverNetwork *network, double metres, Cutting *cutting) {
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        bool open = false;
        for (int k = 0; k + 1 < reach->count; k++) {
            const double ele = floor((double)points[0].altitude * metres * 1000 + 0.5) / 1000;
            const Piece kind = { .value = network->lines ? ele : half_power((double)points[k].width),
                                 .index = network->lines && reach->order == 2 };
            add_segment(cutting, &points[k], &points[k + 1], &kind, &open);
        }
    }
}

// --- features ----------------------------------------------------------------------------------------------

enum { MOVE_TO = 1, LINE_TO = 2, LINESTRING = 2 };

static void put_command(Growing *to, unsigned command, int count) {
    put_number(to, (unsigned)count << 3 | command);
}

static void put_step(Growing *to, int step) {
    put_number(to, step < 0 ? 2 * (uint64_t)-step - 1 : 2 * (uint64_t)step);
}

static void put_piece(Growing *to, const Point *points, int count, Point *cursor) {
    for (int i = 0; i < count; i++) {
        if (i <= 1)
            put_command(to, i == 0 ? MOVE_TO : LINE_TO, i == 0 ? 1 : count - 1);
        put_step(to, points[i].x - cursor->x);
        put_step(to, points[i].y - cursor->y);
        *cursor = points[i];
    }
}

// The feature of all pieces of one value, the `number`-th; `lines`: with the key `index`, whose values are
// the first two.
static void put_feature(Growing *layer, const Piece *pieces, int count, const Point *points, unsigned number,
                        bool lines) {
    Growing feature = { 0 }, tags = { 0 }, geometry = { 0 };
    put_number(&tags, 0);
    put_number(&tags, number + (lines ? 2 : 0));
    if (lines) {
        put_number(&tags, 1);
        put_number(&tags, pieces->index);
    }
    Point cursor = { 0, 0 };
    for (int i = 0; i < count; i++)
        put_piece(&geometry, points + pieces[i].first, pieces[i].count, &cursor);
    put_inner(&feature, 2, &tags);
    put_member(&feature, 3, LINESTRING);
    put_inner(&feature, 4, &geometry);
    put_inner(layer, 2, &feature);
}

static void put_flag(Growing *layer, bool flag) {
    Growing value = { 0 };
    put_member(&value, 7, flag);
    put_inner(layer, 4, &value);
}

static void put_layer(Growing *to, const char *name, const Piece *pieces, int count, const Point *points,
                      bool lines) {
    Growing layer = { 0 }, values = { 0 };
    put_member(&layer, 15, 2); // the version
    put_bytes(&layer, 1, name, strlen(name));
    unsigned number = 0;
    for (int first = 0, end; first < count; first = end, number++) {
        for (end = first + 1; end < count && pieces[end].value == pieces[first].value; end++) {
        }
        put_feature(&layer, pieces + first, end - first, points, number, lines);
        Growing value = { 0 };
        put_double(&value, 3, pieces[first].value);
        put_inner(&values, 4, &value);
    }
    const char *key = lines ? "ele" : "width";
    put_bytes(&layer, 3, key, strlen(key));
    if (lines) {
        put_bytes(&layer, 3, "index", 5);
        put_flag(&layer, false);
        put_flag(&layer, true);
    }
    growing_put(&layer, values.at, values.count);
    layer.failed = layer.failed || values.failed;
    growing_free(&values);
    put_member(&layer, 5, EXTENT);
    put_inner(to, 3, &layer);
}

Status vector_tile_add(const RiverNetwork *network, const VectorTile *tile, Growing *to, Error *error) {
    Cutting cutting = { .left = tile->left, .top = tile->top, .scale = EXTENT / tile->side };
    Pieces *pieces = &cutting.pieces;
    find_pieces(network, tile->metres, &cutting);
    to->failed = to->failed || pieces->list.failed || pieces->points.failed;
    Status status = to->failed ? STATUS_OK : pieces_unite(pieces, TOLERANCE, error);
    to->failed = to->failed || pieces->list.failed || pieces->points.failed;
    if (status == STATUS_OK && !to->failed && piece_count(pieces) > 0)
        put_layer(to, tile->name, piece_at(pieces, 0), piece_count(pieces),
                  (const Point *)(const void *)pieces->points.at, network->lines);
    pieces_free(pieces);
    if (status != STATUS_OK)
        return status;
    return to->failed ? fail(error, STATUS_MEMORY, "not enough memory for a vector tile") : STATUS_OK;
}
