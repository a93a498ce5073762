// Maps in files (exchange/map_files.c): whatever a file has, load_map gives a map or an error, and holds
// nothing afterwards.

#include "core/memory.h"
#include "core/operation.h"
#include "rivermap/tiling.h"
#include "values.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const Operation op_load_map;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    static char path[64];
    if (file < 0) {
        FILE *stream = tmpfile(); // without a name, until the process ends
        if (!stream)
            abort();
        file = fileno(stream);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        memory_set_limit((size_t)256 << 20); // one edit is a field of megabytes at most
    }
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    Output outputs[OUTPUTS_MAX] = { 0 };
    const Run run = { .threads = 1 };
    Call call = { .run = &run, .inputs = { { .text = path } }, .outputs = outputs };
    Error error = { "" };
    const Status status = operation_run(&op_load_map, &call, NULL, &error);
    if ((status == STATUS_OK) != (outputs[0].value != NULL) || (status != STATUS_OK && !*error.text))
        abort();
    outputs_free(outputs);
    if (memory_in_use() != 0)
        abort();
    return 0;
}
