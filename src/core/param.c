#include "core/param.h"

#include "core/error.h"
#include "core/json.h"
#include "core/whole.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A choice is an int with a list of names; its struct member alone does not say so.
ParamKind param_kind(const Param *param) {
    return param->choices ? PARAM_CHOICE : param->kind;
}

const char *param_kind_name(const Param *param) {
    static const char *const names[] = {
        [PARAM_INTEGER] = "integer", [PARAM_NUMBER] = "number",   [PARAM_BOOLEAN] = "boolean",
        [PARAM_TEXT] = "text",       [PARAM_NUMBERS] = "numbers", [PARAM_DECIMAL] = "decimal",
        [PARAM_FIELD] = "field",     [PARAM_FIELDS] = "fields",   [PARAM_IMAGE] = "image",
        [PARAM_PALETTE] = "palette", [PARAM_CHOICE] = "choice",   [PARAM_COLOURS] = "colours",
    };
    return names[param_kind(param)];
}

const char *param_unit_name(const Param *param) {
    static const char *const names[] = {
        [UNIT_NONE] = NULL,
        [UNIT_PER_SIDE] = "per N",
        [UNIT_SLOPE] = "per N",
        [UNIT_EXAGGERATION] = NULL,
        [UNIT_SIDES] = "N",
        [UNIT_PLACE] = NULL,
        [UNIT_SEA] =
            "the unit of the heights; by default frame.sea, which is 0, and in a coordinate system no sea",
        [UNIT_CELLS] = "cells",
        [UNIT_DEGREES] = "degrees",
        [UNIT_HEIGHTS] = "the unit of the heights",
        [UNIT_METRES] = "m",
        [UNIT_AREA] = "m²",
        [UNIT_GROUND] = "m, without a frame cells",
    };
    return names[param->unit];
}

static void store_number(const Param *param, void *params, double value) {
    void *member = (char *)params + param->offset;
    switch (param_kind(param)) {
    case PARAM_INTEGER:
    case PARAM_CHOICE:
        *(int *)member = whole_int(value);
        break;
    case PARAM_BOOLEAN:
        *(bool *)member = value != 0;
        break;
    case PARAM_NUMBER:
        *(double *)member = value;
        break;
    case PARAM_DECIMAL:
        *(Decimal *)member = (Decimal){ .number = value };
        break;
    case PARAM_TEXT:
    case PARAM_NUMBERS:
    case PARAM_FIELD:
    case PARAM_FIELDS:
    case PARAM_IMAGE:
    case PARAM_PALETTE:
    case PARAM_COLOURS:
        break;
    }
}

static void store_initial_numbers(const Param *param, Numbers *numbers) {
    numbers->count = param->initial_numbers.count;
    for (int i = 0; i < numbers->count; i++)
        numbers->at[i] = param->initial_numbers.at[i];
}

// Colours separated by spaces. 0 if the text is anything else.
static int read_colours(const char *text, Colours *colours) {
    char each[16];
    int used = 0;
    for (colours->count = 0; sscanf(text, "%15s%n", each, &used) == 1; text += used)
        if (colours->count == COLOURS_MAX || !colour_read(each, &colours->at[colours->count++]))
            return colours->count = 0;
    return colours->count;
}

void param_initialise(const Param *param, void *params) {
    void *member = (char *)params + param->offset;
    if (param->kind == PARAM_TEXT)
        *(const char **)member = param->initial_text;
    else if (param->kind == PARAM_NUMBERS)
        store_initial_numbers(param, member);
    else if (param->kind == PARAM_PALETTE)
        *(Palette *)member = *palette_find(param->initial_text);
    else if (param->kind == PARAM_COLOURS)
        read_colours(param->initial_text, member);
    else if (param->optional)
        store_number(param, params, param_kind(param) == PARAM_CHOICE ? NOT_CHOSEN : (double)NAN);
    else
        store_number(param, params, param->initial);
}

bool param_bounded(const Param *param) {
    return param->min != 0 || param->max != 0;
}

