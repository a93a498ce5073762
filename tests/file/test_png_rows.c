// Pixels are compressed in blocks of rows, by several threads: whatever the size of rows and the number of
// threads, the file has the same bytes and comes back.

#define _DEFAULT_SOURCE
#include "support.h"

#include "core/image.h"
#include "file/formats.h"

typedef struct File {
    char *bytes;
    size_t count;
} File;

static File written(const Field *field, const Image *image, int bits, int threads) {
    File file;
    Error error;
    FILE *stream = open_memstream(&file.bytes, &file.count);
    assert_non_null(stream);
    assert_ok(field
                  ? write_png_field(stream, &on_threads(threads), field, (Scale){ 0, 1, bits }, NULL, &error)
                  : write_png_image(stream, &on_threads(threads), image, NULL, &error),
              error);
    assert_int_equal(fclose(stream), 0);
    return file;
}

static void read_back(const File *file, Field *field, Image *image) {
    Error error, notice = { "" };
    FILE *stream = fmemopen(file->bytes, file->count, "rb");
    assert_non_null(stream);
    Reading reading = { .stream = stream,
                        .path = "memory",
                        .given = field, // low and high
                        .high = 1,
                        .max_pixels = 1e9,
                        .field = field,
                        .image = image,
                        .notice = &notice };
    assert_ok(read_png(&reading, &error), error);
    assert_int_equal(fclose(stream), 0);
}

// Returns the file of one thread.
static File same_for_any_number(const Field *field, const Image *image, int bits) {
    const File alone = written(field, image, bits, 1);
    for (int threads = 2; threads <= 7; threads += 5) {
        const File together = written(field, image, bits, threads);
        assert_int_equal(alone.count, together.count);
        assert_memory_equal(alone.bytes, together.bytes, alone.count);
        free(together.bytes);
    }
    return alone;
}

// From one block to more than are compressed at once; rows longer than a block; a row, and a column.
static void heights_of_every_shape_come_back(void **state) {
    (void)state;
    const int sides[][2] = { { 1, 1 },   { 2, 40000 }, { 65536, 3 },  { 1, 300 },
                             { 700, 1 }, { 500, 260 }, { 1100, 1100 } };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (int bits = 8; bits <= 16; bits += 8) {
            Field field = noise_field(sides[i][0], sides[i][1], i), back = { 0 };
            File file = same_for_any_number(&field, NULL, bits);
            read_back(&file, &back, NULL);
            assert_int_equal(back.width, field.width);
            assert_int_equal(back.height, field.height);
            const double step = bits == 8 ? 1.0 / 255 : 1.0 / 65535;
            for (size_t cell = 0; cell < field_count(&field); cell++)
                assert_near((double)back.cells[cell], (double)field.cells[cell], step * 0.5001);
            free(file.bytes);
            field_free(&field);
            field_free(&back);
        }
}

static void pixels_of_both_kinds_come_back(void **state) {
    (void)state;
    for (int opaque = 0; opaque < 2; opaque++) {
        Image image, back = { 0 };
        Error error;
        assert_ok(image_create(&image, 601, 400, &error), error);
        for (int i = 0; i < 601 * 400; i++)
            image_row(&image, 0)[i] =
                (Pixel){ (uint8_t)i, (uint8_t)(i / 7), (uint8_t)((unsigned)i * (unsigned)i / 300),
                         opaque ? 255 : (uint8_t)(i / 3) };
        File file = same_for_any_number(NULL, &image, 8);
        read_back(&file, NULL, &back);
        assert_int_equal(back.width, image.width);
        assert_memory_equal(image_row(&back, 0), image_row(&image, 0), 601 * 400 * sizeof(Pixel));
        free(file.bytes);
        image_free(&image);
        image_free(&back);
    }
}

// A row of chunks that a reader without our block sizes sees: more than one, and none of more than a block.
static void blocks_are_chunks(void **state) {
    (void)state;
    Field field = noise_field(500, 500, 1);
    File file = written(&field, NULL, 16, 2);
    int chunks = 0;
    for (size_t at = 8; at + 8 <= file.count;) {
        const unsigned char *head = (const unsigned char *)file.bytes + at;
        const size_t bytes = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        chunks += memcmp(head + 4, "IDAT", 4) == 0 ? 1 : 0;
        at += bytes + 12;
    }
    assert_int_equal(chunks, 4); // 500,500 bytes in blocks of 128 KiB
    free(file.bytes);
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_of_every_shape_come_back),
        cmocka_unit_test(pixels_of_both_kinds_come_back),
        cmocka_unit_test(blocks_are_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
