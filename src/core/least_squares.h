// A straight line through points by least squares.

#ifndef ESKER_LEAST_SQUARES_H
#define ESKER_LEAST_SQUARES_H

typedef struct Line { // sums over the points
    double count, x, y, xx, xy;
} Line;

static inline void line_add(Line *line, double x, double y) {
    line->count++;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

// 0 if the points do not determine it.
static inline double line_slope(const Line *line) {
    const double spread = line->count * line->xx - line->x * line->x;
    return line->count > 1 && spread > 0 ? (line->count * line->xy - line->x * line->y) / spread : 0;
}

#endif
