// PNG files of every kind, well-formed and not: heights come back exactly whatever else a file says, what is
// cut or changed is an error, and no file makes the reader take more memory than its picture and a mebibyte.

#define _DEFAULT_SOURCE // mkstemps
#include "support.h"

#include "core/gaps.h"
#include "core/image.h"
#include "file/formats.h"
#include "operations.h"

#include <png.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

static char path[] = "/tmp/esker-png-XXXXXX.png";

static int make_path(void **state) {
    (void)state;
    const int file = mkstemps(path, 4);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

// --- making files ------------------------------------------------------------------------------------------

typedef struct Variety {
    int type, depth;
    bool interlaced, gamma, profile, transparent;
    bool grey; // red, green and blue are the same
} Variety;

static unsigned value_at(int x, int y, int channel, int most) {
    return random_bits(random_key(5, (uint32_t)channel), (uint32_t)x, (uint32_t)y) % ((unsigned)most + 1);
}

static int channels_of(int type) {
    return type == PNG_COLOR_TYPE_GRAY || type == PNG_COLOR_TYPE_PALETTE ? 1
           : type == PNG_COLOR_TYPE_GRAY_ALPHA                           ? 2
           : type == PNG_COLOR_TYPE_RGB                                  ? 3
                                                                         : 4;
}

// Puts the numbers of a row as the file has them: `depth` bits each, the higher first.
static void pack_row(Variety kind, int width, int y, unsigned char *row) {
    const int channels = channels_of(kind.type), most = (1 << kind.depth) - 1;
    memset(row, 0, (size_t)width * (size_t)channels * 2);
    for (int i = 0; i < width * channels; i++) {
        const int channel = kind.grey && i % channels < 3 ? 0 : i % channels;
        const unsigned value = value_at(i / channels, y, channel, most);
        if (kind.depth == 16) {
            row[2 * i] = (unsigned char)(value >> 8);
            row[2 * i + 1] = (unsigned char)value;
        } else {
            const int bit = i * kind.depth;
            row[bit / 8] |= (unsigned char)(value << (8 - kind.depth - bit % 8));
        }
    }
}

static void say_more(png_structp png, png_infop info, Variety kind) {
    if (kind.type == PNG_COLOR_TYPE_PALETTE) {
        png_color colours[256];
        for (int i = 0; i < 1 << kind.depth; i++)
            colours[i] = (png_color){ (png_byte)i, (png_byte)(255 - i), 7 };
        png_set_PLTE(png, info, colours, 1 << kind.depth);
    }
    if (kind.gamma) {
        png_set_gAMA(png, info, 0.2);
        png_set_cHRM(png, info, 0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06);
        png_color_8 bits = { (png_byte)kind.depth, (png_byte)kind.depth, (png_byte)kind.depth,
                             (png_byte)kind.depth, (png_byte)kind.depth };
        png_set_sBIT(png, info, &bits);
    } else if (kind.profile) {
        png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    }
    if (kind.transparent) {
        png_byte alphas[2] = { 0, 100 };
        png_color_16 colour = { 0, 1, 1, 1, 1 };
        png_set_tRNS(png, info, alphas, 2, &colour);
    }
}

static void write_kind(Variety kind, int width, int height) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    unsigned char *row = malloc((size_t)width * 8);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, kind.depth, kind.type,
                 kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    say_more(png, info, kind);
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < height; y++) {
            pack_row(kind, width, y, row);
            png_write_row(png, row);
        }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(row);
    fclose(file);
}

// --- reading them ------------------------------------------------------------------------------------------

typedef struct Limits {
    double high, max_pixels;
    int band;
    Error *notice;
} Limits;

static Status load(Limits limits, Output *outputs, Error *error) {
    _Alignas(16) unsigned char params[1024];
    params_initialise(&op_load, params);
    if (limits.high > 0)
        assert_ok(param_set_number(operation_param(&op_load, "high"), params, limits.high, error), *error);
    if (limits.max_pixels > 0)
        assert_ok(param_set_number(operation_param(&op_load, "max_pixels"), params, limits.max_pixels, error),
                  *error);
    assert_ok(param_set_number(operation_param(&op_load, "band"), params, limits.band, error), *error);
    const Call call = { .inputs = { { .text = path } }, .notice = limits.notice };
    return run_operation(&op_load, call, params, outputs, error);
}

