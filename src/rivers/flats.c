#include "rivers/flats.h"

#include "core/math.h"
#include "core/memory.h"
#include "rivers/even_choice.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

// --- a cell ------------------------------------------------------------------------------------------------

// Of a place beside the cell: the cost of the ways from all cells around it, less those from the place.
// Around an outlet, where other flats may begin, only higher ground counts.
static int cost_around(const LevelGround *ground, int x, int y) {
    const Field *filled = &ground->filled;
    const size_t width = (size_t)filled->width, place = (size_t)y * width + (size_t)x;
    const bool flat = ground->direction[place] >= UNSEEN;
    int sum = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (!within_field(filled, x + neighbour_x[i], y + neighbour_y[i]))
            continue;
        const size_t beside = neighbour_of(filled, place, i);
        if (filled->cells[beside] > filled->cells[place])
            sum += FLAT_STEP_MAX;
        else if (flat && ground->direction[beside] >= UNSEEN)
            sum += (int16_t)(uint16_t)(ground->cost[beside] - ground->cost[place]);
        else if (flat)
            sum -= ground->cost[place];
    }
    return sum;
}

static unsigned cheapest_around(const LevelGround *ground, int x, int y, unsigned ways) {
    const size_t cell = (size_t)y * (size_t)ground->filled.width + (size_t)x;
    int least = INT_MAX;
    unsigned best = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (!(ways >> i & 1))
            continue;
        const size_t to = neighbour_of(&ground->filled, cell, i);
        const int sum = cost_around(ground, x + neighbour_x[i], y + neighbour_y[i]) -
                        (NEIGHBOURS + 1) * flat_step(ground, cell, to, i);
        best = sum < least ? 0 : best;
        best |= sum <= least ? 1U << i : 0;
        least = min(sum, least);
    }
    return best;
}

int flat_way(const LevelGround *ground, int x, int y, int row) {
    const size_t cell = (size_t)y * (size_t)ground->filled.width + (size_t)x;
    const FlatSides sides = flat_sides(ground, cell);
    unsigned ways = 0;
    for (unsigned left = sides.flat | sides.outlets; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const size_t to = neighbour_of(&ground->filled, cell, i);
        const int beyond = sides.flat >> i & 1 ? ground->cost[to] : 0; // beside an outlet less than 2^16
        const int cost = beyond + flat_step(ground, cell, to, i);
        ways |= (sides.flat >> i & 1 ? (uint16_t)cost : cost) == ground->cost[cell] ? 1U << i : 0;
    }
    if (several(ways))
        ways = ways_of_the_fall(&ground->filled, ground->sea, x, y, &towards_neighbours, ways);
    if (several(ways))
        ways = cheapest_around(ground, x, y, ways);
    return draw_way(ways, x, row);
}

// --- a flat ------------------------------------------------------------------------------------------------

// Flats are drained band by band, those that reach into other bands once more in wider bands, the rest in the
// whole field. UNSEEN + pass + 1 marks the cells of those that a pass left.
enum { WHOLE = 2, PASSES };
static const int pass_rows[WHOLE] = { 64, 512 }; // of a band

// A direction that was found, of a cell still in a flat; with TIED if another is as good.
enum { WAY = 32, TIED = 64 };

// A cell of a flat.
typedef struct Spot {
    uint32_t cell, next, before; // spots in the same bucket
    uint8_t flat, outlets;       // sides
    uint8_t bucket;
} Spot;

// Cells that a flood has reached are in buckets by their costs; the flood takes what is in the lowest. No
// step costs less than a bucket is wide, so that what is taken is final in any order; the dearest costs less
// than all buckets together.
enum { BUCKETS = 64, UNREACHED = BUCKETS, SETTLED };
enum { WEIGH_BITS = 4, SPREAD_BITS = 9 }; // of a bucket's width
_Static_assert(FLAT_STRAIGHT >= 1 << WEIGH_BITS, "a bucket is wider than a step");
_Static_assert(FLAT_STRAIGHT * 2 * FLAT_WEIGHT_LEAST >= 1 << SPREAD_BITS, "a bucket is wider than a step");
_Static_assert(FLAT_STEP_MAX < (BUCKETS - 1) << SPREAD_BITS && FLAT_STEP_MAX < 1 << 15, "a step is too long");

