#include "water/cell_queue.h"

#include "core/math.h"
#include "core/memory.h"

// --- cell queue --------------------------------------------------------------------------------------------

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
    Waiting *at = memory_enlarge(queue->at, queue->count, room, sizeof *at, error);
    if (!at)
        return false;
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

// --- a queue of whole numbers ------------------------------------------------------------------------------

// A bucket has a 16384th of the heights from one power of two to the next. The last has all that are too high
// for the others.
enum { BUCKET_BITS = 9, LAST = (1 << 16) - 1, BUCKETS = LAST + 1, BLOCK_CELLS = 7 };

typedef struct WaitingBlock {
    uint32_t next, count;
    Waiting at[BLOCK_CELLS];
} WaitingBlock;

static uint32_t bucket_of(const BucketQueue *queue, Waiting cell) {
    const uint32_t bits = (uint32_t)(cell >> 32);
    return bits <= queue->lowest ? 0 : min((bits - queue->lowest) >> BUCKET_BITS, (uint32_t)LAST);
}

static bool grow(BucketQueue *queue, Error *error) {
    const uint32_t room = queue->block_room ? 2 * queue->block_room : 1024;
    WaitingBlock *block = memory_enlarge(queue->block, queue->block_count, room, sizeof *block, error);
    if (!block)
        return false;
    queue->block = block;
    queue->block_room = room;
    queue->block_count = queue->block_count ? queue->block_count : 1;
    return true;
}

// An empty block before the others of a bucket.
static bool add_block(BucketQueue *queue, uint32_t *first, Error *error) {
    uint32_t added = queue->spare;
    if (added) {
        queue->spare = queue->block[added].next;
    } else {
        if (queue->block_count == queue->block_room && !grow(queue, error))
            return false;
        added = queue->block_count++;
    }
    queue->block[added].next = *first;
    queue->block[added].count = 0;
    *first = added;
    return true;
}

bool bucket_queue_add(BucketQueue *queue, Waiting cell, Error *error) {
    const uint32_t bucket = bucket_of(queue, cell);
    if (bucket <= queue->current) {
        queue->count++;
        return heap_add(&queue->heap, cell, error);
    }
    if (!queue->first && !(queue->first = memory_new_zeroed(BUCKETS, sizeof *queue->first, error)))
        return false;
    uint32_t *first = &queue->first[bucket];
    if ((*first == 0 || queue->block[*first].count == BLOCK_CELLS) && !add_block(queue, first, error))
        return false;
    WaitingBlock *block = &queue->block[*first];
    block->at[block->count++] = cell;
    queue->count++;
    return true;
}

// Puts the cells of a bucket, from that block on, where they belong by now.
static bool move_cells(BucketQueue *queue, uint32_t from, Error *error) {
    for (uint32_t next; from; from = next) {
        for (uint32_t i = 0; i < queue->block[from].count; i++) {
            queue->count--;
            if (!bucket_queue_add(queue, queue->block[from].at[i], error))
                return false;
        }
        next = queue->block[from].next;
        queue->block[from].next = queue->spare;
        queue->spare = from;
    }
    return true;
}

// The lowest height of the last bucket is where the others begin next.
static void begin_at_last(BucketQueue *queue) {
    uint32_t lowest = UINT32_MAX;
    for (uint32_t block = queue->first[LAST]; block; block = queue->block[block].next)
        for (uint32_t i = 0; i < queue->block[block].count; i++)
            lowest = min(lowest, (uint32_t)(queue->block[block].at[i] >> 32));
    queue->lowest = lowest;
    queue->current = 0;
}

// Orders the lowest bucket that has cells.
static bool open_next(BucketQueue *queue, Error *error) {
    while (queue->first[queue->current] == 0)
        queue->current++;
    const uint32_t bucket = queue->current, from = queue->first[bucket];
    if (bucket == LAST)
        begin_at_last(queue);
    queue->first[bucket] = 0;
    return move_cells(queue, from, error);
}

bool bucket_queue_take(BucketQueue *queue, Waiting *lowest, Error *error) {
    if (queue->heap.count == 0 && !open_next(queue, error))
        return false;
    *lowest = heap_take(&queue->heap);
    queue->count--;
    return true;
}

void bucket_queue_clear(BucketQueue *queue) {
    if (queue->first)
        memset(queue->first, 0, BUCKETS * sizeof *queue->first);
    queue->count = queue->heap.count = 0;
    queue->current = queue->lowest = 0;
    queue->block_count = queue->block_room ? 1 : 0;
    queue->spare = 0;
}

void bucket_queue_free(BucketQueue *queue) {
    memory_free(queue->heap.at);
    memory_free(queue->first);
    memory_free(queue->block);
}
