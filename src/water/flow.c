#include "water/flow.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "water/downstream.h"
#include "water/drainage.h"
#include "water/even_choice.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// --- D-infinity --------------------------------------------------------------------------------------------

// D-infinity (Tarboton 1997, "A new method for the determination of flow directions and upslope areas in grid
// digital elevation models"): water flows down the steepest of the eight triangles around a cell, and parts
// between the two neighbours there by the angle of the slope.

enum { PIECE = 256 }; // cells of a row at a time

typedef struct Parting {
    const Drainage *drainage;
    uint16_t *share;
    uint8_t *second;
} Parting;

// A triangle of the cell, a neighbour that shares a side with it and a diagonal one beside that.
typedef struct Facet {
    int beside, diagonal;
} Facet;

static const Facet facets[NEIGHBOURS] = { { 0, 1 }, { 0, 7 }, { 2, 3 }, { 2, 1 },
                                          { 4, 5 }, { 4, 3 }, { 6, 7 }, { 6, 5 } };

// The steepest facets of some cells; `number` is -1 for level ground. `falls` and `sides` are the slopes
// along a facet's sides, from the cell and from there to the diagonal neighbour (s1 and s2 in the paper).
typedef struct Steepest {
    double slope[PIECE], falls[PIECE], sides[PIECE], number[PIECE];
    double tied[PIECE]; // whether another facet is as steep
} Steepest;

// The sides of a facet: d1 from the cell to the neighbour that shares a side, d2 from there to the diagonal
// one (Tarboton 1997, figure 3).
typedef struct Sides {
    double inverse1, inverse2, inverse_diagonal;
    double steepest; // tangent of the angle between the two neighbours
} Sides;

static Sides sides_of(double d1, double d2) {
    const double across = sqrt(d1 * d1 + d2 * d2);
    return (Sides){ 1 / d1, 1 / d2, d1 == d2 ? 0.70710678118654752440 / d1 : 1 / across, d2 / d1 };
}

// Tarboton 1997, equations 1 to 6. `fall`: to the diagonal neighbour; level ground has none, however its
// sides are rounded.
KERNEL_INLINE double facet_slope(double s1, double s2, double fall, Sides sides) {
    const double within = sqrt(s1 * s1 + s2 * s2), along = fall * sides.inverse_diagonal;
    return s2 <= 0 ? s1 : s2 >= s1 * sides.steepest ? along : within;
}

// Of the angle from the neighbour that shares a side.
KERNEL_INLINE double facet_tangent(double s1, double s2, double steepest) {
    return s2 <= 0 ? 0 : s2 >= s1 * steepest ? steepest : s2 / s1;
}

// Of each facet in a row.
typedef struct RowSides {
    Sides of[NEIGHBOURS];
    bool squares;
} RowSides;

static RowSides sides_in_row(const Drainage *drainage, int y) {
    const CellShape shape = drainage_row_shape(drainage, y);
    RowSides row = { .squares = shape.across == shape.down };
    for (int i = 0; i < NEIGHBOURS; i++)
        row.of[i] = neighbour_x[facets[i].beside] ? sides_of(shape.across, shape.down)
                                                  : sides_of(shape.down, shape.across);
    return row;
}

// The facet between neighbours whose rows are given from the first cell's neighbour on.
KERNEL static void try_facet(const float *restrict row, const float *restrict beside,
                             const float *restrict diagonal, double number, Sides sides,
                             Steepest *restrict steepest, int count) {
    for (int x = 0; x < count; x++) {
        const double e0 = (double)row[x], e1 = (double)beside[x], e2 = (double)diagonal[x];
        const double s1 = (e0 - e1) * sides.inverse1, s2 = (e1 - e2) * sides.inverse2;
        const double slope = facet_slope(s1, s2, e0 - e2, sides);
        const bool more = slope > steepest->slope[x], same = slope == steepest->slope[x];
        steepest->tied[x] = more ? 0 : same ? 1 : steepest->tied[x];
        steepest->slope[x] = more ? slope : steepest->slope[x];
        steepest->falls[x] = more ? s1 : steepest->falls[x];
        steepest->sides[x] = more ? s2 : steepest->sides[x];
        steepest->number[x] = more ? number : steepest->number[x];
    }
}

