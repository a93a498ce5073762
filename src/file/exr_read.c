// OpenEXR: one channel of one part, of any type and compression, in rows or tiles.

#include "file/exr.h"
#include "file/formats.h"

#ifdef ESKER_OPENEXR

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/frame_texts.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

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

Status read_exr(Reading *reading, Error *error) {
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

#else

Status read_exr(Reading *reading, Error *error) {
    return fail(error, STATUS_FILE,
                "cannot read '%.300s': this program was built without OpenEXR (libopenexr-dev)",
                reading->path);
}

#endif
