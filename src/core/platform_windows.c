// Windows: the functions of platform.h, and those of POSIX that platform_windows.h names, over its own ones.

#include "core/platform.h"

#ifdef _WIN32

#include "core/platform_windows.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <windows.h>

// The C library's own.
#undef _stat64
#undef close
#undef fclose
#undef fflush
#undef fstat
#undef open

enum { PATH_ROOM = PATH_MAX, MINE = 1 << 20, FOLDERS_MAX = 256, STREAMS_MAX = 64, LOCKS_MAX = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Sets errno to the last error of Windows; -1.
static int failed(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_DIR_NOT_EMPTY:
        errno = ENOTEMPTY;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
    }
    return -1;
}

static HANDLE handle_of(int descriptor) {
    return (HANDLE)_get_osfhandle(descriptor);
}

// --- machine -----------------------------------------------------------------------------------------------

uint64_t platform_memory(void) {
    MEMORYSTATUSEX status = { .dwLength = sizeof status };
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

int platform_processors(void) {
    DWORD_PTR mine = 0, all = 0;
    GetProcessAffinityMask(GetCurrentProcess(), &mine, &all);
    const int count = __builtin_popcountll(mine);
    return count > 0 ? count : 1;
}

void platform_terminal_size(int *columns, int *rows) {
    CONSOLE_SCREEN_BUFFER_INFO about;
    const BOOL known = GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &about);
    *columns = known ? about.srWindow.Right - about.srWindow.Left + 1 : 80;
    *rows = known ? about.srWindow.Bottom - about.srWindow.Top + 1 : 24;
}

char *platform_map(size_t front, size_t bytes, size_t alignment) {
    (void)front, (void)bytes, (void)alignment;
    return NULL;
}

void platform_unmap(char *start, size_t bytes) {
    (void)start, (void)bytes;
}

void platform_use_huge_pages(char *start, size_t bytes) {
    (void)start, (void)bytes;
}

// --- paths -------------------------------------------------------------------------------------------------

static bool widen(const char *path, wchar_t wide[PATH_ROOM]) {
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_ROOM) > 0)
        return true;
    errno = strlen(path) >= PATH_ROOM ? ENAMETOOLONG : ENOENT;
    return false;
}

static bool narrow(const wchar_t *wide, char *path, size_t room) {
    if (wcsncmp(wide, L"\\\\?\\", 4) == 0)
        wide += 4;
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)room, NULL, NULL) <= 0)
        return false;
    for (; *path; path++)
        if (*path == '\\')
            *path = '/';
    return true;
}

// Real paths of open folders; their descriptors are MINE and their place here.
static char *folders[FOLDERS_MAX];

static const char *folder_path(int folder) {
    return folder >= MINE && folder < MINE + FOLDERS_MAX ? folders[folder - MINE] : NULL;
}

static bool is_absolute(const char *path) {
    return *path == '/' || *path == '\\' || (*path && path[1] == ':');
}

// The path of something in a folder.
static bool path_in(int folder, const char *path, wchar_t wide[PATH_ROOM]) {
    char whole[PATH_ROOM];
    const char *base = folder == AT_FDCWD || is_absolute(path) ? NULL : folder_path(folder);
    if (folder != AT_FDCWD && !base && !is_absolute(path)) {
        errno = EBADF;
        return false;
    }
    if ((size_t)snprintf(whole, sizeof whole, "%s%s%s", base ? base : "", base ? "/" : "", path) >=
        sizeof whole) {
        errno = ENAMETOOLONG;
        return false;
    }
    return widen(whole, wide);
}

char *windows_realpath(const char *path, char *real) {
    wchar_t wide[PATH_ROOM], whole[PATH_ROOM];
    if (!widen(path, wide))
        return NULL;
    const DWORD length = GetFullPathNameW(wide, PATH_ROOM, whole, NULL);
    if (length == 0 || length >= PATH_ROOM || GetFileAttributesW(whole) == INVALID_FILE_ATTRIBUTES) {
        failed();
        return NULL;
    }
    return narrow(whole, real, PATH_ROOM) ? real : NULL;
}

static int open_folder(const wchar_t *wide) {
    wchar_t whole[PATH_ROOM];
    char path[PATH_ROOM];
    const DWORD length = GetFullPathNameW(wide, PATH_ROOM, whole, NULL);
    if (length == 0 || length >= PATH_ROOM || !narrow(whole, path, sizeof path))
        return failed();
    int made = -1;
    errno = EMFILE;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < FOLDERS_MAX && made < 0; i++)
        if (!folders[i] && (folders[i] = _strdup(path)))
            made = MINE + i;
    pthread_mutex_unlock(&mutex);
    return made;
}

// --- files -------------------------------------------------------------------------------------------------

