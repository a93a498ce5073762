// What the rules are about, for altitudes of one size: rules.h and rules_64.h include it.

// A crossing of an edge. The meaning of `forwards` depends on its user.
typedef struct Crossing {
    bool river, forwards;
    float basin; // the side of a square as large as what drains through here, in map units
    Altitude altitude;
} Crossing;

// As seen from the other side.
static inline Crossing crossing_turned(Crossing crossing, bool turn) {
    return (Crossing){ crossing.river, crossing.forwards != turn, crossing.basin, crossing.altitude };
}

typedef struct Vertex {
    Altitude altitude;
    uint32_t seed;
} Vertex;

// The constants' altitudes in units from the current base, and the length of e0 in map units.
typedef struct Scales {
    Altitude sea, k3, k4, k7, lowest, highest;
    float length;
} Scales;

// Between the lowest and the highest altitude.
static inline Altitude limited(const Scales *scales, Altitude altitude) {
    return clamp(altitude, scales->lowest, scales->highest);
}

// V3 where no river crosses. `weight`: that of V1 in the mean of altitudes.
static inline Vertex cut_dry_edge(const Constants *constants, const Scales *scales, float step, float weight,
                                  Vertex v1, Vertex v2) {
    const uint32_t seed = mix_seeds(v1.seed, v2.seed);
    const Altitude h1 = v1.altitude, h2 = v2.altitude;
    const float difference = altitude_float(h1 - h2);
    const Altitude mean = weight == 0.5f ? (h1 + h2) >> 1 : h2 + altitude_from(difference * weight);
    const Altitude moved = altitude_from(displacement(step, constants->k2, difference, seed));
    return (Vertex){ limited(scales, mean + moved), seed };
}

// The result of cutting e0.
typedef struct Cut {
    Vertex vertex;          // V3
    Crossing first, second; // e4, e5; both in the direction of e0
} Cut;

// A triangle about to be halved. In e1, e2 and e0's halves e4, e5, `forwards` means out of the triangle.
typedef struct Triangle {
    Vertex v0, v1, v2, v3;
    Crossing e1, e2, e4, e5;
} Triangle;

// Whether a triangle without rivers on its edges gets one on e3 (section 3.2, "No surrounding edge has a
// river").
KERNEL_INLINE bool source_between(Altitude h0, Altitude high, Altitude low, Altitude h3, Altitude k3,
                                  Altitude k4) {
    return (high > k3) & (low < k4) & (low < h0) & (low < h3);
}
