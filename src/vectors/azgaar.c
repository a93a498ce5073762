// The tables below name what is read of each kind of object; all else is stepped over. Two generations of
// files are read, which differ in where cells, vertices and biomes lie:
//
// | versions | cells | vertices | biomes |
// | --- | --- | --- | --- |
// | 1.85.02 to 1.93.02 | cells.cells | vertices | biomes.name |
// | 1.93.12 and later | pack.cells | pack.vertices | biomesData.name or pack.biomes |
//
// Before there were no vertices, and between vertices without places.

#include "vectors/azgaar.h"

#include "core/json_reader.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Pixels, and elements of a list: Azgaar's maps have at most 100,000 cells.
#define PLACE_MOST 1e6
#define COUNT_MOST (1 << 22)

enum { NO_NUMBER = -1, WHERE_MAX = 24 };

typedef struct Parser {
    JsonReader json; // the first member: place_of
    Azgaar *map;
    const char *list; // what is read: "burgs", element `element` of it (NO_NUMBER: no list), member `key`
    int element;
    char key[WHERE_MAX];
    unsigned sections; // a bit for each that has been read
} Parser;

static void place_of(const JsonReader *json, char *place, size_t size) {
    const Parser *parser = (const Parser *)json;
    if (!parser->list)
        return;
    size_t used = (size_t)snprintf(place, size, "%s", parser->list);
    if (parser->element != NO_NUMBER)
        used += (size_t)snprintf(place + used, size - used, "[%d]", parser->element);
    snprintf(place + used, size - used, "%s%s: ", *parser->key ? "." : "", parser->key);
}

// --- arrays ------------------------------------------------------------------------------------------------

// A new last element, zeroed; NULL after a failure.
static void *add(Parser *parser, AzgaarArray *array, size_t size) {
    if (!json_is_well(&parser->json))
        return NULL;
    if (array->count == COUNT_MOST) {
        json_broken(&parser->json, "more than %d elements", COUNT_MOST);
        return NULL;
    }
    if (array->count == array->room) {
        const int room = array->count + array->count / 2 + 64;
        void *at = memory_enlarge(array->at, (size_t)array->count, (size_t)room, size, parser->json.error);
        if (!at) {
            parser->json.status = STATUS_MEMORY;
            return NULL;
        }
        array->at = at;
        array->room = room;
    }
    void *element = (char *)array->at + (size_t)array->count++ * size;
    memset(element, 0, size);
    return element;
}

// Keeps a text; 0, the empty one, after a failure.
static size_t add_text(Parser *parser, const char *text) {
    const size_t first = (size_t)parser->map->texts.count;
    if (!*text)
        return 0;
    for (const char *at = text;; at++) {
        char *byte = add(parser, &parser->map->texts, 1);
        if (!byte)
            return 0;
        *byte = *at;
        if (!*at)
            return first;
    }
}

// --- members -----------------------------------------------------------------------------------------------

typedef enum MemberKind {
    MEMBER_INTEGER, // int
    MEMBER_NUMBER,  // double: a number, a text of one, or true and false as 1 and 0
    MEMBER_FLAG,    // bool
    MEMBER_TEXT,    // size_t
    MEMBER_NUMBERS, // AzgaarSlice of int
    MEMBER_PLACE,   // AzgaarSlice of one AzgaarPlace
    MEMBER_PLACES,  // AzgaarSlice of AzgaarPlace
} MemberKind;

typedef struct Member {
    const char *key; // NULL ends the table
    MemberKind kind;
    size_t offset;
    bool needed;
} Member;

static double read_number(Parser *parser) {
    JsonReader *json = &parser->json;
    char word[JSON_WORD_MAX];
    if (json_begins_number(json_peek(json)))
        return json_read_number(json);
    if (json->next == 't' || json->next == 'f') {
        json_read_word(json, word);
        return *word == 't';
    }
    if (json->next != '"') {
        json_unexpected(json, "a number");
        return 0;
    }
    json_read_text(json);
    char *end = json->text;
    const double number = json_is_well(json) ? strtod(json->text, &end) : 0;
    if (json_is_well(json) && (end == json->text || *end || !isfinite(number)))
        json_broken(json, "'%.40s' is no number", json->text);
    return number;
}

static int read_integer(Parser *parser) {
    const double number = read_number(parser);
    if (!(fabs(number) <= INT32_MAX) || number != floor(number)) {
        json_broken(&parser->json, "%s is no whole number", digits_of(number).text);
        return 0;
    }
    return whole_int(number);
}

