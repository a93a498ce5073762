#include "water/even_choice.h"

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"
#include "water/drainage.h"

#include <float.h>

typedef struct Fall { // moments of the drop from a cell to those within some cells of it
    double x, y;
} Fall;

static Fall fall_around(const Field *ground, float sea, int x, int y, int radius) {
    const float own = field_row(ground, y)[x];
    const int left = max(x - radius, 0), right = min(x + radius, ground->width - 1);
    Fall fall = { 0, 0 };
    for (int to_y = max(y - radius, 0); to_y <= min(y + radius, ground->height - 1); to_y++)
        for (int to_x = left; to_x <= right; to_x++) {
            const double drop = (double)own - (double)max(field_row(ground, to_y)[to_x], sea);
            fall.x += (to_x - x) * drop;
            fall.y += (to_y - y) * drop;
        }
    return fall;
}

#define DIAGONAL 0.70710678118654752440
const Towards towards_neighbours = { .x = { 1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL, 0, DIAGONAL },
                                     .y = { 0, DIAGONAL, 1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL } };

static unsigned ways_along(Fall fall, const Towards *towards, unsigned ways) {
    double most = -DBL_MAX;
    unsigned best = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (!(ways >> i & 1))
            continue;
        const double own = fall.x * towards->x[i] + fall.y * towards->y[i];
        best = own > most ? 0 : best;
        best |= own >= most ? 1U << i : 0;
        most = max(own, most);
    }
    return best ? best : ways;
}

unsigned ways_of_the_fall(const Field *ground, float sea, int x, int y, const Towards *towards,
                          unsigned ways) {
    for (int radius = 1; radius <= FALL_RADIUS && several(ways); radius *= 2)
        ways = ways_along(fall_around(ground, sea, x, y, radius), towards, ways);
    return ways;
}

int draw_way(unsigned ways, int x, int y) {
    const int count = __builtin_popcount(ways);
    int left =
        count > 1
            ? index_within(random_unit(random_key(0, 0), (uint32_t)x, (uint32_t)y) * (float)count, count)
            : 0;
    for (; left > 0; left--)
        ways &= ways - 1;
    return __builtin_ctz(ways);
}
