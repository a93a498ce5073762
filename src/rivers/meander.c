// All points are moved by one displacement field whose gradient is below 1, so the mapping preserves
// orientation, and rivers that did not cross before do not cross afterwards. It has two layers: small bends
// a few steps long everywhere, so that no tributary is straight; and meanders with a wavelength of 11 widths
// of the largest river (Leopold and Wolman 1960), where rivers are wide and the land is low.

#include "rivers/meander.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"
#include "core/random.h"
#include "core/sample.h"
#include "core/whole.h"
#include "rivers/boundary.h"

#include <math.h>

// --- crossings ---------------------------------------------------------------------------------------------

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
    const size_t cells = memory_count(grid->columns, grid->rows);
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

// --- meander -----------------------------------------------------------------------------------------------

enum { SPANS = 2, GRID = 64, TRIES = 12 };

typedef struct Layer {
    RandomKey key;
    double lattice, amplitude; // cells
} Layer;

typedef struct Bend {
    Layer layers[3];
    int layer_count;
    double side;                          // of a grid cell, in cells of the network
    float wide[(GRID + 1) * (GRID + 1)];  // how wide and low rivers are, 0 … 1
    float still[(GRID + 1) * (GRID + 1)]; // 1: full displacement; 0: none
} Bend;

enum { STREAM_WRIGGLES, STREAM_SMALL_WRIGGLES, STREAM_MEANDERS };

// --- displacements -----------------------------------------------------------------------------------------

static double on_grid(const float *grid, double side, double x, double y) {
    const double most = GRID - 1e-9, across = x / side, down = y / side;
    return grid_sample(grid, GRID + 1, GRID + 1, min(across, most), min(down, most));
}

// Value noise, -1 … 1; `axis` 0 and 1 give the two parts of a displacement.
static double noise(const Layer *layer, uint32_t axis, double x, double y) {
    const double across = x / layer->lattice + 1024, down = y / layer->lattice + 1024;
    return value_noise_double(layer->key, axis << 20, across, down);
}

static Vec2 moved(const Bend *bend, Vec2 spot) {
    Vec2 to = spot;
    const double free = on_grid(bend->still, bend->side, spot.x, spot.y);
    const double wide = on_grid(bend->wide, bend->side, spot.x, spot.y);
    for (int i = 0; i < bend->layer_count; i++) {
        const Layer *layer = &bend->layers[i];
        const double far = layer->amplitude * free * (i == STREAM_MEANDERS ? wide : 1);
        to.x += far * noise(layer, 0, spot.x, spot.y);
        to.y += far * noise(layer, 1, spot.x, spot.y);
    }
    return to;
}

// --- where to bend how much --------------------------------------------------------------------------------

static void smooth_grid(float *grid) {
    float copy[(GRID + 1) * (GRID + 1)];
    for (int i = 0; i < (GRID + 1) * (GRID + 1); i++)
        copy[i] = grid[i];
    for (int y = 0; y <= GRID; y++)
        for (int x = 0; x <= GRID; x++) {
            float sum = 0, count = 0;
            for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row <= GRID; row++)
                for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column <= GRID; column++) {
                    sum += copy[row * (GRID + 1) + column];
                    count++;
                }
            grid[y * (GRID + 1) + x] = sum / count;
        }
}

static void measure_width(const RiverNetwork *network, float widest, Bend *bend) {
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        const int column = whole_int(point->x / bend->side + 0.5),
                  row = whole_int(point->y / bend->side + 0.5);
        const float low = 1 - point->altitude, wide = widest > 0 ? point->width / widest * low : 0;
        if (column < 0 || row < 0 || column > GRID || row > GRID)
            continue;
        float *here = &bend->wide[row * (GRID + 1) + column];
        *here = max(wide, *here);
    }
    for (int i = 0; i < 3; i++)
        smooth_grid(bend->wide);
    for (int i = 0; i < (GRID + 1) * (GRID + 1); i++)
        bend->wide[i] = min(3 * bend->wide[i], 1); // compensates for smoothing
}

static double distance_to_box(const Ridge *ridge, Vec2 spot) {
    const double x = fmax(fmax(ridge->low.x - spot.x, spot.x - ridge->high.x), 0);
    const double y = fmax(fmax(ridge->low.y - spot.y, spot.y - ridge->high.y), 0);
    return sqrt(x * x + y * y);
}

