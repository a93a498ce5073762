// JSON, as files and declarations have it.

#ifndef ESKER_JSON_H
#define ESKER_JSON_H

#include "core/value.h"

#include <stdbool.h>
#include <stdio.h>

// Bytes of the UTF-8 character with which the text begins (RFC 3629, section 4); 0 where it is none.
int utf8_length(const char *text);

// A text in quotes.
void json_put_text(FILE *to, const char *text);

// An object of texts: how a value was made. NULL: an empty one.
void json_put_labels(FILE *to, const Labels *labels);

// What follows a key of the outermost object in `text`, or NULL. Any text is safe to ask.
const char *json_find(const char *text, const char *key);

// Whether the text has the key more than once: readers differ in which one they take.
bool json_has_twice(const char *text, const char *key);

// The number or text after a key; false if there is none, it does not fit, or has U+0000 or half a surrogate
// pair.
bool json_number(const char *text, const char *key, double *number);
bool json_string(const char *text, const char *key, char *string, size_t size);

#endif
