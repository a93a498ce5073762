// ESRI ASCII grid: a header of names and numbers, then the heights as text. Heights are written with nine
// digits, which restore a float exactly. Heights that lie nowhere get map units, so that they align with
// rivers (network_files.c) and meshes: the lower left corner is (0, 0), and the longer side 1.
//
// Read are also the headers of GRASS ("rows: 2", with four edges) and GeoClaw ("2 nrows"), and numbers as
// Fortran and Microsoft's libraries write them.

#include "core/math.h"
#include "file/formats.h"

#include "core/gaps.h"
#include "core/whole.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ESRI_GAP (-9999.0)

// --- words -------------------------------------------------------------------------------------------------

enum { WORD_MAX = 63 };
typedef struct Word {
    char text[WORD_MAX + 1];
} Word;

typedef struct Words {
    FILE *stream;
    Word held[2]; // that are read again, the last first
    int count;
} Words;

// A longer word ends in "...", which no number does.
static bool next_word(Words *words, Word *word) {
    if (words->count > 0) {
        *word = words->held[--words->count];
        return true;
    }
    int letter = getc(words->stream), length = 0;
    while (isspace(letter))
        letter = getc(words->stream);
    for (; letter != EOF && !isspace(letter); letter = getc(words->stream)) {
        if (length < WORD_MAX)
            word->text[length++] = (char)letter;
        else
            memset(word->text + WORD_MAX - 3, '.', 3);
    }
    ungetc(letter, words->stream); // what ends the last word is looked at
    word->text[length] = '\0';
    return length > 0;
}

static void put_back(Words *words, const Word *word) {
    words->held[words->count++] = *word;
}

// Fortran's exponents: "1.0D+03", and "1.0+103", whose letter has no room beside three digits.
static bool is_fortran(const char *word, size_t length, double *number) {
    const char *rest = word + length;
    const bool lettered = strchr("dDqQ", *rest),
               bare = (*rest == '+' || *rest == '-') && memchr(word, '.', length) && strlen(rest) == 4;
    char text[WORD_MAX + 2], *end;
    snprintf(text, sizeof text, "%.*se%s", (int)length, word, rest + lettered);
    *number = strtod(text, &end);
    return (lettered || bare) && *end == '\0';
}

// Words of cells without data: "1.#QNAN" and "-1.#IND" are Microsoft's, "*" is GRASS's.
static bool is_nothing(const char *word) {
    const char *rest = word + strspn(word, "+-");
    return strcmp(word, "*") == 0 || strcasecmp(word, "null") == 0 || strcasecmp(word, "NA") == 0 ||
           (strncmp(rest, "1.#", 3) == 0 && rest[3 + strspn(rest + 3, "QSNAIDFJR0")] == '\0');
}

// NaN: a word for no number, infinities among them.
static bool is_number(const char *word, double *number) {
    char *end;
    *number = strtod(word, &end);
    if (is_nothing(word) || (end != word && *end == '\0' && !strpbrk(word, "0123456789")))
        *number = NAN;
    else
        return end != word && (*end == '\0' || is_fortran(word, (size_t)(end - word), number));
    return true;
}

static const char *comma_hint(const char *word) {
    return strchr(word, ',') ? ": numbers have a point, no comma" : "";
}

// --- the header --------------------------------------------------------------------------------------------

// The names of a header. Those that exclude each other have one number.
enum {
    COLUMNS,
    ROWS,
    GAP,
    LEFT,
    BOTTOM,
    CELL,
    CELL_HEIGHT,
    NORTH,
    SOUTH,
    EAST,
    WEST,
    MULTIPLIER,
    TYPE,
    NAMED
};

