// What game engines import as terrain: sizes, file, order of rows, and import settings.

#ifndef ESKER_EXPORT_H
#define ESKER_EXPORT_H

#include "core/operation.h"
#include "file/whole_file.h"
#include "places/shapes.h"
#include "rivers/network.h"

#include <stdbool.h>
#include <stdio.h>

enum { ENGINE_SIZES = 8 };

// Where the points of a terrain lie in the field's cells, along a side. Nodes are cells themselves: each
// covers its share of the field. Vertices are points, and the outermost are the middles of the outermost
// cells: so neighbours that share these cells share the vertices, at every size.
typedef struct Spacing {
    double first; // the place of the first point, 0.5 for the middle of the first cell
    double cells; // from one point to the next
} Spacing;

typedef struct Ground { // what was exported
    int size;           // points along a side
    double cell, row;   // metres between points of a row, and between rows
    Spacing spacing;
    double low, high; // metres, of the least and largest number in the file
    double sea;       // metres, of the sea
    double metres;    // of a height of 1
    bool mask;
    double left, top; // the cell of a larger terrain where it begins
    bool part;        // whether it is a part of that: nothing of the other parts belongs to it
    bool ends;        // there is nothing beyond the outermost vertices, as there is in nodes, and in a tile
                      // that reaches to its neighbour's first vertices
    const char *file; // its name
} Ground;

// The engine's coordinates of what lies on a terrain. `first` is the terrain's vertex in the north-west; from
// one vertex to the next in its row the first coordinate grows by `across`, to the next row the second by
// `down`. An altitude of a metre is `up`.
typedef struct Axes {
    double first[2], across, down, up;
    const char *names; // of the coordinates, and what their unit is
} Axes;

typedef struct Engine {
    int sizes[ENGINE_SIZES]; // points along a side, ascending, ended by 0; none: any
    const char *ending;      // of the file of heights
    bool south_first;        // the file begins with the southernmost row
    int tiles[ENGINE_SIZES]; // points along a tile of a larger terrain that shares none with its neighbours
    int most_tiles;          // along a side of a terrain; 0: any number
    bool shares;             // tiles of these `sizes` share a row of points with their neighbours
    const char *place;       // how a tile is named after the terrain's name: its column and its row
    bool nodes;              // heights are whole numbers of cells, 32768 at 0
    bool squares;            // rows are as far apart as points
    void (*note)(FILE *stream, const Ground *ground);
    Axes (*axes)(const Ground *ground);
} Engine;

enum { UNREAL, UNITY, GODOT, MINETEST, ENGINE_COUNT };

extern const Engine engines[ENGINE_COUNT];

// The size for `width` × `height` cells: `wanted`, if the engine takes it. If `wanted` is 0, the smallest
// size that keeps all cells, or the largest.
Status engine_size(const Engine *engine, int wanted, int width, int height, int *size, Error *error);

// Checks the size of a tile of a larger terrain that shares `overlap` rows of points with its neighbours.
Status engine_check_tile(const Engine *engine, int size, int overlap, Error *error);

// Of `size` points along `from` cells.
Spacing engine_spacing(const Engine *engine, int from, int size);

// Where the neighbours of a tile lie.
void engine_note_tiles(const Engine *engine, const Ground *ground, int overlap, FILE *stream);

// What stands beside places in the engine's coordinates.
void engine_note_places(const Axes *axes, const Ground *ground, FILE *stream);

// The sides of what is exported, in cells, and where it lies.
typedef struct Extent {
    int width, height;
    const Frame *frame;
} Extent;

Extent export_extent(const Input *what);

// The lowest and highest altitude of points, lines, polygons or a network; 0 and 0 of none.
void export_altitudes(const Input *what, double *low, double *high);

// Opens NAME.geojson and writes points, lines, polygons or a network to it, in the engine's coordinates;
// points to NAME.csv beside it as well. The caller closes the file, unless that fails.
Status export_shapes(const Call *call, const char *stem, const Ground *ground, const Axes *axes,
                     WholeFile *file, Error *error);

// What belongs to a terrain, in cells: up to its outermost vertices, or to its neighbour's first ones.
typedef struct Box {
    double left, top, right, bottom;
} Box;

Box export_box(const Ground *ground);

// Networks, lines and polygons (`rings`) without what lies beyond the terrain's outermost vertices. *cut is
// freed by the caller, by memory_free or shapes_free, also after a failure.
Status export_cut_network(const RiverNetwork *from, const Box *box, RiverNetwork **cut, Error *error);
Status export_cut_shapes(const Shapes *from, bool rings, const Box *box, Shapes **cut, Error *error);

// How many of some points, lines or polygons are cut at the edge of a terrain that covers `land` and ends at
// `box`, and how many it leaves out. Networks, which may run beside it, have none.
typedef struct CutCount {
    int all, cut, left_out;
} CutCount;
Status export_count_cut(const Input *what, const Box *land, const Box *box, CutCount *count, Error *error);

// A picture whose pixels are the terrain's vertices, `size` a side. Freed by image_free.
Status export_picture(const Image *from, int size, Spacing spacing, Image *made, Error *error);

// The control map of Terrain3D, of the shares of its textures 0 to 3 in red, green, blue and alpha: the
// numbers' bits are what the engine reads. Freed by field_free.
Status export_control(const Image *shares, Field *control, Error *error);

#endif
