#include "picture/lettering.h"

#include "core/math.h"
#include "rivers/line_coverage.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// --- alphabet ----------------------------------------------------------------------------------------------

// From ' ' on, drawn for this program.
static const char *const ascii[] = {
    "",                                                // space
    "10 14/15 16",                                     // !
    "00 02/20 22",                                     // "
    "20 06/40 26/02 42/04 44",                         // #
    "42 31 11 02 13 33 44 35 15 04/20 26",             // $
    "40 06/00 10 11 01 00/35 45 46 36 35",             // %
    "46 12 11 20 30 31 04 05 16 26 44",                // &
    "00 02",                                           // '
    "10 01 05 16",                                     // (
    "00 11 15 06",                                     // )
    "20 24/01 43/41 03",                               // *
    "21 25/03 43",                                     // +
    "15 16 07",                                        // ,
    "03 33",                                           // -
    "15 16",                                           // .
    "06 30",                                           // /
    "10 30 41 45 36 16 05 01 10",                      // 0
    "12 30 36",                                        // 1
    "01 10 30 41 42 06 46",                            // 2
    "00 40 22 32 43 45 36 16 05",                      // 3
    "30 04 44 34/32 36",                               // 4
    "40 00 02 32 43 45 36 16 05",                      // 5
    "30 10 02 05 16 36 45 43 32 12 03",                // 6
    "00 40 16",                                        // 7
    "10 30 41 32 12 01 10/12 32 43 45 36 16 05 03 12", // 8
    "16 36 44 41 30 10 01 02 13 33 42",                // 9
    "12 13/15 16",                                     // :
    "12 13/15 16 07",                                  // ;
    "41 03 45",                                        // <
    "02 42/04 44",                                     // =
    "01 43 05",                                        // >
    "01 10 20 31 32 14/15 16",                         // ?
    "46 16 05 01 10 40 51 54 44 34 32 22 13 14 24 34", // @
    "06 20 46/14 34",                                  // A
    "03 33 44 45 36 06 00 30 41 42 33",                // B
    "41 30 10 01 05 16 36 45",                         // C
    "00 30 41 45 36 06 00",                            // D
    "30 00 06 36/03 23",                               // E
    "30 00 06/03 23",                                  // F
    "41 30 10 01 05 16 36 45 43 23",                   // G
    "00 06/40 46/03 43",                               // H
    "00 06",                                           // I
    "30 35 26 16 05",                                  // J
    "00 06/40 04/22 46",                               // K
    "00 06 36",                                        // L
    "06 00 24 40 46",                                  // M
    "06 00 46 40",                                     // N
    "10 40 51 55 46 16 05 01 10",                      // O
    "06 00 30 41 42 33 03",                            // P
    "10 40 51 55 46 16 05 01 10/34 57",                // Q
    "06 00 30 41 42 33 03/23 46",                      // R
    "41 30 10 01 02 13 33 44 45 36 16 05",             // S
    "00 40/20 26",                                     // T
    "00 05 16 36 45 40",                               // U
    "00 26 40",                                        // V
    "00 16 32 56 60",                                  // W
    "00 46/40 06",                                     // X
    "00 23 40/23 26",                                  // Y
    "00 40 06 46",                                     // Z
    "10 00 06 16",                                     // [
    "00 36",                                           // backslash
    "00 10 16 06",                                     // ]
    "02 20 42",                                        // ^
    "07 47",                                           // _
    "00 11",                                           // `
    "32 36/33 22 12 03 05 16 26 35",                   // a
    "00 06/03 12 22 33 35 26 16 05",                   // b
    "33 22 12 03 05 16 26 35",                         // c
    "30 36/33 22 12 03 05 16 26 35",                   // d
    "04 34 33 22 12 03 05 16 26 35",                   // e
    "20 11 16/02 22",                                  // f
    "32 37 28 18 07/33 22 12 03 05 16 26 35",          // g
    "00 06/03 12 22 33 36",                            // h
    "02 06/00 00",                                     // i
    "12 17 08/10 10",                                  // j
    "00 06/32 05/14 36",                               // k
    "00 05 16",                                        // l
    "02 06/03 12 22 33 36/33 42 52 63 66",             // m
    "02 06/03 12 22 33 36",                            // n
    "12 22 33 35 26 16 05 03 12",                      // o
    "02 08/03 12 22 33 35 26 16 05",                   // p
    "32 38/33 22 12 03 05 16 26 35",                   // q
    "02 06/03 12 22",                                  // r
    "33 22 12 03 14 24 35 26 16 05",                   // s
    "10 15 26/02 22",                                  // t
    "02 05 16 26 35/32 36",                            // u
    "02 26 42",                                        // v
    "02 16 33 56 62",                                  // w
    "02 36/32 06",                                     // x
    "02 05 16 26 35/32 37 28 18 07",                   // y
    "02 32 06 36",                                     // z
    "20 11 12 03 14 15 26",                            // {
    "00 07",                                           // |
    "00 11 12 23 14 15 06",                            // }
    "04 13 34 43",                                     // ~
};

