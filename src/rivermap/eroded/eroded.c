#include "rivermap/eroded/eroded.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "land/hillslope.h"
#include "rivermap/channels.h"

#include <math.h>
#include <stdatomic.h>

static Status begin(const RiverMap *map, const Run *run, Land **land, Error *error) {
    const Eroded *eroded = eroded_of(map);
    LandRules rules = eroded->rules;
    rules.hillslope *= (float)(1 << eroded->depth);
    rules.watered = map->watered;
    return eroded->begin(map, &rules, run, land, error);
}

Status eroded_land(const RiverMap *map, const Run *run, Land **land, Error *error) {
    Eroded *eroded = map->land_state;
    *land = atomic_load(&eroded->land);
    if (*land)
        return STATUS_OK;
    Status status = STATUS_OK;
    pthread_mutex_lock(&eroded->monitor.mutex);
    while (eroded->making && status == STATUS_OK)
        status = monitor_wait(&eroded->monitor, run);
    *land = atomic_load(&eroded->land);
    const bool first = status == STATUS_OK && !*land;
    eroded->making = eroded->making || first;
    pthread_mutex_unlock(&eroded->monitor.mutex);
    if (!first)
        return status;
    status = begin(map, run, land, error);
    pthread_mutex_lock(&eroded->monitor.mutex);
    if (status == STATUS_OK)
        atomic_store(&eroded->land, *land);
    eroded->making = false;
    pthread_cond_broadcast(&eroded->monitor.changed);
    pthread_mutex_unlock(&eroded->monitor.mutex);
    return status;
}

double eroded_top(const RiverMap *map) {
    const Eroded *eroded = eroded_of(map);
    const Land *land = atomic_load(&eroded->land);
    const double cells = land ? ldexp(land_top(land), -eroded->rules.unit_bits) : 0;
    const double scale = map->tiling->planet ? VERTICAL_SCALE / (2 * PI) : VERTICAL_SCALE;
    return ldexp(cells / scale, -eroded->depth - eroded->rules.graded);
}

// Slopes from pixel to pixel grow by about this factor with each level, down to the hillslope length
// (docs/climate.md, Cover).
#define STEEPER 1.62

double eroded_steepening(const RiverMap *map, double metres) {
    const double length = map->metres * (map->tiling->planet ? 2 * PI : 1);
    const double finest = (double)eroded_of(map)->rules.hillslope * length / sqrt(STREAM_CELLS);
    const double levels = logarithm(max(metres / finest, 1)) / logarithm(2);
    return power(STEEPER, min(levels, 20));
}

// How far the law goes: down to cells of which STREAM_CELLS are the hillslope's length squared. Units are as
// fine as the map's relief leaves room for.
static void set_levels(const RiverMap *map, Eroded *eroded) {
    const double room = 1500; // cells of height
    LandRules *rules = &eroded->rules;
    const double length = map->tiling->planet ? 2 * PI * map->metres : map->metres;
    const double finest = (double)rules->hillslope / sqrt(STREAM_CELLS);
    double cell = ldexp(length, -eroded->depth);
    rules->graded = 0;
    for (; cell / 2 >= finest && rules->graded < GRADED_MAX; cell /= 2)
        rules->graded++;
    rules->unit_bits = 18;
    for (double height = (double)rules->relief / cell; height > room && rules->unit_bits > 12; height /= 2)
        rules->unit_bits--;
    rules->hillslope = (float)((double)rules->hillslope / length);
    rules->relief = (float)((double)rules->relief / cell);
    eroded->relief = (double)rules->relief;
    if (rules->guided)
        rules->relief = 0;
}

