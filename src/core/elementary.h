// Our own elementary functions. Those of the C library differ between processors and versions in the last
// bit; these use only correctly rounded operations (+ - * / sqrt) and give the same bits everywhere.
// Absolute or relative error below 1e-14 over the stated ranges.

#ifndef ESKER_ELEMENTARY_H
#define ESKER_ELEMENTARY_H

#define PI 3.14159265358979323846

double sine(double radians); // |radians| up to 1e6
double cosine(double radians);
double arctangent2(double y, double x); // -PI … PI
double exponential(double x);           // 0 below -745, infinity above 709.78
double logarithm(double x);             // natural; -infinity at 0, not a number below

// base^exponent as the C library's pow: not a number for a negative base and a fractional exponent. Whole
// exponents up to 64 in magnitude are repeated multiplication, hence exact where the result is.
double power(double base, double exponent);

#endif
