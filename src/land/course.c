// How a stream's course goes on between the cells of a coarser level, as a curve: it leans to one side of the
// line from cell to cell. Close to a bend this is the inner side, so that corners are cut; farther away it is
// the outer one, so that a bend is spread over the cells around. A run between a bend to the left and one to
// the right is a piece of a slanting line: each half leans as the bend at its end.

#include "land/heritage.h"

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
