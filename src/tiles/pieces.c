#include "tiles/pieces.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void pieces_free(Pieces *pieces) {
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

Status pieces_unite(Pieces *pieces, double tolerance, Error *error) {
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
