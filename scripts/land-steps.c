// Where two windows, two builds or two levels of eroded land first differ (docs/contributing.md):
//
//     land-steps keep FOLDER level=9 x=0.42 y=0.57 size=64 dx=0 dy=0 face=0 seed=7 …
//     land-steps compare FOLDER FOLDER [tolerance=METRES]
//
// `keep` takes the steps of a level one by one, and writes after each of them the cells that are valid so far
// and their picture. All arguments that are not named above are those of river_map. `compare` names the first
// step, and its first cell, after which the kept cells of both differ. Its status is that of cmp: 0 if
// nothing differs, 1 if something does, 2 if that cannot be said.

#include "core/math.h"
#include "core/memory.h"
#include "land/level.h"
#include "library/handle.h"
#include "rivermap/eroded/eroded.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    LEVEL_MAX = 50,   // so that columns and rows are 64 bits
    WINDOW_MAX = 512, // cells along a side: such a window is computed as one
    ARGUMENTS_MAX = 60,
    LARGE = 8, // levels: only rivers that drain so many times the finer one's streams are looked for
};

// A file: this, then altitudes in units above `base`, drained areas and receivers, in row order.
typedef struct Kept {
    char format[8];
    char name[24];
    int32_t step, level, face, width, height;
    int64_t x, y;
    double cell, metres; // a cell's side; a unit
    double stream;       // cells that make a stream
    Int128 base;
} Kept;

typedef struct Cells {
    Kept head;
    int32_t *altitude;
    float *area;
    uint8_t *receiver;
    char path[1024];
} Cells;

static const char format[8] = "steps 1";

_Noreturn static void give_up(const char *what, const char *why) {
    fprintf(stderr, "land-steps: %s: %s\n", what, why);
    exit(2);
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory)
        give_up("memory", "there is not enough");
    return memory;
}

static void cells_open(Cells *cells) {
    const size_t count = (size_t)cells->head.width * (size_t)cells->head.height;
    cells->altitude = room(count, sizeof *cells->altitude);
    cells->area = room(count, sizeof *cells->area);
    cells->receiver = room(count, sizeof *cells->receiver);
}

static void cells_free(Cells *cells) {
    free(cells->altitude);
    free(cells->area);
    free(cells->receiver);
}

static bool is_river(const Cells *cells, size_t i, double area) {
    return cells->receiver[i] < NEIGHBOURS && (double)cells->area[i] >= area;
}

// --- keeping -----------------------------------------------------------------------------------------------

typedef struct Keeping {
    const char *folder;
    int level, face;
    Int128 side; // cells along the map's or a face's side
    LandRect wanted;
    double cell, metres; // a cell's side; a unit
    int kept;
} Keeping;

static EskerValue *run_for(const char *operation, const EskerArgument *arguments, size_t count) {
    EskerError error;
    EskerValue *value = NULL;
    if (esker_run(operation, arguments, count, NULL, &value, 1, &error) != ESKER_OK)
        give_up(operation, error.text);
    return value;
}

// The ground shaded, with its streams.
static void draw(const Cells *cells) {
    const Kept *head = &cells->head;
    const size_t count = (size_t)head->width * (size_t)head->height;
    EskerError error;
    EskerValue *height = esker_field_new(head->width, head->height, &error),
               *rivers = esker_field_new(head->width, head->height, &error);
    if (!height || !rivers)
        give_up("picture", error.text);
    for (size_t i = 0; i < count; i++) {
        esker_field_cells(height)[i] = (float)((double)(head->base + cells->altitude[i]) * head->metres);
        esker_field_cells(rivers)[i] = is_river(cells, i, cells->head.stream);
    }
    const EskerArgument shaded[] = { esker_value("height", height), esker_value("rivers", rivers) };
    EskerValue *picture = run_for("relief", shaded, 2);
    char path[sizeof cells->path];
    snprintf(path, sizeof path, "%.*spng", (int)strlen(cells->path) - 4, cells->path);
    const EskerArgument saved[] = { esker_value("picture", picture), esker_text("path", path) };
    EskerError refused;
    if (esker_run("save", saved, 2, NULL, NULL, 0, &refused) != ESKER_OK)
        give_up(path, refused.text);
    esker_free(picture);
    esker_free(rivers);
    esker_free(height);
}

