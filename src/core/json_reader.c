#include "core/json_reader.h"

#include "core/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 400 };

void json_broken(JsonReader *json, const char *format, ...) {
    char reason[200], place[80] = "";
    if (json->status != STATUS_OK)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (json->place)
        json->place(json, place, sizeof place);
    json->status = fail(json->error, STATUS_FILE, "cannot read '%.200s': %s%s", json->path, place, reason);
}

void json_note(JsonReader *json, Status status) {
    if (status == STATUS_OK || !json_is_well(json))
        return;
    if (status == STATUS_INVALID && json->error) {
        const Error why = *json->error;
        json_broken(json, "%.190s", why.text);
    } else {
        json->status = status;
    }
}

static void step(JsonReader *json) {
    json->next = getc_unlocked(json->from);
}

int json_peek(JsonReader *json) {
    while (json->next == ' ' || json->next == '\t' || json->next == '\n' || json->next == '\r')
        step(json);
    return json->next;
}

void json_unexpected(JsonReader *json, const char *wanted) {
    const int next = json->next;
    if (next == EOF)
        json_broken(json, "it ends where %s is expected", wanted);
    else if (next >= 32 && next < 127)
        json_broken(json, "%s expected, got '%c'", wanted, next);
    else
        json_broken(json, "%s expected, got the byte %d", wanted, next);
}

bool json_take(JsonReader *json, char wanted) {
    if (!json_is_well(json) || json_peek(json) != wanted)
        return false;
    step(json);
    return true;
}

void json_expect(JsonReader *json, char wanted, const char *name) {
    if (json_is_well(json) && !json_take(json, wanted))
        json_unexpected(json, name);
}

// After an element of a list or an object: whether another one follows. Takes the end.
static bool goes_on(JsonReader *json, char end, const char *name) {
    if (json_take(json, ','))
        return true;
    json_expect(json, end, name);
    return false;
}

// Room for one more byte and the end of the text; nothing after a failure.
static bool has_room(JsonReader *json) {
    if (!json_is_well(json) || json->length + 1 < json->room)
        return json_is_well(json);
    if (json->room >= JSON_TEXT_MAX) {
        json_broken(json, "a text is longer than %d bytes", JSON_TEXT_MAX);
        return false;
    }
    const size_t room = 2 * json->room + 256;
    char *text = memory_enlarge(json->text, json->length, room, 1, json->error);
    if (!text) {
        json->status = STATUS_MEMORY;
        return false;
    }
    json->text = text;
    json->room = room;
    return true;
}

static void put_byte(JsonReader *json, int byte) {
    if (!has_room(json))
        return;
    json->text[json->length++] = (char)byte;
    json->text[json->length] = '\0';
}

static void begin_text(JsonReader *json) {
    json->length = 0;
    put_byte(json, 0); // so that an empty text has a block
    json->length = 0;
}

static unsigned read_hex(JsonReader *json) {
    unsigned code = 0;
    for (int i = 0; i < 4 && json_is_well(json); i++, step(json)) {
        const int c = json->next;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            json_broken(json, "\\u takes four hexadecimal digits");
        code = code * 16 + (unsigned)digit;
    }
    return code;
}

static void put_character(JsonReader *json, unsigned code) {
    if (code < 0x80) {
        put_byte(json, (int)code);
    } else if (code < 0x800) {
        put_byte(json, (int)(0xc0 | code >> 6));
        put_byte(json, (int)(0x80 | (code & 0x3f)));
    } else {
        if (code < 0x10000) {
            put_byte(json, (int)(0xe0 | code >> 12));
        } else {
            put_byte(json, (int)(0xf0 | code >> 18));
            put_byte(json, (int)(0x80 | (code >> 12 & 0x3f)));
        }
        put_byte(json, (int)(0x80 | (code >> 6 & 0x3f)));
        put_byte(json, (int)(0x80 | (code & 0x3f)));
    }
}

static void read_simple_escape(JsonReader *json) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const int c = json->next;
    const char *found = c > 0 ? strchr(names, c) : NULL;
    step(json);
    if (found && *found)
        put_byte(json, meant[found - names]);
    else
        json_broken(json, "a text has an unknown escape");
}

// Half a surrogate pair, as other programs write it, becomes U+FFFD.
static void read_code(JsonReader *json) {
    const unsigned replacement = 0xfffd;
    unsigned code = read_hex(json);
    while (code >= 0xd800 && code < 0xdc00) {
        if (json->next != '\\') {
            code = replacement;
            break;
        }
        step(json);
        if (json->next != 'u') {
            put_character(json, replacement);
            read_simple_escape(json);
            return;
        }
        step(json);
        const unsigned low = read_hex(json);
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            break;
        }
        put_character(json, replacement);
        code = low;
    }
    if (code == 0)
        json_broken(json, "a text has the character 0");
    else
        put_character(json, code >= 0xdc00 && code < 0xe000 ? replacement : code);
}