static void heights_come_back_exactly_whatever_the_file_says_of_colour(void **state) {
    (void)state;
    static const int depths[] = { 1, 2, 4, 8, 16 };
    for (int variant = 0; variant < 5 * 2 * 2 * 2 * 2; variant++) {
        const bool alpha = variant / 5 & 1, interlaced = variant / 5 & 2, gamma = variant / 5 & 4,
                   profile = variant / 5 & 8;
        const Variety kind = { alpha ? PNG_COLOR_TYPE_GRAY_ALPHA : PNG_COLOR_TYPE_GRAY,
                               depths[variant % 5],
                               interlaced,
                               gamma,
                               profile,
                               !alpha && profile };
        if (alpha && kind.depth < 8)
            continue; // there are none
        const int width = 13 + variant % 7, height = 1 + variant % 11, most = (1 << kind.depth) - 1;
        write_kind(kind, width, height);
        Output outputs[OUTPUTS_MAX];
        Error error;
        const int top = kind.depth == 16 ? 65535 : 255;
        assert_ok(load((Limits){ .high = top }, outputs, &error), error);
        const Field *field = &outputs[0].field;
        assert_int_equal(field->width, width);
        assert_int_equal(field->height, height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int value = (int)value_at(x, y, 0, most);
                const bool has_data =
                    alpha ? value_at(x, y, 1, most) != 0 : !(kind.transparent && value == 1);
                const int expected = has_data ? value * (top / most) : 0;
                if (field_has_data(field, (size_t)y * (size_t)width + (size_t)x) != has_data)
                    fail_msg("depth %d, alpha %d, transparent %d: (%d, %d) is a gap or none", kind.depth,
                             alpha, kind.transparent, x, y);
                if ((int)field_row(field, y)[x] != expected)
                    fail_msg("depth %d, alpha %d, interlaced %d, gamma %d: (%d, %d) is %g, not %d",
                             kind.depth, alpha, interlaced, gamma, x, y, (double)field_row(field, y)[x],
                             expected);
            }
        outputs_free(outputs);
    }
}

// The colour of a pixel, as the PNG specification has it.
static Pixel colour_at(Variety kind, int x, int y) {
    const int most = (1 << kind.depth) - 1;
    unsigned c[4] = { 0, 0, 0, (unsigned)most };
    for (int i = 0; i < channels_of(kind.type); i++)
        c[i] = value_at(x, y, i, most);
    if (kind.type == PNG_COLOR_TYPE_PALETTE) {
        const unsigned alpha = kind.transparent && c[0] < 2 ? c[0] * 100 : 255;
        return (Pixel){ (uint8_t)c[0], (uint8_t)(255 - c[0]), 7, (uint8_t)alpha };
    }
    const bool clear = kind.transparent && c[0] == 1 && c[1] == 1 && c[2] == 1;
    const int shift = kind.depth == 16 ? 8 : 0;
    return (Pixel){ (uint8_t)(c[0] >> shift), (uint8_t)(c[1] >> shift), (uint8_t)(c[2] >> shift),
                    (uint8_t)(clear ? 0 : c[3] >> shift) };
}

static void colours_come_back(void **state) {
    (void)state;
    static const int types[] = { PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA, PNG_COLOR_TYPE_PALETTE };
    static const int depths[] = { 1, 2, 4, 8, 16 };
    for (int variant = 0; variant < 3 * 5 * 2 * 2; variant++) {
        const Variety kind = { .type = types[variant % 3],
                               .depth = depths[variant / 3 % 5],
                               .interlaced = variant / 15 & 1,
                               .gamma = variant / 15 & 1,
                               .transparent =
                                   variant / 30 & 1 && types[variant % 3] != PNG_COLOR_TYPE_RGB_ALPHA };
        if (kind.type == PNG_COLOR_TYPE_PALETTE ? kind.depth == 16 : kind.depth < 8)
            continue;
        write_kind(kind, 11, 9);
        Output outputs[OUTPUTS_MAX];
        Error error;
        assert_ok(load((Limits){ 0 }, outputs, &error), error);
        const Image *image = &outputs[1].image;
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 11; x++) {
                const Pixel expected = colour_at(kind, x, y);
                if (memcmp(&image_row(image, y)[x], &expected, sizeof expected) != 0)
                    fail_msg("type %d, depth %d, interlaced %d: (%d, %d)", kind.type, kind.depth,
                             kind.interlaced, x, y);
            }
        outputs_free(outputs);
    }
}

