// A river network: a tree of reaches, each a line of points from a spring or confluence down to the next
// confluence, a mouth, or the border of the window.

#ifndef ESKER_NETWORK_H
#define ESKER_NETWORK_H

#include "core/format.h"
#include "core/operation.h"
#include "core/whole.h"
#include "rivers/boundary.h"

typedef struct RiverPoint {
    double x, y;    // cells, (0, 0) the upper left corner of the first
    double area;    // what drains through here, in map units squared; on planets, its share of the planet
    float altitude; // -1 … 1, the sea at 0
    float width;    // cells
    float distance; // along the river to where it ends or leaves the window, in cells; set by network_settle
    float water;    // what flows here, m³/s in the mean of the year; 0 of a network that does not know it
} RiverPoint;

// The highest altitude of a grown river; the rest of the range of heights is for the land (Speirs 2020,
// section 5.3).
#define RIVER_TOP 0.8f

typedef struct Reach {
    int first, count; // points first … first + count - 1, downstream; the last is the next reach's first
    int downstream;   // the reach into which it flows, or -1
    int order;        // Strahler's: 1 at springs, one more where two of an order meet
    bool mouth;       // without a reach downstream: it ends, in the sea; otherwise it leaves the window
    bool wadi;        // dry for most of the year; of a network that knows its water
    bool salt;        // the outline of a lake that has no outflow
} Reach;

typedef struct Ridge { // points first … first + count - 1
    int first, count;
    Vec2 low, high; // the corners of the box around it
} Ridge;

typedef struct RiverNetwork { // one block of memory
    int point_count, reach_count;
    RiverPoint *points;
    Reach *reaches;
    int width, height; // cells of the window
    // Of grown networks: the obstacles of rivers, in map units.
    int ridge_count, ridge_point_count;
    Ridge *ridges;
    Vec2 *ridge_points;
    Boundary boundary;
    // The position of the window: its upper left corner and a cell's side in map units. On planets x and y
    // are 0 … 1 as in render: 360° each.
    double left, top, cell;
    bool planet;
    Frame frame;  // of the ground that it is part of; it says more than left, top and cell
    bool watered; // whether points have water
    bool lines;   // each of one altitude, such as contours: no rivers
    // The same exactly, in 2^-120 of the map's side; cell 0: not part of a map.
    Int128 exact_left, exact_top, exact_cell;
} RiverNetwork;

extern const ValueType type_network;

// The area that a reach drains: of its last point but one, since others may join in the last, unless this is
// a mouth.
static inline double network_drained(const RiverNetwork *network, const Reach *reach) {
    return network->points[reach->first + reach->count - (reach->mouth || reach->count == 1 ? 1 : 2)].area;
}

// The same for its water.
static inline float network_water(const RiverNetwork *network, const Reach *reach) {
    return network->points[reach->first + reach->count - (reach->mouth || reach->count == 1 ? 1 : 2)].water;
}

// Files.
Status write_geojson(const Writing *writing, Error *error);
void geojson_begin(const Writing *writing, const Frame *frame); // up to the first feature
Status write_csv(const Writing *writing, Error *error);
Status write_svg(const Writing *writing, Error *error);
void write_open_svg(const Writing *writing); // without the end, so that more may follow

// --- building ----------------------------------------------------------------------------------------------

// Collects points and links; errors are reported at the end.
typedef struct NetworkBuilder {
    struct NetworkNode *nodes;
    int count, room;
    int *table; // from keys to nodes, -1 where empty
    int table_size;
    bool failed;
} NetworkBuilder;

enum { NETWORK_NOWHERE = -1, NETWORK_MOUTH = -2 };

// Returns the node with this key, creating it if needed; `key` 0: a node without a key.
int network_node(NetworkBuilder *builder, uint64_t key, RiverPoint point);

// Says that a node with this key is wanted soon: its place in memory is fetched meanwhile.
void network_expect(const NetworkBuilder *builder, uint64_t key);

// Reserves memory for the given number of nodes, and for their keys.
void network_reserve(NetworkBuilder *builder, int count, bool keys);

// The river flows from one node to the next, or ends at a mouth (NETWORK_MOUTH). The first link counts.
void network_link(NetworkBuilder *builder, int from, int to);

// Builds the network of all nodes, from memory_new, unless `collected`, how collecting them went, is a
// failure; NULL if either fails. Frees the builder. `extra` bytes are added at network_extra.
Status network_finish(NetworkBuilder *builder, Status collected, const Run *run, size_t extra,
                      RiverNetwork **network, Error *error);

// A zeroed network with room for the given numbers of reaches and points and `extra` bytes; NULL if memory
// runs out.
RiverNetwork *network_new(int reaches, int points, size_t extra, Error *error);

void *network_extra(const RiverNetwork *network);

// The further data of a grown network: its size in bytes, and a copy into `to`, whose extra room is at
// least as large.
size_t network_grown_size(const RiverNetwork *network);
void network_copy_grown(RiverNetwork *to, const RiverNetwork *from);

// Whether an untrusted network is consistent: counts, links that end, finite positions. Flags may have any
// byte before and are 0 or 1 afterwards.
bool network_is_valid(RiverNetwork *network);

// Sets the orders of all reaches and the distances of all points.
Status network_settle(RiverNetwork *network, Error *error);

#endif
