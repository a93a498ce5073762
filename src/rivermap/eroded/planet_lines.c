// The rivers of a planet, drawn pixel by pixel as on a sphere of tiles: how far a pixel's place lies from the
// lines around. The lines are kept by the blocks of cells that they may show in. A wide river comes from the
// level where it is a few cells wide, as on flat land (flat_lines.c).

#include "rivermap/eroded/planet.h"
#include "rivermap/globe.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 8 }; // cells along the side of a block

typedef struct Line {
    Vec3 from;              // on the ground
    Vec3 seen, along;       // as the picture shows it, the latter to its end
    double squared;         // its length there
    double half, to_half;   // widths at its ends there, in pixels
    double fresh, to_fresh; // shares of the river's water there, 1 … 0: in an estuary the rest is the sea's
} Line;

// Blocks of a face's window: block i has lines begin[i] … end[i] - 1 of `numbers`.
typedef struct Blocks {
    int columns, rows, *begin;
    _Atomic int *end;
} Blocks;

struct PlanetLines {
    const PlanetWindow *window;
    double pixel;
    Vec3 viewer;
    Line *lines;
    int count;
    Blocks on[CUBE_FACES];
    int *numbers;
};

// --- lines ------------------------------------------------------------------------------------------------

static Status reserve(PlanetLines *lines, int more, Error *error) {
    const int room = lines->count + more;
    Line *grown = memory_new((size_t)room + 1, sizeof *grown, error);
    if (!grown)
        return STATUS_MEMORY;
    if (lines->count > 0)
        memcpy(grown, lines->lines, (size_t)lines->count * sizeof *grown);
    memory_free(lines->lines);
    lines->lines = grown;
    return STATUS_OK;
}

// Only rivers that pictures show as areas have estuaries.
static double fresh_of(double from_sea, double half) {
    return 2 * half >= ESTUARY_MIN ? estuary_share(from_sea) : 1;
}

// A place as the picture shows it: depth, of which it shows nothing, counts a little, since pixels at the
// edge would otherwise see any distance.
static Vec3 seen_from(Vec3 viewer, Vec3 at) {
    const double less = (1 - 1.0 / PLANET_ASLANT) * vec3_dot(at, viewer);
    return (Vec3){ at.x - less * viewer.x, at.y - less * viewer.y, at.z - less * viewer.z };
}

// How much narrower the picture shows a line: by how much it shrinks the ground, over how much it does along
// the line.
static double narrowing(Vec3 viewer, Vec3 from, double length, double seen_length) {
    if (vec3_dot(viewer, viewer) == 0 || seen_length == 0)
        return 1;
    const double depth = vec3_dot(from, viewer), least = 1.0 / PLANET_ASLANT;
    return sqrt(depth * depth + least * least * (1 - depth * depth)) * length / seen_length;
}

static Line line_of(const PlanetWindow *window, Vec3 viewer, const PlanetStream *stream) {
    const Vec3 from = seen_from(viewer, stream->at), to = seen_from(viewer, stream->to_at);
    const double width = 0.5 * window->cell * PLANET_WIDENING * window->view->map->width;
    const double half = width * sqrt((double)stream->area), to_half = width * sqrt((double)stream->to_area);
    const double squared = squared_distance(from, to);
    const double narrower =
        narrowing(viewer, stream->at, sqrt(squared_distance(stream->at, stream->to_at)), sqrt(squared));
    return (Line){ .from = stream->at,
                   .seen = from,
                   .along = { to.x - from.x, to.y - from.y, to.z - from.z },
                   .squared = squared,
                   .half = half * narrower,
                   .to_half = min(to_half, RIVER_WIDENING * half) * narrower,
                   .fresh = fresh_of(stream->from_sea, half),
                   .to_fresh = fresh_of(stream->to_from_sea, half) };
}

#define NO_LINE (-1.0) // its half width

