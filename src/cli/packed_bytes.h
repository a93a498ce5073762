// Little-endian numbers, one after another: each function gives the place after its own.

#ifndef ESKER_PACKED_BYTES_H
#define ESKER_PACKED_BYTES_H

#include <lua.h>
#include <stdint.h>
#include <string.h>

static inline unsigned char *put_name(unsigned char *to, const char name[4]) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)name[i];
    return to + 4;
}

static inline unsigned char *put_u16(unsigned char *to, unsigned value) {
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
    return to + 2;
}

static inline unsigned char *put_u32(unsigned char *to, uint32_t value) {
    return put_u16(put_u16(to, value & 0xffff), value >> 16);
}

static inline unsigned char *put_f32(unsigned char *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_u32(to, bits);
}

static inline unsigned char *put_f64(unsigned char *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_u32(put_u32(to, (uint32_t)bits), (uint32_t)(bits >> 32));
}

// --- packed_shapes.c ---------------------------------------------------------------------------------------

int pack_lines(lua_State *L);
int pack_mesh(lua_State *L);

#endif
