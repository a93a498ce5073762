#include "land/paints.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

int paint_cells(int side, int part) {
    return min(PAINT_FIRST << part, side);
}

int paint_parts(int side) {
    int parts = 1;
    while (paint_cells(side, parts - 1) < side)
        parts++;
    return parts;
}

// Of the cells of one row or column, by how much of each lies between two places.
typedef struct Span {
    int first, end;
    double from, to;
} Span;

static Span span_of(int index, int cells, int side) {
    const double from = (double)index * side / cells, to = (double)(index + 1) * side / cells;
    return (Span){ whole_int(floor(from)), min(whole_int(ceil(to)), side), from, to };
}

static double weight_of(const Span *span, int cell) {
    return max(min(span->to, cell + 1.0) - max(span->from, (double)cell), 0.0);
}

void paint_means(const Field *field, int cells, double scale, EditPoint *means) {
    for (int i = 0; i < cells * cells; i++) {
        const Span across = span_of(i % cells, cells, field->width),
                   down = span_of(i / cells, cells, field->height);
        double sum = 0, weights = 0;
        for (int y = down.first; y < down.end; y++)
            for (int x = across.first; x < across.end; x++) {
                const double weight = weight_of(&across, x) * weight_of(&down, y);
                sum += weight * (double)field_row(field, y)[x];
                weights += weight;
            }
        *(i % 2 ? &means[i / 2].y : &means[i / 2].x) = scale * sum / weights;
    }
}

static double mean_at(const EditPoint *means, int cells, int x, int y) {
    const int i = clamp(y, 0, cells - 1) * cells + clamp(x, 0, cells - 1);
    return i % 2 ? means[i / 2].y : means[i / 2].x;
}

static double between(const EditPoint *means, int cells, double u, double v) {
    const double x = u * cells - 0.5, y = v * cells - 0.5;
    const int column = whole_int(floor(x)), row = whole_int(floor(y));
    return bilinear(mean_at(means, cells, column, row), mean_at(means, cells, column + 1, row),
                    mean_at(means, cells, column, row + 1), mean_at(means, cells, column + 1, row + 1),
                    x - column, y - row);
}

PaintForm paint_form(const LandEdits *edits, const LandEdit *edit, double x, double y) {
    const EditPoint *middle = edits->points + edit->first, *means = middle + edit->count;
    const double u = (x - middle->x) / (2 * edit->half) + 0.5, v = (y - middle->y) / (2 * edit->half) + 0.5;
    const double inside = min(min(u, 1 - u), min(v, 1 - v));
    if (inside <= 0)
        return (PaintForm){ 0 };
    const double share = smoothstep(min(inside / edit->blend, 1.0));
    const double coarse =
        edit->coarse > 0 ? between(means + paint_points(edit->cells), edit->coarse, u, v) : 0;
    const double own = between(means, edit->cells, u, v), step = 1.0 / edit->cells;
    const double east = between(means, edit->cells, u + step, v) - own,
                 south = between(means, edit->cells, u, v + step) - own;
    return (PaintForm){ share, share * (own - coarse),
                        share * sqrt(east * east + south * south) * edit->cells / (2 * edit->half) };
}
