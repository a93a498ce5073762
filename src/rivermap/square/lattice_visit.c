// What a square is cut into, and the cells of a lattice as squares.

#include "rivermap/square/lattice.h"

#include "core/math.h"

static Vertex corner_at(const Lattice *lattice, int x, int y) {
    const int at = y * (lattice->cells + 1) + x;
    return (Vertex){ lattice_altitude(lattice, at), lattice->seeds[at] };
}

static Crossing crossing_at(const Lattice *lattice, bool river, EdgeKind kind, int x, int y) {
    if (!river)
        return (Crossing){ 0 };
    const LatticeCrossing *crossing = &lattice->crossings[lattice_edge(lattice, kind, x, y)];
    return (Crossing){ true, crossing->forwards, crossing->basin, crossing->altitude };
}

Square lattice_square(const Lattice *lattice, const Square *place, int x, int y) {
    const RiverBits *rivers = &lattice->rivers;
    const uint64_t right = river_right_edges(rivers, lattice->cells, y);
    return (Square){
        .depth = place->depth,
        .base = place->base,
        .x = place->x + (uint64_t)x,
        .y = place->y + (uint64_t)y,
        .rising = (x + y) & 1,
        .corners = { corner_at(lattice, x, y), corner_at(lattice, x + 1, y), corner_at(lattice, x, y + 1),
                     corner_at(lattice, x + 1, y + 1) },
        .sides = { [TOP] = crossing_at(lattice, rivers->across[y] >> x & 1, EDGE_ACROSS, x, y),
                   [RIGHT] = crossing_at(lattice, right >> x & 1, EDGE_DOWN, x + 1, y),
                   [BOTTOM] = crossing_at(lattice, rivers->across[y + 1] >> x & 1, EDGE_ACROSS, x, y + 1),
                   [LEFT] = crossing_at(lattice, rivers->left[y] >> x & 1, EDGE_DOWN, x, y) },
        .diagonal = crossing_at(lattice, rivers->diagonals[y] >> x & 1, EDGE_DIAGONAL, x, y),
    };
}

// The part of `area` that lies in a quarter of `half` cells a side, as seen from it.
static CellArea area_of_quarter(CellArea area, int corner, int half) {
    const int x = corner % 2 * half, y = corner / 2 * half;
    return (CellArea){ clamp(area.left - x, 0, half), clamp(area.right - x, 0, half),
                       clamp(area.top - y, 0, half), clamp(area.bottom - y, 0, half) };
}

void lattice_visit(const Constants *constants, const Square *square, int depth, CellArea area,
                   LatticePair *pair, const LatticeVisitor *visitor, void *context, int x, int y) {
    if (area.left >= area.right || area.top >= area.bottom)
        return;
    if (depth == 0) {
        visitor->cell(context, square, x, y);
        return;
    }
    if (lattice_holds(square, depth)) {
        visitor->lattice(context, square, lattice_fill(constants, square, depth, area, pair), x, y);
        return;
    }
    const CliffLattice *cliff = cliff_fill(constants, square, depth, &pair->cliffs);
    if (cliff) {
        if (visitor->cliff)
            visitor->cliff(context, square, cliff, x, y);
        return;
    }
    const int half = 1 << (depth - 1);
    Square quarters[4];
    square_split(constants, square, quarters);
    for (int corner = 0; corner < 4; corner++)
        lattice_visit(constants, &quarters[corner], depth - 1, area_of_quarter(area, corner, half), pair,
                      visitor, context, x + corner % 2 * half, y + corner / 2 * half);
}
