// A block is preceded by one cache line that holds its size, so that the total in use is known exactly.

#include "core/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

static atomic_size_t in_use, peak, limit;
static atomic_long failing = -1;

// The machine's memory, or the control group's limit where that is smaller.
static size_t machine_memory(void) {
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    if (file) {
        unsigned long long group = 0; // stays 0 for "max"
        if (fscanf(file, "%llu", &group) == 1 && group > 0 && group < bytes)
            bytes = (size_t)group;
        fclose(file);
    }
    return bytes;
}

size_t memory_limit(void) {
    if (atomic_load(&limit) == 0)
        atomic_store(&limit, machine_memory() / 10 * 9);
    return atomic_load(&limit);
}

void memory_set_limit(size_t bytes) {
    atomic_store(&limit, bytes);
}

static bool fails_on_command(void) {
    long left = atomic_load(&failing);
    while (left >= 0)
        if (atomic_compare_exchange_weak(&failing, &left, left - 1))
            return left == 0;
    return false;
}

static Status refuse(size_t bytes, Error *error) {
    const size_t used = atomic_load(&in_use), most = memory_limit();
    return fail(
        error, STATUS_MEMORY, "not enough memory: %.4g MiB more are needed, %.4g MiB are left of %.4g",
        (double)bytes * 0x1p-20, (double)(most > used ? most - used : 0) * 0x1p-20, (double)most * 0x1p-20);
}

void *memory_new(size_t count, size_t size, Error *error) {
    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        fail(error, STATUS_MEMORY, "not enough memory: %zu × %zu bytes are more than any machine has", count,
             size);
        return NULL;
    }
    const size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
    const size_t total = atomic_fetch_add(&in_use, bytes) + bytes;
    char *block = NULL;
    if (total <= memory_limit() && !fails_on_command())
        block = aligned_alloc(ALIGNMENT, bytes);
    if (!block) {
        atomic_fetch_sub(&in_use, bytes);
        refuse(bytes, error);
        return NULL;
    }
    size_t most = atomic_load(&peak);
    while (most < total && !atomic_compare_exchange_weak(&peak, &most, total))
        continue;
    memcpy(block, &bytes, sizeof bytes);
    return block + ALIGNMENT;
}

void *memory_new_zeroed(size_t count, size_t size, Error *error) {
    void *block = memory_new(count, size, error);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void memory_free(void *block) {
    if (!block)
        return;
    char *start = (char *)block - ALIGNMENT;
    size_t bytes;
    memcpy(&bytes, start, sizeof bytes);
    atomic_fetch_sub(&in_use, bytes);
    free(start);
}

size_t memory_in_use(void) {
    return atomic_load(&in_use);
}

size_t memory_peak(void) {
    return atomic_load(&peak);
}

void memory_reset_peak(void) {
    atomic_store(&peak, atomic_load(&in_use));
}

void memory_fail_after(long successes) {
    atomic_store(&failing, successes);
}
