#include "core/json.h"

#include "core/math.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int utf8_length(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    const int length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (length == 0 || at[0] > 0xf4)
        return 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    const bool is_long = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    const bool is_none = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f);
    return is_long || is_none ? 0 : length;
}

void json_put_text(FILE *to, const char *text) {
    fputc('"', to);
    while (*text) {
        const int length = utf8_length(text);
        if (length == 0) // a byte of another encoding
            fputs("\\ufffd", to);
        else if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else if (length == 1 && *text < 32)
            fprintf(to, "\\u%04x", (unsigned)*text);
        else
            fwrite(text, 1, (size_t)length, to);
        text += max(length, 1);
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

// What follows the key for the `nth` time, from 0, or NULL.
static const char *find(const char *text, const char *key, int nth) {
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
        const bool same = (size_t)(at - begin) == length && memcmp(begin, key, length) == 0;
        if (depth == 1 && *after == ':' && same && nth-- == 0)
            return skip_space(after + 1);
    }
    return NULL;
}

const char *json_find(const char *text, const char *key) {
    return find(text, key, 0);
}

bool json_has_twice(const char *text, const char *key) {
    return find(text, key, 1);
}

bool json_number(const char *text, const char *key, double *number) {
    const char *at = json_find(text, key);
    if (!at || !strchr("-0123456789", *at) || !*at)
        return false;
    *number = strtod(at, NULL);
    return *number - *number == 0;
}

// Four hexadecimal digits, or -1.
static int32_t hexadecimal(const char *at) {
    char digits[5] = "";
    memcpy(digits, at, strnlen(at, 4));
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (int32_t)strtol(digits, NULL, 16) : -1;
}

// The character of \uXXXX, or of two that are a surrogate pair; `at`: behind the first u, left behind its
// last digit. -1: none, or U+0000, which ends a text in C.
static int32_t read_character(const char **at) {
    int32_t code = hexadecimal(*at);
    if (code <= 0 || (code >= 0xdc00 && code < 0xe000))
        return -1;
    *at += 4;
    if (code < 0xd800 || code >= 0xdc00)
        return code;
    const int32_t low = (*at)[0] == '\\' && (*at)[1] == 'u' ? hexadecimal(*at + 2) : -1;
    if (low < 0xdc00 || low >= 0xe000)
        return -1;
    *at += 6;
    return 0x10000 + (code - 0xd800) * 0x400 + low - 0xdc00;
}

// As UTF-8, which is never longer than the escape.
static char *put_character(char *to, int32_t code) {
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int first[] = { 0, 0xc0, 0xe0, 0xf0 };
    *to++ = (char)(first[more] | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | (code >> 6 * i & 0x3f));
    return to;
}

bool json_string(const char *text, const char *key, char *string, size_t size) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *at = json_find(text, key);
    if (!at || *at != '"')
        return false;
    const char *end = end_of_text(++at);
    if (!*end || (size_t)(end - at) >= size)
        return false;
    while (at < end) {
        if (*at != '\\') {
            *string++ = *at++;
            continue;
        }
        const char *letter = strchr(letters, at[1]);
        const bool is_code = at[1] == 'u';
        at += 2;
        const int32_t code = is_code ? read_character(&at) : letter ? meant[letter - letters] : -1;
        if (code < 0)
            return false;
        string = put_character(string, code);
    }
    *string = '\0';
    return true;
}