// Files may be renamed and removed while they are open, as elsewhere.
int windows_openat(int folder, const char *path, int flags, ...) {
    wchar_t wide[PATH_ROOM];
    if (!path_in(folder, path, wide))
        return -1;
    const DWORD found = GetFileAttributesW(wide);
    const bool exists = found != INVALID_FILE_ATTRIBUTES, writes = flags & (O_WRONLY | O_RDWR);
    if (exists && flags & O_NOFOLLOW && found & FILE_ATTRIBUTE_REPARSE_POINT) {
        errno = ELOOP;
        return -1;
    }
    if (exists && found & FILE_ATTRIBUTE_DIRECTORY && !writes)
        return open_folder(wide);
    if (exists && (found & FILE_ATTRIBUTE_DIRECTORY || flags & O_DIRECTORY)) {
        errno = flags & O_DIRECTORY ? ENOTDIR : EISDIR;
        return -1;
    }
    const DWORD access = flags & O_RDWR ? GENERIC_READ | GENERIC_WRITE
                         : writes       ? GENERIC_WRITE
                                        : GENERIC_READ;
    const DWORD how = flags & O_CREAT ? flags & O_EXCL    ? CREATE_NEW
                                        : flags & O_TRUNC ? CREATE_ALWAYS
                                                          : OPEN_ALWAYS
                                      : OPEN_EXISTING;
    const HANDLE handle = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      NULL, how, FILE_ATTRIBUTE_NORMAL, NULL);
    return handle == INVALID_HANDLE_VALUE ? failed()
                                          : _open_osfhandle((intptr_t)handle, O_BINARY | (flags & O_APPEND));
}

// Files that are locked as long as they are open.
static int locked[LOCKS_MAX];

// Replaces one in the list; 0 stands for none.
static void exchange_lock(int old, int new) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < LOCKS_MAX; i++)
        if (locked[i] == old) {
            locked[i] = new;
            break;
        }
    pthread_mutex_unlock(&mutex);
}

int windows_close(int descriptor) {
    if (descriptor < MINE) {
        exchange_lock(descriptor, 0);
        return close(descriptor);
    }
    pthread_mutex_lock(&mutex);
    if (folder_path(descriptor)) {
        free(folders[descriptor - MINE]);
        folders[descriptor - MINE] = NULL;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

int windows_fstat(int descriptor, struct stat *there) {
    if (!folder_path(descriptor))
        return _fstat64(descriptor, there);
    *there = (struct stat){ .st_mode = S_IFDIR };
    return 0;
}

int windows_fstatat(int folder, const char *path, struct stat *there, int flags) {
    wchar_t wide[PATH_ROOM];
    (void)flags;
    return path_in(folder, path, wide) ? _wstat64(wide, there) : -1;
}

// What is removed stays as long as it is open.
static void close_locked(const wchar_t *wide) {
    wchar_t whole[PATH_ROOM];
    char path[PATH_ROOM], own[PATH_ROOM];
    if (GetFullPathNameW(wide, PATH_ROOM, whole, NULL) == 0 || !narrow(whole, path, sizeof path))
        return;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < LOCKS_MAX; i++)
        if (locked[i] > 0 && platform_path_of(locked[i], own, sizeof own) && strcmp(own, path) == 0) {
            close(locked[i]);
            locked[i] = 0;
        }
    pthread_mutex_unlock(&mutex);
}

int windows_unlinkat(int folder, const char *path, int flags) {
    wchar_t wide[PATH_ROOM];
    if (!path_in(folder, path, wide))
        return -1;
    close_locked(wide);
    return (flags & AT_REMOVEDIR ? RemoveDirectoryW(wide) : DeleteFileW(wide)) ? 0 : failed();
}

int windows_renameat(int from_folder, const char *from, int folder, const char *path) {
    wchar_t old[PATH_ROOM], new[PATH_ROOM];
    if (!path_in(from_folder, from, old) || !path_in(folder, path, new))
        return -1;
    const DWORD found = GetFileAttributesW(new);
    if (found != INVALID_FILE_ATTRIBUTES && found & FILE_ATTRIBUTE_DIRECTORY) {
        errno = EEXIST;
        return -1;
    }
    return MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING) ? 0 : failed();
}

// A byte that no file has is locked.
int windows_flock(int descriptor, int operation) {
    (void)operation;
    OVERLAPPED at = { .OffsetHigh = 0x7fffffff };
    if (LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &at)) {
        exchange_lock(0, descriptor);
        return 0;
    }
    const DWORD problem = GetLastError();
    failed();
    if (problem == ERROR_LOCK_VIOLATION || problem == ERROR_IO_PENDING)
        errno = EWOULDBLOCK;
    return -1;
}

