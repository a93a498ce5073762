// The page that goes is the first that was not used since the hand last passed it (the "clock" algorithm).

#include "large/pages.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

static size_t plane_size(const Plane *plane) {
    return plane_row(plane) * (size_t)plane->height;
}

static size_t page_size(const Pages *pages, size_t number) {
    return min(plane_size(pages->plane) - (number << PAGE_BITS), (size_t)PAGE_BYTES);
}

static uint8_t *page_bytes(const Pages *pages, uint32_t place) {
    return pages->bytes + ((size_t)place << PAGE_BITS);
}

Status pages_create(Pages *pages, Plane *plane, uint32_t room, Error *error) {
    const size_t all = (plane_size(plane) + PAGE_BYTES - 1) >> PAGE_BITS;
    const size_t most = min((size_t)room, all);
    *pages = (Pages){ .plane = plane, .room = (uint32_t)most };
    return (pages->place = memory_new_zeroed(all, sizeof *pages->place, error)) &&
                   (pages->at = memory_new_zeroed(most, sizeof *pages->at, error)) &&
                   (pages->bytes = memory_new(most, PAGE_BYTES, error))
               ? STATUS_OK
               : STATUS_MEMORY;
}

void pages_free(Pages *pages) {
    memory_free(pages->place);
    memory_free(pages->at);
    memory_free(pages->bytes);
}

static Status write_back(Pages *pages, uint32_t place, Error *error) {
    Page *page = &pages->at[place];
    if (!page->changed)
        return STATUS_OK;
    page->changed = false;
    return plane_write_bytes(pages->plane, page->number << PAGE_BITS, page_size(pages, page->number),
                             page_bytes(pages, place), error);
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

int64_t pages_fetch(Pages *pages, size_t number, Error *error) {
    uint32_t place = 0;
    if (find_place(pages, &place, error) != STATUS_OK)
        return -1;
    pages->at[place] = (Page){ .number = number };
    if (plane_read_bytes(pages->plane, number << PAGE_BITS, page_size(pages, number),
                         page_bytes(pages, place), error) != STATUS_OK)
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

Status pages_copy(Pages *pages, size_t at, size_t size, uint8_t *to, Error *error) {
    for (size_t done = 0, part; done < size; done += part) {
        const uint8_t *from = pages_byte(pages, at + done, error);
        if (!from)
            return STATUS_FILE;
        part = min(size - done, PAGE_BYTES - ((at + done) & (PAGE_BYTES - 1)));
        memcpy(to + done, from, part);
    }
    return STATUS_OK;
}
