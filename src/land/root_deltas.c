// Deltas of level 0: where a large river reaches a gentle coast, land is built out beyond it before the land
// is eroded. It is a lobe with a point at the end of each arm. The river runs through it to one of these
// points, as the lowest way; the other arms are drawn as channels (rivermap/eroded/river_arms.c).

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"
#include "land/root.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_RIVER 200.0f // cells that it drains
#define REACH 0.22f        // of a lobe, cells by the root of those, for a deposition of 1
#define REACH_MAX 8.0f
#define SHARE 0.7     // of the mouths that get a delta, where coasts are gentle
#define SPREAD 0.5    // tangent of half the angle between the axis and the outermost arm
#define BETWEEN 0.55  // how far land reaches between arms, against their ends
#define RIVERSIDE 1.5 // cells from the river that are land, so that it runs to its end
#define ARMSIDE 1.1   // the same beside other arms
#define GENTLE 1.5    // depth of the sea where the lobe comes to lie, cells on average, at most
#define OPEN 0.6      // of the half disk before the mouth, that is sea
// Cells around a lobe that are looked at, and those of the largest box.
enum { AROUND = 3, BOX_SIDE = 2 * (10 + AROUND) + 1, BOX_CELLS = BOX_SIDE * BOX_SIDE };
#define LEFT 0.7f // of a river that erosion has hardly led elsewhere
enum { DELTA_STREAM = 1 << 27 };

// A river's last cell before the sea.
typedef struct Mouth {
    size_t cell;
    float area;
} Mouth;

// One that may come to lie at a river's mouth. Its delta's arms end as seen from there.
typedef struct Lobe {
    int x, y; // the sea's cell into which the river runs
    float reach;
    double axis_x, axis_y;
    LandDelta delta;
} Lobe;

typedef struct Lobes {
    const Root *root;
    RandomKey key;
    uint8_t *state; // of a box of cells
} Lobes;

static size_t cell_at(const Root *root, int x, int y) {
    return (size_t)y * (size_t)root->window->width + (size_t)x;
}

static bool is_sea(const Root *root, size_t cell) {
    return root->window->receiver[cell] == LAND_SEA && root->window->altitude[cell] < 0;
}

static double chance(const Lobes *lobes, const Lobe *lobe, uint32_t use) {
    const uint32_t number = (uint32_t)cell_at(lobes->root, lobe->x, lobe->y);
    return (double)random_bits(lobes->key, number, use) * 0x1p-32;
}

// --- its shape ---------------------------------------------------------------------------------------------

// A direction, turned by an angle of which `tangent` is that of the half.
static void turned(double x, double y, double tangent, double *to_x, double *to_y) {
    const double part = 1 / (1 + tangent * tangent), along = (1 - tangent * tangent) * part,
                 across = 2 * tangent * part;
    *to_x = x * along - y * across;
    *to_y = y * along + x * across;
}

// From the mouth out to sea, as most of it lies.
static bool find_axis(const Root *root, Lobe *lobe) {
    const int reach = whole_int(ceilf(lobe->reach)) + 1;
    int sea = 0, all = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
            if (dx * dx + dy * dy > reach * reach)
                continue;
            const bool wet = is_sea(root, cell_at(root, lobe->x + dx, lobe->y + dy));
            lobe->axis_x += wet ? dx : 0;
            lobe->axis_y += wet ? dy : 0;
            sea += wet;
            all++;
        }
    const double length = sqrt(lobe->axis_x * lobe->axis_x + lobe->axis_y * lobe->axis_y);
    if (length == 0 || sea < OPEN * 0.5 * all)
        return false;
    lobe->axis_x /= length;
    lobe->axis_y /= length;
    return true;
}

// Whether the way to the end of an arm, and a cell beyond, leads through the sea.
static bool is_open_way(const Root *root, const Lobe *lobe, double to_x, double to_y) {
    const double length = sqrt(to_x * to_x + to_y * to_y);
    const int steps = whole_int(length) + 2;
    bool open = true;
    for (int i = 0; i <= steps && open; i++) {
        const double part = (length + 1) / length * i / steps;
        const int x = lobe->x + whole_int(floor(to_x * part + 0.5)),
                  y = lobe->y + whole_int(floor(to_y * part + 0.5));
        open = is_sea(root, cell_at(root, x, y));
    }
    return open;
}