static const struct {
    const char *name;
    int key;
    bool is_centre; // of the first cell, not its corner
} names[] = {
    { "ncols", COLUMNS },
    { "nrows", ROWS },
    { "nodata_value", GAP },
    { "nodata", GAP },
    { "no_data_value", GAP },
    { "xllcorner", LEFT },
    { "xllcenter", LEFT, true },
    { "yllcorner", BOTTOM },
    { "yllcenter", BOTTOM, true },
    { "cellsize", CELL },
    { "dx", CELL },
    { "dy", CELL_HEIGHT },
    // GeoClaw, whose places are those of points
    { "mx", COLUMNS },
    { "my", ROWS },
    { "xlower", LEFT, true },
    { "ylower", BOTTOM, true },
    // GRASS
    { "cols", COLUMNS },
    { "rows", ROWS },
    { "null", GAP },
    { "north", NORTH },
    { "south", SOUTH },
    { "east", EAST },
    { "west", WEST },
    { "multiplier", MULTIPLIER },
    { "type", TYPE },
};

typedef struct Header {
    bool has[NAMED + 1], is_centre[NAMED + 1];
    char words[NAMED + 1][16]; // the name of each, as it is written
    double numbers[NAMED + 1];
    char gap_word[WORD_MAX + 1], unknown[WORD_MAX + 1]; // the word for no data, and the first unknown name
} Header;

// GRASS ends names with a colon.
static int find_name(const char *word, bool *is_centre) {
    const size_t length = strcspn(word, ":");
    for (size_t i = 0; word[length + (word[length] == ':')] == '\0' && i < sizeof names / sizeof *names; i++)
        if (strncasecmp(word, names[i].name, length) == 0 && names[i].name[length] == '\0') {
            *is_centre = names[i].is_centre;
            return names[i].key;
        }
    return NAMED;
}

// "49:30:00N", as GRASS writes degrees.
static bool is_angle(const char *word, double *degrees) {
    double unit = 1;
    char *end = (char *)word;
    *degrees = 0;
    for (const char *at = word; unit > 1.0 / 216000; unit /= 60, at = end + 1) {
        *degrees += unit * strtod(at, &end);
        if (end == at || *end != ':')
            break;
    }
    if (strchr("SW", *end))
        *degrees = -*degrees;
    return end != word && *end && strchr("NSEW", *end) && end[1] == '\0';
}

static Status refuse(const Reading *reading, const char *name, const char *what, const char *value,
                     Error *error) {
    return fail(error, STATUS_FILE, "cannot read '%.300s': %s %s%s%s%s", reading->path, name, what,
                *value ? ", got " : "", value, comma_hint(value));
}

static Status take_number(const Reading *reading, Header *header, int key, const char *name,
                          const char *value, Error *error) {
    double *number = &header->numbers[key];
    const bool is_edge = key >= NORTH && key <= WEST, is_place = is_edge || key == LEFT || key == BOTTOM,
               is_size = key == CELL || key == CELL_HEIGHT;
    if (!is_number(value, number) && !(is_edge && is_angle(value, number)))
        return refuse(reading, name, "has no number", value, error);
    if ((is_place || key == MULTIPLIER) && !isfinite(*number))
        return refuse(reading, name, "must be finite", value, error);
    if (is_size && !(*number > 0 && isfinite(*number)))
        return refuse(reading, name, "must be above 0", value, error);
    return STATUS_OK;
}

static Status take_entry(const Reading *reading, Header *header, const char *name, const char *value,
                         Error *error) {
    bool is_centre = false, unused;
    const int key = find_name(name, &is_centre);
    double number;
    if (key != NAMED && header->has[key])
        return strcasecmp(name, header->words[key]) == 0
                   ? fail(error, STATUS_FILE, "cannot read '%.300s': its header has a second %s",
                          reading->path, name)
                   : fail(error, STATUS_FILE,
                          "cannot read '%.300s': its header has %s and %s, which exclude each other",
                          reading->path, header->words[key], name);
    if (key == NAMED && *comma_hint(name))
        return fail(error, STATUS_FILE, "cannot read '%.300s': '%s' is not a height%s", reading->path, name,
                    comma_hint(name));
    header->has[key] = true;
    snprintf(header->words[key], sizeof header->words[key], "%.15s", name);
    header->is_centre[key] = is_centre;
    if (key == NAMED && !*header->unknown)
        snprintf(header->unknown, sizeof header->unknown, "%s", name);
    if (key == TYPE)
        return STATUS_OK;
    if (key == GAP && !is_number(value, &number) && *value && !*comma_hint(value) &&
        find_name(value, &unused) == NAMED) {
        snprintf(header->gap_word, sizeof header->gap_word, "%s", value);
        return STATUS_OK;
    }
    return take_number(reading, header, key, name, value, error);
}

