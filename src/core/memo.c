#include "core/memo.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

typedef struct Head { // of a value, whose bytes follow it
    MemoKey key;
    uint64_t size;
} Head;

// Values are written into a ring, one after the other. Positions count all bytes that were ever written.
struct Memo {
    pthread_mutex_t mutex;
    uint64_t end;
    uint64_t bytes;   // of the ring
    uint64_t places;  // a power of two
    uint64_t *starts; // by key: 1 + the position of its value
    uint8_t *ring;
};

enum { BYTES_FOR_EACH = 64, TRIES = 4 }; // of the ring; and places where a key may be

Memo *memo_new(int bits, Error *error) {
    Memo *memo = memory_new_zeroed(1, sizeof *memo, error);
    if (!memo)
        return NULL;
    memo->bytes = UINT64_C(1) << bits;
    memo->places = memo->bytes / BYTES_FOR_EACH;
    pthread_mutex_init(&memo->mutex, NULL);
    memo->starts = memory_new_zeroed((size_t)memo->places, sizeof *memo->starts, error);
    if (memo->starts)
        memo->ring = memory_new((size_t)memo->bytes, 1, error);
    if (memo->ring)
        return memo;
    memo_free(memo);
    return NULL;
}

void memo_free(Memo *memo) {
    if (!memo)
        return;
    pthread_mutex_destroy(&memo->mutex);
    memory_free(memo->starts);
    memory_free(memo->ring);
    memory_free(memo);
}

// Two hashes of the same words, by different odd factors.
MemoKey memo_key(MemoKey key, const void *bytes, size_t size) {
    const uint8_t *from = bytes;
    uint64_t first = key.first ^ size, second = key.second + size;
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, from + at, min(size - at, sizeof word));
        first = (first ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        first ^= first >> 29;
        second = (second + word) * UINT64_C(0xc2b2ae3d27d4eb4f);
        second ^= second >> 31;
    }
    return (MemoKey){ mix64(first), mix64(second) };
}

// The place of a key among TRIES, or the one to be used for it: that of the oldest value.
static uint64_t *place_of(Memo *memo, MemoKey key, bool *found) {
    uint64_t *oldest = NULL;
    *found = false;
    for (uint64_t i = 0; i < TRIES; i++) {
        uint64_t *start = &memo->starts[(key.first + i) & (memo->places - 1)];
        if (*start != 0 && memo->end - (*start - 1) <= memo->bytes) {
            Head head;
            memcpy(&head, memo->ring + ((*start - 1) & (memo->bytes - 1)), sizeof head);
            if (head.key.first == key.first && head.key.second == key.second) {
                *found = true;
                return start;
            }
        }
        if (!oldest || *start < *oldest)
            oldest = start;
    }
    return oldest;
}

size_t memo_find(Memo *memo, MemoKey key, void *value, size_t room) {
    size_t size = 0;
    bool found;
    pthread_mutex_lock(&memo->mutex);
    const uint64_t *start = place_of(memo, key, &found);
    if (found) {
        const uint8_t *at = memo->ring + ((*start - 1) & (memo->bytes - 1));
        Head head;
        memcpy(&head, at, sizeof head);
        if (head.size <= room) {
            size = (size_t)head.size;
            memcpy(value, at + sizeof head, size);
        }
    }
    pthread_mutex_unlock(&memo->mutex);
    return size;
}

void memo_add(Memo *memo, MemoKey key, const void *value, size_t size) {
    const Head head = { key, size };
    const uint64_t length = (sizeof head + size + 7) & ~UINT64_C(7);
    bool found;
    if (size > MEMO_VALUE_MAX || length > memo->bytes)
        return;
    pthread_mutex_lock(&memo->mutex);
    uint64_t *start = place_of(memo, key, &found);
    if (!found) {
        const uint64_t left = memo->bytes - (memo->end & (memo->bytes - 1));
        if (left < length)
            memo->end += left; // a value lies in one piece
        uint8_t *at = memo->ring + (memo->end & (memo->bytes - 1));
        memcpy(at, &head, sizeof head);
        memcpy(at + sizeof head, value, size);
        *start = 1 + memo->end;
        memo->end += length;
    }
    pthread_mutex_unlock(&memo->mutex);
}