// What of 65535 goes to the diagonal neighbour of squares.
KERNEL static void find_shares(const Steepest *restrict steepest, float *restrict shares, int count) {
    for (int x = 0; x < count; x++) {
        const double tangent = facet_tangent(steepest->falls[x], steepest->sides[x], 1);
        shares[x] = angle_below_diagonal((float)tangent) * (4 / ANGLE_PI) * 65535 + 0.5f;
    }
}

// The same where facets have other sides.
static void find_oblong_shares(const Steepest *steepest, const RowSides *row, float *shares, int count) {
    for (int x = 0; x < count; x++) {
        const double most = row->of[max(whole_int(steepest->number[x]), 0)].steepest;
        const double tangent = facet_tangent(steepest->falls[x], steepest->sides[x], most);
        shares[x] = (float)(arctangent2(tangent, 1) / arctangent2(most, 1)) * 65535 + 0.5f;
    }
}

static void part_cell(const Parting *parting, size_t cell, const Facet *facet, float exact) {
    const int share = whole_within(exact, 0, 65535);
    const bool all = share == 65535, parts = !all && share > 0;
    parting->drainage->direction[cell] = (uint8_t)(all ? facet->diagonal : facet->beside);
    parting->share[cell] = (uint16_t)(parts ? share : 0);
    parting->second[cell] = (uint8_t)(parts ? facet->diagonal : NO_SECOND);
}

// Of several facets that are equally steep: the one down which water runs most nearly where the ground falls.
static void choose_facet(const Parting *parting, const RowSides *row, size_t cell, Steepest *steepest,
                         int at) {
    const Drainage *drainage = parting->drainage;
    const Field *filled = &drainage->filled;
    const int x = (int)(cell % (size_t)filled->width), y = (int)(cell / (size_t)filled->width);
    Towards towards = { { 0 }, { 0 } };
    double falls[NEIGHBOURS], sides[NEIGHBOURS];
    unsigned ways = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int b = facets[i].beside, d = facets[i].diagonal;
        const double own_level = (double)filled->cells[cell],
                     level = (double)filled->cells[neighbour_of(filled, cell, b)],
                     diagonal = (double)filled->cells[neighbour_of(filled, cell, d)];
        const Sides *own = &row->of[i];
        falls[i] = (own_level - level) * own->inverse1;
        sides[i] = (level - diagonal) * own->inverse2;
        if (facet_slope(falls[i], sides[i], own_level - diagonal, *own) != steepest->slope[at])
            continue;
        const double tangent = facet_tangent(falls[i], sides[i], own->steepest) / own->steepest, // in cells
            length = sqrt(1 + tangent * tangent);
        towards.x[i] = (neighbour_x[b] + tangent * (neighbour_x[d] - neighbour_x[b])) / length;
        towards.y[i] = (neighbour_y[b] + tangent * (neighbour_y[d] - neighbour_y[b])) / length;
        ways |= 1U << i;
    }
    ways = ways_of_the_fall(filled, (float)drainage->sea_level, x, y, &towards, ways);
    const int chosen = draw_way(ways, x, drainage->row + y);
    steepest->falls[at] = falls[chosen];
    steepest->sides[at] = sides[chosen];
    steepest->number[at] = chosen;
}

static void part_piece(const Parting *parting, const RowSides *sides, size_t first, int count) {
    const Field *filled = &parting->drainage->filled;
    const float *row = filled->cells + first, sea = (float)parting->drainage->sea_level;
    Steepest steepest = { .slope = { 0 } };
    float shares[PIECE];
    for (int i = 0; i < NEIGHBOURS; i++)
        try_facet(row, filled->cells + neighbour_of(filled, first, facets[i].beside),
                  filled->cells + neighbour_of(filled, first, facets[i].diagonal), i, sides->of[i], &steepest,
                  count);
    for (int x = 0; x < count; x++)
        if (steepest.tied[x] > 0 && steepest.slope[x] > 0 && row[x] >= sea)
            choose_facet(parting, sides, first + (size_t)x, &steepest, x);
    if (sides->squares)
        find_shares(&steepest, shares, count);
    else
        find_oblong_shares(&steepest, sides, shares, count);
    for (int x = 0; x < count; x++)
        if (steepest.slope[x] > 0 && row[x] >= sea)
            part_cell(parting, first + (size_t)x, &facets[whole_int(steepest.number[x])], shares[x]);
}