static void read_escape(JsonReader *json) {
    if (json->next == 'u') {
        step(json);
        read_code(json);
    } else {
        read_simple_escape(json);
    }
}

void json_read_text(JsonReader *json) {
    json_expect(json, '"', "a text");
    begin_text(json);
    while (json_is_well(json) && json->next != '"') {
        if (json->next == '\\') {
            step(json);
            read_escape(json);
        } else if (json->next < 32) { // EOF, too
            json_unexpected(json, "the end of a text");
        } else {
            put_byte(json, json->next);
            step(json);
        }
    }
    if (json_is_well(json))
        step(json);
}

double json_read_number(JsonReader *json) {
    char digits[DIGITS_MAX + 1];
    size_t count = 0;
    json_peek(json);
    for (; count < DIGITS_MAX && json->next > 0 && strchr("+-.0123456789eE", json->next); step(json))
        digits[count++] = (char)json->next;
    digits[count] = '\0';
    char *end;
    const double number = strtod(digits, &end);
    if (count == 0)
        json_unexpected(json, "a number");
    else if (*end || count == DIGITS_MAX || *digits == '+' || !isfinite(number))
        json_broken(json, "'%.40s' is no number of JSON", digits);
    return number;
}

bool json_begins_number(int next) {
    return next == '-' || (next >= '0' && next <= '9');
}

void json_read_word(JsonReader *json, char word[JSON_WORD_MAX]) {
    size_t count = 0;
    json_peek(json);
    for (; count + 1 < JSON_WORD_MAX && json->next >= 'a' && json->next <= 'z'; step(json))
        word[count++] = (char)json->next;
    word[count] = '\0';
    if (count == 0)
        json_unexpected(json, "a value");
    else if (strcmp(word, "true") != 0 && strcmp(word, "false") != 0 && strcmp(word, "null") != 0)
        json_broken(json, "'%s' is no value of JSON", word);
}

bool json_next_key(JsonReader *json, bool *first) {
    const bool more = *first ? !json_take(json, '}') : goes_on(json, '}', "'}'");
    *first = false;
    if (!more || !json_is_well(json))
        return false;
    json_read_text(json);
    json_expect(json, ':', "':'");
    return json_is_well(json);
}

bool json_next_element(JsonReader *json, bool *first) {
    const bool more = *first ? !json_take(json, ']') : goes_on(json, ']', "']'");
    *first = false;
    return more && json_is_well(json);
}

void json_skip(JsonReader *json, int depth) {
    char word[JSON_WORD_MAX];
    const int next = json_peek(json);
    bool first = true;
    if (depth > JSON_DEPTH_MAX)
        json_broken(json, "lists and objects lie more than %d deep in each other", JSON_DEPTH_MAX);
    else if (json_take(json, '{'))
        while (json_next_key(json, &first))
            json_skip(json, depth + 1);
    else if (json_take(json, '['))
        while (json_next_element(json, &first))
            json_skip(json, depth + 1);
    else if (next == '"')
        json_read_text(json);
    else if (json_begins_number(next))
        json_read_number(json);
    else
        json_read_word(json, word);
}

void json_copy(JsonReader *json) {
    int depth = 0;
    bool in_text = false;
    begin_text(json);
    do {
        const int c = in_text ? json->next : json_peek(json);
        if (c == EOF || (in_text && c < 32)) {
            json_unexpected(json, "the end of a list or an object");
        } else {
            depth += !in_text && (c == '{' || c == '[');
            depth -= !in_text && (c == '}' || c == ']');
            in_text = (c == '"') != in_text;
            put_byte(json, c);
            step(json);
            if (in_text && c == '\\') {
                put_byte(json, json->next);
                step(json);
            }
        }
        if (depth > JSON_DEPTH_MAX)
            json_broken(json, "lists and objects lie more than %d deep in each other", JSON_DEPTH_MAX);
    } while (depth > 0 && json_is_well(json));
}

void json_begin(JsonReader *json, FILE *from, const char *path, Error *error) {
    *json = (JsonReader){ .from = from, .path = path, .error = error };
    step(json);
    if (json->next == 0xef)
        for (int i = 0; i < 3; i++)
            step(json);
}

void json_end(JsonReader *json) {
    if (json_is_well(json) && json_peek(json) != EOF)
        json_unexpected(json, "the end");
    memory_free(json->text);
    json->text = NULL;
}
