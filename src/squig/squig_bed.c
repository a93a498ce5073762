// Lays a squig river on the vertices of a grid.

#include "core/math.h"
#include "squig/squig.h"

typedef struct Bed {
    Field *height;
    int shift;
} Bed;

static float *vertex(const Bed *bed, int x, int y) {
    return &field_row(bed->height, y << bed->shift)[x << bed->shift];
}

static void raise_to(float *height, float least) {
    *height = max(*height, least);
}

static bool is_crossed(const SquigTriangle *triangle, SquigEdge edge) {
    return triangle->entries >> edge & 1 || edge == triangle->exit;
}

static float *middle(const Bed *bed, const SquigTriangle *triangle, SquigEdge edge) {
    int x, y;
    squig_middle(triangle, edge, &x, &y);
    return vertex(bed, x, y);
}

static void raise_triangle(const Bed *bed, const SquigTriangle *triangle, float least) {
    for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++) {
        int x, y;
        squig_corner(triangle, edge, &x, &y);
        raise_to(vertex(bed, x, y), least);
        raise_to(middle(bed, triangle, edge), least);
    }
}

static void fill_triangle(const Bed *bed, const SquigTriangle *triangle, float water) {
    for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++)
        if (is_crossed(triangle, edge))
            *middle(bed, triangle, edge) = water;
}

// Water enters as high as in the triangle above: the opposite bank is no lower.
static void raise_bank(const Bed *bed, const SquigTriangle *triangle) {
    for (SquigEdge bank = 0; bank < SQUIG_EDGES; bank++)
        for (SquigEdge edge = 0; edge < SQUIG_EDGES && !is_crossed(triangle, bank); edge++)
            if (triangle->entries >> edge & 1)
                raise_to(middle(bed, triangle, bank), *middle(bed, triangle, edge));
}

void squig_lay_river(const Squig *squig, Field *height, int levels, double alt) {
    const Bed bed = { height, levels - squig->level - 1 };
    for (int i = 0; i < squig->count; i++)
        raise_triangle(&bed, &squig->triangles[i], (float)(alt + squig->triangles[i].high));
    for (int i = squig->count - 1; i >= 0; i--)
        fill_triangle(&bed, &squig->triangles[i], (float)(alt + squig->triangles[i].high));
    for (int i = 0; i < squig->count; i++)
        raise_bank(&bed, &squig->triangles[i]);
}