// Two to five arms, of which one in the middle is the river; false: there is no room for them.
static bool find_arms(const Lobes *lobes, Lobe *lobe) {
    LandDelta *delta = &lobe->delta;
    const int most = clamp(whole_int(lobe->reach), 2, DELTA_ARMS),
              wanted = max(most - (chance(lobes, lobe, 1) < 0.5), 2);
    for (int i = 0; i < wanted; i++) {
        const double jitter = chance(lobes, lobe, 3 + (uint32_t)i) - 0.5, at = 2.0 * i / (wanted - 1) - 1;
        const double tangent = SPREAD * (wanted == 2 ? 0.7 : 1) * (at + jitter / wanted);
        const double reach = (double)lobe->reach * (0.75 + 0.5 * chance(lobes, lobe, 8 + (uint32_t)i));
        double x, y;
        turned(lobe->axis_x, lobe->axis_y, tangent, &x, &y);
        if (!is_open_way(lobes->root, lobe, reach * x, reach * y))
            continue;
        delta->to_x[delta->arms] = reach * x;
        delta->to_y[delta->arms++] = reach * y;
    }
    delta->main = (delta->arms - (chance(lobes, lobe, 2) < 0.5)) / 2;
    return delta->arms >= 2;
}

// How far a place is from the way from the mouth to an arm's end.
static double away_from(const Lobe *lobe, int arm, double x, double y) {
    const double to_x = lobe->delta.to_x[arm], to_y = lobe->delta.to_y[arm];
    const double part = clamp((x * to_x + y * to_y) / (to_x * to_x + to_y * to_y), 0, 1);
    const double off_x = x - part * to_x, off_y = y - part * to_y;
    return sqrt(off_x * off_x + off_y * off_y);
}

// How far a place lies within, cells: near the mouth, around it, or beside an arm.
static double within(const Lobe *lobe, double x, double y) {
    const double from_x = x - (lobe->delta.x - 0.5 - lobe->x), from_y = y - (lobe->delta.y - 0.5 - lobe->y);
    const bool behind = x * lobe->axis_x + y * lobe->axis_y < -0.5;
    double in = behind ? -1 : BETWEEN * (double)lobe->reach - sqrt(x * x + y * y);
    for (int i = 0; i < lobe->delta.arms; i++)
        in = max(in, (i == lobe->delta.main ? RIVERSIDE : ARMSIDE) - away_from(lobe, i, x, y));
    return max(in, RIVERSIDE - sqrt(from_x * from_x + from_y * from_y));
}

// --- the sea around ----------------------------------------------------------------------------------------

enum { WET = 1, SEEN = 2, NEW = 4 }; // states of cells

typedef struct Box {
    int left, top, side;
} Box;

static Box box_of(const Lobe *lobe) {
    const int reach = whole_int(ceilf(1.25f * lobe->reach)) + AROUND;
    return (Box){ lobe->x - reach, lobe->y - reach, 2 * reach + 1 };
}

static bool is_inside(const Lobes *lobes, const Box *box) {
    const LandWindow *window = lobes->root->window;
    return box->left > 0 && box->top > 0 && box->left + box->side < window->width &&
           box->top + box->side < window->height;
}

static void spread(uint8_t *state, int side, int from) {
    const int steps[4] = { 1, -1, side, -side };
    int waiting[BOX_CELLS], count = 0;
    waiting[count++] = from;
    state[from] |= SEEN;
    while (count > 0) {
        const int cell = waiting[--count];
        for (int i = 0; i < 4; i++) {
            const int to = cell + steps[i], column = cell % side;
            if (to < 0 || to >= side * side || (i == 0 && column == side - 1) || (i == 1 && column == 0) ||
                (state[to] & (WET | SEEN)) != WET)
                continue;
            state[to] |= SEEN;
            waiting[count++] = to;
        }
    }
}

