// How a map was made: the call of each operation, from river_map to the last edit, as JSON. A file of them
// makes the same map again (exchange/map_files.c), in any process, without the recipe that made it.

#ifndef ESKER_MAP_STEPS_H
#define ESKER_MAP_STEPS_H

#include "core/operation.h"

#include <stdio.h>

typedef struct MapStep MapStep;

// The step of a call after those of `before`, which may be NULL; NULL if memory runs out.
MapStep *map_step_new(MapStep *before, const Operation *operation, const Call *call, const void *params,
                      Error *error);

// Steps are shared by the maps that are made from one; NULL is allowed.
MapStep *map_step_keep(MapStep *step);
void map_step_free(MapStep *step);

// A list of all steps. Fails with STATUS_INVALID where one has an argument that no file can hold.
Status map_steps_write(const MapStep *last, FILE *to, Error *error);

// The value of such an argument: its bytes, in base 64.
Status map_step_value(const ValueType *type, const char *text, void *held, Error *error);

#endif
