// numpy's format (NEP 1): a magic string, the version, the length of a header, the header as the text of a
// Python dictionary, and the numbers. Cells that are not finite have no data.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/formats.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char magic[6] = "\x93NUMPY";
enum { HEADER_MAX = 4096, SIDES_MAX = 32 }; // as numpy

static Status damaged(const Reading *reading, const char *what, Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.300s': %s", reading->path, what);
}

// Versions differ in the length of the header's length and the encoding of names, of which heights have none.
static Status read_text(const Reading *reading, char text[HEADER_MAX + 1], Error *error) {
    unsigned char head[12];
    if (fread(head, 1, 8, reading->stream) != 8 || memcmp(head, magic, sizeof magic) != 0)
        return damaged(reading, "it is not a numpy array", error);
    const size_t wide = head[6] == 1 ? 2 : 4;
    if (head[6] < 1 || head[6] > 3 || head[7] != 0 || fread(head + 8, 1, wide, reading->stream) != wide)
        return damaged(reading, "its version is not known, or it is truncated", error);
    const double length = number_get(head + 8, (NumberKind){ 'u', (int)wide, false });
    const size_t size = (size_t)whole_64(min(length, (double)HEADER_MAX));
    text[size] = '\0';
    if (fread(text, 1, size, reading->stream) != size)
        return damaged(reading, "it is truncated", error);
    for (double rest = length - (double)size; rest > 0;
         rest--) { // spaces, so that numbers begin where they should
        const int letter = getc(reading->stream);
        if (!isspace(letter))
            return damaged(reading, letter == EOF ? "it is truncated" : "its header is too long", error);
    }
    return STATUS_OK;
}

// --- the header: a Python dictionary of three keys ---------------------------------------------------------

typedef struct Entry {
    const char *key, *value; // behind the key's quote; the value's first letter
    size_t key_length, value_length;
} Entry;

static const char *skip_spaces(const char *at) {
    return at + strspn(at, " \t\r\n\f\v");
}

// The length of a text in either of Python's quotes, and of what is in brackets; 0: it does not end.
static size_t value_length(const char *at) {
    int depth = 0;
    size_t length = 0;
    do {
        const char letter = at[length];
        if (letter == '\'' || letter == '"') {
            const char *end = strchr(at + length + 1, letter);
            if (!end)
                return 0;
            length = (size_t)(end - at);
        }
        depth += (strchr("([{", letter) && letter) - (strchr(")]}", letter) && letter);
        if (!letter || depth < 0)
            return letter ? length : 0;
        length++;
    } while (depth > 0 || !strchr(",}", at[length]));
    return length;
}

// Moves on behind the entry; false if there is none, or the text is not as it should be.
static bool next_entry(const char **at, Entry *entry) {
    const char *key = skip_spaces(*at), *end = (*key == '\'' || *key == '"') ? strchr(key + 1, *key) : NULL;
    const char *colon = end ? skip_spaces(end + 1) : NULL;
    if (!colon || *colon != ':')
        return false;
    entry->key = key + 1;
    entry->key_length = (size_t)(end - key - 1);
    entry->value = skip_spaces(colon + 1);
    entry->value_length = value_length(entry->value);
    const char *after = entry->value + entry->value_length;
    *at = *after == ',' ? skip_spaces(after + 1) : after;
    return entry->value_length > 0;
}

static bool parse_type(const char *type, NumberKind *numbers) {
    char order = 0, kind = 0, quote = 0;
    int bytes = 0;
    if ((*type != '\'' && *type != '"') ||
        sscanf(type + 1, "%c%c%2d%c", &order, &kind, &bytes, &quote) != 4 || quote != *type ||
        !strchr("<>|=", order))
        return false;
    *numbers =
        (NumberKind){ kind == 'b' ? 'u' : kind, bytes, order == '>' }; // truth values are bytes of 0 and 1
    const bool has_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    return (kind == 'b' && bytes == 1) || (strchr("iu", kind) && has_size) ||
           (kind == 'f' && has_size && bytes > 1);
}

// A tuple of whole numbers, which Python 2 may have ended in L. Sides of 1 count only where others are too
// few: (1, h, w) has its bands first, and (h, w, 1) last. False: not two sides are left.
static bool parse_shape(const char *shape, NpyArray *array) {
    double sides[SIDES_MAX + 1];
    int count = 0;
    if (*shape != '(')
        return false;
    for (const char *at = skip_spaces(shape + 1); *at != ')';) {
        char *end;
        const double side = strtod(at, &end);
        if (!isdigit((unsigned char)*at) || count > SIDES_MAX || !(side == floor(side)))
            return false;
        sides[count++] = side;
        at = skip_spaces(end + (*end == 'L'));
        if (*at != ',' && *at != ')')
            return false;
        at = *at == ',' ? skip_spaces(at + 1) : at;
    }
    double *const kept[2] = { &array->height, &array->width };
    int left = 0;
    for (int i = 0, excess = count - 2; i < count; i++) {
        if (sides[i] == 1 && excess > 0)
            excess--;
        else if (left < 2)
            *kept[left++] = sides[i];
        else
            left = 3;
    }
    return count >= 2 && left == 2;
}

static Status refuse_value(const Reading *reading, const Entry *entry, const char *allowed, Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.200s': its %.*s is %.*s%s; %s", reading->path,
                (int)entry->key_length, entry->key, (int)min(entry->value_length, (size_t)60), entry->value,
                entry->value_length > 60 ? "…" : "", allowed);
}