static void part_rows(void *context, int first, int end) {
    const Parting *parting = context;
    const Field *filled = &parting->drainage->filled;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * (size_t)filled->width;
        memset(parting->second + start, NO_SECOND, (size_t)filled->width);
        if (y == 0 || y == filled->height - 1)
            continue;
        const RowSides sides = sides_in_row(parting->drainage, y);
        for (int x = 1; x < filled->width - 1; x += PIECE)
            part_piece(parting, &sides, start + (size_t)x, min(PIECE, filled->width - 1 - x));
    }
}

Status part_flow(const Run *run, const Drainage *drainage, uint16_t *share, uint8_t *second) {
    Parting parting = { .drainage = drainage };
    parting.share = share;
    parting.second = second;
    return parallel_rows(run, drainage->filled.height, drainage->filled.width * 20.0, part_rows, &parting);
}

// --- counting cells ----------------------------------------------------------------------------------------

KERNEL static void add_row_donors(const uint8_t *restrict direction, uint8_t towards,
                                  uint8_t *restrict donors, int count) {
    for (int x = 0; x < count; x++)
        donors[x] = (uint8_t)(donors[x] + (direction[x] == towards));
}

// Counts for each cell of row `y` the neighbours in rows `top` … `bottom` - 1 that drain into it.
static void count_donors(const Field *size, const uint8_t *direction, int y, int top, int bottom,
                         uint8_t *donors) {
    const int width = size->width;
    memset(donors, 0, (size_t)width);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int from_y = y + neighbour_y[i], first = neighbour_x[i] < 0, end = width - (neighbour_x[i] > 0);
        if (from_y < top || from_y >= bottom || end <= first)
            continue;
        const uint8_t *row = direction + (size_t)from_y * (size_t)width + (size_t)(first + neighbour_x[i]);
        add_row_donors(row, (uint8_t)((i + NEIGHBOURS / 2) % NEIGHBOURS), donors + first, end - first);
    }
}

// --- bands -----------------------------------------------------------------------------------------------

enum { BAND_CELLS = 1 << 17, BAND_ROWS = 64 };

// Of a cell, once its band is counted: how many ways of water from other bands join there, and whether there
// are several, none of which has come.
enum { NO_WAY = 255, MEETING = 16, EMPTY = 32 };

#define NOWHERE UINT32_MAX

// Where water crosses the edge between two bands: a cell of the first row below it or the last above it that
// drains across. A place for each of these cells, by its edge, side and column.
typedef struct Crossing {
    uint32_t water; // what drains through the cell: within its band at first
    uint32_t next;  // where that leaves the band that it enters, or NOWHERE
    uint32_t above; // how many crossings have this one as next and are not added yet
} Crossing;

typedef struct Counting {
    const uint8_t *direction;
    const Field *size;
    const uint64_t *entering; // of each cell of the first row, then of the last; or NULL
    uint32_t *sum;
    uint8_t *waiting; // donors of the same band not yet added; then ways from other bands (NO_WAY)
    // On such ways the crossing with which the first one there began; then, where several meet, what came.
    uint32_t *way;
    Crossing *crossings;
    ptrdiff_t step[NEIGHBOURS]; // to a neighbour
    int band_rows, bands;
} Counting;

static size_t row_start(const Counting *counting, int y) {
    return (size_t)y * (size_t)counting->size->width;
}

// A band's cells.
typedef struct Part {
    int top, bottom; // rows, the last one excluded
    size_t start, end;
} Part;

static Part part_of(const Counting *counting, int band) {
    const int top = band * counting->band_rows;
    const int bottom = min(top + counting->band_rows, counting->size->height);
    return (Part){ top, bottom, row_start(counting, top), row_start(counting, bottom) };
}

