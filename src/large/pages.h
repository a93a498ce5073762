// The bytes of a plane in any order: those that were used last are in memory.

#ifndef ESKER_PAGES_H
#define ESKER_PAGES_H

#include "large/plane.h"

#include <stdbool.h>

enum { PAGE_BITS = 16, PAGE_BYTES = 1 << PAGE_BITS };

typedef struct Page {
    size_t number; // of the plane
    bool used;     // since the hand passed
    bool changed;
} Page;

typedef struct Pages {
    Plane *plane;
    uint32_t *place; // of each page of the plane: in memory, from 1 on, or 0
    Page *at;
    uint8_t *bytes;
    uint32_t count, room, hand; // pages in memory; the next one that may go
} Pages;

// For a plane of bytes, with at most `room` of its pages in memory. Freed by pages_free, also after a
// failure.
Status pages_create(Pages *pages, Plane *plane, uint32_t room, Error *error);
void pages_free(Pages *pages);

// Brings a page into memory; its place, or -1 with `error` filled.
int64_t pages_fetch(Pages *pages, size_t number, Error *error);

// Writes what was changed.
Status pages_flush(Pages *pages, Error *error);

// The byte at `at`, valid until the next call; NULL with `error` filled where the file cannot be read.
static inline uint8_t *pages_byte(Pages *pages, size_t at, Error *error) {
    const uint32_t known = pages->place[at >> PAGE_BITS];
    const int64_t place = known ? (int64_t)known - 1 : pages_fetch(pages, at >> PAGE_BITS, error);
    if (place < 0)
        return NULL;
    pages->at[place].used = true;
    return pages->bytes + ((size_t)place << PAGE_BITS) + (at & (PAGE_BYTES - 1));
}

// Says that the byte, of a page in memory, was changed.
static inline void pages_change(Pages *pages, size_t at) {
    pages->at[pages->place[at >> PAGE_BITS] - 1].changed = true;
}

// Copies `size` bytes from `at` on.
Status pages_copy(Pages *pages, size_t at, size_t size, uint8_t *to, Error *error);

#endif
