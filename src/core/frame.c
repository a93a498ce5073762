#include "core/frame.h"

#include "core/elementary.h"
#include "core/math.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- texts -------------------------------------------------------------------------------------------------

typedef struct Text {
    struct Text *next;
    char bytes[];
} Text;

static _Atomic(Text *) texts;
static atomic_int text_count;

static const char *find_text(const char *text) {
    for (const Text *each = atomic_load(&texts); each; each = each->next)
        if (strcmp(each->bytes, text) == 0)
            return each->bytes;
    return NULL;
}

static bool is_plain(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return false;
    return true;
}

// Not from memory_new: it outlives all values. Two threads at once may keep two of a text, which costs only
// memory: texts are compared as texts.
Status frame_text(const char *text, size_t most, const char **kept, Error *error) {
    *kept = NULL;
    if (!text || !*text)
        return STATUS_OK;
    const size_t size = strlen(text) + 1;
    if (size > most + 1 || !is_plain(text))
        return fail(error, STATUS_INVALID,
                    "a coordinate system or unit must be at most %zu bytes without line breaks", most);
    if ((*kept = find_text(text)))
        return STATUS_OK;
    if (atomic_fetch_add(&text_count, 1) >= FRAME_TEXTS_MAX) {
        atomic_fetch_sub(&text_count, 1);
        return fail(error, STATUS_INVALID, "more than %d coordinate systems in one process", FRAME_TEXTS_MAX);
    }
    Text *node = malloc(sizeof *node + size);
    if (!node)
        return fail(error, STATUS_MEMORY, "not enough memory");
    memcpy(node->bytes, text, size);
    node->next = atomic_load(&texts);
    while (!atomic_compare_exchange_weak(&texts, &node->next, node)) {
    }
    *kept = node->bytes;
    return STATUS_OK;
}

// --- places ------------------------------------------------------------------------------------------------

bool frame_is_valid(const Frame *frame) {
    const double numbers[] = { frame->x,      frame->y,      frame->right_x, frame->right_y,
                               frame->down_x, frame->down_y, frame->sea,     frame->top };
    bool finite = frame->top >= 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        finite = finite && fabs(numbers[i]) <= 1e100;
    const double area = frame->right_x * frame->down_y - frame->right_y * frame->down_x;
    return finite && area != 0;
}

void frame_locate(const Frame *frame, double x, double y, double place[2]) {
    place[0] = frame->x + x * frame->right_x + y * frame->down_x;
    place[1] = frame->y + x * frame->right_y + y * frame->down_y;
}

double frame_cell(const Frame *frame) {
    return sqrt(fabs(frame->right_x * frame->down_y - frame->right_y * frame->down_x));
}

static double length_of(double x, double y) {
    return sqrt(x * x + y * y);
}

static CellShape shape_of(const Frame *frame) {
    const double cell = frame_cell(frame);
    const CellShape shape = { length_of(frame->right_x, frame->right_y) / cell,
                              length_of(frame->down_x, frame->down_y) / cell };
    const double rounding = 1e-9; // of turned squares
    const bool is_square = fabs(shape.across - 1) < rounding && fabs(shape.down - 1) < rounding;
    return is_square ? (CellShape){ 1, 1 } : shape;
}

static char small_letter(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

// Small and capital letters are the same: files have "METRE" and "Metre".
static bool same_letters(const char *a, const char *b) {
    while (*a && small_letter(*a) == small_letter(*b))
        a++, b++;
    return *a == *b;
}

// The feet are those of EPSG's units 9002 and 9003.
double frame_unit_metres(const Frame *frame) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {
        { "m", 1 },
        { "metre", 1 },
        { "meter", 1 },
        { "metres", 1 },
        { "meters", 1 },
        { "ft", 0.3048 },
        { "foot", 0.3048 },
        { "feet", 0.3048 },
        { "us-ft", 1200.0 / 3937 },
        { "ftus", 1200.0 / 3937 },
        { "us survey foot", 1200.0 / 3937 },
        { "us survey feet", 1200.0 / 3937 },
        { "foot_us", 1200.0 / 3937 },
    };
    for (size_t i = 0; frame->unit && i < sizeof units / sizeof *units; i++)
        if (same_letters(frame->unit, units[i].name))
            return units[i].metres;
    return 0;
}

