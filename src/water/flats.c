#include "water/flats.h"

#include "core/disjoint_sets.h"
#include "core/error.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "water/drainage.h"
#include "water/even_choice.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// --- stretches of flats ------------------------------------------------------------------------------------

// Lists the flats of a field: its connected cells without direction (drainage.h). A flat is a list of
// stretches, which are cells of it side by side in a row.
// Stretches are found row by row, then joined with those that they touch in the row above (union-find), then
// sorted by their flats.

typedef struct Stretch {
    uint32_t start, end; // cells; `end` is the one after the last
} Stretch;

typedef struct FlatList {
    Stretch *stretches; // flat by flat, those of a flat in the order of their cells
    uint32_t *first;    // of each flat: its first stretch; one more: the count of all
    int count;          // of flats
    size_t cells;       // in all flats
} FlatList;

#define LEFT_OUT UINT32_MAX

typedef struct Listing {
    const uint8_t *direction;
    int width, first, end; // rows
    uint32_t *row;         // of each row, from `first` on: its first stretch; one more: the count of all
    Stretch *stretches;    // in the order of cells
    uint32_t *joined;      // of each stretch: an earlier one of its flat, or itself; then its flat
} Listing;

// --- stretches ---------------------------------------------------------------------------------------------

KERNEL static int count_stretches(const uint8_t *direction, int width) {
    int count = 0;
    for (int x = 1; x < width; x++)
        count += (direction[x] >= UNSEEN) & (direction[x - 1] < UNSEEN);
    return count;
}

static void count_rows(void *context, int first, int end) {
    const Listing *listing = context;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)(listing->first + y) * (size_t)listing->width;
        listing->row[y + 1] = (uint32_t)count_stretches(listing->direction + start, listing->width);
    }
}

static void list_rows(void *context, int first, int end) {
    const Listing *listing = context;
    const size_t width = (size_t)listing->width;
    for (int y = first; y < end; y++) {
        const uint8_t *row = listing->direction + (size_t)(listing->first + y) * width;
        const size_t start = (size_t)(listing->first + y) * width;
        size_t x = 0;
        for (uint32_t i = listing->row[y]; i < listing->row[y + 1]; i++) {
            while (row[x] < UNSEEN)
                x++;
            listing->stretches[i].start = (uint32_t)(start + x);
            while (row[x] >= UNSEEN)
                x++;
            listing->stretches[i].end = (uint32_t)(start + x);
        }
    }
}

// --- flats -------------------------------------------------------------------------------------------------

// The root of a flat is its first stretch, as far as that is known.
static void join(uint32_t *joined, uint32_t one, uint32_t other) {
    one = set_root(joined, one);
    other = set_root(joined, other);
    if (one < other)
        joined[other] = one;
    else
        joined[one] = other;
}

// Joins the stretches of a row with those above that they touch, across corners too.
static void join_row(const Listing *listing, int y) {
    const Stretch *stretches = listing->stretches;
    const size_t width = (size_t)listing->width;
    uint32_t above = listing->row[y - 1], here = listing->row[y];
    while (above < listing->row[y] && here < listing->row[y + 1]) {
        const size_t end = stretches[above].end + width;
        if (stretches[above].start + width <= stretches[here].end && stretches[here].start <= end)
            join(listing->joined, above, here);
        if (end < stretches[here].end)
            above++;
        else
            here++;
    }
}

static void leave_out_row(const Listing *listing, int y, uint32_t *sizes) {
    for (uint32_t i = listing->row[y]; i < listing->row[y + 1]; i++)
        sizes[set_root(listing->joined, i)] = LEFT_OUT;
}

// Numbers the flats by their first stretches; `sizes` are zeros. Afterwards `joined` has the numbers, and
// `first` those stretches.
static void number(const Listing *listing, uint32_t *sizes, FlatList *list) {
    const int rows = listing->end - listing->first;
    const uint32_t count = listing->row[rows];
    leave_out_row(listing, 0, sizes);
    leave_out_row(listing, rows - 1, sizes);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t flat = set_root(listing->joined, i);
        sizes[flat] += sizes[flat] != LEFT_OUT;
    }
    uint32_t flats = 0, placed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t earlier = listing->joined[i], size = sizes[i];
        listing->joined[i] = earlier != i ? listing->joined[earlier] : size == LEFT_OUT ? LEFT_OUT : flats;
        if (earlier != i || size == LEFT_OUT)
            continue;
        list->first[flats++] = placed;
        placed += size;
    }
    list->first[flats] = placed;
    list->count = (int)flats;
}

