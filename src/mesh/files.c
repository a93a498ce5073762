// Mesh files: Wavefront OBJ (text), PLY and STL (binary, little-endian on every machine).

#include "core/format.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

// One comment per label, with its lines joined.
static void write_comments(FILE *stream, const char *begin, const Labels *labels) {
    for (int i = 0; labels && i < labels->count; i++) {
        fprintf(stream, "%s%s: ", begin, labels->at[i].key);
        for (const char *at = labels->at[i].value; *at; at++)
            fputc(*at == '\n' || *at == '\r' ? ' ' : *at, stream);
        fputc('\n', stream);
    }
}

static Status write_obj(const Writing *writing, Error *error) {
    (void)error;
    const Mesh *mesh = writing->value;
    FILE *stream = writing->stream;
    write_comments(stream, "# ", writing->labels);
    for (size_t i = 0; i < mesh->point_count; i++) {
        const MeshPoint *point = &mesh->points[i];
        fprintf(stream, "v %.9g %.9g %.9g\n", (double)point->x, (double)point->y, (double)point->z);
    }
    for (size_t i = 0; i < mesh->point_count; i++) { // over the map, from its lower left corner
        float place[2];
        mesh_locate(mesh, mesh->points[i], place);
        fprintf(stream, "vt %.7g %.7g\n", (double)place[0], (double)place[1]);
    }
    for (size_t i = 0; i < mesh->triangle_count && !ferror(stream); i++) {
        const uint32_t *corners = mesh->triangles[i].corners;
        const unsigned long a = corners[0] + 1ul, b = corners[1] + 1ul, c = corners[2] + 1ul;
        fprintf(stream, "f %lu/%lu %lu/%lu %lu/%lu\n", a, a, b, b, c, c);
    }
    return STATUS_OK;
}

static unsigned char *put_word(unsigned char *at, uint32_t word) {
    for (int i = 0; i < 4; i++)
        *at++ = (unsigned char)(word >> 8 * i);
    return at;
}

static unsigned char *put_float(unsigned char *at, float number) {
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    return put_word(at, word);
}

static unsigned char *put_point(unsigned char *at, MeshPoint point) {
    return put_float(put_float(put_float(at, point.x), point.y), point.z);
}

static Status write_ply(const Writing *writing, Error *error) {
    (void)error;
    const Mesh *mesh = writing->value;
    FILE *stream = writing->stream;
    fputs("ply\nformat binary_little_endian 1.0\n", stream);
    write_comments(stream, "comment ", writing->labels);
    fprintf(stream,
            "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
            "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
            mesh->point_count, mesh->triangle_count);
    for (size_t i = 0; i < mesh->point_count && !ferror(stream); i++) {
        unsigned char bytes[12];
        put_point(bytes, mesh->points[i]);
        fwrite(bytes, sizeof bytes, 1, stream);
    }
    for (size_t i = 0; i < mesh->triangle_count && !ferror(stream); i++) {
        unsigned char bytes[13] = { 3 }, *at = bytes + 1;
        for (int k = 0; k < 3; k++)
            at = put_word(at, mesh->triangles[i].corners[k]);
        fwrite(bytes, sizeof bytes, 1, stream);
    }
    return STATUS_OK;
}

static MeshPoint normal_of(MeshPoint a, MeshPoint b, MeshPoint c) {
    const double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y,
                 uz = (double)b.z - (double)a.z;
    const double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y,
                 vz = (double)c.z - (double)a.z;
    const double x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0))
        return (MeshPoint){ 0, 0, 0 };
    return (MeshPoint){ (float)(x / length), (float)(y / length), (float)(z / length) };
}

// The header may not begin with "solid", as text files do.
static Status write_stl(const Writing *writing, Error *error) {
    const Mesh *mesh = writing->value;
    FILE *stream = writing->stream;
    if (mesh->triangle_count > UINT32_MAX)
        return fail(error, STATUS_INVALID, ".stl holds at most 4294967295 triangles, got %zu",
                    mesh->triangle_count);
    unsigned char bytes[84] = "Esker";
    put_word(bytes + 80, (uint32_t)mesh->triangle_count);
    fwrite(bytes, 84, 1, stream);
    for (size_t i = 0; i < mesh->triangle_count && !ferror(stream); i++) {
        const uint32_t *corners = mesh->triangles[i].corners;
        const MeshPoint a = mesh->points[corners[0]], b = mesh->points[corners[1]],
                        c = mesh->points[corners[2]];
        memset(bytes, 0, 50);
        put_point(put_point(put_point(put_point(bytes, normal_of(a, b, c)), a), b), c);
        fwrite(bytes, 50, 1, stream);
    }
    return STATUS_OK;
}

const FileFormat format_obj = {
    .name = "Wavefront OBJ",
    .endings = "obj",
    .media_type = "model/obj",
    .holds = { { &type_mesh, write_obj } },
    .numbers = "float32, in metres",
    .doc = "Text: points, triangles and coordinates of a texture, to which any picture of the map fits",
};

const FileFormat format_ply = {
    .name = "PLY",
    .endings = "ply",
    .media_type = "application/octet-stream",
    .holds = { { &type_mesh, write_ply } },
    .numbers = "float32, in metres",
    .doc = "Points and triangles, binary",
};

const FileFormat format_stl = {
    .name = "STL",
    .endings = "stl",
    .media_type = "model/stl",
    .holds = { { &type_mesh, write_stl } },
    .keeps = KEEPS_BESIDE,
    .numbers = "float32, in metres; up to 4,294,967,295 triangles",
    .doc = "Triangles alone, binary, as printers take them",
};
