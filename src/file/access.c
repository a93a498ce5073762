// A path is first opened without effect. The kernel then says where it leads, and only then is the same file
// opened for reading.

#define _XOPEN_SOURCE 700 // realpath
#include "file/access.h"

#include "core/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READABLE_MAX = 64, PATH_ROOM = PATH_MAX };

typedef struct Place {
    char path[PATH_ROOM];
    int descriptor; // -1: closed
} Place;

static Place readable[READABLE_MAX], writable = { .descriptor = -1 };
static int readable_count;
static bool confined;

// Opens what a path leads to and finds where that is, in this order, so that nothing can be exchanged
// between.
static Status find(Place *place, const char *path, AccessPath kind, Error *error) {
    struct stat there;
    const int flags = kind == ACCESS_REAL ? O_NOFOLLOW : 0;
    const int descriptor = place->descriptor = platform_open_place(AT_FDCWD, path, flags);
    if (descriptor >= 0 &&
        (platform_path_of(descriptor, place->path, PATH_ROOM) || realpath(path, place->path)) &&
        fstat(descriptor, &there) == 0) { // realpath: a chroot has no /proc
        if (kind == ACCESS_TYPED || (!S_ISLNK(there.st_mode) && strcmp(path, place->path) == 0))
            return STATUS_OK;
        fail(error, STATUS_FILE, "cannot open '%.400s': it was exchanged for a link meanwhile", path);
    } else {
        fail(error, STATUS_FILE, "cannot open '%.400s': %s", path, strerror(errno));
    }
    if (descriptor >= 0)
        close(descriptor);
    *place = (Place){ .descriptor = -1 };
    return STATUS_FILE;
}

static void close_place(Place *place) {
    if (place->descriptor >= 0)
        close(place->descriptor);
    place->descriptor = -1;
}

Status access_allow_reading(const char *path, AccessPath kind, Error *error) {
    if (readable_count == READABLE_MAX)
        return fail(error, STATUS_INVALID, "at most %d files may be named", READABLE_MAX);
    const Status status = find(&readable[readable_count], path, kind, error);
    readable_count += status == STATUS_OK;
    return status;
}

void access_note_folder(const char *path) {
    Error ignored;
    if (access_allow_reading(path, ACCESS_TYPED, &ignored) == STATUS_OK)
        close_place(&readable[readable_count - 1]);
}

Status access_allow_writing(const char *folder, AccessPath kind, Error *error) {
    close_place(&writable);
    return find(&writable, folder, kind, error);
}

int access_open_real(const char *path, Error *error) {
    Place place;
    find(&place, path, ACCESS_REAL, error);
    return place.descriptor;
}

void access_confine(void) {
    confined = true;
}

int access_readable(int index) {
    return index < readable_count ? readable[index].descriptor : -1;
}

int access_writable(void) {
    return writable.descriptor;
}

void access_close_places(void) {
    for (int i = 0; i < readable_count; i++)
        close_place(&readable[i]);
    close_place(&writable);
}

void access_forget(void) {
    access_close_places();
    readable_count = 0;
}

// Whether `path` is `root` or below it.
static bool is_below(const char *path, const char *root) {
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    return *root && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool may_read(const char *real) {
    bool may = false;
    for (int i = 0; i < readable_count; i++)
        may = may || is_below(real, readable[i].path);
    return may;
}

// The folder part of a path, with its slash; "." if it has none. False if it is too long.
static bool folder_of(const char *path, char folder[PATH_ROOM]) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    if (length >= PATH_ROOM)
        return false;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    return true;
}

static int open_place_at(int from, const char *path, int flags, char real[PATH_ROOM]) {
    const int place = platform_open_place(from, path, flags);
    if (place >= 0 && !platform_path_of(place, real, PATH_ROOM))
        *real = '\0';
    return place;
}

static int open_place(const char *path, int flags, char real[PATH_ROOM]) {
    return open_place_at(AT_FDCWD, path, flags, real);
}

// Opens the folder of a path, or the nearest above it if that is missing; -1 if there is none.
static int open_folder_above(const char *path, char real[PATH_ROOM]) {
    char folder[PATH_ROOM], above[PATH_ROOM];
    if (!folder_of(path, folder))
        return -1;
    int place;
    while ((place = open_place(folder, O_DIRECTORY, real)) < 0 && errno == ENOENT &&
           strcmp(folder, ".") != 0) {
        memcpy(above, folder, PATH_ROOM);
        for (size_t end = strlen(above); end > 0 && above[end - 1] == '/'; end--)
            above[end - 1] = '\0';
        folder_of(above, folder);
    }
    return place;
}

