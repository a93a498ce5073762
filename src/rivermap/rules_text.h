// The rules themselves, for altitudes of one size: rules.c and rules_64.h include it.

// β(x, y, s) = (x + y + s³ (x - y)) / 2: between x and y, near the middle more often than not (section 3.2).
static inline Altitude between(Altitude x, Altitude y, uint32_t seed) {
    const float s = seed_value(seed);
    return y + altitude_from((0.5f + 0.5f * (s * s * s)) * altitude_float(x - y));
}

RULE Cut cut_long_edge(const Constants *constants, const Scales *scales, float step, float weight, Vertex v1,
                       Vertex v2, Crossing e0) {
    if (!e0.river)
        return (Cut){ .vertex = cut_dry_edge(constants, scales, step, weight, v1, v2) };
    const uint32_t seed = mix_seeds(v1.seed, v2.seed);
    Cut cut = { .vertex = { .seed = seed } };
    Altitude h1 = v1.altitude, h2 = v2.altitude, mean;
    const float moved = displacement(step, constants->k2, altitude_float(h1 - h2), seed);
    if (constants->islands && e0.altitude < scales->k7 &&
        draw_happens(draw_seed(seed, DRAW_ISLAND), constants->k8)) {
        // Section 4 has (e4.h + e5.h + V2.h) / 3, which two triangles at the edge would compute differently.
        cut.first = cut.second = e0;
        cut.first.basin = cut.second.basin = e0.basin * 0.70710678f;
        const Altitude ends = (h1 + h2) >> 1, river = e0.altitude;
        mean = river + altitude_from(altitude_float(ends - river) * (1 / 3.0f));
    } else { // crosses the half whose end is nearer in altitude, and pulls the cut to its own
        const Altitude to_first = e0.altitude > h1 ? e0.altitude - h1 : h1 - e0.altitude;
        const Altitude to_second = e0.altitude > h2 ? e0.altitude - h2 : h2 - e0.altitude;
        const bool first = to_first == to_second ? v1.seed < v2.seed : to_first < to_second;
        *(first ? &cut.first : &cut.second) = e0;
        *(first ? &h1 : &h2) = e0.altitude;
        mean = (h1 + h2) >> 1;
    }
    cut.vertex.altitude = limited(scales, mean + altitude_from(moved));
    return cut;
}

// --- how much drains ---------------------------------------------------------------------------------------

// A half of the triangle, whose long edge is `length`: every edge without a river is a watershed, so a
// river that begins in the half drains exactly that half.
static inline double half_area(const Scales *scales) {
    return (double)scales->length * (double)scales->length / 8;
}

static inline double area_of(Crossing crossing) {
    return (double)crossing.basin * (double)crossing.basin;
}

static inline float basin_of(double area) {
    return (float)sqrt(area);
}

// The area that a half contributes, at most `room`: with uneven cuts slightly less than it drains.
static inline float basin_within(const Scales *scales, double room) {
    const double area = half_area(scales);
    return basin_of(min(area, max(room, 0)));
}

// e3 carries the area that entered on one side and half of the area that joins in the triangle on its way
// out on the other; if it does not leave, the area of the half. No triangle thus receives more than it
// passes on.
static inline float basin_between(const Scales *scales, double in, bool leaves, double out) {
    return basin_of(leaves ? out > in ? in + (out - in) / 2 : in : in + half_area(scales));
}

// --- the short edge ----------------------------------------------------------------------------------------

// Of e3, between V0 and V3.
static inline uint32_t edge_seed(uint32_t v0, uint32_t v3) {
    return draw_seed(mix_seeds(v0, v3), DRAW_HEIGHT);
}

// Whether a third river may join two on one half, through e3.
static inline bool branches(const Constants *constants, const Scales *scales, uint32_t seed) {
    return draw_happens(draw_seed(seed, DRAW_BRANCH), constants->k6 * scales->length);
}

