// Results that are kept: bytes by the key of what they follow from. The oldest are overwritten, so that a
// result may be found or not, but is always the same. Threads may share it.

#ifndef ESKER_MEMO_H
#define ESKER_MEMO_H

#include "core/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Memo Memo;

// Keeps 2^bits bytes at most. memo_free takes NULL, too.
Memo *memo_new(int bits, Error *error);
void memo_free(Memo *memo);

// 128 bits of a hash: those of other inputs differ but by a chance that does not come up.
typedef struct MemoKey {
    uint64_t first, second;
} MemoKey;

// The key of what a key stands for, and of these bytes after it. A zeroed key stands for nothing.
MemoKey memo_key(MemoKey key, const void *bytes, size_t size);

// Copies what is kept for the key, and returns its size; 0: nothing is, or more than there is room for.
size_t memo_find(Memo *memo, MemoKey key, void *value, size_t room);

// Keeps a copy, unless it is longer than MEMO_VALUE_MAX.
enum { MEMO_VALUE_MAX = 1024 };
void memo_add(Memo *memo, MemoKey key, const void *value, size_t size);

#endif
