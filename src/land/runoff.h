// The mean runoff of what drains through a cell, which streams carry beside their area (internal to
// src/land, and read by what draws land): what flows through it is the product of both.

#ifndef ESKER_RUNOFF_H
#define ESKER_RUNOFF_H

#include "core/math.h"
#include "land/land.h"

#include <stdint.h>
#include <string.h>

// In 16 bits: a float with 5 bits of exponent and 11 of mantissa, so runoffs from 2^-14 to 2^17 mm a year are
// off by 1/4096 at most. Less is none.
enum { RUNOFF_UNKNOWN = 0, RUNOFF_NONE = 1, RUNOFF_SHIFT = 12 };
#define RUNOFF_BASE (UINT32_C(113) << 23) // the bits of 2^-14

// In mm a year.
static inline float runoff_of(uint16_t code) {
    const uint32_t bits = RUNOFF_BASE + ((uint32_t)code << RUNOFF_SHIFT);
    float runoff;
    memcpy(&runoff, &bits, sizeof runoff);
    return code > RUNOFF_NONE ? runoff : 0;
}

// The nearest code. `runoff`: not NaN.
static inline uint16_t runoff_code(float runoff) {
    uint32_t bits;
    if (!(runoff > 0x1.002p-14f))
        return RUNOFF_NONE;
    memcpy(&bits, &runoff, sizeof bits);
    const uint32_t code = (bits - RUNOFF_BASE + (UINT32_C(1) << (RUNOFF_SHIFT - 1))) >> RUNOFF_SHIFT;
    return (uint16_t)(code < UINT16_MAX ? code : UINT16_MAX);
}

// Rivers of a watered land are as wide as those of one that is not where USUAL_RUNOFF runs off, the mean of
// the earth's land, in mm a year. More than WETTEST times as much makes none wider, less than WADI_RUNOFF
// none narrower.
#define USUAL_RUNOFF 300.0f
#define WETTEST 16.0f
#define WADI_RUNOFF 30.0f

// By how much more a river drains that is as wide where USUAL_RUNOFF runs off.
static inline float runoff_share(uint16_t code) {
    return clamp(runoff_of(code), WADI_RUNOFF, WETTEST * USUAL_RUNOFF) / USUAL_RUNOFF;
}

// What runs off the ground at a cell of a level, in mm a year; INFINITY: the land does not know it yet.
float land_local_runoff(const Land *land, int level, int face, Int128 x, Int128 y);

#endif