static bool units_differ(const Frame *a, const Frame *b) {
    const double metres = frame_unit_metres(a);
    return a->unit && b->unit && !same_letters(a->unit, b->unit) &&
           (metres == 0 || metres != frame_unit_metres(b));
}

// A mask says nothing of heights, and lies in a frame like theirs.
static bool says_heights(const Frame *frame) {
    return frame->unit || frame->sea != 0;
}

Status frame_join_heights(Frame *to, const Frame *from, const char *name, Error *error) {
    if (units_differ(to, from))
        return fail(error, STATUS_INVALID,
                    "%s has heights in %s, not in %s: multiply them, and set frame.unit with georeference",
                    name, from->unit, to->unit);
    if (says_heights(to) && says_heights(from) && to->sea != from->sea)
        return fail(
            error, STATUS_INVALID,
            "%s has the sea at %s, not at %s: add the difference, and set frame.sea with georeference", name,
            digits_of(from->sea).text, digits_of(to->sea).text);
    if (!says_heights(to)) {
        to->sea = from->sea;
        to->top = from->top;
    }
    if (!to->unit)
        to->unit = from->unit;
    return STATUS_OK;
}

Compass frame_compass(const Frame *frame) {
    const double area = frame->right_x * frame->down_y - frame->right_y * frame->down_x;
    if (!frame_is_set(frame))
        return (Compass){ 0 };
    const CellShape shape = shape_of(frame);
    const double right = -frame->down_x / area * shape.across,
                 up = -frame->right_x / area * shape.down; // north
    const bool upright = right == 0 && up > 0;
    return (Compass){ upright ? 0 : arctangent2(right, up) * (180 / PI), area > 0 };
}

static double full_turn(double degrees) {
    const double turned = degrees - 360 * floor(degrees / 360);
    return turned < 360 ? turned : 0;
}

double compass_to_cells(Compass compass, double azimuth) {
    const bool is_up = compass.turn == 0 && !compass.mirrored;
    return is_up ? azimuth : full_turn(compass.turn + (compass.mirrored ? -azimuth : azimuth));
}

double compass_from_cells(Compass compass, double direction) {
    const double turned = direction - compass.turn;
    return full_turn(compass.mirrored ? -turned : turned);
}

// --- systems -----------------------------------------------------------------------------------------------

// A part of a text.
typedef struct Part {
    const char *start;
    size_t length;
} Part;

// The length of what begins at `text` up to its closing bracket; names in quotes may have brackets.
static size_t length_of_node(const char *text) {
    int depth = 0;
    bool quoted = false;
    size_t length = 0;
    for (; text[length]; length++) {
        quoted = quoted != (text[length] == '"');
        depth += quoted ? 0 : (text[length] == '[') - (text[length] == ']');
        if (!quoted && text[length] == ']' && depth <= 0)
            return length + 1;
    }
    return length;
}

// The horizontal one of two systems in a compound one, or the whole: COMPD_CS["name",PROJCS[…],VERT_CS[…]].
static Part horizontal_of(const char *system) {
    const bool is_compound =
        strncmp(system, "COMPD_CS[\"", 10) == 0 || strncmp(system, "COMPOUNDCRS[\"", 13) == 0;
    const char *name = is_compound ? strchr(system, '"') : NULL, *end = name ? strchr(name + 1, '"') : NULL;
    const char *start = end && end[1] == ',' ? end + 2 + strspn(end + 2, " ") : system;
    return (Part){ start, start == system ? strlen(system) : length_of_node(start) };
}