static bool in_part(const Part *part, size_t cell) {
    return cell - part->start < part->end - part->start; // wraps around before the start
}

// --- crossings ---------------------------------------------------------------------------------------------

enum { DOWN, UP, SIDES }; // the side from which water crosses an edge, which lies above its band

static uint32_t crossing_at(const Counting *counting, int edge, int side) {
    return (uint32_t)((edge - 1) * SIDES + side) * (uint32_t)counting->size->width;
}

// The first cell of the row from which water crosses an edge.
static size_t crossing_row(const Counting *counting, int edge, int side) {
    return row_start(counting, edge * counting->band_rows - (side == DOWN));
}

static bool crosses(const Counting *counting, size_t cell, int side) {
    const int direction = counting->direction[cell];
    return direction < NEIGHBOURS && neighbour_y[direction] == (side == DOWN ? 1 : -1);
}

typedef void VisitCrossing(const Counting *, const Part *, size_t cell, uint32_t crossing);

static void visit_side(const Counting *counting, const Part *part, int edge, int side, VisitCrossing *visit) {
    const size_t row = crossing_row(counting, edge, side);
    const uint32_t crossing = crossing_at(counting, edge, side);
    for (uint32_t x = 0; x < (uint32_t)counting->size->width; x++)
        if (crosses(counting, row + x, side))
            visit(counting, part, row + x, crossing + x);
}

static void visit_ways_in(const Counting *counting, const Part *part, int band, VisitCrossing *visit) {
    if (band > 0)
        visit_side(counting, part, band, DOWN, visit);
    if (band + 1 < counting->bands)
        visit_side(counting, part, band + 1, UP, visit);
}

static void visit_ways_out(const Counting *counting, const Part *part, int band, VisitCrossing *visit) {
    if (band > 0)
        visit_side(counting, part, band, UP, visit);
    if (band + 1 < counting->bands)
        visit_side(counting, part, band + 1, DOWN, visit);
}

// --- within bands ----------------------------------------------------------------------------------------

// Adds a complete cell's sum to its receiver, and goes on downstream while the receiver is complete too and
// lies in the band.
static void pass_down(const Counting *counting, const Part *part, size_t cell) {
    for (;;) {
        const int direction = counting->direction[cell];
        counting->waiting[cell] = NO_WAY;
        if (direction >= NEIGHBOURS)
            return;
        const size_t to = cell + (size_t)counting->step[direction];
        if (!in_part(part, to))
            return;
        counting->sum[to] += counting->sum[cell];
        if (--counting->waiting[to] > 0)
            return;
        cell = to;
    }
}

static void begin_crossing(const Counting *counting, const Part *part, size_t cell, uint32_t crossing) {
    (void)part;
    counting->crossings[crossing] = (Crossing){ .water = counting->sum[cell], .next = NOWHERE };
}

// Adds what comes from beyond the first and the last row of all.
static void let_in(const Counting *counting, const Part *part) {
    const size_t width = (size_t)counting->size->width;
    for (size_t x = 0; x < width && part->top == 0; x++)
        counting->sum[x] += (uint32_t)counting->entering[x];
    const size_t last = part->end - width;
    for (size_t x = 0; x < width && part->bottom == counting->size->height && last > 0; x++)
        counting->sum[last + x] += (uint32_t)counting->entering[width + x];
}

static void count_bands(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const Part part = part_of(counting, band);
        for (int y = part.top; y < part.bottom; y++)
            count_donors(counting->size, counting->direction, y, part.top, part.bottom,
                         counting->waiting + row_start(counting, y));
        for (size_t i = part.start; i < part.end; i++)
            counting->sum[i] = 1;
        if (counting->entering)
            let_in(counting, &part);
        for (size_t i = part.start; i < part.end; i++)
            if (counting->waiting[i] == 0)
                pass_down(counting, &part, i);
        visit_ways_out(counting, &part, band, begin_crossing);
    }
}

// --- between bands -----------------------------------------------------------------------------------------

// The crossing of a cell that drains out of its band.
static uint32_t crossing_of(const Counting *counting, const Part *part, size_t cell, int direction) {
    const int side = neighbour_y[direction] > 0 ? DOWN : UP;
    const int edge = (side == DOWN ? part->bottom : part->top) / counting->band_rows;
    return crossing_at(counting, edge, side) + (uint32_t)(cell - crossing_row(counting, edge, side));
}

