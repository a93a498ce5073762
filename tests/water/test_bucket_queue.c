// The queue of searches: whatever is added, and when, the lowest comes first.

#include "support.h"

#include "core/memory.h"
#include "water/cell_queue.h"

#include <stdlib.h>

enum { STEPS = 200000 };

// Adds and takes at random, beside a plain heap. Heights grow as they do in searches, and sometimes fall.
static void compare_with_heap(uint64_t seed, double growth, double spread) {
    BucketQueue queue = { 0 };
    Queue heap = { 0 };
    Error error;
    const RandomKey key = random_key(seed, 0);
    double low = 0;
    for (int i = 0; i < STEPS; i++) {
        const double share = (double)random_unit(key, (uint32_t)i, 0);
        const bool add = heap.count == 0 || random_unit(key, (uint32_t)i, 1) < (i < STEPS / 2 ? 0.7f : 0.35f);
        assert_int_equal(queue.count, heap.count);
        if (add) {
            const Waiting cell =
                waiting_cell((float)(low + spread * share - (i % 97 == 0 ? spread : 0)), i & 0xffff, i >> 16);
            assert_true(bucket_queue_add(&queue, cell, &error) && heap_add(&heap, cell, &error));
        } else {
            Waiting lowest;
            assert_true(bucket_queue_take(&queue, &lowest, &error));
            assert_true(lowest == heap_take(&heap));
            low += growth * share;
        }
        if (i == STEPS / 3) { // anew
            bucket_queue_clear(&queue);
            heap.count = 0;
            low = 0;
        }
    }
    bucket_queue_free(&queue);
    memory_free(heap.at);
}

static void the_lowest_comes_first(void **state) {
    (void)state;
    compare_with_heap(1, 1e-5, 0.01);
    compare_with_heap(2, 1e-3, 100);
    compare_with_heap(3, 0, 0); // all equal
    compare_with_heap(4, 1e30, 1e36);
    compare_with_heap(5, 1e-30, 1e-20);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_lowest_comes_first) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