static bool is_name(const Word *word) {
    double number;
    return isalpha((unsigned char)word->text[0]) && !is_number(word->text, &number);
}

// Whether the file begins as GeoClaw's do, with the numbers before their names.
static bool is_turned(Words *words) {
    Word first = { "" }, second = { "" };
    double number;
    const bool any = next_word(words, &first), turned = any && is_number(first.text, &number) &&
                                                        next_word(words, &second) && is_name(&second);
    if (*second.text)
        put_back(words, &second);
    if (any)
        put_back(words, &first);
    return turned;
}

// False at the first height, which is left in `words`; it may be the word for no data.
static bool next_entry(Words *words, bool turned, const char *gap_word, Word *name, Word *value) {
    double number;
    Word first, second = { "" };
    if (!next_word(words, &first))
        return false;
    const bool is_value = is_number(first.text, &number) || strcasecmp(first.text, gap_word) == 0;
    if (turned || !is_value)
        next_word(words, &second);
    if (!turned && (strcmp(second.text, "=") == 0 || strcmp(second.text, ":") == 0))
        next_word(words, &second);
    *name = turned ? second : first;
    *value = turned ? first : second;
    if (turned ? is_name(&second) : !is_value)
        return true;
    if (*second.text)
        put_back(words, &second);
    put_back(words, &first);
    return false;
}

static Status check_names(const Reading *reading, const Header *header, Error *error) {
    const bool *has = header->has;
    const char *lacks = !has[COLUMNS] ? "ncols" : !has[ROWS] ? "nrows" : NULL;
    if (!lacks && (has[NORTH] || has[SOUTH] || has[EAST] || has[WEST]))
        lacks = !has[NORTH]   ? "north"
                : !has[SOUTH] ? "south"
                : !has[EAST]  ? "east"
                : !has[WEST]  ? "west"
                              : NULL;
    if (lacks && *header->unknown)
        return fail(error, STATUS_FILE, "cannot read '%.300s': its header has no %s; '%s' is not known",
                    reading->path, lacks, header->unknown);
    if (lacks)
        return fail(error, STATUS_FILE, "cannot read '%.300s': its header has no %s", reading->path, lacks);
    if (has[NORTH] && !(header->numbers[NORTH] > header->numbers[SOUTH]))
        return refuse(reading, "north", "must be above south", "", error);
    if (has[WEST] && !(header->numbers[EAST] > header->numbers[WEST]))
        return refuse(reading, "east", "must be above west", "", error);
    if (*header->unknown)
        tell(reading->notice, "'%.200s' has '%s' in its header, which is not known and counts for nothing",
             reading->path, header->unknown);
    return STATUS_OK;
}

// Leaves the first height in `words`. Without a number for no data it is -9999 (ESRI, "ASCII To Raster"), in
// GRASS's files "*" alone (r.in.ascii).
static Status read_header(const Reading *reading, Words *words, Header *header, Error *error) {
    Word name, value;
    double *numbers = header->numbers;
    const bool turned = is_turned(words);
    while (next_entry(words, turned, header->gap_word, &name, &value)) {
        const Status status = take_entry(reading, header, name.text, value.text, error);
        if (status != STATUS_OK)
            return status;
    }
    const Status status = check_names(reading, header, error);
    if (status != STATUS_OK)
        return status;
    for (int key = COLUMNS; key <= ROWS; key++)
        if (numbers[key] != floor(numbers[key]))
            return fail(error, STATUS_FILE,
                        "cannot read '%.300s': %s must be a whole number, 1 to %d, got %s", reading->path,
                        header->words[key], SIDE_MAX, digits_of(numbers[key]).text);
    if (!header->has[GAP])
        numbers[GAP] = header->has[NORTH] ? NAN : ESRI_GAP;
    if (!header->has[MULTIPLIER])
        numbers[MULTIPLIER] = 1;
    return refuse_pixels(reading, numbers[COLUMNS], numbers[ROWS], error);
}

