// A queue of waiting cells, lowest first, for searches that hold many: only those near the lowest are kept in
// order, as a heap that the processor's cache holds; the others lie in buckets by the upper bits of their
// heights.

#ifndef ESKER_BUCKET_QUEUE_H
#define ESKER_BUCKET_QUEUE_H

#include "water/cell_queue.h"

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
