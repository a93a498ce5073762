// Lays a squig river on the vertices of a grid.

#include "core/math.h"
#include "squig/squig.h"

// Places of a cell's vertices from its upper left one, by the triangle's half and the edge that a corner
// faces or that has its middle there.
typedef struct Bed {
    Field *height;
    int shift;
    size_t corners[2][SQUIG_EDGES], middles[2][SQUIG_EDGES];
} Bed;

static size_t place_of(const Bed *bed, int x, int y) {
    return ((size_t)y * (size_t)bed->height->width + (size_t)x) << bed->shift;
}

static Bed bed_of(Field *height, int shift) {
    Bed bed = { .height = height, .shift = shift };
    for (int lower = 0; lower < 2; lower++)
        for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++) {
            const SquigTriangle first = { .lower = lower };
            int x, y;
            squig_corner(&first, edge, &x, &y);
            bed.corners[lower][edge] = place_of(&bed, x, y);
            squig_middle(&first, edge, &x, &y);
            bed.middles[lower][edge] = place_of(&bed, x, y);
        }
    return bed;
}

static float *cell_of(const Bed *bed, const SquigTriangle *triangle) {
    return field_row(bed->height, 0) + place_of(bed, 2 * triangle->x, 2 * triangle->y);
}

static void raise_to(float *height, float least) {
    *height = max(*height, least);
}

static bool is_crossed(const SquigTriangle *triangle, SquigEdge edge) {
    return triangle->entries >> edge & 1 || edge == triangle->exit;
}

static void lay_triangle(const Bed *bed, const SquigTriangle *triangle, float water) {
    float *cell = cell_of(bed, triangle);
    const size_t *corners = bed->corners[triangle->lower], *middles = bed->middles[triangle->lower];
    for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++) {
        raise_to(cell + corners[edge], water);
        if (is_crossed(triangle, edge))
            cell[middles[edge]] = water;
        else
            raise_to(cell + middles[edge], water);
    }
}

// Water enters as high as in the triangle above: the opposite bank is no lower.
static void raise_bank(const Bed *bed, const SquigTriangle *triangle) {
    float *cell = cell_of(bed, triangle);
    const size_t *middles = bed->middles[triangle->lower];
    for (SquigEdge bank = 0; bank < SQUIG_EDGES; bank++)
        for (SquigEdge edge = 0; edge < SQUIG_EDGES && !is_crossed(triangle, bank); edge++)
            if (triangle->entries >> edge & 1)
                raise_to(cell + middles[bank], cell[middles[edge]]);
}

// A triangle's vertices are raised and its water is set at once: a middle that is crossed belongs to the two
// triangles that the water passes between, so nothing else raises it.
void squig_lay_river(const Squig *squig, Field *height, int levels, double alt) {
    const Bed bed = bed_of(height, levels - squig->level - 1);
    for (int i = squig->count - 1; i >= 0; i--)
        lay_triangle(&bed, &squig->triangles[i], (float)(alt + squig->triangles[i].high));
    for (int i = 0; i < squig->count; i++)
        raise_bank(&bed, &squig->triangles[i]);
}
