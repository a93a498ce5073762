// A table with a row for each point, line or polygon. Columns are added as they are met, and may have fewer
// rows than the table; texts lie one after the other in one block.

#include "places/attributes.h"

#include "core/json.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Attributes *attributes_new(Error *error) {
    return memory_new_zeroed(1, sizeof(Attributes), error);
}

void attributes_free(Attributes *attributes) {
    if (!attributes)
        return;
    for (int i = 0; i < attributes->column_count; i++)
        memory_free(attributes->columns[i].at);
    memory_free(attributes->texts);
    memory_free(attributes);
}

int attributes_find(const Attributes *attributes, const char *name) {
    for (int i = 0; attributes && i < attributes->column_count; i++)
        if (strcmp(attributes_name(attributes, i), name) == 0)
            return i;
    return -1;
}

Status attributes_require(const Attributes *attributes, const char *name, int *column, Error *error) {
    char known[200] = "none";
    *column = attributes_find(attributes, name);
    if (*column >= 0)
        return STATUS_OK;
    for (int i = 0, used = 0; attributes && i < attributes->column_count && used < 120; i++)
        used += snprintf(known + used, sizeof known - (size_t)used, "%s%.60s", i ? ", " : "",
                         attributes_name(attributes, i));
    return fail(error, STATUS_INVALID, "there is no attribute '%.60s'; there are: %s", name, known);
}

// The text may be one of the table's own.
static Status add_text(Attributes *attributes, const char *text, size_t *begin, Error *error) {
    const size_t size = strlen(text) + 1, needed = attributes->text_count + size;
    const bool own =
        attributes->texts && text >= attributes->texts && text < attributes->texts + attributes->text_count;
    const size_t at = own ? (size_t)(text - attributes->texts) : 0;
    if (!attributes->texts || needed > attributes->text_room) {
        const size_t room = 2 * needed + 64;
        char *texts = memory_enlarge(attributes->texts, attributes->text_count, room, 1, error);
        if (!texts)
            return STATUS_MEMORY;
        attributes->texts = texts;
        attributes->text_room = room;
    }
    memcpy(attributes->texts + attributes->text_count, own ? attributes->texts + at : text, size);
    *begin = attributes->text_count;
    attributes->text_count += size;
    return STATUS_OK;
}

Status attributes_column(Attributes *attributes, const char *name, int *column, Error *error) {
    *column = attributes_find(attributes, name);
    if (*column >= 0)
        return STATUS_OK;
    if (attributes->column_count == ATTRIBUTES_MAX)
        return fail(error, STATUS_INVALID, "more than %d attributes", ATTRIBUTES_MAX);
    if (strlen(name) > ATTRIBUTE_NAME_MAX)
        return fail(error, STATUS_INVALID, "the name of an attribute is longer than %d bytes: '%.40s…'",
                    ATTRIBUTE_NAME_MAX, name);
    AttributeColumn made = { 0 };
    const Status status = add_text(attributes, name, &made.name, error);
    if (status != STATUS_OK)
        return status;
    *column = attributes->column_count;
    attributes->columns[attributes->column_count++] = made;
    return STATUS_OK;
}

Status attributes_set(Attributes *attributes, int column, int row, Attribute value, Error *error) {
    AttributeColumn *own = &attributes->columns[column];
    if (row >= own->room) {
        const int room = row + row / 2 + 16;
        Attribute *at = memory_enlarge(own->at, (size_t)own->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        own->at = at;
        own->room = room;
    }
    for (; own->count <= row; own->count++)
        own->at[own->count] = (Attribute){ 0 };
    own->at[row] = value;
    return STATUS_OK;
}

Status attributes_set_number(Attributes *attributes, int column, int row, double number, Error *error) {
    return attributes_set(attributes, column, row, (Attribute){ .kind = ATTRIBUTE_NUMBER, .number = number },
                          error);
}

Status attributes_set_text(Attributes *attributes, int column, int row, AttributeKind kind, const char *text,
                           Error *error) {
    Attribute value = { .kind = kind };
    const Status status = add_text(attributes, text, &value.text, error);
    return status == STATUS_OK ? attributes_set(attributes, column, row, value, error) : status;
}

Attribute attributes_get(const Attributes *attributes, int column, int row) {
    if (!attributes || column < 0 || row >= attributes->columns[column].count)
        return (Attribute){ 0 };
    return attributes->columns[column].at[row];
}

Status attributes_copy(Attributes *to, int to_row, const Attributes *from, int row, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; from && status == STATUS_OK && i < from->column_count; i++) {
        const Attribute value = attributes_get(from, i, row);
        int column;
        status = attributes_column(to, attributes_name(from, i), &column, error);
        if (status != STATUS_OK || value.kind == ATTRIBUTE_NONE)
            continue;
        status = value.kind >= ATTRIBUTE_TEXT ? attributes_set_text(to, column, to_row, value.kind,
                                                                    attributes_text(from, value), error)
                                              : attributes_set(to, column, to_row, value, error);
    }
    return status;
}

