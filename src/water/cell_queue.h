// Queues of cells: first in, first out; or lowest first, as a heap.

#ifndef ESKER_CELL_QUEUE_H
#define ESKER_CELL_QUEUE_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A waiting cell: its height in the upper bits and its index in the lower, so that numbers compare as
// heights do and no two are equal.
typedef uint64_t Waiting;

typedef struct Queue {         // zeroed: empty. Either a queue, or a stack, or a heap
    Waiting *at;               // freed by the owner with memory_free
    size_t first, count, room; // elements first … count - 1
} Queue;

// Heights as whole numbers in the same order.
static inline uint32_t ordered_bits(float height) {
    const float plain = height + 0.0f; // one zero
    uint32_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits & UINT32_C(0x80000000) ? ~bits : bits | UINT32_C(0x80000000);
}

static inline Waiting waiting_cell(float height, int x, int y) {
    return (Waiting)ordered_bits(height) << 32 | (uint32_t)y << 16 | (uint32_t)x;
}

static inline int waiting_x(Waiting cell) {
    return (int)(cell & 0xffff);
}

static inline int waiting_y(Waiting cell) {
    return (int)(cell >> 16 & 0xffff);
}

// False, with the error filled, if memory runs out.
bool queue_append(Queue *queue, Waiting cell, Error *error);
bool heap_add(Queue *heap, Waiting cell, Error *error);

// Requires a queue that is not empty.
Waiting queue_next(Queue *queue);
Waiting heap_take(Queue *heap);

static inline Waiting stack_take(Queue *stack) {
    return stack->at[--stack->count];
}

// A queue of waiting cells, lowest first, for searches that hold many: only those near the lowest are kept in
// order, as a heap that the processor's cache holds; the others lie in buckets by the upper bits of their
// heights.
typedef struct BucketQueue { // zeroed: empty
    size_t count;
    Queue heap;                 // all whose bucket is `current` or lower
    uint32_t lowest, current;   // the upper bits of cells from which on the buckets are; one of them
    uint32_t *first;            // of each bucket: its first block; 0: none
    struct WaitingBlock *block; // the first is not used
    uint32_t block_count, block_room;
    uint32_t spare; // a list of blocks
} BucketQueue;

// False, with the error filled, if memory runs out.
bool bucket_queue_add(BucketQueue *queue, Waiting cell, Error *error);

// Requires a queue that is not empty. False, with the error filled, if memory runs out.
bool bucket_queue_take(BucketQueue *queue, Waiting *lowest, Error *error);

void bucket_queue_clear(BucketQueue *queue);
void bucket_queue_free(BucketQueue *queue);

#endif