// The seas of the box, over sides, that reach its edge.
static int count_seas(uint8_t *state, int side) {
    int seas = 0;
    for (int i = 0; i < side * side; i++)
        state[i] &= (uint8_t)~SEEN;
    for (int i = 0; i < side * side; i++) {
        const int column = i % side, row = i / side;
        const bool edge = column == 0 || row == 0 || column == side - 1 || row == side - 1;
        if (edge && (state[i] & (WET | SEEN)) == WET) {
            seas++;
            spread(state, side, i);
        }
    }
    return seas;
}

// Marks what becomes land; false: the sea is too deep there, or would be parted.
static bool mark(const Lobes *lobes, const Lobe *lobe, const Box *box) {
    const Root *root = lobes->root;
    uint8_t *state = lobes->state;
    double depth = 0;
    int raised = 0;
    for (int i = 0; i < box->side * box->side; i++) {
        const size_t cell = cell_at(root, box->left + i % box->side, box->top + i / box->side);
        state[i] = is_sea(root, cell) ? WET : 0;
    }
    const int before = count_seas(state, box->side);
    for (int i = 0; i < box->side * box->side; i++) {
        const int x = box->left + i % box->side, y = box->top + i / box->side;
        if (!(state[i] & WET) || within(lobe, x - lobe->x, y - lobe->y) < 0)
            continue;
        state[i] = NEW;
        depth -= (double)root->window->altitude[cell_at(root, x, y)];
        raised++;
    }
    const int after = count_seas(state, box->side);
    for (int i = 0; i < box->side * box->side; i++)
        if ((state[i] & (WET | SEEN)) == WET)
            state[i] = NEW;
    return raised > 3 && after == before && depth <= GENTLE * raised * root->land->cell;
}

// --- laying ------------------------------------------------------------------------------------------------

enum { PLAIN_HEIGHTS = 16, FRONT = 2 }; // of a cell: as many plains are one high; cells before it are shallow

// The way of the river, the lowest of the plain, from its last cell on to the sea.
static void lead_river(const Root *root, const Lobe *lobe, size_t apex, DeltaWay *way) {
    const LandDelta *delta = &lobe->delta;
    const double to_x = delta->to_x[delta->main], to_y = delta->to_y[delta->main];
    const int steps = whole_int(2 * (double)REACH_MAX);
    way->cells[0] = (int)apex;
    way->count = 1;
    const double length = sqrt(to_x * to_x + to_y * to_y);
    const int last = whole_int(steps * (length + AROUND) / length); // within what was looked at
    bool ends = false;
    for (int i = 0; i <= last && way->count < DELTA_WAY && !ends; i++) {
        const int x = whole_int(floor(to_x * i / steps + 0.5)), y = whole_int(floor(to_y * i / steps + 0.5));
        const size_t cell = cell_at(root, lobe->x + x, lobe->y + y);
        if (way->cells[way->count - 1] == (int)cell)
            continue;
        way->cells[way->count++] = (int)cell;
        ends = is_sea(root, cell);
        root->window->altitude[cell] = ends ? root->window->altitude[cell] : 1;
    }
    way->count = ends ? way->count : 1; // otherwise it runs as it will
}

void root_deltas_route(const Root *root) {
    for (int i = 0; i < root->deltas; i++) {
        const DeltaWay *way = &root->ways[i];
        for (int k = 0; k + 1 < way->count; k++) {
            int d = 0;
            while (d < NEIGHBOURS && cell_beside(root, (size_t)way->cells[k], d) != way->cells[k + 1])
                d++;
            root->window->receiver[way->cells[k]] = (uint8_t)d;
            root->target[way->cells[k]] = way->cells[k + 1];
        }
    }
}

static void lay(const Lobes *lobes, const Lobe *lobe, const Box *box, size_t apex, DeltaWay *way) {
    const Root *root = lobes->root;
    const LandWindow *window = root->window;
    for (int i = 0; i < box->side * box->side; i++) {
        const int x = box->left + i % box->side, y = box->top + i / box->side;
        const size_t cell = cell_at(root, x, y);
        if (lobes->state[i] & NEW) {
            window->altitude[cell] = max(root->land->cell / PLAIN_HEIGHTS, 2);
            window->receiver[cell] = LAND_NONE;
        } else if (is_sea(root, cell)) {
            const double before = -within(lobe, x - lobe->x, y - lobe->y);
            const int32_t depth = whole_int((0.25 + 0.5 * before) * root->land->cell);
            if (before >= 0 && before < FRONT)
                window->altitude[cell] = max(window->altitude[cell], -max(depth, 1));
        }
    }
    lead_river(root, lobe, apex, way);
}

