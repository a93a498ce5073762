#include "picture/river_cover.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

// --- means -------------------------------------------------------------------------------------------------

static float covered(float value) {
    return clamp(value, 0, 1);
}

typedef struct Halving {
    const Field *from;
    Field *to;
} Halving;

static void halve_rows(void *context, int first, int end) {
    Halving *halving = context;
    const Field *from = halving->from;
    for (int y = first; y < end; y++)
        for (int x = 0; x < halving->to->width; x++) {
            float sum = 0;
            for (int i = 0; i < 4; i++) {
                const int column = 2 * x + (i & 1), row = 2 * y + (i >> 1);
                if (column < from->width && row < from->height)
                    sum += covered(field_row(from, row)[column]);
            }
            field_row(halving->to, y)[x] = 0.25f * sum;
        }
}

Status river_cover_create(RiverCover *cover, const Run *run, const Field *rivers, Error *error) {
    *cover = (RiverCover){ .rivers = rivers };
    Status status = STATUS_OK;
    const Field *last = rivers;
    for (int k = 1; last && (last->width > 2 || last->height > 2) && k < COVER_LEVELS; k++) {
        Field *mean = &cover->means[k];
        status = field_create(mean, (last->width + 1) / 2, (last->height + 1) / 2, error);
        if (status == STATUS_OK)
            status = parallel_rows(run, mean->height, mean->width * 4.0, halve_rows,
                                   &(Halving){ .from = last, .to = mean });
        if (status != STATUS_OK)
            break;
        last = mean;
        cover->levels = k;
    }
    return status;
}

void river_cover_free(RiverCover *cover) {
    for (int k = 1; k < COVER_LEVELS; k++)
        field_free(&cover->means[k]);
}

static double cell_of(const Field *field, int x, int y) {
    const int column = x > 0 ? x < field->width ? x : field->width - 1 : 0;
    const int row = y > 0 ? y < field->height ? y : field->height - 1 : 0;
    return (double)covered(field_row(field, row)[column]);
}

static double mean_at(const RiverCover *cover, int level, double x, double y) {
    const Field *mean = &cover->means[level];
    const double cells = (double)(1 << level), in_x = (x + 0.5) / cells - 0.5, in_y = (y + 0.5) / cells - 0.5;
    const double left = floor(in_x), top = floor(in_y), u = in_x - left, v = in_y - top;
    const int column = whole_within(left, -2, mean->width), row = whole_within(top, -2, mean->height);
    const double upper = cell_of(mean, column, row) * (1 - u) + cell_of(mean, column + 1, row) * u;
    const double lower = cell_of(mean, column, row + 1) * (1 - u) + cell_of(mean, column + 1, row + 1) * u;
    return upper * (1 - v) + lower * v;
}

// --- lines -------------------------------------------------------------------------------------------------

// A straight piece of river fitted to 3 × 3 cells: a rectangle with their area, centre and moments.
typedef struct Piece {
    double x, y, across_x, across_y; // its centre from the middle cell's; across it, of length 1
    double half_width, half_length, area;
} Piece;

enum { WINDOW = 4 }; // cells per side around a position: 3 × 3 around each of the four nearest

// For three cells of a row, the middle one at 0: their sum, and the sums weighted by position and
// position².
typedef struct Triple {
    double sum, first, second;
} Triple;

static bool piece_of(const Triple *upper, const Triple *middle, const Triple *lower, Piece *piece) {
    const double area = upper->sum + middle->sum + lower->sum;
    if (!(area > 1e-6))
        return false;
    const double x = (upper->first + middle->first + lower->first) / area;
    const double y = (lower->sum - upper->sum) / area;
    // Second moments about the centre, with that of a cell; the axes of the ellipse that has them.
    const double xx = (upper->second + middle->second + lower->second) / area - x * x + 1.0 / 12;
    const double yy = (lower->sum + upper->sum) / area - y * y + 1.0 / 12;
    const double xy = (lower->first - upper->first) / area - x * y;
    const double half_sum = 0.5 * (xx + yy), half_off = 0.5 * (xx - yy);
    const double spread = sqrt(half_off * half_off + xy * xy), longest = half_sum + spread;
    double along_x = half_off + spread, along_y = xy;
    if (half_off < 0)
        along_x = xy, along_y = spread - half_off;
    const double length = sqrt(along_x * along_x + along_y * along_y);
    along_x = length > 1e-9 ? along_x / length : 1;
    along_y = length > 1e-9 ? along_y / length : 0;
    const double half_length = sqrt(3 * longest);
    *piece = (Piece){ x, y, -along_y, along_x, 0.25 * area / half_length, half_length, area };
    return true;
}