static bool within(const Param *param, double value) {
    const bool anywhere = param->unit == UNIT_PLACE; // in coordinates that only a call knows: it checks them
    return isfinite(value) &&
           (anywhere || !param_bounded(param) || (value >= param->min && value <= param->max));
}

// Bounds at or above this are those of a cell, and not displayed.
static const double practically_unbounded = HEIGHT_MAX;

// A large power of two as such, since its digits say nothing.
static Digits bound_text(double bound) {
    Digits text = digits_of(bound);
    int exponent;
    if (bound > 0x1p53 && frexp(bound, &exponent) == 0.5)
        snprintf(text.text, sizeof text.text, "2^%d", exponent - 1);
    return text;
}

static void write_bounds(const Param *param, char *text, size_t size) {
    if (!param_bounded(param))
        snprintf(text, size, param->kind == PARAM_INTEGER ? "a whole number" : "finite");
    else if (param->max >= practically_unbounded && param->min > -practically_unbounded)
        snprintf(text, size, "at least %s", bound_text(param->min).text);
    else if (param->max >= practically_unbounded)
        snprintf(text, size, "finite");
    else
        snprintf(text, size, "%s to %s", bound_text(param->min).text, bound_text(param->max).text);
}

int param_rows_max(const Param *param) {
    return param->rows_max > 0 ? param->rows_max : NUMBERS_MAX / (param->columns > 1 ? param->columns : 1);
}

// "1 to 64 rows of 4 numbers", "2 numbers or none", "2 numbers { south, north }"
static void write_rows(const Param *param, char *text, size_t size) {
    const int least = param->rows_min, most = param_rows_max(param);
    char count[40], row[40] = "", names[60] = "";
    if (least == most)
        snprintf(count, sizeof count, "%d", most);
    else if (least == 0)
        snprintf(count, sizeof count, "up to %d", most);
    else
        snprintf(count, sizeof count, "%d to %d", least, most);
    if (param->columns > 1 && param->columns_min > 0)
        snprintf(row, sizeof row, "rows of %d to %d ", param->columns_min, param->columns);
    else if (param->columns > 1)
        snprintf(row, sizeof row, "rows of %d ", param->columns);
    if (param->elements)
        snprintf(names, sizeof names, " { %s }", param->elements);
    snprintf(text, size, "%s %snumbers%s%s", count, row, names,
             param->optional && least > 0 ? " or none" : "");
}

void param_allowed(const Param *param, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    switch (param_kind(param)) {
    case PARAM_CHOICE:
        for (const char *const *choice = param->choices; *choice; choice++) {
            const char *joint = choice == param->choices ? "" : choice[1] ? ", " : " or ";
            const int wrote = snprintf(text + used, size - used, "%s\"%s\"", joint, *choice);
            used = used + (size_t)wrote < size ? used + (size_t)wrote : size - 1;
        }
        return;
    case PARAM_NUMBERS: {
        char rows[100], bounds[80];
        write_rows(param, rows, sizeof rows);
        write_bounds(param, bounds, sizeof bounds);
        const bool any = strcmp(bounds, "finite") == 0;
        const char *each = param->unit == UNIT_PLACE ? ", each as a share " : ", each ";
        snprintf(text, size, "%s%s%s", rows, any ? "" : each, any ? "" : bounds);
        return;
    }
    case PARAM_INTEGER:
    case PARAM_NUMBER:
    case PARAM_DECIMAL:
        write_bounds(param, text, size);
        return;
    case PARAM_BOOLEAN:
        snprintf(text, size, "true or false");
        return;
    case PARAM_TEXT:
        snprintf(text, size, param->max > 0 ? "one line of at most %.0f characters" : "a string", param->max);
        return;
    case PARAM_FIELD:
        snprintf(text, size, "a field");
        return;
    case PARAM_FIELDS:
        snprintf(text, size, "a field, or a list of up to %d, each", FIELDS_MAX);
        return;
    case PARAM_IMAGE:
        snprintf(text, size, "an image");
        return;
    case PARAM_PALETTE:
        snprintf(text, size, "a palette's name, or a list of up to %d { height, \"#rrggbb\" }", PALETTE_MAX);
        return;
    case PARAM_COLOURS:
        snprintf(text, size, "\"#rrggbb\", or a list of up to %d", COLOURS_MAX);
        return;
    }
}

