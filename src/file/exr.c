// OpenEXR: named channels of 32-bit or 16-bit floats, which Blender, Godot, Unreal and film software read.

#include "file/formats.h"

#ifdef ESKER_OPENEXR

#include "core/dynamic_library.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/sidecar.h"

#include <OpenEXRConfig.h>
#include <math.h>
#include <openexr.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// --- the library -------------------------------------------------------------------------------------------

// OpenEXR's C library ("OpenEXRCore"), opened when it is first needed. Memory is that of the engine, so that
// it is counted and limited.

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

static Exr library;

// The version of the headers, whose structs it shares; its number is 29 above the minor version since 3.1.
static const char *library_name(void) {
    static char name[40];
    snprintf(name, sizeof name, "libOpenEXRCore-%d_%d.so.%d", OPENEXR_VERSION_MAJOR, OPENEXR_VERSION_MINOR,
             29 + OPENEXR_VERSION_MINOR);
    return name;
}

// Opens the library unless it is open; NULL with `error` filled where it is missing.
static const Exr *exr_open(Error *error) {
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

// From now on the library may take `most` more bytes.
static void exr_allow(size_t most) {
    left = most;
}

static void say_nothing(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)context, (void)code, (void)message;
}

// A context that prints nothing. Its memory on this thread, until the next call, is at most `most` bytes.
static exr_context_initializer_t exr_context(void *user, size_t most) {
    exr_context_initializer_t context = EXR_DEFAULT_CONTEXT_INITIALIZER;
    context.error_handler_fn = say_nothing;
    context.alloc_fn = allocate;
    context.free_fn = release;
    context.user_data = user;
    context.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    left = most;
    return context;
}

// The library's message for `result`, or that memory ran out.
static Status exr_failed(const Exr *exr, exr_result_t result, const char *doing, const char *path,
                         Error *error) {
    const bool is_unknown = result == EXR_ERR_FEATURE_NOT_IMPLEMENTED; // in version 3.1 of the library
    return fail(error, STATUS_FILE, "cannot %s '%.300s': %s", doing, path,
                is_unknown ? "OpenEXR's C library does not know its compression (DWA); save it with ZIP"
                           : exr->get_default_error_message(result));
}

// --- reading -----------------------------------------------------------------------------------------------

// One channel of one part, of any type and compression, in rows or tiles.

typedef struct Picture {
    const Exr *exr;
    exr_context_t context;
    Reading *reading;
    size_t size;                       // of the file
    int part, parts;                   // the one that is read, and how many there are
    exr_storage_t storage;             // of the part
    const exr_attr_chlist_t *channels; // of the part, sorted by name
    const char *name;                  // of the one that is read
    int top;                           // of the first row
} Picture;

static int64_t give(exr_const_context_t context, void *user, void *buffer, uint64_t size, uint64_t offset,
                    exr_stream_error_func_ptr_t unused) {
    (void)context, (void)unused;
    Picture *picture = user;
    if (offset > picture->size || fseek(picture->reading->stream, (long)offset, SEEK_SET) != 0)
        return -1;
    return (int64_t)fread(buffer, 1, (size_t)min(size, picture->size - offset), picture->reading->stream);
}

static int64_t tell_size(exr_const_context_t context, void *user) {
    (void)context;
    return (int64_t)((Picture *)user)->size;
}

static Status damaged(const Picture *picture, const char *what, Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.300s': %s", picture->reading->path, what);
}

// --- the header --------------------------------------------------------------------------------------------

// A header is in the file; beyond it the library needs a chunk of all channels, in three buffers. A file that
// asks for more lies about its size.
static size_t header_memory(const Picture *picture) {
    return ((size_t)1 << 20) + 4 * picture->size;
}

static size_t chunk_memory(const Picture *picture) {
    size_t bytes = 0;
    for (int i = 0; i < picture->channels->num_channels; i++)
        bytes += picture->channels->entries[i].pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    return ((size_t)1 << 20) + picture->size + 3 * bytes * field_count(picture->reading->field);
}