// Sorts the stretches by flats. `next`: room for a number of each flat.
static void sort(const Listing *listing, uint32_t *next, FlatList *list) {
    memcpy(next, list->first, (size_t)list->count * sizeof *next);
    for (uint32_t i = 0; i < listing->row[listing->end - listing->first]; i++) {
        const uint32_t flat = listing->joined[i];
        const Stretch stretch = listing->stretches[i];
        if (flat == LEFT_OUT)
            continue;
        list->stretches[next[flat]++] = stretch;
        list->cells += stretch.end - stretch.start;
    }
}

// --- all flats ---------------------------------------------------------------------------------------------

static Status list_stretches(const Run *run, Listing *listing, Error *error) {
    const int rows = listing->end - listing->first;
    if (!(listing->row = memory_new_zeroed((size_t)rows + 1, sizeof *listing->row, error)))
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, rows, listing->width * 0.1, count_rows, listing);
    if (status != STATUS_OK)
        return status;
    for (int y = 0; y < rows; y++)
        listing->row[y + 1] += listing->row[y];
    if (listing->row[rows] == 0)
        return STATUS_OK;
    if (!(listing->stretches = memory_new(listing->row[rows], sizeof *listing->stretches, error)))
        return STATUS_MEMORY;
    return parallel_rows(run, rows, listing->width * 0.5, list_rows, listing);
}

static Status group(Listing *listing, FlatList *list, Error *error) {
    const int rows = listing->end - listing->first;
    const size_t count = listing->row[rows];
    uint32_t *sizes = memory_new_zeroed(count, sizeof *sizes, error);
    Status status = STATUS_MEMORY;
    if (sizes && (listing->joined = memory_new(count, sizeof *listing->joined, error)) &&
        (list->first = memory_new(count + 1, sizeof *list->first, error)) &&
        (list->stretches = memory_new(count, sizeof *list->stretches, error))) {
        for (uint32_t i = 0; i < count; i++)
            listing->joined[i] = i;
        for (int y = 1; y < rows; y++)
            join_row(listing, y);
        number(listing, sizes, list);
        sort(listing, sizes, list);
        status = STATUS_OK;
    }
    memory_free(sizes);
    return status;
}

// Lists the flats among the rows `first` … `end` - 1 that reach neither the first nor the last of these rows.
// `direction` holds rows of `width` cells, of which the first and the last are in no flat. The list is freed
// by flat_list_free, also after a failure.
static Status flat_list_create(const Run *run, FlatList *list, const uint8_t *direction, int width, int first,
                               int end, Error *error) {
    Listing listing = { .direction = direction, .width = width, .first = first, .end = end };
    *list = (FlatList){ 0 };
    Status status = list_stretches(run, &listing, error);
    if (status == STATUS_OK && listing.stretches)
        status = group(&listing, list, error);
    memory_free(listing.row);
    memory_free(listing.stretches);
    memory_free(listing.joined);
    return status;
}

static void flat_list_free(FlatList *list) {
    memory_free(list->stretches);
    memory_free(list->first);
    *list = (FlatList){ 0 };
}

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

int flat_way(const LevelGround *ground, int x, int y, int column, int row) {
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
    return draw_way(ways, column, row);
}

// --- what is around cells ----------------------------------------------------------------------------------

// Links a cell to others in the same bucket.
typedef struct Link {
    uint32_t next, before;
} Link;

// Until a flat's weights are known, `cost` holds the nearness to higher ground: FLAT_FAR minus the distance,
// 0 where that is larger and outside flats.
typedef struct Draining {
    LevelGround ground; // the whole field
    FlatList flats;
    uint8_t *flat, *outlets; // sides of cells in flats
    Link *links;
    int row, column; // of the field: the ground's first
} Draining;

