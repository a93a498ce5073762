// Writes PNG with compression level 1, filter SUB and strategy Z_RLE. For terrain this is ten times as fast
// as libpng's defaults, with files 2 % larger. libpng writes all but the pixels (png_rows.h).

#include "file/formats.h"

#include "file/frame_texts.h"
#include "file/png_memory.h"
#include "file/png_rows.h"

#include <assert.h>
#include <setjmp.h>
#include <string.h>

typedef struct Sink {
    FILE *stream;
    const Run *run;
    const Field *field; // or
    const Image *image;
    Scale scale;
    const Labels *labels;
    Error *error;
    Packing packing;
    bool opaque, no_memory;
    png_structp png;
    png_infop info;
} Sink;

static Status no_memory(Error *error) {
    return fail(error, STATUS_MEMORY, "not enough memory to write the PNG");
}

static void on_error(png_structp png, png_const_charp message) {
    Sink *sink = png_get_error_ptr(png);
    if (sink->no_memory)
        no_memory(sink->error);
    else
        fail(sink->error, STATUS_FILE, "cannot write the PNG: %s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void put_text(Sink *sink, const char *key, const char *value) {
    char name[80];
    snprintf(name, sizeof name, "%s", key);
    png_text text;
    memset(&text, 0, sizeof text);
    text.compression = PNG_TEXT_COMPRESSION_NONE;
    text.key = name;
    text.text = (char *)value; // only read
    text.text_length = strlen(value);
    png_set_text(sink->png, sink->info, &text, 1);
}

static void put_frame(Sink *sink, const Frame *frame) {
    FrameTexts texts;
    frame_to_texts(frame, &texts);
    for (int i = 0; i < texts.count; i++)
        put_text(sink, texts.at[i].key, texts.at[i].value);
}

static void put_labels(Sink *sink) {
    for (int i = 0; sink->labels && i < sink->labels->count; i++)
        put_text(sink, sink->labels->at[i].key, sink->labels->at[i].value);
    put_frame(sink, sink->field ? &sink->field->frame : &sink->image->frame);
    if (!sink->field || (sink->scale.low == 0 && sink->scale.high == 1))
        return;
    char number[40];
    snprintf(number, sizeof number, "%.17g", sink->scale.low);
    put_text(sink, SCALE_LOW, number);
    snprintf(number, sizeof number, "%.17g", sink->scale.high);
    put_text(sink, SCALE_HIGH, number);
}

static void fill_row(const void *context, int y, unsigned char *row) {
    const Sink *sink = context;
    if (sink->field) {
        quantize_row(sink->field, y, sink->scale, row);
        return;
    }
    const Pixel *pixels = image_row(sink->image, y);
    const size_t channels = sink->opaque ? 3 : 4;
    for (int x = 0; x < sink->image->width; x++)
        memcpy(row + (size_t)x * channels, &pixels[x], channels);
}

static PixelRows rows_of(const Sink *sink) {
    const int width = sink->field ? sink->field->width : sink->image->width;
    const int height = sink->field ? sink->field->height : sink->image->height;
    const int pixel = sink->field ? sink->scale.bits / 8 : sink->opaque ? 3 : 4;
    return (PixelRows){ height, pixel, (size_t)width * (size_t)pixel, fill_row, sink };
}

// Runs under setjmp.
static Status write_picture(Sink *sink) {
    const int width = sink->field ? sink->field->width : sink->image->width;
    const int height = sink->packing.rows.height;
    const int type = sink->field    ? PNG_COLOR_TYPE_GRAY
                     : sink->opaque ? PNG_COLOR_TYPE_RGB
                                    : PNG_COLOR_TYPE_RGBA;
    png_init_io(sink->png, sink->stream);
    png_set_IHDR(sink->png, sink->info, (png_uint_32)width, (png_uint_32)height,
                 sink->field ? sink->scale.bits : 8, type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    put_labels(sink);
    png_write_info(sink->png, sink->info);
    const Status status = pixels_write(sink->png, sink->run, &sink->packing);
    if (status == STATUS_OK)
        png_write_chunk(sink->png, (png_const_bytep) "IEND", NULL, 0);
    return status;
}

// libpng's errors jump here; a separate function, so that the jump loses no variable's value.
static Status guarded(Sink *sink) {
    if (setjmp(png_jmpbuf(sink->png)) != 0)
        return sink->no_memory ? STATUS_MEMORY : STATUS_FILE;
    return write_picture(sink);
}

static Status write_png(Sink *sink) {
    assert(sink->field || sink->image);
    sink->opaque = sink->image && image_is_opaque(sink->image);
    const PixelRows rows = rows_of(sink);
    Status status = packing_create(&sink->packing, &rows, sink->error);
    if (status == STATUS_OK) {
        sink->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, sink, on_error, on_warning,
                                              &sink->no_memory, png_memory_new, png_memory_free);
        sink->info = sink->png ? png_create_info_struct(sink->png) : NULL;
        status = sink->info ? guarded(sink) : no_memory(sink->error);
        png_destroy_write_struct(&sink->png, &sink->info);
    }
    packing_free(&sink->packing);
    return status;
}

Status write_png_field(FILE *stream, const Run *run, const Field *field, Scale scale, const Labels *labels,
                       Error *error) {
    return write_png(&(Sink){
        .stream = stream, .run = run, .field = field, .scale = scale, .labels = labels, .error = error });
}

Status write_png_image(FILE *stream, const Run *run, const Image *image, const Labels *labels, Error *error) {
    return write_png(
        &(Sink){ .stream = stream, .run = run, .image = image, .labels = labels, .error = error });
}

static Status write_heights(const Writing *writing, Error *error) {
    return write_png_field(writing->stream, writing->run, writing->value, writing->scale, writing->labels,
                           error);
}

static Status write_colours(const Writing *writing, Error *error) {
    return write_png_image(writing->stream, writing->run, writing->value, writing->labels, error);
}

const FileFormat format_png = {
    .name = "PNG",
    .endings = "png",
    .media_type = "image/png",
    .holds = { { &type_field, write_heights }, { &type_image, write_colours } },
    .read = read_png,
    .keeps = KEEPS_FRAME,
    .bits = 16,
    .numbers = "16 or 8 bits of the range; 8 bits of each colour",
    .gaps = "read, not written: an opacity of 0",
    .load_takes = "low high band",
    .save_takes = "low high bits",
    .doc = "Heights as greys, or a picture; the range of heights and the frame are texts that Esker reads",
};
