#include "mesh/farthest_cell.h"

#include "core/kernel.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

// The first cell (`last` false) or last cell of a row on the inner side of the line down from a to b.
KERNEL_INLINE int crossing(GridPoint a, GridPoint b, int y, bool last) {
    const int64_t rows = b.y - a.y, product = (int64_t)(y - a.y) * (b.x - a.x);
    const int64_t floored = product >= 0 ? product / rows : -((-product + rows - 1) / rows);
    return a.x + (int)floored + (!last && floored * rows != product);
}

typedef struct Search {
    const Field *field;
    const GridPoint *corners;
    double distance; // of the farthest cell so far
    GridPoint farthest;
    double low, across, down; // the plane: at the first corner, and per cell to the right and downwards
} Search;

// The distance of a cell as an integer: positive numbers are in the order of their bits.
KERNEL_INLINE int64_t distance_bits(const Search *search, double start, const float *row, int x) {
    const double distance = fabs(start + search->across * (x - search->corners[0].x) - (double)row[x]);
    int64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return bits;
}

KERNEL_INLINE void search_row(Search *search, int y, int left, int right) {
    for (int k = 0; k < 3; k++) { // corners are points of the mesh
        left += search->corners[k].y == y && search->corners[k].x == left;
        right -= search->corners[k].y == y && search->corners[k].x == right;
    }
    const float *row = field_row(search->field, y);
    const double start = search->low + search->down * (y - search->corners[0].y);
    int64_t most = 0, before;
    for (int x = left; x <= right; x++) {
        const int64_t bits = distance_bits(search, start, row, x);
        most = bits > most ? bits : most;
    }
    memcpy(&before, &search->distance, sizeof before);
    if (most <= before)
        return;
    memcpy(&search->distance, &most, sizeof most);
    int x = left;
    while (distance_bits(search, start, row, x) != most)
        x++;
    search->farthest = (GridPoint){ x, y };
}

// The rows y … end - 1 between two lines that go down.
KERNEL_INLINE void search_rows(Search *search, const GridPoint left[2], const GridPoint right[2], int y,
                               int end) {
    for (; y < end; y++)
        search_row(search, y, crossing(left[0], left[1], y, false), crossing(right[0], right[1], y, true));
}

// Clockwise from its highest corner a triangle goes down on the right, then up on the left.
KERNEL static void search_triangle(Search *search) {
    const GridPoint *corners = search->corners;
    const int first = corners[1].y < corners[0].y   ? corners[2].y < corners[1].y ? 2 : 1
                      : corners[2].y < corners[0].y ? 2
                                                    : 0;
    const GridPoint top = corners[first], right = corners[(first + 1) % 3], left = corners[(first + 2) % 3];
    const GridPoint right_side[2] = { top, right }, left_side[2] = { top, left };
    const int middle = min(right.y, left.y);
    if (middle > top.y)
        search_rows(search, left_side, right_side, top.y, middle);
    if (right.y == left.y) {
        search_row(search, middle, left.x, right.x);
    } else if (right.y < left.y) {
        search_rows(search, left_side, (GridPoint[]){ right, left }, middle, left.y);
    } else {
        search_rows(search, (GridPoint[]){ left, right }, right_side, middle, right.y);
    }
}

double find_farthest_cell(const Field *field, const GridPoint corners[3], GridPoint *farthest) {
    const double area = (double)doubled_area(corners[0], corners[1], corners[2]);
    const double low = (double)field_row(field, corners[0].y)[corners[0].x];
    const double rise_1 = (double)field_row(field, corners[1].y)[corners[1].x] - low;
    const double rise_2 = (double)field_row(field, corners[2].y)[corners[2].x] - low;
    const double x1 = corners[1].x - corners[0].x, y1 = corners[1].y - corners[0].y;
    const double x2 = corners[2].x - corners[0].x, y2 = corners[2].y - corners[0].y;
    Search search = { .field = field,
                      .corners = corners,
                      .farthest = corners[0],
                      .low = low,
                      .across = (rise_1 * y2 - rise_2 * y1) / area,
                      .down = (rise_2 * x1 - rise_1 * x2) / area };
    search_triangle(&search);
    *farthest = search.farthest;
    return search.distance;
}
