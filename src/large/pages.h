// The cells of a grid in any order: squares of them that were used last are in memory, the others in a plane,
// or in room of their own. The page that goes is the first that was not used since the hand last passed it
// (the "clock" algorithm).

#ifndef ESKER_PAGES_H
#define ESKER_PAGES_H

#include "large/large.h"

#include <stdbool.h>
#include <stdint.h>

enum { PAGE_BITS = 8, PAGE_SIDE = 1 << PAGE_BITS, PAGE_CELLS = PAGE_SIDE * PAGE_SIDE };

typedef struct Page {
    uint32_t number; // row by row
    bool used;       // since the hand passed
    bool changed;
} Page;

// Sets the cells of a page, rows of PAGE_SIDE, that is needed for the first time.
typedef Status (*PageBegin)(void *context, uint32_t number, void *cells, Error *error);

typedef struct Pages {
    Plane *plane;
    size_t cell;     // bytes of one
    uint32_t across; // pages in a row of them
    uint32_t all;    // pages of the grid
    uint32_t *place; // of each page of the grid: in memory, from 1 on, or 0
    Page *at;
    uint8_t *bytes;
    uint32_t count, room, hand; // pages in memory; the next one that may go
    ScratchRange own;           // without a plane: room for all pages, one after the other
    PageBegin begin;
    void *context;
    bool *is_written; // of each page of the grid
} Pages;

static inline uint32_t page_number(const Pages *pages, int x, int y) {
    return ((uint32_t)y >> PAGE_BITS) * pages->across + ((uint32_t)x >> PAGE_BITS);
}

// Brings a page into memory; its place, or -1 with `error` filled.
int64_t pages_fetch(Pages *pages, uint32_t number, Error *error);

// The cell at (x, y), valid until the next call; NULL with `error` filled where the file cannot be read.
static inline void *pages_cell(Pages *pages, int x, int y, Error *error) {
    const uint32_t number = page_number(pages, x, y), known = pages->place[number];
    const int64_t place = known ? (int64_t)known - 1 : pages_fetch(pages, number, error);
    if (place < 0)
        return NULL;
    pages->at[place].used = true;
    const size_t row = (size_t)(y & (PAGE_SIDE - 1)) << PAGE_BITS, column = (size_t)(x & (PAGE_SIDE - 1));
    return pages->bytes + ((size_t)place * PAGE_CELLS + row + column) * pages->cell;
}

// Says that the cell, of a page in memory, was changed.
static inline void pages_change(Pages *pages, int x, int y) {
    pages->at[pages->place[page_number(pages, x, y)] - 1].changed = true;
}

// For a plane, with at most `room` of its pages in memory. Freed by pages_free, also after a failure.
Status pages_create(Pages *pages, Plane *plane, uint32_t room, Error *error);
void pages_free(Pages *pages);

// For a grid without a plane: pages are begun where they are first needed, and take room on the disk only
// once they have left memory.
Status pages_create_own(Pages *pages, int width, int height, size_t cell, uint32_t room, PageBegin begin,
                        void *context, Error *error);

// Forgets all cells of such a grid.
void pages_forget(Pages *pages);

// Writes what was changed to the plane.
Status pages_flush(Pages *pages, Error *error);

#endif
