// Writers: a field, image, mesh or network from the bytes is written, and pictures are read back: the same,
// to half a step of what the format can tell apart.

#include "bytes.h"

#include "core/image.h"
#include "core/memory.h"
#include "exchange/format_list.h"
#include "mesh/mesh.h"
#include "rivers/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static float number(Bytes *bytes) {
    uint32_t bits = 0;
    float value;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | byte(bytes);
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : (float)(bits % 1000);
}

static Field make_field(Bytes *bytes) {
    Field field;
    if (field_create(&field, 1 + (int)(byte(bytes) % 20), 1 + (int)(byte(bytes) % 20), NULL) != STATUS_OK)
        abort();
    for (size_t i = 0; i < field_count(&field); i++)
        field_cells(&field)[i] = number(bytes);
    return field;
}

static Scale scale_of(const Field *field, int bits) {
    Scale scale = { (double)field->cells[0], (double)field->cells[0], bits };
    for (size_t i = 0; i < field_count(field); i++) {
        scale.low = fmin(scale.low, (double)field->cells[i]);
        scale.high = fmax(scale.high, (double)field->cells[i]);
    }
    if (scale.high == scale.low) {
        scale.low = fmin(scale.low, 0);
        scale.high = scale.high > 0 ? scale.high : scale.low < 0 ? 0 : 1;
    }
    return scale;
}

static void check(const FileFormat *format, char *text, size_t length, const Field *field, Scale scale) {
    Field again = { 0 };
    Image image = { 0 };
    Error error;
    FILE *stream = fmemopen(text, length, "rb");
    Reading reading = { .stream = stream,
                        .path = "fuzzed",
                        .is_flipped = format == &format_r16,
                        .given = format != &format_png,
                        .low = scale.low,
                        .high = scale.high,
                        .width = field->width,
                        .height = field->height,
                        .max_pixels = 1e9,
                        .field = &again,
                        .image = &image };
    if (format == &format_png)
        reading.low = 0, reading.high = 1; // as the file says
    if (format->read(&reading, &error) != STATUS_OK || again.width != field->width ||
        again.height != field->height)
        abort();
    const double step = (scale.high - scale.low) / (scale.bits == 8 ? 255 : 65535);
    const double rounding = 1e-6 * fmax(fabs(scale.low), fabs(scale.high)) + 2e-45; // of the heights, floats
    for (size_t i = 0; i < field_count(field); i++) {
        const double off = fabs((double)again.cells[i] - (double)field->cells[i]);
        if (format->bits == 0 ? off != 0 : !(off <= 0.5001 * step + rounding))
            abort();
    }
    fclose(stream);
    field_free(&again);
}

static Status write_to(FILE *stream, const FileFormat *format, const ValueType *type, const void *value,
                       Scale scale) {
    Error error;
    const Run run = { .threads = 1 };
    const Writing writing = { .stream = stream,
                              .path = "fuzzed",
                              .run = &run,
                              .type = type,
                              .value = value,
                              .scale = scale,
                              .is_flipped = format == &format_r16,
                              .names = "" };
    return format->holds[written_as(format, type)].write(&writing, &error);
}

static void write_heights(Bytes *bytes, const FileFormat *format) {
    Field field = make_field(bytes);
    const Scale scale = scale_of(&field, format == &format_r16 ? 16 : 8 + 8 * (int)(byte(bytes) % 2));
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const Status status = write_to(stream, format, &type_field, &field, scale);
    fclose(stream);
    if (status != STATUS_OK)
        abort();
    check(format, text, length, &field, scale);
    free(text);
    field_free(&field);
}

