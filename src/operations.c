#include "operations.h"

#define OPERATION_ADDRESS(name) &op_##name,
const Operation *const all_operations[] = { ALL_OPERATIONS(OPERATION_ADDRESS) NULL };