static AzgaarSlice read_numbers(Parser *parser) {
    AzgaarArray *pool = &parser->map->numbers;
    const int begin = pool->count;
    bool first = true;
    json_expect(&parser->json, '[', "'['");
    while (json_next_element(&parser->json, &first)) {
        const int number = read_integer(parser);
        int *at = add(parser, pool, sizeof *at);
        if (at)
            *at = number;
    }
    return (AzgaarSlice){ begin, pool->count - begin };
}

// [x, y], and perhaps more numbers.
static void read_place(Parser *parser) {
    AzgaarPlace place = { 0 };
    int count = 0;
    bool first = true;
    json_expect(&parser->json, '[', "'[' of a place");
    while (json_next_element(&parser->json, &first)) {
        const double number = read_number(parser);
        if (count < 2)
            *(count ? &place.y : &place.x) = number;
        count++;
    }
    if (json_is_well(&parser->json) && count < 2)
        json_broken(&parser->json, "a place has two numbers, not %d", count);
    if (json_is_well(&parser->json) && !(fabs(place.x) <= PLACE_MOST && fabs(place.y) <= PLACE_MOST))
        json_broken(&parser->json, "the place %s, %s is out of range: -1e6 to 1e6", digits_of(place.x).text,
                    digits_of(place.y).text);
    AzgaarPlace *at = add(parser, &parser->map->places, sizeof *at);
    if (at)
        *at = place;
}

static AzgaarSlice read_places(Parser *parser, bool one) {
    const int begin = parser->map->places.count;
    bool first = true;
    if (one) {
        read_place(parser);
    } else {
        json_expect(&parser->json, '[', "'[' of places");
        while (json_next_element(&parser->json, &first))
            read_place(parser);
    }
    return (AzgaarSlice){ begin, parser->map->places.count - begin };
}

static void read_member(Parser *parser, const Member *member, void *object) {
    void *at = (char *)object + member->offset;
    switch (member->kind) {
    case MEMBER_INTEGER:
        *(int *)at = read_integer(parser);
        break;
    case MEMBER_NUMBER:
        *(double *)at = read_number(parser);
        break;
    case MEMBER_FLAG:
        *(bool *)at = read_number(parser) != 0;
        break;
    case MEMBER_TEXT:
        json_read_text(&parser->json);
        *(size_t *)at = json_is_well(&parser->json) ? add_text(parser, parser->json.text) : 0;
        break;
    case MEMBER_NUMBERS:
        *(AzgaarSlice *)at = read_numbers(parser);
        break;
    case MEMBER_PLACE:
    case MEMBER_PLACES:
        *(AzgaarSlice *)at = read_places(parser, member->kind == MEMBER_PLACE);
        break;
    }
}

// Reads an object's members of a table into `object`. Those that are null count as missing. Returns whether
// it has all that are needed; `any`: whether it has any.
static bool read_members(Parser *parser, const Member *members, void *object, bool *any) {
    JsonReader *json = &parser->json;
    char word[JSON_WORD_MAX];
    unsigned seen = 0;
    bool first = true;
    json_expect(json, '{', "'{'");
    while (json_next_key(json, &first)) {
        int found = 0;
        while (members[found].key && strcmp(members[found].key, json->text) != 0)
            found++;
        snprintf(parser->key, sizeof parser->key, "%s", json->text);
        if (!members[found].key) {
            json_skip(json, 0);
        } else if (json_peek(json) == 'n') {
            json_read_word(json, word);
        } else {
            if (seen & 1U << found)
                json_broken(json, "it is there twice");
            read_member(parser, &members[found], object);
            seen |= 1U << found;
        }
        *parser->key = '\0';
    }
    *any = seen != 0;
    for (int i = 0; members[i].key && json_is_well(json); i++)
        if (members[i].needed && !(seen & 1U << i)) {
            snprintf(parser->key, sizeof parser->key, "%s", members[i].key);
            return false;
        }
    return true;
}

// Elements that are no objects, or have nothing of the table, stand for none: numbers often begin with 1.
static void read_list(Parser *parser, const char *name, const Member *members, const void *initial,
                      size_t size, AzgaarArray *array) {
    JsonReader *json = &parser->json;
    bool first = true;
    parser->list = name;
    parser->element = NO_NUMBER;
    if (array->count)
        json_broken(json, "it is there twice");
    json_expect(json, '[', "'['");
    for (parser->element = 0; json_next_element(json, &first); parser->element++) {
        if (json_peek(json) != '{') {
            json_skip(json, 0);
            continue;
        }
        void *object = add(parser, array, size);
        if (!object)
            return;
        memcpy(object, initial, size);
        bool any;
        const bool whole = read_members(parser, members, object, &any);
        if (!any)
            array->count--;
        else if (!whole)
            json_broken(json, "it is missing");
        *parser->key = '\0';
    }
    parser->list = NULL;
}

