// Reading PNG through libpng's low-level interface: its simplified one applies gamma, which would bend
// heights. Every chunk that is not needed is refused, since libpng's limits do not hold for all of them.

#include "file/formats.h"

#include "core/memory.h"
#include "file/png_text.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct Source {
    Reading *reading;
    Error *error;
    png_structp png;
    png_infop info;
    png_bytep pixels; // the whole picture as the file has it, 8 or 16 bits a channel
    png_bytepp rows;
} Source;

static void on_error(png_structp png, png_const_charp message) {
    Source *source = png_get_error_ptr(png);
    const bool ended = feof(source->reading->stream);
    fail(source->error, STATUS_FILE, "cannot read '%s': %s", source->reading->path,
         ended ? "it is truncated" : message);
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

static Scale scale_of(const Reading *reading, int bits) {
    Scale scale = { reading->low, reading->high, bits };
    Labels labels;
    Error ignored;
    if (!reading->given && png_read_text(reading->path, &labels, &ignored) == STATUS_OK) {
        const char *low = label_value(&labels, "esker:low"), *high = label_value(&labels, "esker:high");
        if (low && high) {
            scale.low = strtod(low, NULL);
            scale.high = strtod(high, NULL);
        }
        if (!(scale.high > scale.low && scale.low >= -1e30 && scale.high <= 1e30)) {
            scale.low = 0;
            scale.high = 1;
        }
    }
    if (!reading->given)
        labels_free(&labels);
    return scale;
}

// Into field or image; rows are in `source->rows`. May not jump.
static Status convert(Source *source, int width, int height, int channels, int bits) {
    Reading *reading = source->reading;
    if (channels == 1) {
        const Status status = field_create(reading->field, width, height, source->error);
        const Scale scale = scale_of(reading, bits);
        for (int y = 0; status == STATUS_OK && y < height; y++)
            dequantize_row(source->rows[y], scale, reading->field, y);
        return status;
    }
    const Status status = image_create(reading->image, width, height, source->error);
    for (int y = 0; status == STATUS_OK && y < height; y++)
        memcpy(image_row(reading->image, y), source->rows[y], (size_t)width * sizeof(Pixel));
    return status;
}

// Runs under setjmp: allocates nothing that `source` does not own.
static Status read_picture(Source *source) {
    png_structp png = source->png;
    png_infop info = source->info;
    keep_only_pixels(png);
    png_init_io(png, source->reading->stream);
    png_read_info(png, info);
    const png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    Status status = refuse_pixels(source->reading, width, height, source->error);
    if (status != STATUS_OK)
        return status;
    const int type = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
    const bool colour = type & PNG_COLOR_MASK_COLOR;
    if (depth < 8)
        png_set_expand(png);
    if (colour) {
        png_set_expand(png);
        png_set_strip_16(png);
        if (!(type & PNG_COLOR_MASK_ALPHA))
            png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    } else {
        png_set_strip_alpha(png); // heights have none
    }
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const size_t row_bytes = png_get_rowbytes(png, info);
    source->pixels = memory_new(height, row_bytes, source->error);
    source->rows = source->pixels ? memory_new(height, sizeof(png_bytep), source->error) : NULL;
    if (!source->rows)
        return STATUS_MEMORY;
    for (png_uint_32 y = 0; y < height; y++)
        source->rows[y] = source->pixels + y * row_bytes;
    png_read_image(png, source->rows);
    png_read_end(png, NULL);
    return convert(source, (int)width, (int)height, colour ? 4 : 1, png_get_bit_depth(png, info));
}

// libpng's errors jump here; a function of its own, so that no variable's value is lost by the jump.
static Status guarded(Source *source) {
    if (setjmp(png_jmpbuf(source->png)) != 0)
        return STATUS_FILE;
    return read_picture(source);
}

Status read_png(Reading *reading, Error *error) {
    Source source = { .reading = reading, .error = error };
    source.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, on_error, on_warning);
    source.info = source.png ? png_create_info_struct(source.png) : NULL;
    Status status;
    if (!source.info)
        status = fail(error, STATUS_MEMORY, "not enough memory to read '%s'", reading->path);
    else
        status = guarded(&source);
    png_destroy_read_struct(&source.png, &source.info, NULL);
    memory_free(source.rows);
    memory_free(source.pixels);
    return status;
}
