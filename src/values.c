#include "values.h"

#define DECLARE_TYPE(name) extern const ValueType type_##name;
ALL_VALUE_TYPES(DECLARE_TYPE)

#define TYPE_ADDRESS(name) &type_##name,
const ValueType *const all_value_types[] = { ALL_VALUE_TYPES(TYPE_ADDRESS) NULL };