// Follows water into the band, up to a way that is known or out again.
static void find_way(const Counting *counting, const Part *part, size_t from, uint32_t crossing) {
    size_t cell = from + (size_t)counting->step[counting->direction[from]];
    uint32_t next = NOWHERE;
    for (;;) {
        if (counting->waiting[cell] != NO_WAY) {
            next = counting->crossings[counting->way[cell]].next;
            counting->waiting[cell] = (uint8_t)((counting->waiting[cell] | MEETING | EMPTY) + 1);
            break;
        }
        counting->waiting[cell] = 1;
        counting->way[cell] = crossing;
        const int direction = counting->direction[cell];
        if (direction >= NEIGHBOURS)
            break;
        const size_t to = cell + (size_t)counting->step[direction];
        if (!in_part(part, to)) {
            next = crossing_of(counting, part, cell, direction);
            break;
        }
        cell = to;
    }
    counting->crossings[crossing].next = next;
    if (next != NOWHERE)
        counting->crossings[next].above++;
}

static void find_ways(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const Part part = part_of(counting, band);
        visit_ways_in(counting, &part, band, find_way);
    }
}

// Adds the water of a crossing that none is above any more to the next ones, as far as that is true of them.
static void pass_crossings(const Counting *counting, const Part *part, size_t cell, uint32_t crossing) {
    (void)part;
    (void)cell;
    Crossing *from = &counting->crossings[crossing];
    while (from->above == 0) {
        from->above = NOWHERE; // done
        if (from->next == NOWHERE)
            return;
        Crossing *to = &counting->crossings[from->next];
        to->water += from->water;
        to->above--;
        from = to;
    }
}

// Carries the water of a crossing down its band, up to where it meets another that has not come.
static void carry(const Counting *counting, const Part *part, size_t from, uint32_t crossing) {
    size_t cell = from;
    uint32_t water = counting->crossings[crossing].water;
    for (;;) {
        cell += (size_t)counting->step[counting->direction[cell]];
        if (!in_part(part, cell))
            return;
        if (counting->waiting[cell] & MEETING) {
            water += counting->waiting[cell] & EMPTY ? 0 : counting->way[cell];
            counting->way[cell] = water;
            counting->waiting[cell] = (uint8_t)((counting->waiting[cell] & ~EMPTY) - 1);
            if (counting->waiting[cell] > MEETING)
                return;
        }
        counting->sum[cell] += water;
        if (counting->direction[cell] >= NEIGHBOURS)
            return;
    }
}

static void carry_bands(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const Part part = part_of(counting, band);
        visit_ways_in(counting, &part, band, carry);
    }
}

// --- counting cells: all -----------------------------------------------------------------------------------

static Status join_bands(const Run *run, Counting *counting) {
    const double width = (double)counting->size->width;
    const Status status = parallel_rows(run, counting->bands, width * 20, find_ways, counting);
    if (status != STATUS_OK)
        return status;
    const Part none = { 0 };
    for (int band = 0; band < counting->bands; band++)
        visit_ways_out(counting, &none, band, pass_crossings);
    return parallel_rows(run, counting->bands, width * 20, carry_bands, counting);
}

Status count_drained(const Run *run, const Field *size, const uint8_t *direction, const uint64_t *entering,
                     const CellCount *count, Error *error) {
    const size_t width = (size_t)size->width;
    Counting counting = { .direction = direction,
                          .size = size,
                          .entering = entering,
                          .sum = count->sum,
                          .waiting = count->waiting,
                          .way = count->way };
    counting.band_rows = max(BAND_CELLS / size->width, BAND_ROWS);
    counting.bands = (size->height + counting.band_rows - 1) / counting.band_rows;
    for (int i = 0; i < NEIGHBOURS; i++)
        counting.step[i] = neighbour_y[i] * (ptrdiff_t)size->width + neighbour_x[i];
    counting.crossings =
        memory_new((size_t)counting.bands * SIDES, width * sizeof *counting.crossings, error);
    if (!counting.crossings)
        return STATUS_MEMORY;
    Status status =
        parallel_rows(run, counting.bands, (double)width * counting.band_rows * 10, count_bands, &counting);
    if (status == STATUS_OK)
        status = join_bands(run, &counting);
    memory_free(counting.crossings);
    return status;
}

