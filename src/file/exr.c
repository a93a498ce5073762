#include "file/exr.h"

#ifdef ESKER_OPENEXR

#include "core/memory.h"

#include <OpenEXRConfig.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

static Exr library;

// The version of the headers, whose structs it shares; its number is 29 above the minor version since 3.1.
static const char *library_name(void) {
    static char name[40];
    snprintf(name, sizeof name, "libOpenEXRCore-%d_%d.so.%d", OPENEXR_VERSION_MAJOR, OPENEXR_VERSION_MINOR,
             29 + OPENEXR_VERSION_MINOR);
    return name;
}

const Exr *exr_open(Error *error) {
    static const char *const names[] = { EXR_FUNCTIONS(OPTIONAL_NAME) NULL };
    memory_leave_room();
    if (optional_open(library_name(), names, &library))
        return &library;
    fail(error, STATUS_FILE,
         "an .exr needs OpenEXR (%s), which is not installed, or was not opened before the recipe was "
         "confined: write the file's ending in the recipe or a parameter",
         library_name());
    return NULL;
}

void exr_prepare(void) {
    Error unused;
    exr_open(&unused);
}

// --- memory ------------------------------------------------------------------------------------------------

// Each block begins with its size. A file can ask for any amount.
typedef struct Block {
    alignas(64) size_t size;
} Block;

static _Thread_local size_t left; // of what a context may take

static void *allocate(size_t size) {
    Error unused;
    Block *block = size <= left ? memory_new(1, sizeof *block + size, &unused) : NULL;
    if (!block)
        return NULL;
    block->size = size;
    left -= size;
    return memset(block + 1, 0, size); // some of it is used before it is set
}

static void release(void *at) {
    if (!at)
        return;
    Block *block = (Block *)at - 1;
    left += block->size;
    memory_free(block);
}

void exr_allow(size_t most) {
    left = most;
}

static void say_nothing(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)context, (void)code, (void)message;
}

exr_context_initializer_t exr_context(void *user, size_t most) {
    exr_context_initializer_t context = EXR_DEFAULT_CONTEXT_INITIALIZER;
    context.error_handler_fn = say_nothing;
    context.alloc_fn = allocate;
    context.free_fn = release;
    context.user_data = user;
    context.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    left = most;
    return context;
}

Status exr_failed(const Exr *exr, exr_result_t result, const char *doing, const char *path, Error *error) {
    const bool is_unknown = result == EXR_ERR_FEATURE_NOT_IMPLEMENTED; // in version 3.1 of the library
    return fail(error, STATUS_FILE, "cannot %s '%.300s': %s", doing, path,
                is_unknown ? "OpenEXR's C library does not know its compression (DWA); save it with ZIP"
                           : exr->get_default_error_message(result));
}

#else

void exr_prepare(void) {}

#endif
