// Binary glTF ("glTF 2.0 Specification", Khronos; chapters in brackets): a JSON chunk and a chunk of bytes
// [4.4]. The ground has normals, and coordinates of the texture that covers the map; trees are nodes that
// share one cone for each kind. glTF's y axis points up, so that a point x, y, z is at x, z, -y.

#include "mesh/mesh.h"

#include "core/format.h"
#include "core/json.h"
#include "core/memory.h"
#include "file/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 6, CONE_POINTS = 3 * SIDES, KINDS_MAX = 64 };
enum { FLOATS = 5126, WHOLE = 5125, ARRAY = 34962, ELEMENTS = 34963 }; // [3.6.2, 3.6.1.1]

// What the file is made of; sections of the byte chunk in this order.
typedef struct Parts {
    const Mesh *mesh;
    float *normals;
    char *picture, *json;
    size_t picture_size, json_size;
    int kinds;
    bool textured;
} Parts;

// --- geometry ----------------------------------------------------------------------------------------------

static MeshPoint turned(MeshPoint point) {
    return (MeshPoint){ point.x, point.z, -point.y };
}

// The sums of the normals of the triangles around each point, by their areas.
static void add_normals(const Mesh *mesh, float *normals) {
    memset(normals, 0, mesh->point_count * 3 * sizeof *normals);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corners = mesh->triangles[i].corners;
        const MeshPoint a = turned(mesh->points[corners[0]]), b = turned(mesh->points[corners[1]]),
                        c = turned(mesh->points[corners[2]]);
        const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y,
                    vz = c.z - a.z;
        const float normal[3] = { uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx };
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                normals[3 * (size_t)corners[k] + (size_t)axis] += normal[axis];
    }
}

static void make_normals(const Mesh *mesh, float *normals) {
    add_normals(mesh, normals);
    for (size_t i = 0; i < mesh->point_count; i++) {
        float *normal = normals + 3 * i;
        const double x = (double)normal[0], y = (double)normal[1], z = (double)normal[2];
        const double length = sqrt(x * x + y * y + z * z);
        const bool any = length > 0 && isfinite(length);
        normal[0] = any ? (float)(x / length) : 0;
        normal[1] = any ? (float)(y / length) : 1;
        normal[2] = any ? (float)(z / length) : 0;
    }
}

// A cone of radius and height 1, with a normal for each side.
static void make_cone(float points[CONE_POINTS][3], float normals[CONE_POINTS][3]) {
    static const float around[SIDES + 1][2] = { { 1, 0 },  { 0.5f, 0.8660254f },   { -0.5f, 0.8660254f },
                                                { -1, 0 }, { -0.5f, -0.8660254f }, { 0.5f, -0.8660254f },
                                                { 1, 0 } };
    for (int i = 0; i < SIDES; i++) {
        const float *from = around[i], *to = around[i + 1];
        const float corners[3][3] = { { to[0], 0, to[1] }, { from[0], 0, from[1] }, { 0, 1, 0 } };
        const float x = from[0] + to[0], z = from[1] + to[1], y = 1.5f; // (x, z) is 2 cos 30° long
        const float length = sqrtf(x * x + y * y + z * z);
        for (int k = 0; k < 3; k++) {
            memcpy(points[3 * i + k], corners[k], sizeof corners[k]);
            normals[3 * i + k][0] = x / length;
            normals[3 * i + k][1] = y / length;
            normals[3 * i + k][2] = z / length;
        }
    }
}

// --- JSON --------------------------------------------------------------------------------------------------

static void put_asset(FILE *json, const Labels *labels) {
    fputs("{\"asset\":{\"version\":\"2.0\",\"generator\":\"Esker " ESKER_VERSION "\",\"extras\":", json);
    json_put_labels(json, labels);
    fputs("},", json);
}

// Sections of the byte chunk: indices, points, normals, coordinates, and those of the cone, and the picture.
enum { INDICES, POINTS, NORMALS, COORDINATES, CONE, CONE_NORMALS, PICTURE, SECTIONS };