#define NO_SPOT UINT32_MAX

typedef struct Draining {
    LevelGround ground;
    Spot *spots;     // room for each cell of the field
    uint32_t *place; // of each cell of a flat: its spot
    bool *flat;      // whether a row has cells of flats that are not drained yet
    int row, pass;
} Draining;

// Some rows of a field, and the flat in it that is being drained.
typedef struct Band {
    LevelGround ground; // the whole field
    size_t start, end;  // cells of the field that are in the band
    Spot *spots;        // the flat
    uint32_t *place;
    size_t count;    // of spots
    bool open;       // whether a spot has no higher ground beside it
    uint64_t filled; // a bit for each bucket that may have spots
    uint32_t first[BUCKETS];
    int current, bits;
    int pass;
} Band;

static void leave_bucket(Band *band, const Spot *spot) {
    if (spot->before != NO_SPOT)
        band->spots[spot->before].next = spot->next;
    else
        band->first[spot->bucket] = spot->next;
    if (spot->next != NO_SPOT)
        band->spots[spot->next].before = spot->before;
}

static void enter_bucket(Band *band, uint32_t place, int bucket) {
    Spot *spot = &band->spots[place];
    const uint32_t next = band->filled >> bucket & 1 ? band->first[bucket] : NO_SPOT;
    spot->bucket = (uint8_t)bucket;
    spot->before = NO_SPOT;
    spot->next = next;
    if (next != NO_SPOT)
        band->spots[next].before = place;
    band->first[bucket] = place;
    band->filled |= UINT64_C(1) << bucket;
}

// A cell can be reached at some cost, from which water goes by `way`.
static inline void reach(Band *band, uint32_t place, uint16_t cost, uint8_t way) {
    Spot *spot = &band->spots[place];
    const LevelGround *ground = &band->ground;
    if (spot->bucket == SETTLED)
        return;
    if (spot->bucket != UNREACHED) {
        const int16_t more = (int16_t)(uint16_t)(cost - ground->cost[spot->cell]);
        if (more == 0)
            ground->direction[spot->cell] |= TIED;
        if (more >= 0)
            return;
        leave_bucket(band, spot);
    }
    ground->cost[spot->cell] = cost;
    ground->direction[spot->cell] = way;
    enter_bucket(band, place, cost >> band->bits & (BUCKETS - 1));
}

static void begin_flood(Band *band, int bits) {
    for (size_t k = 0; k < band->count; k++)
        band->spots[k].bucket = UNREACHED;
    band->filled = 0;
    band->current = 0;
    band->bits = bits;
}

// Settles a spot of the lowest bucket; NO_SPOT: none is left.
static uint32_t settle_next(Band *band) {
    while (band->filled) {
        const int turn = band->current;
        const uint64_t turned = band->filled >> turn | (turn ? band->filled << (BUCKETS - turn) : 0);
        band->current = (turn + __builtin_ctzll(turned)) % BUCKETS;
        const uint32_t place = band->first[band->current];
        if (place != NO_SPOT) {
            leave_bucket(band, &band->spots[place]);
            band->spots[place].bucket = SETTLED;
            return place;
        }
        band->filled &= ~(UINT64_C(1) << band->current);
    }
    return NO_SPOT;
}

// Finds the weights of a flat with cells that have no higher ground beside them, by a flood from those that
// do.
static void weigh(Band *band) {
    const LevelGround *ground = &band->ground;
    begin_flood(band, WEIGH_BITS);
    for (uint32_t k = 0; k < band->count; k++) {
        const size_t cell = band->spots[k].cell;
        const int shore = flat_shortest(~((unsigned)band->spots[k].flat | band->spots[k].outlets) & 255);
        ground->weight[cell] = FLAT_WEIGHT_LEAST;
        if (shore > 0)
            reach(band, k, (uint16_t)shore, WAY);
    }
    for (uint32_t k; (k = settle_next(band)) != NO_SPOT;) {
        const size_t cell = band->spots[k].cell;
        const int distance = ground->cost[cell];
        if (distance >= FLAT_FAR)
            continue;
        ground->weight[cell] = flat_weight(distance);
        for (unsigned left = band->spots[k].flat; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const uint32_t to = band->place[neighbour_of(&ground->filled, cell, i)];
            reach(band, to, (uint16_t)(distance + flat_length(i)), WAY);
        }
    }
}

