// PNG files. They are written with compression level 1, filter SUB and strategy Z_RLE: for terrain this is
// ten times as fast as libpng's defaults, with files 2 % larger. libpng writes all but the pixels.

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "file/access.h"
#include "file/formats.h"
#include "file/sidecar.h"

#include <assert.h>
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

// --- memory ------------------------------------------------------------------------------------------------

// libpng uses the engine's memory functions: counted, limited, and made to fail in tests. libpng's messages
// do not always say that memory ran out; the flag of these functions does.

static inline png_voidp png_memory_new(png_structp png, png_alloc_size_t size) {
    void *block = memory_new(size, 1, NULL);
    if (!block)
        *(bool *)png_get_mem_ptr(png) = true;
    return block;
}

static inline void png_memory_free(png_structp png, png_voidp block) {
    (void)png;
    memory_free(block);
}

// --- reading -----------------------------------------------------------------------------------------------

// Reads PNG through libpng's low-level interface; its simplified one applies gamma, which would distort
// heights. Unneeded chunks are refused, since libpng's limits do not cover all of them. Rows go directly
// into the field, interlaced ones too, so that there is no second picture in memory.
//
// A picture in colour is an image. It is heights where one of its bands is asked for, and where red, green
// and blue are the same in each pixel: with 16 bits each, which an image does not have, or with a range of
// heights. The file is read twice to know that. Where heights are transparent they are gaps.

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

static Status no_memory_to_read(const Reading *reading, Error *error) {
    return fail(error, STATUS_MEMORY, "not enough memory to read '%.400s'", reading->path);
}

// The rows of interlaced pictures are counted anew in each pass.
static void refuse_truncated(const Source *source, png_structp png) {
    const unsigned rows = png_get_image_height(png, source->info), row = png_get_current_row_number(png);
    if (row < rows && png_get_interlace_type(png, source->info) == PNG_INTERLACE_NONE)
        fail(source->error, STATUS_FILE, "cannot read '%.400s': it is truncated: %u of %u rows could be read",
             source->reading->path, row, rows);
    else
        fail(source->error, STATUS_FILE, "cannot read '%.400s': it is truncated", source->reading->path);
}

