// Names of coordinate systems, and the .prj that ESRI's formats have beside them.

#include "file/coordinate_systems.h"

#include "core/memory.h"
#include "file/access.h"
#include "file/system_ground.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number of a system, or the part of it that is called `part`, in the EPSG's list, or 0.
static int code_of(const Gdal *gdal, GdalHandle system, const char *part) {
    const char *authority = gdal->OSRGetAuthorityName(system, part),
               *code = gdal->OSRGetAuthorityCode(system, part);
    return authority && code && strcmp(authority, "EPSG") == 0 ? atoi(code) : 0;
}

// The EPSG code of a system that differs in names only, such as ESRI's; 0: none.
static int code_of_match(const Gdal *gdal, GdalHandle system) {
    enum { SAME = 90 };
    int count = 0, *sureness = NULL;
    GdalHandle *matches = gdal->OSRFindMatches(system, NULL, &count, &sureness);
    const int code = matches && count > 0 && sureness[0] >= SAME ? code_of(gdal, matches[0], NULL) : 0;
    if (matches)
        gdal->OSRFreeSRSArray(matches);
    gdal->VSIFree(sureness);
    return code;
}

Status system_name(const Gdal *gdal, const char *wkt, const char **kept, Error *error) {
    *kept = NULL;
    if (!wkt || !*wkt)
        return STATUS_OK;
    GdalHandle system = gdal->OSRNewSpatialReference(wkt);
    gdal->OSRMorphFromESRI(system);
    const int vertical = gdal->OSRIsCompound(system) ? code_of(gdal, system, "VERT_CS") : 0;
    if (vertical)
        gdal->OSRStripVertical(system);
    gdal->OSRAutoIdentifyEPSG(system);
    int code = code_of(gdal, system, NULL);
    if (!code)
        code = code_of_match(gdal, system);
    char name[40];
    snprintf(name, sizeof name, vertical ? "EPSG:%d+%d" : "EPSG:%d", code, vertical);
    gdal->OSRRelease(system);
    return frame_text(code ? name : wkt, FRAME_SYSTEM_MAX, kept, error);
}

char *system_wkt(const Gdal *gdal, const char *name, bool esri, Error *error) {
    GdalHandle system = system_open(gdal, name);
    char *wkt = NULL;
    if (system && esri)
        gdal->OSRMorphToESRI(system);
    if (!system || gdal->OSRExportToWkt(system, &wkt) != 0)
        fail(error, STATUS_INVALID, "GDAL does not know the coordinate system '%.100s'", name);
    if (system)
        gdal->OSRRelease(system);
    return wkt;
}

// --- .prj --------------------------------------------------------------------------------------------------

// "dem.prj" for "dem.asc".
static bool prj_path(const char *path, char *beside, size_t size) {
    const char *dot = strrchr(path, '.');
    const int stem = dot ? (int)(dot - path) : (int)strlen(path);
    return (size_t)snprintf(beside, size, "%.*s.prj", stem, path) < size;
}

Status prj_write(WholeFile *file, const char *path, const char *system, bool *named, Error *error) {
    char beside[4096];
    Error unused;
    const Gdal *gdal = whole_file_writes_to_stream() ? NULL : gdal_open(&unused);
    char *wkt = gdal ? system_wkt(gdal, system, true, &unused) : NULL;
    FILE *stream;
    Status status = STATUS_OK;
    *named = wkt && prj_path(path, beside, sizeof beside);
    if (*named && (status = whole_file_open_beside(file, beside, &stream, error)) == STATUS_OK)
        fprintf(stream, "%s\n", wkt); // whole_file_close detects write errors
    if (wkt)
        gdal->VSIFree(wkt);
    return status;
}

const char *prj_read(const char *path) {
    char beside[4096], wkt[FRAME_SYSTEM_MAX + 1];
    FILE *stream = prj_path(path, beside, sizeof beside) ? access_open_beside(path, beside, NULL) : NULL;
    if (!stream)
        return NULL;
    wkt[fread(wkt, 1, FRAME_SYSTEM_MAX, stream)] = '\0';
    fclose(stream);
    wkt[strcspn(wkt, "\r\n")] = '\0';
    const Gdal *gdal = gdal_open(NULL);
    const char *name = NULL;
    if (gdal)
        system_name(gdal, wkt, &name, NULL);
    else
        frame_text(wkt, FRAME_SYSTEM_MAX, &name, NULL);
    return name;
}
