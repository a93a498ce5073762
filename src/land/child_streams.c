// The streams of a finer level, which run through the children that inherit.c chose. Discharge in cells
// becomes four times larger. Altitudes double, so a coarse fall of 1 becomes 2 and leaves room for fine falls
// of at least 1. On graded levels they do not, and a coarse fall is at least twice the finer level's least.

#include "core/math.h"
#include "land/heritage.h"
#include "land/runoff.h"

#include <assert.h>

// --- the curve of a course ---------------------------------------------------------------------------------

// How a stream's course goes on between the cells of a coarser level, as a curve: it leans to one side of the
// line from cell to cell. Close to a bend this is the inner side, so that corners are cut; farther away it is
// the outer one, so that a bend is spread over the cells around. A run between a bend to the left and one to
// the right is a piece of a slanting line: each half leans as the bend at its end.

enum { CLOSE = 2 }; // cells from a bend

// The nearest bend up or downstream: how many cells away, and the side to which the course turns: 1: right,
// -1: left, 0: there is none.
typedef struct Bend {
    int away, side;
} Bend;

// A cell of a window.
typedef struct Place {
    int x, y;
    size_t cell;
} Place;

static Place place_of(const LandWindow *window, size_t cell) {
    const size_t width = (size_t)window->width;
    return (Place){ (int)(cell % width), (int)(cell / width), cell };
}

// Goes to the next cell, unless it is outside the window.
static bool go(const LandWindow *window, Place *place, int direction) {
    const int x = place->x + neighbour_x[direction], y = place->y + neighbour_y[direction];
    const bool inside = x >= 0 && y >= 0 && x < window->width && y < window->height;
    if (inside)
        *place = (Place){ x, y, window_towards(window, place->cell, direction) };
    return inside;
}

// The donor from which most comes; false if there is none.
static bool go_up(const LandWindow *window, Place *place) {
    Place main_donor = *place;
    float most = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        Place donor = *place;
        if (!go(window, &donor, d) || window->receiver[donor.cell] != opposite(d) ||
            window->area[donor.cell] <= most)
            continue;
        most = window->area[donor.cell];
        main_donor = donor;
    }
    *place = main_donor;
    return most > 0;
}

static int side_of_turn(int from, int to) {
    const int turn = (to - from) & 7;
    return turn == 0 ? 0 : turn < 4 ? 1 : -1;
}

static Bend bend_above(const LandWindow *window, size_t cell) {
    const int direction = window->receiver[cell];
    Place place = place_of(window, cell);
    Bend bend = { 0, 0 };
    for (; bend.away < COURSE_REACH && go_up(window, &place); bend.away++) {
        bend.side = side_of_turn(window->receiver[place.cell], direction);
        if (bend.side != 0)
            return bend;
    }
    return (Bend){ COURSE_REACH, 0 };
}

static Bend bend_below(const LandWindow *window, size_t cell) {
    const int direction = window->receiver[cell];
    Place place = place_of(window, cell);
    Bend bend = { 0, 0 };
    for (; bend.away < COURSE_REACH && go(window, &place, direction); bend.away++) {
        const int next = window->receiver[place.cell];
        bend.side = next < NEIGHBOURS ? side_of_turn(direction, next) : 0;
        if (bend.side != 0 || next >= NEIGHBOURS)
            break;
    }
    return bend.side != 0 ? bend : (Bend){ COURSE_REACH, 0 };
}

int course_lean(const LandWindow *window, size_t cell, CoursePart part) {
    const Bend above = bend_above(window, cell), below = bend_below(window, cell);
    const bool slants = above.side * below.side < 0;
    const int farther = below.away - above.away; // how much the one below is
    if (part == COURSE_BETWEEN)
        return !slants ? 0 : farther > 1 ? above.side : farther < -1 ? below.side : 0;
    const bool is_above = part == COURSE_EXIT ? farther >= 0 : farther > 0;
    const Bend *next = is_above ? &above : &below;
    return slants || next->away < CLOSE ? next->side : -next->side;
}

int course_side(const LandWindow *window, size_t cell, CoursePart part) {
    const Bend above = bend_above(window, cell), below = bend_below(window, cell);
    if (part == COURSE_BETWEEN && above.side * below.side < 0)
        return 0;
    const int farther = below.away - above.away;
    return (part == COURSE_EXIT ? farther >= 0 : farther > 0) ? above.side : below.side;
}

