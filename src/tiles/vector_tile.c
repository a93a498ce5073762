#include "tiles/vector_tile.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- bytes that grow ---------------------------------------------------------------------------------------

static void grow(Growing *to, size_t count) {
    const size_t room = 2 * (to->count + count) + 1024;
    unsigned char *at = to->failed ? NULL : memory_enlarge(to->at, to->count, room, 1, NULL);
    to->failed = !at;
    if (!at)
        return;
    to->at = at;
    to->room = room;
}

static void growing_put(Growing *to, const void *bytes, size_t count) {
    if (to->room - to->count < count)
        grow(to, count);
    if (to->failed || count == 0)
        return;
    memcpy(to->at + to->count, bytes, count);
    to->count += count;
}

void growing_free(Growing *growing) {
    memory_free(growing->at);
    *growing = (Growing){ 0 };
}

// --- lines cut at the edges of tiles -----------------------------------------------------------------------

static void pieces_free(Pieces *pieces) {
    growing_free(&pieces->points);
    growing_free(&pieces->list);
}

static int by_number(double one, double other) {
    return one < other ? -1 : one > other;
}

static int by_place(Point one, Point other) {
    return one.x != other.x ? by_number(one.x, other.x) : by_number(one.y, other.y);
}

// --- joining -----------------------------------------------------------------------------------------------

typedef struct End { // of a piece
    double value;
    Point at;
    int piece;
} End;

static int by_end(const void *one, const void *other) {
    const End *a = one, *b = other;
    if (a->value != b->value)
        return by_number(a->value, b->value);
    const int place = by_place(a->at, b->at);
    return place != 0 ? place : by_number(a->piece, b->piece);
}

static bool meet(const End *one, const End *other) {
    return one->value == other->value && one->at.x == other->at.x && one->at.y == other->at.y;
}

static int alike(const End *ends, int from, int count) {
    int end = from;
    while (end < count && meet(&ends[end], &ends[from]))
        end++;
    return end - from;
}

enum { NONE = -1 };

// next[piece]: the piece that continues it, if exactly one begins where exactly this one ends; else NONE.
static void find_next(const End *starts, const End *ends, int count, int *next) {
    for (int i = 0; i < count; i++)
        next[i] = NONE;
    for (int i = 0, k = 0; i < count;) {
        const int leaving = alike(starts, i, count);
        while (k < count && by_end(&ends[k], &starts[i]) < 0 && !meet(&ends[k], &starts[i]))
            k++;
        if (leaving == 1 && k < count && meet(&ends[k], &starts[i]) && alike(ends, k, count) == 1)
            next[ends[k].piece] = starts[i].piece;
        i += leaving;
    }
}

// Appends the pieces from `start` on, until there is none or the first comes again.
static void chain(const Pieces *from, int start, int *next, Pieces *to) {
    Piece piece = *piece_at(from, start);
    piece.first = (int)(to->points.count / sizeof(Point));
    piece.count = 0;
    for (int at = start; at != NONE;) {
        const Piece *part = piece_at(from, at);
        const int skipped = piece.count > 0; // its first point is there
        growing_put(&to->points, points_of(from, part) + skipped,
                    (size_t)(part->count - skipped) * sizeof(Point));
        piece.count += part->count - skipped;
        const int after = next[at];
        next[at] = NONE; // so that a ring ends
        at = after == start ? NONE : after;
    }
    growing_put(&to->list, &piece, sizeof piece);
}

static void join(const Pieces *from, End *starts, End *ends, int *next, bool *begun, Pieces *to) {
    const int count = piece_count(from);
    for (int i = 0; i < count; i++) {
        const Piece *piece = piece_at(from, i);
        starts[i] = (End){ piece->value, points_of(from, piece)[0], i };
        ends[i] = (End){ piece->value, points_of(from, piece)[piece->count - 1], i };
        begun[i] = true;
    }
    qsort(starts, (size_t)count, sizeof *starts, by_end);
    qsort(ends, (size_t)count, sizeof *ends, by_end);
    find_next(starts, ends, count, next);
    for (int i = 0; i < count; i++)
        if (next[i] != NONE)
            begun[next[i]] = false;
    for (int ring = 0; ring < 2; ring++) // first what has a beginning
        for (int i = 0; i < count; i++)
            if (ring ? !begun[i] && next[i] != NONE : begun[i])
                chain(from, i, next, to);
}

// --- simplifying -------------------------------------------------------------------------------------------

enum { ROUNDS = 3 }; // each sees two points further

// The square of the distance from the line between its neighbours; of a turning point infinity.
static double removal_cost(Point before, Point at, Point after) {
    const double dx = after.x - before.x, dy = after.y - before.y, length = dx * dx + dy * dy;
    const double along = (at.x - before.x) * dx + (at.y - before.y) * dy;
    const double cross = (at.x - before.x) * dy - (at.y - before.y) * dx;
    return length > 0 && along > 0 && along < length ? cross * cross / length : 1e300;
}

