#include "vectors/point_labels.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

// Which font shows the names is not known, so their letters are taken to be as wide as those of wide ones.
#define LETTER_WIDTH 0.62 // of the font's size
#define LARGEST 1.75      // times the size of the smallest dots' names

typedef struct Box {
    double left, top, right, bottom;
} Box;

static bool touch(const Box *a, const Box *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

typedef struct Names {
    const Points *points;
    Box *taken; // the dots, then the names
    int count;
} Names;

static bool is_free(const Names *names, const Box *box) {
    bool free = box->left >= 0 && box->top >= 0 && box->right <= names->points->width &&
                box->bottom <= names->points->height;
    for (int i = 0; i < names->count && free; i++)
        free = !touch(&names->taken[i], box);
    return free;
}

static int letters_of(const char *text) {
    int letters = 0;
    for (; *text; text++)
        letters += ((unsigned char)*text & 0xC0) != 0x80; // the first byte of a character in UTF-8
    return letters;
}

static void put_text(FILE *stream, const char *text) {
    for (; *text; text++)
        if (*text == '<' || *text == '&')
            fputs(*text == '<' ? "&lt;" : "&amp;", stream);
        else if ((unsigned char)*text >= 32)
            fputc(*text, stream);
}

// Imhof 1975, "Positioning names on maps": right of the dot, then above, below and on the left.
static void write_name(FILE *stream, Names *names, const PlacePoint *point, const char *text, double size) {
    enum { SIDES = 4 };
    static const char *const anchors[SIDES] = { "start", "middle", "middle", "end" };
    static const int right[SIDES] = { 1, 0, 0, -1 }, down[SIDES] = { 0, -1, 1, 0 };
    const double length = LETTER_WIDTH * size * letters_of(text), reach = (double)point->radius + 0.3 * size;
    for (int i = 0; i < SIDES; i++) {
        const double x = point->x + right[i] * reach,
                     base = point->y + 0.35 * size + down[i] * (reach + 0.5 * size);
        const double left = right[i] > 0 ? x : right[i] < 0 ? x - length : x - length / 2;
        const Box box = { left, base - 0.8 * size, left + length, base + 0.25 * size };
        if (!is_free(names, &box))
            continue;
        names->taken[names->count++] = box;
        fprintf(stream, "<text x=\"%.6g\" y=\"%.6g\" font-size=\"%.4g\" text-anchor=\"%s\">", x, base, size,
                anchors[i]);
        put_text(stream, text);
        fputs("</text>\n", stream);
        return;
    }
}

Status write_point_labels(FILE *stream, const Points *points, Error *error) {
    const int column = points->attributes ? attributes_find(points->attributes, "name") : -1;
    double least = INFINITY;
    if (column < 0)
        return STATUS_OK;
    Names names = { points, memory_new(2 * (size_t)points->count + 1, sizeof(Box), error), 0 };
    if (!names.taken)
        return STATUS_MEMORY;
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        const double radius = (double)point->radius;
        least = min(least, radius);
        names.taken[names.count++] =
            (Box){ point->x - radius, point->y - radius, point->x + radius, point->y + radius };
    }
    const double smallest = max(max(points->width, points->height) / 64.0, 2);
    fprintf(stream,
            "<g id=\"names\" font-family=\"sans-serif\" fill=\"#201010\" stroke=\"#ffffff\" "
            "stroke-width=\"%.4g\" paint-order=\"stroke\">\n",
            smallest / 4);
    for (int i = 0; i < points->count && !ferror(stream); i++) {
        const Attribute value = attributes_get(points->attributes, column, i);
        const double radius = (double)points->at[i].radius;
        if (value.kind == ATTRIBUTE_TEXT)
            write_name(stream, &names, &points->at[i], attributes_text(points->attributes, value),
                       smallest * (least > 0 ? min(sqrt(radius / least), LARGEST) : 1));
    }
    fputs("</g>\n", stream);
    memory_free(names.taken);
    return STATUS_OK;
}