// EPSG's number at the end of WKT, AUTHORITY["EPSG","4326"]] or ID["EPSG",4326]], or 0.
static int code_at_end(Part node) {
    const char *at = node.start + node.length;
    while (at > node.start && strchr("]\" ", at[-1]))
        at--;
    while (at > node.start && at[-1] >= '0' && at[-1] <= '9')
        at--;
    const char *const rest = at;
    while (at > node.start && strchr("\", ", at[-1]))
        at--;
    const size_t before = (size_t)(at - node.start);
    const bool is_code =
        before > 6 && strncmp(at - 4, "EPSG", 4) == 0 && strncmp(at - 6, "[\"", 2) == 0 && at < rest;
    const bool is_own = is_code && ((before > 8 && strncmp(at - 8, "ID", 2) == 0) ||
                                    (before > 15 && strncmp(at - 15, "AUTHORITY", 9) == 0));
    return is_own ? atoi(rest) : 0;
}

// Codes of systems with heights, in EPSG's data set 10.
static int without_heights(int code) {
    static const int of[][2] = { { 4327, 4326 }, { 4329, 4326 }, { 4979, 4326 }, { 9518, 4326 },
                                 { 9705, 4326 }, { 9707, 4326 }, { 6871, 3857 } };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i][0] == code)
            return of[i][1];
    return code;
}

// What follows "EPSG:" in a coordinate system, or NULL.
static const char *after_prefix(const char *system) {
    static const char prefix[] = "epsg:";
    size_t same = 0;
    while (prefix[same] && small_letter(system[same]) == prefix[same])
        same++;
    return prefix[same] ? NULL : system + same;
}

int frame_system_code(const char *system) {
    const char *code = system ? after_prefix(system) : NULL;
    if (!code)
        return system ? without_heights(code_at_end(horizontal_of(system))) : 0;
    const size_t digits = strspn(code, "0123456789");
    const char *rest = code + digits;
    const size_t more = *rest == '+' ? strspn(rest + 1, "0123456789") : 0;
    rest += more > 0 ? 1 + more : 0;
    return digits > 0 && digits < 9 && *rest == '\0' ? without_heights(atoi(code)) : 0;
}

Status frame_system(const char *text, const char **kept, Error *error) {
    if (text && after_prefix(text) && frame_system_code(text) <= 0)
        return fail(error, STATUS_INVALID, "system must be \"EPSG:\" and a number, or WKT, got '%.60s'",
                    text);
    return frame_text(text, FRAME_SYSTEM_MAX, kept, error);
}

static bool same_system(const char *a, const char *b) {
    const int code = frame_system_code(a);
    if (!a || !b || (code && code == frame_system_code(b)))
        return true;
    const Part one = horizontal_of(a), other = horizontal_of(b);
    size_t same = 0;
    while (same < one.length && same < other.length &&
           small_letter(one.start[same]) == small_letter(other.start[same]))
        same++;
    return same == one.length && same == other.length;
}

// --- lengths -----------------------------------------------------------------------------------------------

static bool is_in_degrees(const Frame *frame, int width, int height) {
    bool within = frame->system;
    for (int corner = 0; corner < 4; corner++) {
        double place[2];
        frame_locate(frame, corner & 1 ? width : 0, corner & 2 ? height : 0, place);
        within = within && fabs(place[0]) <= 361 && fabs(place[1]) <= 91; // half a cell beyond the pole, too
    }
    return within;
}

static bool is_of_planet(const Frame *frame) {
    return frame->unit && same_letters(frame->unit, PLANET_UNIT);
}

bool frame_is_of_map(const Frame *frame) {
    return is_of_planet(frame) || (frame->unit && same_letters(frame->unit, MAP_UNIT));
}

double frame_top(const Frame *frame) {
    return frame->top == 0 && frame_is_of_map(frame) ? 1 : frame->top;
}

// --- on a sphere -------------------------------------------------------------------------------------------

#define RADIAN (180 / PI)    // in degrees
#define WEB_RADIAN 6378137.0 // in the metres of web maps

// The radius of `GEOGCS["…",DATUM["…",SPHEROID["…",1737400,0]]…]`, without flattening; 0: it is none.
static double radius_of_system(const char *whole) {
    const char *const system = horizontal_of(whole).start;
    const char *const spheroid = strncmp(system, "GEOGCS[", 7) == 0 ? strstr(system, "SPHEROID[\"") : NULL;
    const char *const named = spheroid ? strstr(spheroid, "\",") : NULL;
    char *end = NULL;
    const double radius = named ? strtod(named + 2, &end) : 0;
    const bool round = named && *end == ',' && strtod(end + 1, NULL) == 0;
    return round && radius > 0 && radius < INFINITY ? radius : 0;
}

