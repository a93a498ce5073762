// Fills the pits of level 0 once (Barnes, Lehman and Mulla 2014, "Priority-flood", algorithm 3).

#include "land/root.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "water/cell_queue.h"

enum { FLOOD_STREAM = 1 << 20 };

// Beside a cell along the edge of its grid. A planet's faces lie one below the other.
ptrdiff_t root_over_edge(const Root *root, size_t cell, int direction) {
    const LandWindow *window = root->window;
    const int width = window->width, row = (int)(cell / (size_t)width);
    const int height = root->land->rules.planet ? width : window->height, face = row / height;
    const int x = (int)(cell % (size_t)width) + neighbour_x[direction],
              y = row % height + neighbour_y[direction];
    if (x >= 0 && y >= 0 && x < width && y < height)
        return (ptrdiff_t)window_towards(window, cell, direction);
    CubeCell beside = { face, x, y, 0 };
    if (!root->land->rules.planet || !cube_resolve(width, &beside))
        return NO_CELL;
    return (ptrdiff_t)(beside.face * width + beside.y) * width + (ptrdiff_t)beside.x;
}

static Waiting waiting_at(const LandWindow *window, int x, int y) {
    const int32_t altitude = window->altitude[(size_t)y * (size_t)window->width + (size_t)x];
    const uint32_t height = (uint32_t)altitude ^ UINT32_C(0x80000000);
    return (Waiting)height << 32 | (Waiting)y << 16 | (Waiting)x;
}

// Flooded ground gets a random slope towards the flood's source; otherwise its rivers would be straight
// lines. Erosion removes this slope again; without erosion the slope is smaller.
static bool flood_neighbours(const Root *root, Queue *heap, int x, int y, RandomKey key, Error *error) {
    const LandWindow *window = root->window;
    const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const ptrdiff_t other = cell_beside(root, cell, d);
        if (other == NO_CELL || root->seen[other])
            continue;
        const bool near = !root->edge[cell];
        const int to_x = near ? x + neighbour_x[d] : (int)(other % window->width),
                  to_y = near ? y + neighbour_y[d] : (int)(other / window->width);
        root->seen[other] = 1;
        const int fall =
            root->fall + (int)(random_bits(key, (uint32_t)to_x, (uint32_t)to_y) >> (32 - root->fall_bits));
        const int32_t least = window->altitude[cell] + fall;
        window->altitude[other] = max(window->altitude[other], least);
        if (!heap_add(heap, waiting_at(window, to_x, to_y), error))
            return false;
    }
    return true;
}

// Whether nothing beside it waits for the flood: of a sea, all but its coast.
static bool is_amid_sea(const Root *root, size_t cell) {
    bool amid = true;
    for (int d = 0; d < NEIGHBOURS && amid; d++) {
        const ptrdiff_t other = cell_beside(root, cell, d);
        amid = other == NO_CELL || root->seen[other];
    }
    return amid;
}

Status root_flood(const Root *root, const Run *run, Error *error) {
    const LandWindow *window = root->window;
    const RandomKey key = random_key(root->land->rules.seed, FLOOD_STREAM);
    Queue heap = { 0 };
    bool enough = true;
    for (size_t i = 0; i < root->count; i++)
        root->seen[i] = window->receiver[i] == LAND_SEA;
    for (int y = 0; y < window->height; y++)
        for (int x = 0; x < window->width && enough; x++) {
            const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
            if (root->seen[cell] && !is_amid_sea(root, cell))
                enough = heap_add(&heap, waiting_at(window, x, y), error);
        }
    Status status = enough ? STATUS_OK : STATUS_MEMORY;
    for (size_t done = 0; heap.count > 0 && status == STATUS_OK; done++) {
        const Waiting next = heap_take(&heap);
        if (!flood_neighbours(root, &heap, waiting_x(next), waiting_y(next), key, error))
            status = STATUS_MEMORY;
        else if (done % 65536 == 0 && run_stopped(run))
            status = STATUS_STOPPED;
    }
    memory_free(heap.at);
    return status;
}