// Letters that are no other with a mark, and punctuation.
static const struct {
    uint32_t code;
    const char *strokes;
} others[] = {
    { 0x00a0, "" },                                                            // no-break space
    { 0x00a1, "10 11/12 16" },                                                 // ¡
    { 0x00ab, "12 04 16/32 24 36" },                                           // «
    { 0x00b0, "00 10 11 01 00" },                                              // °
    { 0x00b2, "00 10 11 02 12" },                                              // ²
    { 0x00b7, "03 03" },                                                       // ·
    { 0x00bb, "02 14 06/22 34 26" },                                           // »
    { 0x00bf, "32 31/33 24 14 05 06 17 27 36" },                               // ¿
    { 0x00c6, "06 40 60/30 36 66/14 34/33 53" },                               // Æ
    { 0x00d0, "10 40 51 55 46 16 10/03 33" },                                  // Ð
    { 0x00d7, "02 35/05 32" },                                                 // ×
    { 0x00d8, "10 40 51 55 46 16 05 01 10/06 50" },                            // Ø
    { 0x00de, "00 06/01 31 42 43 34 04" },                                     // Þ
    { 0x00df, "06 01 10 20 31 22 33 35 26 16" },                               // ß
    { 0x00e6, "32 36/33 22 12 03 05 16 26 35/34 64 63 52 42 33/35 46 56 65" }, // æ
    { 0x00f0, "10 33 35 26 16 05 03 12 22 33/02 30" },                         // ð
    { 0x00f8, "12 22 33 35 26 16 05 03 12/06 32" },                            // ø
    { 0x00fe, "00 08/03 12 22 33 35 26 16 05" },                               // þ
    { 0x0110, "10 40 51 55 46 16 10/03 33" },                                  // Đ
    { 0x0111, "30 36/33 22 12 03 05 16 26 35/11 41" },                         // đ
    { 0x0126, "10 16/50 56/13 53/01 61" },                                     // Ħ
    { 0x0127, "10 16/13 22 32 43 46/01 21" },                                  // ħ
    { 0x0131, "02 06" },                                                       // ı
    { 0x0132, "00 06/50 55 46 36 25" },                                        // Ĳ
    { 0x0133, "02 06/00 00/32 37 28 18/30 30" },                               // ĳ
    { 0x0141, "10 16 46/04 22" },                                              // Ł
    { 0x0142, "10 15 26/04 22" },                                              // ł
    { 0x014a, "06 00 46/40 47 38 28" },                                        // Ŋ
    { 0x014b, "02 06/03 12 22 33 37 28 18" },                                  // ŋ
    { 0x0152, "70 20 11 05 16 76/40 46/43 63" },                               // Œ
    { 0x0153, "12 22 33 35 26 16 05 03 12/34 64 63 52 42 33/35 46 56 65" },    // œ
    { 0x0166, "00 40/20 26/13 33" },                                           // Ŧ
    { 0x0167, "10 15 26/02 22/04 24" },                                        // ŧ
    { 0x1e9e, "06 01 10 30 41 22 32 43 45 36 16" },                            // ẞ
    { 0x2010, "03 33" },                                                       // ‐
    { 0x2011, "03 33" },                                                       // without a break
    { 0x2013, "03 43" },                                                       // –
    { 0x2014, "03 63" },                                                       // —
    { 0x2018, "10 01 02" },                                                    // ‘
    { 0x2019, "10 11 02" },                                                    // ’
    { 0x201a, "15 16 07" },                                                    // ‚
    { 0x201c, "10 01 02/30 21 22" },                                           // “
    { 0x201d, "10 11 02/30 31 22" },                                           // ”
    { 0x201e, "15 16 07/35 36 27" },                                           // „
    { 0x2026, "05 06/25 26/45 46" },                                           // …
    { 0x2032, "10 01" },                                                       // ′
    { 0x2033, "10 01/30 21" },                                                 // ″
    { 0x20ac, "51 40 20 11 15 26 46 55/02 32/04 34" },                         // €
    { 0x2212, "03 43" },                                                       // −
};

