#include "core/format.h"

#include <string.h>
#include <strings.h>

bool has_word(const char *words, const char *word) {
    const size_t wanted = strlen(word);
    for (const char *at = words; at && *at;) {
        const size_t length = strcspn(at, " ");
        if (length == wanted && strncasecmp(at, word, length) == 0)
            return true;
        at += length + strspn(at + length, " ");
    }
    return false;
}

const char *path_ending(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : NULL;
}

bool fits_format(const FileFormat *format, const char *path) {
    const char *ending = path_ending(path);
    return ending && *ending && has_word(format->endings, ending);
}

int written_as(const FileFormat *format, const ValueType *type) {
    for (int i = 0; format->holds[i].type; i++)
        if (format->holds[i].type == type && format->holds[i].write)
            return i;
    return -1;
}