typedef struct Finishing {
    const uint32_t *sum;
    Field *field;
} Finishing;

static void finish_rows(void *context, int first, int end) {
    const Finishing *finishing = context;
    const size_t width = (size_t)finishing->field->width;
    float *cells = field_cells(finishing->field);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        cells[i] = (float)finishing->sum[i];
}

Status count_cells_into(const Run *run, const uint8_t *direction, const uint64_t *entering, Field *sum,
                        Error *error) {
    const size_t cells = field_count(sum);
    CellCount count = { .way = (uint32_t *)(void *)field_cells(sum) };
    Status status = STATUS_MEMORY;
    if ((count.sum = memory_new(cells, sizeof *count.sum, error)) &&
        (count.waiting = memory_new(cells, 1, error)))
        status = count_drained(run, sum, direction, entering, &count, error);
    Finishing finishing = { count.sum, sum };
    if (status == STATUS_OK)
        status = parallel_rows(run, sum->height, sum->width, finish_rows, &finishing);
    memory_free(count.sum);
    memory_free(count.waiting);
    return status;
}

Status count_cells_above(const Run *run, const uint8_t *direction, Field *sum, Error *error) {
    return count_cells_into(run, direction, NULL, sum, error);
}

// --- flow --------------------------------------------------------------------------------------------------

Status flow_check_rain(const Field *rain, Error *error) {
    for (size_t i = 0; rain && i < field_count(rain); i++)
        if (rain->cells[i] < 0)
            return fail(error, STATUS_INVALID, "rain must be 0 or more, got %s at cell (%zu, %zu)",
                        digits_of((double)rain->cells[i]).text, i % (size_t)rain->width,
                        i / (size_t)rain->width);
    return STATUS_OK;
}

Status flow_areas(const Field *height, Field *areas, Error *error) {
    const CellShape first = field_row_shape(height, 0), last = field_row_shape(height, height->height - 1);
    const bool differ = first.across * first.down != 1 || last.across * last.down != 1;
    if (field_cell_metres(height) == 0 || !differ)
        return STATUS_OK;
    const Status status = field_create(areas, height->width, height->height, error);
    for (int y = 0; y < height->height && status == STATUS_OK; y++) {
        const CellShape shape = field_row_shape(height, y);
        float *row = field_row(areas, y);
        for (int x = 0; x < height->width; x++)
            row[x] = (float)(shape.across * shape.down);
    }
    return status;
}

// --- accumulation ------------------------------------------------------------------------------------------

// The share of a cell's water that goes to one of the neighbours into which it drains.
static double share_of(const Flow *flow, size_t cell, int direction) {
    if (!flow->share || flow->second[cell] == NO_SECOND)
        return 1;
    const double second = flow->share[cell] * (1 / 65535.0);
    return flow->second[cell] == direction ? second : 1 - second;
}

void flow_add_donors(void *context, const uint32_t *cells, int count, const uint8_t *donors) {
    Flow *flow = context;
    const Field size = flow->sum;
    const float *rain = flow->rain ? flow->rain->cells : NULL;
    float *sums = field_cells(&flow->sum), *rests = flow->rest;
    for (int k = 0; k < count; k++) {
        const size_t cell = cells[k];
        double sum = rain ? (double)rain[cell] : 1;
        for (unsigned left = donors[cell]; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const size_t from = neighbour_of(&size, cell, i);
            const double all = (double)sums[from] + (double)rests[from];
            sum += all * share_of(flow, from, (i + NEIGHBOURS / 2) % NEIGHBOURS);
        }
        sums[cell] = (float)sum;
        rests[cell] = (float)(sum - (double)(float)sum);
    }
}