static const exr_attr_chlist_entry_t *find_channel(const Picture *picture, const char *name) {
    for (int i = 0; i < picture->channels->num_channels; i++)
        if (strcmp(picture->channels->entries[i].name.str, name) == 0)
            return &picture->channels->entries[i];
    return NULL;
}

// The names of a part are unique; a file of one part may have none.
static const char *part_name(const Picture *picture, int part) {
    const char *name = NULL;
    return picture->exr->get_name(picture->context, part, &name) == EXR_ERR_SUCCESS && name ? name : "";
}

static bool is_flat(exr_storage_t storage) {
    return storage == EXR_STORAGE_SCANLINE || storage == EXR_STORAGE_TILED;
}

// Makes a part the one that is read; false if it has several depths for each pixel, or no channels.
static bool take_part(Picture *picture, int part) {
    picture->part = part;
    return picture->exr->get_storage(picture->context, part, &picture->storage) == EXR_ERR_SUCCESS &&
           is_flat(picture->storage) &&
           picture->exr->get_channels(picture->context, part, &picture->channels) == EXR_ERR_SUCCESS &&
           picture->channels->num_channels > 0;
}

static Status no_such_channel(Picture *picture, Error *error) {
    char names[200] = "";
    for (int part = 0; part < picture->parts; part++)
        for (int i = 0; take_part(picture, part) && i < picture->channels->num_channels; i++) {
            const size_t used = strlen(names);
            const char *before = picture->parts > 1 ? part_name(picture, part) : "";
            if (used < sizeof names - 2)
                snprintf(names + used, sizeof names - used, "%s%s%s%s", used ? ", " : "", before,
                         *before ? "." : "", picture->channels->entries[i].name.str);
        }
    return fail(error, STATUS_INVALID, "'%.200s' has no channel '%.60s'; its channels are %s",
                picture->reading->path, picture->reading->channel, names);
}

// The channel "NAME", or "PART.NAME", of the part.
static const exr_attr_chlist_entry_t *wanted_channel(const Picture *picture) {
    const char *wanted = picture->reading->channel, *part = part_name(picture, picture->part);
    const exr_attr_chlist_entry_t *channel = find_channel(picture, wanted);
    const size_t length = strlen(part);
    if (!channel && length > 0 && strncmp(wanted, part, length) == 0 && wanted[length] == '.')
        channel = find_channel(picture, wanted + length + 1);
    return channel;
}

// The default channel of a part: Y, by convention that of a picture of one channel, else one that may be
// heights, else the first.
static const exr_attr_chlist_entry_t *usual_channel(const Picture *picture) {
    static const char *const usual[] = { "Y", "height", "R", "Z", NULL };
    const exr_attr_chlist_entry_t *channel = NULL;
    for (int i = 0; !channel && usual[i]; i++)
        channel = find_channel(picture, usual[i]);
    return channel ? channel : &picture->channels->entries[0];
}

static void tell_of_others(const Picture *picture) {
    Error *notice = picture->reading->notice;
    const char *path = picture->reading->path;
    if (picture->parts > 1)
        tell(notice, "'%.200s' has %d parts; this is %s of %.60s (argument channel = \"PART.CHANNEL\")", path,
             picture->parts, picture->name, part_name(picture, picture->part));
    else if (picture->channels->num_channels > 1)
        tell(notice, "'%.200s' has %d channels; this is %s (argument channel)", path,
             picture->channels->num_channels, picture->name);
}

// OpenEXRCore 3.1.5 gives wrong numbers of such a part, and no error: B44 packs halves only, and several
// channels beside each other if one has other numbers.
static bool is_misread(const Picture *picture) {
    exr_compression_t packing = EXR_COMPRESSION_NONE;
    bool is_half = true;
    for (int i = 0; i < picture->channels->num_channels; i++)
        is_half = is_half && picture->channels->entries[i].pixel_type == EXR_PIXEL_HALF;
    return picture->exr->get_compression(picture->context, picture->part, &packing) == EXR_ERR_SUCCESS &&
           (packing == EXR_COMPRESSION_B44 || packing == EXR_COMPRESSION_B44A) && !is_half &&
           picture->channels->num_channels > 1;
}

