#include "rivers/crossings.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

typedef struct Piece { // from one point to the next
    Vec2 from, to;
} Piece;

// Sorts the pieces by the grid cells that they may touch.
typedef struct PieceGrid {
    int count, columns, rows;
    double cell;
    Piece *pieces;
    int *first; // columns × rows + 1
    int *list;
} PieceGrid;

static bool note(Crossings *crossings, Vec2 spot, Error *error) {
    if (crossings->count == crossings->room) {
        const int room = crossings->room ? 2 * crossings->room : 64;
        Vec2 *at = memory_enlarge(crossings->at, (size_t)crossings->count, (size_t)room, sizeof *at, error);
        if (!at)
            return false;
        crossings->at = at;
        crossings->room = room;
    }
    crossings->at[crossings->count++] = spot;
    return true;
}

void crossings_free(Crossings *crossings) {
    memory_free(crossings->at);
    *crossings = (Crossings){ 0 };
}

// --- grid --------------------------------------------------------------------------------------------------

static int cell_along(double at, double cell, int count) {
    return index_within(at / cell, count);
}

typedef struct CellRange {
    int left, right, top, bottom;
} CellRange;

static CellRange cells_of(const PieceGrid *grid, const Piece *piece) {
    const Vec2 a = piece->from, b = piece->to;
    return (CellRange){ cell_along(min(a.x, b.x), grid->cell, grid->columns),
                        cell_along(max(a.x, b.x), grid->cell, grid->columns),
                        cell_along(min(a.y, b.y), grid->cell, grid->rows),
                        cell_along(max(a.y, b.y), grid->cell, grid->rows) };
}

// First counts, then positions: `first` of the next cell is where the next piece goes.
static void sort_pieces(PieceGrid *grid, bool place) {
    for (int i = 0; i < grid->count; i++) {
        const CellRange range = cells_of(grid, &grid->pieces[i]);
        for (int y = range.top; y <= range.bottom; y++)
            for (int x = range.left; x <= range.right; x++) {
                int *at = &grid->first[y * grid->columns + x + 1];
                if (place)
                    grid->list[*at] = i;
                ++*at;
            }
    }
}

static Status grid_create(PieceGrid *grid, const RiverNetwork *network, Error *error) {
    const int count = network->point_count - network->reach_count;
    const double longer = max(network->width, network->height);
    const int side = whole_int(sqrt((double)count)) + 1;
    *grid = (PieceGrid){ .cell = longer / min(side, 2048) };
    grid->columns = whole_int(network->width / grid->cell) + 1;
    grid->rows = whole_int(network->height / grid->cell) + 1;
    const size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    if (!(grid->pieces = memory_new((size_t)count + 1, sizeof *grid->pieces, error)) ||
        !(grid->first = memory_new_zeroed(cells + 2, sizeof *grid->first, error)))
        return STATUS_MEMORY;
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 1; k < network->reaches[i].count; k++)
            grid->pieces[grid->count++] =
                (Piece){ { points[k - 1].x, points[k - 1].y }, { points[k].x, points[k].y } };
    }
    sort_pieces(grid, false);
    int total = 0;
    for (size_t i = 1; i <= cells; i++) { // converts counts to the beginning of each cell
        const int own = grid->first[i];
        grid->first[i] = total;
        total += own;
    }
    if (!(grid->list = memory_new((size_t)total + 1, sizeof *grid->list, error)))
        return STATUS_MEMORY;
    sort_pieces(grid, true);
    return STATUS_OK;
}

static void grid_free(PieceGrid *grid) {
    memory_free(grid->pieces);
    memory_free(grid->first);
    memory_free(grid->list);
}

// --- crossings ---------------------------------------------------------------------------------------------

static bool same(Vec2 a, Vec2 b) {
    return a.x == b.x && a.y == b.y;
}

static bool share_an_end(const Piece *a, const Piece *b) {
    return same(a->from, b->from) || same(a->from, b->to) || same(a->to, b->from) || same(a->to, b->to);
}

static bool find_in_cell(const PieceGrid *grid, int cell, Crossings *crossings, Error *error) {
    for (int i = grid->first[cell]; i < grid->first[cell + 1]; i++)
        for (int k = i + 1; k < grid->first[cell + 1]; k++) {
            const Piece *a = &grid->pieces[grid->list[i]], *b = &grid->pieces[grid->list[k]];
            if (lines_meet(a->from, a->to, b->from, b->to) && !share_an_end(a, b) &&
                !note(crossings, a->from, error))
                return false;
        }
    return true;
}

static Vec2 on_map(const RiverNetwork *network, Vec2 spot) {
    return (Vec2){ spot.x * network->cell, spot.y * network->cell };
}

static bool meets_ridge(const RiverNetwork *network, Vec2 from, Vec2 to) {
    for (int i = 0; i < network->ridge_count; i++) {
        const Ridge *ridge = &network->ridges[i];
        const Vec2 *line = network->ridge_points + ridge->first;
        const bool near = (from.x <= ridge->high.x || to.x <= ridge->high.x) &&
                          (from.x >= ridge->low.x || to.x >= ridge->low.x) &&
                          (from.y <= ridge->high.y || to.y <= ridge->high.y) &&
                          (from.y >= ridge->low.y || to.y >= ridge->low.y);
        for (int k = 1; near && k < ridge->count; k++)
            if (lines_meet(from, to, line[k - 1], line[k]))
                return true;
    }
    return false;
}

static bool find_outside(const RiverNetwork *network, const PieceGrid *grid, Crossings *crossings,
                         Error *error) {
    const Boundary *boundary = &network->boundary;
    const bool bounded = boundary->corner_count || boundary->columns;
    for (int i = 0; i < grid->count; i++) {
        const Vec2 from = on_map(network, grid->pieces[i].from), to = on_map(network, grid->pieces[i].to);
        const bool leaves = bounded && boundary_distance(boundary, from) < -1e-9;
        if ((leaves || meets_ridge(network, from, to)) && !note(crossings, grid->pieces[i].from, error))
            return false;
    }
    return true;
}

Status crossings_find(const RiverNetwork *network, Crossings *crossings, Error *error) {
    PieceGrid grid;
    Status status = grid_create(&grid, network, error);
    for (int cell = 0; cell < grid.columns * grid.rows && status == STATUS_OK; cell++)
        if (!find_in_cell(&grid, cell, crossings, error))
            status = STATUS_MEMORY;
    if (status == STATUS_OK && !find_outside(network, &grid, crossings, error))
        status = STATUS_MEMORY;
    grid_free(&grid);
    return status;
}