// Whether the recipe may know if there is such a file.
static bool may_know(const char *path) {
    char real[PATH_ROOM];
    if (!confined)
        return true;
    const int place = open_folder_above(path, real);
    if (place < 0)
        return false;
    close(place);
    return may_read(real);
}

bool access_may_find(const char *path) {
    const int place = may_know(path) ? platform_open_place(AT_FDCWD, path, O_NOFOLLOW) : -1;
    if (place >= 0)
        close(place);
    return place >= 0;
}

// The folder that may be read, such as the recipe's, from which `path` leads to a file that may be, or NULL.
static const char *folder_with(const char *path) {
    char whole[2 * PATH_ROOM], real[PATH_ROOM];
    for (int i = 0; i < readable_count; i++) {
        snprintf(whole, sizeof whole, "%.*s/%s", PATH_ROOM - 1, readable[i].path, path);
        const int place = *path ? open_place(whole, 0, real) : -1;
        if (place >= 0)
            close(place);
        if (place >= 0 && may_read(real))
            return readable[i].path;
    }
    return NULL;
}

static bool is_relative(const char *path) {
    return *path != '/' && *path != '\\' && !(*path && path[1] == ':');
}

// Reports that a file is missing only where the recipe may know that. A relative path counts from the current
// folder, which is named: the user may expect the recipe's.
static Status cannot_read(const char *path, int problem, Error *error) {
    const bool known = may_know(path);
    char here[PATH_ROOM] = "";
    const int place = is_relative(path) ? open_place(".", O_DIRECTORY, here) : -1;
    if (place >= 0)
        close(place);
    const char *beside = *here ? folder_with(path) : NULL;
    if (beside && strcmp(beside, here) == 0)
        beside = NULL;
    const char *why = !known ? "a recipe may read only below its own folder, and files named on the command "
                               "line (--trust lifts this)"
                      : problem == ENOTSUP ? "it is not a plain file"
                                           : strerror(problem);
    return fail(error, STATUS_FILE, "cannot read '%.*s'%s%.110s: %s%s%.110s%s", known ? 300 : 150, path,
                *here ? " in " : "", here, why, beside ? "; it lies in " : "", beside ? beside : "",
                beside ? ": start esker there, or load it by that path" : "");
}

// Opens what open_place found, which is not opened itself if it is a pipe or a device: that alone may block,
// or change something.
static int open_place_to_read(int place) {
    struct stat there = { 0 };
    fstat(place, &there);
    if (S_ISREG(there.st_mode))
        return platform_open_to_read(place);
    errno = S_ISDIR(there.st_mode) ? EISDIR : confined ? EACCES : ENOTSUP;
    return -1;
}

static int open_regular(const char *path) {
    char real[PATH_ROOM];
    const int place = open_place(path, 0, real);
    if (place < 0)
        return -1;
    errno = EACCES;
    int descriptor = !confined || may_read(real) ? open_place_to_read(place) : -1;
    if (descriptor < 0 && errno == ENOENT && !confined) // a chroot has no /proc
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int problem = errno;
    close(place);
    errno = problem;
    return descriptor;
}