// Pictures in colour as heights: in which numbers, and where they have none. 8 bits a band unless said.
enum { COLOURS = 99, SPOILT }; // SPOILT: asked for heights, though bands differ

static void check_heights(Variety kind, Limits limits, int band) {
    Output outputs[OUTPUTS_MAX];
    Error error = { "" };
    enum { WIDTH = 23, HEIGHT = 14 };
    write_kind(kind, WIDTH, HEIGHT);
    const Status status = load(limits, outputs, &error);
    const int bands = kind.type == PNG_COLOR_TYPE_PALETTE ? 3 : channels_of(kind.type);
    const bool has_alpha = bands % 2 == 0 || kind.transparent;
    const int most = kind.depth == 16 ? 65535 : 255, top = limits.high > 0 ? (int)limits.high : 1;
    if (band == SPOILT) {
        assert_int_equal(status, STATUS_INVALID);
        return;
    }
    assert_ok(status, error);
    const Field *field = &outputs[0].field;
    if ((band == COLOURS) != !field->cells)
        fail_msg("type %d, depth %d, grey %d, band %d, high %g: not as it should be", kind.type, kind.depth,
                 kind.grey, limits.band, limits.high);
    for (int y = 0; band != COLOURS && y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const Pixel pixel =
                kind.type == PNG_COLOR_TYPE_PALETTE ? colour_at(kind, x, y) : (Pixel){ 0, 0, 0, 0 };
            const unsigned own[] = { pixel.red, pixel.green, pixel.blue, pixel.alpha };
            const bool is_palette = kind.type == PNG_COLOR_TYPE_PALETTE;
            const unsigned value =
                is_palette ? own[band] : value_at(x, y, kind.grey && band < 3 ? 0 : band, most);
            const bool is_key = kind.transparent && !is_palette && kind.grey && value_at(x, y, 0, most) == 1;
            const bool clear = is_palette ? own[3] == 0 : bands == 4 ? value_at(x, y, 3, most) == 0 : is_key;
            const bool has_data = !(has_alpha && band < 3 && clear);
            const double expected = has_data ? (double)value * top / most : 0;
            if (field_has_data(field, (size_t)y * WIDTH + (size_t)x) != has_data ||
                fabs((double)field_row(field, y)[x] - expected) > 1e-7 * top)
                fail_msg("type %d, depth %d, grey %d, interlaced %d, band %d: (%d, %d) is %.9g, not %.9g",
                         kind.type, kind.depth, kind.grey, kind.interlaced, band, x, y,
                         (double)field_row(field, y)[x], expected);
        }
    outputs_free(outputs);
}

static void bands_of_colours_are_heights(void **state) {
    (void)state;
    enum { RGB = PNG_COLOR_TYPE_RGB, RGBA = PNG_COLOR_TYPE_RGB_ALPHA, PALETTE = PNG_COLOR_TYPE_PALETTE };
    for (int interlaced = 0; interlaced < 2; interlaced++)
        for (int depth = 8; depth <= 16; depth += 8)
            for (int more = 0; more < 2; more++) {
                const Variety kind = { more ? RGBA : RGB, depth, interlaced, .gamma = interlaced },
                              grey = { more ? RGBA : RGB, depth, interlaced, .grey = true },
                              keyed = { RGB, depth, interlaced, .grey = true, .transparent = true };
                const double high = depth == 16 ? 65535 : 255;
                check_heights(kind, (Limits){ 0 }, COLOURS);
                check_heights(kind, (Limits){ .high = high }, SPOILT);
                check_heights(grey, (Limits){ 0 }, depth == 16 ? 0 : COLOURS);
                check_heights(grey, (Limits){ .high = high }, 0);
                check_heights(keyed, (Limits){ .high = high }, 0);
                for (int band = 1; band <= 3 + more; band++) {
                    check_heights(kind, (Limits){ .band = band, .high = high }, band - 1);
                    check_heights(kind, (Limits){ .band = band }, band - 1);
                }
                check_heights(kind, (Limits){ .band = 4 + more }, SPOILT);
            }
    for (int depth = 1; depth <= 8; depth *= 2)
        for (int band = 1; band <= 3; band++) {
            const Variety kind = { PALETTE, depth, .interlaced = depth == 4, .transparent = depth > 1 };
            check_heights(kind, (Limits){ .band = band, .high = 255 }, band - 1);
        }
    check_heights((Variety){ PALETTE, 8 }, (Limits){ .high = 255 }, SPOILT);
    check_heights((Variety){ PALETTE, 8 }, (Limits){ .band = 4 }, SPOILT);
    check_heights((Variety){ PNG_COLOR_TYPE_GRAY_ALPHA, 16 }, (Limits){ .band = 2 }, 1);
    check_heights((Variety){ PNG_COLOR_TYPE_GRAY, 16 }, (Limits){ .band = 2 }, SPOILT);
}

