// A block is preceded by one cache line that holds its size, so that the total in use is known exactly.
//
// Large blocks that are freed are kept for a while: the system hands out new memory page by page, which takes
// longer than most operations need for a field (measured: 1.2 ms for 4 MiB, whose slope map takes 0.2 ms).

#define _DEFAULT_SOURCE // madvise
#include "core/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// AddressSanitizer tracks the C library's allocations, not mappings, and nothing that is kept.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WATCHED
#endif
#ifdef WATCHED
#define LARGE ((size_t)1 << 40)
#else
#define LARGE ((size_t)256 << 10) // bytes from which a block is mapped by itself, and kept when it is freed
#endif

bool memory_is_watched(void) {
    return LARGE > (size_t)1 << 30;
}

enum {
    ALIGNMENT = 64,
    PAGE = 4096,         // sizes of large blocks are rounded up to it, so that more of them can be reused
    HUGE_PAGE = 1 << 21, // blocks of several are put on huge pages
    KEPT_BLOCKS = 64,
    KEPT_SHARE = 16, // at most this fraction of the memory limit is kept
};

typedef struct Kept {
    char *start;
    size_t bytes;
} Kept;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Kept kept[KEPT_BLOCKS]; // oldest first
static int kept_count;
static atomic_size_t kept_bytes;

static atomic_size_t in_use, peak, limit, charged;
static atomic_long failing = -1;
static atomic_int failing_again;

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
        if (atomic_compare_exchange_weak(&failing, &left, left - 1)) {
            if (left == 0 && atomic_fetch_sub(&failing_again, 1) > 0)
                atomic_store(&failing, 0);
            return left == 0;
        }
    return false;
}

static Status refuse(size_t bytes, Error *error) {
    const size_t used = atomic_load(&in_use) + atomic_load(&charged), most = memory_limit();
    return fail(
        error, STATUS_MEMORY, "not enough memory: %.1f MiB more are needed, %.1f MiB are left of %.1f",
        (double)bytes * 0x1p-20, (double)(most > used ? most - used : 0) * 0x1p-20, (double)most * 0x1p-20);
}

// Takes the block at `index` out of the list; the caller holds the mutex.
static char *take_kept(int index) {
    char *start = kept[index].start;
    kept_bytes -= kept[index].bytes;
    kept_count--;
    memmove(&kept[index], &kept[index + 1], (size_t)(kept_count - index) * sizeof *kept);
    return start;
}

// Maps exactly this number of bytes: the padding that the C library adds for alignment would count against
// the address space limit of a run.
static char *map(size_t bytes) {
    const size_t alignment = bytes >= 2 * (size_t)HUGE_PAGE ? HUGE_PAGE : PAGE;
    const size_t room = bytes + alignment - PAGE;
    char *start = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    const size_t before = (alignment - (uintptr_t)start % alignment) % alignment;
    if (before > 0)
        munmap(start, before);
    if (room - before > bytes)
        munmap(start + before + bytes, room - before - bytes);
    if (alignment == HUGE_PAGE)
        madvise(start + before, bytes, MADV_HUGEPAGE); // a hint: faster first use, fewer TLB misses
    return start + before;
}

static char *reuse(size_t bytes) {
    char *start = NULL;
    pthread_mutex_lock(&mutex);
    for (int i = kept_count - 1; i >= 0 && !start; i--)
        if (kept[i].bytes == bytes)
            start = take_kept(i);
    pthread_mutex_unlock(&mutex);
    return start;
}

// The caller holds the mutex.
static void unmap_oldest(void) {
    const size_t bytes = kept[0].bytes;
    munmap(take_kept(0), bytes);
}

// Keeps a freed block, or returns it or older ones to the system.
static void keep(char *start, size_t bytes) {
    pthread_mutex_lock(&mutex);
    const size_t most = memory_limit() / KEPT_SHARE;
    while (kept_count > 0 && (kept_count == KEPT_BLOCKS || kept_bytes + bytes > most))
        unmap_oldest();
    if (bytes > most) {
        munmap(start, bytes);
    } else {
        kept[kept_count++] = (Kept){ start, bytes };
        kept_bytes += bytes;
    }
    pthread_mutex_unlock(&mutex);
}

// Returns kept blocks to the system until they fit below the limit together with the memory in use.
static void make_room(size_t used) {
    const size_t total = used + atomic_load_explicit(&kept_bytes, memory_order_relaxed);
    if (total <= memory_limit())
        return;
    pthread_mutex_lock(&mutex);
    while (kept_count > 0 && used + kept_bytes > memory_limit())
        unmap_oldest();
    pthread_mutex_unlock(&mutex);
}

static char *allocate(size_t bytes) {
    if (bytes < LARGE)
        return aligned_alloc(ALIGNMENT, bytes);
    char *start = reuse(bytes);
    if (!start)
        start = map(bytes);
    if (!start) {
        make_room(SIZE_MAX / 2); // of everything
        start = map(bytes);
    }
    return start;
}

void *memory_new(size_t count, size_t size, Error *error) {
    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        fail(error, STATUS_MEMORY, "not enough memory: %zu × %zu bytes are more than any machine has", count,
             size);
        return NULL;
    }
    const size_t unit = count * size >= LARGE ? PAGE : ALIGNMENT;
    const size_t bytes = (count * size + ALIGNMENT + unit - 1) / unit * unit;
    const size_t total = atomic_fetch_add(&in_use, bytes) + bytes;
    const size_t used = total + atomic_load_explicit(&charged, memory_order_relaxed);
    char *block = NULL;
    if (used <= memory_limit() && !fails_on_command())
        block = allocate(bytes);
    if (block)
        make_room(used);
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
    if (bytes < LARGE)
        free(start);
    else
        keep(start, bytes);
}

bool memory_charge(size_t bytes) {
    const size_t before = atomic_load_explicit(&charged, memory_order_relaxed);
    const size_t used = atomic_load_explicit(&in_use, memory_order_relaxed) + before;
    if (used + bytes > memory_limit() || used + bytes < bytes || fails_on_command())
        return false;
    make_room(used + bytes);
    atomic_store_explicit(&charged, before + bytes, memory_order_relaxed);
    return true;
}

void memory_discharge(size_t bytes) {
    const size_t before = atomic_load_explicit(&charged, memory_order_relaxed);
    atomic_store_explicit(&charged, before - bytes, memory_order_relaxed);
}

size_t memory_charged(void) {
    return atomic_load_explicit(&charged, memory_order_relaxed);
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
    memory_fail_after_and_again(successes, 0);
}

void memory_fail_after_and_again(long successes, int more) {
    atomic_store(&failing_again, more);
    atomic_store(&failing, successes);
}

long memory_fails_after(void) {
    return atomic_load(&failing);
}
