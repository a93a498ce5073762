// Spectral noise: a sum of octaves of interpolated lattices.

#ifndef ESKER_SPECTRAL_H
#define ESKER_SPECTRAL_H

#include "core/field.h"
#include "core/parallel.h"
#include "core/summary.h"

typedef enum SpectralInterpolation { SPECTRAL_LINEAR, SPECTRAL_CUBIC, SPECTRAL_SPLINE } SpectralInterpolation;

typedef struct Spectral {
    double persistence;
    int octaves, lattice, interpolation; // as the operation's parameters
} Spectral;

// Sets the cells of a field, whose opposite edges meet then, to the sum, whatever its range is: `bounds`.
Status spectral_sum(const Run *run, const Spectral *spectral, uint64_t seed, Field *field, Bounds *bounds,
                    Error *error);

#endif