// Windows of planets in metres on a web map, whose metres are those of the earth, have its radius.
FrameSphere frame_sphere(const Frame *frame) {
    const bool web = frame_system_code(frame->system) == 3857;
    if (is_of_planet(frame))
        return (FrameSphere){ 1, web ? WEB_RADIAN : RADIAN, web };
    if (web && frame->top > 0 && frame_unit_metres(frame) > 0)
        return (FrameSphere){ WEB_RADIAN, WEB_RADIAN, true };
    return (FrameSphere){ frame->system ? radius_of_system(frame->system) : 0, RADIAN, false };
}

// Lengths on the ground around a place in cells, which a sphere's projection stretches.
static Frame ground_at(const Frame *frame, double x, double y) {
    const FrameSphere sphere = frame_sphere(frame);
    if (sphere.radius == 0)
        return *frame;
    double place[2];
    frame_locate(frame, x, y, place);
    const double north = place[1] / sphere.radian, unit = sphere.radius / sphere.radian, least = 1e-9;
    const double e = sphere.mercator ? exponential(north) : 1;
    const double narrowed = sphere.mercator ? 2 / (e + 1 / e) : cosine(north);
    const double east = unit * max(narrowed, least), up = sphere.mercator ? east : unit;
    Frame ground = *frame;
    ground.right_x *= east;
    ground.down_x *= east;
    ground.right_y *= up;
    ground.down_y *= up;
    return ground;
}

static Frame ground_of(const Frame *frame, int width, int height) {
    return ground_at(frame, 0.5 * width, 0.5 * height);
}

static bool has_length(const Frame *frame, int width, int height) {
    return frame_is_set(frame) && (frame_sphere(frame).radius > 0 || !is_in_degrees(frame, width, height));
}

double frame_cell_metres(const Frame *frame, int width, int height) {
    const Frame ground = ground_of(frame, width, height);
    return has_length(frame, width, height) ? frame_cell(&ground) : 0;
}

double frame_unit(const Frame *frame) {
    return frame_is_of_map(frame) ? MAP_HEIGHT : frame_unit_metres(frame);
}

double frame_cell_heights(const Frame *frame, int width, int height) {
    const double unit = frame_unit(frame);
    return unit > 0 ? frame_cell_metres(frame, width, height) / unit : 0;
}

CellShape frame_cell_shape(const Frame *frame, int width, int height) {
    const Frame ground = ground_of(frame, width, height);
    return has_length(frame, width, height) ? shape_of(&ground) : (CellShape){ 1, 1 };
}

CellShape frame_row_shape(const Frame *frame, int width, int height, int row) {
    const CellShape shape = frame_cell_shape(frame, width, height);
    if (frame_sphere(frame).radius == 0)
        return shape;
    const Frame middle = ground_of(frame, width, height), ground = ground_at(frame, 0.5 * width, row + 0.5);
    const CellShape own = shape_of(&ground);
    const double larger = frame_cell(&ground) / frame_cell(&middle);
    return (CellShape){ own.across * larger, own.down * larger };
}

CellForm frame_cell_form(const Frame *frame, int width, int height) {
    if (!has_length(frame, width, height))
        return CELLS_SQUARE;
    const Frame ground = ground_of(frame, width, height);
    const double across = length_of(ground.right_x, ground.right_y), most = 1.0 / 32;
    const double down = length_of(ground.down_x, ground.down_y);
    const double lean = ground.right_x * ground.down_x + ground.right_y * ground.down_y;
    if (fabs(lean) >= most * across * down)
        return CELLS_SKEWED;
    return fabs(across - down) >= most * (across < down ? across : down) ? CELLS_OBLONG : CELLS_SQUARE;
}