// The reason for refusing a value: the bound that it exceeds, if the range is not displayed.
static void explain(const Param *param, double value, char *text, size_t size) {
    write_bounds(param, text, size);
    if (!param_bounded(param) || !isfinite(value))
        return;
    if (value > param->max && param->max >= practically_unbounded)
        snprintf(text, size, "at most %s", digits_of(param->max).text);
    else if (value < param->min && param->min <= -practically_unbounded)
        snprintf(text, size, "at least %s", digits_of(param->min).text);
}

// A hint for units that are easily mistaken for cells.
static const char *unit_hint(const Param *param) {
    return param->unit == UNIT_SIDES ? ", a share of N (the longer side)"
           : param->unit == UNIT_PLACE
               ? ", a share of the width or height (or say coordinates = \"cells\", \"map\" or "
                 "\"degrees\")"
               : "";
}

// `name`: of the parameter, or of one of its elements.
static Status check_number(const Param *param, const char *name, double value, Error *error) {
    if (!within(param, value)) {
        char allowed[200];
        explain(param, value, allowed, sizeof allowed);
        return fail(error, STATUS_INVALID, "%s must be %s%s, got %s", name, allowed, unit_hint(param),
                    digits_of(value).text);
    }
    if (param->kind == PARAM_INTEGER && value != floor(value)) {
        char allowed[200];
        write_bounds(param, allowed, sizeof allowed);
        return fail(error, STATUS_INVALID, "%s must be a whole number, %s, got %s", name, allowed,
                    digits_of(value).text);
    }
    return STATUS_OK;
}

Status param_set_number(const Param *param, void *params, double value, Error *error) {
    const Status status = check_number(param, param->name, value, error);
    if (status == STATUS_OK)
        store_number(param, params, value);
    return status;
}

// The end of the digits at `text`, among which may be one point; `text` itself if there are none.
static const char *end_of_digits(const char *text, int (*is_digit)(int)) {
    const char *end = text;
    int digits = 0, points = 0;
    for (; is_digit((unsigned char)*end) || (*end == '.' && points == 0); end++) {
        digits += *end != '.';
        points += *end == '.';
    }
    return digits > 0 ? end : text;
}

// 0x, hexadecimal digits and perhaps p and a power of two, as C and Lua write such numbers.
static bool is_hexadecimal(const char *text) {
    if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
        return false;
    const char *digits = text + 2, *end = end_of_digits(digits, isxdigit);
    if (end == digits || (*end != 'p' && *end != 'P'))
        return end != digits && !*end;
    const char *power = end + 1 + (end[1] == '-' || end[1] == '+');
    return isdigit((unsigned char)*power) && !power[strspn(power, "0123456789")];
}

static bool is_decimal(const char *text) {
    text += *text == '-';
    const char *end = end_of_digits(text, isdigit);
    return (end != text && !*end) || is_hexadecimal(text);
}

static void list_palettes(char *text, size_t size) {
    size_t length = 0;
    for (int i = 0; named_palettes[i].name && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", named_palettes[i].name);
}

static Status set_palette(const Param *param, void *params, const char *name, Error *error) {
    const Palette *found = palette_find(name);
    if (found) {
        *(Palette *)(void *)((char *)params + param->offset) = *found;
        return STATUS_OK;
    }
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX + 1] = { 0 };
    for (int i = 0; i < NAMES_MAX && named_palettes[i].name; i++)
        names[i] = named_palettes[i].name;
    const char *nearest = nearest_name(name, names);
    if (nearest)
        return fail(error, STATUS_INVALID, "%s: there is no palette \"%.40s\", did you mean \"%s\"?",
                    param->name, name, nearest);
    char all[300];
    list_palettes(all, sizeof all);
    return fail(error, STATUS_INVALID, "%s: there is no palette \"%.40s\"; there are %s", param->name, name,
                all);
}