static void write_image(Bytes *bytes) {
    Image image, again = { 0 };
    Field none = { 0 };
    Error error;
    if (image_create(&image, 1 + (int)(byte(bytes) % 30), 1 + (int)(byte(bytes) % 30), &error) != STATUS_OK)
        abort();
    const unsigned opaque = byte(bytes) % 2;
    const size_t count = (size_t)image.width * (size_t)image.height;
    for (size_t i = 0; i < count; i++)
        image_row(&image, 0)[i] = (Pixel){ (uint8_t)byte(bytes), (uint8_t)byte(bytes), (uint8_t)byte(bytes),
                                           opaque ? 255 : (uint8_t)byte(bytes) };
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const Run run = { .threads = 1 };
    char key[] = "key", value[64];
    for (size_t i = 0; i < sizeof value - 1; i++)
        value[i] = (char)(1 + byte(bytes) % 255);
    value[sizeof value - 1] = '\0';
    Label label = { key, value };
    const Labels labels = { 1, &label };
    const Writing writing = {
        .stream = stream, .run = &run, .type = &type_image, .value = &image, .labels = &labels
    };
    if (format_png.holds[written_as(&format_png, &type_image)].write(&writing, &error) != STATUS_OK)
        abort();
    fclose(stream);
    stream = fmemopen(text, length, "rb");
    Reading reading = {
        .stream = stream, .path = "fuzzed", .high = 1, .max_pixels = 1e9, .field = &none, .image = &again
    };
    if (format_png.read(&reading, &error) != STATUS_OK ||
        memcmp(again.pixels, image.pixels, count * sizeof(Pixel)) != 0)
        abort();
    fclose(stream);
    free(text);
    image_free(&image);
    image_free(&again);
}

static void write_mesh(Bytes *bytes, const FileFormat *format) {
    const size_t points = 1 + byte(bytes) % 20, triangles = byte(bytes) % 40;
    Error error;
    Mesh *mesh = mesh_new(points, triangles, &error);
    for (size_t i = 0; i < points; i++)
        mesh->points[i] = (MeshPoint){ number(bytes), number(bytes), number(bytes) };
    for (size_t i = 0; i < triangles; i++)
        for (int c = 0; c < 3; c++)
            mesh->triangles[i].corners[c] = byte(bytes) % (uint32_t)points;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const Status status = write_to(stream, format, &type_mesh, mesh, (Scale){ 0 });
    fclose(stream);
    if (status != STATUS_OK && !(format == &format_glb && triangles == 0))
        abort();
    if (format == &format_stl && length != 84 + 50 * triangles)
        abort();
    free(text);
    memory_free(mesh);
}

// Reaches share their ends, as they do in the world: each begins where the one before it ends.
static void write_network(Bytes *bytes, const FileFormat *format) {
    const int reaches = (int)(byte(bytes) % 6), each = 2 + (int)(byte(bytes) % 5),
              points = reaches * (each - 1) + 1;
    Error error;
    RiverNetwork *network = network_new(reaches, points, 0, &error);
    const unsigned how = byte(bytes);
    network->width = 1 + (int)byte(bytes);
    network->height = 1 + (int)byte(bytes);
    network->cell = 1.0 / network->width;
    network->planet = how & 1;
    network->boundary.coast = how & 2;
    for (int i = 0; i < points; i++)
        network->points[i] =
            (RiverPoint){ .x = (double)number(bytes), .y = (double)number(bytes), .area = i, .width = 1 };
    for (int i = 0; i < reaches; i++)
        network->reaches[i] =
            (Reach){ i * (each - 1), each, i + 1 < reaches ? i + 1 : -1, 1 + i % 3, how & 4 };
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (write_to(stream, format, &type_network, network, (Scale){ 0 }) != STATUS_OK)
        abort();
    fclose(stream);
    if (strstr(text, "nan") || strstr(text, "inf"))
        abort();
    free(text);
    memory_free(network);
}

// The formats that need no library, for each type of value that is made here.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ValueType *const types[] = { &type_field, &type_image, &type_mesh, &type_network };
    Bytes bytes = { data, size };
    const ValueType *type = types[byte(&bytes) % 4];
    unsigned number = byte(&bytes) % 32;
    const FileFormat *format = NULL;
    for (const FileFormat *const *each = all_formats; *each; each++)
        if (!(*each)->library && written_as(*each, type) >= 0 && number-- == 0)
            format = *each;
    if (!format)
        return 0;
    if (type == &type_field)
        write_heights(&bytes, format);
    else if (type == &type_image)
        write_image(&bytes);
    else if (type == &type_mesh)
        write_mesh(&bytes, format);
    else
        write_network(&bytes, format);
    if (memory_in_use() != 0)
        abort();
    return 0;
}