// --- marks -------------------------------------------------------------------------------------------------

// Above: centred, on rows 0 and 1 over small letters, two rows higher over tall ones. Below: from the base
// line down. Beside: to the right of tall letters.
typedef enum Place { ABOVE, BELOW, BESIDE } Place;

// Pairs of a letter with the mark and the one without.
typedef struct Mark {
    const char *strokes;
    Place place;
    uint32_t combining; // the code of the mark alone, which follows its letter
    const char *letters;
} Mark;

static const Mark marks[] = {
    { "00 11", ABOVE, 0x300, "ÀAÈEÌIÒOÙUàaèeìiòoùuẀWẁwỲYỳyǸNǹn" },
    { "01 10", ABOVE, 0x301, "ÁAÉEÍIÓOÚUÝYáaéeíióoúuýyĆCćcĹLĺlŃNńnŔRŕrŚSśsŹZźzẂWẃwǴGǵgǼÆǽæǾØǿø" },
    { "01 10 21", ABOVE, 0x302, "ÂAÊEÎIÔOÛUâaêeîiôoûuĈCĉcĜGĝgĤHĥhĴJĵjŜSŝsŴWŵwŶYŷy" },
    { "01 10 21 30", ABOVE, 0x303, "ÃAÑNÕOãañnõoĨIĩiŨUũu" },
    { "01 21", ABOVE, 0x304, "ĀAāaĒEēeĪIīiŌOōoŪUūuȲYȳy" },
    { "00 11 21 30", ABOVE, 0x306, "ĂAăaĔEĕeĞGğgĬIĭiŎOŏoŬUŭu" },
    { "00 00", ABOVE, 0x307, "ĊCċcĖEėeĠGġgİIŻZżz" },
    { "01 01/21 21", ABOVE, 0x308, "ÄAËEÏIÖOÜUäaëeïiöoüuÿyŸYẄWẅw" },
    { "00 10 11 01 00", ABOVE, 0x30a, "ÅAåaŮUůu" },
    { "01 10/21 30", ABOVE, 0x30b, "ŐOőoŰUűu" },
    { "00 11 20", ABOVE, 0x30c, "ČCčcĎDĚEěeŇNňnŘRřrŠSšsŤTŽZžzǍAǎaǏIǐiǑOǒoǓUǔuǦGǧgǨKǩk" },
    { "10 02", BESIDE, 0x30c, "ďdťtĽLľl" },
    { "11 02", BELOW, 0x326, "ȘSșsȚTțtĢGĶKķkĻLļlŅNņnŖRŗr" },
    { "10 01", ABOVE, 0x312, "ģg" },
    { "00 11 02", BELOW, 0x327, "ÇCçcŞSşsŢTţtȨEȩe" },
    { "10 01 02 12", BELOW, 0x328, "ĄAąaĘEęeĮIįiŲUųuǪOǫo" },
};

// --- characters --------------------------------------------------------------------------------------------

