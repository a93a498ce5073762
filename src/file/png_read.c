// Reads PNG through libpng's low-level interface; its simplified one applies gamma, which would distort
// heights. Unneeded chunks are refused, since libpng's limits do not cover all of them. Rows go directly
// into the field, interlaced ones too, so that there is no second picture in memory.

#include "file/formats.h"

#include "file/frame_texts.h"
#include "file/png_memory.h"
#include "file/png_text.h"

#include <setjmp.h>
#include <string.h>

typedef struct Source {
    Reading *reading;
    Error *error;
    png_structp png;
    png_infop info;
    Scale scale;
    Frame frame;
    bool no_memory;
    png_bytep row; // as libpng gives it: a grey channel of 8 or 16 bits, or four of 8
} Source;

static Status no_memory(const Reading *reading, Error *error) {
    return fail(error, STATUS_MEMORY, "not enough memory to read '%.400s'", reading->path);
}

static void on_error(png_structp png, png_const_charp message) {
    Source *source = png_get_error_ptr(png);
    if (source->no_memory)
        no_memory(source->reading, source->error);
    else
        fail(source->error, STATUS_FILE, "cannot read '%.400s': %s", source->reading->path,
             feof(source->reading->stream) ? "it is truncated" : message);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void keep_only_pixels(png_structp png) {
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_user_limits(png, SIDE_MAX, SIDE_MAX);
    png_set_chunk_cache_max(png, 16);
    png_set_chunk_malloc_max(png, 1 << 20);
}

// Reads the frame from the file's texts, and the scale, unless the caller gave one; rewinds the stream.
static Status read_labels(Source *source) {
    const Reading *reading = source->reading;
    source->scale = (Scale){ reading->low, reading->high, 0 };
    Labels labels;
    Status status = png_read_text(reading->stream, reading->path, &labels, source->error);
    if (ferror(reading->stream)) // which rewind would clear
        status = STATUS_FILE;
    else
        rewind(reading->stream);
    if (status == STATUS_OK)
        frame_from_texts(label_value(&labels, FRAME_PLACE), label_value(&labels, FRAME_SYSTEM),
                         label_value(&labels, FRAME_UNIT), &source->frame);
    if (status == STATUS_OK) // otherwise the last label may have no key
        reading_scale(reading, label_value(&labels, SCALE_LOW), label_value(&labels, SCALE_HIGH),
                      &source->scale);
    labels_free(&labels);
    return status;
}

// Puts `count` pixels of the row that was read into every `step`-th column from `x`.
static void keep_row(const Source *source, bool heights, int y, int x, int step, int count) {
    if (heights) {
        dequantize_row(source->row, count, source->scale, field_row(source->reading->field, y) + x, step);
        return;
    }
    Pixel *pixels = image_row(source->reading->image, y) + x;
    for (int i = 0; i < count; i++)
        memcpy(&pixels[(size_t)i * (size_t)step], source->row + (size_t)i * sizeof(Pixel), sizeof(Pixel));
}

// Adam7: each pass has a regular subset of the rows and columns of the picture (PNG specification, 8.2).
static void read_passes(Source *source, bool heights, int width, int height) {
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        const int columns = PNG_PASS_COLS(width, pass), rows = PNG_PASS_ROWS(height, pass);
        for (int row = 0; columns > 0 && row < rows; row++) {
            png_read_row(source->png, source->row, NULL);
            keep_row(source, heights, PNG_ROW_FROM_PASS_ROW(row, pass), PNG_PASS_START_COL(pass),
                     1 << PNG_PASS_COL_SHIFT(pass), columns);
        }
    }
}

static void ask_for_channels(png_structp png, bool heights, int depth, bool alpha) {
    if (depth < 8)
        png_set_expand(png);
    if (heights) {
        png_set_strip_alpha(png); // heights have none
        return;
    }
    png_set_expand(png);
    png_set_strip_16(png);
    if (!alpha)
        png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

// Runs under setjmp: allocates nothing that `source` or the caller's outputs do not own.
static Status read_picture(Source *source) {
    png_structp png = source->png;
    png_infop info = source->info;
    keep_only_pixels(png);
    png_init_io(png, source->reading->stream);
    png_read_info(png, info);
    const int width = (int)png_get_image_width(png, info), height = (int)png_get_image_height(png, info);
    Status status = refuse_pixels(source->reading, width, height, source->error);
    if (status != STATUS_OK)
        return status;
    const int type = png_get_color_type(png, info);
    const bool heights = !(type & PNG_COLOR_MASK_COLOR);
    ask_for_channels(png, heights, png_get_bit_depth(png, info), type & PNG_COLOR_MASK_ALPHA);
    png_read_update_info(png, info);
    source->scale.bits = png_get_bit_depth(png, info);
    source->row = memory_new(4, (size_t)width, source->error); // size of the largest kind of row
    if (!source->row)
        return STATUS_MEMORY;
    status = heights ? field_create(source->reading->field, width, height, source->error)
                     : image_create(source->reading->image, width, height, source->error);
    if (status != STATUS_OK)
        return status;
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7) {
        read_passes(source, heights, width, height);
    } else {
        for (int y = 0; y < height; y++) {
            png_read_row(png, source->row, NULL);
            keep_row(source, heights, y, 0, 1, width);
        }
    }
    png_read_end(png, NULL);
    return STATUS_OK;
}

// libpng's errors jump here; a separate function, so that the jump loses no variable's value.
static Status guarded(Source *source) {
    if (setjmp(png_jmpbuf(source->png)) != 0)
        return source->no_memory ? STATUS_MEMORY : STATUS_FILE;
    return read_picture(source);
}

Status read_png(Reading *reading, Error *error) {
    Source source = { .reading = reading, .error = error };
    Status status = read_labels(&source);
    if (status != STATUS_OK)
        return status;
    source.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &source, on_error, on_warning,
                                          &source.no_memory, png_memory_new, png_memory_free);
    source.info = source.png ? png_create_info_struct(source.png) : NULL;
    status = source.info ? guarded(&source) : no_memory(reading, error);
    png_destroy_read_struct(&source.png, &source.info, NULL);
    memory_free(source.row);
    if (status == STATUS_OK && reading->field && reading->field->cells)
        reading->field->frame = source.frame;
    if (status == STATUS_OK && reading->image && reading->image->pixels)
        reading->image->frame = source.frame;
    return status;
}
