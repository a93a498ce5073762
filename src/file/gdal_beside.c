#include "file/gdal_beside.h"

#include "file/access.h"
#include "file/gdal_files.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// What is looked for beside files of an ending, first the header, if there is one. '+': after the whole name,
// otherwise instead of the ending.
static const struct {
    const char *ending, *beside;
    bool needs_first;
} formats[] = {
    { "tif", "tfw wld +msk", false }, { "tiff", "tfw wld +msk", false },
    { "img", "hdr +hdr", false },     { "dat", "hdr +hdr", false },
    { "dem", "hdr prj", false },      { "flt", "hdr prj", true },
    { "bil", "hdr +hdr prj", true },  { "bip", "hdr +hdr prj", true },
    { "bsq", "hdr +hdr prj", true },  { "sdat", "sgrd prj", true },
    { "rst", "rdc", true },
};

static int format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < (int)(sizeof formats / sizeof *formats); i++)
        if (strcasecmp(dot + 1, formats[i].ending) == 0)
            return i;
    return -1;
}

// A file of this name beside `path`, as "dem.hdr" for "dem.flt"; upper case as in "DEM.FLT".
static FILE *open_beside(const char *path, const char *ending, bool after, bool upper) {
    char name[4096], own[8] = "";
    const char *dot = strrchr(path, '.');
    const int stem = after ? (int)strlen(path) : (int)(dot - path);
    for (size_t i = 0; ending[i] && i + 1 < sizeof own; i++)
        own[i] = (char)(upper ? toupper((unsigned char)ending[i]) : ending[i]);
    if ((size_t)snprintf(name, sizeof name, "%.*s.%s", stem, path, own) >= sizeof name)
        return NULL;
    return access_open_beside(path, name, NULL);
}

static void show(const char *path, const char *shown, const char *ending, bool after) {
    const char *own = strrchr(path, '.'), *dot = strrchr(shown, '.');
    const bool upper = isupper((unsigned char)own[1]);
    FILE *stream = open_beside(path, ending, after, upper);
    if (!stream)
        stream = open_beside(path, ending, after, !upper);
    char name[GDAL_FILE_NAME + 8];
    const int stem = after ? (int)strlen(shown) : (int)(dot - shown);
    snprintf(name, sizeof name, "%.*s.%s", stem, shown, ending);
    if (stream && !gdal_files_show_beside(name, stream))
        fclose(stream);
}

void gdal_beside_show(const char *path, const char *shown) {
    const int format = format_of(path);
    if (format < 0 || !strrchr(shown, '.'))
        return;
    char list[40], *rest = NULL;
    snprintf(list, sizeof list, "%s", formats[format].beside);
    for (char *each = strtok_r(list, " ", &rest); each; each = strtok_r(NULL, " ", &rest))
        show(path, shown, each + (*each == '+'), *each == '+');
}

bool gdal_beside_header(const char *path, char header[GDAL_HEADER_MAX]) {
    const int format = format_of(path);
    if (format < 0 || !formats[format].needs_first)
        return false;
    snprintf(header, GDAL_HEADER_MAX, "%.*s", (int)strcspn(formats[format].beside, " "),
             formats[format].beside);
    return true;
}

void gdal_beside_extra(const char *path, char *text, size_t size) {
    FILE *stream = strrchr(path, '.') ? open_beside(path, "aux.xml", true, false) : NULL;
    text[stream ? fread(text, 1, size - 1, stream) : 0] = '\0';
    if (stream)
        fclose(stream);
}