// Nothing moves at ridges and at the boundary.
static Status measure_stillness(const RiverNetwork *network, const Run *run, Bend *bend) {
    double far = 0;
    for (int i = 0; i < bend->layer_count; i++)
        far += 4 * bend->layers[i].amplitude;
    for (int row = 0; row <= GRID; row++) {
        if (run_stopped(run))
            return STATUS_STOPPED;
        for (int column = 0; column <= GRID; column++) {
            const Vec2 spot = { column * bend->side * network->cell, row * bend->side * network->cell };
            double distance = network->boundary.corner_count || network->boundary.columns
                                  ? boundary_distance(&network->boundary, spot)
                                  : far;
            for (int i = 0; i < network->ridge_count; i++) {
                const Vec2 *line = network->ridge_points + network->ridges[i].first;
                if (distance_to_box(&network->ridges[i], spot) - 1.5 * bend->side * network->cell >
                    distance + 1e-9) // for rounding
                    continue;
                for (int k = 1; k < network->ridges[i].count; k++) {
                    const double along = nearest_on_line(line[k - 1], line[k], spot);
                    const Vec2 nearest = { line[k - 1].x + (line[k].x - line[k - 1].x) * along,
                                           line[k - 1].y + (line[k].y - line[k - 1].y) * along };
                    const double away = vec2_distance(nearest, spot) - 1.5 * bend->side * network->cell;
                    distance = min(away, distance);
                }
            }
            const double share = distance / network->cell / far;
            bend->still[row * (GRID + 1) + column] = (float)clamp(share, 0, 1);
        }
    }
    return STATUS_OK;
}

static void hold_all_still(Bend *bend) {
    for (int i = 0; i < (GRID + 1) * (GRID + 1); i++)
        bend->still[i] = 0;
}

// Reduces the displacement around a position where lines met.
static void hold_still(Bend *bend, Vec2 spot) {
    const int column = whole_int(spot.x / bend->side), row = whole_int(spot.y / bend->side);
    for (int y = row - 1; y <= row + 2; y++)
        for (int x = column - 1; x <= column + 2; x++)
            if (x >= 0 && y >= 0 && x <= GRID && y <= GRID)
                bend->still[y * (GRID + 1) + x] *= 0.5f;
}

static Status set_bend(const RiverNetwork *network, double amount, const Call *call, Bend *bend) {
    double length = 0;
    float widest = 0;
    int spans = 0;
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        length += (double)(points[0].distance - points[reach->count - 1].distance);
        spans += reach->count - 1;
        widest = max(points[reach->count - 1].width, widest);
    }
    const double step = spans > 0 ? length / spans : 1;
    const double longer = max(network->width, network->height);
    *bend = (Bend){ .side = longer / GRID, .layer_count = 3 };
    // Amplitudes are shares of the lattice, whose gradient is at most 3 times the share: together below 1.
    bend->layers[STREAM_WRIGGLES] =
        (Layer){ random_key(call->seed, STREAM_WRIGGLES), 2.5 * step, amount * 0.1 * 2.5 * step };
    bend->layers[STREAM_SMALL_WRIGGLES] =
        (Layer){ random_key(call->seed, STREAM_SMALL_WRIGGLES), 1.1 * step, amount * 0.07 * 1.1 * step };
    const double wave = max(5.5 * (double)widest, step); // half of 11 widths
    bend->layers[STREAM_MEANDERS] =
        (Layer){ random_key(call->seed, STREAM_MEANDERS), wave, amount * 0.16 * wave };
    measure_width(network, widest, bend);
    return measure_stillness(network, call->run, bend);
}

// --- curves ------------------------------------------------------------------------------------------------

static Vec2 spot_of(const RiverPoint *point) {
    return (Vec2){ point->x, point->y };
}

// The reach that brings the most water to the beginning of each, or -1.
static int *find_main(const RiverNetwork *network, Error *error) {
    int *above = memory_new((size_t)network->reach_count + 1, sizeof *above, error);
    for (int i = 0; above && i < network->reach_count; i++)
        above[i] = -1;
    for (int i = 0; above && i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        if (reach->downstream < 0)
            continue;
        int *main = &above[reach->downstream];
        const double area = network->points[reach->first + reach->count - 2].area;
        const Reach *other = *main < 0 ? NULL : &network->reaches[*main];
        if (!other || area > network->points[other->first + other->count - 2].area)
            *main = i;
    }
    return above;
}

