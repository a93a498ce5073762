// The two methods of hydraulic erosion and their parameters.

#ifndef ESKER_HYDRAULIC_EROSION_H
#define ESKER_HYDRAULIC_EROSION_H

#include "core/operation.h"

typedef struct HydraulicErosion {
    int method, iterations;
    double rain, solubility, evaporation, capacity; // K_r, K_s, K_e, K_c
    const Field *mask;
} HydraulicErosion;

enum { HYDRAULIC_FAST, HYDRAULIC_REFERENCE };

Status hydraulic_fast(const Call *call, Error *error);
Status hydraulic_reference(const Call *call, Error *error);

#endif