// Nothing if the file has only what write_asc writes of heights that lie nowhere.
static Frame frame_of(const Header *header) {
    const double *numbers = header->numbers, columns = numbers[COLUMNS], rows = numbers[ROWS];
    if (header->has[NORTH])
        return (Frame){ .x = numbers[WEST],
                        .y = numbers[NORTH],
                        .right_x = (numbers[EAST] - numbers[WEST]) / columns,
                        .down_y = (numbers[SOUTH] - numbers[NORTH]) / rows };
    const double width = numbers[CELL] != 0 ? numbers[CELL] : 1,
                 height = numbers[CELL_HEIGHT] != 0 ? numbers[CELL_HEIGHT] : width,
                 longer = max(columns, rows), left = numbers[LEFT], bottom = numbers[BOTTOM];
    const Frame frame = { .x = left - (header->is_centre[LEFT] ? 0.5 * width : 0),
                          .y = bottom - (header->is_centre[BOTTOM] ? 0.5 * height : 0) + rows * height,
                          .right_x = width,
                          .down_y = -height };
    const bool placed = left != 0 || bottom != 0 || height != width || (width != 1 && width != 1 / longer);
    return placed && frame_is_valid(&frame) ? frame : (Frame){ 0 };
}

// --- heights -----------------------------------------------------------------------------------------------

// Numbers are compared as heights are stored, because programs write the same float with any number of
// digits. Beyond 1e30, where no height is, they need only agree to a thousandth: -3.4028e+38 is
// -3.4028235e+38.
static bool is_gap(const Header *header, const char *word, double number) {
    const double gap = header->numbers[GAP];
    if (*header->gap_word)
        return isnan(number) || strcasecmp(word, header->gap_word) == 0;
    return isnan(number) || (float)number == (float)gap ||
           (fabs(gap) >= 1e30 && fabs(number - gap) <= 1e-3 * fabs(gap));
}

static Status not_a_height(const Reading *reading, const char *word, Error *error) {
    const bool is_overflow = word[strspn(word, "*")] == '\0';
    return fail(error, STATUS_FILE, "cannot read '%.300s': '%s' is not a height%s", reading->path, word,
                is_overflow ? ": Fortran writes stars where a number has no room" : comma_hint(word));
}

static Status read_heights(const Reading *reading, Words *words, const Header *header, Gaps *gaps,
                           Error *error) {
    Field *field = reading->field;
    const double multiplier = header->numbers[MULTIPLIER];
    size_t guessed = 0;
    for (size_t i = 0; i < field_count(field); i++) {
        Word word;
        double height = NAN;
        if (!next_word(words, &word))
            return fail(error, STATUS_FILE,
                        "cannot read '%.300s': it is truncated: it has %zu of %zu heights", reading->path, i,
                        field_count(field));
        const bool is_one = is_number(word.text, &height);
        gaps->at[i] = (is_one || *header->gap_word) && is_gap(header, word.text, height);
        if (!gaps->at[i] && !(is_one && isfinite((float)(height * multiplier))))
            return not_a_height(reading, word.text, error);
        field_cells(field)[i] = gaps->at[i] ? 0 : (float)(height * multiplier);
        guessed += gaps->at[i] && !header->has[GAP] && !isnan(height);
    }
    if (guessed > 0)
        tell(reading->notice, "'%.200s' has no NODATA_value: cells of %g have no data (%zu)", reading->path,
             ESRI_GAP, guessed);
    if (getc(reading->stream) == EOF) // as some programs write it
        tell(reading->notice, "'%.200s' ends without a line's end: its last height may be cut",
             reading->path);
    Word word;
    if (next_word(words, &word))
        return fail(error, STATUS_FILE, "cannot read '%.300s': it has more than %d × %d heights",
                    reading->path, field->width, field->height);
    return STATUS_OK;
}