typedef struct Making {
    const PlanetWindow *window;
    Vec3 viewer;
    float min_area, per_root,
        most; // a river of so many cells' root is so many cells wide, but less than most
    const PlanetCell *cells;
    Line *lines;
} Making;

static void make_lines(void *context, int first, int end) {
    const Making *making = context;
    const PlanetWindow *window = making->window;
    for (int i = first; i < end; i++) {
        const PlanetCell at = making->cells[i];
        const bool narrow = making->per_root * sqrtf(window->land.on[at.face].area[at.cell]) < making->most;
        PlanetStream stream;
        if (narrow && planet_stream(window, at.face, at.cell, making->min_area, &stream))
            making->lines[i] = line_of(window, making->viewer, &stream);
        else
            making->lines[i].half = NO_LINE;
    }
}

// Those of a window's rivers that are `least` to `most` cells wide.
static Status add_lines(PlanetLines *lines, const PlanetWindow *window, float least, float most,
                        Error *error) {
    const RiverMap *map = window->view->map;
    const float per_root = (float)(PLANET_WIDENING * map->width), width = least / per_root;
    const float min_area = max(river_min_area(map, window->depth, window->cell), width * width);
    PlanetCells cells;
    Status status = planet_cells_find(window, min_area, &cells, error);
    if (status == STATUS_OK)
        status = reserve(lines, cells.count, error);
    if (status == STATUS_OK) {
        Line *const made = lines->lines + lines->count;
        Making making = { window, lines->viewer, min_area, per_root, most, cells.at, made };
        status = parallel_rows(window->view->run, cells.count, 1000, make_lines, &making);
        for (int i = 0; i < cells.count && status == STATUS_OK; i++)
            if (made[i].half >= 0)
                lines->lines[lines->count++] = made[i];
    }
    memory_free(cells.at);
    return status;
}

// Rivers that are wide at a coarser level.
static Status add_wide(PlanetLines *lines, int depth, Error *error) {
    const RiverMap *map = lines->window->view->map;
    if (map->width * ldexp(1, depth) < (double)RIVER_WIDE)
        return STATUS_OK; // not even one that drains the planet
    PlanetWindow window;
    Status status =
        planet_open_coarser(&window, lines->window, depth, river_reach(map, depth) + PLANET_ASLANT, error);
    if (status == STATUS_OK)
        status = add_lines(lines, &window, RIVER_WIDE,
                           depth == eroded_of(map)->depth ? (float)INFINITY : RIVER_WIDEST, error);
    planet_close(&window);
    return status;
}

// --- blocks -----------------------------------------------------------------------------------------------

// Adds a line to all blocks that lie within its reach; or only counts it, while there are no numbers. Threads
// may add to the same block, in any order: of its lines the one that covers most counts.
static void put_in_rect(PlanetLines *lines, int number, int face, const LandRect *rect) {
    const LandWindow *land = &lines->window->land.on[face];
    const Blocks *blocks = &lines->on[face];
    if (!land->altitude || rect->right <= rect->left)
        return;
    const Int128 left = rect->left - land->x, top = rect->top - land->y;
    const Int128 right = rect->right - 1 - land->x, bottom = rect->bottom - 1 - land->y;
    if (right < 0 || bottom < 0 || left >= land->width || top >= land->height)
        return;
    const int first = (int)(left < 0 ? 0 : left) / BLOCK, above = (int)(top < 0 ? 0 : top) / BLOCK;
    const int last = right >= land->width ? blocks->columns - 1 : (int)right / BLOCK,
              below = bottom >= land->height ? blocks->rows - 1 : (int)bottom / BLOCK;
    for (int row = above; row <= below; row++)
        for (int column = first; column <= last; column++) {
            const int place = atomic_fetch_add_explicit(&blocks->end[row * blocks->columns + column], 1,
                                                        memory_order_relaxed);
            if (lines->numbers)
                lines->numbers[place] = number;
        }
}

