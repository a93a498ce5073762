// Where the cells of a planet's eroded land lie. A face's columns and rows are at equal angles, so that cells
// are nearly square and nearly equal: their sides are 0.7 to 1 of those in a face's middle (Ronchi, Iacono
// and Paolucci 1996, "The 'cubed sphere'", section 2).

#include "rivermap/eroded/cube_grid.h"

#include "land/cube.h"

#include "core/elementary.h"

#include <math.h>

static double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Which of the cube's axes leads to the right, down and out of a face, and whether forwards.
typedef struct Axis {
    int number, sign;
} Axis;

static const Axis seen[CUBE_FACES][3] = {
    { { 0, 1 }, { 1, -1 }, { 2, 1 } },   { { 2, -1 }, { 1, -1 }, { 0, 1 } },
    { { 0, -1 }, { 1, -1 }, { 2, -1 } }, { { 2, 1 }, { 1, -1 }, { 0, -1 } },
    { { 0, 1 }, { 2, 1 }, { 1, 1 } },    { { 0, 1 }, { 2, -1 }, { 1, -1 } },
};

static double along_axis(const double cube[3], Axis axis) {
    return axis.sign * cube[axis.number];
}

static int face_of(const double cube[3]) {
    const double x = fabs(cube[0]), y = fabs(cube[1]), z = fabs(cube[2]);
    if (z >= x && z >= y)
        return cube[2] >= 0 ? 0 : 2;
    if (x >= y)
        return cube[0] >= 0 ? 1 : 3;
    return cube[1] >= 0 ? 4 : 5;
}

GridPlace grid_place(const Vec3 axes[3], double side, Vec3 at) {
    const double cube[3] = { dot(at, axes[0]), dot(at, axes[1]), dot(at, axes[2]) };
    const int face = face_of(cube);
    const double right = along_axis(cube, seen[face][0]), down = along_axis(cube, seen[face][1]),
                 out = along_axis(cube, seen[face][2]);
    const double a = right / out, b = down / out, long_a = 1 + a * a, long_b = 1 + b * b;
    const double squared = 1 / (long_a + b * b);
    return (GridPlace){ .face = face,
                        .x = (arctangent2(right, out) * (2 / PI) + 0.5) * side,
                        .y = (arctangent2(down, out) * (2 / PI) + 0.5) * side,
                        .across = long_a * sqrt(long_b) * squared,
                        .down = long_b * sqrt(long_a) * squared };
}

static double tangent(double along) { // -1 … 1 of a side's half
    return sine(along * (PI / 4)) / cosine(along * (PI / 4));
}

Vec3 place_on_planet(const Vec3 axes[3], double side, int face, double x, double y) {
    const double right = tangent(2 * x / side - 1), down = tangent(2 * y / side - 1);
    const double out = 1 / sqrt(1 + right * right + down * down);
    const double parts[3] = { right * out, down * out, out };
    double cube[3] = { 0, 0, 0 };
    for (int i = 0; i < 3; i++)
        cube[seen[face][i].number] = seen[face][i].sign * parts[i];
    return (Vec3){ cube[0] * axes[0].x + cube[1] * axes[1].x + cube[2] * axes[2].x,
                   cube[0] * axes[0].y + cube[1] * axes[1].y + cube[2] * axes[2].y,
                   cube[0] * axes[0].z + cube[1] * axes[1].z + cube[2] * axes[2].z };
}