#define LIST(parser, name, members, Type, initial, array)                                                    \
    read_list(parser, name, members, &(const Type)initial, sizeof(Type), array)

static const Member cell_members[] = {
    { "i", MEMBER_INTEGER, offsetof(AzgaarCell, number), true },
    { "v", MEMBER_NUMBERS, offsetof(AzgaarCell, corners), true },
    { "p", MEMBER_PLACE, offsetof(AzgaarCell, place), true },
    { "h", MEMBER_NUMBER, offsetof(AzgaarCell, height), true },
    { "f", MEMBER_INTEGER, offsetof(AzgaarCell, feature), false },
    { "biome", MEMBER_INTEGER, offsetof(AzgaarCell, biome), false },
    { 0 },
};

static const Member vertex_members[] = {
    { "i", MEMBER_INTEGER, offsetof(AzgaarVertex, number), false },
    { "p", MEMBER_PLACE, offsetof(AzgaarVertex, place), true },
    { 0 },
};

static const Member feature_members[] = {
    { "i", MEMBER_INTEGER, offsetof(AzgaarFeature, number), true },
    { "type", MEMBER_TEXT, offsetof(AzgaarFeature, type), false },
    { "group", MEMBER_TEXT, offsetof(AzgaarFeature, group), false },
    { "name", MEMBER_TEXT, offsetof(AzgaarFeature, name), false },
    { "height", MEMBER_NUMBER, offsetof(AzgaarFeature, height), false },
    { "vertices", MEMBER_NUMBERS, offsetof(AzgaarFeature, corners), false },
    { 0 },
};

static const Member burg_members[] = {
    { "i", MEMBER_INTEGER, offsetof(AzgaarBurg, number), true },
    { "x", MEMBER_NUMBER, offsetof(AzgaarBurg, x), true },
    { "y", MEMBER_NUMBER, offsetof(AzgaarBurg, y), true },
    { "cell", MEMBER_INTEGER, offsetof(AzgaarBurg, cell), false },
    { "name", MEMBER_TEXT, offsetof(AzgaarBurg, name), false },
    { "group", MEMBER_TEXT, offsetof(AzgaarBurg, group), false },
    { "population", MEMBER_NUMBER, offsetof(AzgaarBurg, population), false },
    { "capital", MEMBER_NUMBER, offsetof(AzgaarBurg, capital), false },
    { "port", MEMBER_NUMBER, offsetof(AzgaarBurg, port), false },
    { "removed", MEMBER_FLAG, offsetof(AzgaarBurg, removed), false },
    { 0 },
};

static const Member river_members[] = {
    { "i", MEMBER_INTEGER, offsetof(AzgaarRiver, number), true },
    { "cells", MEMBER_NUMBERS, offsetof(AzgaarRiver, cells), false },
    { "points", MEMBER_PLACES, offsetof(AzgaarRiver, points), false },
    { "parent", MEMBER_INTEGER, offsetof(AzgaarRiver, parent), false },
    { "discharge", MEMBER_NUMBER, offsetof(AzgaarRiver, discharge), false },
    { "width", MEMBER_NUMBER, offsetof(AzgaarRiver, width), false },
    { "name", MEMBER_TEXT, offsetof(AzgaarRiver, name), false },
    { "type", MEMBER_TEXT, offsetof(AzgaarRiver, type), false },
    { 0 },
};

static const Member route_members[] = {
    { "i", MEMBER_INTEGER, offsetof(AzgaarRoute, number), true },
    { "points", MEMBER_PLACES, offsetof(AzgaarRoute, points), false },
    { "group", MEMBER_TEXT, offsetof(AzgaarRoute, group), false },
    { "name", MEMBER_TEXT, offsetof(AzgaarRoute, name), false },
    { 0 },
};

static const Member biome_members[] = {
    { "i", MEMBER_INTEGER, offsetof(AzgaarBiome, number), true },
    { "name", MEMBER_TEXT, offsetof(AzgaarBiome, name), false },
    { 0 },
};

