// Every tiling, one per line: its name, and a description for the manual. Its table is `tiling_` followed by
// the name.

#ifndef ESKER_TILINGS_H
#define ESKER_TILINGS_H

#include "rivermap/tiling.h"

// clang-format off
#define ALL_TILINGS(X) \
    X(right, "right-angled triangles, the fastest and deepest") \
    X(penrose, "Penrose tiles, without a grid's directions") \
    X(scalene, "scalene triangles, without a grid's directions") \
    X(sphere, "a planet of scalene triangles") \
    X(tetrahedra, "a planet of tetrahedra; raw ones have no rivers")
// clang-format on

#define DECLARE_TILING(name, doc) extern const Tiling tiling_##name;
ALL_TILINGS(DECLARE_TILING)
#undef DECLARE_TILING

#endif
