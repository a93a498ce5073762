#include "tiles/byte_buffer.h"

#include "core/memory.h"

#include <string.h>

static void grow(Growing *to, size_t count) {
    const size_t room = 2 * (to->count + count) + 1024;
    unsigned char *at = to->failed ? NULL : memory_new(room, 1, NULL);
    to->failed = !at;
    if (!at)
        return;
    if (to->count > 0)
        memcpy(at, to->at, to->count);
    memory_free(to->at);
    to->at = at;
    to->room = room;
}

void growing_put(Growing *to, const void *bytes, size_t count) {
    if (to->room - to->count < count)
        grow(to, count);
    if (to->failed || count == 0)
        return;
    memcpy(to->at + to->count, bytes, count);
    to->count += count;
}

void growing_free(Growing *growing) {
    memory_free(growing->at);
    *growing = (Growing){ 0 };
}