// One character of UTF-8, without what follows.
static const char *decode(const char *text, uint32_t *code) {
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    const unsigned char *bytes = (const unsigned char *)text;
    const int more = bytes[0] < 0x80       ? 0
                     : bytes[0] >> 5 == 6  ? 1
                     : bytes[0] >> 4 == 14 ? 2
                     : bytes[0] >> 3 == 30 ? 3
                                           : -1;
    *code = NOT_UTF8;
    if (more < 0)
        return text + 1;
    uint32_t all = more ? bytes[0] & (0x3fu >> more) : bytes[0];
    for (int i = 1; i <= more; i++) {
        if (bytes[i] >> 6 != 2)
            return text + 1;
        all = all << 6 | (bytes[i] & 0x3f);
    }
    if (all < least[more] || all > 0x10ffff || all >> 11 == 0x1b) // too long; too large; half of a pair
        return text + 1;
    *code = all;
    return text + 1 + more;
}

// Whether a mark has a pair with this letter: with or without the mark.
static bool find_pair(const Mark *mark, uint32_t code, bool marked, uint32_t *other) {
    for (const char *letters = mark->letters; *letters;) {
        uint32_t with, without;
        letters = decode(decode(letters, &with), &without);
        *other = marked ? without : with;
        if ((marked ? with : without) == code)
            return true;
    }
    return false;
}

const char *take_character(const char *text, uint32_t *code) {
    uint32_t mark, composed;
    const char *next = decode(text, code), *after = decode(next, &mark);
    for (size_t i = 0; i < sizeof marks / sizeof *marks && *next; i++)
        if (marks[i].combining == mark && find_pair(&marks[i], *code, false, &composed)) {
            *code = composed;
            return after;
        }
    return next;
}

// --- glyphs ------------------------------------------------------------------------------------------------

static int width_of(const char *strokes) {
    int widest = '0';
    for (; *strokes; strokes++)
        if (*strokes >= '0') {
            widest = max(widest, *strokes);
            strokes++;
        }
    return widest - '0';
}

static const char *find_plain(uint32_t code) {
    if (code >= ' ' && code <= '~')
        return ascii[code - ' '];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].code == code)
            return others[i].strokes;
    return NULL;
}

static bool is_tall(uint32_t letter) {
    static const char tall[] = "bdfhklt";
    return letter < 'a' || letter == 0xc6 || letter == 0xd8 || (letter < 'z' && strchr(tall, (int)letter));
}

static void put_mark(const Mark *mark, uint32_t letter, Glyph *glyph) {
    if (mark->place == ABOVE && (letter == 'i' || letter == 'j'))
        glyph->strokes = letter == 'i' ? "02 06" : "12 17 08"; // without the dot
    const double width = width_of(mark->strokes), letters = width_of(glyph->strokes);
    glyph->mark = mark->strokes;
    glyph->indent = mark->place == ABOVE ? max(width - letters, 0) / 2 : 0;
    glyph->right = mark->place == BESIDE ? letters + 1 : max(letters - width, 0) / 2;
    glyph->down = mark->place == BELOW ? 6 : mark->place == ABOVE && is_tall(letter) ? -2 : 0;
    if (mark->place == ABOVE && letters == 0 && width > 0)
        glyph->down -= 0.5; // I and i with a breve are no Y
    glyph->width = max(glyph->indent + letters, glyph->right + width);
}

bool glyph_find(uint32_t code, Glyph *glyph) {
    uint32_t letter;
    *glyph = (Glyph){ .strokes = find_plain(code) };
    if (glyph->strokes)
        glyph->width = width_of(glyph->strokes);
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !glyph->strokes; i++)
        if (find_pair(&marks[i], code, true, &letter)) {
            glyph->strokes = find_plain(letter);
            put_mark(&marks[i], letter, glyph);
        }
    return glyph->strokes != NULL;
}

// --- lettering ---------------------------------------------------------------------------------------------

enum { ROWS = 6, GAP = 2, FIGURE = 4 }; // of the grid: capitals' height; between glyphs; digits' width