static void section_sizes(const Parts *parts, size_t sizes[SECTIONS]) {
    const Mesh *mesh = parts->mesh;
    const size_t cone = parts->kinds ? CONE_POINTS * 3 * sizeof(float) : 0;
    sizes[INDICES] = mesh->triangle_count * 3 * sizeof(uint32_t);
    sizes[POINTS] = sizes[NORMALS] = mesh->point_count * 3 * sizeof(float);
    sizes[COORDINATES] = mesh->point_count * 2 * sizeof(float);
    sizes[CONE] = sizes[CONE_NORMALS] = cone;
    sizes[PICTURE] = parts->picture_size;
}

static size_t padded(size_t size) {
    return (size + 3) / 4 * 4;
}

// Sections that are empty have no view; `views` gets the others' numbers.
static size_t put_views(FILE *json, const size_t sizes[SECTIONS], int views[SECTIONS]) {
    size_t offset = 0;
    int count = 0;
    fputs("\"bufferViews\":[", json);
    for (int i = 0; i < SECTIONS; i++) {
        if (sizes[i] == 0)
            continue;
        fprintf(json, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", count ? "," : "", offset,
                sizes[i]);
        if (i != PICTURE)
            fprintf(json, ",\"target\":%d", i == INDICES ? ELEMENTS : ARRAY);
        fputc('}', json);
        views[i] = count++;
        offset += padded(sizes[i]);
    }
    fprintf(json, "],\"buffers\":[{\"byteLength\":%zu}],", offset);
    return offset;
}

static void put_accessor(FILE *json, int view, int type, size_t count, const char *shape) {
    fprintf(json, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"", view, type, count,
            shape);
}

static void put_bounds(FILE *json, const Mesh *mesh) { // [3.6.2.5]: of positions they are required
    MeshPoint low = turned(mesh->points[0]), high = low;
    for (size_t i = 1; i < mesh->point_count; i++) {
        const MeshPoint point = turned(mesh->points[i]);
        low = (MeshPoint){ fminf(low.x, point.x), fminf(low.y, point.y), fminf(low.z, point.z) };
        high = (MeshPoint){ fmaxf(high.x, point.x), fmaxf(high.y, point.y), fmaxf(high.z, point.z) };
    }
    fprintf(json, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]},", (double)low.x, (double)low.y,
            (double)low.z, (double)high.x, (double)high.y, (double)high.z);
}

static void put_accessors(FILE *json, const Parts *parts, const int views[SECTIONS]) {
    const Mesh *mesh = parts->mesh;
    fputs("\"accessors\":[", json);
    put_accessor(json, views[INDICES], WHOLE, 3 * mesh->triangle_count, "SCALAR");
    fputs("},", json);
    put_accessor(json, views[POINTS], FLOATS, mesh->point_count, "VEC3");
    put_bounds(json, mesh);
    put_accessor(json, views[NORMALS], FLOATS, mesh->point_count, "VEC3");
    fputs("},", json);
    put_accessor(json, views[COORDINATES], FLOATS, mesh->point_count, "VEC2");
    if (parts->kinds) {
        fputs("},", json);
        put_accessor(json, views[CONE], FLOATS, CONE_POINTS, "VEC3");
        fputs(",\"min\":[-1,0,-0.866025388],\"max\":[1,1,0.866025388]},", json);
        put_accessor(json, views[CONE_NORMALS], FLOATS, CONE_POINTS, "VEC3");
    }
    fputs("}],", json);
}