static void on_read_error(png_structp png, png_const_charp message) {
    Source *source = png_get_error_ptr(png);
    if (source->no_memory)
        no_memory_to_read(source->reading, source->error);
    else if (!feof(source->reading->stream))
        fail(source->error, STATUS_FILE, "cannot read '%.400s': %s", source->reading->path, message);
    else
        refuse_truncated(source, png);
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
static Status read_guarded(Source *source) {
    if (setjmp(png_jmpbuf(source->png)) != 0)
        return source->no_memory ? STATUS_MEMORY : STATUS_FILE;
    return read_picture(source);
}

static Status read_once(Source *source) {
    source->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, source, on_read_error, on_warning,
                                           &source->no_memory, png_memory_new, png_memory_free);
    source->info = source->png ? png_create_info_struct(source->png) : NULL;
    const Status status =
        source->info ? read_guarded(source) : no_memory_to_read(source->reading, source->error);
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

// --- filtered and compressed rows --------------------------------------------------------------------------

// The pixels of a PNG: filtered and compressed in blocks of rows, several at once. The blocks are those of
// one zlib stream, as pigz makes it, and depend on the size of a row only: the bytes are the same for any
// number of threads.

typedef struct PixelRows {
    int height, pixel_bytes;
    size_t bytes; // of a row
    // Writes the pixels of row y, on any thread.
    void (*fill)(const void *context, int y, unsigned char *row);
    const void *context;
} PixelRows;

enum { BLOCKS_MAX = 16 }; // compressed at once

typedef struct PackedBlock {
    z_stream stream;
    unsigned char *raw, *packed, *row; // filtered rows, what they become, and a row that is not filtered
    size_t raw_bytes, packed_bytes;
    unsigned long sum; // Adler-32 of the filtered rows
} PackedBlock;

typedef struct Packing {
    PixelRows rows;
    int block_rows, blocks, first; // `first`: of the blocks that are compressed now
    size_t most;                   // packed bytes of a block
    PackedBlock at[BLOCKS_MAX];
} Packing;

enum {
    BLOCK_BYTES = 128 << 10, // of rows, about
    HEAD = 2,                // bytes of a zlib stream before its first block
    TAIL = 4,                // after the last one
    FILTER_SUB = 1,
};

// --- filtered and compressed rows: memory ------------------------------------------------------------------

static void *new_for_zlib(void *unused, unsigned count, unsigned size) {
    (void)unused;
    return memory_new(count, size, NULL);
}

static void free_for_zlib(void *unused, void *block) {
    (void)unused;
    memory_free(block);
}

static Status create_block(PackedBlock *block, const Packing *packing, size_t *most, Error *error) {
    const size_t row = packing->rows.bytes, all = (size_t)packing->block_rows * (row + 1);
    block->stream = (z_stream){ .zalloc = new_for_zlib, .zfree = free_for_zlib };
    if (deflateInit2(&block->stream, 1, Z_DEFLATED, -15, 9, Z_RLE) != Z_OK)
        return fail(error, STATUS_MEMORY, "not enough memory to write the PNG");
    *most = deflateBound(&block->stream, all) + HEAD + TAIL + 16; // and what ends a block
    block->raw = memory_new(all, 1, error);
    block->packed = block->raw ? memory_new(*most, 1, error) : NULL;
    block->row = block->packed ? memory_new(row, 1, error) : NULL;
    return block->row ? STATUS_OK : STATUS_MEMORY;
}

// Fails with STATUS_MEMORY. Freed by packing_free, also where it failed.
static Status packing_create(Packing *packing, const PixelRows *rows, Error *error) {
    const size_t fitting = BLOCK_BYTES / (rows->bytes + 1);
    *packing = (Packing){ .rows = *rows, .block_rows = fitting < 1 ? 1 : (int)fitting };
    packing->blocks = (rows->height + packing->block_rows - 1) / packing->block_rows;
    Status status = STATUS_OK;
    for (int i = 0; i < min(packing->blocks, BLOCKS_MAX) && status == STATUS_OK; i++)
        status = create_block(&packing->at[i], packing, &packing->most, error);
    return status;
}

static void packing_free(Packing *packing) {
    for (int i = 0; i < BLOCKS_MAX; i++) {
        PackedBlock *block = &packing->at[i];
        deflateEnd(&block->stream); // nothing where none was made
        memory_free(block->raw);
        memory_free(block->packed);
        memory_free(block->row);
    }
}

// --- blocks ------------------------------------------------------------------------------------------------

// Differences from the pixel to the left.
KERNEL static void filter_bytes(unsigned char *restrict out, const unsigned char *restrict row,
                                const unsigned char *restrict left, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = (unsigned char)(row[i] - left[i]);
}

static void fill_block(const PixelRows *rows, PackedBlock *block, int first, int end) {
    const size_t pixel = (size_t)rows->pixel_bytes;
    unsigned char *out = block->raw;
    for (int y = first; y < end; y++) {
        rows->fill(rows->context, y, block->row);
        *out++ = FILTER_SUB;
        memcpy(out, block->row, pixel);
        filter_bytes(out + pixel, block->row + pixel, block->row, rows->bytes - pixel);
        out += rows->bytes;
    }
    block->raw_bytes = (size_t)(out - block->raw);
    block->sum = adler32(adler32(0, NULL, 0), block->raw, (uInt)block->raw_bytes);
}

// The first block begins the stream; all but the last end with an empty one, which fills a byte.
static void pack_block(const Packing *packing, PackedBlock *block, int index) {
    const size_t head = index == 0 ? HEAD : 0;
    memcpy(block->packed, "\x78\x01", head);
    z_stream *stream = &block->stream;
    deflateReset(stream);
    stream->next_in = block->raw;
    stream->avail_in = (uInt)block->raw_bytes;
    stream->next_out = block->packed + head;
    stream->avail_out = (uInt)(packing->most - HEAD - TAIL);
    deflate(stream, index == packing->blocks - 1 ? Z_FINISH : Z_SYNC_FLUSH);
    block->packed_bytes = head + stream->total_out;
}

static void make_blocks(void *context, int first, int end) {
    Packing *packing = context;
    for (int i = first; i < end; i++) {
        const int index = packing->first + i, row = index * packing->block_rows;
        fill_block(&packing->rows, &packing->at[i], row,
                   min(row + packing->block_rows, packing->rows.height));
        pack_block(packing, &packing->at[i], index);
    }
}

// --- the stream --------------------------------------------------------------------------------------------

static void put_sum(PackedBlock *block, unsigned long sum) {
    for (int shift = 24; shift >= 0; shift -= 8)
        block->packed[block->packed_bytes++] = (unsigned char)(sum >> shift);
}

// Writes the IDAT chunks. libpng's errors jump out of it.
static Status pixels_write(png_structp png, const Run *run, Packing *packing) {
    Run quiet = *run;
    quiet.progress = NULL; // of many loops
    unsigned long sum = adler32(0, NULL, 0);
    for (; packing->first < packing->blocks; packing->first += BLOCKS_MAX) {
        const int count = min(packing->blocks - packing->first, BLOCKS_MAX);
        const Status status = parallel_rows(&quiet, count, BLOCK_BYTES * 8.0, make_blocks, packing);
        if (status != STATUS_OK)
            return status;
        for (int i = 0; i < count; i++) {
            PackedBlock *block = &packing->at[i];
            sum = adler32_combine(sum, block->sum, (z_off_t)block->raw_bytes);
            if (packing->first + i == packing->blocks - 1)
                put_sum(block, sum);
            png_write_chunk(png, (png_const_bytep) "IDAT", block->packed, block->packed_bytes);
        }
    }
    return STATUS_OK;
}

// --- writing -----------------------------------------------------------------------------------------------

typedef struct Sink {
    FILE *stream;
    const Run *run;
    const Field *field; // or
    const PngPixels *pixels;
    Scale scale;
    const Labels *labels;
    Error *error;
    Packing packing;
    bool no_memory;
    png_structp png;
    png_infop info;
    png_text *texts; // room for all
    int text_count;
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

static void add_text(Sink *sink, const char *key, const char *value) {
    png_text *text = &sink->texts[sink->text_count++];
    memset(text, 0, sizeof *text);
    text->compression = PNG_TEXT_COMPRESSION_NONE;
    text->key = (char *)key;    // libpng copies both
    text->text = (char *)value; // and shortens a key to 79 bytes
    text->text_length = strlen(value);
}

// All in one call: a libpng that has to make room for a ninth text leaks the room of eight where its next
// allocation fails.
static void put_labels(Sink *sink) {
    for (int i = 0; sink->labels && i < sink->labels->count; i++)
        add_text(sink, sink->labels->at[i].key, sink->labels->at[i].value);
    FrameTexts texts;
    frame_to_texts(sink->field ? &sink->field->frame : sink->pixels->frame, &texts);
    for (int i = 0; i < texts.count; i++)
        add_text(sink, texts.at[i].key, texts.at[i].value);
    char low[40], high[40];
    if (sink->field && (sink->scale.low != 0 || sink->scale.high != 1)) {
        snprintf(low, sizeof low, "%.17g", sink->scale.low);
        snprintf(high, sizeof high, "%.17g", sink->scale.high);
        add_text(sink, SCALE_LOW, low);
        add_text(sink, SCALE_HIGH, high);
    }
    png_set_text(sink->png, sink->info, sink->texts, sink->text_count);
}

static void fill_row(const void *context, int y, unsigned char *row) {
    const Sink *sink = context;
    if (sink->field) {
        quantize_row(sink->field, y, sink->scale, row);
        return;
    }
    enum { AT_ONCE = 1024 };
    const PngPixels *pixels = sink->pixels;
    const size_t channels = pixels->opaque ? 3 : 4;
    Pixel some[AT_ONCE];
    for (int start = 0; start < pixels->width; start += AT_ONCE) {
        const int count = min(pixels->width - start, AT_ONCE);
        pixels->read(pixels->context, start, y, count, some);
        for (int x = 0; x < count; x++)
            memcpy(row + (size_t)(start + x) * channels, &some[x], channels);
    }
}

static PixelRows rows_of(const Sink *sink) {
    const int width = sink->field ? sink->field->width : sink->pixels->width;
    const int height = sink->field ? sink->field->height : sink->pixels->height;
    const int pixel = sink->field ? sink->scale.bits / 8 : sink->pixels->opaque ? 3 : 4;
    return (PixelRows){ height, pixel, (size_t)width * (size_t)pixel, fill_row, sink };
}

// Runs under setjmp.
static Status write_picture(Sink *sink) {
    const int width = sink->field ? sink->field->width : sink->pixels->width;
    const int height = sink->packing.rows.height;
    const int type = sink->field            ? PNG_COLOR_TYPE_GRAY
                     : sink->pixels->opaque ? PNG_COLOR_TYPE_RGB
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
    assert(sink->field || sink->pixels);
    const PixelRows rows = rows_of(sink);
    Status status = packing_create(&sink->packing, &rows, sink->error);
    if (status == STATUS_OK) {
        enum { OF_SCALE = 2 };
        const int labels = sink->labels ? sink->labels->count : 0;
        sink->texts = memory_new((size_t)labels + FRAME_TEXTS + OF_SCALE, sizeof *sink->texts, sink->error);
        status = sink->texts ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK) {
        sink->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, sink, on_error, on_warning,
                                              &sink->no_memory, png_memory_new, png_memory_free);
        sink->info = sink->png ? png_create_info_struct(sink->png) : NULL;
        status = sink->info ? guarded(sink) : no_memory(sink->error);
        png_destroy_write_struct(&sink->png, &sink->info);
    }
    memory_free(sink->texts);
    packing_free(&sink->packing);
    return status;
}

Status write_png_field(FILE *stream, const Run *run, const Field *field, Scale scale, const Labels *labels,
                       Error *error) {
    return write_png(&(Sink){
        .stream = stream, .run = run, .field = field, .scale = scale, .labels = labels, .error = error });
}

Status write_png_pixels(FILE *stream, const Run *run, const PngPixels *pixels, const Labels *labels,
                        Error *error) {
    return write_png(
        &(Sink){ .stream = stream, .run = run, .pixels = pixels, .labels = labels, .error = error });
}

static void copy_pixels(const void *context, int x, int y, int count, Pixel *pixels) {
    const Image *image = context;
    memcpy(pixels, image_row(image, y) + x, (size_t)count * sizeof *pixels);
}

Status write_png_image(FILE *stream, const Run *run, const Image *image, const Labels *labels, Error *error) {
    const PngPixels pixels = { .width = image->width,
                               .height = image->height,
                               .opaque = image_is_opaque(image),
                               .frame = &image->frame,
                               .read = copy_pixels,
                               .context = image };
    return write_png_pixels(stream, run, &pixels, labels, error);
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

// --- texts -------------------------------------------------------------------------------------------------

// A PNG file is a signature of eight bytes, then chunks: length, type, data, checksum (PNG specification,
// 5.3). Texts are read without libpng, whose limits do not apply to them: a small file could make it allocate
// gigabytes. This parser reads small tEXt chunks and skips all others.

enum { TEXT_MAX = 64 * 1024, TEXTS_MAX = 256 * 1024, LABELS_MAX = 64, CHUNKS_MAX = 1 << 20 };

static const unsigned char signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static char *copy_text(const char *text, size_t length, Error *error) {
    char *copy = memory_new(length + 1, 1, error);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

// `data` is a key, a zero byte and a value.
static Status append_label(Labels *labels, const char *data, size_t length, Error *error) {
    const char *zero = memchr(data, '\0', length);
    if (!zero)
        return STATUS_OK;
    const size_t key_length = (size_t)(zero - data);
    Label *label = &labels->at[labels->count++];
    label->value = NULL;
    label->key = copy_text(data, key_length, error);
    if (label->key)
        label->value = copy_text(zero + 1, length - key_length - 1, error);
    return label->value ? STATUS_OK : STATUS_MEMORY;
}

// A chunk's type is four letters of ASCII (PNG specification, 5.3).
static bool is_type(const unsigned char *type) {
    for (int i = 0; i < 4; i++)
        if ((type[i] | 0x20) < 'a' || (type[i] | 0x20) > 'z')
            return false;
    return true;
}

static Status read_chunks(FILE *file, const char *path, Labels *labels, char *buffer, Error *error) {
    unsigned char head[8];
    uint32_t total = 0;
    if (fread(head, 1, 8, file) != 8 || memcmp(head, signature, 8) != 0)
        return fail(error, STATUS_FILE, "cannot read '%.300s': it is not a PNG file", path);
    for (int chunks = 0; fread(head, 1, 8, file) == 8 && memcmp(head + 4, "IEND", 4) != 0; chunks++) {
        const uint32_t length = big_endian(head);
        if (!is_type(head + 4))
            return fail(error, STATUS_FILE, "cannot read '%.300s': a chunk is damaged", path);
        if (chunks == CHUNKS_MAX)
            return fail(error, STATUS_FILE, "cannot read '%.300s': it has more than %d chunks", path,
                        CHUNKS_MAX);
        if (length > INT32_MAX)
            return fail(error, STATUS_FILE, "cannot read '%.300s': a chunk is longer than PNG allows", path);
        const bool wanted = memcmp(head + 4, "tEXt", 4) == 0 && length <= TEXT_MAX &&
                            labels->count < LABELS_MAX && total + length <= TEXTS_MAX;
        if (wanted) {
            if (fread(buffer, 1, length, file) != length)
                return fail(error, STATUS_FILE, "cannot read '%.300s': it is truncated", path);
            total += length;
            const Status status = append_label(labels, buffer, length, error);
            if (status != STATUS_OK)
                return status;
        }
        if (fseek(file, wanted ? 4 : (long)length + 4, SEEK_CUR) != 0)
            return fail(error, STATUS_FILE, "cannot read '%.300s': %s", path, strerror(errno));
    }
    return STATUS_OK;
}

Status png_read_text(FILE *stream, const char *path, Labels *labels, Error *error) {
    *labels = (Labels){ 0 };
    Status status = STATUS_MEMORY;
    char *buffer = memory_new(TEXT_MAX, 1, error);
    labels->at = buffer ? memory_new_zeroed(LABELS_MAX, sizeof(Label), error) : NULL;
    if (labels->at)
        status = read_chunks(stream, path, labels, buffer, error);
    memory_free(buffer);
    return status;
}

const char *label_value(const Labels *labels, const char *key) {
    for (int i = 0; i < labels->count; i++)
        if (strcmp(labels->at[i].key, key) == 0)
            return labels->at[i].value;
    return NULL;
}

void labels_free(Labels *labels) {
    for (int i = 0; i < labels->count; i++) {
        memory_free(labels->at[i].key);
        memory_free(labels->at[i].value);
    }
    memory_free(labels->at);
    *labels = (Labels){ 0 };
}

// --- info --------------------------------------------------------------------------------------------------

// The text chunks of a PNG file: how it was made.

static Status run_info(const Call *call, Error *error) {
    const char *path = call->inputs[0].text;
    FILE *stream = access_open(path, error);
    if (!stream)
        return STATUS_FILE;
    return access_close(stream, path, png_read_text(stream, path, &call->outputs[0].labels, error), error);
}

const Operation op_info = {
    .name = "info",
    .category = "file",
    .keywords = "provenance metadata made labels gdalinfo gdalsrsinfo",
    .summary = "Gives the texts in a PNG file: what made it and how to make it again",
    .description = "The command esker info reads files of all other formats, too.",
    .inputs = { { "path", "the file", { &type_text } } },
    .outputs = { { "labels", "a table from name to text", &type_labels } },
    .shapes_outputs = true,
    .see_also = "save",
    .run = run_info,
};
