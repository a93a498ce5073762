// Finds the smallest cell of a planet around each of many places at once. A cell is a triangle on the sphere
// or a tetrahedron around it; a plane cuts it in two. Lists of places go down together while their cells are
// large, each list on its side of every plane. Around as many places as fit a cell, cells are cut three times
// at once, several beside one another: a tree of planes, of which each place looks for its own leaf. From
// cells of a few places each goes on alone. Cells lie in lanes: all are cut by one loop over vectors.

#ifndef ESKER_DESCENT_H
#define ESKER_DESCENT_H

#include "core/kernel.h"
#include "core/vector.h"
#include "rivermap/globe.h"
#include "rivermap/tile/tile.h"

#include <stddef.h>

// A vertex; its altitude in units of 2^-FIXED_BITS, a whole number.
typedef struct Apex {
    double x, y, z, altitude;
    uint32_t seed;
} Apex;

enum { CELL_APEXES = 4 };

// The ends of its longest edge come first.
typedef struct Cell {
    double longest; // edge, squared
    Apex at[CELL_APEXES];
} Cell;

// Where a cell is cut in two.
typedef struct CellCut {
    Apex middle; // of its longest edge
    Vec3 normal; // of the plane through that, towards the first half
    bool begins; // a river, in this cell
} CellCut;

enum { LANES = 64 };

// Of the arrays of lanes: no power of two, or all would share few places in the cache.
enum { LANE_ROOM = LANES + 8 };

// Cells by lane.
typedef struct Lanes {
    double longest[LANE_ROOM];
    double x[CELL_APEXES][LANE_ROOM], y[CELL_APEXES][LANE_ROOM], z[CELL_APEXES][LANE_ROOM],
        altitudes[CELL_APEXES][LANE_ROOM];
    uint32_t seeds[CELL_APEXES][LANE_ROOM];
} Lanes;

// Where the cells of some lanes are cut.
typedef struct LaneCuts {
    double x[LANE_ROOM], y[LANE_ROOM], z[LANE_ROOM]; // a point of the plane
    double normal_x[LANE_ROOM], normal_y[LANE_ROOM], normal_z[LANE_ROOM];
    uint32_t begins[LANE_ROOM]; // a river: 1
} LaneCuts;

// The lanes that one loop cuts.
enum { LOOP_LANES = 16 };

// The place that each lane's cell holds.
typedef struct LanePlaces {
    int count; // of the lanes in use; loops take LOOP_LANES
    double x[LANES], y[LANES], z[LANES];
    double altitudes[LANES]; // the result
    uint32_t begins[LANES];  // a river, somewhere on the way down: 1
} LanePlaces;

// What all cuts of a descent share.
typedef struct CutRules {
    DryCut dry;
    double finest; // what cells are cut down to, squared
    double datum;  // altitudes count from it
} CutRules;

// A kind of cell.
typedef struct CellMethods {
    int apexes;
    CellCut (*cut)(const CutRules *rules, const Cell *cell);

    // The first half of a cell, or the second one.
    Cell (*half)(const Cell *cell, const CellCut *cut, bool second);

    // Cuts the cells of lanes 0 … `count` - 1, a multiple of LOOP_LANES. First halves go to the same lanes of
    // `first`, second ones to those from `at` on of `second`.
    void (*halve_lanes)(const CutRules *rules, int count, const Lanes *from, Lanes *first, Lanes *second,
                        int at, LaneCuts *cuts);

    // Of LOOP_LANES lanes from `first` on, cuts each cell that is not yet fine enough, and keeps the half
    // with the place; returns 1 if any is still not, else 0.
    int (*cut_lanes)(const CutRules *rules, LanePlaces *places, Lanes *lanes, int first);

    // Sets the results of LOOP_LANES lanes.
    void (*find_altitudes)(const CutRules *rules, LanePlaces *places, const Lanes *lanes, int first);
} CellMethods;

enum { PLACES_MAX = GLOBE_PLACES };

// Places on the unit sphere, with the index of each one's results.
typedef struct Places {
    double x[PLACES_MAX], y[PLACES_MAX], z[PLACES_MAX];
    uint16_t number[PLACES_MAX];
} Places;

