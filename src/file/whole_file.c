#include "file/whole_file.h"

#include "core/memory.h"
#include "core/platform.h"
#include "file/access.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef _WIN32
#define write _write // platform_windows.h leaves the name to others
#endif

static const char stray[] = ".esker-"; // prefix of temporary files
static bool without_nameless;

void whole_file_use_names(bool use) {
    without_nameless = use;
}

static Status cannot_write(const WholeFile *file, Error *error) {
    return fail(error, STATUS_FILE, "cannot write '%.400s': %s", file->path, strerror(errno));
}

// --- what killed processes left ----------------------------------------------------------------------------

// Whether a name is one that whole_file_open_in makes, ".esker-PROCESS-NANOSECONDS-COUNT": any other is the
// user's.
static bool is_temporary(const char *name) {
    if (strncmp(name, stray, sizeof stray - 1) != 0)
        return false;
    name += sizeof stray - 1;
    for (int numbers = 1; numbers <= 3; numbers++) {
        const size_t digits = strspn(name, "0123456789");
        if (digits == 0 || name[digits] != (numbers < 3 ? '-' : '\0'))
            return false;
        name += digits + 1;
    }
    return true;
}

// A named temporary file is locked by its writer: one that can be locked is a leftover.
static void remove_stray(int folder, const char *name) {
    const int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat there;
    if (fstat(file, &there) == 0 && S_ISREG(there.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(file);
}

// Done once per folder and process, since a recipe may write thousands of files into one.
static void remove_strays(int folder) {
    static _Thread_local struct {
        pid_t process;
        dev_t device;
        ino_t number;
    } last;
    struct stat there = { 0 };
    fstat(folder, &there);
    if (there.st_dev == last.device && there.st_ino == last.number && getpid() == last.process)
        return;
    last.process = getpid();
    last.device = there.st_dev;
    last.number = there.st_ino;
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    if (!list) {
        close(again); // if it was opened
        return;
    }
    for (struct dirent *entry; (entry = readdir(list));)
        if (is_temporary(entry->d_name))
            remove_stray(folder, entry->d_name);
    closedir(list);
}

// --- writing -----------------------------------------------------------------------------------------------

// A file without a name, which disappears when the process dies; or a hidden one if the file system does
// not support that, or if name_it could not name it because a chroot has no /proc.
static int open_temporary(WholeFile *file) {
    const bool nameless = !without_nameless && platform_names_nameless();
    int descriptor = nameless ? platform_open_nameless(file->folder, O_WRONLY, 0666) : -1;
    file->named = descriptor < 0;
    if (file->named)
        descriptor = openat(file->folder, file->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0)
        flock(descriptor, LOCK_EX | LOCK_NB); // locked until it is closed, so not a leftover
    return descriptor;
}

// `descriptor`: of the temporary file, or -1.
static Status give_up(WholeFile *file, int descriptor, Error *error) {
    const Status status = cannot_write(file, error);
    unlinkat(file->folder, file->temporary, 0); // if it has a name
    close(descriptor);
    close(file->folder);
    return status;
}

static struct {
    int folder; // -1: the current one
    char path[4096];
} base = { .folder = -1 };

void whole_file_write_below(int folder, const char *path) {
    if (base.folder >= 0)
        close(base.folder);
    base.folder = folder;
    snprintf(base.path, sizeof base.path, "%s", path);
}

Status whole_file_open_in(WholeFile *file, int folder, const char *path, Error *error) {
    static atomic_uint count;
    const char *slash = strrchr(path, '/');
    file->stream = NULL;
    file->folder = folder;
    file->stage = FILE_WAITS;
    file->beside = NULL;
    if (strlen(path) >= sizeof file->path) {
        close(folder);
        return fail(error, STATUS_FILE, "cannot write: the path is too long");
    }
    snprintf(file->path, sizeof file->path, "%s", path);
    file->name = file->path + (slash ? slash - path + 1 : 0);
    remove_strays(file->folder);
    struct timespec now; // a later process with this number must not meet a leftover of this one
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(file->temporary, sizeof file->temporary, "%s%ld-%ld-%u", stray, (long)getpid(), now.tv_nsec,
             atomic_fetch_add(&count, 1));
    const int descriptor = open_temporary(file);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    return file->stream ? STATUS_OK : give_up(file, descriptor, error);
}

// The folder of a path below the base, reached without following a link; -1 with `error` filled. `path` is
// the whole path. Paths that leave the base (..) are treated like any other path.
static int open_below_base(const char *relative, const char *path, Error *error) {
    const char *name;
    const int folder = below_open_parent(base.folder, relative, &name), problem = errno;
    if (folder < 0 && problem == EINVAL)
        return access_open_folder_of(base.folder, relative, path, error);
    if (folder < 0 && problem == ELOOP) {
        fail(error, STATUS_FILE, "cannot write '%.300s': links in an output folder are not followed", path);
        return -1;
    }
    if (folder < 0 && problem == ENOTDIR) {
        fail(error, STATUS_FILE, "cannot write '%.300s': a part of its path is a file, not a folder", path);
        return -1;
    }
    const Status status = access_check_folder(folder, path, error);
    if (status == STATUS_OK && folder < 0)
        fail(error, STATUS_FILE, "cannot write '%.400s': %s", path, strerror(problem));
    if (status == STATUS_OK || folder < 0)
        return folder;
    close(folder);
    return -1;
}

static FILE *elsewhere, *beside_elsewhere; // instead of files

void whole_file_write_to(FILE *stream, FILE *beside) {
    elsewhere = stream;
    beside_elsewhere = beside;
}

FILE *whole_file_stream_beside(void) {
    return beside_elsewhere;
}

bool whole_file_writes_to_stream(void) {
    return elsewhere != NULL;
}

Status whole_file_open(WholeFile *file, const char *relative, Error *error) {
    if (elsewhere) {
        *file = (WholeFile){ .stream = elsewhere, .folder = -1 };
        return STATUS_OK;
    }
    char path[2 * sizeof base.path];
    const bool below = base.folder >= 0 && *relative != '/';
    snprintf(path, sizeof path, "%s%s%s", below ? base.path : "", below ? "/" : "", relative);
    const int folder =
        below ? open_below_base(relative, path, error) : access_open_folder_of(AT_FDCWD, path, path, error);
    return folder < 0 ? STATUS_FILE : whole_file_open_in(file, folder, path, error);
}

// Links a file without a name under a temporary one: only rename replaces an existing file.
static int name_it(WholeFile *file) {
    if (!file->named && platform_name(fileno(file->stream), file->folder, file->temporary) != 0)
        return -1;
    file->named = true;
    return 0;
}

// --- into place --------------------------------------------------------------------------------------------

Status whole_file_open_beside(WholeFile *file, const char *path, FILE **stream, Error *error) {
    if (file->folder < 0) {
        *stream = file->stream;
        return STATUS_OK;
    }
    WholeFile *beside = memory_new(1, sizeof *beside, error);
    if (!beside)
        return STATUS_MEMORY;
    const Status status = whole_file_open(beside, path, error);
    if (status != STATUS_OK) {
        memory_free(beside);
        return status;
    }
    WholeFile **last = &file->beside;
    while (*last)
        last = &(*last)->beside;
    *last = beside;
    *stream = beside->stream;
    return STATUS_OK;
}

// Sets errno to why bytes were lost, which a stream forgets: by writing more until that fails again.
static void find_reason(FILE *stream) {
    static const char more[1 << 16];
    for (int i = 0; i < 2; i++) // the first may be taken in part
        if (write(fileno(stream), more, sizeof more) < 0)
            return;
    errno = EIO;
}

static bool is_folder(const WholeFile *file) {
    struct stat there;
    return fstatat(file->folder, file->name, &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(there.st_mode);
}

// All its bytes are on the disk, under a temporary name.
static Status settle(WholeFile *file, Status status, Error *error) {
    if (ferror(file->stream))
        find_reason(file->stream);
    else if (status != STATUS_OK)
        return status;
    else if (is_folder(file))
        errno = EISDIR;
    else if (fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0 && name_it(file) == 0)
        return STATUS_OK;
    return cannot_write(file, error);
}

// An old file is kept under the temporary name, if that may be needed and the file system can exchange names.
static Status put_into_place(WholeFile *file, bool alone, Error *error) {
    struct stat there;
    const bool is_new = fstatat(file->folder, file->name, &there, AT_SYMLINK_NOFOLLOW) != 0;
    if (!alone && !is_new && platform_exchange(file->folder, file->temporary, file->name) == 0)
        file->stage = FILE_EXCHANGED;
    else if (renameat(file->folder, file->temporary, file->folder, file->name) == 0)
        file->stage = is_new ? FILE_IS_NEW : FILE_REPLACED;
    return file->stage == FILE_WAITS ? cannot_write(file, error) : STATUS_OK;
}

static void take_back(WholeFile *file) {
    if (file->stage == FILE_IS_NEW)
        unlinkat(file->folder, file->name, 0);
    else if (file->stage == FILE_EXCHANGED)
        platform_exchange(file->folder, file->temporary, file->name);
}

// The descriptor is closed last, because that releases the lock.
static void leave(WholeFile *file) {
    if (file->named && (file->stage == FILE_WAITS || file->stage == FILE_EXCHANGED))
        unlinkat(file->folder, file->temporary, 0);
    fclose(file->stream); // everything is on the disk already, or the loss was reported
    close(file->folder);
}

Status whole_file_close(WholeFile *file, Status status, Error *error) {
    if (file->folder < 0)
        return status != STATUS_OK || fflush(file->stream) == 0
                   ? status
                   : fail(error, STATUS_MEMORY, "not enough memory for a file");
    for (WholeFile *each = file; each; each = each->beside)
        status = settle(each, status, error);
    for (WholeFile *each = file; each && status == STATUS_OK; each = each->beside)
        status = put_into_place(each, !file->beside, error);
    for (WholeFile *each = file; each && status != STATUS_OK; each = each->beside)
        take_back(each);
    WholeFile *beside = file->beside;
    leave(file);
    while (beside) {
        WholeFile *next = beside->beside;
        leave(beside);
        memory_free(beside);
        beside = next;
    }
    return status;
}