// How much of the ground a pixel shows near a line, in pixels. The nearest of those that see it are not much
// nearer to the edge than its beginning; 0: they are beyond it.
static double aslant_at(const PlanetLines *lines, const Line *line, double half) {
    const Vec3 viewer = lines->viewer;
    if (vec3_dot(viewer, viewer) == 0)
        return 1;
    const double depth = vec3_dot(line->from, viewer), least = 1.0 / PLANET_ASLANT;
    const double far = PLANET_ASLANT * (sqrt(line->squared) + (half + 1) * lines->pixel);
    const double near = max(depth - far, 0);
    return depth < -far ? 0 : 1 / sqrt(least * least + (1 - least * least) * near * near);
}

// Cells within reach of a line; in the middle of a face they are largest.
static void put_line(PlanetLines *lines, int number) {
    const PlanetWindow *window = lines->window;
    const Line *line = &lines->lines[number];
    const double side = window->side, nominal = PI / 2 / side; // of a cell
    const double length = sqrt(line->squared) / nominal, half = max(line->half, line->to_half);
    const double aslant = aslant_at(lines, line, half);
    if (aslant == 0)
        return;
    const double reach = ceil(1.5 * aslant * (length + (half + 1) / window->cell)) + 1;
    const GridPlace place = grid_place(eroded_of(window->view->map)->axes, side, line->from);
    LandFaces around = { 0 };
    const Int128 x = whole_64(place.x), y = whole_64(place.y), far = whole_64(min(reach, side / 2));
    land_faces_add(&around, place.face, (LandRect){ x - far, y - far, x + far + 1, y + far + 1 },
                   whole_64(side));
    for (int face = 0; face < CUBE_FACES; face++)
        put_in_rect(lines, number, face, &around.wanted[face]);
}

static void put_lines(void *context, int first, int end) {
    for (int i = first; i < end; i++)
        put_line(context, i);
}