static void write_cells(const Cells *cells) {
    const size_t count = (size_t)cells->head.width * (size_t)cells->head.height;
    FILE *file = fopen(cells->path, "wb");
    if (!file)
        give_up(cells->path, "cannot be written");
    fwrite(&cells->head, sizeof cells->head, 1, file);
    fwrite(cells->altitude, sizeof *cells->altitude, count, file);
    fwrite(cells->area, sizeof *cells->area, count, file);
    fwrite(cells->receiver, 1, count, file);
    const bool failed = ferror(file);
    if (fclose(file) || failed)
        give_up(cells->path, "cannot be written");
}

// The cells of a level that are valid. A planet's region says nothing: of its cells those that are asked for.
static Region valid_part(const Level *level, int rim, const Keeping *keeping) {
    const Region *region = &level->region;
    if (!level->seams)
        return (Region){ region->left + (level->ends_left ? 0 : rim),
                         region->top + (level->ends_top ? 0 : rim),
                         region->right - (level->ends_right ? 0 : rim),
                         region->bottom - (level->ends_bottom ? 0 : rim) };
    const LandRect *wanted = &keeping->wanted;
    const Int128 top = keeping->face * keeping->side;
    return (Region){ (int)(wanted->left - level->x), (int)(wanted->top + top - level->y),
                     (int)(wanted->right - level->x), (int)(wanted->bottom + top - level->y) };
}

static void keep_part(Keeping *keeping, const Level *level, const LandStep *step) {
    const Region part = valid_part(level, step->rim, keeping);
    const Int128 above = level->seams ? keeping->face * keeping->side : 0;
    Cells cells = { .head = { .step = step->number,
                              .level = keeping->level,
                              .face = keeping->face,
                              .width = part.right - part.left,
                              .height = part.bottom - part.top,
                              .x = (int64_t)(level->x + part.left),
                              .y = (int64_t)(level->y + part.top - above),
                              .cell = keeping->cell,
                              .metres = keeping->metres,
                              .stream = (double)level->hillslope.stream_area,
                              .base = level->base } };
    memcpy(cells.head.format, format, sizeof format);
    snprintf(cells.head.name, sizeof cells.head.name, "%s", step->name);
    snprintf(cells.path, sizeof cells.path, "%s/%02d-%s.step", keeping->folder, step->number + 1, step->name);
    cells_open(&cells);
    const size_t width = (size_t)cells.head.width;
    for (int y = part.top; y < part.bottom; y++) {
        const size_t from = (size_t)y * (size_t)level->width + (size_t)part.left,
                     to = (size_t)(y - part.top) * width;
        memcpy(cells.altitude + to, level->z + from, width * sizeof *level->z);
        memset(cells.receiver + to, LAND_NONE, width);
        if (step->arrays & LEVEL_AREA)
            memcpy(cells.area + to, level->area + from, width * sizeof *level->area);
        if (step->arrays & LEVEL_RECEIVER)
            memcpy(cells.receiver + to, level->receiver + from, width);
    }
    write_cells(&cells);
    draw(&cells);
    cells_free(&cells);
    keeping->kept++;
}

static void look(void *context, const Level *level, const LandStep *step) {
    Keeping *keeping = context;
    if (level->number != keeping->level)
        return;
    if (!level->seams)
        keep_part(keeping, level, step);
    for (int i = 0; level->seams && i < level->patch_count; i++)
        if (level->patches[i].place.face == keeping->face) {
            const Level part = level_part(level, &level->patches[i]);
            keep_part(keeping, &part, step);
        }
}

// Where the window lies: x and y are its centre, shares of the map's or the face's side.
typedef struct Place {
    double level, x, y, size, dx, dy, face;
} Place;

static double *own_argument(Place *place, const char *name) {
    const struct {
        const char *name;
        double *value;
    } own[] = { { "level", &place->level }, { "x", &place->x },   { "y", &place->y },
                { "size", &place->size },   { "dx", &place->dx }, { "dy", &place->dy },
                { "face", &place->face } };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0)
            return own[i].value;
    return NULL;
}

