// What operating systems do differently, each in a file of its own: platform_linux.c, platform_windows.c and
// platform_macos.c. platform_posix.c has what the POSIX systems share, and all for the others (WebAssembly,
// with emscripten's C library). The rest of the engine calls the C library and POSIX only.

#ifndef ESKER_PLATFORM_H
#define ESKER_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- machine -----------------------------------------------------------------------------------------------

// The machine's memory in bytes, or the control group's limit where that is smaller.
uint64_t platform_memory(void);

// Processors that this process may run on, at least 1.
int platform_processors(void);

// The terminal that standard output goes to, in characters; 80 and 24 if there is none.
void platform_terminal_size(int *columns, int *rows);

// Whether memory can be mapped, and unmapped in parts. Elsewhere the C library allocates large blocks, too.
#ifdef __linux__
enum { PLATFORM_MAPS = 1 };
#else
enum { PLATFORM_MAPS = 0 };
#endif

// Memory at a multiple of `alignment`, which divides `bytes`; freed by platform_free.
#ifdef _WIN32
#define platform_allocate(alignment, bytes) _aligned_malloc(bytes, alignment)
#define platform_free(memory) _aligned_free(memory)
#else
#define platform_allocate(alignment, bytes) aligned_alloc(alignment, bytes)
#define platform_free(memory) free(memory)
#endif

// Maps `bytes` of new memory at a multiple of `alignment`, a power of two of at least a page, and `front`
// bytes in front of it, whole pages. Returns where `front` begins; NULL if there is no memory.
char *platform_map(size_t front, size_t bytes, size_t alignment);
void platform_unmap(char *start, size_t bytes);

// A hint: faster first use, fewer misses when addresses are looked up.
void platform_use_huge_pages(char *start, size_t bytes);

// --- files -------------------------------------------------------------------------------------------------
// Those that return int return -1 with errno set if they fail.

// Opens a file or folder for nothing but finding out what it is, or as a folder for openat; `flags`:
// O_DIRECTORY, O_NOFOLLOW.
int platform_open_place(int folder, const char *path, int flags);

// Opens for reading what platform_open_place found.
int platform_open_to_read(int place);

// The path of an opened file. False if it has none, or if the system does not say.
bool platform_path_of(int descriptor, char *path, size_t room);

// A file without a name in a folder, which is gone when it is closed; `access`: O_RDWR or O_WRONLY.
int platform_open_nameless(int folder, int access, unsigned mode);

// Whether such a file can be given a name.
bool platform_names_nameless(void);
int platform_name(int descriptor, int folder, const char *name);

// Exchanges two files' names in one step.
int platform_exchange(int folder, const char *one, const char *other);

// Writes at the place of the file, or at its end if it was opened so.
int64_t platform_write(int descriptor, const void *bytes, size_t size);

// When a file, as stat tells of it, was changed last.
#ifdef _WIN32
#define platform_changed(there) ((struct timespec){ .tv_sec = (there).st_mtime })
#elif defined(__APPLE__)
#define platform_changed(there) ((there).st_mtimespec)
#else
#define platform_changed(there) ((there).st_mtim)
#endif

// Frees the disk's room behind bytes of a file, where the file system can.
void platform_discard(int descriptor, int64_t start, int64_t end);

// --- libraries ---------------------------------------------------------------------------------------------

// Opens a library by its soname; NULL if that fails. platform_function: NULL if there is none of that name.
void *platform_open_library(const char *file);
void *platform_function(void *library, const char *name);
void platform_close_library(void *library);

#endif
