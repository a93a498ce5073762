// libpng's memory comes from where the engine's does: counted, limited, and made to fail in tests.

#ifndef ESKER_PNG_MEMORY_H
#define ESKER_PNG_MEMORY_H

#include "core/memory.h"

#include <png.h>

static inline png_voidp png_memory_new(png_structp png, png_alloc_size_t size) {
    (void)png;
    return memory_new(size, 1, NULL);
}

static inline void png_memory_free(png_structp png, png_voidp block) {
    (void)png;
    memory_free(block);
}

#endif