static void what_an_image_loses_is_told(void **state) {
    (void)state;
    for (int depth = 8; depth <= 16; depth += 8) {
        Error error, notice = { "" };
        Output outputs[OUTPUTS_MAX];
        write_kind((Variety){ PNG_COLOR_TYPE_RGB, depth }, 5, 4);
        assert_ok(load((Limits){ .notice = &notice }, outputs, &error), error);
        outputs_free(outputs);
        assert_true((strstr(notice.text, "has 16 bits a band, of which an image keeps 8") != NULL) ==
                    (depth == 16));
    }
}

static long length_of_file(void) {
    FILE *file = fopen(path, "rb");
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long length = ftell(file);
    fclose(file);
    return length;
}

static void what_is_cut_anywhere_is_an_error(void **state) {
    (void)state;
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        const Variety kind = { PNG_COLOR_TYPE_GRAY, 16, interlaced, true, false, false };
        write_kind(kind, 9, 7);
        for (long cut = length_of_file() - 1; cut >= 0; cut--) {
            Output outputs[OUTPUTS_MAX];
            Error error;
            assert_int_equal(truncate(path, cut), 0);
            if (load((Limits){ 0 }, outputs, &error) == STATUS_OK)
                fail_msg("it is read, though cut to %ld bytes", cut);
            assert_null(outputs[0].field.cells);
            assert_non_null(strstr(error.text, path));
        }
    }
}

// A chunk's checksum covers it: one wrong bit is an error, unless it is in a chunk that nobody needs.
static void one_wrong_bit_is_an_error(void **state) {
    (void)state;
    const Variety kind = { PNG_COLOR_TYPE_GRAY, 16, false, false, false, false };
    write_kind(kind, 9, 7);
    const long length = length_of_file();
    for (long bit = 0; bit < 8 * length; bit++) {
        FILE *file = fopen(path, "r+b");
        for (int round = 0; round < 2; round++) {
            assert_int_equal(fseek(file, bit / 8, SEEK_SET), 0);
            const int byte = getc(file);
            assert_int_equal(fseek(file, bit / 8, SEEK_SET), 0);
            putc(byte ^ 1 << bit % 8, file);
            fflush(file);
            Output outputs[OUTPUTS_MAX];
            Error error;
            const Status status = load((Limits){ 0 }, outputs, &error);
            if ((status == STATUS_OK) != (round == 1))
                fail_msg("bit %ld: %s", bit, status == STATUS_OK ? "it is read" : error.text);
            outputs_free(outputs);
        }
        fclose(file);
    }
}

// --- what takes memory -------------------------------------------------------------------------------------

static void peak_is_at_most(size_t picture, Limits limits, Status expected) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    const size_t before = memory_in_use();
    memory_reset_peak();
    const Status status = load(limits, outputs, &error);
    if (status != expected)
        fail_msg("status %d, not %d: %s", status, expected, error.text);
    outputs_free(outputs);
    assert_int_equal(memory_in_use(), before);
    if (memory_peak() - before > picture + (1 << 20))
        fail_msg("%zu bytes for a picture of %zu", memory_peak() - before, picture);
}

static void reading_takes_the_picture_and_a_mebibyte(void **state) {
    (void)state;
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        write_kind((Variety){ PNG_COLOR_TYPE_GRAY, 16, interlaced, false, false, false }, 1500, 700);
        peak_is_at_most(1500 * 700 * sizeof(float), (Limits){ 0 }, STATUS_OK);
        write_kind((Variety){ PNG_COLOR_TYPE_RGB_ALPHA, 16, interlaced, false, false, false }, 1500, 700);
        peak_is_at_most(1500 * 700 * sizeof(Pixel), (Limits){ 0 }, STATUS_OK);
        write_kind((Variety){ PNG_COLOR_TYPE_GRAY, 16, interlaced, false, false, false }, 65536, 2);
        peak_is_at_most(65536 * 2 * sizeof(float), (Limits){ 0 }, STATUS_OK);
    }
}

