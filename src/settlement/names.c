#include "settlement/names.h"

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// --- syllables ---------------------------------------------------------------------------------------------

// A name is one of
//     onset vowel coda              Lorn
//     onset vowel suffix            Karland
//     onset vowel onset vowel end   Maretu, Salivor
// Suffixes begin with two consonants, which inner onsets never do; codas have no vowel. So a name can be read
// in one way only, and different choices make different names.

static const char *const onsets[] = { "b", "d",  "f",  "g",  "h",  "k",  "l",  "m",  "n",  "p",  "r",  "s",
                                      "t", "v",  "w",  "z",  "br", "dr", "fr", "gr", "kr", "tr", "sk", "st",
                                      "c", "gl", "bl", "th", "sh", "j",  "",   "y",  "kl", "pr", "sl", "ch" };
static const char *const inner[] = { "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s",
                                     "t", "v", "z", "h", "w", "c", "j", "y", "x", "q" };
static const char *const vowels[] = { "a", "e", "i", "o", "u", "ai", "ei", "au", "ia", "ea" };
enum { PLAIN = 5 }; // of the vowels

// Each of four kinds of region has its own, so that no name is found on both sides of a border.
enum { KINDS = 4, ENDS = 8, CODAS = 6, CLUSTERS = 7, TAILS = 7 };
static const char *const ends[KINDS][ENDS] = {
    { "", "n", "ra", "s", "vo", "lis", "m", "da" },
    { "r", "na", "l", "tha", "rin", "k", "lo", "sa" },
    { "t", "ne", "d", "ri", "ron", "no", "la", "va" },
    { "nd", "re", "th", "li", "ren", "ma", "ta", "mir" },
};
static const char *const codas[KINDS][CODAS] = { { "lm", "rn", "ls", "x", "nk", "rd" },
                                                 { "rk", "lt", "nt", "rs", "ss", "sk" },
                                                 { "ll", "rm", "st", "lk", "rth", "nn" },
                                                 { "ck", "rg", "lf", "mb", "ft", "rl" } };
static const char *const clusters[KINDS][CLUSTERS] = { { "ld", "rv", "nd", "sm", "rb", "nm", "lg" },
                                                       { "lb", "rd", "nt", "sk", "rm", "nb", "lv" },
                                                       { "lm", "rg", "ng", "st", "rn", "nv", "lt" },
                                                       { "ls", "rf", "nw", "sh", "rl", "mp", "lk" } };
static const char *const tails[] = { "a",  "en", "or", "is", "um",  "ey",  "ost", "in",
                                     "ar", "au", "et", "on", "ach", "ill", "eth", "o" };

#define COUNT_OF(list) ((int)(sizeof(list) / sizeof *(list)))

// What a language uses of them.
enum { ONSETS = 12, INNER = 10, VOWELS = 4 };
enum { SHORT = ONSETS * VOWELS * CODAS, SUFFIXED = ONSETS * VOWELS * CLUSTERS * TAILS };
enum { LONG = ONSETS * VOWELS * INNER * VOWELS * ENDS, NAMES = SHORT + SUFFIXED + LONG };

typedef struct Language {
    int kind;
    RandomKey key;
    int onsets[ONSETS], inner[INNER], vowels[VOWELS], tails[TAILS];
} Language;

// Chooses `count` of `of` numbers.
static void choose(RandomKey key, uint32_t what, int of, int count, int *chosen) {
    bool taken[64] = { false };
    for (int i = 0; i < count; i++) {
        int at = (int)(random_bits(key, what, (uint32_t)i) % (uint32_t)of);
        while (taken[at])
            at = (at + 1) % of;
        taken[at] = true;
        chosen[i] = at;
    }
}

static Language language_of(uint64_t seed, int region_x, int region_y) {
    enum { LANGUAGES_STREAM = 500 };
    const RandomKey map = random_key(seed, LANGUAGES_STREAM);
    const uint64_t own = (uint64_t)random_bits(map, (uint32_t)region_x, (uint32_t)region_y);
    Language language = { .kind = (region_x & 1) + 2 * (region_y & 1),
                          .key = random_key(own + seed, LANGUAGES_STREAM + 1) };
    choose(language.key, 0, COUNT_OF(onsets), ONSETS, language.onsets);
    choose(language.key, 1, COUNT_OF(inner) - 4, INNER, language.inner);
    choose(language.key, 2, PLAIN, VOWELS - 1, language.vowels);
    language.vowels[VOWELS - 1] =
        PLAIN + (int)(random_bits(language.key, 3, 0) % (uint32_t)(COUNT_OF(vowels) - PLAIN));
    choose(language.key, 4, COUNT_OF(tails), TAILS, language.tails);
    return language;
}

