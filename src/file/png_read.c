// Reads PNG through libpng's low-level interface; its simplified one applies gamma, which would distort
// heights. Unneeded chunks are refused, since libpng's limits do not cover all of them. Rows go directly
// into the field, interlaced ones too, so that there is no second picture in memory.
//
// A picture in colour is an image. It is heights where one of its bands is asked for, and where red, green
// and blue are the same in each pixel: with 16 bits each, which an image does not have, or with a range of
// heights. The file is read twice to know that. Where heights are transparent they are gaps.

#include "file/formats.h"

#include "core/gaps.h"
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
    png_bytep row;                     // as libpng gives it
    enum { IMAGE, HEIGHTS, LOOK } aim; // LOOK: whether the picture is grey
    int bands, bytes;                  // of a pixel; of a number
    int band;                          // of the heights, from 0 on
    bool looked, is_grey;
    Gaps *gaps; // NULL: heights have no opacities
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

// Whether pixel i of the row has an opacity of 0.
static bool is_clear(const Source *source, int i) {
    const unsigned char *end = source->row + (size_t)(i + 1) * (size_t)(source->bands * source->bytes);
    return source->bands % 2 == 0 && end[-1] == 0 && end[-source->bytes] == 0;
}

// A pixel that is not seen may have any colour.
static void look_at_row(Source *source, int count) {
    const size_t bytes = (size_t)source->bytes, pixel = (size_t)source->bands * bytes;
    for (int i = 0; i < count && source->is_grey; i++) {
        const unsigned char *at = source->row + (size_t)i * pixel;
        source->is_grey = is_clear(source, i) ||
                          (memcmp(at, at + bytes, bytes) == 0 && memcmp(at, at + 2 * bytes, bytes) == 0);
    }
}

static void keep_heights(const Source *source, int y, int x, int step, int count) {
    Field *field = source->reading->field;
    const size_t bytes = (size_t)source->bytes, pixel = (size_t)source->bands * bytes;
    for (int i = 0; source->gaps && i < count; i++)
        if (is_clear(source, i))
            source->gaps->at[(size_t)y * (size_t)field->width + (size_t)x + (size_t)i * (size_t)step] = 1;
    for (int i = 0; source->bands > 1 && i < count; i++)
        memmove(source->row + (size_t)i * bytes,
                source->row + (size_t)i * pixel + (size_t)source->band * bytes, bytes);
    dequantize_row(source->row, count, source->scale, field_row(field, y) + x, step);
}

// Puts `count` pixels of the row that was read into every `step`-th column from `x`.
static void keep_row(Source *source, int y, int x, int step, int count) {
    if (source->aim == LOOK)
        look_at_row(source, count);
    if (source->aim == HEIGHTS)
        keep_heights(source, y, x, step, count);
    if (source->aim != IMAGE)
        return;
    Pixel *pixels = image_row(source->reading->image, y) + x;
    for (int i = 0; i < count; i++)
        memcpy(&pixels[(size_t)i * (size_t)step], source->row + (size_t)i * sizeof(Pixel), sizeof(Pixel));
}

// Adam7: each pass has a regular subset of the rows and columns of the picture (PNG specification, 8.2).
static void read_passes(Source *source, int width, int height) {
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        const int columns = PNG_PASS_COLS(width, pass), rows = PNG_PASS_ROWS(height, pass);
        for (int row = 0; columns > 0 && row < rows; row++) {
            png_read_row(source->png, source->row, NULL);
            keep_row(source, PNG_ROW_FROM_PASS_ROW(row, pass), PNG_PASS_START_COL(pass),
                     1 << PNG_PASS_COL_SHIFT(pass), columns);
        }
    }
}