// Splits NAME=VALUE; of a value that is no number `number` is NaN.
static const char *split(char *argument, double *number) {
    char *value = strchr(argument, '='), *end;
    if (!value)
        give_up(argument, "NAME=VALUE is expected");
    *value++ = 0;
    *number = strtod(value, &end);
    if (end == value || *end)
        *number = strcmp(value, "true") == 0 ? 1 : strcmp(value, "false") == 0 ? 0 : (double)NAN;
    return value;
}

static int64_t within(const char *name, double value, double least, double most) {
    char why[80];
    snprintf(why, sizeof why, "must be %g to %g, got %g", least, most, value);
    if (!(value >= least && value <= most))
        give_up(name, why);
    return (int64_t)value;
}

static LandRect window_around(const Place *place, Int128 side) {
    const double at[2] = { place->x, place->y }, moved[2] = { place->dx, place->dy };
    const Int128 size = within("size", place->size, 1, WINDOW_MAX);
    Int128 first[2];
    for (int i = 0; i < 2; i++) {
        const double centre = at[i] * (double)side;
        within(i ? "y" : "x", at[i], 0, 1);
        first[i] = (int64_t)centre - size / 2 + within(i ? "dy" : "dx", moved[i], -1e6, 1e6);
        first[i] = clamp(first[i], (Int128)0, side - size);
    }
    return (LandRect){ first[0], first[1], first[0] + size, first[1] + size };
}

static Land *land_of(const RiverMap *map) {
    static const Run usual;
    Error error;
    Land *land;
    if (!(map->metres > 0))
        give_up("river_map", "its land must be eroded");
    if (eroded_land(map, &usual, &land, &error) != STATUS_OK)
        give_up("river_map", error.text);
    return land;
}

static int keep(const char *folder, char **arguments, int count) {
    static const Run usual;
    Place place = { .level = 8, .x = 0.5, .y = 0.5, .size = 64 };
    EskerArgument given[ARGUMENTS_MAX];
    size_t others = 0;
    for (int i = 0; i < count; i++) {
        double number;
        const char *value = split(arguments[i], &number);
        double *own = own_argument(&place, arguments[i]);
        if (others == ARGUMENTS_MAX)
            give_up(arguments[i], "there are too many arguments");
        if (own)
            *own = number;
        else
            given[others++] =
                isnan(number) ? esker_text(arguments[i], value) : esker_number(arguments[i], number);
    }
    EskerValue *value = run_for("river_map", given, others);
    const RiverMap *map = value->content.value;
    Land *land = land_of(map);
    const Eroded *eroded = eroded_of(map);
    const bool planet = map->tiling->planet;
    Keeping keeping = { .folder = folder,
                        .level = (int)within("level", place.level, 1, LEVEL_MAX),
                        .face = (int)within("face", place.face, 0, planet ? CUBE_FACES - 1 : 0) };
    keeping.side = (Int128)land->root.width << keeping.level;
    keeping.wanted = window_around(&place, keeping.side);
    const double length = map->metres * (planet ? 6.28318530717958648 : 1);
    keeping.cell = ldexp(length, -eroded->depth - keeping.level);
    keeping.metres = ldexp(length, -eroded->depth - eroded->rules.graded - land->rules.unit_bits -
                                       max(keeping.level - eroded->rules.graded, 0));
    if (mkdir(folder, 0777))
        give_up(folder, "cannot be made, or exists");
    land->watch = (LandWatch){ look, &keeping };
    LandFaces faces = { 0 };
    faces.wanted[keeping.face] = keeping.wanted;
    Error error;
    if (land_faces(land, &usual, keeping.level, &faces, &error) != STATUS_OK)
        give_up(folder, error.text);
    printf("%d steps of level %d\n", keeping.kept, keeping.level);
    land_faces_free(&faces);
    esker_free(value);
    return 0;
}

// --- comparing ---------------------------------------------------------------------------------------------

static void read_cells(Cells *cells) {
    FILE *file = fopen(cells->path, "rb");
    Kept *head = &cells->head;
    if (!file || fread(head, sizeof *head, 1, file) != 1 ||
        memcmp(head->format, format, sizeof format) != 0 || head->width < 1 || head->height < 1 ||
        head->width > 1 << 14 || head->height > 1 << 14)
        give_up(cells->path, "is no step");
    head->name[sizeof head->name - 1] = 0;
    cells_open(cells);
    const size_t count = (size_t)head->width * (size_t)head->height;
    if (fread(cells->altitude, sizeof *cells->altitude, count, file) != count ||
        fread(cells->area, sizeof *cells->area, count, file) != count ||
        fread(cells->receiver, 1, count, file) != count)
        give_up(cells->path, "is truncated");
    fclose(file);
}

