// Elementary functions. Those of the C library differ in the last bit between processors and versions;
// these use only correctly rounded operations (+ - * / sqrt) and give the same bits everywhere. Absolute or
// relative error below 1e-14 over the stated ranges.

#ifndef ESKER_ELEMENTARY_H
#define ESKER_ELEMENTARY_H

#define PI 3.14159265358979323846

double sine(double radians); // |radians| up to 1e6
double cosine(double radians);
double arctangent2(double y, double x); // -PI … PI
double exponential(double x);           // 0 below -745, infinity above 709.78
double logarithm(double x);             // natural; -infinity at 0, NaN below

// base^exponent as the C library's pow: NaN for a negative base and a fractional exponent. Integer
// exponents up to 64 in magnitude use repeated multiplication, which is exact if the result is
// representable.
double power(double base, double exponent);

// (float)power((double)base[i], (double)exponent[i]) for many, the same bits in a tenth of the time.
void powers(float *restrict out, const float *restrict base, const float *restrict exponent, int count);

// The same for one whole exponent, -64 … 64.
void whole_powers(float *restrict out, const float *restrict base, int exponent, int count);

#endif