// Decides what the picture is read for, when its header is known.
static Status choose_aim(Source *source, Error *error) {
    const Reading *reading = source->reading;
    const int type = png_get_color_type(source->png, source->info);
    const bool in_colour = type & PNG_COLOR_MASK_COLOR,
               is_fine = png_get_bit_depth(source->png, source->info) == 16,
               has_alpha =
                   type & PNG_COLOR_MASK_ALPHA || png_get_valid(source->png, source->info, PNG_INFO_tRNS);
    const int bands = (in_colour ? 3 : 1) + has_alpha;
    if (reading->band > bands)
        return fail(error, STATUS_INVALID, "'%.200s' has %d bands, not %d", reading->path, bands,
                    reading->band);
    source->band = reading->band > 0 ? reading->band - 1 : 0;
    if (!in_colour || reading->band > 0 || (source->looked && source->is_grey))
        source->aim = HEIGHTS;
    else if (source->looked && reading->given)
        return fail(
            error, STATUS_INVALID,
            "low and high are for heights; '%.200s' is in colour: band = 1, 2 or 3 reads one of its bands",
            reading->path);
    else
        source->aim = !source->looked && (is_fine || reading->given) ? LOOK : IMAGE;
    if (source->aim == IMAGE && is_fine)
        tell(reading->notice,
             "'%.200s' has 16 bits a band, of which an image keeps 8 (argument band reads one as heights)",
             reading->path);
    return STATUS_OK;
}

static void ask_for_channels(png_structp png, bool image, bool alpha) {
    png_set_expand(png); // to 8 bits or 16, palettes to colours, a transparent colour to opacities
    if (image)
        png_set_strip_16(png);
    if (image && !alpha)
        png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

static Status create_output(Source *source, int width, int height) {
    if (source->aim == LOOK)
        return STATUS_OK;
    if (source->aim == IMAGE)
        return image_create(source->reading->image, width, height, source->error);
    const Status status = field_create(source->reading->field, width, height, source->error);
    if (status != STATUS_OK || source->bands % 2 != 0 || source->band == source->bands - 1)
        return status;
    source->gaps = gaps_new(field_count(source->reading->field), source->error);
    return source->gaps ? STATUS_OK : STATUS_MEMORY;
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
    if (status == STATUS_OK)
        status = choose_aim(source, source->error);
    if (status != STATUS_OK)
        return status;
    ask_for_channels(png, source->aim == IMAGE, png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA);
    png_read_update_info(png, info);
    source->scale.bits = png_get_bit_depth(png, info);
    source->bytes = source->scale.bits / 8;
    source->bands = png_get_channels(png, info);
    source->row = memory_new((size_t)source->bands * (size_t)source->bytes, (size_t)width, source->error);
    if (!source->row)
        return STATUS_MEMORY;
    status = create_output(source, width, height);
    if (status != STATUS_OK)
        return status;
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7) {
        read_passes(source, width, height);
    } else {
        for (int y = 0; y < height; y++) {
            png_read_row(png, source->row, NULL);
            keep_row(source, y, 0, 1, width);
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

static Status read_once(Source *source) {
    source->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, source, on_error, on_warning,
                                           &source->no_memory, png_memory_new, png_memory_free);
    source->info = source->png ? png_create_info_struct(source->png) : NULL;
    const Status status = source->info ? guarded(source) : no_memory(source->reading, source->error);
    png_destroy_read_struct(&source->png, &source->info, NULL);
    memory_free(source->row);
    source->row = NULL;
    return status;
}

Status read_png(Reading *reading, Error *error) {
    Source source = { .reading = reading, .error = error, .is_grey = true };
    Status status = read_labels(&source);
    if (status == STATUS_OK)
        status = read_once(&source);
    if (status == STATUS_OK && source.aim == LOOK) {
        source.looked = true;
        rewind(reading->stream);
        status = read_once(&source);
    }
    if (status == STATUS_OK && source.aim == HEIGHTS) {
        field_set_gaps(reading->field, source.gaps);
        reading->field->frame = source.frame;
    } else {
        gaps_release(source.gaps);
    }
    if (status == STATUS_OK && source.aim == IMAGE)
        reading->image->frame = source.frame;
    return status;
}
