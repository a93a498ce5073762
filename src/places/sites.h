// Building sites at points: disks, each at one height.

#ifndef ESKER_SITES_H
#define ESKER_SITES_H

#include "core/parallel.h"
#include "places/points.h"

typedef struct Sites {
    const Field *ground;
    bool wraps;   // whether its edges meet
    double level; // of all sites; NaN: each at the mean of its ground, but no lower than `sea_level`
    double sea_level;
    double radius;  // of points that have none of their own, in cells
    bool own_radii; // otherwise all have `radius`
    double edge;    // how far sites reach beyond their disks, in cells
} Sites;

// Gives each cell the level of the sites that reach it, and the square of its distance to the nearest disk,
// in cells. `weights` is room to work.
Status sites_find(const Run *run, const Sites *sites, const Points *points, Field *levels, Field *weights,
                  Field *squared, Error *error);

#endif
