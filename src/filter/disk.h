// The cells around one whose middles lie within a radius, as sums of steps (core/step_max.h).

#ifndef ESKER_DISK_H
#define ESKER_DISK_H

#include "core/step_max.h"

typedef struct Disk {
    Step first;
    Step *steps, *others;
    int step_count, other_count;
} Disk;

// Free with disk_free, even if it fails.
Status disk_create(Disk *disk, double radius, int reach, Error *error);
void disk_free(Disk *disk);

#endif
