// Memory: all of the engine's heap passes through here, so that it can be counted, limited and, in tests,
// made to fail on command. Every block is aligned to 64 bytes, a cache line and the widest vector.

#ifndef ESKER_MEMORY_H
#define ESKER_MEMORY_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

// `count` × `size` bytes, contents undefined, or NULL with `error` filled (the product may not overflow,
// the memory limit may not be passed). Freed by memory_free.
void *memory_new(size_t count, size_t size, Error *error);

// The same, filled with zeros.
void *memory_new_zeroed(size_t count, size_t size, Error *error);

// NULL is allowed.
void memory_free(void *block);

// Counts memory that others hold, such as a Lua state, against the limit: false when it is reached. From one
// thread at a time.
bool memory_charge(size_t bytes);
void memory_discharge(size_t bytes);

size_t memory_charged(void);

size_t memory_in_use(void); // bytes allocated now
size_t memory_peak(void);   // the most since the start or memory_reset_peak
void memory_reset_peak(void);

// The most bytes that may be in use at once. At the start: nine tenths of the machine's memory, or of the
// control group's limit where that is smaller.
size_t memory_limit(void);
void memory_set_limit(size_t bytes);

// For tests: the allocation after `successes` more fails, once. Negative: none fails.
void memory_fail_after(long successes);

// The same, and the `more` that follow it: Lua asks once more when it has collected what it no longer needs.
void memory_fail_after_and_again(long successes, int more);

// For tests: whether AddressSanitizer watches, so that freed blocks are not kept for the next one.
bool memory_is_watched(void);

// How many more will succeed.
long memory_fails_after(void);

#endif
