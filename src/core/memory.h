// Memory: the engine allocates everything here, so that memory can be counted, limited and, in tests, made
// to fail. Every block is aligned to 64 bytes, a cache line and the widest vector.

#ifndef ESKER_MEMORY_H
#define ESKER_MEMORY_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// `count` × `size` bytes, contents undefined, or NULL with `error` filled if the product overflows or the
// memory limit would be exceeded. Freed by memory_free.
void *memory_new(size_t count, size_t size, Error *error);

// The same, filled with zeros.
void *memory_new_zeroed(size_t count, size_t size, Error *error);

// More than memory_new ever grants: so are small multiples of it, and sums with less than 65,536.
#define MEMORY_TOO_MUCH (SIZE_MAX - UINT16_MAX)

// width × height, or MEMORY_TOO_MUCH where that is more or one is negative. On 32 bits the product of two
// sides of 65,536 would be 0.
static inline size_t memory_count(int64_t width, int64_t height) {
    return height != 0 && (uint64_t)width > MEMORY_TOO_MUCH / (uint64_t)height
               ? MEMORY_TOO_MUCH
               : (size_t)width * (size_t)height;
}

// a + b, or MEMORY_TOO_MUCH where that is more.
static inline size_t memory_sum(size_t a, size_t b) {
    return a > MEMORY_TOO_MUCH || b > MEMORY_TOO_MUCH - a ? MEMORY_TOO_MUCH : a + b;
}

// memory_new and memory_new_zeroed of `width` × `height` cells of `size` bytes. All arrays whose size is a
// product of sides are allocated by these, or by a memory_count.
void *memory_new_cells(int width, int height, size_t size, Error *error);
void *memory_new_cells_zeroed(int width, int height, size_t size, Error *error);

// As memory_new; where there is room enough it may be a freed block of up to 32 times that size. For arrays
// of many sizes that are freed soon.
void *memory_new_or_larger(size_t count, size_t size, Error *error);

// Room for `room` elements, of which the first `count` are those of `block` (NULL: none), which is freed.
// NULL with `error` filled if there is no memory; `block` stays then.
void *memory_enlarge(void *block, size_t count, size_t room, size_t size, Error *error);

// NULL is allowed.
void memory_free(void *block);

// Counts memory held by others, such as a Lua state, against the limit; false if that would exceed it.
// Called from one thread at a time.
bool memory_charge(size_t bytes);
void memory_discharge(size_t bytes);

size_t memory_charged(void);

// Limits the freed memory that is kept for reuse; SIZE_MAX: as at first. And gives back to the system what is
// more.
void memory_keep_at_most(size_t bytes);

// Gives back to the system all freed memory that is kept.
void memory_give_back(void);

// Leaves room for a library whose memory is not counted: keeps freed blocks of at most a sixteenth of the
// limit.
void memory_leave_room(void);

size_t memory_in_use(void); // bytes allocated now
size_t memory_peak(void);   // the maximum since the start or memory_reset_peak
void memory_reset_peak(void);

// The limit on bytes in use. Initially nine tenths of the machine's memory, or of the control group's limit
// if that is smaller. At most half of what a size_t counts, so that sums of sizes do not overflow.
size_t memory_limit(void);
void memory_set_limit(size_t bytes);

// For tests: one allocation fails after `successes` more have succeeded. Negative: none fails.
void memory_fail_after(long successes);

// memory_fail_after where `more` further allocations fail, too: Lua retries once after a garbage collection.
void memory_fail_after_and_again(long successes, int more);

// For tests: whether AddressSanitizer is active, so that freed blocks are not kept for reuse.
bool memory_is_watched(void);

// The number of allocations that will still succeed.
long memory_fails_after(void);

#endif