// Finds, in a row, the sides of cells, and the weights and the nearness of those with higher ground beside
// them; the others have a weight of 0.
KERNEL static void look_around_row(const float *levels, const uint8_t *direction, uint8_t *restrict flat,
                                   uint8_t *restrict outlets, uint8_t *restrict weight,
                                   uint16_t *restrict nearness, int width) {
    const int straight_weight = flat_weight(FLAT_STRAIGHT), diagonal_weight = flat_weight(FLAT_DIAGONAL);
    for (int x = 1; x < width - 1; x++) {
        unsigned same = 0, higher = 0;
#define LOOK(at, way)                                                                                        \
    {                                                                                                        \
        const unsigned inside = direction[at] >= UNSEEN, above = levels[at] > levels[x];                     \
        same |= inside << (way);                                                                             \
        higher |= (above & ~inside) << (way);                                                                \
    }
        LOOK(x + 1, 0)
        LOOK(x + width + 1, 1)
        LOOK(x + width, 2)
        LOOK(x + width - 1, 3)
        LOOK(x - 1, 4)
        LOOK(x - width - 1, 5)
        LOOK(x - width, 6)
        LOOK(x - width + 1, 7)
#undef LOOK
        const int straight = (higher & 0x55) != 0, any = higher != 0, own = any & (direction[x] >= UNSEEN);
        flat[x] = (uint8_t)same;
        outlets[x] = (uint8_t) ~(same | higher);
        weight[x] = (uint8_t)(any * (diagonal_weight + straight * (straight_weight - diagonal_weight)));
        nearness[x] =
            (uint16_t)(own * (FLAT_FAR - FLAT_DIAGONAL + straight * (FLAT_DIAGONAL - FLAT_STRAIGHT)));
    }
}

static void look_around_rows(void *context, int first, int end) {
    const Draining *draining = context;
    const LevelGround *ground = &draining->ground;
    const size_t width = (size_t)ground->filled.width;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * width;
        if (memchr(ground->direction + start, UNSEEN, width))
            look_around_row(ground->filled.cells + start, ground->direction + start, draining->flat + start,
                            draining->outlets + start, ground->weight + start, ground->cost + start,
                            (int)width);
    }
}

// --- weights -----------------------------------------------------------------------------------------------

typedef struct Flat {
    const Stretch *stretches;
    size_t count;
} Flat;

// Raises the nearness of a stretch's cells, in the order of `step` (1 or -1), to what follows from the cell
// before and from three cells of the row that is `beside` cells away. Returns whether any changed.
static bool sweep_stretch(uint16_t *nearness, size_t first, size_t count, ptrdiff_t step, ptrdiff_t beside) {
    int changed = 0;
    uint16_t *cell = nearness + first;
    int last = cell[-step];
    for (size_t i = 0; i < count; i++, cell += step) {
        const uint16_t *row = cell + beside;
        const int diagonal = max(row[-1], row[1]) - FLAT_DIAGONAL;
        const int straight = max((int)row[0], last) - FLAT_STRAIGHT;
        last = max((int)*cell, max(diagonal, straight));
        changed |= last != *cell;
        *cell = (uint16_t)last;
    }
    return changed;
}

static bool sweep_down(const LevelGround *ground, const Flat *flat) {
    bool changed = false;
    for (size_t i = 0; i < flat->count; i++) {
        const Stretch stretch = flat->stretches[i];
        changed |= sweep_stretch(ground->cost, stretch.start, stretch.end - stretch.start, 1,
                                 -(ptrdiff_t)ground->filled.width);
    }
    return changed;
}

static bool sweep_up(const LevelGround *ground, const Flat *flat) {
    bool changed = false;
    for (size_t i = flat->count; i-- > 0;) {
        const Stretch stretch = flat->stretches[i];
        changed |= sweep_stretch(ground->cost, stretch.end - 1, stretch.end - stretch.start, -1,
                                 ground->filled.width);
    }
    return changed;
}

static bool is_open(const LevelGround *ground, const Flat *flat) {
    bool open = false;
    for (size_t i = 0; i < flat->count && !open; i++) {
        const Stretch stretch = flat->stretches[i];
        open = memchr(ground->weight + stretch.start, 0, stretch.end - stretch.start) != NULL;
    }
    return open;
}

// Finds the weights of cells without higher ground beside them. Sweeps down and up find all distances along
// ways that nothing blocks (Borgefors 1986, "Distance transformations in digital images"); where
// outlets block them, more sweeps follow until one changes nothing.
static void weigh(const LevelGround *ground, const Flat *flat) {
    if (!is_open(ground, flat))
        return;
    sweep_down(ground, flat);
    while (sweep_up(ground, flat) && sweep_down(ground, flat))
        ;
    for (size_t i = 0; i < flat->count; i++)
        for (size_t cell = flat->stretches[i].start; cell < flat->stretches[i].end; cell++)
            if (ground->weight[cell] == 0)
                ground->weight[cell] = flat_weight(FLAT_FAR - ground->cost[cell]);
}

// --- costs -------------------------------------------------------------------------------------------------

