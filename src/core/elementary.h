// Elementary functions. Those of the C library differ in the last bit between processors and versions;
// these use only correctly rounded operations (+ - * / sqrt) and give the same bits everywhere. Absolute or
// relative error below 1e-14 over the stated ranges.

#ifndef ESKER_ELEMENTARY_H
#define ESKER_ELEMENTARY_H

#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

double sine(double radians); // |radians| up to 1e6
double cosine(double radians);
double arctangent2(double y, double x); // -PI … PI
double exponential(double x);           // 0 below -745, infinity above 709.78
double logarithm(double x);             // natural; -infinity at 0, NaN below

// base^exponent as the C library's pow: NaN for a negative base and a fractional exponent.
double power(double base, double exponent);

// (float)power((double)base[i], (double)exponent[i]) for many, the same bits in a fraction of the time.
void powers(float *restrict out, const float *restrict base, const float *restrict exponent, int count);

// The same with one exponent for all.
void powers_of_one(float *restrict out, const float *restrict base, float exponent, int count);

// Whole and half exponents up to this size take a root and repeated multiplication, which are exact if the
// result is representable.
#define HALF_POWER_MAX 64
static inline bool power_is_half(double exponent) {
    return 2 * exponent == floor(2 * exponent) && fabs(exponent) <= HALF_POWER_MAX;
}

// The same for one of these: halves / 2.
void half_powers(float *restrict out, const float *restrict base, int halves, int count);

#endif
