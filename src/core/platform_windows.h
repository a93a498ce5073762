// What the engine calls of POSIX and Windows' C library lacks, for all files of a build for Windows: the
// compiler includes it first (make windows). Paths are UTF-8. Folders have descriptors, too, for openat.

#ifndef ESKER_PLATFORM_WINDOWS_H
#define ESKER_PLATFORM_WINDOWS_H

#ifdef _WIN32

// The C library has functions of these names, which the engine uses for its own.
#define raise windows_raise
#define read windows_read
#define tell windows_tell
#define write windows_write
#include <io.h>
#include <signal.h>
#include <unistd.h>
#undef raise
#undef read
#undef tell
#undef write

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>

#undef PATH_MAX
#define PATH_MAX 4096 // bytes of UTF-8

enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 1, AT_REMOVEDIR = 2, LOCK_EX = 1, LOCK_NB = 2 };

#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0
#define O_NOCTTY 0
#define O_DIRECTORY 0x1000000
#define O_NOFOLLOW 0x2000000
#define O_PATH O_RDONLY
#define S_IFLNK 0xA000
#define S_ISLNK(mode) ((void)(mode), 0) // they are not followed where that is not wanted

int windows_openat(int folder, const char *path, int flags, ...);
int windows_close(int descriptor);
int windows_fstat(int descriptor, struct stat *there);
int windows_fstatat(int folder, const char *path, struct stat *there, int flags);
int windows_unlinkat(int folder, const char *path, int flags);
int windows_renameat(int from_folder, const char *from, int folder, const char *path);
int windows_flock(int descriptor, int operation);
int windows_mkdirat(int folder, const char *path, unsigned mode);
int windows_rmdir(const char *path);
int windows_stat(const char *path, struct stat *there);
FILE *windows_fopen(const char *path, const char *mode);
ssize_t windows_getline(char **line, size_t *room, FILE *stream);
char *windows_realpath(const char *path, char *real);
ssize_t windows_pread(int descriptor, void *bytes, size_t size, int64_t at);
ssize_t windows_pwrite(int descriptor, const void *bytes, size_t size, int64_t at);

// Folders that are read.
typedef struct WindowsFolder WindowsFolder;
struct windows_entry {
    char d_name[1024]; // UTF-8
};
WindowsFolder *windows_fdopendir(int folder);
struct windows_entry *windows_readdir(WindowsFolder *folder);
int windows_closedir(WindowsFolder *folder);
int windows_dirfd(const WindowsFolder *folder);

// Streams in memory are temporary files, which fflush and fclose copy to where the caller finds them.
FILE *windows_open_memstream(char **bytes, size_t *size);
FILE *windows_fmemopen(void *bytes, size_t size, const char *mode);
int windows_fflush(FILE *stream);
int windows_fclose(FILE *stream);

#undef close
#undef fstat
#define DIR WindowsFolder
#define dirent windows_entry
#define readdir windows_readdir
#define closedir windows_closedir
#define dirfd windows_dirfd
#define mkdirat windows_mkdirat
#define mkdir(path, mode) windows_mkdirat(AT_FDCWD, path, mode)
#define rmdir windows_rmdir
#define fopen windows_fopen
#define getline windows_getline
#define umask(mode) ((mode_t)(mode))
#define openat windows_openat
#define close windows_close
#define fstat windows_fstat
#define fstatat windows_fstatat
#define unlinkat windows_unlinkat
#define renameat windows_renameat
#define flock windows_flock
#define fdopendir windows_fdopendir
#define realpath windows_realpath
#define pread windows_pread
#define pwrite windows_pwrite
#define open_memstream windows_open_memstream
#define fmemopen windows_fmemopen
#define fflush windows_fflush
#define fclose windows_fclose
#define open(path, ...) windows_openat(AT_FDCWD, path, __VA_ARGS__)
#define fsync _commit
#define _stat64(path, there) windows_stat(path, there) // as the C library calls stat
#define getc_unlocked getc

typedef _sigset_t sigset_t; // there are no signals that threads could block
#define sigfillset(set) (*(set) = 0)
#undef pthread_sigmask
#define pthread_sigmask(how, set, old) ((void)(set), (void)(old))

#endif

#endif
