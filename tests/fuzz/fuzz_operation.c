// Any operation with any arguments: any_operation.h, with bytes from libFuzzer.

#include "any_operation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_operation(data, size);
    return 0;
}
