#include "core/json.h"

#include <stdlib.h>
#include <string.h>

void json_put_text(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < 32)
            fprintf(to, "\\u%04x", c);
        else
            fputc(c, to);
    }
    fputc('"', to);
}

void json_put_labels(FILE *to, const Labels *labels) {
    fputc('{', to);
    for (int i = 0; labels && i < labels->count; i++) {
        fputs(i ? "," : "", to);
        json_put_text(to, labels->at[i].key);
        fputc(':', to);
        json_put_text(to, labels->at[i].value);
    }
    fputc('}', to);
}

static const char *skip_space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

// The quote that ends a text, or its end; `at`: behind the first.
static const char *end_of_text(const char *at) {
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at;
}

const char *json_find(const char *text, const char *key) {
    const size_t length = strlen(key);
    int depth = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth--;
        if (*at != '"')
            continue;
        const char *begin = at + 1;
        at = end_of_text(begin);
        if (!*at)
            return NULL;
        const char *after = skip_space(at + 1);
        if (depth == 1 && *after == ':' && (size_t)(at - begin) == length && memcmp(begin, key, length) == 0)
            return skip_space(after + 1);
    }
    return NULL;
}

bool json_number(const char *text, const char *key, double *number) {
    const char *at = json_find(text, key);
    if (!at || !strchr("-0123456789", *at) || !*at)
        return false;
    *number = strtod(at, NULL);
    return *number - *number == 0;
}

bool json_string(const char *text, const char *key, char *string, size_t size) {
    const char *at = json_find(text, key);
    if (!at || *at != '"')
        return false;
    const char *end = end_of_text(++at);
    if (!*end || (size_t)(end - at) >= size)
        return false;
    for (; at < end; at++) {
        at += *at == '\\';
        *string++ = *at;
    }
    *string = '\0';
    return true;
}