// No river on any edge: one from above k3 to below k4, but only if there is no nearer exit.
static inline Crossing begin(const Scales *scales, const Triangle *t) {
    const Altitude h0 = t->v0.altitude, h1 = t->v1.altitude, h2 = t->v2.altitude, h3 = t->v3.altitude;
    const bool down = source_between(h0, h1, h2, h3, scales->k3, scales->k4);
    const bool up = source_between(h0, h2, h1, h3, scales->k3, scales->k4);
    if (!down && !up)
        return (Crossing){ 0 };
    return (Crossing){ true, down, basin_of(half_area(scales)),
                       between(down ? h2 : h1, min(h0, h3), edge_seed(t->v0.seed, t->v3.seed)) };
}

// Section 7: a river wider than the triangle, or than a part of it, takes all of it. The mended rules draw
// it from larger triangles instead.
static inline bool floods(const Constants *constants, const Scales *scales, float basin, float part) {
    return constants->paper && constants->width > 0 && constants->width * basin > part * scales->length;
}

// One river, on an edge of one half; `opposite` is the vertex of the other two halves' outer edges that lies
// across from it, `aside` the end of e3 that is not on the edge, `away` what `forwards` is when e3 leads away
// from the edge's half.
static inline Crossing extend(const Constants *constants, const Scales *scales, Crossing edge,
                              Altitude opposite, Altitude aside, Altitude other, uint32_t opposite_seed,
                              uint32_t seed, bool away) {
    if (opposite < scales->sea && opposite < edge.altitude && aside >= scales->sea) {
        // Down to the sea. What already flows out of the triangle would be split (a rule of ours).
        if (edge.forwards && !constants->paper)
            return (Crossing){ 0 };
        return (Crossing){ true, away, basin_of(area_of(edge) + half_area(scales)),
                           between(opposite, edge.altitude, seed) };
    }
    const Altitude lowest = min(opposite, min(aside, other));
    if (floods(constants, scales, edge.basin, 0.5f))
        return (Crossing){ true, opposite < edge.altitude ? away : !away, edge.basin, edge.altitude };
    if (lowest <= edge.altitude || !draw_happens(draw_seed(seed, DRAW_EXTEND), constants->k5))
        return (Crossing){ 0 };
    // Up, from a source beyond e3.
    return (Crossing){ true, !away, basin_within(scales, edge.forwards ? area_of(edge) : 1),
                       between(edge.altitude, lowest, draw_seed(opposite_seed, DRAW_HEIGHT)) };
}

// Two rivers on one half: a third may join them through e3.
static inline Crossing branch(const Constants *constants, const Scales *scales, Crossing a, Crossing b,
                              Altitude lowest, uint32_t opposite_seed, uint32_t seed, bool away) {
    // If both leave, beside an island, the third must not be below the higher one.
    const bool higher = !constants->paper && a.forwards && b.forwards;
    const Altitude mouth = higher ? max(a.altitude, b.altitude) : min(a.altitude, b.altitude);
    const float narrower = min(a.basin, b.basin);
    if (floods(constants, scales, narrower, 1))
        return (Crossing){ true, away, narrower, mouth };
    if (lowest <= mouth || !branches(constants, scales, seed))
        return (Crossing){ 0 };
    const double room = a.forwards ? area_of(a) - area_of(b) : b.forwards ? area_of(b) - area_of(a) : 1;
    return (Crossing){ true, !away, basin_within(scales, room),
                       between(lowest, mouth, draw_seed(opposite_seed, DRAW_HEIGHT)) };
}

// Of two crossings the one with a river.
static inline Crossing either(Crossing a, Crossing b) {
    return (Crossing){ true, a.river ? a.forwards : b.forwards, a.river ? a.basin : b.basin,
                       a.river ? a.altitude : b.altitude };
}

// Rivers on both sides of e3 meet across it.
static inline Crossing meet(const Scales *scales, Crossing first, Crossing second, uint32_t seed) {
    const bool forwards =
        first.forwards == second.forwards ? first.altitude > second.altitude : second.forwards;
    const Crossing from = forwards ? first : second, to = forwards ? second : first;
    return (Crossing){ true, forwards,
                       basin_between(scales, from.forwards ? 0 : area_of(from), to.forwards, area_of(to)),
                       between(first.altitude, second.altitude, seed) };
}

