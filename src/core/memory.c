// A block is preceded by one cache line that holds its size, so that the total in use is known exactly.
//
// Blocks that are freed are kept for a while, all but the smallest: the system hands out new memory page by
// page, which takes longer than most operations need for a field (measured: 1.2 ms for 4 MiB, whose slope map
// takes 0.2 ms). The last freed is used first: it may still be in the cache.

#include "core/memory.h"

#include "core/math.h"
#include "core/platform.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// AddressSanitizer tracks the C library's allocations, not mappings, and nothing that is kept.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WATCHED
#endif
#ifdef WATCHED
#define LARGE SIZE_MAX
#define KEPT LARGE
#else
#define LARGE ((size_t)256 << 10) // bytes from which a block is mapped by itself, where that is possible
#define KEPT ((size_t)4 << 10)    // … and is kept when it is freed
#endif

bool memory_is_watched(void) {
    return KEPT == SIZE_MAX;
}

enum {
    ALIGNMENT = 64,
    PAGE = 4096,
    HUGE_PAGE = 1 << 21, // blocks of several are put on huge pages
    SHELVES = 256,       // of kept blocks, by their size
    KEPT_SHARE = 16,     // at most this fraction of the memory limit is kept,
    LITTLE_SHARE = 2,    // or this one, as far as that is no more than LITTLE bytes
    LITTLE = 128 << 20,
};

// What stands in front of a block. Kept blocks are in lists: all, by age, those of a shelf, and the large
// ones.
typedef struct Head Head;

typedef struct Links {
    Head *older, *newer;
} Links;

struct Head {
    size_t bytes; // of head and block
    Links all, shelf, large;
};

_Static_assert(sizeof(Head) <= ALIGNMENT, "a head is a cache line");

typedef struct Ends {
    Head *oldest, *newest;
} Ends;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Ends everything, large, shelves[SHELVES];
static atomic_size_t kept_bytes;

static atomic_size_t most_asked = SIZE_MAX;
static atomic_size_t in_use, peak, limit, charged;
static atomic_long failing = -1;
static atomic_int failing_again;

size_t memory_limit(void) {
    if (atomic_load(&limit) == 0)
        memory_set_limit((size_t)min(platform_memory() / 10 * 9, (uint64_t)SIZE_MAX));
    return atomic_load(&limit);
}