// The channel that was asked for, in the first part that has it; else the usual one of the first part.
static Status choose_channel(Picture *picture, Error *error) {
    const char *wanted = picture->reading->channel;
    const bool any = !(wanted && *wanted);
    const exr_attr_chlist_entry_t *channel = NULL;
    bool is_any_flat = false;
    if (picture->exr->get_count(picture->context, &picture->parts) != EXR_ERR_SUCCESS)
        return damaged(picture, "it has no parts", error);
    for (int part = 0; part < picture->parts && !channel; part++)
        if (take_part(picture, part)) {
            is_any_flat = true;
            channel = any ? usual_channel(picture) : wanted_channel(picture);
        }
    if (!is_any_flat)
        return damaged(picture, "it has no channels, or several depths for each pixel", error);
    if (!channel)
        return no_such_channel(picture, error);
    picture->name = channel->name.str;
    if (channel->x_sampling != 1 || channel->y_sampling != 1)
        return damaged(picture, "its channel has not a number for each pixel", error);
    if (is_misread(picture))
        return damaged(
            picture,
            "OpenEXR's C library misreads several channels that are no halves in B44; save it with ZIP",
            error);
    if (any)
        tell_of_others(picture);
    return STATUS_OK;
}

static const char *text_named(const Picture *picture, const char *name) {
    const char *text = NULL;
    int32_t length = 0;
    const exr_result_t result =
        picture->exr->attr_get_string(picture->context, picture->part, name, &length, &text);
    return result == EXR_ERR_SUCCESS && text && strlen(text) == (size_t)length ? text : NULL;
}

static Status read_header(Picture *picture, Error *error) {
    const Exr *exr = picture->exr;
    const Reading *reading = picture->reading;
    exr_context_initializer_t setting = exr_context(picture, header_memory(picture));
    setting.read_fn = give;
    setting.size_fn = tell_size;
    setting.max_image_width = setting.max_image_height = SIDE_MAX;
    setting.max_tile_width = setting.max_tile_height = SIDE_MAX;
    const exr_result_t result = exr->start_read(&picture->context, reading->path, &setting);
    if (result != EXR_ERR_SUCCESS)
        return exr_failed(exr, result, "read", reading->path, error);
    Status status = choose_channel(picture, error);
    if (status != STATUS_OK)
        return status;
    exr_attr_box2i_t window;
    if (exr->get_data_window(picture->context, picture->part, &window) != EXR_ERR_SUCCESS)
        return damaged(picture, "it has no size", error);
    const double width = (double)window.max.x - window.min.x + 1,
                 height = (double)window.max.y - window.min.y + 1;
    int32_t chunks = 0;
    status = refuse_pixels(reading, width, height, error);
    if (status == STATUS_OK &&
        (exr->get_chunk_count(picture->context, picture->part, &chunks) != EXR_ERR_SUCCESS ||
         (size_t)max(chunks, 0) > picture->size / 8))
        return damaged(picture, "it is truncated", error);
    if (status == STATUS_OK)
        status = field_create(reading->field, whole_int(width), whole_int(height), error);
    if (status == STATUS_OK)
        exr_allow(chunk_memory(picture));
    picture->top = window.min.y;
    return status;
}

// --- chunks ------------------------------------------------------------------------------------------------

// Where the wanted channel of a chunk goes; the others are skipped. x, y: its first pixel in the field.
static bool point_channel(const Picture *picture, exr_decode_pipeline_t *pipeline, int x, int y) {
    const Field *field = picture->reading->field;
    for (int i = 0; i < pipeline->channel_count; i++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[i];
        channel->decode_to_ptr = NULL;
        if (strcmp(channel->channel_name, picture->name) != 0)
            continue;
        if (x < 0 || y < 0 || x + channel->width > field->width || y + channel->height > field->height)
            return false;
        channel->decode_to_ptr = (uint8_t *)(field_row(field, y) + x);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_pixel_stride = sizeof(float);
        channel->user_line_stride = (int32_t)sizeof(float) * field->width;
    }
    return true;
}

