// Reads JSON (RFC 8259) from a stream, once from beginning to end, as files of strangers have it: nothing is
// kept but the last text, and depth and lengths are limited. The first failure stays; nothing is read after
// it.

#ifndef ESKER_JSON_READER_H
#define ESKER_JSON_READER_H

#include "core/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { JSON_DEPTH_MAX = 64, JSON_TEXT_MAX = 1 << 24, JSON_WORD_MAX = 8 };

typedef struct JsonReader {
    FILE *from; // of this thread alone
    const char *path;
    Error *error;
    Status status; // of the first failure
    int next;      // the next byte, or EOF
    char *text;    // the last text, ended by a zero byte
    size_t length, room;
    // Where in the file it is, for messages: "feature 3: ", "burgs[12].x: ". NULL: nowhere.
    void (*place)(const struct JsonReader *json, char *place, size_t size);
} JsonReader;

// `error` may be NULL. Steps over the byte order mark of UTF-8.
void json_begin(JsonReader *json, FILE *from, const char *path, Error *error);

// Fails unless the stream ends here, and frees the text.
void json_end(JsonReader *json);

static inline bool json_is_well(const JsonReader *json) {
    return json->status == STATUS_OK;
}

// Fails with "cannot read 'path': PLACE REASON".
void json_broken(JsonReader *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same, for what follows instead of what is wanted.
void json_unexpected(JsonReader *json, const char *wanted);

// The status of something that fills an error by itself.
void json_note(JsonReader *json, Status status);

// The next byte that is no space, or EOF.
int json_peek(JsonReader *json);

// Takes the byte `wanted` if it comes next. `json_expect` fails otherwise; `name` is what messages call it.
bool json_take(JsonReader *json, char wanted);
void json_expect(JsonReader *json, char wanted, const char *name);

// After '{': the next key, into `text`; false at the end. After '[': whether there is another element. *first
// is true before the first one.
bool json_next_key(JsonReader *json, bool *first);
bool json_next_element(JsonReader *json, bool *first);

// Reads a string into `text`.
void json_read_text(JsonReader *json);

// 0 after a failure; always finite.
double json_read_number(JsonReader *json);
bool json_begins_number(int next);

// Reads true, false or null.
void json_read_word(JsonReader *json, char word[JSON_WORD_MAX]);

// Steps over a value that lies `depth` lists and objects deep.
void json_skip(JsonReader *json, int depth);

// Copies a list or an object into `text` as it stands, without the spaces around its tokens.
void json_copy(JsonReader *json);

#endif
