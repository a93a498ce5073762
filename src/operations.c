#include "operations.h"

#include <ctype.h>
#include <string.h>

#define OPERATION_ADDRESS(name) &op_##name,
const Operation *const all_operations[] = { ALL_OPERATIONS(OPERATION_ADDRESS) NULL };

// Whether `word` is the keyword of this length, or its plural, in any case.
static bool is_form_of(const char *word, const char *keyword, size_t length) {
    for (size_t i = 0; i < length; i++, word++)
        if (tolower((unsigned char)*word) != tolower((unsigned char)keyword[i]))
            return false;
    return strcmp(word, "") == 0 || strcmp(word, "s") == 0 || strcmp(word, "es") == 0;
}

// Where among the keywords a word is, or -1.
static int keyword_place(const char *keywords, const char *word) {
    for (const char *at = keywords; at && *at;) {
        const size_t length = strcspn(at, " ");
        if (is_form_of(word, at, length))
            return (int)(at - keywords);
        at += length + strspn(at + length, " ");
    }
    return -1;
}

const Operation *operation_known_as(const char *word, const ValueType *type) {
    const Operation *found = NULL;
    int least = -1;
    for (const Operation *const *each = all_operations; *each; each++) {
        const InputSpec *first = &(*each)->inputs[0];
        const int place = keyword_place((*each)->keywords, word);
        if (place < 0 || (found && place >= least) || (type && !(first->name && input_accepts(first, type))))
            continue;
        found = *each;
        least = place;
    }
    return found;
}