static void put_chunk(FILE *file, const char *name, const unsigned char *data, uint32_t length) {
    const unsigned char head[] = { (unsigned char)(length >> 24), (unsigned char)(length >> 16),
                                   (unsigned char)(length >> 8), (unsigned char)length };
    fwrite(head, 1, 4, file);
    fwrite(name, 1, 4, file);
    if (length > 0)
        fwrite(data, 1, length, file);
    uLong sum = crc32(crc32(0, NULL, 0), (const Bytef *)name, 4);
    if (length > 0)
        sum = crc32(sum, data, length);
    const unsigned char tail[] = { (unsigned char)(sum >> 24), (unsigned char)(sum >> 16),
                                   (unsigned char)(sum >> 8), (unsigned char)sum };
    fwrite(tail, 1, 4, file);
}

// A file of one grey pixel with more chunks of one kind in between.
static void write_with_chunks(const char *name, const unsigned char *data, uint32_t length, int count) {
    static const unsigned char signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    static const unsigned char header[] = { 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0 };
    unsigned char pixels[64];
    uLongf packed = sizeof pixels;
    assert_int_equal(compress(pixels, &packed, (const Bytef *)"\0\x80", 2), Z_OK);
    FILE *file = fopen(path, "wb");
    fwrite(signature, 1, 8, file);
    put_chunk(file, "IHDR", header, sizeof header);
    for (int i = 0; i < count; i++)
        put_chunk(file, name, data, length);
    put_chunk(file, "IDAT", pixels, (uint32_t)packed);
    put_chunk(file, "IEND", NULL, 0);
    fclose(file);
}

// Chunks of megabytes, and many: of the kinds for which libpng keeps no limit, too.
static void no_chunk_takes_memory(void **state) {
    (void)state;
    static const char *const names[] = { "tEXt", "zTXt", "iTXt", "eXIf", "sPLT", "pCAL", "sCAL",
                                         "iCCP", "hIST", "tIME", "prIv", "oFFs", "bKGD", "pHYs" };
    enum { LARGE = 3 << 20 };
    unsigned char *data = malloc(LARGE);
    memset(data, 'a', LARGE);
    const unsigned char key[] = { 'k', 'e', 'y', 0, 0 };
    memcpy(data, key, sizeof key);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_with_chunks(names[i], data, LARGE, 2);
        peak_is_at_most(4, (Limits){ 0 }, STATUS_OK);
        write_with_chunks(names[i], data, 60000, 200);
        peak_is_at_most(4, (Limits){ 0 }, STATUS_OK);
        write_with_chunks(names[i], data, 0, 1);
        peak_is_at_most(4, (Limits){ 0 }, STATUS_OK);
    }
    // Packed: a few kilobytes that become 64 MiB.
    uLongf packed = LARGE;
    unsigned char *zeros = calloc(1, 64 << 20);
    assert_int_equal(compress(data + 5, &packed, zeros, 64 << 20), Z_OK);
    free(zeros);
    write_with_chunks("zTXt", data, (uint32_t)packed + 5, 1);
    peak_is_at_most(4, (Limits){ 0 }, STATUS_OK);
    free(data);
}

static void larger_pictures_than_allowed_are_refused_before_memory_is_taken(void **state) {
    (void)state;
    FILE *file = fopen(path, "wb");
    fwrite("\211PNG\r\n\032\n", 1, 8, file);
    put_chunk(file, "IHDR", (const unsigned char *)"\0\0\102\150\0\0\100\0\1\0\0\0\0",
              13); // 17000 × 16384: more than 16384²
    put_chunk(file, "IDAT", (const unsigned char *)"", 0);
    put_chunk(file, "IEND", NULL, 0);
    fclose(file);
    peak_is_at_most(0, (Limits){ 0 }, STATUS_FILE);
    write_kind((Variety){ PNG_COLOR_TYPE_GRAY, 8, false, false, false, false }, 100, 100);
    peak_is_at_most(0, (Limits){ .max_pixels = 9999 }, STATUS_FILE);
    peak_is_at_most(40000, (Limits){ .max_pixels = 10000 }, STATUS_OK);
}

// --- texts -------------------------------------------------------------------------------------------------