// To where the next one begins. Digits all have the same, so that columns of numbers stand below each other.
static double advance_of(uint32_t code, double size) {
    Glyph glyph;
    if (!glyph_find(code, &glyph))
        return 0;
    const double width = code == ' ' ? 1 : code >= '0' && code <= '9' ? FIGURE : glyph.width;
    return (width + GAP) * size / ROWS;
}

NumberText number_text(double number, double step) {
    NumberText text;
    int decimals = 0;
    double unit = 1;
    while (decimals < 6 && fabs(step / unit - floor(step / unit + 0.5)) > 1e-6) {
        decimals++;
        unit /= 10;
    }
    const double size = max(fabs(number), step);
    if (size < 1e6 && step >= 1e-6) {
        snprintf(text.text, sizeof text.text, "%.*f", decimals, number + 0.0); // no -0
        return text;
    }
    int exponent = 0;
    double rest = number;
    for (; fabs(rest) >= 9.9995; exponent++) // which four digits would round to 10
        rest /= 10;
    for (; fabs(rest) < 0.99995 && rest != 0; exponent--)
        rest *= 10;
    if (rest == 0)
        return (NumberText){ "0" };
    snprintf(text.text, sizeof text.text, "%.4ge%d", rest, exponent);
    return text;
}

double letter_length(const char *text, double size) {
    double length = 0;
    while (*text) {
        uint32_t code;
        text = take_character(text, &code);
        length += advance_of(code, size);
    }
    return length;
}

double letter_rise(const char *text, double size) {
    double rows = 0;
    while (*text) {
        uint32_t code;
        Glyph glyph;
        text = take_character(text, &code);
        if (glyph_find(code, &glyph))
            rows = max(rows, -glyph.down);
    }
    return rows * size / ROWS;
}

// The point of the grid at column and row.
static Vec2 placed(Vec2 from, Vec2 along, double step, char column, char row) {
    const double x = (column - '0') * step, y = (row - '0') * step;
    return (Vec2){ from.x + along.x * x - along.y * y, from.y + along.y * x + along.x * y };
}

// `wider`: pixels added to the strokes' width.
static void draw_glyph(Field *cover, const char *strokes, Vec2 from, Vec2 along, double size, double wider) {
    const double step = size / ROWS, width = (size / 8 > 1 ? size / 8 : 1) + wider;
    bool down = false; // the pen
    Vec2 last = from;
    while (*strokes) {
        if (*strokes == '/' || *strokes == ' ') {
            down = down && *strokes == ' ';
            strokes++;
            continue;
        }
        const Vec2 next = placed(from, along, step, strokes[0], strokes[1]);
        if (down)
            stroke_line(cover, last, next, width);
        last = next;
        down = true;
        strokes += 2;
    }
}

// The place that lies `columns` and `rows` further on the grid.
static Vec2 moved(Vec2 from, Vec2 along, double step, double columns, double rows) {
    return (Vec2){ from.x + step * (along.x * columns - along.y * rows),
                   from.y + step * (along.y * columns + along.x * rows) };
}

static void write_text(Field *cover, const char *text, Vec2 from, Vec2 along, double size, double wider) {
    const double step = size / ROWS;
    while (*text) {
        uint32_t code;
        Glyph glyph;
        text = take_character(text, &code);
        if (!glyph_find(code, &glyph))
            continue;
        draw_glyph(cover, glyph.strokes, moved(from, along, step, glyph.indent, 0), along, size, wider);
        if (glyph.mark)
            draw_glyph(cover, glyph.mark, moved(from, along, step, glyph.right, glyph.down), along, size,
                       wider);
        from = moved(from, along, 1, advance_of(code, size), 0);
    }
}

void letter_text(Field *cover, const char *text, Vec2 from, Vec2 along, double size) {
    write_text(cover, text, from, along, size, 0);
}

void letter_halo(Field *cover, const char *text, Vec2 from, Vec2 along, double size, double reach) {
    write_text(cover, text, from, along, size, 2 * reach);
}