Frame frame_of_part(const Frame *frame, const Frame *part) {
    if (!frame_is_set(frame))
        return (Frame){ 0 };
    Frame result = *frame;
    double place[2];
    frame_locate(frame, part->x, part->y, place);
    result.x = place[0];
    result.y = place[1];
    result.right_x = part->right_x * frame->right_x + part->right_y * frame->down_x;
    result.right_y = part->right_x * frame->right_y + part->right_y * frame->down_y;
    result.down_x = part->down_x * frame->right_x + part->down_y * frame->down_x;
    result.down_y = part->down_x * frame->right_y + part->down_y * frame->down_y;
    return frame_is_valid(&result) ? result : (Frame){ 0 };
}

Frame frame_of_cells(const Frame *frame, int width, int height, int new_width, int new_height) {
    if (width == new_width && height == new_height)
        return *frame;
    const Frame part = { .right_x = (double)width / new_width, .down_y = (double)height / new_height };
    return frame_of_part(frame, &part);
}

bool frames_agree(const Frame *a, const Frame *b, int width, int height) {
    const double nearly = 0.01 * frame_cell(a);
    for (int corner = 0; corner < 4; corner++) {
        const double x = corner & 1 ? width : 0, y = corner & 2 ? height : 0;
        double one[2], other[2];
        frame_locate(a, x, y, one);
        frame_locate(b, x, y, other);
        if (!(fabs(one[0] - other[0]) <= nearly && fabs(one[1] - other[1]) <= nearly))
            return false;
    }
    return same_system(a->system, b->system);
}

void frame_describe(const Frame *frame, char *text, size_t size) {
    const double across = sqrt(frame->right_x * frame->right_x + frame->right_y * frame->right_y);
    const double down = sqrt(frame->down_x * frame->down_x + frame->down_y * frame->down_y);
    snprintf(text, size, "cells of %.9g × %.9g from %.9g, %.9g%s%.60s", across, down, frame->x, frame->y,
             frame->system ? " in " : "", frame->system ? frame->system : "");
}

// --- between processes -------------------------------------------------------------------------------------

static void write_text(const char *text, ByteWriter *to) {
    const uint32_t length = text ? (uint32_t)strlen(text) : 0;
    bytes_put(to, &length, sizeof length);
    bytes_put(to, text, length);
}

static Status read_text(FILE *from, size_t most, const char **text, Error *error) {
    static _Thread_local char bytes[FRAME_SYSTEM_MAX + 1];
    uint32_t length = 0;
    Status status = bytes_get(from, &length, sizeof length, error);
    if (status == STATUS_OK)
        status = length <= most ? bytes_get(from, bytes, length, error) : bytes_damaged(error);
    if (status != STATUS_OK)
        return status;
    bytes[length] = '\0';
    return frame_text(bytes, most, text, error);
}

void frame_write(const Frame *frame, ByteWriter *to) {
    const unsigned char is_set = frame_is_set(frame);
    bytes_put(to, &is_set, 1);
    if (!is_set)
        return;
    const double numbers[] = { frame->x,      frame->y,      frame->right_x, frame->right_y,
                               frame->down_x, frame->down_y, frame->sea,     frame->top };
    bytes_put(to, numbers, sizeof numbers);
    write_text(frame->system, to);
    write_text(frame->unit, to);
}

Status frame_read(Frame *frame, FILE *from, Error *error) {
    *frame = (Frame){ 0 };
    unsigned char is_set = 0;
    double numbers[8] = { 0 };
    Status status = bytes_get(from, &is_set, 1, error);
    if (status != STATUS_OK || !is_set)
        return status;
    status = bytes_get(from, numbers, sizeof numbers, error);
    Frame read = { numbers[0], numbers[1], numbers[2],        numbers[3],
                   numbers[4], numbers[5], .sea = numbers[6], .top = numbers[7] };
    if (status == STATUS_OK && !frame_is_valid(&read))
        status = bytes_damaged(error);
    if (status == STATUS_OK)
        status = read_text(from, FRAME_SYSTEM_MAX, &read.system, error);
    if (status == STATUS_OK)
        status = read_text(from, FRAME_UNIT_MAX, &read.unit, error);
    if (status == STATUS_OK)
        *frame = read;
    return status;
}