// Erosion may have led the river elsewhere, in which case nothing is left for arms.
void root_deltas_check(const Root *root, LandDeltas *deltas) {
    for (int i = 0; i < deltas->count; i++) {
        const float area = root->window->area[root->ways[i].cells[0]];
        deltas->at[i].arms = area < LEFT * deltas->at[i].area ? 0 : deltas->at[i].arms;
        deltas->at[i].area = area;
    }
}

static bool is_far(const LandDeltas *deltas, const Lobe *lobe) {
    for (int i = 0; i < deltas->count; i++) {
        const double x = deltas->at[i].x - lobe->delta.x, y = deltas->at[i].y - lobe->delta.y;
        const double least = 2 * ((double)lobe->reach + deltas->at[i].reach);
        if (x * x + y * y < least * least)
            return false;
    }
    return true;
}

static void try_mouth(const Lobes *lobes, size_t cell, LandDeltas *deltas, DeltaWay *way) {
    const Root *root = lobes->root;
    const int width = root->window->width, mouth = root->target[cell];
    const int from_x = (int)(cell % (size_t)width), from_y = (int)(cell / (size_t)width);
    const float area = root->window->area[cell], reach = REACH * root->land->rules.deposition * sqrtf(area);
    Lobe lobe = { .x = mouth % width, .y = mouth / width, .reach = min(reach, REACH_MAX) };
    lobe.delta =
        (LandDelta){ .x = from_x + 0.5, .y = from_y + 0.5, .reach = (double)lobe.reach, .area = area };
    const Box box = box_of(&lobe);
    if (deltas->count == DELTAS_MAX || lobe.reach < 1.5f || !is_inside(lobes, &box) ||
        !is_far(deltas, &lobe) || chance(lobes, &lobe, 0) >= SHARE || !find_axis(root, &lobe))
        return;
    if (!find_arms(lobes, &lobe) || !mark(lobes, &lobe, &box))
        return;
    lay(lobes, &lobe, &box, cell, way);
    for (int i = 0; i < lobe.delta.arms; i++) {
        lobe.delta.to_x[i] += lobe.x + 0.5;
        lobe.delta.to_y[i] += lobe.y + 0.5;
    }
    deltas->at[deltas->count++] = lobe.delta;
}

static bool is_mouth(const Root *root, size_t cell) {
    const LandWindow *window = root->window;
    return window->receiver[cell] < NEIGHBOURS && window->area[cell] >= LEAST_RIVER &&
           is_sea(root, (size_t)root->target[cell]) && !root_courses_has(root->courses, cell);
}

// Larger rivers first.
static int by_area(const void *a, const void *b) {
    const Mouth *one = a, *other = b;
    return one->area != other->area ? (one->area < other->area) - (one->area > other->area)
                                    : (one->cell > other->cell) - (one->cell < other->cell);
}

void root_deltas_lay(Root *root, LandDeltas *deltas) {
    enum { MOUTHS = 256 };
    Mouth mouths[MOUTHS] = { 0 };
    int count = 0;
    for (size_t cell = 0; cell < root->count && count < MOUTHS; cell++)
        if (is_mouth(root, cell))
            mouths[count++] = (Mouth){ cell, root->window->area[cell] };
    qsort(mouths, (size_t)count, sizeof *mouths, by_area);
    uint8_t state[BOX_CELLS];
    const Lobes lobes = { root, random_key(root->land->rules.seed, DELTA_STREAM), state };
    deltas->count = 0;
    for (int i = 0; i < count; i++)
        try_mouth(&lobes, mouths[i].cell, deltas, &root->ways[min(deltas->count, DELTAS_MAX - 1)]);
    root->deltas = deltas->count;
}