static const Member info_members[] = {
    { "version", MEMBER_TEXT, offsetof(AzgaarInfo, version), false },
    { "mapName", MEMBER_TEXT, offsetof(AzgaarInfo, name), false },
    { "width", MEMBER_NUMBER, offsetof(AzgaarInfo, width), false },
    { "height", MEMBER_NUMBER, offsetof(AzgaarInfo, height), false },
    { 0 },
};

static const Member settings_members[] = {
    { "distanceUnit", MEMBER_TEXT, offsetof(AzgaarSettings, unit), false },
    { "distanceScale", MEMBER_NUMBER, offsetof(AzgaarSettings, scale), false },
    { "heightExponent", MEMBER_NUMBER, offsetof(AzgaarSettings, exponent), false },
    { "populationRate", MEMBER_NUMBER, offsetof(AzgaarSettings, population), false },
    { "urbanization", MEMBER_NUMBER, offsetof(AzgaarSettings, urbanization), false },
    { 0 },
};

static const Member coordinates_members[] = {
    { "latN", MEMBER_NUMBER, offsetof(AzgaarCoordinates, north), false },
    { "latS", MEMBER_NUMBER, offsetof(AzgaarCoordinates, south), false },
    { 0 },
};

// --- versions ----------------------------------------------------------------------------------------------

#define VERSIONS "1.85.02 to 1.93.02 and 1.93.12 or later"

// "1.93.12": whether its files have all that is needed.
static bool is_read(const char *version) {
    long part[3] = { 0 };
    for (int i = 0; i < 3 && *version; i++) {
        char *end;
        part[i] = strtol(version, &end, 10);
        version = *end == '.' ? end + 1 : "";
    }
    const bool placed = part[1] != 93 || part[2] <= 2 || part[2] >= 12;
    return part[0] == 1 && (part[1] > 85 || (part[1] == 85 && part[2] >= 2)) && placed;
}

static void check_version(Parser *parser) {
    const char *version = azgaar_text(parser->map, parser->map->info.version);
    if (!*version)
        json_broken(&parser->json,
                    "it is no export of Azgaar's Fantasy Map Generator, which has info.version");
    else if (!is_read(version))
        json_broken(&parser->json, "its version is %.20s; read are " VERSIONS, version);
}

// What other exports to JSON lack.
static void check_parts(Parser *parser) {
    const Azgaar *map = parser->map;
    const char *lacks = !map->cells.count               ? "cells"
                        : !map->vertices.count          ? "vertices"
                        : isnan(map->settings.exponent) ? "settings.heightExponent"
                                                        : NULL;
    if (lacks)
        json_broken(&parser->json, "it has no %s: only the full export to JSON is read, of " VERSIONS, lacks);
}

// --- the file ----------------------------------------------------------------------------------------------

typedef enum Section { INFO, SETTINGS, COORDINATES } Section;

static void read_section(Parser *parser, Section section, const char *name, const Member *members,
                         void *object) {
    bool any;
    parser->list = name;
    parser->element = NO_NUMBER;
    if (parser->sections & 1U << section)
        json_broken(&parser->json, "it is there twice");
    parser->sections |= 1U << section;
    read_members(parser, members, object, &any);
    parser->list = NULL;
}

// Names of biomes by their number: a list of objects, or an object of lists.
static void read_biomes(Parser *parser) {
    JsonReader *json = &parser->json;
    bool first = true, begins = true;
    if (json_peek(json) == '[') {
        LIST(parser, "biomes", biome_members, AzgaarBiome, { 0 }, &parser->map->biomes);
        return;
    }
    json_expect(json, '{', "'{' of biomes");
    while (json_next_key(json, &first)) {
        if (strcmp(json->text, "name") != 0 || parser->map->biomes.count) {
            json_skip(json, 0);
            continue;
        }
        json_expect(json, '[', "'[' of names");
        while (json_next_element(json, &begins)) {
            json_read_text(json);
            AzgaarBiome *biome = add(parser, &parser->map->biomes, sizeof *biome);
            if (biome)
                *biome = (AzgaarBiome){ parser->map->biomes.count - 1, add_text(parser, json->text) };
        }
    }
}

static void read_vertices(Parser *parser) {
    LIST(parser, "vertices", vertex_members, AzgaarVertex, { .number = NO_NUMBER }, &parser->map->vertices);
}