static exr_result_t read_chunk(const Picture *picture, exr_decode_pipeline_t *pipeline,
                               const exr_chunk_info_t *chunk, int x, int y) {
    const Exr *exr = picture->exr;
    const bool first = !pipeline->context;
    exr_result_t result = first ? exr->decoding_initialize(picture->context, picture->part, chunk, pipeline)
                                : exr->decoding_update(picture->context, picture->part, chunk, pipeline);
    if (result != EXR_ERR_SUCCESS)
        return result;
    if (!point_channel(picture, pipeline, x, y))
        return EXR_ERR_BAD_CHUNK_LEADER;
    result = exr->decoding_choose_default_routines(picture->context, picture->part, pipeline);
    return result == EXR_ERR_SUCCESS ? exr->decoding_run(picture->context, picture->part, pipeline) : result;
}

static exr_result_t read_rows(const Picture *picture, exr_decode_pipeline_t *pipeline) {
    int32_t rows = 1;
    exr_result_t result = picture->exr->get_scanlines_per_chunk(picture->context, picture->part, &rows);
    for (int y = 0; result == EXR_ERR_SUCCESS && y < picture->reading->field->height; y += rows) {
        exr_chunk_info_t chunk;
        result =
            picture->exr->read_scanline_chunk_info(picture->context, picture->part, picture->top + y, &chunk);
        if (result == EXR_ERR_SUCCESS)
            result = read_chunk(picture, pipeline, &chunk, 0, y);
    }
    return result;
}

static exr_result_t read_tiles(const Picture *picture, exr_decode_pipeline_t *pipeline) {
    const Field *field = picture->reading->field;
    uint32_t wide = 0, high = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    exr_result_t result =
        picture->exr->get_tile_descriptor(picture->context, picture->part, &wide, &high, &levels, &rounding);
    if (result == EXR_ERR_SUCCESS && (wide < 1 || high < 1 || wide > SIDE_MAX || high > SIDE_MAX))
        result = EXR_ERR_BAD_CHUNK_LEADER;
    for (int y = 0; result == EXR_ERR_SUCCESS && y < field->height; y += (int)high)
        for (int x = 0; result == EXR_ERR_SUCCESS && x < field->width; x += (int)wide) {
            exr_chunk_info_t chunk;
            result = picture->exr->read_tile_chunk_info(picture->context, picture->part, x / (int)wide,
                                                        y / (int)high, 0, 0, &chunk);
            if (result == EXR_ERR_SUCCESS)
                result = read_chunk(picture, pipeline, &chunk, x, y);
        }
    return result;
}

static Status read_cells(const Picture *picture, Error *error) {
    Field *field = picture->reading->field;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    const exr_result_t result = picture->storage == EXR_STORAGE_TILED ? read_tiles(picture, &pipeline)
                                                                      : read_rows(picture, &pipeline);
    picture->exr->decoding_destroy(picture->context, &pipeline);
    if (result != EXR_ERR_SUCCESS)
        return exr_failed(picture->exr, result, "read", picture->reading->path, error);
    Gaps *gaps = gaps_new(field_count(field), error);
    if (!gaps)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(field); i++)
        if (!isfinite(field->cells[i]))
            gaps->at[i] = 1;
    field_set_gaps(field, gaps);
    return STATUS_OK;
}

static Status read_exr(Reading *reading, Error *error) {
    Picture picture = { .exr = exr_open(error), .reading = reading, .size = bytes_left(reading->stream) };
    if (!picture.exr)
        return STATUS_FILE;
    Status status = read_header(&picture, error);
    if (status == STATUS_OK)
        status = read_cells(&picture, error);
    if (status == STATUS_OK)
        frame_from_texts(text_named(&picture, FRAME_PLACE), text_named(&picture, FRAME_SYSTEM),
                         text_named(&picture, FRAME_UNIT), &reading->field->frame);
    if (picture.context)
        picture.exr->finish(&picture.context);
    return status;
}

// --- writing -----------------------------------------------------------------------------------------------

