// Counter-based random numbers: each is a pure function of (seed, stream, x, y), so the result does not
// depend on the thread or the order of calls. Streams separate the uses of one seed inside an algorithm
// (the octaves of a noise, the two axes of a displacement). Only 32-bit operations are used, so that loops
// vectorise.

#ifndef ESKER_RANDOM_H
#define ESKER_RANDOM_H

#include <stdint.h>
#include <string.h>

typedef struct RandomKey {
    uint32_t first, second;
} RandomKey;

// A 64-bit finaliser (Stafford's mix 13): every input bit changes every output bit with probability one half.
static inline uint64_t mix64(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

// One step of a hash over numbers, by their bits.
static inline uint64_t mix_number(uint64_t hash, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return mix64(hash ^ bits) + 1;
}

static inline RandomKey random_key(uint64_t seed, uint32_t stream) {
    const uint64_t bits = mix64(mix64(seed + UINT64_C(0x9e3779b97f4a7c15)) + stream);
    return (RandomKey){ (uint32_t)bits, (uint32_t)(bits >> 32) };
}

// 32 random bits at (x, y): two rounds of a multiply-and-shift hash (constants: Ettinger's lowbias32), with
// the second coordinate and half of the key added between them.
static inline uint32_t random_bits(RandomKey key, uint32_t x, uint32_t y) {
    uint32_t bits = x ^ key.first;
    bits = (bits ^ (bits >> 16)) * UINT32_C(0x7feb352d);
    bits = (bits ^ (bits >> 15)) * UINT32_C(0x846ca68b);
    bits = (bits ^ (bits >> 16)) + y * UINT32_C(0x9e3779b1) + key.second;
    bits = (bits ^ (bits >> 16)) * UINT32_C(0x7feb352d);
    bits = (bits ^ (bits >> 15)) * UINT32_C(0x846ca68b);
    return bits ^ (bits >> 16);
}

// Uniform in [0, 1): 24 bits, so that every value is exact in a float.
static inline float random_unit(RandomKey key, uint32_t x, uint32_t y) {
    return (float)(int32_t)(random_bits(key, x, y) >> 8) * 0x1p-24f;
}

// Uniform in [-1, 1).
static inline float random_signed(RandomKey key, uint32_t x, uint32_t y) {
    return (float)((int32_t)random_bits(key, x, y) >> 8) * 0x1p-23f;
}

#endif