// Where nothing may move, curves are straight.
static Vec2 eased(const Bend *bend, Vec2 from, Vec2 to, Vec2 curve, double along) {
    const Vec2 straight = { from.x + (to.x - from.x) * along, from.y + (to.y - from.y) * along };
    const double free = 4 * on_grid(bend->still, bend->side, straight.x, straight.y);
    const double share = min(free, 1);
    return (Vec2){ straight.x + (curve.x - straight.x) * share, straight.y + (curve.y - straight.y) * share };
}

// The spline's neighbours beyond a reach's ends are those of the river, so that it goes through confluences
// without a bend, and tributaries join it at a narrow angle.
static void curve_reach(const RiverNetwork *network, const int *above, int index, const Bend *bend,
                        RiverNetwork *to) {
    const Reach *reach = &network->reaches[index];
    const RiverPoint *points = network->points + reach->first;
    RiverPoint *out = to->points + to->reaches[index].first;
    for (int i = 0; i + 1 < reach->count; i++) {
        const Vec2 b = spot_of(&points[i]), c = spot_of(&points[i + 1]);
        Vec2 a = { 2 * b.x - c.x, 2 * b.y - c.y }, d = { 2 * c.x - b.x, 2 * c.y - b.y };
        if (i > 0) {
            a = spot_of(&points[i - 1]);
        } else if (above[index] >= 0) {
            const Reach *main = &network->reaches[above[index]];
            a = spot_of(&network->points[main->first + main->count - 2]);
        }
        if (i + 2 < reach->count)
            d = spot_of(&points[i + 2]);
        else if (reach->downstream >= 0)
            d = spot_of(&network->points[network->reaches[reach->downstream].first + 1]);
        Vec2 spots[SPANS + 1];
        ridge_span(a, b, c, d, SPANS, spots);
        for (int k = 0; k < SPANS + (i + 2 == reach->count); k++) {
            const RiverPoint *from = &points[i + k / SPANS];
            const bool given = k == 0 || k == SPANS; // exactly, so that reaches meet
            const Vec2 curve = given ? spots[k] : eased(bend, b, c, spots[k], (double)k / SPANS);
            const bool ends = k == SPANS && reach->downstream < 0; // on the boundary, where it stays
            const Vec2 spot = ends ? curve : moved(bend, curve);
            out[SPANS * i + k] = *from;
            out[SPANS * i + k].x = spot.x;
            out[SPANS * i + k].y = spot.y;
            out[SPANS * i + k].altitude +=
                (points[i + 1].altitude - from->altitude) * ((float)(k % SPANS) / SPANS);
        }
    }
}

static RiverNetwork *make_room(const RiverNetwork *network, Error *error) {
    const int points = SPANS * (network->point_count - network->reach_count) + network->reach_count;
    RiverNetwork *to = network_new(network->reach_count, points, network_grown_size(network), error);
    if (!to)
        return NULL;
    network_copy_grown(to, network);
    for (int i = 0, first = 0; i < network->reach_count; i++) {
        to->reaches[i] = network->reaches[i];
        to->reaches[i].first = first;
        to->reaches[i].count = SPANS * (network->reaches[i].count - 1) + 1;
        first += to->reaches[i].count;
    }
    return to;
}

// --- together ----------------------------------------------------------------------------------------------

static Status bend_until_free(const RiverNetwork *network, const Run *run, const int *above, Bend *bend,
                              RiverNetwork *to, Error *error) {
    for (int tries = 0;; tries++) {
        if (run_stopped(run))
            return STATUS_STOPPED;
        for (int i = 0; i < network->reach_count; i++)
            curve_reach(network, above, i, bend, to);
        Crossings crossings = { 0 };
        const Status status = crossings_find(to, &crossings, error);
        for (int i = 0; i < crossings.count; i++)
            hold_still(bend, crossings.at[i]);
        const bool free = crossings.count == 0;
        crossings_free(&crossings);
        if (status != STATUS_OK || free || tries == TRIES)
            return status;
        if (tries + 1 == TRIES) // straight as it grew, which crosses nothing
            hold_all_still(bend);
    }
}

Status network_meander(const RiverNetwork *network, double amount, const Call *call, RiverNetwork **bent,
                       Error *error) {
    Bend *bend = memory_new(1, sizeof *bend, error);
    int *above = bend ? find_main(network, error) : NULL;
    RiverNetwork *to = above ? make_room(network, error) : NULL;
    Status status = to ? set_bend(network, amount, call, bend) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = bend_until_free(network, call->run, above, bend, to, error);
    if (status == STATUS_OK)
        status = network_settle(to, error);
    if (status == STATUS_OK)
        *bent = to;
    else
        memory_free(to);
    memory_free(above);
    memory_free(bend);
    return status;
}