// Rows are compressed by zip, without loss; cells without data are NaN.

// Fields of one size, each with a name of its own.
enum { LAYERS_MAX = 1 + FIELDS_MAX, LAYER_NAME_MAX = 63 };
typedef struct Layers {
    int count;
    const Field *at[LAYERS_MAX];
    char names[LAYERS_MAX][LAYER_NAME_MAX + 1];
} Layers;

static int layer_named(const Layers *layers, const char *name) {
    for (int i = 0; i < layers->count; i++)
        if (strcmp(layers->names[i], name) == 0)
            return i;
    return 0;
}

typedef struct Painting {
    const Exr *exr;
    exr_context_t context;
    const Layers *layers;
    Error *error;
    float *rows[LAYERS_MAX]; // of a layer with gaps: one chunk of them
    unsigned char *bytes;    // the file: its tables are filled in at the end
    size_t size, room;
    exr_result_t (*compress)(exr_encode_pipeline_t *pipeline); // the library's
} Painting;

static int64_t keep(exr_const_context_t context, void *user, const void *bytes, uint64_t size,
                    uint64_t offset, exr_stream_error_func_ptr_t unused) {
    (void)context, (void)unused;
    Painting *painting = user;
    const size_t end = (size_t)(offset + size);
    if (end > painting->room) {
        const size_t room = max(2 * painting->room, max(end, (size_t)1 << 16));
        unsigned char *larger = memory_enlarge(painting->bytes, painting->size, room, 1, painting->error);
        if (!larger)
            return -1;
        painting->bytes = larger;
        painting->room = room;
    }
    if (offset > painting->size)
        memset(painting->bytes + painting->size, 0, (size_t)offset - painting->size);
    memcpy(painting->bytes + offset, bytes, (size_t)size);
    painting->size = max(painting->size, end);
    return (int64_t)size;
}

static exr_result_t put_texts(const Painting *painting, const Labels *labels) {
    const Exr *exr = painting->exr;
    exr_result_t result = EXR_ERR_SUCCESS;
    FrameTexts texts;
    frame_to_texts(&painting->layers->at[0]->frame, &texts);
    for (int i = 0; result == EXR_ERR_SUCCESS && i < texts.count; i++)
        result = exr->attr_set_string(painting->context, 0, texts.at[i].key, texts.at[i].value);
    for (int i = 0; result == EXR_ERR_SUCCESS && labels && i < labels->count; i++)
        result = exr->attr_set_string(painting->context, 0, labels->at[i].key, labels->at[i].value);
    return result;
}

static exr_result_t begin(Painting *painting, bool half, const Labels *labels) {
    const Exr *exr = painting->exr;
    const Layers *layers = painting->layers;
    exr_context_initializer_t setting = exr_context(painting, SIZE_MAX);
    setting.write_fn = keep;
    int part = 0;
    exr_result_t result =
        exr->start_write(&painting->context, "field.exr", EXR_WRITE_FILE_DIRECTLY, &setting);
    if (result == EXR_ERR_SUCCESS)
        result = exr->set_longname_support(painting->context, 1);
    if (result == EXR_ERR_SUCCESS)
        result = exr->add_part(painting->context, "esker", EXR_STORAGE_SCANLINE, &part);
    if (result == EXR_ERR_SUCCESS)
        result = exr->initialize_required_attr_simple(painting->context, part, layers->at[0]->width,
                                                      layers->at[0]->height, EXR_COMPRESSION_ZIP);
    for (int i = 0; result == EXR_ERR_SUCCESS && i < layers->count; i++)
        result = exr->add_channel(painting->context, part, layers->names[i],
                                  half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR, 1, 1);
    if (result == EXR_ERR_SUCCESS)
        result = put_texts(painting, labels);
    return result == EXR_ERR_SUCCESS ? exr->write_header(painting->context) : result;
}

