// D-infinity (Tarboton 1997, "A new method for the determination of flow directions and upslope areas in grid
// digital elevation models"): water flows down the steepest of the eight triangles around a cell, and parts
// between the two neighbours there by the angle of the slope.

#ifndef ESKER_PARTED_FLOW_H
#define ESKER_PARTED_FLOW_H

#include "water/drainage.h"

// Turns the directions of a drainage into those of D-infinity. `second` gets the other neighbour into which a
// cell drains, or NO_SECOND (downstream.h), `share` what of 65535 goes there. Flats, the border and the sea
// keep their directions.
Status part_flow(const Run *run, const Drainage *drainage, uint16_t *share, uint8_t *second);

#endif