// UTF-8 may begin with a mark; other texts of Windows have two bytes a letter.
static Status read_mark(const Reading *reading, Error *error) {
    unsigned char mark[3] = { 0 };
    const size_t count = fread(mark, 1, sizeof mark, reading->stream);
    if ((mark[0] == 0xff && mark[1] == 0xfe) || (mark[0] == 0xfe && mark[1] == 0xff))
        return fail(error, STATUS_FILE, "cannot read '%.300s': it is UTF-16; save it as UTF-8 or ASCII",
                    reading->path);
    if (ferror(reading->stream)) // which rewind would forget
        return fail(error, STATUS_FILE, "cannot read '%.300s': reading it failed", reading->path);
    if (count < 3 || memcmp(mark, "\xef\xbb\xbf", 3) != 0)
        rewind(reading->stream);
    return STATUS_OK;
}

static Status read_asc(Reading *reading, Error *error) {
    Header header = { 0 };
    Words words = { .stream = reading->stream };
    Status status = read_mark(reading, error);
    if (status == STATUS_OK)
        status = read_header(reading, &words, &header, error);
    if (status == STATUS_OK)
        status = field_create(reading->field, whole_int(header.numbers[COLUMNS]),
                              whole_int(header.numbers[ROWS]), error);
    Gaps *gaps = status == STATUS_OK ? gaps_new(field_count(reading->field), error) : NULL;
    if (!gaps)
        return status == STATUS_OK ? STATUS_MEMORY : status;
    status = read_heights(reading, &words, &header, gaps, error);
    field_set_gaps(reading->field, gaps);
    reading->field->frame = frame_of(&header);
    return status;
}

// --- writing -----------------------------------------------------------------------------------------------

double number_below(double lowest) {
    return lowest > -9999 ? -9999 : (double)(float)max(2 * lowest, -(double)FLT_MAX);
}

static bool has_height(const Field *field, float height) {
    for (size_t i = 0; i < field_count(field); i++)
        if (field->cells[i] == height)
            return true;
    return false;
}

// Where heights reach down to all that a float holds, and readers compare to a thousandth, it is one between
// them.
double number_for_gaps(const Field *field) {
    double lowest = 0;
    for (size_t i = 0; i < field_count(field); i++)
        lowest = min((double)field->cells[i], lowest);
    double number = number_below(lowest);
    if (lowest - number <= -2e-3 * number)
        for (number = -9999; has_height(field, (float)number);)
            number--;
    return number;
}

// GDAL reads cells that are not square, dx × dy, which ESRI's format does not have.
static void write_cell(FILE *stream, double width, double height) {
    if (fabs(width - height) <= 1e-9 * width)
        fprintf(stream, "cellsize %.17g\n", width);
    else
        fprintf(stream, "dx %.17g\ndy %.17g\n", width, height);
}

static Status write_asc(const Writing *writing, Error *error) {
    (void)error;
    FILE *stream = writing->stream;
    const Field *field = writing->value;
    const double cell = 1.0 / field_side(field), gap = number_for_gaps(field);
    Frame frame = field->frame;
    if (!frame_is_set(&frame) || !frame_is_upright(&frame))
        frame = (Frame){ .y = field->height * cell, .right_x = cell, .down_y = -cell };
    const double bottom = frame.y + field->height * frame.down_y;
    fprintf(stream, "ncols %d\nnrows %d\nxllcorner %.17g\nyllcorner %.17g\n", field->width, field->height,
            frame.x, fabs(bottom) < 1e-12 * fabs(frame.y) ? 0 : bottom);
    write_cell(stream, frame.right_x, -frame.down_y);
    fprintf(stream, "NODATA_value %.17g\n", gap);
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++)
            fprintf(stream, "%.9g%c",
                    field_has_data(field, (size_t)y * (size_t)field->width + (size_t)x)
                        ? (double)field_row(field, y)[x]
                        : gap,
                    x + 1 < field->width ? ' ' : '\n');
    return STATUS_OK;
}

const FileFormat format_asc = {
    .name = "ESRI ASCII grid",
    .endings = "asc",
    .media_type = "text/plain",
    .holds = { { &type_field, write_asc } },
    .read = read_asc,
    .keeps = KEEPS_PLACE | KEEPS_BESIDE | KEEPS_GAPS | KEEPS_PROJECT,
    .numbers = "exact",
    .gaps = "the number of `NODATA_value`",
    .doc = "Text, with the headers of ESRI, and read also with those of GRASS and GeoClaw",
};