bool course_runs_on(const LandWindow *window, size_t cell) {
    const Bend above = bend_above(window, cell), below = bend_below(window, cell);
    return (above.side == 0 || below.side == 0) && min(above.away, below.away) >= CLOSE;
}

int course_bulge(const LandWindow *window, size_t cell) {
    const Bend above = bend_above(window, cell), below = bend_below(window, cell);
    const int farther = below.away - above.away; // 0 or 1: in the middle between them
    return above.side == below.side && (farther == 0 || farther == 1) ? -above.side : 0;
}

// A quadratic fitted to the cells around the middle of a step would count them by 9, 7, 3, -3, and keep bends
// 13 cells long as they are. The difference pushes those 8 to 20 cells long out by a tenth, since a finer
// level's children lie but roughly on the line. Bends of 5 cells become a third as high: corners go.
float course_offset(const LandWindow *window, size_t cell) {
    static const int weights[COURSE_REACH] = { 11, 8, 2, -5 }; // of the cells to either side of the middle
    enum { WEIGHTS = 2 * (11 + 8 + 2 - 5) };
    const int direction = window->receiver[cell];
    const int dx = neighbour_x[direction], dy = neighbour_y[direction];
    Place up = place_of(window, cell), down = up;
    const int middle_x = 2 * up.x + dx, middle_y = 2 * up.y + dy;
    int x = 0, y = 0;
    bool falls = go(window, &down, direction);
    for (int i = 0; i < COURSE_REACH; i++) {
        x += weights[i] * (up.x + down.x - middle_x);
        y += weights[i] * (up.y + down.y - middle_y);
        if (i + 1 < COURSE_REACH)
            go_up(window, &up);
        falls = falls && window->receiver[down.cell] < NEIGHBOURS &&
                go(window, &down, window->receiver[down.cell]);
    }
    return (float)(y * dx - x * dy) * inverse_distance[direction] / WEIGHTS;
}

// --- streams -----------------------------------------------------------------------------------------------

static int direction_of(int dx, int dy) {
    static const uint8_t directions[9] = { 5, 6, 7, 4, LAND_NONE, 0, 3, 2, 1 };
    const int at = (dy + 1) * 3 + dx + 1;
    assert(at >= 0 && at < 9);
    return directions[at];
}

// Inflow of a coarse cell, by entry child.
typedef struct Inflow {
    bool any, at[4];
    int32_t lowest[4]; // of the donors' altitudes
    float area[4];
    float water[4]; // area times runoff
} Inflow;

// The directions, as bits, in which cells with children lie that drain into a coarse cell. Without branches:
// which they are is hard to foresee.
static unsigned coarse_donors_of(const Heritage *heritage, const Coarse *coarse) {
    const LandWindow *window = heritage->parent->window;
    unsigned donors = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int x = coarse->x + neighbour_x[d], y = coarse->y + neighbour_y[d];
        const bool inside = (x >= 0) & (y >= 0) & (x < heritage->width) & (y < heritage->height);
        const size_t cell = window_towards(window, coarse->cell, d);
        donors |= (unsigned)(inside & (window->receiver[inside ? cell : coarse->cell] == opposite(d))) << d;
    }
    return donors;
}

static Inflow inflow_of(const Heritage *heritage, const Coarse *coarse) {
    const LandWindow *window = heritage->parent->window;
    Inflow inflow = { .lowest = { HIGHEST, HIGHEST, HIGHEST, HIGHEST } };
    for (unsigned donors = coarse_donors_of(heritage, coarse); donors;) {
        const int d = next_direction(&donors);
        const int x = coarse->x + neighbour_x[d], y = coarse->y + neighbour_y[d];
        const size_t cell = window_towards(window, coarse->cell, d);
        const int entry = heritage->entry[(size_t)y * (size_t)heritage->width + (size_t)x];
        if (entry == NO_CHILD)
            continue;
        inflow.any = inflow.at[entry] = true;
        inflow.lowest[entry] = min(inflow.lowest[entry], heritage->parent->profile[cell]);
        inflow.area[entry] += 4 * window->area[cell];
        inflow.water[entry] += window->runoff ? 4 * window->area[cell] * runoff_of(window->runoff[cell]) : 0;
    }
    return inflow;
}

