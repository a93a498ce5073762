// OpenEXR's C library ("OpenEXRCore"), opened when it is first needed, and what its readers and writers
// share. Memory is that of the engine, so that it is counted and limited.

#ifndef ESKER_EXR_H
#define ESKER_EXR_H

#include "core/format.h"

// Opens the library, if it is there, before this process is confined.
void exr_prepare(void);

Status read_exr(Reading *reading, Error *error);

#ifdef ESKER_OPENEXR

#include "core/dynamic_library.h"

#include <openexr.h>
#include <stdbool.h>
#include <stddef.h>

#define EXR_FUNCTIONS(X)                                                                                     \
    X(exr_, finish)                                                                                          \
    X(exr_, start_read)                                                                                      \
    X(exr_, start_write)                                                                                     \
    X(exr_, set_longname_support)                                                                            \
    X(exr_, add_part)                                                                                        \
    X(exr_, initialize_required_attr_simple)                                                                 \
    X(exr_, add_channel)                                                                                     \
    X(exr_, attr_set_string)                                                                                 \
    X(exr_, attr_get_string)                                                                                 \
    X(exr_, write_header)                                                                                    \
    X(exr_, get_count)                                                                                       \
    X(exr_, get_name)                                                                                        \
    X(exr_, get_storage)                                                                                     \
    X(exr_, get_channels)                                                                                    \
    X(exr_, get_compression)                                                                                 \
    X(exr_, get_data_window)                                                                                 \
    X(exr_, get_tile_descriptor)                                                                             \
    X(exr_, get_chunk_count)                                                                                 \
    X(exr_, get_scanlines_per_chunk)                                                                         \
    X(exr_, read_scanline_chunk_info)                                                                        \
    X(exr_, read_tile_chunk_info)                                                                            \
    X(exr_, write_scanline_chunk_info)                                                                       \
    X(exr_, encoding_initialize)                                                                             \
    X(exr_, encoding_choose_default_routines)                                                                \
    X(exr_, encoding_update)                                                                                 \
    X(exr_, encoding_run)                                                                                    \
    X(exr_, encoding_destroy)                                                                                \
    X(exr_, decoding_initialize)                                                                             \
    X(exr_, decoding_choose_default_routines)                                                                \
    X(exr_, decoding_update)                                                                                 \
    X(exr_, decoding_run)                                                                                    \
    X(exr_, decoding_destroy)                                                                                \
    X(exr_, get_default_error_message)

typedef struct Exr {
    EXR_FUNCTIONS(OPTIONAL_POINTER)
} Exr;

// Opens the library unless it is open; NULL with `error` filled where it is missing.
const Exr *exr_open(Error *error);

// A context that prints nothing. Its memory on this thread, until the next call, is at most `most` bytes.
exr_context_initializer_t exr_context(void *user, size_t most);

// From now on the library may take `most` more bytes.
void exr_allow(size_t most);

// The library's message for `result`, or that memory ran out.
Status exr_failed(const Exr *exr, exr_result_t result, const char *doing, const char *path, Error *error);

#endif
#endif
