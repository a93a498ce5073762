#include "file/sidecar.h"

#include "core/json.h"
#include "core/math.h"
#include "core/memory.h"
#include "file/access.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- texts -------------------------------------------------------------------------------------------------

static const char no_heights[] = " no-heights";

void frame_to_texts(const Frame *frame, FrameTexts *texts) {
    texts->count = 0;
    if (!frame_is_set(frame))
        return;
    char sea[32] = "none", heights[64] = "";
    if (!frame->sealess)
        snprintf(sea, sizeof sea, "%.17g", frame->sea);
    if (frame->sealess || frame->sea != 0 || frame->top != 0)
        snprintf(heights, sizeof heights, frame->top != 0 || !frame->sealess ? " %s %.17g" : " %s", sea,
                 frame->top);
    snprintf(texts->numbers, sizeof texts->numbers, "%.17g %.17g %.17g %.17g %.17g %.17g%s%s", frame->x,
             frame->y, frame->right_x, frame->right_y, frame->down_x, frame->down_y, heights,
             frame->no_heights ? no_heights : "");
    texts->at[texts->count++] = (FrameText){ FRAME_PLACE, texts->numbers };
    if (frame->system)
        texts->at[texts->count++] = (FrameText){ FRAME_SYSTEM, frame->system };
    if (frame->unit)
        texts->at[texts->count++] = (FrameText){ FRAME_UNIT, frame->unit };
}

void frame_from_texts(const char *place, const char *system, const char *unit, Frame *frame) {
    Frame found = { 0 };
    int rest = 0; // where the sea and the top are, or "none" and perhaps the top
    if (!place || sscanf(place, "%lf %lf %lf %lf %lf %lf%n", &found.x, &found.y, &found.right_x,
                         &found.right_y, &found.down_x, &found.down_y, &rest) < 6)
        return;
    found.sealess = strncmp(place + rest, " none", 5) == 0;
    if (found.sealess)
        sscanf(place + rest + 5, "%lf", &found.top);
    else
        sscanf(place + rest, "%lf %lf", &found.sea, &found.top);
    if (!frame_is_valid(&found))
        return;
    found.no_heights = strstr(place + rest, no_heights) != NULL;
    frame_system(system, &found.system, NULL);
    frame_text(unit, FRAME_UNIT_MAX, &found.unit, NULL);
    *frame = found;
}

// --- the file beside ---------------------------------------------------------------------------------------

enum { SIDECAR_MAX = 1 << 24 }; // bytes; most are the recipe's

static bool path_of(const char *path, char *beside, size_t size) {
    return (size_t)snprintf(beside, size, "%s.json", path) < size;
}

// --- writing -----------------------------------------------------------------------------------------------

static void put_number(FILE *to, const char *key, double number) {
    fprintf(to, ",\n \"%s\": %.17g", key, number);
}

static void put_text(FILE *to, const char *key, const char *text) {
    fprintf(to, ",\n \"%s\": ", key);
    json_put_text(to, text);
}

// `sea_level` is the number that a height of 0 has in the file.
static void put_numbers(FILE *to, const Sidecar *sidecar) {
    put_text(to, "type", sidecar->type);
    put_text(to, "byte_order", sidecar->is_big ? "big" : "little");
    put_text(to, "first_row", sidecar->is_flipped ? "lowest" : "topmost");
    if (!sidecar->scaled)
        return;
    put_number(to, "low", sidecar->low);
    put_number(to, "high", sidecar->high);
    if (sidecar->low <= 0 && sidecar->high >= 0)
        put_number(to, "sea_level", -sidecar->low / (sidecar->high - sidecar->low) * 65535);
}

static void put_frame(FILE *to, const Frame *frame) {
    FrameTexts texts;
    frame_to_texts(frame, &texts);
    if (texts.count)
        put_number(to, "cell", frame_cell(frame));
    for (int i = 0; i < texts.count; i++)
        put_text(to, strchr(texts.at[i].key, ':') + 1, texts.at[i].value);
}

Status sidecar_write(WholeFile *file, const char *path, const Sidecar *sidecar, const Labels *labels,
                     Error *error) {
    char beside[4096];
    FILE *to = whole_file_stream_beside();
    if (whole_file_writes_to_stream() && !to)
        return STATUS_OK;
    if (!path_of(path, beside, sizeof beside))
        return fail(error, STATUS_FILE, "cannot write: the path is too long");
    const Status status = to ? STATUS_OK : whole_file_open_beside(file, beside, &to, error);
    if (status != STATUS_OK)
        return status;
    const char *slash = strrchr(path, '/');
    fputs("{\"file\": ", to);
    json_put_text(to, slash ? slash + 1 : path);
    if (sidecar->width > 0) {
        put_number(to, "width", sidecar->width);
        put_number(to, "height", sidecar->height);
    }
    if (sidecar->type)
        put_numbers(to, sidecar);
    put_frame(to, &sidecar->frame);
    fputs(",\n \"recipe\": ", to);
    json_put_labels(to, labels);
    fputs("}\n", to);
    return STATUS_OK; // whole_file_close detects write errors
}

