#include "rivermap/eroded/river_widths.h"

#include "core/math.h"
#include "rivermap/channels.h"
#include "rivermap/eroded/eroded.h"

enum { STRAYS = 6, AROUND = STREAM_ESTUARY + 1 }; // cells that lines stray from theirs, and look around
enum { NEXT = 1, SOFT = 2 };                      // cells to a line's other end, and of a line's soft edge

// No river that drains less is drawn or given as a line.
#define RIVER_PIXELS 64.0

// Cells on either side of a line that a river so many cells wide may change.
static int reach_of(const RiverMap *map, double width) {
    const double reach = map->constants.width > 0 ? CHANNEL_REACH : 1;
    return double_to_within(ceil(RIVER_WIDENING * width / 2 * reach), 0, SIDE_MAX);
}

int river_reach(const RiverMap *map, int depth) {
    const double whole = map->width * ldexp(1, depth); // of a river that drains the map
    const double widest = depth > eroded_of(map)->depth ? fmin(whole, (double)RIVER_WIDEST) : whole;
    return reach_of(map, widest) + STRAYS + AROUND;
}

int river_shown_reach(const RiverMap *map, double width) {
    return reach_of(map, width) + STRAYS + NEXT + SOFT;
}

int river_margin(const RiverMap *map, int depth) {
    return max(river_reach(map, depth), RIVER_GAP + STRAYS + AROUND);
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