static Status set_colours(const Param *param, void *params, const char *text, Error *error) {
    Colours colours;
    if (!read_colours(text, &colours))
        return fail(error, STATUS_INVALID, "%s must be \"#rrggbb\", or several of them, got \"%.40s\"",
                    param->name, text);
    *(Colours *)(void *)((char *)params + param->offset) = colours;
    return STATUS_OK;
}

// What keeps a text from being one line of UTF-8; NULL: nothing does. Sets how many characters it has.
static const char *line_fault(const char *text, int *count) {
    for (*count = 0; *text; ++*count) {
        const int length = utf8_length(text);
        const unsigned char *at = (const unsigned char *)text;
        if (length == 0)
            return "bytes that are not UTF-8";
        if (at[0] == '\n' || at[0] == '\r')
            return "a line break";
        if (at[0] < 32 || at[0] == 127 || (at[0] == 0xc2 && at[1] < 0xa0)) // C0, DEL, C1
            return "a control character";
        if (at[0] == 0xe2 && at[1] == 0x80 && (at[2] == 0xa8 || at[2] == 0xa9)) // U+2028, U+2029
            return "a line break";
        text += length;
    }
    return NULL;
}

Status param_check_text(const Param *param, const char *text, Error *error) {
    char allowed[200], characters[32];
    int count = 0;
    const char *fault = param->max > 0 ? line_fault(text, &count) : NULL;
    if (!fault && (param->max <= 0 || count <= param->max))
        return STATUS_OK;
    param_allowed(param, allowed, sizeof allowed);
    snprintf(characters, sizeof characters, "%d", count);
    return fail(error, STATUS_INVALID, "%s must be %s, got %s", param->name, allowed,
                fault ? fault : characters);
}

Status param_set_text(const Param *param, void *params, const char *text, Error *error) {
    if (param_kind(param) == PARAM_DECIMAL) {
        if (!is_decimal(text))
            return fail(error, STATUS_INVALID,
                        "%s must be a number, or its digits as a string (\"0.25\", \"0x.4\"), got \"%.40s\"",
                        param->name, text);
        const Status status = param_set_number(param, params, strtod(text, NULL), error);
        ((Decimal *)(void *)((char *)params + param->offset))->text = text;
        return status;
    }
    if (param_kind(param) == PARAM_TEXT) {
        *(const char **)(void *)((char *)params + param->offset) = text;
        return param_check_text(param, text, error);
    }
    if (param->kind == PARAM_PALETTE)
        return set_palette(param, params, text, error);
    if (param->kind == PARAM_COLOURS)
        return set_colours(param, params, text, error);
    for (int i = 0; param->choices[i]; i++)
        if (strcmp(param->choices[i], text) == 0) {
            store_number(param, params, i);
            return STATUS_OK;
        }
    char allowed[200];
    param_allowed(param, allowed, sizeof allowed);
    return fail(error, STATUS_INVALID, "%s must be %s, got \"%.40s\"", param->name, allowed, text);
}

Status param_check_rows(const Param *param, long long rows, Error *error) {
    if ((rows >= param->rows_min && rows <= param_rows_max(param)) || (rows == 0 && param->optional))
        return STATUS_OK;
    char allowed[100];
    write_rows(param, allowed, sizeof allowed);
    return fail(error, STATUS_INVALID, "%s must be a list of %s, got a list of %lld", param->name, allowed,
                rows);
}

static Status check_numbers(const Param *param, const Numbers *numbers, Error *error) {
    const int columns = param->columns > 1 ? param->columns : 1;
    if (numbers->count % columns != 0)
        return fail(error, STATUS_INVALID, "%s must be rows of %d numbers, got %d numbers", param->name,
                    columns, numbers->count);
    Status status = param_check_rows(param, numbers->count / columns, error);
    for (int i = 0; i < numbers->count && status == STATUS_OK; i++) {
        char name[80];
        if (columns > 1)
            snprintf(name, sizeof name, "%s: row %d, column %d", param->name, i / columns + 1,
                     i % columns + 1);
        else
            snprintf(name, sizeof name, "%s: element %d", param->name, i + 1);
        status = check_number(param, name, numbers->at[i], error);
    }
    return status;
}