// The files of a folder, in the steps' order.
static glob_t steps_of(const char *folder) {
    char pattern[1024];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*.step", folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        give_up(folder, "holds no steps; land-steps keep writes them");
    return found;
}

static Cells open_step(const char *path) {
    Cells cells = { 0 };
    snprintf(cells.path, sizeof cells.path, "%s", path);
    read_cells(&cells);
    return cells;
}

static double metres_at(const Cells *cells, size_t i) {
    return (double)(cells->head.base + cells->altitude[i]) * cells->head.metres;
}

static bool same_cell(const Cells *a, size_t i, const Cells *b, size_t j) {
    return a->head.base + a->altitude[i] == b->head.base + b->altitude[j] &&
           a->receiver[i] == b->receiver[j] && (a->receiver[i] >= NEIGHBOURS || a->area[i] == b->area[j]);
}

static void print_cell(const Cells *cells, size_t i) {
    static const char *const names[] = { "E", "SE", "S", "SW", "W", "NW", "N", "NE", "sea or edge", "none" };
    printf("  %s: %.9g m, drains to %s", cells->path, metres_at(cells, i),
           names[min(cells->receiver[i], LAND_NONE)]);
    if (cells->receiver[i] < NEIGHBOURS)
        printf(", %g cells drain through it", (double)cells->area[i]);
    printf("\n");
}

// Cells in both, of those of the coarser one `scale` times as many along a side as in its file.
typedef struct Shared {
    int64_t left, top, right, bottom;
} Shared;

static Shared shared_cells(const Kept *a, const Kept *b) {
    return (Shared){ a->x > b->x ? a->x : b->x, a->y > b->y ? a->y : b->y,
                     a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width,
                     a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height };
}

static size_t cell_at(const Kept *head, int64_t x, int64_t y) {
    return (size_t)(y - head->y) * (size_t)head->width + (size_t)(x - head->x);
}

typedef struct Difference {
    int64_t cells, differing, x, y; // of the first
} Difference;

static void count_cell(Difference *difference, bool differs, int64_t x, int64_t y) {
    difference->cells++;
    if (differs && difference->differing++ == 0) {
        difference->x = x;
        difference->y = y;
    }
}

static Difference compare_step(const Cells *a, const Cells *b) {
    const Shared shared = shared_cells(&a->head, &b->head);
    Difference difference = { 0 };
    for (int64_t y = shared.top; y < shared.bottom; y++)
        for (int64_t x = shared.left; x < shared.right; x++)
            count_cell(&difference, !same_cell(a, cell_at(&a->head, x, y), b, cell_at(&b->head, x, y)), x, y);
    return difference;
}

static bool has_rivers(const Cells *cells) {
    for (size_t i = 0; i < (size_t)cells->head.width * (size_t)cells->head.height; i++)
        if (is_river(cells, i, cells->head.stream))
            return true;
    return false;
}

// Whether the children of a coarse cell have its height on the average, within `tolerance`.
static bool same_height(const Cells *coarse, int64_t x, int64_t y, const Cells *fine, double tolerance) {
    double mean = 0;
    for (int i = 0; i < 4; i++)
        mean += metres_at(fine, cell_at(&fine->head, 2 * x + i % 2, 2 * y + i / 2)) / 4;
    return fabs(mean - metres_at(coarse, cell_at(&coarse->head, x, y))) <= tolerance;
}

// Whether a large river of a coarse cell goes through its children or those beside them, to which bends may
// move. At the window's edge it may.
static bool same_river(const Cells *coarse, int64_t x, int64_t y, const Cells *fine) {
    const Kept *head = &fine->head;
    if (!is_river(coarse, cell_at(&coarse->head, x, y), LARGE / 4.0 * head->stream))
        return true;
    for (int64_t row = 2 * y - 2; row < 2 * y + 4; row++)
        for (int64_t column = 2 * x - 2; column < 2 * x + 4; column++) {
            const bool inside = column >= head->x && row >= head->y && column < head->x + head->width &&
                                row < head->y + head->height;
            if (!inside || is_river(fine, cell_at(head, column, row), head->stream))
                return true;
        }
    return false;
}