static Status take_entry(const Reading *reading, const Entry *entry, NpyArray *array, unsigned *found,
                         Error *error) {
    static const char *const keys[] = { "descr", "fortran_order", "shape" };
    int key = 0;
    while (key < 3 &&
           (strlen(keys[key]) != entry->key_length || strncmp(keys[key], entry->key, entry->key_length) != 0))
        key++;
    if (key == 3 || *found & 1u << key)
        return damaged(reading, "its header is not that of an array", error);
    *found |= 1u << key;
    if (key == 0 && !parse_type(entry->value, &array->numbers))
        return refuse_value(reading, entry,
                            "truth values, integers of 1, 2, 4 or 8 bytes and floats of 2, 4 or 8 are read",
                            error);
    array->by_columns = key == 1 ? strncmp(entry->value, "True", 4) == 0 : array->by_columns;
    if (key == 1 && !array->by_columns && strncmp(entry->value, "False", 5) != 0)
        return refuse_value(reading, entry, "True and False are read", error);
    if (key == 2 && !parse_shape(entry->value, array))
        return refuse_value(reading, entry, "arrays of two dimensions are read, and others whose sides are 1",
                            error);
    return STATUS_OK;
}

static Status parse(const Reading *reading, const char *text, NpyArray *array, Error *error) {
    const char *at = skip_spaces(text);
    unsigned found = 0;
    Entry entry;
    for (at += *at == '{'; *at && *at != '}';) {
        const Status status = next_entry(&at, &entry)
                                  ? take_entry(reading, &entry, array, &found, error)
                                  : damaged(reading, "its header is not a dictionary", error);
        if (status != STATUS_OK)
            return status;
    }
    return found == 7 && *at == '}' ? STATUS_OK
                                    : damaged(reading, "its header is not that of an array", error);
}

// `count` numbers, which lie `step` cells apart from `cell` on.
static Status read_line(const Reading *reading, const NpyArray *array, unsigned char *line, size_t cell,
                        size_t step, size_t count, Gaps *gaps, Error *error) {
    const size_t bytes = (size_t)array->numbers.bytes;
    if (fread(line, bytes, count, reading->stream) != count)
        return damaged(reading, "it is truncated", error);
    for (size_t i = 0; i < count; i++, cell += step) {
        const double number = number_get(line + i * bytes, array->numbers);
        if (!isfinite((float)number))
            gaps->at[cell] = 1;
        field_cells(reading->field)[cell] = (float)number;
    }
    return STATUS_OK;
}

static Status read_cells(const Reading *reading, const NpyArray *array, Error *error) {
    Field *field = reading->field;
    const size_t width = (size_t)field->width, height = (size_t)field->height;
    const size_t count = array->by_columns ? height : width, lines = array->by_columns ? width : height;
    unsigned char *line = memory_new(count, 8, error);
    Gaps *gaps = line ? gaps_new(width * height, error) : NULL;
    Status status = gaps ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < lines; i++)
        status = read_line(reading, array, line, array->by_columns ? i : i * width,
                           array->by_columns ? width : 1, count, gaps, error);
    memory_free(line);
    if (status == STATUS_OK)
        field_set_gaps(field, gaps);
    else
        gaps_release(gaps);
    return status;
}

Status npy_read_header(const Reading *reading, NpyArray *array, Error *error) {
    char text[HEADER_MAX + 1];
    const Status status = read_text(reading, text, error);
    return status == STATUS_OK ? parse(reading, text, array, error) : status;
}

static Status read_npy(Reading *reading, Error *error) {
    NpyArray array = { 0 };
    Status status = npy_read_header(reading, &array, error);
    if (status == STATUS_OK)
        status = refuse_pixels(reading, array.width, array.height, error);
    const double left = (double)bytes_left(reading->stream),
                 wanted = array.width * array.height * array.numbers.bytes;
    if (status == STATUS_OK && left != wanted)
        status = fail(error, STATUS_FILE,
                      "cannot read '%.300s': it is %s: %.0f bytes, where %.0f × %.0f numbers take %.0f",
                      reading->path, left < wanted ? "truncated" : "too long", left, array.width,
                      array.height, wanted);
    if (status == STATUS_OK)
        status = field_create(reading->field, whole_int(array.width), whole_int(array.height), error);
    return status == STATUS_OK ? read_cells(reading, &array, error) : status;
}

// The numbers begin at a multiple of 64 bytes.
void npy_write_header(FILE *stream, int width, int height) {
    char text[119]; // 118 are written, which are 128 with the 10 bytes before
    memset(text, ' ', sizeof text);
    const int length = snprintf(
        text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", height, width);
    text[length] = ' ';
    text[117] = '\n';
    fwrite(magic, 1, sizeof magic, stream);
    fwrite("\1\0\166\0", 1, 4, stream);
    fwrite(text, 1, 118, stream);
}

static Status write_npy(const Writing *writing, Error *error) {
    (void)error;
    const Field *field = writing->value;
    npy_write_header(writing->stream, field->width, field->height);
    return write_r32(writing->stream, field, false, false);
}

const FileFormat format_npy = {
    .name = "numpy",
    .endings = "npy",
    .media_type = "application/octet-stream",
    .holds = { { &type_field, write_npy } },
    .read = read_npy,
    .rows = ROWS_NUMPY,
    .keeps = KEEPS_BESIDE | KEEPS_GAPS,
    .numbers = "exact; reads truth values, integers of 1 to 8 bytes and floats of 2 to 8, either order, two "
               "dimensions and others whose sides are 1",
    .gaps = "NaN",
    .doc = "An array of 32-bit floats",
};
