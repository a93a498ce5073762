// OpenEXR: named channels of 32-bit or 16-bit floats, which Blender, Godot, Unreal and film software read.
// Rows are compressed by zip, without loss; cells without data are NaN.

#include "file/exr.h"
#include "file/formats.h"

#ifdef ESKER_OPENEXR

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "file/frame_texts.h"

#include <math.h>
#include <string.h>

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
        unsigned char *larger = memory_new(room, 1, painting->error);
        if (!larger)
            return -1;
        if (painting->size)
            memcpy(larger, painting->bytes, painting->size);
        memory_free(painting->bytes);
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
        painting->rows[i] = memory_new((size_t)field->width * (size_t)count, sizeof(float), painting->error);
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
