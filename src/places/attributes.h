// The attributes of points, lines and polygons: a table with a row for each of them.

#ifndef ESKER_ATTRIBUTES_H
#define ESKER_ATTRIBUTES_H

#include "core/bytes.h"
#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ATTRIBUTE_JSON: a list or an object of a GeoJSON file, as its text.
typedef enum AttributeKind {
    ATTRIBUTE_NONE,
    ATTRIBUTE_NUMBER,
    ATTRIBUTE_FLAG,
    ATTRIBUTE_TEXT,
    ATTRIBUTE_JSON,
} AttributeKind;

typedef struct Attribute {
    AttributeKind kind;
    double number; // of flags 0 or 1
    size_t text;   // where it begins in Attributes.texts
} Attribute;

enum { ATTRIBUTES_MAX = 256, ATTRIBUTE_NAME_MAX = 255 };

typedef struct AttributeColumn {
    size_t name; // in texts
    int count, room;
    Attribute *at; // of the first `count` rows; the others have none
} AttributeColumn;

typedef struct Attributes {
    int column_count;
    AttributeColumn columns[ATTRIBUTES_MAX];
    char *texts; // each ended by a zero byte
    size_t text_count, text_room;
} Attributes;

// An empty table; NULL if memory runs out. NULL may be freed.
Attributes *attributes_new(Error *error);
void attributes_free(Attributes *attributes);

// The column of this name, or -1. `attributes` may be NULL.
int attributes_find(const Attributes *attributes, const char *name);

// The same; STATUS_INVALID if there is none, with the names of those that there are.
Status attributes_require(const Attributes *attributes, const char *name, int *column, Error *error);

// attributes_find, or a new column. Fails with STATUS_INVALID where there are too many, or the name is too
// long.
Status attributes_column(Attributes *attributes, const char *name, int *column, Error *error);

Status attributes_set(Attributes *attributes, int column, int row, Attribute value, Error *error);
Status attributes_set_number(Attributes *attributes, int column, int row, double number, Error *error);
Status attributes_set_text(Attributes *attributes, int column, int row, AttributeKind kind, const char *text,
                           Error *error);

// `attributes` may be NULL.
Attribute attributes_get(const Attributes *attributes, int column, int row);

static inline const char *attributes_name(const Attributes *attributes, int column) {
    return attributes->texts + attributes->columns[column].name;
}

static inline const char *attributes_text(const Attributes *attributes, Attribute value) {
    return attributes->texts + value.text;
}

// Copies `row` of `from`, which may be NULL, to a row of another table.
Status attributes_copy(Attributes *to, int to_row, const Attributes *from, int row, Error *error);

// A copy of a whole table; NULL for NULL. Fails with STATUS_MEMORY.
Status attributes_duplicate(const Attributes *from, int rows, Attributes **copy, Error *error);

// Both of tables of `rows` rows; the table may be NULL. attributes_read trusts no byte.
uint64_t attributes_hash(const Attributes *attributes, int rows, uint64_t bits);
void attributes_write(const Attributes *attributes, int rows, ByteWriter *to);
Status attributes_read(Attributes **attributes, int rows, FILE *from, Error *error);

// The members of a GeoJSON object for one row, `,` before each unless `first`; returns whether it is still
// empty.
bool attributes_put_json(const Attributes *attributes, int row, bool first, FILE *to);

#endif
