#include "land/level.h"

#include "core/memory.h"

void *cells_new(size_t count, size_t size, Error *error) {
    if (count > SIZE_MAX / 4) // rounding up would overflow
        return memory_new(count, size, error);
    size_t unit = 1;
    while (16 * unit < count)
        unit *= 2;
    return memory_new_or_larger((count + unit - 1) / unit * unit, size, error);
}

Status window_create(LandWindow *window, bool watered, Error *error) {
    const size_t count = memory_count(window->width, window->height);
    window->altitude = cells_new(count, sizeof *window->altitude, error);
    window->area = cells_new(count, sizeof *window->area, error);
    window->receiver = cells_new(count, sizeof *window->receiver, error);
    window->runoff = watered ? cells_new(count, sizeof *window->runoff, error) : NULL;
    return window->altitude && window->area && window->receiver && (window->runoff || !watered)
               ? STATUS_OK
               : STATUS_MEMORY;
}

void land_window_free(LandWindow *window) {
    memory_free(window->altitude);
    memory_free(window->area);
    memory_free(window->receiver);
    memory_free(window->runoff);
    window->altitude = NULL;
    window->area = NULL;
    window->receiver = NULL;
    window->runoff = NULL;
}