int windows_mkdirat(int folder, const char *path, unsigned mode) {
    wchar_t wide[PATH_ROOM];
    (void)mode;
    return !path_in(folder, path, wide) ? -1 : CreateDirectoryW(wide, NULL) ? 0 : failed();
}

int windows_rmdir(const char *path) {
    return windows_unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int windows_stat(const char *path, struct stat *there) {
    return windows_fstatat(AT_FDCWD, path, there, 0);
}

FILE *windows_fopen(const char *path, const char *mode) {
    wchar_t wide[PATH_ROOM], how[8] = L"";
    size_t length = 0;
    for (; *mode && length + 2 < sizeof how / sizeof *how; mode++)
        if (*mode != 'e') // nothing is inherited unless it is wanted
            how[length++] = (wchar_t)*mode;
    if (!wcschr(how, L'b'))
        how[length] = L'b';
    return widen(path, wide) ? _wfopen(wide, how) : NULL;
}

ssize_t windows_getline(char **line, size_t *room, FILE *stream) {
    size_t length = 0;
    for (int byte; (byte = getc(stream)) != EOF;) {
        if (length + 2 > *room) {
            char *larger = realloc(*line, 2 * *room + 128);
            if (!larger)
                return -1;
            *line = larger;
            *room = 2 * *room + 128;
        }
        (*line)[length++] = (char)byte;
        if (byte == '\n')
            break;
    }
    if (length > 0)
        (*line)[length] = '\0';
    return length > 0 ? (ssize_t)length : -1;
}

// --- folders that are read ---------------------------------------------------------------------------------

struct WindowsFolder {
    HANDLE list;
    WIN32_FIND_DATAW found;
    bool is_new; // what was found was not given yet
    int folder;
    struct windows_entry entry;
};

WindowsFolder *windows_fdopendir(int folder) {
    wchar_t wide[PATH_ROOM];
    WindowsFolder *opened = calloc(1, sizeof *opened);
    if (!opened || !path_in(folder, "*", wide)) {
        free(opened);
        return NULL;
    }
    opened->list = FindFirstFileW(wide, &opened->found);
    if (opened->list == INVALID_HANDLE_VALUE) {
        failed();
        free(opened);
        return NULL;
    }
    opened->is_new = true;
    opened->folder = folder;
    return opened;
}

struct windows_entry *windows_readdir(WindowsFolder *folder) {
    if (!folder->is_new && !FindNextFileW(folder->list, &folder->found)) {
        if (GetLastError() != ERROR_NO_MORE_FILES)
            failed();
        return NULL;
    }
    folder->is_new = false;
    return narrow(folder->found.cFileName, folder->entry.d_name, sizeof folder->entry.d_name) ? &folder->entry
                                                                                              : NULL;
}

int windows_closedir(WindowsFolder *folder) {
    FindClose(folder->list);
    windows_close(folder->folder);
    free(folder);
    return 0;
}

int windows_dirfd(const WindowsFolder *folder) {
    return folder->folder;
}

static OVERLAPPED place_of(int64_t at) {
    return (OVERLAPPED){ .Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32) };
}

enum { AT_ONCE = 1 << 28 }; // bytes

ssize_t windows_pread(int descriptor, void *bytes, size_t size, int64_t at) {
    OVERLAPPED place = place_of(at);
    DWORD done = 0;
    if (ReadFile(handle_of(descriptor), bytes, (DWORD)(size < AT_ONCE ? size : AT_ONCE), &done, &place))
        return (ssize_t)done;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : failed();
}

ssize_t windows_pwrite(int descriptor, const void *bytes, size_t size, int64_t at) {
    OVERLAPPED place = place_of(at);
    DWORD done = 0;
    return WriteFile(handle_of(descriptor), bytes, (DWORD)(size < AT_ONCE ? size : AT_ONCE), &done, &place)
               ? (ssize_t)done
               : failed();
}

int platform_open_place(int folder, const char *path, int flags) {
    return windows_openat(folder, path, O_RDONLY | flags);
}

int platform_open_to_read(int place) {
    return _dup(place);
}

bool platform_path_of(int descriptor, char *path, size_t room) {
    wchar_t wide[PATH_ROOM];
    const char *folder = folder_path(descriptor);
    if (folder)
        return (size_t)snprintf(path, room, "%s", folder) < room;
    const DWORD length = GetFinalPathNameByHandleW(handle_of(descriptor), wide, PATH_ROOM, 0);
    return length > 0 && length < PATH_ROOM && narrow(wide, path, room);
}

static int unsupported(void) {
    errno = ENOTSUP;
    return -1;
}