typedef struct Cost {
    double cost;
    Point at;
} Cost;

static bool cheaper(Cost one, Cost other) {
    return one.cost != other.cost ? one.cost < other.cost : by_place(one.at, other.at) < 0;
}

// One round: of neighbours only the cheapest goes. Returns the number of points that stay.
static int thin(Point *points, int count, bool ring, double most, Cost *costs) {
    const int inner = ring ? count - 1 : count; // the last of a ring is the first
    for (int i = 0; i < inner; i++) {
        const bool end = !ring && (i == 0 || i == count - 1);
        const Point before = points[i > 0 ? i - 1 : inner - 1], after = points[i + 1 < inner ? i + 1 : 0];
        costs[i] = (Cost){ end ? 1e300 : removal_cost(before, points[i], after), points[i] };
    }
    int kept = 0;
    for (int i = 0; i < inner; i++) {
        const Cost before = costs[i > 0 ? i - 1 : inner - 1], after = costs[i + 1 < inner ? i + 1 : 0];
        if (!(costs[i].cost <= most && cheaper(costs[i], before) && cheaper(costs[i], after)))
            points[kept++] = points[i];
    }
    if (ring)
        points[kept++] = points[0];
    return kept;
}

static void begin_at_least(Point *points, int count, Point *spare) {
    int least = 0;
    for (int i = 1; i < count - 1; i++)
        least = by_place(points[i], points[least]) < 0 ? i : least;
    memcpy(spare, points, (size_t)count * sizeof *points);
    for (int i = 0; i < count; i++)
        points[i] = spare[(least + i) % (count - 1)];
}

static void simplify(Pieces *pieces, double tolerance, Cost *costs) {
    for (int i = 0; i < piece_count(pieces); i++) {
        Piece *piece = piece_at(pieces, i);
        Point *points = points_of(pieces, piece);
        const bool ring = piece->count > 3 && by_place(points[0], points[piece->count - 1]) == 0;
        for (int round = 0; round < ROUNDS && piece->count > (ring ? 4 : 2); round++)
            piece->count = thin(points, piece->count, ring, tolerance * tolerance, costs);
        if (ring && piece->count > 2)
            begin_at_least(points, piece->count, (Point *)(void *)costs);
    }
}

// --- both --------------------------------------------------------------------------------------------------

typedef struct Sorted {
    Piece piece;
    Point first, second;
} Sorted;

static int by_value(const void *one, const void *other) {
    const Sorted *a = one, *b = other;
    if (a->piece.value != b->piece.value)
        return by_number(a->piece.value, b->piece.value);
    const int first = by_place(a->first, b->first), second = by_place(a->second, b->second);
    return first != 0 ? first : second != 0 ? second : by_number(a->piece.count, b->piece.count);
}

static void sort(Pieces *pieces, Sorted *sorted) {
    const int count = piece_count(pieces);
    for (int i = 0; i < count; i++) {
        const Piece *piece = piece_at(pieces, i);
        const Point *points = points_of(pieces, piece);
        sorted[i] = (Sorted){ *piece, points[0], points[piece->count - 1 > 0] };
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    for (int i = 0; i < count; i++)
        *piece_at(pieces, i) = sorted[i].piece;
}

// Joins pieces of one value where one ends and one other begins; leaves out points that are less than
// `tolerance` from the line between their neighbours; sorts the pieces by value and place. Which points stay
// is decided by a few points around each alone. Closed lines begin at their least point.
static Status pieces_unite(Pieces *pieces, double tolerance, Error *error) {
    const size_t count = (size_t)piece_count(pieces), points = pieces->points.count / sizeof(Point);
    Pieces joined = { 0 };
    if (count == 0)
        return STATUS_OK;
    End *ends = memory_new(2 * count, sizeof *ends, error);
    int *next = memory_new(count, sizeof *next, error);
    bool *begun = memory_new(count, sizeof *begun, error);
    Cost *costs = memory_new(points, sizeof *costs, error);
    Sorted *sorted = memory_new(count, sizeof *sorted, error);
    const bool room = ends && next && begun && costs && sorted;
    if (room) {
        join(pieces, ends, ends + count, next, begun, &joined);
        pieces_free(pieces);
        *pieces = joined;
        if (!joined.points.failed && !joined.list.failed) {
            simplify(pieces, tolerance, costs);
            sort(pieces, sorted);
        }
    }
    memory_free(ends);
    memory_free(next);
    memory_free(begun);
    memory_free(costs);
    memory_free(sorted);
    return room ? STATUS_OK : STATUS_MEMORY;
}

// --- vector tile -------------------------------------------------------------------------------------------

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
