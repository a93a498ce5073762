#include "file/sidecar.h"

#include "core/json.h"
#include "file/access.h"
#include "file/frame_texts.h"
#include "file/whole_file.h"

#include <string.h>

enum { SIDECAR_MAX = 32768 }; // bytes that are read: the recipe comes last

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

Status sidecar_write(const char *path, const Sidecar *sidecar, const Labels *labels, Error *error) {
    char beside[4096];
    if (whole_file_writes_to_stream())
        return STATUS_OK;
    if (!path_of(path, beside, sizeof beside))
        return fail(error, STATUS_FILE, "cannot write: the path is too long");
    WholeFile file;
    const Status status = whole_file_open(&file, beside, error);
    if (status != STATUS_OK)
        return status;
    const char *slash = strrchr(path, '/');
    fputs("{\"file\": ", file.stream);
    json_put_text(file.stream, slash ? slash + 1 : path);
    if (sidecar->width > 0) {
        put_number(file.stream, "width", sidecar->width);
        put_number(file.stream, "height", sidecar->height);
    }
    if (sidecar->type)
        put_numbers(file.stream, sidecar);
    put_frame(file.stream, &sidecar->frame);
    fputs(",\n \"recipe\": ", file.stream);
    json_put_labels(file.stream, labels);
    fputs("}\n", file.stream);
    return whole_file_close(&file, status, error);
}

// --- reading -----------------------------------------------------------------------------------------------

static void take(const char *text, Sidecar *sidecar) {
    char word[16], place[200], system[FRAME_SYSTEM_MAX + 1], unit[FRAME_UNIT_MAX + 1];
    json_number(text, "width", &sidecar->width);
    json_number(text, "height", &sidecar->height);
    if (json_string(text, "byte_order", word, sizeof word))
        sidecar->is_big = strcmp(word, "big") == 0;
    if (json_string(text, "first_row", word, sizeof word))
        sidecar->is_flipped = strcmp(word, "lowest") == 0;
    sidecar->scaled = json_number(text, "low", &sidecar->low) && json_number(text, "high", &sidecar->high) &&
                      sidecar->high > sidecar->low;
    const bool named = json_string(text, "system", system, sizeof system);
    const bool measured = json_string(text, "unit", unit, sizeof unit);
    if (json_string(text, "place", place, sizeof place))
        frame_from_texts(place, named ? system : NULL, measured ? unit : NULL, &sidecar->frame);
}

void sidecar_read(const char *path, Sidecar *sidecar) {
    char beside[4096];
    FILE *stream = path_of(path, beside, sizeof beside) ? access_open(beside, NULL) : NULL;
    if (!stream)
        return;
    char text[SIDECAR_MAX + 1];
    text[fread(text, 1, SIDECAR_MAX, stream)] = '\0';
    fclose(stream);
    take(text, sidecar);
}