static Status read_labels(Labels *labels) {
    FILE *file = fopen(path, "rb");
    Error error;
    const Status status = png_read_text(file, path, labels, &error);
    fclose(file);
    return status;
}

static void texts_are_read_and_broken_ones_passed_over(void **state) {
    (void)state;
    Labels labels;
    write_with_chunks("tEXt", (const unsigned char *)"key\0value", 9, 3);
    assert_int_equal(read_labels(&labels), STATUS_OK);
    assert_int_equal(labels.count, 3);
    assert_string_equal(label_value(&labels, "key"), "value");
    assert_null(label_value(&labels, "other"));
    labels_free(&labels);
    write_with_chunks("tEXt", (const unsigned char *)"no value", 8, 100); // without the zero between
    assert_int_equal(read_labels(&labels), STATUS_OK);
    assert_int_equal(labels.count, 0);
    labels_free(&labels);
    write_with_chunks("tEXt", (const unsigned char *)"k\0", 2, 100);
    assert_int_equal(read_labels(&labels), STATUS_OK);
    assert_int_equal(labels.count, 64);
    labels_free(&labels);
    write_with_chunks("tEXt", (const unsigned char *)"key\0value", 9, 1);
    assert_int_equal(truncate(path, 8 + 25 + 8 + 4), 0); // in the middle of the text
    assert_int_equal(read_labels(&labels), STATUS_FILE);
    labels_free(&labels);
    FILE *file = fopen(path, "wb");
    fputs("no picture at all", file);
    fclose(file);
    assert_int_equal(read_labels(&labels), STATUS_FILE);
    labels_free(&labels);
    file = fopen(path, "wb");
    fwrite("\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXt", 1, 16, file); // longer than a file may be
    fclose(file);
    assert_int_equal(read_labels(&labels), STATUS_FILE);
    labels_free(&labels);
}

// What the file says of its scale counts only where it makes sense.
static void a_scale_that_makes_no_sense_is_passed_over(void **state) {
    (void)state;
    static const struct {
        const char *low, *high;
        double expected; // of the one pixel, 0x80 of 0xff
    } cases[] = {
        { "10", "265", 138 },        { "1", "1", 128 / 255.0 },     { "5", "2", 128 / 255.0 },
        { "nan", "1", 128 / 255.0 }, { "-1e40", "1", 128 / 255.0 }, { "0", "inf", 128 / 255.0 },
        { "x", "y", 128 / 255.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const unsigned char signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
        static const unsigned char header[] = { 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0 };
        unsigned char pixels[64], text[64];
        uLongf packed = sizeof pixels;
        assert_int_equal(compress(pixels, &packed, (const Bytef *)"\0\x80", 2), Z_OK);
        FILE *file = fopen(path, "wb");
        fwrite(signature, 1, 8, file);
        put_chunk(file, "IHDR", header, sizeof header);
        int length = snprintf((char *)text, sizeof text, "esker:low%c%s", 0, cases[i].low);
        put_chunk(file, "tEXt", text, (uint32_t)length);
        length = snprintf((char *)text, sizeof text, "esker:high%c%s", 0, cases[i].high);
        put_chunk(file, "tEXt", text, (uint32_t)length);
        put_chunk(file, "IDAT", pixels, (uint32_t)packed);
        put_chunk(file, "IEND", NULL, 0);
        fclose(file);
        Output outputs[OUTPUTS_MAX];
        Error error;
        assert_ok(load((Limits){ 0 }, outputs, &error), error);
        assert_near((double)outputs[0].field.cells[0], cases[i].expected, 1e-6);
        outputs_free(outputs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_come_back_exactly_whatever_the_file_says_of_colour),
        cmocka_unit_test(colours_come_back),
        cmocka_unit_test(bands_of_colours_are_heights),
        cmocka_unit_test(what_an_image_loses_is_told),
        cmocka_unit_test(what_is_cut_anywhere_is_an_error),
        cmocka_unit_test(one_wrong_bit_is_an_error),
        cmocka_unit_test(reading_takes_the_picture_and_a_mebibyte),
        cmocka_unit_test(no_chunk_takes_memory),
        cmocka_unit_test(larger_pictures_than_allowed_are_refused_before_memory_is_taken),
        cmocka_unit_test(texts_are_read_and_broken_ones_passed_over),
        cmocka_unit_test(a_scale_that_makes_no_sense_is_passed_over),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