static void read_pack(Parser *parser) {
    JsonReader *json = &parser->json;
    Azgaar *map = parser->map;
    bool first = true;
    json_expect(json, '{', "'{' of cells and what lies on them");
    while (json_next_key(json, &first)) {
        const char *key = json->text;
        if (strcmp(key, "cells") == 0)
            LIST(parser, "cells", cell_members, AzgaarCell, { 0 }, &map->cells);
        else if (strcmp(key, "vertices") == 0)
            read_vertices(parser);
        else if (strcmp(key, "features") == 0)
            LIST(parser, "features", feature_members, AzgaarFeature, { .height = NAN }, &map->features);
        else if (strcmp(key, "burgs") == 0)
            LIST(parser, "burgs", burg_members, AzgaarBurg, { .cell = NO_NUMBER }, &map->burgs);
        else if (strcmp(key, "rivers") == 0)
            LIST(parser, "rivers", river_members, AzgaarRiver, { 0 }, &map->rivers);
        else if (strcmp(key, "routes") == 0)
            LIST(parser, "routes", route_members, AzgaarRoute, { 0 }, &map->routes);
        else if (strcmp(key, "biomes") == 0)
            read_biomes(parser);
        else
            json_skip(json, 0);
    }
}

static void read_top(Parser *parser) {
    JsonReader *json = &parser->json;
    Azgaar *map = parser->map;
    bool first = true;
    json_expect(json, '{', "'{'");
    while (json_next_key(json, &first)) {
        const char *key = json->text;
        if (strcmp(key, "info") == 0)
            read_section(parser, INFO, "info", info_members, &map->info);
        else if (strcmp(key, "settings") == 0)
            read_section(parser, SETTINGS, "settings", settings_members, &map->settings);
        else if (strcmp(key, "mapCoordinates") == 0 || strcmp(key, "coords") == 0)
            read_section(parser, COORDINATES, key[0] == 'c' ? "coords" : "mapCoordinates",
                         coordinates_members, &map->coordinates);
        else if (strcmp(key, "pack") == 0 || strcmp(key, "cells") == 0) {
            if (map->info.version) // else it may follow
                check_version(parser);
            read_pack(parser);
        } else if (strcmp(key, "vertices") == 0)
            read_vertices(parser);
        else if (strcmp(key, "biomesData") == 0 || strcmp(key, "biomes") == 0)
            read_biomes(parser);
        else
            json_skip(json, 0);
    }
}

// --- checks ------------------------------------------------------------------------------------------------

static int number_of(const void *element) { // the first member of each
    return *(const int *)element;
}

static int compare_numbers(const void *a, const void *b) {
    return (number_of(a) > number_of(b)) - (number_of(a) < number_of(b));
}

// The order of the file counts for nothing.
static void sort_list(Parser *parser, const char *name, AzgaarArray *array, size_t size, bool is_index) {
    if (!array->count || !json_is_well(&parser->json))
        return;
    qsort(array->at, (size_t)array->count, size, compare_numbers);
    for (int i = 0; i < array->count; i++) {
        const int number = number_of((char *)array->at + (size_t)i * size);
        if (i && number == number_of((char *)array->at + (size_t)(i - 1) * size))
            json_broken(&parser->json, "%s: two have the number %d", name, number);
        else if (is_index && number != i)
            json_broken(&parser->json, "%s: number %d is missing", name, i);
    }
}

static void number_vertices(Parser *parser) {
    AzgaarVertex *vertices = parser->map->vertices.at;
    for (int i = 0; i < parser->map->vertices.count; i++)
        vertices[i].number = vertices[i].number == NO_NUMBER ? i : vertices[i].number;
}

static void sort_lists(Parser *parser) {
    Azgaar *map = parser->map;
    number_vertices(parser);
    sort_list(parser, "cells", &map->cells, sizeof(AzgaarCell), true);
    sort_list(parser, "vertices", &map->vertices, sizeof(AzgaarVertex), true);
    sort_list(parser, "features", &map->features, sizeof(AzgaarFeature), false);
    sort_list(parser, "burgs", &map->burgs, sizeof(AzgaarBurg), false);
    sort_list(parser, "rivers", &map->rivers, sizeof(AzgaarRiver), false);
    sort_list(parser, "routes", &map->routes, sizeof(AzgaarRoute), false);
    sort_list(parser, "biomes", &map->biomes, sizeof(AzgaarBiome), false);
}

