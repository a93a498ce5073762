#define _XOPEN_SOURCE 700 // S_IFREG
#include "file/gdal.h"

#include "core/dynamic_library.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "file/access.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static Gdal library;
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
        found = optional_open(name, names, &library);
    }
    return found;
}

// Files are those that Esker shows it: nothing comes over the network, no other file and no program is
// opened.
static void configure(void) {
    static const char *const options[][2] = {
        { "GDAL_DRIVER_PATH", "disable" },
        { "GDAL_DISABLE_READDIR_ON_OPEN", "TRUE" },
        { "GDAL_PAM_ENABLED", "NO" },
        { "GDAL_CACHEMAX", "16" },
        { "GDAL_NUM_THREADS", "1" },
        { "COG_TMP_COMPRESSION", "NONE" }, // of overviews until they are copied: ZSTD takes 24 MB of zeros
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
        library.CPLSetConfigOption(options[i][0], options[i][1]);
    library.CPLSetErrorHandler(say_nothing);
    library.GDALAllRegister();
}

// Opens the database of coordinate systems, which a confined process cannot.
static void open_systems(void) {
    GdalHandle system = library.OSRNewSpatialReference(NULL);
    library.OSRImportFromEPSG(system, 4326);
    library.OSRRelease(system);
}

const Gdal *gdal_open(Error *error) {
    memory_leave_room();
    if (is_open)
        return &library;
    if (!find_library()) {
        fail(error, STATUS_FILE,
             "this format needs GDAL, which is not installed (Debian: apt install gdal-bin), or was not "
             "opened before the recipe was confined: write the file's ending in the recipe or a parameter");
        return NULL;
    }
    configure();
    open_systems();
    is_open = true;
    return &library;
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

// --- files that GDAL sees ----------------------------------------------------------------------------------

enum { FILES_MAX = 64 };

typedef struct SeenFile { // zeroed: none
    char name[GDAL_FILE_NAME];
    FILE *stream;   // or NULL: in `range`
    bool is_beside; // another one: closed with it
    ScratchRange range;
    int64_t size;
} SeenFile;

typedef struct OpenFile {
    SeenFile *file;
    int64_t at;
    bool ended;
} OpenFile;

static SeenFile files[FILES_MAX];
static int64_t room_for_new; // bytes of a file that GDAL creates; 0: it may create none
static bool has_lost;        // bytes of a file that GDAL creates were not written or read, …
static Error loss;           // … and why: GDAL does not report every loss, so we check after writing

// The name of a file, which GDAL asks for without GDAL_FILES.
static const char *name_of(const char *path) {
    const size_t prefix = strlen(GDAL_FILES);
    return strncmp(path, GDAL_FILES, prefix) == 0 ? path + prefix : path;
}

static SeenFile *find(const char *path) {
    for (SeenFile *file = files; file < files + FILES_MAX; file++)
        if (*file->name && strcmp(file->name, name_of(path)) == 0)
            return file;
    return NULL;
}

static SeenFile *add(const char *path) {
    for (SeenFile *file = files; file < files + FILES_MAX && strlen(name_of(path)) < GDAL_FILE_NAME; file++)
        if (!*file->name) {
            snprintf(file->name, sizeof file->name, "%s", name_of(path));
            return file;
        }
    return NULL;
}

// Whether the temporary file did what GDAL asked for.
static bool went_well(Status status, const Error *error) {
    if (status == STATUS_OK)
        return true;
    loss = has_lost ? loss : *error;
    has_lost = true;
    return false;
}

static void drop(SeenFile *file) {
    if (file->is_beside)
        fclose(file->stream);
    scratch_give_back(&file->range);
    *file = (SeenFile){ 0 };
}

// --- what GDAL calls ---------------------------------------------------------------------------------------

static int stat_file(void *nothing, const char *path, struct stat *found, int flags) {
    (void)nothing, (void)flags;
    const SeenFile *file = find(path);
    if (!file)
        return -1;
    *found = (struct stat){ .st_size = file->size, .st_mode = S_IFREG | S_IRUSR };
    return 0;
}

static int unlink_file(void *nothing, const char *path) {
    (void)nothing;
    SeenFile *file = find(path);
    if (!file || file->stream)
        return -1;
    drop(file);
    return 0;
}

static void *open_file(void *nothing, const char *path, const char *mode) {
    (void)nothing;
    Error error;
    SeenFile *file = find(path);
    if (*mode == 'w' && room_for_new > 0) {
        if (file)
            drop(file);
        file = add(path);
        if (file && !went_well(scratch_take(room_for_new, &file->range, &error), &error))
            drop(file);
    } else if (file && file->stream && strpbrk(mode, "wa+")) {
        file = NULL;
    }
    OpenFile *opened = file && *file->name ? memory_new_zeroed(1, sizeof *opened, &error) : NULL;
    if (opened)
        opened->file = file;
    else
        errno = ENOENT;
    return opened;
}

static unsigned long long tell_place(void *opened) {
    return (unsigned long long)((const OpenFile *)opened)->at;
}

static int seek_place(void *opened, unsigned long long offset, int from) {
    OpenFile *open = opened;
    const int64_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? open->at : open->file->size;
    int64_t at;
    if (__builtin_add_overflow(start, (int64_t)offset, &at) || at < 0)
        return -1;
    open->at = at;
    open->ended = false;
    return 0;
}

static size_t read_items(void *opened, void *to, size_t size, size_t count) {
    OpenFile *open = opened;
    SeenFile *file = open->file;
    const int64_t left = max(file->size - open->at, (int64_t)0);
    const size_t wanted = size * count, bytes = min(wanted, (size_t)left);
    Error error;
    open->ended = bytes < wanted;
    const bool well = file->stream
                          ? fseeko(file->stream, (off_t)open->at, SEEK_SET) == 0 &&
                                fread(to, 1, bytes, file->stream) == bytes
                          : went_well(scratch_read(file->range.start + open->at, bytes, to, &error), &error);
    open->at += well ? (int64_t)bytes : 0;
    return well && size > 0 ? bytes / size : 0;
}

static int has_ended(void *opened) {
    return ((const OpenFile *)opened)->ended;
}

static size_t write_items(void *opened, const void *from, size_t size, size_t count) {
    OpenFile *open = opened;
    SeenFile *file = open->file;
    const size_t bytes = size * count;
    Error error;
    if (file->stream)
        return 0;
    const bool fits = (int64_t)bytes <= file->range.end - file->range.start - open->at;
    const Status status = fits ? scratch_write(file->range.start + open->at, bytes, from, &error)
                               : fail(&error, STATUS_FILE, "cannot write the GeoTIFF: its room is full");
    if (!went_well(status, &error))
        return 0;
    open->at += (int64_t)bytes;
    file->size = max(file->size, open->at);
    return count;
}

static int flush_file(void *opened) {
    (void)opened;
    return 0;
}

static int truncate_file(void *opened, unsigned long long size) {
    SeenFile *file = ((OpenFile *)opened)->file;
    if (file->stream || (int64_t)size > file->range.end - file->range.start)
        return -1;
    file->size = (int64_t)size;
    return 0;
}

static int close_file(void *opened) {
    memory_free(opened);
    return 0;
}

// The beginning of VSIFilesystemPluginCallbacksStruct, as in all versions since GDAL 3.2.
typedef struct Callbacks {
    void *user;
    int (*stat)(void *, const char *, struct stat *, int);
    int (*unlink)(void *, const char *);
    void (*rename)(void), (*make_folder)(void), (*remove_folder)(void), (*read_folder)(void);
    void *(*open)(void *, const char *, const char *);
    unsigned long long (*tell)(void *);
    int (*seek)(void *, unsigned long long, int);
    size_t (*read)(void *, void *, size_t, size_t);
    void (*read_ranges)(void), (*range_status)(void);
    int (*ended)(void *);
    size_t (*write)(void *, const void *, size_t, size_t);
    int (*flush)(void *);
    int (*truncate)(void *, unsigned long long);
    int (*close)(void *);
} Callbacks;

static Status install(const Gdal *gdal, Error *error) {
    static bool is_installed;
    if (is_installed)
        return STATUS_OK;
    Callbacks *callbacks = gdal->VSIAllocFilesystemPluginCallbacksStruct();
    if (!callbacks)
        return fail(error, STATUS_MEMORY, "not enough memory for GDAL");
    callbacks->stat = stat_file;
    callbacks->unlink = unlink_file;
    callbacks->open = open_file;
    callbacks->tell = tell_place;
    callbacks->seek = seek_place;
    callbacks->read = read_items;
    callbacks->ended = has_ended;
    callbacks->write = write_items;
    callbacks->flush = flush_file;
    callbacks->truncate = truncate_file;
    callbacks->close = close_file;
    is_installed = gdal->VSIInstallPluginHandler(GDAL_FILES, callbacks) == 0;
    gdal->VSIFreeFilesystemPluginCallbacksStruct(callbacks);
    return is_installed ? STATUS_OK : fail(error, STATUS_FILE, "GDAL takes no files of this program");
}

// -----------------------------------------------------------------------------------------------------------

// The last part of a path, with letters that no driver of GDAL takes for more than a name.
static void plain_name(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    const size_t length = strlen(last);
    snprintf(name, size, "%s", length < size ? last : last + length + 1 - size);
    for (char *at = name; *at; at++)
        *at = isalnum((unsigned char)*at) || *at == '.' || *at == '-' ? *at : '_';
}

Status gdal_files_show(const Gdal *gdal, FILE *stream, const char *path, char shown[GDAL_FILE_NAME],
                       Error *error) {
    static unsigned count;
    char name[80];
    *shown = 0;
    const Status status = install(gdal, error);
    if (status != STATUS_OK)
        return status;
    if (fseeko(stream, 0, SEEK_END) != 0)
        return fail(error, STATUS_FILE, "GDAL reads files only, which have an end");
    plain_name(path, name, sizeof name);
    snprintf(shown, GDAL_FILE_NAME, GDAL_FILES "%u/%s", count++, name);
    SeenFile *file = add(shown);
    if (!file)
        return fail(error, STATUS_FILE, "more than %d files are open for GDAL", FILES_MAX);
    file->stream = stream;
    file->size = ftello(stream);
    return STATUS_OK;
}

bool gdal_files_show_beside(const char *shown, FILE *stream) {
    if (find(shown) || fseeko(stream, 0, SEEK_END) != 0)
        return false;
    SeenFile *file = add(shown);
    if (!file)
        return false;
    file->stream = stream;
    file->is_beside = true;
    file->size = ftello(stream);
    return true;
}

void gdal_files_hide(const char *shown) {
    const char *slash = *shown ? strrchr(name_of(shown), '/') : NULL;
    const size_t folder = slash ? (size_t)(slash - name_of(shown)) + 1 : 0;
    for (SeenFile *file = files; file < files + FILES_MAX && folder; file++)
        if (strncmp(file->name, name_of(shown), folder) == 0)
            drop(file);
}

Status gdal_files_allow(const Gdal *gdal, int64_t size, Error *error) {
    if (room_for_new > 0)
        return fail(error, STATUS_FILE, "another GeoTIFF larger than memory is being written");
    room_for_new = size;
    return install(gdal, error);
}

Status gdal_files_check(Error *error) {
    return has_lost ? fail(error, STATUS_FILE, "%s", loss.text) : STATUS_OK;
}

void gdal_files_end(void) {
    room_for_new = 0;
    has_lost = false;
    for (SeenFile *file = files; file < files + FILES_MAX; file++)
        if (*file->name && !file->stream)
            drop(file);
}

Status gdal_files_copy(const char *path, FILE *to, Error *error) {
    enum { AT_ONCE = 1 << 20 };
    const SeenFile *file = find(path);
    if (gdal_files_check(error) != STATUS_OK)
        return STATUS_FILE;
    if (!file)
        return fail(error, STATUS_FILE, "GDAL wrote no file");
    char *bytes = memory_new(AT_ONCE, 1, error);
    Status status = bytes ? STATUS_OK : STATUS_MEMORY;
    for (int64_t at = 0; status == STATUS_OK && at < file->size; at += AT_ONCE) {
        const size_t count = (size_t)min(file->size - at, (int64_t)AT_ONCE);
        status = scratch_read(file->range.start + at, count, bytes, error);
        if (status == STATUS_OK)
            fwrite(bytes, 1, count, to); // whole_file_close detects write errors
    }
    memory_free(bytes);
    return status;
}

// --- what lies beside a file -------------------------------------------------------------------------------

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
    { "rst", "rdc", true },           { "shp", "shx dbf prj cpg", false },
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
