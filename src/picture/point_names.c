#include "picture/point_names.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "picture/lettering.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LARGEST 1.75 // times the capitals of the smallest dots
#define APART 2      // capitals of room around a name: a map full of names shows nothing else

typedef struct Sheet {
    uint8_t *taken; // a byte for each pixel
    int width, height;
} Sheet;

typedef struct Rectangle {
    double left, top, right, bottom;
} Rectangle;

// --- room --------------------------------------------------------------------------------------------------

static double halo_reach(double size) {
    return max(size / 5, 1.5);
}

// The pixels that a rectangle touches.
static void pixels_of(const Sheet *sheet, const Rectangle *box, int *left, int *top, int *right,
                      int *bottom) {
    *left = whole_within(floor(box->left), 0, sheet->width);
    *top = whole_within(floor(box->top), 0, sheet->height);
    *right = whole_within(ceil(box->right), 0, sheet->width);
    *bottom = whole_within(ceil(box->bottom), 0, sheet->height);
}

static void take(Sheet *sheet, const Rectangle *box) {
    int left, top, right, bottom;
    pixels_of(sheet, box, &left, &top, &right, &bottom);
    for (int y = top; y < bottom && right > left; y++)
        memset(sheet->taken + (size_t)y * (size_t)sheet->width + left, 1, (size_t)(right - left));
}

// With room for the halo at the picture's edges.
static bool is_free(const Sheet *sheet, const Rectangle *box, double halo) {
    if (!(box->left >= halo && box->top >= halo && box->right <= sheet->width - halo &&
          box->bottom <= sheet->height - halo))
        return false;
    int left, top, right, bottom;
    pixels_of(sheet, box, &left, &top, &right, &bottom);
    for (int y = top; y < bottom; y++)
        if (memchr(sheet->taken + (size_t)y * (size_t)sheet->width + left, 1, (size_t)(right - left)))
            return false;
    return true;
}

// --- names -------------------------------------------------------------------------------------------------

static const char *name_of(const PointNames *names, int point, NumberText *number) {
    const Attribute value = attributes_get(names->points->attributes, names->column, point);
    if (value.kind == ATTRIBUTE_TEXT)
        return attributes_text(names->points->attributes, value);
    if (value.kind != ATTRIBUTE_NUMBER)
        return "";
    *number = number_text(value.number, value.number == floor(value.number) ? 1 : 0.01);
    return number->text;
}

static double least_radius(const PointNames *names) {
    double least = INFINITY;
    for (int i = 0; i < names->points->count; i++)
        least = min(least, names->radii[i]);
    return least;
}

// Imhof 1975, "Positioning names on maps": beside is better than above, and right is better than left.
static const struct {
    int right, down; // of the dot
} sides[] = { { 1, 0 }, { 1, -1 }, { 1, 1 }, { -1, 0 }, { -1, -1 }, { -1, 1 }, { 0, -1 }, { 0, 1 } };

// Finds room for a name beside its dot: the upper left corner of its capitals.
static bool find_room(Sheet *sheet, Vec2 dot, double radius, const char *text, double size, Vec2 *from) {
    const double length = letter_length(text, size) - size / 3; // without the gap behind the last letter
    const double rise = letter_rise(text, size), fall = size / 3, gap = max(0.4 * size, 2);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const int right = sides[i].right, down = sides[i].down;
        // Aslant the dot's edge is nearer along both axes.
        const double reach = right && down ? 0.71 * radius + 0.7 * gap : radius + gap;
        const double x = dot.x + right * reach - (right > 0 ? 0 : right < 0 ? length : length / 2);
        const double y = dot.y + (down > 0   ? reach + (right ? -size / 4 : rise)
                                  : down < 0 ? -reach - (right ? 0.75 : 1) * size
                                             : -size / 2);
        const Rectangle box = { x, y - rise, x + length, y + size + fall };
        if (!is_free(sheet, &box, halo_reach(size)))
            continue;
        take(sheet, &(Rectangle){ box.left - APART * size, box.top - 0.6 * APART * size,
                                  box.right + APART * size, box.bottom + 0.6 * APART * size });
        *from = (Vec2){ x, y };
        return true;
    }
    return false;
}

Status write_point_names(const PointNames *names, Field *letters, Field *halo, Error *error) {
    const Points *points = names->points;
    Sheet sheet = { .width = letters->width, .height = letters->height };
    sheet.taken = memory_new((size_t)sheet.width * (size_t)sheet.height, 1, error);
    if (!sheet.taken)
        return STATUS_MEMORY;
    memset(sheet.taken, 0, (size_t)sheet.width * (size_t)sheet.height);
    for (int i = 0; i < points->count; i++) {
        const double x = points->at[i].x * names->scale, y = points->at[i].y * names->scale;
        const double radius = names->radii[i];
        take(&sheet, &(Rectangle){ x - radius, y - radius, x + radius, y + radius });
    }
    const double least = least_radius(names);
    for (int i = 0; i < points->count; i++) {
        NumberText number;
        const char *text = name_of(names, i, &number);
        const double radius = names->radii[i];
        const double size = names->size * (radius > least ? min(sqrt(radius / least), LARGEST) : 1);
        const Vec2 dot = { points->at[i].x * names->scale, points->at[i].y * names->scale };
        Vec2 from;
        if (!(letter_length(text, size) > 0) || !find_room(&sheet, dot, radius, text, size, &from))
            continue;
        letter_text(letters, text, from, (Vec2){ 1, 0 }, size);
        letter_halo(halo, text, from, (Vec2){ 1, 0 }, size, halo_reach(size));
    }
    memory_free(sheet.taken);
    return STATUS_OK;
}
