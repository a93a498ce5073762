// What game engines import as terrain: sizes, file, order of rows, and import settings.

#ifndef ESKER_EXPORT_H
#define ESKER_EXPORT_H

#include "core/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { ENGINE_SIZES = 8 };

typedef struct Ground { // what was exported
    int size;           // points along a side
    double cell, row;   // metres between points of a row, and between rows
    double low, high;   // metres, of the least and largest number in the file
    double sea;         // metres, of the sea
    bool mask;
    const char *file; // its name
} Ground;

typedef struct Engine {
    int sizes[ENGINE_SIZES]; // points along a side, ascending, ended by 0; none: any
    const char *ending;      // of the file of heights
    bool south_first;        // the file begins with the southernmost row
    bool nodes;              // heights are whole numbers of cells, 32768 at 0
    bool squares;            // rows are as far apart as points
    void (*note)(FILE *stream, const Ground *ground);
} Engine;

enum { UNREAL, UNITY, GODOT, MINETEST, ENGINE_COUNT };

extern const Engine engines[ENGINE_COUNT];

// The size for `width` × `height` cells: `wanted`, if the engine takes it. If `wanted` is 0, the smallest
// size that keeps all cells, or the largest.
Status engine_size(const Engine *engine, int wanted, int width, int height, int *size, Error *error);

#endif
