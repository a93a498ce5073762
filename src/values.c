#include "values.h"

#include <stdio.h>

#define DECLARE_TYPE(name) extern const ValueType type_##name;
ALL_VALUE_TYPES(DECLARE_TYPE)

#define TYPE_ADDRESS(name) &type_##name,
const ValueType *const all_value_types[] = { ALL_VALUE_TYPES(TYPE_ADDRESS) NULL };

// Appends; what does not fit is cut off.
static void append(InputDoc *doc, size_t *used, const char *joint, const char *text) {
    const int wrote = snprintf(doc->text + *used, sizeof doc->text - *used, "%s%s", joint, text);
    const size_t room = sizeof doc->text - 1 - *used;
    *used += (size_t)wrote < room ? (size_t)wrote : room;
}

InputDoc input_types(const InputSpec *spec) {
    InputDoc types = { "" };
    size_t used = 0;
    for (const ValueType *const *type = all_value_types; *type; type++)
        if (input_accepts(spec, *type))
            append(&types, &used, used == 0 ? "" : " or ", (*type)->singular);
    return types;
}

InputDoc input_doc(const InputSpec *spec) {
    InputDoc doc = { "" };
    size_t used = 0;
    if (!spec->accepts_saved)
        append(&doc, &used, "", spec->doc);
    int left = 0;
    for (const ValueType *const *type = all_value_types; *type && spec->accepts_saved; type++)
        left += (*type)->formats != NULL;
    for (const ValueType *const *type = all_value_types; *type && spec->accepts_saved; type++) {
        if (!(*type)->formats)
            continue;
        left--;
        append(&doc, &used, used == 0 ? "" : left == 0 ? " or " : ", ", (*type)->singular);
        for (const FileFormat *format = (*type)->formats; format->ending; format++)
            append(&doc, &used, format == (*type)->formats ? " (" : ", ", format->ending);
        append(&doc, &used, "", ")");
    }
    return doc;
}
