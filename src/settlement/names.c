#include "settlement/names.h"

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- moulds ------------------------------------------------------------------------------------------------

// A mould is a list of slots, which a name fills one after the other: Hal-s-vik, Kil-br-ea-n, M-a-t-a-ru.
// Texts of a slot and of the next one can be told apart wherever they meet, so a name can be read in one way
// only, and different choices make different names.
enum { SLOTS = 5, TEXTS = 18 };
typedef struct Slot {
    int used; // of its texts, by a language
    const char *texts[TEXTS];
} Slot;

// Each of four kinds of region has two moulds of its own, whose endings no other kind has: so no name is
// found on both sides of a border.
enum { KINDS = 4, MOULDS_OF_KIND = 2 };
// clang-format off
static const Slot moulds[KINDS][MOULDS_OF_KIND][SLOTS] = {
    { { { 15, { "b", "d", "f", "g", "h", "k", "l", "m", "r", "s", "t", "v", "sk", "st", "br", "gr", "sv", "" } },
        { 7, { "a", "e", "i", "o", "u", "ei", "au", "oy" } },
        { 9, { "l", "r", "n", "m", "rn", "nd", "s", "k", "g", "ng", "rs", "ls" } },
        { 11, { "heim", "stad", "vik", "dal", "berg", "borg", "by", "lund", "holm", "torp", "rud", "fors", "hus" } } },
      { { 10, { "kil", "dun", "bal", "glen", "inver", "aber", "pen", "tre", "car", "ard", "lan", "strath" } },
        { 11, { "b", "d", "f", "g", "m", "n", "r", "t", "w", "br", "dr", "gl", "v" } },
        { 7, { "a", "e", "i", "o", "u", "ea", "ai", "oo" } },
        { 12, { "n", "r", "ll", "ny", "mor", "than", "sk", "ch", "gan", "ry", "wick", "ble", "nock", "rd" } } } },
    { { { 12, { "b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "tr", "br", "" } },
        { 4, { "a", "e", "i", "o", "u" } },
        { 10, { "l", "r", "n", "v", "d", "s", "t", "rr", "lt", "nt", "rd", "st", "m" } },
        { 3, { "a", "e", "i", "o" } },
        { 8, { "na", "no", "ra", "ro", "lla", "llo", "nza", "da", "sa", "te", "go", "cia", "sco", "ria" } } },
      { { 14, { "b", "d", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "kr", "dr", "br", "sl", "pr" } },
        { 5, { "a", "e", "i", "o", "u", "y" } },
        { 12, { "l", "r", "n", "m", "d", "k", "v", "z", "s", "b", "rn", "st", "lk" } },
        { 12, { "ov", "ice", "grad", "sk", "ava", "nik", "ich", "ovo", "itsa", "ets", "any", "inka", "slav", "evo" } } } },
    { { { 8, { "k", "m", "n", "t", "r", "l", "p", "h", "w", "ng", "mb", "" } },
        { 4, { "a", "e", "i", "o", "u" } },
        { 8, { "k", "m", "n", "t", "r", "l", "p", "h", "w", "ng" } },
        { 5, { "a", "e", "i", "o", "u" } },
        { 10, { "ku", "mu", "wa", "hi", "ti", "lu", "ngo", "mba", "tu", "pi", "le", "ke", "we", "hu" } } },
      { { 10, { "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "" } },
        { 7, { "aa", "uu", "oi", "a", "e", "i", "o", "u", "y", "au", "ie" } },
        { 8, { "l", "r", "n", "m", "s", "k", "t", "v", "rk", "nn", "lk", "h" } },
        { 2, { "a", "i", "u", "o" } },
        { 10, { "la", "salo", "vaara", "niemi", "koski", "lahti", "maki", "jarvi", "saari", "kyla", "nen", "ranta" } } } },
    { { { 13, { "b", "d", "f", "g", "h", "j", "k", "m", "n", "q", "r", "s", "sh", "t", "z", "kh" } },
        { 5, { "a", "e", "i", "o", "u" } },
        { 12, { "r", "l", "n", "m", "sh", "z", "rd", "nd", "hr", "lk", "b", "mr", "v" } },
        { 13, { "abad", "kent", "pur", "shan", "zar", "dagh", "koy", "hisar", "an", "iz", "ur", "mand", "gah", "tepe" } } },
      { { 12, { "b", "ch", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "q", "s", "sh", "t", "x", "y" } },
        { 8, { "a", "an", "ang", "ao", "ei", "en", "i", "in", "ing", "ong", "u", "uan", "un", "ou" } },
        { 12, { "b", "ch", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "q", "s", "sh", "t", "x", "y" } },
        { 9, { "ao", "ang", "ei", "ing", "ong", "u", "uan", "ou", "ai", "iang", "ian" } } } },
};
// clang-format on

typedef struct Language {
    RandomKey key;
    const Slot *slots;
    uint32_t names;           // how many there are
    int chosen[SLOTS][TEXTS]; // of each slot's texts
} Language;

static int count_texts(const Slot *slot) {
    int count = 0;
    while (count < TEXTS && slot->texts[count])
        count++;
    return count;
}

// Chooses `count` of `of` numbers.
static void choose(RandomKey key, uint32_t what, int of, int count, int *chosen) {
    bool taken[TEXTS] = { false };
    for (int i = 0; i < count; i++) {
        int at = (int)(random_bits(key, what, (uint32_t)i) % (uint32_t)of);
        while (taken[at])
            at = (at + 1) % of;
        taken[at] = true;
        chosen[i] = at;
    }
}

// Regions of one face; those of a planet end at its edges. There are an even number along an edge, so that
// those on both sides of one between the four faces around the planet are of different kinds. Above and below
// these are the other moulds.
typedef struct NameRegion {
    bool planet;
    int face, x, y;
} NameRegion;

static Language language_of(uint64_t seed, const NameRegion *region) {
    enum { LANGUAGES_STREAM = 500, AROUND = 4 }; // faces
    const RandomKey map = random_key(seed, LANGUAGES_STREAM);
    const uint32_t own =
        random_bits(map, (uint32_t)region->x + ((uint32_t)region->face << 29), (uint32_t)region->y);
    const int kind = (region->x & 1) + 2 * (region->y & 1),
              mould = region->planet ? region->face >= AROUND : (int)((own >> 7) % MOULDS_OF_KIND);
    Language language = { .key = random_key((uint64_t)own + seed, LANGUAGES_STREAM + 1),
                          .slots = moulds[kind][mould],
                          .names = 1 };
    for (int i = 0; i < SLOTS && language.slots[i].used > 0; i++) {
        const Slot *slot = &language.slots[i];
        choose(language.key, (uint32_t)i, max(count_texts(slot), 1), slot->used, language.chosen[i]);
        language.names *= (uint32_t)slot->used;
    }
    return language;
}

// --- numbers to names --------------------------------------------------------------------------------------

// A permutation of 0 … names - 1: a Feistel network of four rounds over 2^16 numbers, walked until it is back
// in the range.
static uint32_t shuffled(const Language *language, uint32_t number) {
    enum { HALF = 8, ROUNDS = 4 };
    do {
        uint32_t left = number >> HALF, right = number & 0xff;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            const uint32_t mixed = left ^ (random_bits(language->key, right, round + 100) & 0xff);
            left = right;
            right = mixed;
        }
        number = left << HALF | right;
    } while (number >= language->names);
    return number;
}

// A digit of the number for each slot, in its base.
static void spell(const Language *language, uint32_t number, char name[NAME_MAX_BYTES]) {
    int length = 0;
    name[0] = 0;
    for (int i = 0; i < SLOTS && language->slots[i].used > 0; i++) {
        const Slot *slot = &language->slots[i];
        const char *text = slot->texts[language->chosen[i][number % (uint32_t)slot->used]];
        number /= (uint32_t)slot->used;
        length += snprintf(name + length, (size_t)(NAME_MAX_BYTES - length), "%s", text);
    }
    name[0] = (char)toupper((unsigned char)name[0]);
}

// --- regions -----------------------------------------------------------------------------------------------

#define REGION 500e3 // metres

// The nearest of points that are moved by up to a fifth from the middles of a lattice.
static NameRegion find_region(uint64_t seed, const NamedPlace *place) {
    enum { REGIONS_STREAM = 502 };
    const RandomKey across = random_key(seed, REGIONS_STREAM), down = random_key(seed, REGIONS_STREAM + 1);
    const int along = 2 * whole_within(floor(place->side / (2 * REGION) + 0.5), 1, 2048); // a planet's face
    const double size = place->planet ? place->side / along : max(REGION, place->side / 4096),
                 at_x = place->x * place->side / size, at_y = place->y * place->side / size;
    const int middle_x = (int)whole_64(floor(at_x)), middle_y = (int)whole_64(floor(at_y));
    const uint32_t face = (uint32_t)place->face << 29;
    NameRegion nearest = { .planet = place->planet, .face = place->face };
    double least = INFINITY;
    for (int j = middle_y - 1; j <= middle_y + 1; j++)
        for (int i = middle_x - 1; i <= middle_x + 1; i++) {
            const uint32_t x = (uint32_t)i + face, y = (uint32_t)j;
            const double off_x = i + 0.5 + 0.2 * (double)random_signed(across, x, y) - at_x,
                         off_y = j + 0.5 + 0.2 * (double)random_signed(down, x, y) - at_y;
            const double distance = off_x * off_x + off_y * off_y;
            if (distance >= least || (place->planet && (i < 0 || j < 0 || i >= along || j >= along)))
                continue;
            least = distance;
            nearest.x = i;
            nearest.y = j;
        }
    return nearest;
}

void place_name(uint64_t seed, const NamedPlace *place, int spare, char name[NAME_MAX_BYTES]) {
    enum { BLOCK = 32, BLOCK_NAMES = BLOCK * BLOCK };
    const NameRegion region = find_region(seed, place);
    const Language language = language_of(seed, &region);
    const uint32_t levels = max((language.names - 1) / BLOCK_NAMES, 1), // the other names are spare
        number = (uint32_t)place->level % levels * BLOCK_NAMES + (uint32_t)(place->square_y % BLOCK) * BLOCK +
                 (uint32_t)(place->square_x % BLOCK);
    const uint32_t other = levels * BLOCK_NAMES + random_bits(language.key, number, 200 + (uint32_t)spare) %
                                                      (language.names - levels * BLOCK_NAMES);
    spell(&language, shuffled(&language, spare ? other : number), name);
}
