#include "water/cell_queue.h"

#include "core/math.h"
#include "core/memory.h"

static bool queue_reserve(Queue *queue, Error *error) {
    if (queue->count < queue->room)
        return true;
    if (queue->first > 0 && 2 * queue->first >= queue->count) { // what has left is room enough
        queue->count -= queue->first;
        memmove(queue->at, queue->at + queue->first, queue->count * sizeof *queue->at);
        queue->first = 0;
        return true;
    }
    const size_t room = queue->room ? 2 * queue->room : 4096;
    Waiting *at = memory_new(room, sizeof *at, error);
    if (!at)
        return false;
    if (queue->count)
        memcpy(at, queue->at, queue->count * sizeof *at);
    memory_free(queue->at);
    queue->at = at;
    queue->room = room;
    return true;
}

bool queue_append(Queue *queue, Waiting cell, Error *error) {
    if (!queue_reserve(queue, error))
        return false;
    queue->at[queue->count++] = cell;
    return true;
}

Waiting queue_next(Queue *queue) {
    const Waiting cell = queue->at[queue->first++];
    if (queue->first == queue->count)
        queue->first = queue->count = 0;
    return cell;
}

enum { BRANCHES = 4 }; // of the heap: few levels, and children share a cache line

bool heap_add(Queue *heap, Waiting cell, Error *error) {
    if (!queue_reserve(heap, error))
        return false;
    size_t at = heap->count++;
    for (; at > 0 && heap->at[(at - 1) / BRANCHES] > cell; at = (at - 1) / BRANCHES)
        heap->at[at] = heap->at[(at - 1) / BRANCHES];
    heap->at[at] = cell;
    return true;
}

Waiting heap_take(Queue *heap) {
    const Waiting lowest = heap->at[0], last = heap->at[--heap->count];
    size_t at = 0;
    for (;;) {
        const size_t first = BRANCHES * at + 1;
        if (first >= heap->count)
            break;
        const size_t end = min(first + BRANCHES, heap->count);
        size_t least = first;
        for (size_t i = first + 1; i < end; i++)
            least = heap->at[i] < heap->at[least] ? i : least;
        if (heap->at[least] >= last)
            break;
        heap->at[at] = heap->at[least];
        at = least;
    }
    heap->at[at] = last;
    return lowest;
}