static void put_materials(FILE *json, const Parts *parts, const int views[SECTIONS]) {
    static const float greens[4][3] = {
        { 0.04f, 0.12f, 0.03f }, { 0.12f, 0.2f, 0.04f }, { 0.2f, 0.16f, 0.05f }, { 0.2f, 0.2f, 0.2f }
    };
    if (parts->textured)
        fprintf(json,
                "\"images\":[{\"bufferView\":%d,\"mimeType\":\"image/png\"}],\"samplers\":[{\"wrapS\":33071,"
                "\"wrapT\":33071}],\"textures\":[{\"source\":0,\"sampler\":0}],",
                views[PICTURE]);
    fputs("\"materials\":[{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
          "\"roughnessFactor\":1,",
          json);
    fputs(parts->textured ? "\"baseColorTexture\":{\"index\":0}}}" : "\"baseColorFactor\":[0.3,0.3,0.25,1]}}",
          json);
    for (int kind = 1; kind <= parts->kinds; kind++) {
        const float *green = greens[(kind - 1) % 4];
        fprintf(json,
                ",{\"name\":\"kind %d\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":1,"
                "\"baseColorFactor\":[%.3g,%.3g,%.3g,1]}}",
                kind, (double)green[0], (double)green[1], (double)green[2]);
    }
    fputs("],", json);
}

static int kind_of(const MeshInstance *instance) {
    return (instance->kind - 1) % KINDS_MAX + 1;
}

static void put_nodes(FILE *json, const Parts *parts) {
    const Mesh *mesh = parts->mesh;
    fputs("\"meshes\":[{\"name\":\"ground\",\"primitives\":[{\"attributes\":{\"POSITION\":1,\"NORMAL\":2,"
          "\"TEXCOORD_0\":3},\"indices\":0,\"material\":0}]}",
          json);
    for (int kind = 1; kind <= parts->kinds; kind++)
        fprintf(json,
                ",{\"name\":\"kind "
                "%d\",\"primitives\":[{\"attributes\":{\"POSITION\":4,\"NORMAL\":5},\"material\":%d}]}",
                kind, kind);
    fputs("],\"nodes\":[{\"name\":\"ground\",\"mesh\":0}", json);
    for (size_t i = 0; i < mesh->instance_count && !ferror(json); i++) {
        const MeshInstance *each = &mesh->instances[i];
        const MeshPoint at = turned(each->at);
        fprintf(json, ",{\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g],\"scale\":[%.6g,%.6g,%.6g]}",
                kind_of(each), (double)at.x, (double)at.y, (double)at.z, (double)each->radius,
                (double)each->height, (double)each->radius);
    }
    fputs("],\"scenes\":[{\"nodes\":[0", json);
    for (size_t i = 1; i <= mesh->instance_count; i++)
        fprintf(json, ",%zu", i);
    fputs("]}],\"scene\":0}", json);
}

static Status make_json(Parts *parts, const Labels *labels, size_t *bytes, Error *error) {
    FILE *json = open_memstream(&parts->json, &parts->json_size);
    if (!json)
        return fail(error, STATUS_MEMORY, "not enough memory for the model");
    size_t sizes[SECTIONS];
    int views[SECTIONS] = { 0 };
    section_sizes(parts, sizes);
    put_asset(json, labels);
    *bytes = put_views(json, sizes, views);
    put_accessors(json, parts, views);
    put_materials(json, parts, views);
    put_nodes(json, parts);
    const bool well = !ferror(json);
    return fclose(json) == 0 && well ? STATUS_OK
                                     : fail(error, STATUS_MEMORY, "not enough memory for the model");
}

// --- bytes -------------------------------------------------------------------------------------------------

static void put_word(FILE *stream, uint32_t word) {
    for (int i = 0; i < 4; i++)
        putc((int)(word >> 8 * i & 255), stream);
}

static void put_float(FILE *stream, float number) {
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    put_word(stream, word);
}

static void put_floats(FILE *stream, const float *numbers, size_t count) {
    for (size_t i = 0; i < count && !ferror(stream); i++)
        put_float(stream, numbers[i]);
}

static void put_padding(FILE *stream, size_t size, int byte) {
    for (; size % 4; size++)
        putc(byte, stream);
}