// --- numbers to names --------------------------------------------------------------------------------------

// A permutation of 0 … NAMES - 1: a Feistel network of four rounds over 2^16 numbers, walked until it is
// back in the range.
static uint32_t shuffled(RandomKey key, uint32_t number) {
    enum { HALF = 8, ROUNDS = 4 };
    do {
        uint32_t left = number >> HALF, right = number & 0xff;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            const uint32_t mixed = left ^ (random_bits(key, right, round + 100) & 0xff);
            left = right;
            right = mixed;
        }
        number = left << HALF | right;
    } while (number >= NAMES);
    return number;
}

// Takes the next digit of a number with digits of different bases.
static int digit(uint32_t *number, int base) {
    const int value = (int)(*number % (uint32_t)base);
    *number /= (uint32_t)base;
    return value;
}

static void spell(const Language *language, uint32_t number, char name[NAME_MAX_BYTES]) {
    const int kind = language->kind;
    const uint32_t which = number;
    uint32_t rest = which < SHORT              ? which
                    : which < SHORT + SUFFIXED ? which - SHORT
                                               : which - SHORT - SUFFIXED;
    const char *onset = onsets[language->onsets[digit(&rest, ONSETS)]],
               *vowel = vowels[language->vowels[digit(&rest, VOWELS)]];
    if (which < SHORT) {
        snprintf(name, NAME_MAX_BYTES, "%s%s%s", onset, vowel, codas[kind][digit(&rest, CODAS)]);
    } else if (which < SHORT + SUFFIXED) {
        const char *cluster = clusters[kind][digit(&rest, CLUSTERS)];
        snprintf(name, NAME_MAX_BYTES, "%s%s%s%s", onset, vowel, cluster,
                 tails[language->tails[digit(&rest, TAILS)]]);
    } else {
        const char *middle = inner[language->inner[digit(&rest, INNER)]],
                   *second = vowels[language->vowels[digit(&rest, VOWELS)]];
        snprintf(name, NAME_MAX_BYTES, "%s%s%s%s%s", onset, vowel, middle, second,
                 ends[kind][digit(&rest, ENDS)]);
    }
    name[0] = (char)toupper((unsigned char)name[0]);
}

// --- regions -----------------------------------------------------------------------------------------------

#define REGION 500e3 // metres

// The nearest of points that are moved by up to a fifth from the middles of a lattice.
static void find_region(uint64_t seed, double x, double y, double side, int *region_x, int *region_y) {
    enum { REGIONS_STREAM = 502 };
    const RandomKey across = random_key(seed, REGIONS_STREAM), down = random_key(seed, REGIONS_STREAM + 1);
    const double size = max(REGION, side / 4096), at_x = x * side / size, at_y = y * side / size;
    const int middle_x = (int)whole_64(floor(at_x)), middle_y = (int)whole_64(floor(at_y));
    double nearest = INFINITY;
    for (int j = middle_y - 1; j <= middle_y + 1; j++)
        for (int i = middle_x - 1; i <= middle_x + 1; i++) {
            const double off_x =
                             i + 0.5 + 0.2 * (double)random_signed(across, (uint32_t)i, (uint32_t)j) - at_x,
                         off_y = j + 0.5 + 0.2 * (double)random_signed(down, (uint32_t)i, (uint32_t)j) - at_y;
            const double distance = off_x * off_x + off_y * off_y;
            if (distance < nearest) {
                nearest = distance;
                *region_x = i;
                *region_y = j;
            }
        }
}

void place_name(uint64_t seed, int level, int square_x, int square_y, double x, double y, double side,
                int spare, char name[NAME_MAX_BYTES]) {
    enum { BLOCK = 32, LEVELS = NAMES / (BLOCK * BLOCK), SPARE = NAMES - LEVELS * BLOCK * BLOCK };
    int region_x = 0, region_y = 0;
    find_region(seed, x, y, side, &region_x, &region_y);
    const Language language = language_of(seed, region_x, region_y);
    const uint32_t number = (uint32_t)(level % LEVELS) * BLOCK * BLOCK +
                            (uint32_t)(square_y % BLOCK) * BLOCK + (uint32_t)(square_x % BLOCK);
    const uint32_t other =
        LEVELS * BLOCK * BLOCK + random_bits(language.key, number, 200 + (uint32_t)spare) % SPARE;
    spell(&language, shuffled(language.key, spare ? other : number), name);
}