static void check_indices(Parser *parser, const char *name, int number, AzgaarSlice slice, int least,
                          const char *kind, int count) {
    const int *at = azgaar_numbers(parser->map, slice);
    for (int i = 0; i < slice.count && json_is_well(&parser->json); i++)
        if (at[i] < least || at[i] >= count)
            json_broken(&parser->json, "%s %d names %s %d, but there are %d", name, number, kind, at[i],
                        count);
}

static void check_burgs(Parser *parser) {
    const Azgaar *map = parser->map;
    const AzgaarBurg *burgs = map->burgs.at;
    for (int i = 0; i < map->burgs.count; i++) {
        const AzgaarBurg *burg = &burgs[i];
        if (!(fabs(burg->x) <= PLACE_MOST && fabs(burg->y) <= PLACE_MOST))
            json_broken(&parser->json, "burg %d lies out of range: at %s, %s", burg->number,
                        digits_of(burg->x).text, digits_of(burg->y).text);
        if (burg->cell >= map->cells.count)
            json_broken(&parser->json, "burg %d names cell %d, but there are %d", burg->number, burg->cell,
                        map->cells.count);
    }
}

static void check_elements(Parser *parser) {
    const Azgaar *map = parser->map;
    const AzgaarCell *cells = azgaar_cells(map);
    const AzgaarFeature *features = map->features.at;
    const AzgaarRiver *rivers = map->rivers.at;
    for (int i = 0; i < map->cells.count && json_is_well(&parser->json); i++) {
        check_indices(parser, "cell", i, cells[i].corners, 0, "vertex", map->vertices.count);
        if (!(cells[i].height >= 0 && cells[i].height <= 100))
            json_broken(&parser->json, "cell %d has the height %s, not 0 to 100", i,
                        digits_of(cells[i].height).text);
    }
    for (int i = 0; i < map->features.count; i++)
        check_indices(parser, "feature", features[i].number, features[i].corners, 0, "vertex",
                      map->vertices.count);
    for (int i = 0; i < map->rivers.count; i++)
        check_indices(parser, "river", rivers[i].number, rivers[i].cells, -1, "cell", map->cells.count);
    check_burgs(parser);
}

static void check_settings(Parser *parser) {
    Azgaar *map = parser->map;
    AzgaarInfo *info = &map->info;
    if (!(map->settings.exponent >= 0.1 && map->settings.exponent <= 5))
        json_broken(&parser->json, "settings.heightExponent is %s, not 0.1 to 5",
                    digits_of(map->settings.exponent).text);
    if (isnan(info->width) || isnan(info->height)) { // before 1.97.08: as far as cells reach
        info->width = info->height = 1;
        for (int i = 0; i < map->vertices.count; i++) {
            info->width = max(info->width, azgaar_vertex(map, i).x);
            info->height = max(info->height, azgaar_vertex(map, i).y);
        }
    }
    if (!(info->width >= 1 && info->height >= 1 && info->width <= PLACE_MOST && info->height <= PLACE_MOST))
        json_broken(&parser->json, "info: the map has %s × %s pixels, not 1 to 1e6",
                    digits_of(info->width).text, digits_of(info->height).text);
}

Status azgaar_read(FILE *from, const char *path, Azgaar **made, Error *error) {
    Azgaar *map = *made = memory_new_zeroed(1, sizeof *map, error);
    if (!map)
        return STATUS_MEMORY;
    Parser parser = { .map = map };
    map->info.width = map->info.height = NAN;
    map->settings = (AzgaarSettings){ .scale = NAN, .exponent = NAN, .population = 1, .urbanization = 1 };
    map->coordinates = (AzgaarCoordinates){ NAN, NAN };
    json_begin(&parser.json, from, path, error);
    parser.json.place = place_of;
    add(&parser, &map->texts, 1);
    if (json_is_well(&parser.json))
        read_top(&parser);
    json_end(&parser.json);
    if (json_is_well(&parser.json))
        check_version(&parser);
    if (json_is_well(&parser.json))
        check_parts(&parser);
    if (json_is_well(&parser.json))
        check_settings(&parser);
    sort_lists(&parser);
    if (json_is_well(&parser.json))
        check_elements(&parser);
    return parser.json.status;
}

void azgaar_free(Azgaar *map) {
    if (!map)
        return;
    AzgaarArray *const arrays[] = { &map->cells,  &map->vertices, &map->features, &map->burgs,  &map->rivers,
                                    &map->routes, &map->biomes,   &map->numbers,  &map->places, &map->texts,
                                    NULL };
    for (AzgaarArray *const *each = arrays; *each; each++)
        memory_free((*each)->at);
    memory_free(map);
}