// How far a position, relative to the piece's middle cell, is inside its banks.
static double inside_piece(const Piece *piece, double x, double y) {
    const double dx = x - piece->x, dy = y - piece->y;
    const double off = fabs(dx * piece->across_x + dy * piece->across_y);
    const double far = fabs(dy * piece->across_x - dx * piece->across_y);
    const double from_bank = piece->half_width - off, from_end = piece->half_length - far;
    return min(from_bank, from_end);
}

// Cells of a square; those beyond the border copy the nearest inside.
static double read_window(const Field *rivers, int left, int top, double cells[WINDOW][WINDOW]) {
    const bool inside =
        left >= 0 && top >= 0 && left + WINDOW <= rivers->width && top + WINDOW <= rivers->height;
    double sum = 0;
    for (int row = 0; row < WINDOW; row++) {
        const float *from = inside ? field_row(rivers, top + row) + left : NULL;
        for (int column = 0; column < WINDOW; column++) {
            cells[row][column] =
                from ? (double)covered(from[column]) : cell_of(rivers, left + column, top + row);
            sum += cells[row][column];
        }
    }
    return sum;
}

// The pieces of the four nearest cells agree along a river and are blended where it turns, weighted by
// their water.
static double line_at(const Field *rivers, double x, double y, double width) {
    const double left = floor(x), top = floor(y), u = x - left, v = y - top;
    const int first_column = whole_within(left, -WINDOW, rivers->width + WINDOW) - 1;
    const int first_row = whole_within(top, -WINDOW, rivers->height + WINDOW) - 1;
    double cells[WINDOW][WINDOW];
    const double all = read_window(rivers, first_column, first_row, cells);
    if (all == 0 || all == WINDOW * WINDOW)
        return all > 0;
    Triple triples[WINDOW][2];
    for (int row = 0; row < WINDOW; row++)
        for (int i = 0; i < 2; i++) {
            const double *cell = &cells[row][i];
            triples[row][i] = (Triple){ cell[0] + cell[1] + cell[2], cell[2] - cell[0], cell[0] + cell[2] };
        }
    double inside = 0, half_width = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        const int right = i & 1, below = i >> 1;
        Piece piece;
        if (!piece_of(&triples[below][right], &triples[below + 1][right], &triples[below + 2][right], &piece))
            continue;
        const double share = (right ? u : 1 - u) * (below ? v : 1 - v) * piece.area;
        inside += share * inside_piece(&piece, u - right, v - below);
        half_width += share * piece.half_width;
        sum += share;
    }
    if (!(sum > 0))
        return 0;
    inside /= sum, half_width /= sum;
    // The share of a pixel's width, across the river, that is between the banks.
    const double near_bank = min(inside, 0.5 * width);
    const double far_bank = min(2 * half_width - inside, 0.5 * width);
    const double part = (near_bank + far_bank) / width;
    return clamp(part, 0, 1);
}

// --- both --------------------------------------------------------------------------------------------------

// The share of a square patch that is river.
static double square_at(const RiverCover *cover, double x, double y, double width) {
    if (width <= 1 || cover->levels == 0)
        return line_at(cover->rivers, x, y, min(width, 1));
    int level = 0;
    for (; level < cover->levels && width > 2; level++)
        width *= 0.5;
    const double share = width < 2 ? width - 1 : 1;
    const double coarse = level < cover->levels ? mean_at(cover, level + 1, x, y) : 0;
    if (level < cover->levels && (share == 1 || coarse == 0))
        return coarse;
    const double fine = level ? mean_at(cover, level, x, y) : line_at(cover->rivers, x, y, 1);
    return level < cover->levels ? fine + (coarse - fine) * share : fine;
}

// Whether any river is within `radius` of a position.
static bool near_river(const RiverCover *cover, double x, double y, double radius) {
    int level = min(2, cover->levels);
    for (; level < cover->levels && (1 << level) < 2 * radius + 2; level++)
        ;
    return level == 0 || mean_at(cover, level, x, y) > 0;
}

double river_cover_at(const RiverCover *cover, const Patch *patch) {
    enum { SAMPLES_MAX = 12 };
    if (!cover->rivers)
        return 0;
    const double half = sqrt(patch->along_x * patch->along_x + patch->along_y * patch->along_y);
    if (!near_river(cover, patch->x, patch->y, half + patch->width))
        return 0;
    const double least = 2 * half / SAMPLES_MAX + 1e-6, width = max(patch->width, least);
    const int samples = whole_within(2 * half / width + 0.5, 1, SAMPLES_MAX);
    double sum = 0;
    for (int i = 0; i < samples; i++) {
        const double at = (2 * i + 1.0) / samples - 1;
        sum += square_at(cover, patch->x + at * patch->along_x, patch->y + at * patch->along_y, width);
    }
    return sum / samples;
}