FILE *access_open(const char *path, Error *error) {
    const int descriptor = open_regular(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (stream)
        return stream;
    const int problem = errno;
    close(descriptor); // if it is one
    cannot_read(path, problem, error);
    return NULL;
}

// Whether two paths end alike, from their last dot, in any case.
static bool end_alike(const char *one, const char *other) {
    const char *dot = strrchr(one, '.'), *other_dot = strrchr(other, '.');
    return dot && other_dot && strcasecmp(dot, other_dot) == 0;
}

// Whether a real path is that of a file in this folder, which is a real path, too.
static bool is_in(const char *real, const char *folder) {
    const char *slash = strrchr(real, '/');
    const size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return length == (size_t)(slash - real) && strncmp(real, folder, length) == 0;
}

static bool find_place(const char *path, int flags, char real[PATH_ROOM]) {
    const int place = open_place(path, flags, real);
    if (place >= 0)
        close(place);
    return place >= 0 && *real;
}

// Whether the file of this real path, which was found at `beside`, belongs to the file `path`.
static bool belongs(const char *path, const char *beside, const char *real) {
    char folder[PATH_ROOM], place[PATH_ROOM];
    const char *slash = strrchr(beside, '/'), *name = slash ? slash + 1 : beside;
    if (folder_of(beside, folder) && find_place(folder, O_DIRECTORY, place) && is_in(real, place) &&
        strcmp(strrchr(real, '/') + 1, name) == 0)
        return true; // no link
    if (!find_place(path, 0, place))
        return false;
    char *end = strrchr(place, '/');
    end[end == place] = '\0'; // the root keeps its slash
    return is_in(real, place) && end_alike(beside, real);
}

bool access_find_beside(const char *path, const char *beside, char *real, size_t size) {
    char place[PATH_ROOM];
    if (!find_place(beside, 0, place) || !belongs(path, beside, place))
        return false;
    return (size_t)snprintf(real, size, "%s", place) < size;
}

FILE *access_open_beside(const char *path, const char *beside, Error *error) {
    char real[PATH_ROOM];
    FILE *stream = access_open(beside, error);
    if (!stream || !confined ||
        (platform_path_of(fileno(stream), real, PATH_ROOM) && belongs(path, beside, real)))
        return stream;
    fclose(stream);
    fail(error, STATUS_FILE, "cannot read '%.400s': it is a link that leads elsewhere", beside);
    return NULL;
}

bool access_is_below(FILE *stream, const char *folder) {
    char real[PATH_ROOM], root[PATH_ROOM];
    const int place = open_place(folder, O_DIRECTORY, root); // realpath may not be called when confined
    if (place < 0)
        return false;
    close(place);
    return platform_path_of(fileno(stream), real, PATH_ROOM) && is_below(real, root);
}

Status access_close(FILE *stream, const char *path, Status status, Error *error) {
    const bool lost = ferror(stream);
    fclose(stream);
    return lost ? fail(error, STATUS_FILE, "cannot read '%.400s': reading it failed", path) : status;
}

Status access_check_folder(int folder, const char *path, Error *error) {
    char real[PATH_ROOM];
    if (!confined ||
        (folder >= 0 && platform_path_of(folder, real, PATH_ROOM) && is_below(real, writable.path)))
        return STATUS_OK;
    return fail(
        error, STATUS_FILE,
        "cannot write '%.300s': a recipe may write only into existing folders below its output folder (-o; "
        "--trust lifts this)",
        path);
}

int access_open_folder_of(int from, const char *path, const char *shown, Error *error) {
    char folder[PATH_ROOM], real[PATH_ROOM];
    if (!folder_of(path, folder)) {
        fail(error, STATUS_FILE, "cannot write: the path is too long");
        return -1;
    }
    const int place = open_place_at(from, folder, O_DIRECTORY, real);
    const int problem = errno;
    if (access_check_folder(place, shown, error) != STATUS_OK) {
        if (place >= 0)
            close(place);
        return -1;
    }
    if (place < 0)
        fail(error, STATUS_FILE, "cannot write '%.400s': %s", shown, strerror(problem));
    return place;
}

// --- paths beneath a folder --------------------------------------------------------------------------------

enum { PART_MAX = 256 };

static bool is_link(int folder, const char *name) {
    struct stat there = { 0 };
    const int place = platform_open_place(folder, name, O_NOFOLLOW);
    const bool link = place >= 0 ? fstat(place, &there) == 0 && S_ISLNK(there.st_mode) : errno == ELOOP;
    if (place >= 0)
        close(place);
    return link;
}

// The folder named by the first `length` bytes of `part` in `folder`, which is closed. Links are not
// followed (ELOOP).
static int step_into(int folder, const char *part, size_t length) {
    char name[PART_MAX];
    int next = -1;
    if (length == 0 || length >= sizeof name || (length == 2 && memcmp(part, "..", 2) == 0)) {
        errno = length >= sizeof name ? ENAMETOOLONG : EINVAL;
    } else {
        memcpy(name, part, length);
        name[length] = '\0';
        next = platform_open_place(folder, name, O_DIRECTORY | O_NOFOLLOW);
        if (next < 0 && errno == ENOTDIR)
            errno = is_link(folder, name) ? ELOOP : ENOTDIR;
    }
    const int problem = errno;
    close(folder);
    errno = problem;
    return next;
}

int below_open_parent(int folder, const char *path, const char **name) {
    int at = platform_open_place(folder, ".", O_DIRECTORY);
    for (const char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + strspn(slash, "/"))
        at = step_into(at, path, (size_t)(slash - path));
    if (at >= 0 && (*path == '\0' || strcmp(path, "..") == 0)) {
        close(at);
        errno = EINVAL;
        return -1;
    }
    *name = path;
    return at;
}

int below_open(int folder, const char *path, int flags) {
    const char *name;
    const int parent = below_open_parent(folder, path, &name);
    if (parent < 0)
        return -1;
    const int opened = openat(parent, name, flags | O_NOFOLLOW | O_CLOEXEC, 0666), problem = errno;
    close(parent);
    errno = problem;
    return opened;
}