// The heights from row y on, with NaN where there are none.
static const float *rows_of(const Painting *painting, int layer, int y, int count) {
    const Field *field = painting->layers->at[layer];
    if (!field->gaps)
        return field_row(field, y);
    const size_t first = (size_t)y * (size_t)field->width, cells = (size_t)count * (size_t)field->width;
    for (size_t i = 0; i < cells; i++)
        painting->rows[layer][i] = field->gaps->at[first + i] ? NAN : field->cells[first + i];
    return painting->rows[layer];
}

static void point_channels(const Painting *painting, exr_encode_pipeline_t *pipeline, int y, int count) {
    for (int i = 0; i < pipeline->channel_count; i++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[i];
        const int layer = layer_named(painting->layers, channel->channel_name);
        channel->encode_from_ptr = (const uint8_t *)rows_of(painting, layer, y, count);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_pixel_stride = sizeof(float);
        channel->user_line_stride = (int32_t)sizeof(float) * channel->width;
    }
}

// Readers take a chunk of exactly the raw size as not compressed. OpenEXRCore 3.1.5 writes zip's bytes there,
// too, where they have that size by chance: all rows of the chunk are lost. The raw bytes replace them.
static exr_result_t compress(exr_encode_pipeline_t *pipeline) {
    const Painting *painting = pipeline->encoding_user_data;
    const exr_result_t result = painting->compress(pipeline);
    if (result == EXR_ERR_SUCCESS && pipeline->compressed_bytes == pipeline->packed_bytes)
        memcpy(pipeline->compressed_buffer, pipeline->packed_buffer, (size_t)pipeline->packed_bytes);
    return result;
}

static exr_result_t choose_routines(Painting *painting, exr_encode_pipeline_t *pipeline) {
    const exr_result_t result =
        painting->exr->encoding_choose_default_routines(painting->context, 0, pipeline);
    if (result != EXR_ERR_SUCCESS || !pipeline->compress_fn)
        return result;
    painting->compress = pipeline->compress_fn;
    pipeline->encoding_user_data = painting;
    pipeline->compress_fn = compress;
    return result;
}

static exr_result_t put_chunks(Painting *painting, int32_t rows) {
    const Exr *exr = painting->exr;
    const int height = painting->layers->at[0]->height;
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_result_t result = EXR_ERR_SUCCESS;
    for (int y = 0; result == EXR_ERR_SUCCESS && y < height; y += rows) {
        exr_chunk_info_t chunk;
        result = exr->write_scanline_chunk_info(painting->context, 0, y, &chunk);
        if (result == EXR_ERR_SUCCESS)
            result = y == 0 ? exr->encoding_initialize(painting->context, 0, &chunk, &pipeline)
                            : exr->encoding_update(painting->context, 0, &chunk, &pipeline);
        if (result != EXR_ERR_SUCCESS)
            break;
        point_channels(painting, &pipeline, y, min(rows, height - y));
        if (y == 0)
            result = choose_routines(painting, &pipeline);
        if (result == EXR_ERR_SUCCESS)
            result = exr->encoding_run(painting->context, 0, &pipeline);
    }
    exr->encoding_destroy(painting->context, &pipeline);
    return result;
}

