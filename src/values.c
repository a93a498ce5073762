#include "values.h"

#include "exchange/format_list.h"
#include "operations.h"

#include <ctype.h>
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
    if (spec == op_load.inputs)
        append(&doc, &used, ": ", endings_read().text),
            append(&doc, &used, "", ", or another raster of GDAL");
    // A sentence each: the list grows with every type.
    for (const ValueType *const *type = all_value_types; *type && spec->accepts_saved; type++) {
        if (!(*type)->ending)
            continue;
        const size_t first = used + 2;
        append(&doc, &used, used == 0 ? "" : ". ", (*type)->singular);
        if (first > 2 && first < used)
            doc.text[first] = (char)toupper((unsigned char)doc.text[first]);
        append(&doc, &used, " (", endings_written(*type).text);
        append(&doc, &used, "", ")");
    }
    return doc;
}