// --- reading -----------------------------------------------------------------------------------------------

// A .json that is read.
typedef struct Source {
    const char *path, *text;
} Source;

// The end of a value: a quote, or what separates members.
static size_t length_of(const char *value) {
    size_t length = 0;
    if (*value != '"')
        return strcspn(value, ",}] \t\r\n");
    for (length = 1; value[length] && value[length] != '"'; length++)
        length += value[length] == '\\' && value[length + 1];
    return length + (value[length] == '"');
}

static Status refuse(const Source *source, const char *key, const char *allowed, Error *error) {
    const char *value = json_find(source->text, key);
    return fail(error, STATUS_FILE, "cannot read '%.200s': %s must be %s, got %.*s", source->path, key,
                allowed, value ? (int)min(length_of(value), (size_t)60) : 7, value ? value : "nothing");
}

// Whether the text is one object whose brackets and quotes are closed.
static bool is_whole(const char *text) {
    int depth = 0;
    const char *at = text + strspn(text, " \t\r\n");
    if (*at != '{')
        return false;
    do {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at += *at == '"' ? length_of(at) : 1;
    } while (*at && depth > 0);
    return depth == 0 && at[strspn(at, " \t\r\n")] == '\0';
}

static bool has(const Source *source, const char *key) {
    return json_find(source->text, key);
}

// A number from `low` to `high`, unless there is none.
static Status take_number(const Source *source, const char *key, double low, double high, const char *allowed,
                          double *number, Error *error) {
    const char *value = json_find(source->text, key);
    if (!value)
        return STATUS_OK;
    const bool plain = strspn(value, "+-.0123456789eE") == length_of(value);
    return plain && json_number(source->text, key, number) && *number >= low && *number <= high
               ? STATUS_OK
               : refuse(source, key, allowed, error);
}

// Whether the second of two words is there, unless there is none.
static Status take_choice(const Source *source, const char *key, const char *const words[2], bool *second,
                          Error *error) {
    char word[16], allowed[64];
    if (!has(source, key))
        return STATUS_OK;
    snprintf(allowed, sizeof allowed, "\"%s\" or \"%s\"", words[0], words[1]);
    if (!json_string(source->text, key, word, sizeof word) ||
        (strcmp(word, words[0]) != 0 && strcmp(word, words[1]) != 0))
        return refuse(source, key, allowed, error);
    *second = strcmp(word, words[1]) == 0;
    return STATUS_OK;
}

static Status take_size(const Source *source, Sidecar *sidecar, Error *error) {
    const char *keys[] = { "width", "height" };
    double *sides[] = { &sidecar->width, &sidecar->height };
    char allowed[60];
    snprintf(allowed, sizeof allowed, "a whole number from 1 to %d", SIDE_MAX);
    for (int i = 0; i < 2; i++) {
        const Status status = take_number(source, keys[i], 1, SIDE_MAX, allowed, sides[i], error);
        if (status != STATUS_OK)
            return status;
        if (*sides[i] != floor(*sides[i]) || (has(source, keys[1 - i]) && !has(source, keys[i])))
            return refuse(source, keys[i], allowed, error);
    }
    return STATUS_OK;
}

static Status take_scale(const Source *source, Sidecar *sidecar, Error *error) {
    const char *keys[] = { "low", "high" };
    double *heights[] = { &sidecar->low, &sidecar->high };
    char allowed[80];
    snprintf(allowed, sizeof allowed, "a number from %g to %g", -HEIGHT_MAX, HEIGHT_MAX);
    for (int i = 0; i < 2; i++) {
        const Status status =
            take_number(source, keys[i], -HEIGHT_MAX, HEIGHT_MAX, allowed, heights[i], error);
        if (status != STATUS_OK)
            return status;
        if (has(source, keys[1 - i]) && !has(source, keys[i]))
            return refuse(source, keys[i], allowed, error);
    }
    sidecar->scaled = has(source, "low");
    return sidecar->scaled && !(sidecar->high > sidecar->low) ? refuse(source, "high", "above low", error)
                                                              : STATUS_OK;
}

