// Maps of Azgaar's Fantasy Map Generator, as its export to JSON ("Full") has them. Its data model is
// described in docs/architecture/data_model.md of github.com/Azgaar/Fantasy-Map-Generator.
//
// A map is a Voronoi diagram of cells in pixels, y downwards. A cell has a height of 0 to 100; from 20 on it
// is land. What lies below 20 and does not reach the ocean is a lake, a "feature" with a height of its own.
// Towns are "burgs".

#ifndef ESKER_AZGAAR_H
#define ESKER_AZGAAR_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Elements of the same kind, in one block.
typedef struct AzgaarArray {
    void *at;
    int count, room;
} AzgaarArray;

typedef struct AzgaarSlice { // of one of the pools
    int first, count;
} AzgaarSlice;

typedef struct AzgaarPlace {
    double x, y;
} AzgaarPlace;

typedef struct AzgaarCell {
    int number, feature, biome;
    double height;       // 0 … 100
    AzgaarSlice corners; // of `numbers`: vertices around it
    AzgaarSlice place;   // of `places`: one
} AzgaarCell;

typedef struct AzgaarVertex {
    int number; // -1: its place in the list
    AzgaarSlice place;
} AzgaarVertex;

typedef struct AzgaarFeature {
    int number;
    double height; // of a lake's water, as those of cells; NAN: not given
    size_t type, group, name;
    AzgaarSlice corners; // of `numbers`: vertices around it
} AzgaarFeature;

typedef struct AzgaarBurg {
    int number, cell;
    double x, y, population, capital, port;
    bool removed;
    size_t name, group;
} AzgaarBurg;

typedef struct AzgaarRiver {
    int number, parent;
    double discharge, width; // m³/s; pixels at the mouth
    size_t name, type;
    AzgaarSlice cells, points; // of `numbers`, -1 beyond the border; of `places`
} AzgaarRiver;

typedef struct AzgaarRoute {
    int number;
    size_t name, group;
    AzgaarSlice points;
} AzgaarRoute;

typedef struct AzgaarBiome {
    int number; // -1: its place in the list
    size_t name;
} AzgaarBiome;

// Texts are offsets into `texts`; 0 is an empty one.
typedef struct AzgaarInfo {
    size_t version, name;
    double width, height; // pixels; NAN: not given
} AzgaarInfo;

typedef struct AzgaarSettings {
    size_t unit;                                      // of distances: "mi"
    double scale, exponent, population, urbanization; // units a pixel; of heights; people a point
} AzgaarSettings;

typedef struct AzgaarCoordinates {
    double north, south; // latitudes; NAN: not given
} AzgaarCoordinates;

typedef struct Azgaar {
    AzgaarInfo info;
    AzgaarSettings settings;
    AzgaarCoordinates coordinates;
    // Cells and vertices have their number as index; all others rise by it.
    AzgaarArray cells, vertices, features, burgs, rivers, routes, biomes;
    AzgaarArray numbers, places, texts; // pools: int, AzgaarPlace, char
} Azgaar;

// Reads a whole file. All indices of cells and vertices are within bounds, all numbers are finite. The caller
// frees *map with azgaar_free, also after a failure.
Status azgaar_read(FILE *from, const char *path, Azgaar **map, Error *error);
void azgaar_free(Azgaar *map); // NULL is allowed

static inline const char *azgaar_text(const Azgaar *map, size_t text) {
    return (const char *)map->texts.at + text;
}

static inline const AzgaarCell *azgaar_cells(const Azgaar *map) {
    return map->cells.at;
}

static inline const AzgaarPlace *azgaar_places(const Azgaar *map, AzgaarSlice slice) {
    return (const AzgaarPlace *)map->places.at + slice.first;
}

static inline const int *azgaar_numbers(const Azgaar *map, AzgaarSlice slice) {
    return (const int *)map->numbers.at + slice.first;
}

static inline AzgaarPlace azgaar_vertex(const Azgaar *map, int vertex) {
    return *azgaar_places(map, ((const AzgaarVertex *)map->vertices.at)[vertex].place);
}

#endif
