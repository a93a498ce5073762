// libpng uses the engine's memory functions: counted, limited, and made to fail in tests. libpng's messages
// do not always say that memory ran out; the flag of these functions does.

#ifndef ESKER_PNG_MEMORY_H
#define ESKER_PNG_MEMORY_H

#include "core/memory.h"

#include <png.h>
#include <stdbool.h>

static inline png_voidp png_memory_new(png_structp png, png_alloc_size_t size) {
    void *block = memory_new(size, 1, NULL);
    if (!block)
        *(bool *)png_get_mem_ptr(png) = true;
    return block;
}

static inline void png_memory_free(png_structp png, png_voidp block) {
    (void)png;
    memory_free(block);
}

#endif