static Status take_numbers(const Source *source, Sidecar *sidecar, Error *error) {
    char word[16], allowed[32];
    snprintf(allowed, sizeof allowed, "\"%s\"", sidecar->type ? sidecar->type : "");
    if (sidecar->type && has(source, "type") &&
        (!json_string(source->text, "type", word, sizeof word) || strcmp(word, sidecar->type) != 0))
        return refuse(source, "type", allowed, error);
    Status status =
        take_choice(source, "byte_order", (const char *[]){ "little", "big" }, &sidecar->is_big, error);
    if (status == STATUS_OK)
        status = take_choice(source, "first_row", (const char *[]){ "topmost", "lowest" },
                             &sidecar->is_flipped, error);
    return status == STATUS_OK ? take_scale(source, sidecar, error) : status;
}

// The cell says what the place says already.
static Status check_cell(const Source *source, const Sidecar *sidecar, Error *error) {
    double cell = 0;
    const Status status = take_number(source, "cell", 0, 1e100, "a number above 0", &cell, error);
    if (status != STATUS_OK || !has(source, "cell"))
        return status;
    const double placed = frame_cell(&sidecar->frame);
    char allowed[60];
    snprintf(allowed, sizeof allowed, "%s, as in place", digits_of(placed).text);
    return fabs(cell - placed) <= 1e-6 * placed ? STATUS_OK : refuse(source, "cell", allowed, error);
}

static Status take_frame(const Source *source, Sidecar *sidecar, Error *error) {
    const char *kept;
    char place[240], system[FRAME_SYSTEM_MAX + 1], unit[FRAME_UNIT_MAX + 1];
    const bool named = json_string(source->text, "system", system, sizeof system);
    const bool measured = json_string(source->text, "unit", unit, sizeof unit);
    if (has(source, "system") && !named)
        return refuse(source, "system", "a text", error);
    if (named && frame_system(system, &kept, NULL) != STATUS_OK)
        return refuse(source, "system", "\"EPSG:\" and a number, or WKT", error);
    if (has(source, "unit") && (!measured || frame_text(unit, FRAME_UNIT_MAX, &kept, NULL) != STATUS_OK))
        return refuse(source, "unit", "a text of at most 32 bytes", error);
    if (!has(source, "place"))
        return STATUS_OK;
    if (json_string(source->text, "place", place, sizeof place))
        frame_from_texts(place, named ? system : NULL, measured ? unit : NULL, &sidecar->frame);
    return frame_is_set(&sidecar->frame)
               ? check_cell(source, sidecar, error)
               : refuse(source, "place", "\"X Y RIGHT_X RIGHT_Y DOWN_X DOWN_Y\" of cells with an area",
                        error);
}

static Status take(const Source *source, Sidecar *sidecar, Error *error) {
    if (!is_whole(source->text))
        return fail(error, STATUS_FILE, "cannot read '%.200s': it is no whole JSON object", source->path);
    static const char *const keys[] = { "width", "height", "type",  "byte_order", "first_row", "low",
                                        "high",  "cell",   "place", "system",     "unit" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_has_twice(source->text, keys[i]))
            return refuse(source, keys[i], "there once", error);
    Status status = take_size(source, sidecar, error);
    if (status == STATUS_OK)
        status = take_numbers(source, sidecar, error);
    return status == STATUS_OK ? take_frame(source, sidecar, error) : status;
}

static Status read_text(FILE *stream, const char *path, Sidecar *sidecar, Error *error) {
    const size_t size = bytes_left(stream);
    if (size > SIDECAR_MAX)
        return fail(error, STATUS_FILE, "cannot read '%.200s': it has more than %d bytes", path, SIDECAR_MAX);
    char *text = memory_new(size + 1, 1, error);
    if (!text)
        return STATUS_MEMORY;
    text[fread(text, 1, size, stream)] = '\0';
    const bool marked = strncmp(text, "\xef\xbb\xbf", 3) == 0; // as some editors begin UTF-8
    const Status status = take(&(Source){ path, marked ? text + 3 : text }, sidecar, error);
    memory_free(text);
    return status;
}

Status sidecar_read(const char *path, Sidecar *sidecar, Error *error) {
    char beside[4096];
    if (!path_of(path, beside, sizeof beside) || !access_may_find(beside))
        return STATUS_OK;
    FILE *stream = access_open_beside(path, beside, error);
    return stream ? access_close(stream, beside, read_text(stream, beside, sidecar, error), error)
                  : STATUS_FILE;
}

Status sidecar_check_size(const char *path, const Sidecar *sidecar, const Field *field, Error *error) {
    if (sidecar->width == 0 || (sidecar->width == field->width && sidecar->height == field->height))
        return STATUS_OK;
    return fail(error, STATUS_FILE, "'%.200s.json' says %.0f × %.0f cells, but the file has %d × %d", path,
                sidecar->width, sidecar->height, field->width, field->height);
}
