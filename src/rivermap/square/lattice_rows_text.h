// The loops themselves, for altitudes of one type: lattice.c includes it twice. Number is the type,
// WIDTH the member of Lattice and of Limits that has it, GUIDED whether there may be a guide.
// What lattice.c defines before is undefined at the end.

// The vertices that a lattice gets: at the middle of the edge to the right of each of its vertices, below it,
// and of the cell at both. Where there is none, at the end of a row, they are nonsense.
typedef struct NewVertices {
    Number right[COARSE_VERTICES], below[COARSE_VERTICES], centre[COARSE_VERTICES];
    uint32_t right_seeds[COARSE_VERTICES], below_seeds[COARSE_VERTICES], centre_seeds[COARSE_VERTICES];
} NewVertices;

// The cuts of `count` edges without rivers, from a[i] to b[i].
KERNEL_INLINE void cut_edges(const Number *restrict a, const Number *restrict b,
                             const uint32_t *restrict a_seeds, const uint32_t *restrict b_seeds, int count,
                             float step, const Limits *limits, Number *restrict altitudes,
                             uint32_t *restrict seeds) {
    for (int i = 0; i < count; i++) {
        seeds[i] = mix_seeds(a_seeds[i], b_seeds[i]);
        altitudes[i] = cut_edge(a[i], b[i], seeds[i], step, limits);
    }
}

// Rows have an odd number of vertices: every other diagonal rises.
KERNEL_INLINE void cut_diagonals(const Number *restrict upper, const Number *restrict lower,
                                 const uint32_t *restrict upper_seeds, const uint32_t *restrict lower_seeds,
                                 int count, const Limits *limits, Number *restrict altitudes,
                                 uint32_t *restrict seeds) {
    for (int i = 0; i < count; i++) {
        const bool rises = i & 1;
        const Number west = rises ? lower[i] : upper[i], east = rises ? upper[i + 1] : lower[i + 1];
        const uint32_t west_seed = rises ? lower_seeds[i] : upper_seeds[i];
        const uint32_t east_seed = rises ? upper_seeds[i + 1] : lower_seeds[i + 1];
        seeds[i] = mix_seeds(west_seed, east_seed);
        altitudes[i] = cut_edge(west, east, seeds[i], limits->diagonal, limits);
    }
}

#ifdef GUIDED
static void follow_guide(const Limits *limits, int cells, NewVertices *new) {
    for (int row = 0; row <= cells; row++) {
        const int first = row * (cells + 1);
        for (int i = 0; i < cells; i++)
            new->right[first + i] = lattice_guided(limits, 2 * i + 1, 2 * row);
        for (int i = 0; i <= cells && row < cells; i++)
            new->below[first + i] = lattice_guided(limits, 2 * i, 2 * row + 1);
        for (int i = 0; i < cells && row < cells; i++)
            new->centre[first + i] = lattice_guided(limits, 2 * i + 1, 2 * row + 1);
    }
}
#endif

KERNEL_INLINE int source(Number h0, Number h1, Number h2, Number h3, Number k3, Number k4) {
    const Number high = max(h1, h2), low = min(h1, h2);
    return (high > k3) & (low < k4) & (low < h0) & (low < h3);
}

// Whether rivers may begin in a row of cells: few have both high and low ground.
KERNEL_INLINE bool may_begin(const Number *restrict upper, const Number *restrict lower,
                             const Number *restrict centre, int cells, const Limits *limits) {
    const Number k3 = limits->WIDTH.k3, k4 = limits->WIDTH.k4;
    int64_t high = (upper[cells] > k3) | (lower[cells] > k3), low = (upper[cells] < k4) | (lower[cells] < k4);
    for (int i = 0; i < cells; i++) {
        high |= (upper[i] > k3) | (lower[i] > k3) | (centre[i] > k3);
        low |= (upper[i] < k4) | (lower[i] < k4) | (centre[i] < k4);
    }
    return high & low;
}