Status eroded_create(RiverMap *map, const LandRules *rules, int depth, ErodedBegin *begin_land,
                     Error *error) {
    Eroded *eroded = memory_new_zeroed(1, sizeof *eroded, error);
    map->land_state = eroded;
    if (!eroded)
        return STATUS_MEMORY;
    eroded->rules = *rules;
    eroded->depth = depth;
    eroded->begin = begin_land;
    set_levels(map, eroded);
    atomic_init(&eroded->land, NULL);
    atomic_init(&eroded->climate, NULL);
    atomic_init(&eroded->memo, NULL);
    monitor_create(&eroded->monitor);
    return STATUS_OK;
}

Status eroded_copy(const RiverMap *map, RiverMap *copy, Error *error) {
    Eroded *eroded = memory_new_zeroed(1, sizeof *eroded, error);
    copy->land_state = eroded;
    if (!eroded)
        return STATUS_MEMORY;
    const Eroded *from = eroded_of(map);
    eroded->rules = from->rules;
    eroded->depth = from->depth;
    eroded->relief = from->relief;
    eroded->begin = from->begin;
    for (int axis = 0; axis < 3; axis++)
        eroded->axes[axis] = from->axes[axis];
    atomic_init(&eroded->land, NULL);
    atomic_init(&eroded->climate, NULL);
    atomic_init(&eroded->memo, NULL);
    monitor_create(&eroded->monitor);
    return STATUS_OK;
}

void eroded_free(void *land_state) {
    Eroded *eroded = land_state;
    if (!eroded)
        return;
    land_free(atomic_load(&eroded->land));
    memory_free(atomic_load(&eroded->climate));
    memo_free(atomic_load(&eroded->memo));
    monitor_destroy(&eroded->monitor);
    memory_free(eroded);
}

Status eroded_memo(const RiverMap *map, Memo **memo, Error *error) {
    enum { MEMO_BITS = 22 };
    Eroded *eroded = map->land_state;
    Memo *made = atomic_load(&eroded->memo), *first = NULL;
    if (!made) {
        made = memo_new(MEMO_BITS, error);
        if (!made)
            return STATUS_MEMORY;
        if (!atomic_compare_exchange_strong(&eroded->memo, &first, made)) {
            memo_free(made); // another thread was quicker
            made = first;
        }
    }
    *memo = made;
    return STATUS_OK;
}

// --- widths of rivers --------------------------------------------------------------------------------------

enum { STRAYS = 6, AROUND = STREAM_ESTUARY + 1 }; // cells that lines stray from theirs, and look around
enum { NEXT = 1, SOFT = 2 };                      // cells to a line's other end, and of a line's soft edge

// No river that drains less is drawn or given as a line.
#define RIVER_PIXELS 64.0

// Cells on either side of a line that a river so many cells wide may change.
static int reach_of(const RiverMap *map, double width) {
    const double reach = map->constants.width > 0 ? CHANNEL_REACH : 1;
    return double_to_within(ceil(RIVER_WIDENING * width / 2 * reach), 0, SIDE_MAX);
}

double widest_river(const RiverMap *map, int depth) {
    return map->width * ldexp(1, depth) * (map->watered ? sqrt((double)WETTEST) : 1);
}

int river_reach(const RiverMap *map, int depth) {
    const double whole = widest_river(map, depth);
    const double widest = depth > eroded_of(map)->depth ? fmin(whole, (double)RIVER_WIDEST) : whole;
    return reach_of(map, widest) + STRAYS + AROUND;
}

int river_shown_reach(const RiverMap *map, double width) {
    return reach_of(map, width) + STRAYS + NEXT + SOFT;
}

float river_min_area(const RiverMap *map, int depth, double cell) {
    // Of streams, the smaller ones end in the levels below the hillslope length, up to four times its square.
    const double length = (double)eroded_of(map)->rules.hillslope * ldexp(1, depth);
    return (float)max(4 * length * length, RIVER_PIXELS / (cell * cell));
}

double stream_area(const RiverMap *map, int depth) {
    const double length = (double)eroded_of(map)->rules.hillslope * ldexp(1, depth);
    return max(length * length, 24);
}