static Difference compare_levels(const Cells *coarse, const Cells *fine, double tolerance) {
    Kept halved = fine->head;
    halved.x = (halved.x + 1) / 2;
    halved.y = (halved.y + 1) / 2;
    halved.width = (int)((fine->head.x + fine->head.width) / 2 - halved.x);
    halved.height = (int)((fine->head.y + fine->head.height) / 2 - halved.y);
    const Shared shared = shared_cells(&coarse->head, &halved);
    const bool rivers = has_rivers(fine);
    Difference difference = { 0 };
    for (int64_t y = shared.top; y < shared.bottom; y++)
        for (int64_t x = shared.left; x < shared.right; x++)
            count_cell(&difference,
                       !same_height(coarse, x, y, fine, tolerance) ||
                           (rivers && !same_river(coarse, x, y, fine)),
                       x, y);
    return difference;
}

// Prints what differs after a step, if anything does.
static bool report(const Cells *a, const Cells *b, const Difference *difference, int scale) {
    const Kept *head = &b->head;
    if (difference->differing == 0)
        return false;
    printf("step %d, %s, is the first that differs: %lld of %lld cells, the first at column %lld, row %lld "
           "of level %d\n",
           head->step + 1, head->name, (long long)difference->differing, (long long)difference->cells,
           (long long)difference->x, (long long)difference->y, a->head.level);
    print_cell(a, cell_at(&a->head, difference->x, difference->y));
    for (int i = 0; i < scale * scale; i++)
        print_cell(b, cell_at(head, difference->x * scale + i % scale, difference->y * scale + i / scale));
    return true;
}

static int compare(char **folders, double tolerance) {
    glob_t a = steps_of(folders[0]), b = steps_of(folders[1]);
    Cells last = open_step(a.gl_pathv[a.gl_pathc - 1]), other = open_step(b.gl_pathv[0]);
    const int finer = other.head.level - last.head.level;
    if (finer < 0 || finer > 1)
        give_up(folders[1], "must be of the first one's level, or of the next finer one");
    if (other.head.face != last.head.face)
        give_up(folders[1], "must be of the first one's face");
    if (!finer && a.gl_pathc != b.gl_pathc)
        give_up(folders[1], "must have as many steps as the first one");
    const double allowed = tolerance < 0 ? last.head.cell : tolerance;
    int64_t cells = 0;
    bool differs = false;
    for (size_t i = 0; i < b.gl_pathc && !differs; i++) {
        Cells one = open_step(finer ? last.path : a.gl_pathv[i]), two = open_step(b.gl_pathv[i]);
        if (!finer && strcmp(one.head.name, two.head.name) != 0)
            give_up(two.path, "must be the same step as the first one's");
        const Difference difference = finer ? compare_levels(&one, &two, allowed) : compare_step(&one, &two);
        if (difference.cells == 0)
            give_up(folders[1], "shares no cells with the first one");
        differs = report(&one, &two, &difference, 1 + finer);
        cells += difference.cells;
        cells_free(&one);
        cells_free(&two);
    }
    if (!differs)
        printf("nothing differs: %zu steps, %lld cells\n", b.gl_pathc, (long long)cells);
    cells_free(&last);
    cells_free(&other);
    globfree(&a);
    globfree(&b);
    return differs;
}

int main(int count, char **arguments) {
    double tolerance = -1;
    if (count >= 3 && strcmp(arguments[1], "keep") == 0)
        return keep(arguments[2], arguments + 3, count - 3);
    if (count == 5 && strncmp(arguments[4], "tolerance=", 10) == 0)
        split(arguments[4], &tolerance);
    if (count >= 4 && strcmp(arguments[1], "compare") == 0 && (count == 4 || tolerance >= 0))
        return compare(arguments + 2, tolerance);
    give_up("usage",
            "land-steps keep FOLDER NAME=VALUE … or land-steps compare FOLDER FOLDER [tolerance=METRES]");
}