static Status new_rows(Painting *painting, int32_t count) {
    for (int i = 0; i < painting->layers->count; i++) {
        const Field *field = painting->layers->at[i];
        if (!field->gaps)
            continue;
        painting->rows[i] = memory_new_cells(field->width, count, sizeof(float), painting->error);
        if (!painting->rows[i])
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

// Half floats end at 65504.
static Status check_half(const Layers *layers, Error *error) {
    for (int i = 0; i < layers->count; i++)
        for (size_t k = 0; k < field_count(layers->at[i]); k++)
            if (fabsf(layers->at[i]->cells[k]) > 65504.0f)
                return fail(error, STATUS_INVALID,
                            "a float16 holds heights up to 65504, got %.9g: save with type = \"float32\"",
                            (double)layers->at[i]->cells[k]);
    return STATUS_OK;
}

static Status paint(Painting *painting, bool half, const Labels *labels, Error *error) {
    const Exr *exr = painting->exr;
    int32_t rows = 1;
    exr_result_t result = begin(painting, half, labels);
    if (result == EXR_ERR_SUCCESS)
        result = exr->get_scanlines_per_chunk(painting->context, 0, &rows);
    Status status = result == EXR_ERR_SUCCESS ? new_rows(painting, rows) : STATUS_OK;
    if (result == EXR_ERR_SUCCESS && status == STATUS_OK)
        result = put_chunks(painting, rows);
    const exr_result_t ending = painting->context ? exr->finish(&painting->context) : EXR_ERR_SUCCESS;
    if (status != STATUS_OK)
        return status;
    if (result == EXR_ERR_SUCCESS)
        result = ending;
    if (result == EXR_ERR_OUT_OF_MEMORY)
        return fail(error, STATUS_MEMORY, "not enough memory to write the EXR");
    return result == EXR_ERR_SUCCESS ? STATUS_OK : exr_failed(exr, result, "write", "the EXR", error);
}

// Whether all are different, and none is missing.
static Status check_names(const Layers *layers, int named, const char *names, Error *error) {
    bool differ = named == layers->count;
    for (int i = 0; differ && i < layers->count; i++)
        differ = layers->names[i][0] && layer_named(layers, layers->names[i]) == i;
    return differ
               ? STATUS_OK
               : fail(error, STATUS_INVALID,
                      "names must give %d different names of at most %d characters, as in \"height, flow\"; "
                      "got \"%.200s\"",
                      layers->count, LAYER_NAME_MAX, names);
}

// The field and those of the parameter more; without names the one field is Y, as in pictures of brightness.
static Status gather_layers(const Writing *writing, Layers *layers, Error *error) {
    const Fields *more = &writing->more;
    *layers = (Layers){ .count = 1 + more->count, .at = { writing->value } };
    for (int i = 0; i < more->count; i++)
        layers->at[1 + i] = more->at[i];
    const char *names = *writing->names || layers->count > 1 ? writing->names : "Y";
    int named = 0;
    for (const char *at = names; *(at += strspn(at, ", ")); named++) {
        const size_t length = strcspn(at, ", ");
        if (named < layers->count && length <= LAYER_NAME_MAX)
            memcpy(layers->names[named], at, length);
        at += length;
    }
    return check_names(layers, named, names, error);
}

static Status write_exr(const Writing *writing, Error *error) {
    const bool half = writing->cells == TYPE_FLOAT16;
    if (!half && writing->cells != TYPE_FLOAT32)
        return fail(error, STATUS_INVALID, "an .exr has numbers of type float32 or float16");
    Layers layers;
    Painting painting = { .exr = exr_open(error), .layers = &layers, .error = error };
    if (!painting.exr)
        return STATUS_FILE;
    Status status = gather_layers(writing, &layers, error);
    if (status == STATUS_OK && half)
        status = check_half(&layers, error);
    if (status == STATUS_OK)
        status = paint(&painting, half, writing->labels, error);
    if (status == STATUS_OK)
        fwrite(painting.bytes, 1, painting.size, writing->stream);
    memory_free(painting.bytes);
    for (int i = 0; i < LAYERS_MAX; i++)
        memory_free(painting.rows[i]);
    return status;
}

#else

void exr_prepare(void) {}

static Status read_exr(Reading *reading, Error *error) {
    return fail(error, STATUS_FILE,
                "cannot read '%.300s': this program was built without OpenEXR (libopenexr-dev)",
                reading->path);
}

static Status write_exr(const Writing *writing, Error *error) {
    (void)writing;
    return fail(error, STATUS_FILE, "this program was built without OpenEXR (libopenexr-dev)");
}

#endif

const FileFormat format_exr = {
    .name = "OpenEXR",
    .endings = "exr",
    .media_type = "image/x-exr",
    .library = "OpenEXR",
    .holds = { { &type_field, write_exr } },
    .read = read_exr,
    .keeps = KEEPS_FRAME | KEEPS_GAPS,
    .numbers = "exact; float16 to half a step and up to 65,504",
    .gaps = "NaN",
    .load_takes = "channel",
    .save_takes = "type more names",
    .doc = "One channel of heights, or several fields with names of their own",
};
