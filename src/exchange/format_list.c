#include "exchange/format_list.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FORMAT_ADDRESS(name) &format_##name,
const FileFormat *const all_formats[] = { ALL_FORMATS(FORMAT_ADDRESS) NULL };

const FileFormat *find_written_format(const ValueType *type, const char *path) {
    for (const FileFormat *const *each = all_formats; *each; each++)
        if (written_as(*each, type) >= 0 && fits_format(*each, path))
            return *each;
    return NULL;
}

const FileFormat *find_read_format(const char *path) {
    for (const FileFormat *const *each = all_formats; *each; each++)
        if ((*each)->read && fits_format(*each, path))
            return *each;
    return path_ending(path) ? &format_raster : NULL;
}

// --- endings -----------------------------------------------------------------------------------------------

typedef struct Wish { // the members that are set
    const ValueType *type;
    const Operation *operation;
    const char *param;
    bool by_rows;
} Wish;

// What a format takes of the parameters of op_load or op_save.
static const char *taken(const FileFormat *format, const Operation *operation) {
    return strcmp(operation->name, "load") == 0   ? format->load_takes
           : strcmp(operation->name, "save") == 0 ? format->save_takes
                                                  : NULL;
}

// Other rasters have so many endings that none of them is named.
static bool is_wished(const FileFormat *format, const Wish *wish) {
    if (format == &format_raster)
        return false;
    return wish->type      ? written_as(format, wish->type) >= 0
           : wish->param   ? has_word(taken(format, wish->operation), wish->param)
           : wish->by_rows ? format->rows != ROWS_NONE
                           : format->read != NULL;
}

static Endings list_endings(const Wish *wish, const char *last) {
    Endings list = { "" };
    size_t used = 0, before = 0; // the second: up to the last but one
    for (const FileFormat *const *each = all_formats; *each; each++) {
        const char *at = is_wished(*each, wish) ? (*each)->endings : "";
        for (size_t length; *at && used < sizeof list.text; at += length + strspn(at + length, " ")) {
            length = strcspn(at, " ");
            before = used;
            used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s.%.*s", used ? ", " : "",
                                     (int)length, at);
        }
    }
    char end[32];
    if (before == 0 || used >= sizeof list.text)
        return list;
    snprintf(end, sizeof end, "%s", list.text + before + 2);
    snprintf(list.text + before, sizeof list.text - before, "%s%s", last, end);
    return list;
}

Endings endings_written(const ValueType *type) {
    return list_endings(&(Wish){ .type = type }, " or ");
}

Endings endings_read(void) {
    return list_endings(&(Wish){ 0 }, " or ");
}

Endings endings_by_rows(void) {
    return list_endings(&(Wish){ .by_rows = true }, " or ");
}

// Which of these formats take a parameter of the operation: empty where it is one of all formats, or of
// another operation.
static Endings endings_taking(const Operation *operation, const char *param) {
    Endings list = list_endings(&(Wish){ .operation = operation, .param = param }, ", ");
    const size_t used = strlen(list.text);
    if (has_word(taken(&format_raster, operation), param))
        snprintf(list.text + used, sizeof list.text - used, ", other rasters");
    return list;
}

// --- parameters of load and save ---------------------------------------------------------------------------

Status refuse_ignored(const Operation *operation, const void *params, const FileFormat *format,
                      const char *path, Error *error) {
    for (const Param *param = operation->params; param->name; param++) {
        const Endings endings = endings_taking(operation, param->name);
        if (*endings.text && !has_word(taken(format, operation), param->name) &&
            param_is_given(param, params))
            return fail(error, STATUS_INVALID, "'%.200s' takes no %s, which is for %s", path, param->name,
                        endings.text);
    }
    return STATUS_OK;
}

Status refuse_ending(const char *path, Endings allowed, Error *error) {
    const size_t length = strlen(path);
    if (length > 4 && strcasecmp(path + length - 4, ".vrt") == 0)
        return fail(error, STATUS_INVALID,
                    "'%.300s' points to other files: esker.mosaic{ \"….vrt\" } joins those of a .vrt that "
                    "lie beside each other, and gdal_translate makes a .tif of it",
                    path);
    return fail(
        error, STATUS_INVALID,
        "'%.300s' must end in %s, or be a raster that GDAL reads from one file; gdal_translate makes a .tif "
        "of others",
        path, allowed.text);
}

Status refuse_unknown(const char *path, Endings allowed, Error *error) {
    const Error told = error ? *error : (Error){ "" };
    if (!fits_format(find_read_format(path), path))
        return refuse_ending(path, allowed, error);
    return fits_format(&format_raster, path)
               ? fail(error, STATUS_FILE, "%.400s; gdal_translate makes a .tif of it", told.text)
               : STATUS_FILE;
}

ParamDoc param_doc(const Operation *operation, const Param *param) {
    ParamDoc doc;
    const Endings endings = endings_taking(operation, param->name);
    snprintf(doc.text, sizeof doc.text, "%s%s%s%s", param->doc ? param->doc : "", *endings.text ? " (" : "",
             endings.text, *endings.text ? ")" : "");
    return doc;
}