Status attributes_duplicate(const Attributes *from, int rows, Attributes **copy, Error *error) {
    *copy = NULL;
    if (!from)
        return STATUS_OK;
    *copy = attributes_new(error);
    Status status = *copy ? STATUS_OK : STATUS_MEMORY;
    for (int row = 0; status == STATUS_OK && row < rows; row++)
        status = attributes_copy(*copy, row, from, row, error);
    return status;
}

// --- between processes -------------------------------------------------------------------------------------

static uint64_t hash_text(uint64_t bits, const char *text) {
    for (; *text; text++)
        bits = mix64(bits ^ (unsigned char)*text);
    return mix64(bits + 1);
}

uint64_t attributes_hash(const Attributes *attributes, int rows, uint64_t bits) {
    for (int i = 0; attributes && i < attributes->column_count; i++) {
        bits = hash_text(bits, attributes_name(attributes, i));
        for (int row = 0; row < rows; row++) {
            const Attribute value = attributes_get(attributes, i, row);
            bits = mix_number(bits + (uint64_t)value.kind, value.number);
            if (value.kind >= ATTRIBUTE_TEXT)
                bits = hash_text(bits, attributes_text(attributes, value));
        }
    }
    return bits;
}

void attributes_write(const Attributes *attributes, int rows, ByteWriter *to) {
    const int columns = attributes ? attributes->column_count : 0;
    bytes_put(to, &columns, sizeof columns);
    if (!attributes)
        return;
    bytes_put(to, &attributes->text_count, sizeof attributes->text_count);
    bytes_put(to, attributes->texts, attributes->text_count);
    for (int i = 0; i < columns; i++) {
        const AttributeColumn *column = &attributes->columns[i];
        const int count = min(column->count, rows);
        bytes_put(to, &column->name, sizeof column->name);
        bytes_put(to, &count, sizeof count);
        bytes_put(to, column->at, (size_t)count * sizeof *column->at);
    }
}

// Numbers are finite, flags 0 or 1, and texts begin inside the block, which ends with a zero byte.
static bool is_sound(const Attribute *value, size_t text_count) {
    switch (value->kind) {
    case ATTRIBUTE_NONE:
        return true;
    case ATTRIBUTE_NUMBER:
        return isfinite(value->number);
    case ATTRIBUTE_FLAG:
        return value->number == 0 || value->number == 1;
    case ATTRIBUTE_TEXT:
    case ATTRIBUTE_JSON:
        return value->text < text_count;
    }
    return false;
}

static Status read_column(AttributeColumn *column, size_t text_count, int rows, FILE *from, Error *error) {
    int count;
    Status status = bytes_get(from, &column->name, sizeof column->name, error);
    if (status == STATUS_OK)
        status = bytes_get(from, &count, sizeof count, error);
    if (status != STATUS_OK)
        return status;
    if (column->name >= text_count || count < 0 || count > rows ||
        (size_t)count > bytes_left(from) / sizeof *column->at)
        return bytes_damaged(error);
    if (!(column->at = memory_new_zeroed((size_t)count + 1, sizeof *column->at, error)))
        return STATUS_MEMORY;
    column->count = column->room = count;
    status = bytes_get(from, column->at, (size_t)count * sizeof *column->at, error);
    for (int i = 0; status == STATUS_OK && i < count; i++)
        if (!is_sound(&column->at[i], text_count))
            status = bytes_damaged(error);
    return status;
}

Status attributes_read(Attributes **attributes, int rows, FILE *from, Error *error) {
    int columns;
    size_t size;
    Status status = bytes_get(from, &columns, sizeof columns, error);
    *attributes = NULL;
    if (status != STATUS_OK || columns == 0)
        return status;
    status = bytes_get(from, &size, sizeof size, error);
    if (status != STATUS_OK)
        return status;
    if (columns < 0 || columns > ATTRIBUTES_MAX || size == 0 || size > bytes_left(from))
        return bytes_damaged(error);
    Attributes *made = *attributes = attributes_new(error);
    if (!made || !(made->texts = memory_new(size, 1, error)))
        return STATUS_MEMORY;
    made->text_count = made->text_room = size;
    status = bytes_get(from, made->texts, size, error);
    if (status == STATUS_OK && made->texts[size - 1] != '\0')
        status = bytes_damaged(error);
    for (; status == STATUS_OK && made->column_count < columns; made->column_count++)
        status = read_column(&made->columns[made->column_count], size, rows, from, error);
    return status;
}

// --- JSON --------------------------------------------------------------------------------------------------

bool attributes_put_json(const Attributes *attributes, int row, bool first, FILE *to) {
    for (int i = 0; attributes && i < attributes->column_count; i++) {
        const Attribute value = attributes_get(attributes, i, row);
        fputs(first ? "" : ",", to);
        first = false;
        json_put_text(to, attributes_name(attributes, i));
        fputc(':', to);
        if (value.kind == ATTRIBUTE_NUMBER)
            fputs(digits_of(value.number).text, to);
        else if (value.kind == ATTRIBUTE_FLAG)
            fputs(value.number != 0 ? "true" : "false", to);
        else if (value.kind == ATTRIBUTE_TEXT)
            json_put_text(to, attributes_text(attributes, value));
        else
            fputs(value.kind == ATTRIBUTE_JSON ? attributes_text(attributes, value) : "null", to);
    }
    return first;
}
