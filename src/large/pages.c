#include "large/pages.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

static uint8_t *page_bytes(const Pages *pages, uint32_t place) {
    return pages->bytes + (size_t)place * PAGE_CELLS * pages->cell;
}

static Status create(Pages *pages, int width, int height, size_t cell, uint32_t room, Error *error) {
    const uint32_t across = ((uint32_t)width + PAGE_SIDE - 1) >> PAGE_BITS;
    const uint32_t all = across * (((uint32_t)height + PAGE_SIDE - 1) >> PAGE_BITS);
    const uint32_t most = min(room, all);
    *pages = (Pages){ .cell = cell, .across = across, .all = all, .room = most };
    return (pages->place = memory_new_zeroed(all, sizeof *pages->place, error)) &&
                   (pages->at = memory_new_zeroed(most, sizeof *pages->at, error)) &&
                   (pages->bytes = memory_new(most, PAGE_CELLS * cell, error))
               ? STATUS_OK
               : STATUS_MEMORY;
}

Status pages_create(Pages *pages, Plane *plane, uint32_t room, Error *error) {
    const Status status = create(pages, plane->width, plane->height, plane->cell, room, error);
    pages->plane = plane;
    return status;
}

Status pages_create_own(Pages *pages, int width, int height, size_t cell, uint32_t room, PageBegin begin,
                        void *context, Error *error) {
    const Status status = create(pages, width, height, cell, room, error);
    pages->begin = begin;
    pages->context = context;
    if (status != STATUS_OK)
        return status;
    if (!(pages->is_written = memory_new_zeroed(pages->all, sizeof *pages->is_written, error)))
        return STATUS_MEMORY;
    return scratch_take((int64_t)pages->all * PAGE_CELLS * (int64_t)cell, &pages->own, error);
}

void pages_forget(Pages *pages) {
    for (uint32_t i = 0; i < pages->count; i++)
        pages->place[pages->at[i].number] = 0;
    pages->count = pages->hand = 0;
    if (!memchr(pages->is_written, 1, pages->all))
        return;
    memset(pages->is_written, 0, pages->all);
    scratch_discard(pages->own);
}

void pages_free(Pages *pages) {
    scratch_give_back(&pages->own);
    memory_free(pages->is_written);
    memory_free(pages->place);
    memory_free(pages->at);
    memory_free(pages->bytes);
}

// Reads or writes the rows of a plane's page, of which the last ones may be narrower, and fewer.
static Status move_rows(const Pages *pages, uint32_t place, bool writes, Error *error) {
    const Plane *plane = pages->plane;
    const uint32_t number = pages->at[place].number;
    const size_t left = (size_t)(number % pages->across) << PAGE_BITS, top = (size_t)(number / pages->across)
                                                                             << PAGE_BITS;
    const size_t wide = min((size_t)plane->width - left, (size_t)PAGE_SIDE),
                 high = min((size_t)plane->height - top, (size_t)PAGE_SIDE);
    Status status = STATUS_OK;
    for (size_t row = 0; row < high && status == STATUS_OK; row++) {
        const size_t at = ((top + row) * (size_t)plane->width + left) * plane->cell,
                     size = wide * plane->cell;
        uint8_t *bytes = page_bytes(pages, place) + (row << PAGE_BITS) * plane->cell;
        status = writes ? plane_write_bytes(plane, at, size, bytes, error)
                        : plane_read_bytes(plane, at, size, bytes, error);
    }
    return status;
}

static Status move_page(const Pages *pages, uint32_t place, bool writes, Error *error) {
    if (pages->plane)
        return move_rows(pages, place, writes, error);
    const size_t size = PAGE_CELLS * pages->cell;
    const int64_t at = pages->own.start + (int64_t)pages->at[place].number * (int64_t)size;
    return writes ? scratch_write(at, size, page_bytes(pages, place), error)
                  : scratch_read(at, size, page_bytes(pages, place), error);
}

static Status write_back(Pages *pages, uint32_t place, Error *error) {
    if (!pages->at[place].changed)
        return STATUS_OK;
    pages->at[place].changed = false;
    if (pages->begin)
        pages->is_written[pages->at[place].number] = true;
    return move_page(pages, place, true, error);
}

// A place for a page: a free one, or that of the page that goes.
static Status find_place(Pages *pages, uint32_t *place, Error *error) {
    if (pages->count < pages->room) {
        *place = pages->count++;
        return STATUS_OK;
    }
    while (pages->at[pages->hand].used) {
        pages->at[pages->hand].used = false;
        pages->hand = (pages->hand + 1) % pages->room;
    }
    *place = pages->hand;
    const Status status = write_back(pages, *place, error);
    pages->place[pages->at[*place].number] = 0;
    pages->hand = (pages->hand + 1) % pages->room;
    return status;
}

static Status fill_page(const Pages *pages, uint32_t place, Error *error) {
    const uint32_t number = pages->at[place].number;
    if (!pages->begin || pages->is_written[number])
        return move_page(pages, place, false, error);
    pages->at[place].changed = true;
    return pages->begin(pages->context, number, page_bytes(pages, place), error);
}

int64_t pages_fetch(Pages *pages, uint32_t number, Error *error) {
    uint32_t place = 0;
    if (find_place(pages, &place, error) != STATUS_OK)
        return -1;
    pages->at[place] = (Page){ .number = number };
    if (fill_page(pages, place, error) != STATUS_OK)
        return -1;
    pages->place[number] = place + 1;
    return place;
}

Status pages_flush(Pages *pages, Error *error) {
    Status status = STATUS_OK;
    for (uint32_t i = 0; i < pages->count && status == STATUS_OK; i++)
        status = write_back(pages, i, error);
    return status;
}