// Places `first` … `end` - 1, all in `cell`.
typedef struct Group {
    Cell cell;
    int first, end;
} Group;

// A tree is not worth its while for fewer.
enum { TREE_PLACES = 12 };
enum { WAITING_MAX = PLACES_MAX / TREE_PLACES, GROUPS_MAX = 32 };

typedef struct Descent {
    const CellMethods *methods;
    CutRules rules;
    double *altitudes; // results

    // Called with places in whose cell a river begins: they are left to it. `alone`: it may not call
    // descent_go. NULL: none does.
    void (*begins)(void *context, const Group *group, bool alone);
    void *context;

    int count; // of places
    Places places;
    uint8_t sides[PLACES_MAX];
    Vec3 centre;   // all lie around this one …
    double radius; // … so far away

    Group waiting[WAITING_MAX]; // to be cut as trees
    int waiting_count;

    LanePlaces at;
    Lanes lanes;
    Group groups[GROUPS_MAX]; // those that went on alone from a cell
    int group_count;
} Descent;

// Sets the places; all above them is set.
void descent_start(Descent *descent, const Vec3 *places, int count);

void descent_swap(Descent *descent, int a, int b);

// Puts those of some places first that lie on the positive side of a plane through a point; returns where the
// others begin.
int descent_split(Descent *descent, int first, int end, Vec3 normal, Vec3 point);

// Whether all places surely lie on one side of a plane, far from it.
bool descent_all_beside(const Descent *descent, Vec3 normal, Vec3 point, bool *positive);

// Finds the altitudes of some places, all in a cell; they are set after descent_finish.
void descent_go(Descent *descent, const Cell *cell, int first, int end);
void descent_finish(Descent *descent);

// --- for kinds of cells ------------------------------------------------------------------------------------

KERNEL_INLINE Apex lane_apex(const Lanes *lanes, int apex, int i) {
    return (Apex){ lanes->x[apex][i], lanes->y[apex][i], lanes->z[apex][i], lanes->altitudes[apex][i],
                   lanes->seeds[apex][i] };
}

KERNEL_INLINE void lane_set(Lanes *lanes, int apex, int i, Apex to) {
    lanes->x[apex][i] = to.x;
    lanes->y[apex][i] = to.y;
    lanes->z[apex][i] = to.z;
    lanes->altitudes[apex][i] = to.altitude;
    lanes->seeds[apex][i] = to.seed;
}

KERNEL_INLINE void lane_set_cut(LaneCuts *cuts, int i, CellCut cut) {
    cuts->x[i] = cut.middle.x;
    cuts->y[i] = cut.middle.y;
    cuts->z[i] = cut.middle.z;
    cuts->normal_x[i] = cut.normal.x;
    cuts->normal_y[i] = cut.normal.y;
    cuts->normal_z[i] = cut.normal.z;
    cuts->begins[i] = cut.begins ? 1 : 0;
}

// Functions, so that both values are read before one is chosen: compilers make vectors only of that.
KERNEL_INLINE double value_if(bool first, double a, double b) {
    return first ? a : b;
}

KERNEL_INLINE uint32_t seed_if(bool first, uint32_t a, uint32_t b) {
    return first ? a : b;
}

KERNEL_INLINE Apex apex_if(bool first, Apex a, Apex b) {
    return (Apex){ value_if(first, a.x, b.x), value_if(first, a.y, b.y), value_if(first, a.z, b.z),
                   value_if(first, a.altitude, b.altitude), seed_if(first, a.seed, b.seed) };
}

KERNEL_INLINE Vec3 apex_place(Apex apex) {
    return (Vec3){ apex.x, apex.y, apex.z };
}

// Squared.
KERNEL_INLINE double apex_distance(Apex a, Apex b) {
    const Vec3 off = vec3_minus(apex_place(a), apex_place(b));
    return vec3_dot(off, off);
}

// A plane's normal, to the side on which `way` leads.
KERNEL_INLINE Vec3 vec3_towards(Vec3 normal, Vec3 way) {
    const bool turn = vec3_dot(normal, way) < 0;
    return (Vec3){ turn ? -normal.x : normal.x, turn ? -normal.y : normal.y, turn ? -normal.z : normal.z };
}

#endif