// Finds the costs, by a flood from the outlets.
static void spread(Band *band) {
    const LevelGround *ground = &band->ground;
    begin_flood(band, SPREAD_BITS);
    for (uint32_t k = 0; k < band->count; k++) {
        const unsigned all = band->spots[k].outlets, nearest = all & 0x55 ? all & 0x55 : all;
        const int cost = flat_shortest(all) * 2 * ground->weight[band->spots[k].cell];
        if (all)
            reach(band, k, (uint16_t)cost,
                  (uint8_t)((WAY + __builtin_ctz(nearest)) | (several(nearest) ? TIED : 0)));
    }
    for (uint32_t k; (k = settle_next(band)) != NO_SPOT;) {
        const size_t cell = band->spots[k].cell;
        const int cost = ground->cost[cell], weight = ground->weight[cell];
        for (unsigned left = band->spots[k].flat; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const size_t to = neighbour_of(&ground->filled, cell, i);
            reach(band, band->place[to], (uint16_t)(cost + flat_length(i) * (weight + ground->weight[to])),
                  (uint8_t)(WAY + (i + NEIGHBOURS / 2) % NEIGHBOURS));
        }
    }
}

static bool waits(int direction, int pass) {
    return direction >= UNSEEN && direction <= UNSEEN + pass;
}

static void add(Band *band, size_t cell) {
    band->ground.direction[cell] = IN_FLAT;
    band->place[cell] = (uint32_t)band->count;
    band->spots[band->count++].cell = (uint32_t)cell;
}

// Lists the cells beside one of the first or the last row of a band.
static void collect_beside(Band *band, size_t cell) {
    for (int i = 0; i < NEIGHBOURS; i++) {
        const size_t to = neighbour_of(&band->ground.filled, cell, i);
        if (to >= band->start && to < band->end && waits(band->ground.direction[to], band->pass))
            add(band, to);
    }
}

// Lists the flat of a cell. False if it reaches the first or the last row of the band, beyond which it may go
// on.
static bool collect(Band *band, size_t start) {
    const LevelGround *ground = &band->ground;
    const size_t width = (size_t)ground->filled.width;
    bool inside = true;
    band->count = 0;
    band->open = false;
    add(band, start);
    for (size_t k = 0; k < band->count; k++) {
        const size_t cell = band->spots[k].cell;
        if (band->pass != WHOLE && (cell < band->start + width || cell >= band->end - width)) {
            collect_beside(band, cell);
            inside = false;
            continue;
        }
        const FlatSides sides = flat_sides(ground, cell);
        band->spots[k].flat = (uint8_t)sides.flat;
        band->spots[k].outlets = (uint8_t)sides.outlets;
        band->open = band->open || !sides.higher;
        if (sides.higher)
            ground->weight[cell] = flat_weight(flat_shortest(sides.higher));
        for (unsigned left = sides.flat; left; left &= left - 1) {
            const size_t to = neighbour_of(&ground->filled, cell, __builtin_ctz(left));
            if (waits(ground->direction[to], band->pass))
                add(band, to);
        }
    }
    return inside;
}

static void drain_flat(Band *band, size_t start, int row) {
    uint8_t *direction = band->ground.direction;
    const uint32_t width = (uint32_t)band->ground.filled.width;
    if (!collect(band, start)) {
        for (size_t k = 0; k < band->count; k++)
            direction[band->spots[k].cell] = (uint8_t)(UNSEEN + band->pass + 1);
        return;
    }
    if (band->open)
        weigh(band);
    spread(band);
    for (size_t k = 0; k < band->count; k++) {
        const uint32_t cell = band->spots[k].cell;
        const int x = (int)(cell % width), y = (int)(cell / width);
        assert(direction[cell] >= WAY); // filled ground has outlets
        if (direction[cell] & TIED)
            direction[cell] = (uint8_t)(WAY + flat_way(&band->ground, x, y, row + y));
    }
    for (size_t k = 0; k < band->count; k++)
        direction[band->spots[k].cell] = (uint8_t)(direction[band->spots[k].cell] - WAY);
}