// The cells of a row in which rivers begin: a bit a column.
KERNEL_INLINE uint64_t beginnings(const Number *restrict upper, const Number *restrict lower, int cells,
                                  int row, const Limits *limits, const NewVertices *restrict new) {
    const Number k3 = limits->WIDTH.k3, k4 = limits->WIDTH.k4;
    const int first = row * (cells + 1);
    const Number *top = new->right + first, *bottom = top + cells + 1, *left = new->below + first;
    const Number *centre = new->centre + first;
    uint32_t begins[LATTICE_CELLS]; // bytes among doubles would make vectors of 64 lanes, which do not fit
    uint32_t any = 0;
    for (int i = 0; i < cells; i++) {
        const int rises = (i + row) & 1;
        const Number a = upper[i], b = upper[i + 1], c = lower[i], d = lower[i + 1], m = centre[i];
        const Number west = rises ? c : a, east = rises ? b : d, north = rises ? a : b, south = rises ? d : c;
        begins[i] = (uint32_t)(source(north, west, east, m, k3, k4) | source(south, west, east, m, k3, k4) |
                               source(m, a, b, top[i], k3, k4) | source(m, c, d, bottom[i], k3, k4) |
                               source(m, a, c, left[i], k3, k4) | source(m, b, d, left[i + 1], k3, k4));
        any |= begins[i];
    }
    uint64_t bits = 0;
    for (int i = 0; any && i < cells; i++)
        bits |= (uint64_t)begins[i] << i;
    return bits;
}

// All in the next level's units, in which altitudes are twice as much: even places from `even`, odd from
// `odd`.
KERNEL_INLINE void interleave_row(const Number *restrict even, const Number *restrict odd,
                                  const uint32_t *restrict even_seeds, const uint32_t *restrict odd_seeds,
                                  int cells, Number *restrict altitudes, uint32_t *restrict seeds) {
    // NOLINTBEGIN(clang-analyzer-core.*): which takes it that there may be no cells
    for (int i = 0; i < cells; i++) {
        altitudes[2 * i] = 2 * even[i];
        altitudes[2 * i + 1] = 2 * odd[i];
        seeds[2 * i] = even_seeds[i];
        seeds[2 * i + 1] = odd_seeds[i];
    }
    // NOLINTEND(clang-analyzer-core.*)
    altitudes[2 * cells] = 2 * even[cells];
    seeds[2 * cells] = even_seeds[cells];
}

// All columns of the rows of the area, in one loop. `begin`: gets the cells of each row in which rivers
// begin.
KERNEL static void cut_all(const Lattice *from, Lattice *to, const Limits *limits, bool rivers,
                           uint64_t *begin) {
    NewVertices new;
    const int cells = from->cells, vertices = cells + 1, finer = 2 * cells + 1;
    const CellArea area = from->area;
    const int start = area.top * vertices, count = (area.bottom - area.top) * vertices;
    const Number *at = from->WIDTH, *upmost = at + start;
    const uint32_t *seeds = from->seeds, *upmost_seeds = seeds + start;
    cut_edges(upmost, upmost + 1, upmost_seeds, upmost_seeds + 1, count + cells, limits->side, limits,
              new.right + start, new.right_seeds + start);
    cut_edges(upmost, upmost + vertices, upmost_seeds, upmost_seeds + vertices, count, limits->side, limits,
              new.below + start, new.below_seeds + start);
    cut_diagonals(upmost, upmost + vertices, upmost_seeds, upmost_seeds + vertices, count - 1, limits,
                  new.centre + start, new.centre_seeds + start);
#ifdef GUIDED
    if (limits->guide)
        follow_guide(limits, cells, &new);
#endif
    for (int row = area.top; row <= area.bottom; row++) {
        const int first = row * vertices;
        Number *altitudes = to->WIDTH + 2 * row * finer;
        uint32_t *to_seeds = to->seeds + 2 * row * finer;
        interleave_row(at + first, new.right + first, seeds + first, new.right_seeds + first, cells,
                       altitudes, to_seeds);
        if (row == area.bottom)
            break;
        interleave_row(new.below + first, new.centre + first, new.below_seeds + first,
                       new.centre_seeds + first, cells, altitudes + finer, to_seeds + finer);
        const Number *upper = at + first, *lower = upper + vertices;
        begin[row] = rivers && may_begin(upper, lower, new.centre + first, cells, limits)
                         ? beginnings(upper, lower, cells, row, limits, &new)
                         : 0;
    }
}

#undef Number
#undef WIDTH
#undef GUIDED
#undef NewVertices
#undef cut_edge
#undef cut_edges
#undef cut_diagonals
#undef source
#undef may_begin
#undef beginnings
#undef interleave_row
#undef cut_all