void memory_set_limit(size_t bytes) {
    atomic_store(&limit, min(bytes, SIZE_MAX / 2));
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

static Ends *shelf_of(size_t bytes) {
    return &shelves[(bytes / ALIGNMENT ^ bytes / PAGE) % SHELVES];
}

// The links of a block in one of its lists.
static Links *links_in(Head *head, const Ends *ends) {
    return ends == &everything ? &head->all : ends == &large ? &head->large : &head->shelf;
}

static void link_newest(Head *head, Ends *ends) {
    *links_in(head, ends) = (Links){ .older = ends->newest };
    if (ends->newest)
        links_in(ends->newest, ends)->newer = head;
    else
        ends->oldest = head;
    ends->newest = head;
}

static void unlink_from(Head *head, Ends *ends) {
    const Links *links = links_in(head, ends);
    if (links->older)
        links_in(links->older, ends)->newer = links->newer;
    else
        ends->oldest = links->newer;
    if (links->newer)
        links_in(links->newer, ends)->older = links->older;
    else
        ends->newest = links->older;
}

// The caller holds the mutex.
static void take_kept(Head *head) {
    unlink_from(head, &everything);
    unlink_from(head, shelf_of(head->bytes));
    if (head->bytes >= LARGE)
        unlink_from(head, &large);
    kept_bytes -= head->bytes;
}

// In front of a block on huge pages lies a page, at whose end the head stands: written at the block's start,
// it would have the system clear a huge page at once, on one thread.
static size_t front_of(size_t bytes) {
    return bytes >= 2 * (size_t)HUGE_PAGE ? PAGE : 0;
}

static char *map(size_t bytes) {
    const size_t front = front_of(bytes);
    char *start = platform_map(front, bytes, front > 0 ? HUGE_PAGE : PAGE);
    if (!start || front == 0)
        return start;
    platform_use_huge_pages(start + front, bytes);
    return start + front - ALIGNMENT;
}

static char *reuse(size_t bytes) {
    pthread_mutex_lock(&mutex);
    Head *head = shelf_of(bytes)->newest;
    while (head && head->bytes != bytes)
        head = head->shelf.older;
    if (head)
        take_kept(head);
    pthread_mutex_unlock(&mutex);
    return (char *)head;
}

// The smallest kept block of these sizes, which are large, or NULL. Of small ones thousands may be kept.
static Head *reuse_larger(size_t least, size_t most) {
    Head *best = NULL;
    pthread_mutex_lock(&mutex);
    for (Head *head = large.newest; head; head = head->large.older)
        if (head->bytes >= least && head->bytes <= most && (!best || head->bytes < best->bytes))
            best = head;
    if (best)
        take_kept(best);
    pthread_mutex_unlock(&mutex);
    return best;
}

static void give_back(void *start, size_t bytes) {
    const size_t front = front_of(bytes);
    if (bytes < LARGE || !PLATFORM_MAPS)
        platform_free(start);
    else
        platform_unmap((char *)start - (front > 0 ? front - ALIGNMENT : 0), front + bytes);
}

// The caller holds the mutex.
static void give_back_oldest(void) {
    Head *head = everything.oldest;
    take_kept(head); // NOLINT(clang-analyzer-unix.Malloc): what was freed is in no list
    give_back(head, head->bytes);
}

// A process with a small limit, as the explorer's, works in most of it again and again. WebAssembly gives no
// page back: there the C library reuses freed memory without new pages, and joins what lies side by side,
// which kept blocks would prevent.
static size_t most_kept(void) {
#ifdef __wasm__
    return 0;
#else
    return min(atomic_load(&most_asked),
               max(memory_limit() / KEPT_SHARE, min(memory_limit() / LITTLE_SHARE, (size_t)LITTLE)));
#endif
}

// Keeps a freed block, or returns it or older ones to the system.
static void keep(Head *head) {
    pthread_mutex_lock(&mutex);
    const size_t most = most_kept();
    while (everything.oldest && kept_bytes + head->bytes > most)
        give_back_oldest();
    if (head->bytes > most) {
        give_back(head, head->bytes);
    } else {
        link_newest(head, &everything);
        link_newest(head, shelf_of(head->bytes));
        if (head->bytes >= LARGE)
            link_newest(head, &large);
        kept_bytes += head->bytes;
    }
    pthread_mutex_unlock(&mutex);
}

static void give_back_beyond(size_t bytes) {
    pthread_mutex_lock(&mutex);
    while (everything.oldest && kept_bytes > bytes)
        give_back_oldest();
    pthread_mutex_unlock(&mutex);
}

void memory_keep_at_most(size_t bytes) {
    atomic_store(&most_asked, bytes);
    give_back_beyond(most_kept());
}

void memory_give_back(void) {
    give_back_beyond(0);
}

void memory_leave_room(void) {
    give_back_beyond(memory_limit() / KEPT_SHARE);
}

// Returns kept blocks to the system until they fit below the limit together with the memory in use.
static void make_room(size_t used) {
    const size_t total = used + atomic_load_explicit(&kept_bytes, memory_order_relaxed);
    if (total <= memory_limit())
        return;
    pthread_mutex_lock(&mutex);
    while (everything.oldest && used + kept_bytes > memory_limit())
        give_back_oldest();
    pthread_mutex_unlock(&mutex);
}

static char *get_new(size_t bytes) {
    return bytes < LARGE || !PLATFORM_MAPS ? platform_allocate(ALIGNMENT, bytes) : map(bytes);
}

static char *allocate(size_t bytes) {
    char *start = bytes < KEPT ? NULL : reuse(bytes);
    if (!start)
        start = get_new(bytes);
    if (!start) {
        make_room(SIZE_MAX / 2); // of everything
        start = get_new(bytes);
    }
    return start;
}

// Sizes are rounded up, so that more blocks can be reused: large ones to pages, smaller ones to an eighth at
// most of their size.
static size_t rounded(size_t bytes) {
    size_t unit = ALIGNMENT;
    if (bytes >= LARGE)
        unit = PAGE;
    else if (bytes >= KEPT)
        while (unit < bytes / 16)
            unit *= 2;
    return (bytes + unit - 1) / unit * unit;
}

static void note_peak(size_t total) {
    size_t most = atomic_load(&peak);
    while (most < total && !atomic_compare_exchange_weak(&peak, &most, total))
        continue;
}

void *memory_new(size_t count, size_t size, Error *error) {
    if (size != 0 && count > (SIZE_MAX / 4) / size) {
        fail(error, STATUS_MEMORY, "not enough memory: %zu × %zu bytes are more than can be addressed", count,
             size);
        return NULL;
    }
    const size_t bytes = rounded(count * size + ALIGNMENT);
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
    note_peak(total);
    ((Head *)(void *)block)->bytes = bytes;
    return block + ALIGNMENT;
}

void *memory_new_or_larger(size_t count, size_t size, Error *error) {
    enum { TIMES_LARGER = 32, SPARE_SHARE = 4 };
    const bool counts = size != 0 && count < SIZE_MAX / 64 / size;
    const size_t bytes = counts ? rounded(count * size + ALIGNMENT) : 0;
    const size_t used = atomic_load(&in_use) + atomic_load_explicit(&charged, memory_order_relaxed);
    const size_t plenty = memory_limit() / SPARE_SHARE, room = used < plenty ? plenty - used : 0;
    const size_t most = TIMES_LARGER * bytes;
    Head *head = bytes >= LARGE ? reuse_larger(bytes, most < room ? most : room) : NULL;
    if (!head)
        return memory_new(count, size, error);
    note_peak(atomic_fetch_add(&in_use, head->bytes) + head->bytes);
    return (char *)head + ALIGNMENT;
}

void *memory_new_zeroed(size_t count, size_t size, Error *error) {
    void *block = memory_new(count, size, error);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void *memory_new_cells(int width, int height, size_t size, Error *error) {
    const size_t count = memory_count(width, height);
    if (count < MEMORY_TOO_MUCH)
        return memory_new(count, size, error);
    fail(error, STATUS_MEMORY, "not enough memory: %d × %d × %zu bytes are more than can be addressed", width,
         height, size);
    return NULL;
}

void *memory_new_cells_zeroed(int width, int height, size_t size, Error *error) {
    void *block = memory_new_cells(width, height, size, error);
    if (block)
        memset(block, 0, (size_t)width * (size_t)height * size);
    return block;
}

void *memory_enlarge(void *block, size_t count, size_t room, size_t size, Error *error) {
    void *larger = memory_new(room, size, error);
    if (!larger)
        return NULL;
    if (count > 0)
        memcpy(larger, block, count * size);
    memory_free(block);
    return larger;
}

void memory_free(void *block) {
    if (!block)
        return;
    Head *head = (Head *)(void *)((char *)block - ALIGNMENT);
    atomic_fetch_sub(&in_use, head->bytes);
    if (head->bytes < KEPT)
        platform_free(head);
    else
        keep(head);
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
