#include "file/gdal.h"

#include "core/dynamic_library.h"
#include "core/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static Gdal gdal;
static bool is_open;

static void say_nothing(int class, int number, const char *message) {
    (void)class, (void)number, (void)message; // errors are read by CPLGetLastErrorMsg
}

// The library's number grows by one with each of GDAL's releases; Debian 12 has 32.
static bool find_library(void) {
    enum { OLDEST = 28, NEWEST = 60 };
#define FUNCTION_NAME(name, result, arguments) #name,
    static const char *const names[] = { GDAL_FUNCTIONS(FUNCTION_NAME) NULL };
#undef FUNCTION_NAME
    bool found = false;
    for (int number = NEWEST; !found && number >= OLDEST; number--) {
        char name[32];
        snprintf(name, sizeof name, "libgdal.so.%d", number);
        found = optional_open(name, names, &gdal);
    }
    return found;
}

// Files are those of gdal_files.h: nothing comes over the network, no other file and no program is opened.
static void configure(void) {
    static const char *const options[][2] = {
        { "GDAL_DRIVER_PATH", "disable" },
        { "GDAL_DISABLE_READDIR_ON_OPEN", "TRUE" },
        { "GDAL_PAM_ENABLED", "NO" },
        { "GDAL_CACHEMAX", "16" },
        { "GDAL_NUM_THREADS", "1" },
        { "GDAL_VRT_ENABLE_PYTHON", "NO" },
        { "GDAL_MEM_ENABLE_OPEN", "NO" },
        { "SQLITE_USE_OGR_VFS", "YES" },
        { "OGR_SQLITE_LOAD_EXTENSIONS", "" },
        { "GTIFF_POINT_GEO_IGNORE", "NO" },
        { "GDAL_SKIP",
          "VRT,DERIVED,HTTP,WMS,WCS,WMTS,PLMosaic,EEDA,EEDAI,NGW,OGCAPI,DAAS,RASTERLITE,PostGISRaster,"
          "STACTA,STACIT,GTI,GDALG,MRF,HDF4,HDF4Image,HDF5,HDF5Image,BAG,netCDF,KEA,TileDB,Zarr" },
        { "OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z" }, // same bytes at any time
        { "PROJ_NETWORK", "OFF" },
        { "CPL_CURL_ENABLED", "NO" },
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        gdal.CPLSetConfigOption(options[i][0], options[i][1]);
    gdal.CPLSetErrorHandler(say_nothing);
    gdal.GDALAllRegister();
}

// Opens the database of coordinate systems, which a confined process cannot.
static void open_systems(void) {
    GdalHandle system = gdal.OSRNewSpatialReference(NULL);
    gdal.OSRImportFromEPSG(system, 4326);
    gdal.OSRRelease(system);
}

const Gdal *gdal_open(Error *error) {
    memory_leave_room();
    if (is_open)
        return &gdal;
    if (!find_library()) {
        fail(error, STATUS_FILE,
             "this format needs GDAL, which is not installed (Debian: apt install gdal-bin), or was not "
             "opened "
             "before the recipe was confined: write the file's ending in the recipe or a parameter");
        return NULL;
    }
    configure();
    open_systems();
    is_open = true;
    return &gdal;
}

void gdal_prepare(void) {
    Error unused;
    gdal_open(&unused);
}

void gdal_key(const char *label, char key[GDAL_KEY_MAX]) {
    snprintf(key, GDAL_KEY_MAX, "%s", label);
    for (; *key; key++)
        *key = *key == ':' || *key == '=' ? '_' : *key;
}