static Status make_blocks(PlanetLines *lines, Error *error) {
    for (int face = 0; face < CUBE_FACES; face++) {
        const LandWindow *land = &lines->window->land.on[face];
        Blocks *blocks = &lines->on[face];
        if (!land->altitude)
            continue;
        blocks->columns = (land->width + BLOCK - 1) / BLOCK;
        blocks->rows = (land->height + BLOCK - 1) / BLOCK;
        const size_t count = (size_t)blocks->columns * (size_t)blocks->rows;
        blocks->begin = memory_new(count, sizeof *blocks->begin, error);
        blocks->end = memory_new_zeroed(count, sizeof *blocks->end, error);
        if (!blocks->begin || !blocks->end)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

// Counts become places where a block's numbers begin; returns how many there are.
static int sum_up(PlanetLines *lines) {
    int sum = 0;
    for (int face = 0; face < CUBE_FACES; face++) {
        const Blocks *blocks = &lines->on[face];
        for (int i = 0; i < blocks->columns * blocks->rows; i++) {
            const int count = blocks->end[i];
            blocks->begin[i] = sum;
            blocks->end[i] = sum;
            sum += count;
        }
    }
    return sum;
}

static Status sort_lines(PlanetLines *lines, Error *error) {
    const Run *run = lines->window->view->run;
    Status status = make_blocks(lines, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, lines->count, 200, put_lines, lines);
    if (status != STATUS_OK)
        return status;
    lines->numbers = memory_new((size_t)sum_up(lines) + 1, sizeof *lines->numbers, error);
    return lines->numbers ? parallel_rows(run, lines->count, 200, put_lines, lines) : STATUS_MEMORY;
}

// -----------------------------------------------------------------------------------------------------------

PlanetLines *planet_lines_new(const PlanetWindow *window, Status *status, Error *error) {
    const int first = eroded_of(window->view->map)->depth;
    PlanetLines *lines = memory_new_zeroed(1, sizeof *lines, error);
    *status = STATUS_MEMORY;
    if (!lines)
        return NULL;
    lines->window = window;
    lines->pixel = globe_pixel(window->view);
    lines->viewer = globe_viewer(window->view);
    *status = add_lines(lines, window, 0, window->depth > first ? RIVER_WIDEST : (float)INFINITY, error);
    for (int depth = first; depth < window->depth && *status == STATUS_OK; depth++)
        *status = add_wide(lines, depth, error);
    if (*status == STATUS_OK)
        *status = sort_lines(lines, error);
    if (*status == STATUS_OK)
        return lines;
    planet_lines_free(lines);
    return NULL;
}

void planet_lines_free(PlanetLines *lines) {
    if (!lines)
        return;
    for (int face = 0; face < CUBE_FACES; face++) {
        memory_free(lines->on[face].begin);
        memory_free((void *)lines->on[face].end);
    }
    memory_free(lines->lines);
    memory_free(lines->numbers);
    memory_free(lines);
}

// How a place lies to a line: how much of its pixel that covers, as in flat_lines.c, how far away it is, in
// half widths, and its share of fresh water there.
typedef struct Lie {
    float cover;
    double away, fresh;
} Lie;

static Lie lie_of(const PlanetLines *lines, const Line *line, Vec3 at) {
    const Vec3 off = { at.x - line->seen.x, at.y - line->seen.y, at.z - line->seen.z }, along = line->along;
    const double dot = off.x * along.x + off.y * along.y + off.z * along.z;
    const double part = line->squared > 0 ? dot / line->squared : 0, share = clamp(part, 0, 1);
    const Vec3 nearest = { share * along.x, share * along.y, share * along.z };
    const double half = line->half + (line->to_half - line->half) * share;
    const double away = sqrt(squared_distance(off, nearest)) / lines->pixel;
    return (Lie){ river_cover(half, away), away / half,
                  line->fresh + (line->to_fresh - line->fresh) * share };
}

// In an estuary, a mean over the lines around, of which narrow ones hardly count: nothing is left of
// tributaries. The lines of a block have no order, so the sums are whole numbers. Never quite 0: the land
// below has no bed that the sea could fill.
static float fresh_at(const PlanetLines *lines, int first, int end, Vec3 at, float most) {
    const double unit = 0x1p40, least = 1.0 / 256;
    int64_t sum = 0, weights = 0;
    for (int i = first; i < end; i++) {
        const Line *line = &lines->lines[lines->numbers[i]];
        const Lie lie = lie_of(lines, line, at);
        const double share = min(2 * line->half / (double)most, 1), square = share * share;
        const double near = max(1 - lie.away * line->half / (line->half + 1), 0);
        const double weight = square * square * (near * near);
        weights += whole_64(weight * unit);
        sum += whole_64(weight * unit * lie.fresh);
    }
    return weights > 0 ? (float)max((double)sum / (double)weights, least) : 1;
}

float planet_lines_cover(const PlanetLines *lines, const GridPlace *place, Vec3 ground) {
    const Vec3 at = seen_from(lines->viewer, ground);
    const LandWindow *land = &lines->window->land.on[place->face];
    const Blocks *blocks = &lines->on[place->face];
    const double column = place->x - (double)land->x, row = place->y - (double)land->y;
    if (!(column >= 0 && row >= 0 && column < land->width && row < land->height))
        return 0;
    const int block = whole_int(row) / BLOCK * blocks->columns + whole_int(column) / BLOCK;
    const int end = atomic_load_explicit(&blocks->end[block], memory_order_relaxed);
    float most = 0;
    double least = 1;
    for (int i = blocks->begin[block]; i < end; i++) {
        const Lie lie = lie_of(lines, &lines->lines[lines->numbers[i]], at);
        most = max(most, lie.cover);
        least = lie.cover > 0 ? min(least, lie.fresh) : least;
    }
    return least < 1 ? min(most, 1) * fresh_at(lines, blocks->begin[block], end, at, most) : most;
}