// Rain may be as large as numbers go; its sum is not.
static Status check_sums(const Field *sum, Error *error) {
    for (size_t i = 0; i < field_count(sum); i++)
        if (!isfinite(sum->cells[i]))
            return fail(error, STATUS_INVALID,
                        "rain is too much: what drains through cell (%zu, %zu) is more than %s",
                        i % (size_t)sum->width, i / (size_t)sum->width, digits_of((double)FLT_MAX).text);
    return STATUS_OK;
}

Status flow_accumulate(const Run *run, Flow *flow, Error *error) {
    const size_t cells = field_count(&flow->sum);
    if (!flow->rain && !flow->share && cells < UINT32_MAX)
        return count_cells_above(run, flow->drainage.direction, &flow->sum, error);
    flow->rest = memory_new(cells, sizeof *flow->rest, error);
    if (!flow->rest)
        return STATUS_MEMORY;
    const Downstream downstream = { .width = flow->sum.width,
                                    .height = flow->sum.height,
                                    .direction = flow->drainage.direction,
                                    .second = flow->second,
                                    .visit = flow_add_donors,
                                    .context = flow };
    const Status status = visit_downstream(run, &downstream, error);
    memory_free(flow->rest);
    return status == STATUS_OK && flow->rain ? check_sums(&flow->sum, error) : status;
}

// --- both --------------------------------------------------------------------------------------------------

Status flow_find(const Run *run, Flow *flow, bool parted, Error *error) {
    const size_t cells = field_count(&flow->sum);
    Status status = drainage_find(run, &flow->drainage, error);
    if (status != STATUS_OK || !parted)
        return status;
    if (!(flow->share = memory_new(cells, sizeof *flow->share, error)) ||
        !(flow->second = memory_new(cells, sizeof *flow->second, error)))
        return STATUS_MEMORY;
    return part_flow(run, &flow->drainage, flow->share, flow->second);
}

void flow_free(Flow *flow) {
    memory_free(flow->share);
    memory_free(flow->second);
    memory_free(flow->drainage.direction);
}

// --- streams -----------------------------------------------------------------------------------------------

Status beginning_cells(Beginning beginning, const Field *height, double *cells, Error *error) {
    const double metres = field_cell_metres(height);
    if (!isnan(beginning.area) && !isnan(beginning.cells))
        return fail(error, STATUS_INVALID, "area and cells both say where rivers begin: give one");
    if (!isnan(beginning.area) && metres == 0)
        return fail(error, STATUS_INVALID,
                    "area: the field has no frame in which an area is known: set one with georeference, or "
                    "give cells");
    *cells = !isnan(beginning.area)    ? beginning.area / (metres * metres)
             : !isnan(beginning.cells) ? beginning.cells
                                       : beginning.share * (double)field_count(height);
    return STATUS_OK;
}

Status streams_find(const Run *run, Streams *streams, Beginning beginning, Error *error) {
    const Field *height = streams->drainage.height;
    double least = 0;
    Field areas = { 0 };
    streams->sea = (float)streams->drainage.sea_level;
    Status status = beginning_cells(beginning, height, &least, error);
    streams->least = (float)least;
    if (status == STATUS_OK)
        status = drainage_find(run, &streams->drainage, error);
    if (status != STATUS_OK || (streams->rivers && !streams->measured))
        return status;
    status = field_create(&streams->drained, height->width, height->height, error);
    if (status == STATUS_OK && !isnan(beginning.area))
        status = flow_areas(height, &areas, error);
    Flow flow = { .drainage = streams->drainage,
                  .sum = streams->drained,
                  .rain = areas.cells ? &areas : NULL };
    if (status == STATUS_OK)
        status = flow_accumulate(run, &flow, error);
    field_free(&areas);
    return status;
}

static void end_rows(void *context, int first, int end) {
    const Streams *streams = context;
    const size_t width = (size_t)streams->drainage.height->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        if (is_stream(streams, i))
            streams->drainage.direction[i] = DRAINS_OFF;
}

Status streams_end_ways(const Run *run, Streams *streams) {
    const Field *height = streams->drainage.height;
    return parallel_rows(run, height->height, height->width, end_rows, streams);
}

void streams_free(Streams *streams) {
    field_free(&streams->drained);
    memory_free(streams->drainage.direction);
}
