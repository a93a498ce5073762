// The ground beyond an edge of a planet's face, as the spline of that face is to see it. Lines of the grid
// bend at edges. Led on straight, a line runs between cells of the other face, nearer to the edge's middle:
// on the cube of equal angles by sin 2b cells for each cell beyond, where b is the angle from the edge's
// middle, since tan b' = tan b/tan(45° + ε) there (Ronchi, Iacono and Paolucci 1996, section 2). If the
// spline took the cells along bent lines, slopes would be even along these, and edges creases in the ground.

#include "land/level.h"

#include "core/elementary.h"
#include "core/math.h"

enum { LED_ON = 3 }; // rows beyond an edge: as many as the spline and the slopes beside it read

// A line of cells parallel to an edge: the index of the first one on the face, the cells along the face's
// side, and how far beyond the edge its middle lies.
typedef struct Line {
    int32_t *cells;
    ptrdiff_t step;
    int count;
    Int128 first, side;
    double beyond;
} Line;

static int32_t cell_of(const Line *line, int i) {
    return line->cells[clamp(i, 0, line->count - 1) * line->step];
}

// The ground from which a cell takes its altitude: `way` is the direction of the edge's middle.
static int32_t led_on(const Line *line, int i, int way, double off) {
    const int whole = whole_within(off, 0, LED_ON);
    const int32_t near = cell_of(line, i + way * whole), far = cell_of(line, i + way * (whole + 1));
    const double rise = (double)difference(far, near) * (off - whole);
    return sum(near, whole_within(floor(rise + 0.5), -HIGHEST, HIGHEST));
}

// Each half in the order in which no cell is read after it was changed.
static void lead_line_on(const Line *line) {
    const double middle = 0.5 * (double)line->side;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < line->count; k++) {
            const int i = turn == 0 ? k : line->count - 1 - k, way = turn == 0 ? 1 : -1;
            const double from_middle = ((double)(line->first + i) + 0.5 - middle) / (double)line->side;
            const double off = -way * sine(PI * from_middle) * line->beyond; // the face has a quarter turn
            const bool on_face = from_middle > -0.5 && from_middle < 0.5;
            if (on_face && off > 0)
                line->cells[i * line->step] = led_on(line, i, way, off);
        }
}

void lead_ground_on(const Parent *parent, const Level *level, int32_t *plain) {
    const LandWindow *window = parent->window;
    if (!level->land->rules.planet)
        return;
    const Int128 side = (Int128)level->land->root.width << window->level, left = window->x,
                 top = window->y - window->face * side;
    for (int k = 0; k < LED_ON; k++)
        for (int after = 0; after < 2; after++) {
            const Int128 row = (after ? side + k : -1 - k) - top, column = (after ? side + k : -1 - k) - left;
            Line line = { .side = side, .beyond = k + 0.5 };
            if (row >= 0 && row < window->height) {
                line.cells = plain + parent_at(parent, 0, (int)row);
                line.step = 1;
                line.count = window->width;
                line.first = left;
                lead_line_on(&line);
            }
            if (column >= 0 && column < window->width) {
                line.cells = plain + parent_at(parent, (int)column, 0);
                line.step = parent->stride;
                line.count = window->height;
                line.first = top;
                lead_line_on(&line);
            }
        }
}
