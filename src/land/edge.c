// The edge of the whole land, where water leaves it. No step reaches its cells, which have no neighbours
// beyond.

#include "land/level.h"

#include "core/math.h"

typedef void EdgeCell(const Level *level, int x, int y);

static void visit_edge(const Level *level, EdgeCell *visit) {
    for (int x = 0; x < level->width; x++) {
        if (level->ends_top)
            visit(level, x, 0);
        if (level->ends_bottom)
            visit(level, x, level->height - 1);
    }
    for (int y = 0; y < level->height; y++) {
        if (level->ends_left)
            visit(level, 0, y);
        if (level->ends_right)
            visit(level, level->width - 1, y);
    }
}

static void lower_cell(const Level *level, int x, int y) {
    const int behind_x = clamp(x, level->ends_left, level->width - 1 - level->ends_right),
              behind_y = clamp(y, level->ends_top, level->height - 1 - level->ends_bottom);
    const size_t width = (size_t)level->width, cell = (size_t)y * width + (size_t)x;
    const int32_t fall = level->graded ? level->least_fall : 0;
    const int32_t behind = max(level->z[(size_t)behind_y * width + (size_t)behind_x] - fall, level->sea + 1);
    level->z[cell] = min(level->z[cell], behind);
}

// To the ground behind it, but not into the sea; else it would stand above eroded ground as a wall. What
// drains to it falls the more.
void lower_edge(const Level *level) {
    visit_edge(level, lower_cell);
}

static void gather_cell(const Level *level, int x, int y) {
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
    float area = 1;
    if (level->z[cell] <= level->sea)
        return;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int from_x = x + neighbour_x[d], from_y = y + neighbour_y[d];
        if (from_x < 0 || from_y < 0 || from_x >= level->width || from_y >= level->height)
            continue;
        const size_t donor = towards(level, cell, d);
        area += level->receiver[donor] == opposite(d) ? level->area[donor] : 0;
    }
    level->area[cell] = min(area, AREA_MAX);
}

// Free ground's water too, not just that of inherited streams.
void drain_edge(Level *level) {
    level_shrink(level, EDGE_REACH);
    visit_edge(level, gather_cell);
}