// A direction that was found, of a cell still in a flat; with TIED if another is as good.
enum { WAY = 32, TIED = 64 };

#define NO_CELL UINT32_MAX

typedef struct Flood {
    LevelGround ground;
    uint8_t *flat; // without the sides to cells that are final
    Link *links;
    uint64_t filled; // a bit for each bucket that may have cells
    uint32_t first[FLAT_BUCKETS];
    uint32_t offset[NEIGHBOURS]; // from a cell to its neighbours, modulo 2^32
} Flood;

static void leave_bucket(Flood *flood, uint32_t cell, int bucket) {
    const Link link = flood->links[cell];
    if (link.before != NO_CELL)
        flood->links[link.before].next = link.next;
    else
        flood->first[bucket] = link.next;
    if (link.next != NO_CELL)
        flood->links[link.next].before = link.before;
}

static void enter_bucket(Flood *flood, uint32_t cell, int bucket) {
    const uint32_t next = flood->filled >> bucket & 1 ? flood->first[bucket] : NO_CELL;
    flood->links[cell] = (Link){ .next = next, .before = NO_CELL };
    if (next != NO_CELL)
        flood->links[next].before = cell;
    flood->first[bucket] = cell;
    flood->filled |= UINT64_C(1) << bucket;
}

// A cell that is not final can be reached at some cost, from which water goes by `way`.
static inline void reach(Flood *flood, uint32_t cell, uint16_t cost, uint8_t way) {
    uint8_t *direction = &flood->ground.direction[cell];
    uint16_t *known = &flood->ground.cost[cell];
    const bool reached = *direction >= WAY;
    const int16_t more = (int16_t)(uint16_t)(cost - *known);
    if (reached && more >= 0) {
        if (more == 0)
            *direction |= TIED;
        return;
    }
    const int bucket = flat_bucket(cost), last = flat_bucket(*known);
    *known = cost;
    *direction = way;
    if (reached && bucket == last)
        return;
    if (reached)
        leave_bucket(flood, cell, last);
    enter_bucket(flood, cell, bucket);
}

// Reaches the cells around one that is final. These no longer go on to it.
static inline void go_on(Flood *flood, uint32_t cell) {
    const uint16_t cost = flood->ground.cost[cell];
    const int weight = flood->ground.weight[cell], roughness = flat_roughness(weight, cost);
    for (unsigned left = flood->flat[cell]; left; left &= left - 1) {
        const int i = __builtin_ctz(left), back = (i + NEIGHBOURS / 2) % NEIGHBOURS;
        const uint32_t to = cell + flood->offset[i];
        const int step = flat_rough_step(i, flood->ground.weight[to], weight, roughness);
        flood->flat[to] &= (uint8_t) ~(1U << back);
        reach(flood, to, (uint16_t)(cost + step), (uint8_t)(WAY + back));
    }
}

static void begin_at_outlets(Flood *flood, const uint8_t *outlets, const Flat *flat) {
    for (size_t i = 0; i < flat->count; i++)
        for (uint32_t cell = flat->stretches[i].start; cell < flat->stretches[i].end; cell++) {
            const unsigned all = outlets[cell];
            if (!all)
                continue;
            bool tied;
            const int way = flat_way_out(all, &tied),
                      cost = flat_length(way) * 2 * flood->ground.weight[cell];
            reach(flood, cell, (uint16_t)cost, (uint8_t)((WAY + way) | (tied ? TIED : 0)));
        }
}

// Finds the costs, by a flood from the outlets.
static void spread(const Draining *draining, const Flat *flat) {
    Flood flood = { .ground = draining->ground, .flat = draining->flat, .links = draining->links };
    for (int i = 0; i < NEIGHBOURS; i++)
        flood.offset[i] = (uint32_t)neighbour_of(&flood.ground.filled, 0, i);
    begin_at_outlets(&flood, draining->outlets, flat);
    for (int bucket = 0; flood.filled; bucket = (bucket + 1) % FLAT_BUCKETS) {
        bucket = flat_next_bucket(flood.filled, bucket);
        flood.filled &= ~(UINT64_C(1) << bucket);
        for (uint32_t cell = flood.first[bucket], next; cell != NO_CELL; cell = next) {
            next = flood.links[cell].next;
            go_on(&flood, cell);
        }
    }
}

// --- ways --------------------------------------------------------------------------------------------------