// The altitude of a pair of rivers on one half that bounds what crosses e3: what flows from the pair lies no
// higher than the lowest that comes in, what flows to it no lower than the highest that leaves. Without
// islands that is always the lower of the two, as printed.
static inline Altitude bound_of(const Constants *constants, Crossing a, Crossing b, bool from_pair) {
    if (constants->paper || a.forwards == b.forwards)
        return a.forwards && b.forwards && !constants->paper ? max(a.altitude, b.altitude)
                                                             : min(a.altitude, b.altitude);
    return a.forwards == from_pair ? b.altitude : a.altitude;
}

// Three rivers: what leaves on one side of e3 must cross it.
static inline Crossing join(const Constants *constants, const Scales *scales, Crossing pair_a,
                            Crossing pair_b, Crossing single, bool pair_first, uint32_t seed) {
    const Altitude lower = min(pair_a.altitude, pair_b.altitude);
    const bool sink =
        !single.forwards && !pair_a.forwards && !pair_b.forwards; // in the sea: the higher ones continue
    const bool from_pair = sink ? single.altitude < lower : single.forwards;
    const Altitude pair = bound_of(constants, pair_a, pair_b, from_pair);
    const double a = area_of(pair_a), b = area_of(pair_b), alone = area_of(single);
    const double pair_in = (pair_a.forwards ? 0 : a) + (pair_b.forwards ? 0 : b);
    const double pair_out = pair_a.forwards ? a - (pair_b.forwards ? 0 : b) : b - a;
    const float basin = from_pair ? basin_between(scales, pair_in, single.forwards, alone)
                                  : basin_between(scales, single.forwards ? 0 : alone,
                                                  pair_a.forwards || pair_b.forwards, pair_out);
    return (Crossing){ true, from_pair == pair_first, basin, between(single.altitude, pair, seed) };
}

RULE Crossing cross_short_edge(const Constants *constants, const Scales *scales, const Triangle *t) {
    const int first = t->e2.river + t->e4.river, second = t->e1.river + t->e5.river; // by halves
    if (first + second == 0)
        return constants->rivers ? begin(scales, t) : (Crossing){ 0 };
    const uint32_t seed = edge_seed(t->v0.seed, t->v3.seed);
    const Altitude h0 = t->v0.altitude, h1 = t->v1.altitude, h2 = t->v2.altitude, h3 = t->v3.altitude;
    if (t->e4.river && t->e5.river) { // islands only
        if (t->e1.river == t->e2.river)
            return (Crossing){ 0 };
        const Crossing a = t->e2.river ? t->e2 : t->e4, b = t->e1.river ? t->e1 : t->e5;
        const bool forwards = a.altitude > b.altitude;
        // If all leave, the river across e3 must not be below them; if all enter, not above them.
        const Altitude altitude = constants->paper || a.forwards != b.forwards
                                      ? between(a.altitude, b.altitude, seed)
                                  : a.forwards ? max(a.altitude, b.altitude)
                                               : min(a.altitude, b.altitude);
        return (Crossing){ true, forwards, forwards ? a.basin : b.basin, altitude };
    }
    if (first + second == 3)
        return first == 2 ? join(constants, scales, t->e2, t->e4, t->e1.river ? t->e1 : t->e5, true, seed)
                          : join(constants, scales, t->e1, t->e5, t->e2.river ? t->e2 : t->e4, false, seed);
    if (first == 1 && second == 1)
        return meet(scales, either(t->e2, t->e4), either(t->e1, t->e5), seed);
    if (second == 2)
        return branch(constants, scales, t->e1, t->e5, min(h1, min(h0, h3)), t->v1.seed, seed, false);
    if (first == 2)
        return branch(constants, scales, t->e2, t->e4, min(h2, min(h0, h3)), t->v2.seed, seed, true);
    if (t->e1.river)
        return extend(constants, scales, t->e1, h1, h3, h0, t->v1.seed, seed, false);
    if (t->e2.river)
        return extend(constants, scales, t->e2, h2, h3, h0, t->v2.seed, seed, true);
    if (t->e4.river)
        return extend(constants, scales, t->e4, h2, h0, h3, t->v2.seed, seed, true);
    return extend(constants, scales, t->e5, h1, h0, h3, t->v1.seed, seed, false);
}