// What drains through a coarse cell, or enters one, in cells of the level.
typedef struct Drained {
    float area;
    uint16_t runoff;
} Drained;

static Drained drained_by(const LandWindow *window, size_t cell) {
    return (Drained){ 4 * window->area[cell], window->runoff ? window->runoff[cell] : RUNOFF_UNKNOWN };
}

static Drained drained_from(float area, float water) {
    return (Drained){ area, area > 0 ? runoff_code(water / area) : RUNOFF_NONE };
}

static void set_drained(Level *level, size_t cell, Drained drained) {
    level->area[cell] = min(drained.area, AREA_MAX);
    if (level->runoff)
        level->runoff[cell] = drained.runoff;
}

// Below the hillslope length a stream may be too small to continue.
static void set_stream(const Heritage *heritage, size_t cell, int32_t altitude, Drained drained,
                       int direction) {
    Level *level = heritage->level;
    if (drained.area < level->hillslope.stream_area)
        return;
    level->z[cell] = altitude;
    set_drained(level, cell, drained);
    level->receiver[cell] = (uint8_t)direction;
}

// Connects an entry to the exit of the same coarse cell, through which `most` drains.
static void set_entries(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow, int exit,
                        int32_t altitude, float most) {
    for (int k = 0; k < 4; k++) {
        if (k == exit || !inflow->at[k])
            continue;
        const size_t cell = child_of(heritage, coarse->x, coarse->y, k);
        Drained entering = drained_from(inflow->area[k], inflow->water[k]);
        if (heritage->level->receiver[cell] == LAND_SEA && exit != NO_CHILD &&
            heritage->level->z[cell] > heritage->level->sea) { // the land's edge
            heritage->level->z[cell] = difference(altitude, 1);
            set_drained(heritage->level, cell, entering);
            continue;
        }
        const int32_t between = sum(altitude, difference(inflow->lowest[k], altitude) / 4);
        entering.area = min(entering.area, most);
        set_stream(heritage, cell, between, entering, direction_of(exit % 2 - k % 2, exit / 2 - k / 2));
    }
}

static void enter_sea(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow) {
    Level *level = heritage->level;
    for (int k = 0; k < 4; k++) {
        if (!inflow->at[k])
            continue;
        const size_t cell = child_of(heritage, coarse->x, coarse->y, k);
        level->z[cell] = min(level->z[cell], level->sea - 1);
        level->receiver[cell] = LAND_SEA;
    }
}

// What flows in, flows into its water. The shore is drawn later.
static void enter_lake(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow) {
    Level *level = heritage->level;
    for (int k = 0; k < 4; k++) {
        if (!inflow->at[k])
            continue;
        const size_t cell = child_of(heritage, coarse->x, coarse->y, k);
        level->z[cell] = heritage->parent->profile[coarse->cell];
        level->receiver[cell] = LAND_LAKE;
    }
}

static void end_streams(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow) {
    Level *level = heritage->level;
    const int exit = heritage->exit[coarse->own];
    const int32_t altitude = heritage->parent->profile[coarse->cell];
    const size_t cell = child_of(heritage, coarse->x, coarse->y, exit);
    const float area = inflow->area[0] + inflow->area[1] + inflow->area[2] + inflow->area[3],
                water = inflow->water[0] + inflow->water[1] + inflow->water[2] + inflow->water[3];
    if (level->receiver[cell] != LAND_SEA && area < level->hillslope.stream_area)
        return;
    level->receiver[cell] = LAND_SEA;
    level->z[cell] = difference(altitude, 1);
    set_drained(level, cell, drained_from(area, water));
    set_entries(heritage, coarse, inflow, exit, altitude, area);
}