Status param_set_numbers(const Param *param, void *params, const Numbers *numbers, Error *error) {
    const Status status = check_numbers(param, numbers, error);
    if (status == STATUS_OK)
        *(Numbers *)(void *)((char *)params + param->offset) = *numbers;
    return status;
}

static Status check_palette(const Param *param, const Palette *palette, Error *error) {
    bool sound = palette->count > 0 && palette->count <= PALETTE_MAX;
    for (int i = 0; sound && i < palette->count; i++)
        sound = isfinite(palette->stops[i].height);
    return sound ? STATUS_OK
                 : fail(error, STATUS_INVALID, "%s must have 1 to %d colours at finite heights", param->name,
                        PALETTE_MAX);
}

static Status check_colours(const Param *param, const Colours *colours, Error *error) {
    return colours->count > 0 && colours->count <= COLOURS_MAX
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "%s must be 1 to %d colours", param->name, COLOURS_MAX);
}

static bool has_value(const Param *param, const void *member) {
    return !param->optional || param->kind == PARAM_NUMBERS ||
           (param->choices ? *(const int *)member != NOT_CHOSEN : !isnan(*(const double *)member));
}

bool param_is_given(const Param *param, const void *params) {
    const void *member = (const char *)params + param->offset;
    int count;
    if (!has_value(param, member))
        return false;
    switch (param_kind(param)) {
    case PARAM_INTEGER:
    case PARAM_CHOICE:
        return param->optional || *(const int *)member != whole_int(param->initial);
    case PARAM_NUMBER:
        return param->optional || *(const double *)member != param->initial;
    case PARAM_BOOLEAN:
        return *(const bool *)member != (param->initial != 0);
    case PARAM_TEXT:
        return *(const char *const *)member && strcmp(*(const char *const *)member, param->initial_text) != 0;
    case PARAM_FIELD:
    case PARAM_FIELDS:
        param_fields(param, params, &count);
        return count > 0;
    case PARAM_IMAGE:
        return *(const Image *const *)member != NULL;
    case PARAM_NUMBERS:
    case PARAM_DECIMAL:
    case PARAM_PALETTE:
    case PARAM_COLOURS:
        break;
    }
    return true;
}

Status param_check(const Param *param, const void *params, Error *error) {
    const void *member = (const char *)params + param->offset;
    if (!has_value(param, member))
        return STATUS_OK;
    switch (param_kind(param)) {
    case PARAM_INTEGER:
        return check_number(param, param->name, *(const int *)member, error);
    case PARAM_NUMBER:
        return check_number(param, param->name, *(const double *)member, error);
    case PARAM_DECIMAL:
        return check_number(param, param->name, ((const Decimal *)member)->number, error);
    case PARAM_NUMBERS:
        return check_numbers(param, member, error);
    case PARAM_PALETTE:
        return check_palette(param, member, error);
    case PARAM_COLOURS:
        return check_colours(param, member, error);
    case PARAM_CHOICE:
        for (int i = 0; param->choices[i]; i++)
            if (*(const int *)member == i)
                return STATUS_OK;
        return fail(error, STATUS_INVALID, "%s is not one of its choices", param->name);
    case PARAM_FIELDS:
        return ((const Fields *)member)->count <= FIELDS_MAX
                   ? STATUS_OK
                   : fail(error, STATUS_INVALID, "%s must be at most %d fields", param->name, FIELDS_MAX);
    case PARAM_TEXT:
        return param_check_text(param, *(const char *const *)member, error);
    case PARAM_BOOLEAN:
    case PARAM_FIELD:
    case PARAM_IMAGE:
        break;
    }
    return STATUS_OK;
}

const Field *const *param_fields(const Param *param, const void *params, int *count) {
    const void *member = (const char *)params + param->offset;
    *count = 0;
    if (param->kind == PARAM_FIELDS) {
        *count = ((const Fields *)member)->count;
        return ((const Fields *)member)->at;
    }
    *count = param->kind == PARAM_FIELD && *(const Field *const *)member;
    return param->kind == PARAM_FIELD ? member : NULL;
}
