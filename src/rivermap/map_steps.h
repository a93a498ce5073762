// How a map was made: the call of each operation, from river_map to the last edit, as JSON. A file of them
// makes the same map again (exchange/map_files.c), in any process, without the recipe that made it.

#ifndef ESKER_MAP_STEPS_H
#define ESKER_MAP_STEPS_H

#include "core/operation.h"

#include <stdio.h>

typedef struct MapStep MapStep;

// The ground of the land before, which an edit has found below each of its shapes. To find it takes longer
// than all else that an edit does, so files have it.
typedef struct EditGround {
    double height;      // its mean, in sides of cells of the last graded level,
    double least;       // and the lowest below a crater's rim
    double east, south; // how it rises, in heights per side of the land
} EditGround;

enum { GROUND_NUMBERS = sizeof(EditGround) / sizeof(double) };

typedef struct EditGrounds {
    int count;
    EditGround at[];
} EditGrounds;

// The step of a call after those of `before`, which may be NULL; NULL if memory runs out. `grounds`: what it
// found; NULL: nothing.
MapStep *map_step_new(MapStep *before, const Operation *operation, const Call *call, const void *params,
                      const EditGrounds *grounds, Error *error);

// Steps are shared by the maps that are made from one; NULL is allowed.
MapStep *map_step_keep(MapStep *step);
void map_step_free(MapStep *step);

// A list of all steps. Fails with STATUS_INVALID where one has an argument that no file can hold.
Status map_steps_write(const MapStep *last, FILE *to, Error *error);

// The value of such an argument: its bytes, in base 64.
Status map_step_value(const ValueType *type, const char *text, void *held, Error *error);

#endif