static void put_bytes(FILE *stream, const Parts *parts) {
    const Mesh *mesh = parts->mesh;
    for (size_t i = 0; i < mesh->triangle_count && !ferror(stream); i++)
        for (int c = 0; c < 3; c++)
            put_word(stream, mesh->triangles[i].corners[c]);
    for (size_t i = 0; i < mesh->point_count && !ferror(stream); i++) {
        const MeshPoint point = turned(mesh->points[i]);
        put_floats(stream, (const float[]){ point.x, point.y, point.z }, 3);
    }
    put_floats(stream, parts->normals, 3 * mesh->point_count);
    for (size_t i = 0; i < mesh->point_count && !ferror(stream); i++) {
        float place[2];
        mesh_locate(mesh, mesh->points[i], place);
        put_float(stream, place[0]);
        put_float(stream, 1 - place[1]);
    }
    if (parts->kinds) {
        float points[CONE_POINTS][3], normals[CONE_POINTS][3];
        make_cone(points, normals);
        put_floats(stream, points[0], 3 * CONE_POINTS);
        put_floats(stream, normals[0], 3 * CONE_POINTS);
    }
    if (parts->picture_size > 0)
        fwrite(parts->picture, 1, parts->picture_size, stream);
    put_padding(stream, parts->picture_size, 0);
}

static Status make_picture(Parts *parts, Error *error) {
    const Mesh *mesh = parts->mesh;
    if (mesh->texture_width == 0)
        return STATUS_OK;
    FILE *stream = open_memstream(&parts->picture, &parts->picture_size);
    if (!stream)
        return fail(error, STATUS_MEMORY, "not enough memory for the texture");
    const Image image = { mesh->texture_width, mesh->texture_height, mesh->texture };
    const Status status = write_png_image(stream, &(Run){ 0 }, &image, NULL, error);
    parts->textured = true;
    return fclose(stream) == 0 ? status : fail(error, STATUS_MEMORY, "not enough memory for the texture");
}

static Status write_chunks(FILE *stream, const Parts *parts, size_t bytes, Error *error) {
    const size_t json = padded(parts->json_size), all = 12 + 8 + json + 8 + bytes;
    if (all > UINT32_MAX)
        return fail(error, STATUS_INVALID, ".glb holds at most 4 GiB, and this model has %zu bytes", all);
    fputs("glTF", stream);
    put_word(stream, 2);
    put_word(stream, (uint32_t)all);
    put_word(stream, (uint32_t)json);
    fputs("JSON", stream);
    fwrite(parts->json, 1, parts->json_size, stream);
    put_padding(stream, parts->json_size, ' ');
    put_word(stream, (uint32_t)bytes);
    fwrite("BIN", 1, 4, stream); // with its NUL
    put_bytes(stream, parts);
    return STATUS_OK;
}

static Status write_glb(const Writing *writing, Error *error) {
    const Mesh *mesh = writing->value;
    if (mesh->point_count == 0 || mesh->triangle_count == 0)
        return fail(error, STATUS_INVALID, ".glb holds no empty mesh");
    Parts parts = { .mesh = mesh };
    for (size_t i = 0; i < mesh->instance_count; i++)
        parts.kinds = kind_of(&mesh->instances[i]) > parts.kinds ? kind_of(&mesh->instances[i]) : parts.kinds;
    size_t bytes = 0;
    parts.normals = memory_new(mesh->point_count, 3 * sizeof(float), error);
    Status status = parts.normals ? make_picture(&parts, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        make_normals(mesh, parts.normals);
        status = make_json(&parts, writing->labels, &bytes, error);
    }
    if (status == STATUS_OK)
        status = write_chunks(writing->stream, &parts, bytes, error);
    memory_free(parts.normals);
    free(parts.picture);
    free(parts.json);
    return status;
}

const FileFormat format_glb = {
    .name = "glTF",
    .endings = "glb",
    .media_type = "model/gltf-binary",
    .holds = { { &type_mesh, write_glb } },
    .numbers = "float32, in metres; up to 4 GiB",
    .doc = "Binary glTF 2.0: points with normals, triangles, the texture, and what stands on the mesh",
};