// --- all ---------------------------------------------------------------------------------------------------

static void find_flat_rows(void *context, int first, int end) {
    const Draining *draining = context;
    const size_t width = (size_t)draining->ground.filled.width;
    for (int y = first; y < end; y++) {
        const uint8_t *row = draining->ground.direction + (size_t)y * width;
        bool flat = false;
        for (int code = UNSEEN; code <= UNSEEN + draining->pass && !flat; code++)
            flat = memchr(row, code, width) != NULL;
        draining->flat[y] = flat;
    }
}

static void drain_rows(const Draining *draining, int first, int end) {
    const size_t width = (size_t)draining->ground.filled.width;
    Band band = { .ground = draining->ground,
                  .start = (size_t)first * width,
                  .end = (size_t)end * width,
                  .spots = draining->spots + (size_t)first * width,
                  .place = draining->place,
                  .pass = draining->pass };
    for (int y = first; y < end; y++)
        for (size_t cell = (size_t)y * width; draining->flat[y] && cell < (size_t)(y + 1) * width; cell++)
            if (waits(draining->ground.direction[cell], draining->pass))
                drain_flat(&band, cell, draining->row);
}

static void drain_bands(void *context, int first, int end) {
    const Draining *draining = context;
    const int height = draining->ground.filled.height, rows = pass_rows[draining->pass];
    for (int band = first; band < end; band++)
        drain_rows(draining, band * rows, min((band + 1) * rows, height));
}

static Status find_rows(const Run *run, Draining *draining, bool *any) {
    const Field *filled = &draining->ground.filled;
    const Status status = parallel_rows(run, filled->height, filled->width * 0.1, find_flat_rows, draining);
    *any = status == STATUS_OK && memchr(draining->flat, true, (size_t)filled->height) != NULL;
    return status;
}

static Status drain_all(const Run *run, Draining *draining) {
    const Field *filled = &draining->ground.filled;
    Status status = STATUS_OK;
    bool any = true;
    for (draining->pass = 0; draining->pass < PASSES && status == STATUS_OK; draining->pass++) {
        status = find_rows(run, draining, &any);
        if (!any)
            break;
        if (draining->pass == WHOLE) {
            drain_rows(draining, 0, filled->height);
        } else {
            const int rows = pass_rows[draining->pass], bands = (filled->height + rows - 1) / rows;
            status = parallel_rows(run, bands, filled->width * (double)rows, drain_bands, draining);
        }
    }
    return status;
}

Status flats_drain(const Run *run, Drainage *drainage, int first, int end, Error *error) {
    const size_t cells = field_count(&drainage->filled);
    Draining draining = { .ground = { .filled = drainage->filled,
                                      .sea = (float)drainage->sea_level,
                                      .direction = drainage->direction },
                          .row = drainage->row };
    LevelGround *ground = &draining.ground;
    bool any = false;
    draining.flat = memory_new((size_t)drainage->filled.height, sizeof *draining.flat, error);
    Status status = draining.flat ? find_rows(run, &draining, &any) : STATUS_MEMORY;
    if (any && (!(draining.spots = memory_new(cells, sizeof *draining.spots, error)) ||
                !(draining.place = memory_new(cells, sizeof *draining.place, error)) ||
                !(ground->cost = memory_new(cells, sizeof *ground->cost, error)) ||
                !(ground->weight = memory_new(cells, sizeof *ground->weight, error))))
        status = STATUS_MEMORY;
    if (status == STATUS_OK && any && first == 0 && end == drainage->filled.height)
        status = drain_all(run, &draining);
    else if (status == STATUS_OK && any)
        drain_rows(&draining, first, end);
    memory_free(draining.flat);
    memory_free(draining.spots);
    memory_free(draining.place);
    memory_free(ground->cost);
    memory_free(ground->weight);
    return status;
}