// In the folder for temporary files, whatever `folder` is.
static int open_temporary(void) {
    static volatile LONG count;
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 64];
    const DWORD length = GetTempPathW(MAX_PATH, folder);
    if (length == 0 || length > MAX_PATH)
        return failed();
    swprintf(path, MAX_PATH + 64, L"%lsesker-%lu-%llu-%ld.tmp", folder, GetCurrentProcessId(),
             GetTickCount64(), InterlockedIncrement(&count));
    const HANDLE handle = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_NEW,
                                      FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    return handle == INVALID_HANDLE_VALUE ? failed() : _open_osfhandle((intptr_t)handle, O_BINARY);
}

int platform_open_nameless(int folder, int access, unsigned mode) {
    (void)folder, (void)mode;
    return access == O_RDWR ? open_temporary() : unsupported();
}

bool platform_names_nameless(void) {
    return false;
}

int platform_name(int descriptor, int folder, const char *name) {
    (void)descriptor, (void)folder, (void)name;
    return unsupported();
}

int platform_exchange(int folder, const char *one, const char *other) {
    (void)folder, (void)one, (void)other;
    return unsupported();
}

int64_t platform_write(int descriptor, const void *bytes, size_t size) {
    return _write(descriptor, bytes, (unsigned)(size < AT_ONCE ? size : AT_ONCE));
}

void platform_discard(int descriptor, int64_t start, int64_t end) {
    (void)descriptor, (void)start, (void)end;
}

// --- streams in memory -------------------------------------------------------------------------------------

static struct {
    FILE *stream;
    char **bytes;
    size_t *size;
} streams[STREAMS_MAX];

static FILE *open_temporary_stream(void) {
    const int descriptor = open_temporary();
    FILE *stream = descriptor < 0 ? NULL : _fdopen(descriptor, "w+b");
    if (!stream && descriptor >= 0)
        close(descriptor);
    return stream;
}

FILE *windows_open_memstream(char **bytes, size_t *size) {
    FILE *stream = open_temporary_stream();
    bool kept = false;
    pthread_mutex_lock(&mutex);
    for (int i = 0; stream && i < STREAMS_MAX && !kept; i++) {
        kept = !streams[i].stream;
        if (!kept)
            continue;
        streams[i].stream = stream;
        streams[i].bytes = bytes;
        streams[i].size = size;
    }
    pthread_mutex_unlock(&mutex);
    if (kept) {
        *bytes = NULL;
        *size = 0;
        return stream;
    }
    if (stream)
        fclose(stream);
    errno = EMFILE;
    return NULL;
}

// Copies what was written to where the caller finds it.
static int copy_out(FILE *stream, char **bytes, size_t *size) {
    const int64_t at = _ftelli64(stream);
    if (at < 0 || fflush(stream) != 0 || _fseeki64(stream, 0, SEEK_END) != 0)
        return EOF;
    const int64_t end = _ftelli64(stream);
    char *copy = realloc(*bytes, (size_t)end + 1);
    if (!copy)
        return EOF;
    rewind(stream);
    *bytes = copy;
    *size = fread(copy, 1, (size_t)end, stream);
    copy[*size] = '\0';
    return *size == (size_t)end && _fseeki64(stream, at, SEEK_SET) == 0 ? 0 : EOF;
}

static int flush(FILE *stream, bool forget) {
    char **bytes = NULL;
    size_t *size = NULL;
    pthread_mutex_lock(&mutex);
    for (int i = 0; stream && i < STREAMS_MAX; i++)
        if (streams[i].stream == stream) {
            bytes = streams[i].bytes;
            size = streams[i].size;
            streams[i].stream = forget ? NULL : stream;
        }
    pthread_mutex_unlock(&mutex);
    return bytes ? copy_out(stream, bytes, size) : fflush(stream);
}

int windows_fflush(FILE *stream) {
    return flush(stream, false);
}

int windows_fclose(FILE *stream) {
    exchange_lock(_fileno(stream), 0);
    const int lost = flush(stream, true), closed = fclose(stream);
    return lost ? lost : closed;
}

FILE *windows_fmemopen(void *bytes, size_t size, const char *mode) {
    (void)mode;
    FILE *stream = open_temporary_stream();
    if (stream && (fwrite(bytes, 1, size, stream) != size || fflush(stream) != 0)) {
        fclose(stream);
        return NULL;
    }
    if (stream)
        rewind(stream);
    return stream;
}

// --- libraries ---------------------------------------------------------------------------------------------

void *platform_open_library(const char *file) {
    return (void *)LoadLibraryA(file);
}

void *platform_function(void *library, const char *name) {
    void *function = NULL;
    const FARPROC found = GetProcAddress((HMODULE)library, name);
    memcpy(&function, &found, sizeof function);
    return function;
}

void platform_close_library(void *library) {
    FreeLibrary((HMODULE)library);
}

#endif
