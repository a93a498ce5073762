#include "cli/terminal_escape.h"

typedef struct Range {
    int32_t first, last;
} Range;

// Control characters; those that change the direction or the order of what follows (Unicode Standard Annex
// 9); separators of lines; fillers, joiners, selectors of variants and tags, which do not show.
static const Range hidden[] = {
    { 0, 0x1f },        { 0x7f, 0x9f },       { 0xad, 0xad },       { 0x34f, 0x34f },   { 0x61c, 0x61c },
    { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },   { 0x200b, 0x200f }, { 0x2028, 0x202e },
    { 0x2060, 0x206f }, { 0x3164, 0x3164 },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 },
    { 0xfff9, 0xfffb }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

static bool is_visible(int32_t code) {
    if (code == '\n' || code == '\t')
        return true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return false;
    return true;
}

// By the first byte: the number of bytes that follow, its bits of the code point, the smallest code point
// of this length.
static int following(unsigned char first, int32_t *code, int32_t *least) {
    const int count = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    *code = first & (0x3f >> count);
    *least = count == 3 ? 0x10000 : count == 2 ? 0x800 : 0x80;
    return count;
}

Character next_character(const char *text, size_t left) {
    const unsigned char *at = (const unsigned char *)text;
    const Character invalid = { 1, -1, false };
    if (*at < 0x80)
        return (Character){ 1, *at, is_visible(*at) };
    if (*at < 0xc0 || *at >= 0xf8)
        return invalid;
    int32_t code, least;
    const int more = following(*at, &code, &least);
    if ((size_t)more >= left)
        return invalid;
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return invalid;
        code = code << 6 | (at[i] & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least || code > 0x10ffff || surrogate)
        return invalid;
    return (Character){ (size_t)more + 1, code, is_visible(code) };
}

void print_visible(FILE *stream, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const Character next = next_character(text + at, length - at);
        if (next.visible)
            fwrite(text + at, 1, next.length, stream);
        else
            putc('?', stream);
        at += next.length;
    }
}