// Connects the exit to the receiver's entry, directly or through the child at the corner.
static void set_exit(const Heritage *heritage, const Coarse *coarse, int32_t altitude, int32_t end) {
    const Level *level = heritage->level;
    const int direction = heritage->parent->window->receiver[coarse->cell];
    const int dx = neighbour_x[direction], dy = neighbour_y[direction];
    const int exit = heritage->exit[coarse->own], entry = heritage->entry[coarse->own];
    const Detour detour = (Detour)heritage->detour[coarse->own];
    const size_t cell = child_of(heritage, coarse->x, coarse->y, exit);
    const Drained drained = drained_by(heritage->parent->window, coarse->cell);
    const bool outlet = level->lakes && window_has_outlet(heritage->parent->window, coarse->cell);
    const int32_t fall = difference(altitude, end), first_fall = outlet ? 0 : max(fall / 4, 1);
    int from_x = 2 * coarse->x + exit % 2, from_y = 2 * coarse->y + exit / 2;
    const int to_x = 2 * (coarse->x + dx) + entry % 2, to_y = 2 * (coarse->y + dy) + entry / 2;
    if (detour == STRAIGHT) {
        set_stream(heritage, cell, difference(altitude, first_fall), drained,
                   direction_of(to_x - from_x, to_y - from_y));
        return;
    }
    const int first = detour == BULGE_RIGHT  ? (direction + 1) & 7
                      : detour == BULGE_LEFT ? (direction + 7) & 7
                                             : direction;
    set_stream(heritage, cell, difference(altitude, first_fall), drained, first);
    from_x += neighbour_x[first];
    from_y += neighbour_y[first];
    if (from_x < 0 || from_y < 0 || from_x >= level->width || from_y >= level->height)
        return; // at the end of a planet's patch
    const size_t corner = (size_t)from_y * (size_t)level->width + (size_t)from_x;
    if (level->receiver[corner] == LAND_SEA && level->z[corner] > level->sea)
        return; // at the land's edge
    assert(level->receiver[corner] >=
           NEIGHBOURS); // no other step leads through it: rows are set in any order
    set_stream(heritage, corner, difference(altitude, fall / 2), drained,
               direction_of(to_x - from_x, to_y - from_y));
}

static void run_through(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow) {
    const Parent *parent = heritage->parent;
    const LandWindow *window = parent->window;
    const size_t receiver = window_towards(window, coarse->cell, window->receiver[coarse->cell]);
    const int32_t altitude = parent->profile[coarse->cell];
    const int32_t end =
        window->altitude[receiver] <= parent->sea ? heritage->level->sea : parent->profile[receiver];
    if (heritage->entry[coarse->own] != NO_CHILD)
        set_exit(heritage, coarse, altitude, end);
    set_entries(heritage, coarse, inflow, heritage->exit[coarse->own], altitude,
                4 * window->area[coarse->cell]);
}

static void set_stream_of(const Heritage *heritage, int x, int y) {
    const Parent *parent = heritage->parent;
    const Coarse coarse = coarse_at(heritage, x, y);
    const bool sea = parent->window->altitude[coarse.cell] <= parent->sea;
    const bool lake = parent->window->receiver[coarse.cell] == LAND_LAKE;
    if (heritage->exit[coarse.own] == NO_CHILD && !sea && !lake)
        return;
    const Inflow inflow = inflow_of(heritage, &coarse);
    if (sea)
        enter_sea(heritage, &coarse, &inflow);
    else if (lake)
        enter_lake(heritage, &coarse, &inflow);
    else if (parent->window->receiver[coarse.cell] < NEIGHBOURS)
        run_through(heritage, &coarse, &inflow);
    else if (inflow.any)
        end_streams(heritage, &coarse, &inflow);
}

KERNEL static bool has_children(const uint8_t *children, int count) {
    uint8_t any = 0;
    for (int i = 0; i < count; i++)
        any |= children[i] ^ NO_CHILD;
    return any != 0;
}

// Whether a stream leaves or enters columns `first` … `end` - 1 of row y, or those around them: a sea has
// few.
static bool has_streams(const Heritage *heritage, int y, int first, int end) {
    const int left = max(first - 1, 0), right = min(end + 1, heritage->width);
    for (int row = max(y - 1, 0); row < min(y + 2, heritage->height); row++)
        if (has_children(heritage->exit + (size_t)row * (size_t)heritage->width + left, right - left))
            return true;
    return false;
}

void set_inherited_streams(void *context, int first, int end) {
    enum { PIECE = 64 };
    const Heritage *heritage = context;
    for (int y = first; y < end; y++)
        for (int left = 0; left < heritage->width; left += PIECE) {
            const int right = min(left + PIECE, heritage->width);
            const bool any = has_streams(heritage, y, left, right);
            for (int x = left; x < right && any; x++)
                set_stream_of(heritage, x, y);
        }
}