// Sets the directions of a flat whose costs are known.
static void set_ways(const Draining *draining, const Flat *flat) {
    uint8_t *direction = draining->ground.direction;
    const size_t width = (size_t)draining->ground.filled.width;
    for (size_t i = 0; i < flat->count; i++) {
        const size_t start = flat->stretches[i].start;
        const int y = (int)(start / width);
        for (size_t cell = start; cell < flat->stretches[i].end; cell++) {
            assert(direction[cell] >= WAY); // filled ground has outlets
            const int x = (int)(cell - (size_t)y * width);
            if (direction[cell] & TIED)
                direction[cell] = (uint8_t)(WAY + flat_way(&draining->ground, x, y, draining->column + x,
                                                           draining->row + y));
        }
    }
    for (size_t i = 0; i < flat->count; i++)
        for (size_t cell = flat->stretches[i].start; cell < flat->stretches[i].end; cell++)
            direction[cell] = (uint8_t)(direction[cell] - WAY);
}

static void drain_flats(void *context, int first, int end) {
    const Draining *draining = context;
    const uint32_t *starts = draining->flats.first;
    for (int i = first; i < end; i++) {
        const Flat flat = { draining->flats.stretches + starts[i], starts[i + 1] - starts[i] };
        weigh(&draining->ground, &flat);
        spread(draining, &flat);
        set_ways(draining, &flat);
    }
}

// --- some of it, for others --------------------------------------------------------------------------------

static void leave_out_edges(const Field *size, uint8_t *direction) {
    const size_t width = (size_t)size->width, last = field_count(size) - width;
    memset(direction, DRAINS_OFF, width);
    memset(direction + last, DRAINS_OFF, width);
    for (size_t row = 0; row < last; row += width)
        direction[row] = direction[row + width - 1] = DRAINS_OFF;
}

// NOLINTNEXTLINE(readability-non-const-parameter): written where rows are looked at
Status flats_weigh(const Run *run, const LevelGround *ground, uint8_t *outlets, Error *error) {
    const Field *size = &ground->filled;
    Draining draining = { .ground = *ground, .outlets = outlets };
    leave_out_edges(size, ground->direction);
    Status status =
        flat_list_create(run, &draining.flats, ground->direction, size->width, 0, size->height, error);
    if (status == STATUS_OK && !(draining.flat = memory_new(field_count(size), 1, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK && draining.flats.count > 0) {
        memset(ground->cost, 0, field_count(size) * sizeof *ground->cost);
        look_around_rows(&draining, 0, size->height);
        for (int i = 0; i < draining.flats.count; i++) {
            const uint32_t *starts = draining.flats.first + i;
            const Flat flat = { draining.flats.stretches + starts[0], starts[1] - starts[0] };
            weigh(ground, &flat);
        }
    }
    flat_list_free(&draining.flats);
    memory_free(draining.flat);
    return status;
}

// --- all ---------------------------------------------------------------------------------------------------

static Status drain_all(const Run *run, Draining *draining, Error *error) {
    LevelGround *ground = &draining->ground;
    const size_t cells = field_count(&ground->filled);
    if (!(draining->flat = memory_new(cells, sizeof *draining->flat, error)) ||
        !(draining->outlets = memory_new(cells, sizeof *draining->outlets, error)) ||
        !(draining->links = memory_new(cells, sizeof *draining->links, error)) ||
        !(ground->weight = memory_new(cells, sizeof *ground->weight, error)) ||
        !(ground->cost = memory_new_zeroed(cells, sizeof *ground->cost, error)))
        return STATUS_MEMORY;
    const int flats = draining->flats.count;
    const Status status =
        parallel_rows(run, ground->filled.height, ground->filled.width * 2.0, look_around_rows, draining);
    return status == STATUS_OK ? parallel_rows(run, flats, 60.0 * (double)draining->flats.cells / flats,
                                               drain_flats, draining)
                               : status;
}

Status flats_drain(const Run *run, Drainage *drainage, int first, int end, Error *error) {
    Draining draining = { .ground = { .filled = drainage->filled,
                                      .sea = (float)drainage->sea_level,
                                      .direction = drainage->direction },
                          .row = drainage->row,
                          .column = drainage->column };
    Status status = flat_list_create(run, &draining.flats, drainage->direction, drainage->filled.width, first,
                                     end, error);
    if (status == STATUS_OK && draining.flats.count > 0)
        status = drain_all(run, &draining, error);
    flat_list_free(&draining.flats);
    memory_free(draining.flat);
    memory_free(draining.outlets);
    memory_free(draining.links);
    memory_free(draining.ground.cost);
    memory_free(draining.ground.weight);
    return status;
}
