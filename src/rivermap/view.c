#include "rivermap/view.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"
#include "land/edits.h"
#include "rivers/network.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- places ------------------------------------------------------------------------------------------------

static int hexadecimal_value(char digit) {
    return digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10;
}

// `digits` are those after 0x.
static Int128 place_from_hexadecimal(const char *digits) {
    const char *power = digits + strcspn(digits, "pP"),
               *point = memchr(digits, '.', (size_t)(power - digits));
    const int64_t far = (int64_t)1 << 40; // more digits than a text has
    const int64_t exponent = *power ? strtoll(power + 1, NULL, 10) : 0;
    int64_t shift = PLACE_BITS + min(max(exponent, -far), far) + 4 * ((point ? point : power) - digits);
    Int128 place = 0;
    for (const char *digit = digits; digit < power; digit++) {
        if (digit == point)
            continue;
        shift -= 4;
        const Int128 value = hexadecimal_value(*digit);
        if (value > 0) // no digit is worth more than 1: the number was checked
            place += shift >= 0 ? value << shift : shift > -4 ? value >> -shift : 0;
    }
    return place;
}

Int128 place_from_decimal(Decimal decimal) {
    const Int128 one = (Int128)1 << PLACE_BITS;
    if (!decimal.text) {
        int exponent;
        const Int128 digits = whole_128(ldexp(frexp(decimal.number, &exponent), 53));
        const int shift = PLACE_BITS - 53 + exponent;
        return shift >= 0 ? digits << shift : shift > -64 ? digits >> -shift : 0;
    }
    const char *prefix = strpbrk(decimal.text, "xX");
    if (prefix)
        return place_from_hexadecimal(prefix + 1);
    const char *point = strchr(decimal.text, '.');
    Int128 place = 0;
    const char *end = decimal.text + strlen(decimal.text), *whole_end = point ? point : end;
    for (const char *digit = end - 1; digit > whole_end; digit--)
        place = (place + (*digit - '0') * one) / 10;
    for (const char *digit = decimal.text; digit < whole_end; digit++)
        place += *digit == '1' ? one : 0; // the whole part is 0 or 1: the number was checked
    return place;
}

PlaceDigits place_digits(Int128 place, Int128 apart, bool up) {
    const Int128 one = (Int128)1 << PLACE_BITS;
    Int128 step = one; // of the last digit
    int count = 0;
    for (; step > apart && count < 36; count++)
        step /= 10;
    place += up ? step - 1 : 0;
    if (place >= one)
        return (PlaceDigits){ "1" };
    PlaceDigits digits = { "0." };
    for (int i = 0; i < count; i++) {
        place = (place % one) * 10;
        digits.text[2 + i] = (char)('0' + (int)(place / one));
    }
    while (count >= 0 && strchr("0.", digits.text[1 + count]))
        digits.text[1 + count--] = 0;
    return digits;
}

int log2_below(double number) {
    int exponent;
    frexp(number, &exponent);
    return exponent - 1;
}

int log2_above(double number) {
    int exponent;
    return frexp(number, &exponent) == 0.5 ? exponent - 1 : exponent;
}

double pixel_centre(Int128 centre, Int128 pixel, int pixels, int i) {
    const Int128 place = centre + (2 * (Int128)i + 1 - pixels) * pixel / 2;
    return ldexp((double)place, -PLACE_BITS);
}

// --- windows -----------------------------------------------------------------------------------------------

static const Int128 one = (Int128)1 << PLACE_BITS;

// The first centre of a window that lies on the map, along an axis in which the map is the middle `part` of
// its side: 1, or one half for a planet's latitudes. The last is as far from the other end.
static Int128 first_centre(Int128 half, double part) {
    return whole_128(ldexp((1 - part) / 2, PLACE_BITS)) + half;
}

static Int128 moved_inside(Int128 centre, Int128 half, double part) {
    const Int128 least = first_centre(half, part), most = one - least;
    return centre < least ? least : centre > most ? most : centre;
}

// The window must be on the map. Bounds are printed with enough digits to reproduce them.
static Status check_window(const char *name, Decimal given, Int128 half, double part, bool inside,
                           Error *error) {
    const Int128 hair = (half >> 24) + 1;
    const Int128 centre = place_from_decimal(given), least = first_centre(half, part), most = one - least;
    if (centre >= least - hair && centre <= most + hair)
        return STATUS_OK;
    if (least > most + hair)
        return fail(error, STATUS_INVALID,
                    "the window is larger than the map: a planet is twice as wide as high");
    if (inside)
        return STATUS_OK;
    const Int128 rounding = hair >> 10; // of a pixel's side, which would make 0.50000001 of 0.5
    const PlaceDigits from = place_digits(least - rounding, hair, true),
                      to = place_digits(most + rounding, hair, false);
    const bool one_place = most - least <= hair;
    return fail(error, STATUS_INVALID, "the window leaves the map: at this zoom %s must be %s%s%s, got %s",
                name, from.text, one_place ? "" : " to ", one_place ? "" : to.text,
                given.text ? given.text : digits_of(given.number).text);
}

// How many of `most` whole pixels fit into a stretch of the map.
static int pixels_in(Int128 stretch, Int128 pixel, int most) {
    const Int128 hair = pixel >> 20; // what rounding may lack
    int count = 0;
    while (count < most && pixel * (count + 1) <= stretch + hair)
        count++;
    return count;
}

// Instead of the whole: a cube's face and a Mercator map go on beyond their edges, as far as places go.
#define ENDLESS 100.0

// Adds the border along one axis, in which the map is the middle `part` of its side.
static void add_border(Int128 *centre, int *pixels, Int128 pixel, int border, double part) {
    const Int128 half = pixel * *pixels / 2, least = first_centre(half, part);
    const int before = pixels_in(*centre - least, pixel, border);
    const int after = pixels_in(one - least - *centre, pixel, border);
    *centre += pixel * (after - before) / 2;
    *pixels += before + after;
}

// Around a planet the border goes on beyond the map's sides, but shows nothing twice.
static void add_border_around(View *view, int border) {
    const Int128 rest = one - view->pixel * view->width;
    view->width += 2 * pixels_in(rest / 2, view->pixel, border);
}

double map_max_pixels(const RiverMap *map) {
    return min(map->tiling->raw->max_pixels, map->land->max_pixels); // all land begins with raw land
}

// How much of the square with the map's side a whole map takes from top to bottom.
static double whole_height(const View *view) {
    return view->map->tiling->planet && view->projection == PROJECTION_EQUIRECTANGULAR ? 0.5 : 1;
}

// Of no more than its size is known: below zoom 2 a square is higher than the map of a planet.
static bool is_halved(const View *view, const Call *call, double zoom) {
    return call->only_size && zoom * whole_height(view) < 1;
}

// --- grids of pixels ---------------------------------------------------------------------------------------

// The pixels of a grid that is no power of two have places that are no binary numbers. Windows of one grid
// agree if a pixel has the same place in all of them, to the bit: so how many pixels there are along the map,
// and where the first one begins, must not be rounded in another way in each window.

// A fraction with a small denominator that rounding has missed, as (256 / 237) · 237 does, is meant: the
// window's grid is that of windows which hit it. By continued fractions, whose convergents come nearest.
static double pixels_along(double zoom, int longer) {
    enum { DENOMINATOR = 1000 };
    const double pixels = zoom * longer, hair = pixels * 0x1p-50;
    const double power = ldexp(1, log2_below(pixels + hair));
    if (pixels - power <= hair)
        return power;
    double rest = pixels, above = 1, below = 0, last_above = 0, last_below = 1;
    while (below < DENOMINATOR && hair * below * below < 0.25) {
        const double whole = floor(rest + (below == 0 ? hair : 0));
        const double next_above = whole * above + last_above, next_below = whole * below + last_below;
        last_above = above, last_below = below, above = next_above, below = next_below;
        if (fabs(above / below - pixels) <= hair)
            return below <= DENOMINATOR ? above / below : pixels;
        rest = 1 / (rest - whole);
    }
    return pixels;
}

// The whole part of numerator · 2^bits / divisor, a positive number of at most 53 bits.
static Int128 divided(Int128 numerator, int bits, Int128 divisor) {
    enum { STEP = 64 };
    assert(divisor > 0);
    Int128 whole = numerator / divisor, rest = numerator % divisor;
    if (rest < 0) {
        rest += divisor;
        whole--;
    }
    for (int step; bits > 0; bits -= step) {
        step = min(bits, STEP);
        rest <<= step;
        whole = whole * ((Int128)1 << step) + rest / divisor;
        rest %= divisor;
    }
    return whole;
}

// The centre of `count` pixels of which the first begins at the nearest 2^-32 of a pixel from the map's
// corner, or, where a number cannot say that, at the nearest part that it can.
static Int128 snapped(const View *view, Int128 centre, Decimal given, int count) {
    enum { PARTS = 32, NUMBER = 51, HALF = 60 };
    int exponent;
    const Int128 pixels = whole_128(ldexp(frexp(view->pixels, &exponent), 53)); // · 2^(exponent - 53)
    const int parts = given.text ? PARTS : min((int)PARTS, NUMBER - exponent);
    if ((view->pixel & (view->pixel - 1)) == 0 || exponent >= NUMBER)
        return centre;
    const Int128 half = view->pixel * count / 2, left = centre - half, low = left & (((Int128)1 << HALF) - 1);
    const Int128 product = (left >> HALF) * pixels + (low * pixels >> HALF); // in 2^-60 · 2^(53 - exponent)
    const int shift = HALF + 53 - exponent - parts;
    const Int128 first = (product + ((Int128)1 << (shift - 1))) >> shift;
    return divided(first, PLACE_BITS - parts + 53 - exponent, pixels) + half;
}

// -----------------------------------------------------------------------------------------------------------

// The metres of web maps are those of the earth, whatever the planet.
static Status set_lengths(View *view, const WindowRequest *asked, Error *error) {
    const double metres = view->map->metres;
    const bool planet = view->map->tiling->planet, mercator = view->projection == PROJECTION_MERCATOR;
    const double asked_length = planet ? asked->radius : asked->side;
    if (planet ? asked->side > 0 : asked->radius > 0)
        return fail(error, STATUS_INVALID,
                    planet ? "side is for flat maps: this one is a planet (radius)"
                           : "radius is for planets: this map is flat (side)");
    if (metres > 0 && asked_length > 0 && asked_length != metres)
        return fail(error, STATUS_INVALID,
                    "%s must be the map's, %s m, got %s; another one is for river_map, and makes other land",
                    planet ? "radius" : "side", digits_of(metres).text, digits_of(asked_length).text);
    const double length = metres > 0 ? metres : asked_length;
    view->side = planet ? 0 : length;
    view->radius = planet ? length : 0;
    if (!(view->radius > 0) || (mercator && metres > 0))
        return STATUS_OK;
    if (mercator)
        return fail(error, STATUS_INVALID,
                    "radius is not for the projection \"mercator\", whose coordinates are those of web maps");
    char system[200];
    snprintf(system, sizeof system,
             "GEOGCS[\"planet\",DATUM[\"planet\",SPHEROID[\"planet\",%s,0]],"
             "PRIMEM[\"Reference meridian\",0],UNIT[\"degree\",0.0174532925199433]]",
             digits_of(view->radius).text);
    return frame_text(system, FRAME_SYSTEM_MAX, &view->system, error);
}

// Map, size and position, of a window that may leave the map.
static Status lay_window(View *view, const Call *call, const WindowRequest *asked, Error *error) {
    const RiverMap *map = call->inputs[0].value;
    view->map = map;
    const double max_pixels = map_max_pixels(map);
    const int longer = max(call->width, call->height);
    const double pixels =
        asked->pixels > 0 ? pixels_along(asked->pixels, 1) : pixels_along(asked->zoom, longer);
    if (!(pixels <= max_pixels))
        return fail(error, STATUS_INVALID, "zoom must be at most %s at this size, got %s",
                    digits_of(max_pixels / longer).text, digits_of(asked->zoom).text);
    const Status status = set_lengths(view, asked, error);
    if (status != STATUS_OK)
        return status;
    view->run = call->run;
    view->width = call->width;
    view->height = is_halved(view, call, asked->zoom) ? call->width / 2 : call->height;
    view->pixel = whole_128(ldexp(1 / pixels, PLACE_BITS));
    view->pixels = pixels;
    view->x = view->centre_x = snapped(view, place_from_decimal(asked->x), asked->x, view->width);
    view->y = view->centre_y = snapped(view, place_from_decimal(asked->y), asked->y, view->height);
    view->line_basin = map->constants.width > 0 && !view->whole_pixels
                           ? (float)((double)CHANNEL_MIN / (double)map->constants.width / pixels)
                           : INFINITY;
    return STATUS_OK;
}

static void move_inside(View *view) {
    if (!view_goes_round(view))
        view->x = moved_inside(view->x, view->pixel * view->width / 2, 1);
    view->y = moved_inside(view->y, view->pixel * view->height / 2, whole_height(view));
    view->centre_x = view->x;
    view->centre_y = view->y;
}

Status view_set(View *view, const Call *call, const WindowRequest *asked, Error *error) {
    Status status = lay_window(view, call, asked, error);
    if (status != STATUS_OK)
        return status;
    const double part = whole_height(view);
    if (!view_goes_round(view))
        status = check_window("x", asked->x, view->pixel * view->width / 2, 1, asked->inside, error);
    if (status == STATUS_OK)
        status = check_window("y", asked->y, view->pixel * view->height / 2, part, asked->inside, error);
    if (status != STATUS_OK)
        return status;
    if (asked->inside)
        move_inside(view);
    const bool endless = view->projection == PROJECTION_CUBE || view->projection == PROJECTION_MERCATOR;
    if (view_goes_round(view) && !endless)
        add_border_around(view, asked->border);
    else
        add_border(&view->x, &view->width, view->pixel, asked->border, endless ? ENDLESS : 1);
    add_border(&view->y, &view->height, view->pixel, asked->border, endless ? ENDLESS : part);
    return max(view->width, view->height) <= SIDE_MAX
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "with its border the window has more than %d cells a side",
                      SIDE_MAX);
}

Status view_set_point(View *view, const Call *call, const WindowRequest *asked, Error *error) {
    const Status status = lay_window(view, call, asked, error);
    const double part = whole_height(view), y = ldexp((double)view->y, -PLACE_BITS);
    if (status != STATUS_OK || fabs(y - 0.5) <= part / 2)
        return status;
    return fail(error, STATUS_INVALID,
                "y must be %s to %s, from pole to pole: a planet is twice as wide as high; got %s",
                digits_of((1 - part) / 2).text, digits_of((1 + part) / 2).text,
                asked->y.text ? asked->y.text : digits_of(y).text);
}

bool map_has_lakes(const RiverMap *map) {
    return map->lakes > 0 || edits_have_lakes(map->edits, 0, EDIT_ENTRY_MAX);
}

Status view_project(View *view, const RiverMap *map, int projection, int face, const Numbers *rotation,
                    Error *error) {
    if (!map->tiling->planet && (projection != PROJECTION_EQUIRECTANGULAR || face || rotation->count > 0))
        return fail(error, STATUS_INVALID, "projection, face and rotation are for planets; this map is flat");
    if (face && projection != PROJECTION_CUBE)
        return fail(error, STATUS_INVALID, "only the projection \"cube\" has faces");
    view->projection = (Projection)projection;
    view->face = face;
    view->longitude = rotation->at[0];
    view->latitude = rotation->at[1];
    return STATUS_OK;
}

Status view_on_face(View *view, const RiverMap *map, int face, Error *error) {
    *view = (View){ .projection = face ? PROJECTION_CUBE : PROJECTION_EQUIRECTANGULAR,
                    .face = face ? face - 1 : 0 };
    return !face || map->tiling->planet
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "face is for planets; this map is flat");
}

void view_shrink(View *view, int side) {
    view->width = view->height = side;
    move_inside(view);
}

Status view_field(Field *field, const View *view, Error *error) {
    const Status status = field_create(field, view->width, view->height, error);
    if (status == STATUS_OK)
        memset(field_cells(field), 0, field_count(field) * sizeof(float));
    return status;
}

Status view_draw(const View *view, Error *error) {
    Field *const fields[] = { view->altitude, view->river, view->flow };
    Status status = STATUS_OK;
    for (int i = 0; i < (view->map->land->flow ? 3 : 2) && status == STATUS_OK; i++)
        status = field_create(fields[i], view->width, view->height, error);
    if (status == STATUS_OK && view->water && map_has_lakes(view->map))
        status = field_create(view->water, view->width, view->height, error);
    if (status == STATUS_OK && view->lake_level && map_has_lakes(view->map))
        status = field_create(view->lake_level, view->width, view->height, error);
    if (status == STATUS_OK && view->salt && map_has_lakes(view->map))
        status = view_field(view->salt, view, error);
    if (status == STATUS_OK && view->level)
        status = field_create(view->level, view->width, view->height, error);
    const bool no_lakes = view->map->lakes <= 0;
    Field *const wet[] = { view->discharge, view->wadi, view->discharge && no_lakes ? view->water : NULL };
    for (int i = 0; i < 3 && status == STATUS_OK && view->map->watered; i++)
        if (wet[i])
            status = view_field(wet[i], view, error);
    if (status != STATUS_OK)
        return status;
    memset(field_cells(view->river), 0, field_count(view->river) * sizeof(float));
    return view->map->land->render(view, error);
}

KERNEL static void raise_rows(void *context, int first, int end) {
    const View *view = context;
    const double height = view_height(view);
    const bool wet = view->water && map_has_lakes(view->map);
    for (int y = first; y < end; y++) {
        float *row = field_row(view->altitude, y);
        float *water = wet ? field_row(view->water, y) : NULL;
        float *level = view->level ? field_row(view->level, y) : NULL;
        for (int x = 0; x < view->width; x++)
            row[x] = (float)((double)row[x] * height);
        for (int x = 0; x < view->width && water; x++)
            water[x] = (float)((double)water[x] * height);
        for (int x = 0; x < view->width && level; x++)
            level[x] = (float)((double)level[x] * height);
    }
}

Status view_raise(const View *view) {
    if (view_height(view) == 1)
        return STATUS_OK;
    return parallel_rows(view->run, view->height, view->width * 0.5, raise_rows, (void *)view);
}

// The metres of a disk seen from afar, or of the plane that touches a face of the cube in its middle.
static Frame projected_frame(const View *view, double left, double top, double cell) {
    const double radius = view->radius;
    return radius > 0 ? (Frame){ .x = radius * (2 * left - 1),
                                 .y = radius * (1 - 2 * top),
                                 .right_x = 2 * radius * cell,
                                 .down_y = -2 * radius * cell,
                                 .unit = "m" }
                      : (Frame){ 0 };
}

// Degrees, or metres of web maps, where the map's middle is on the equator.
static Frame planet_frame(const View *view, double left, double top, double cell) {
    if (view->projection == PROJECTION_ORTHOGRAPHIC || view->projection == PROJECTION_CUBE)
        return projected_frame(view, left, top, cell);
    enum { DEGREES = 360 };
    const double metres = 40075016.685578488; // along the equator: 2 π · 6378137
    if (view->latitude != 0)
        return (Frame){ 0 };
    if (view->projection == PROJECTION_EQUIRECTANGULAR)
        return (Frame){ .x = DEGREES * (left - 0.5) + view->longitude,
                        .y = DEGREES * (0.5 - top),
                        .right_x = DEGREES * cell,
                        .down_y = -DEGREES * cell,
                        .system = view->system,
                        .unit = view->radius > 0 ? "m" : PLANET_UNIT };
    if (view->projection == PROJECTION_MERCATOR)
        return (Frame){ .x = metres * (left - 0.5 + view->longitude / DEGREES),
                        .y = metres * (0.5 - top),
                        .right_x = metres * cell,
                        .down_y = -metres * cell,
                        .system = "EPSG:3857",
                        .unit = view->radius > 0 ? "m" : PLANET_UNIT };
    return (Frame){ 0 };
}

static Frame flat_frame(const View *view, double left, double top, double cell) {
    const bool known = view->side > 0;
    const double side = known ? view->side : 1;
    return (Frame){ .x = side * left,
                    .y = side * (1 - top),
                    .right_x = side * cell,
                    .down_y = -side * cell,
                    .unit = known ? "m" : MAP_UNIT };
}

Frame view_frame(const View *view) {
    const double left = ldexp((double)view_left(view), -PLACE_BITS),
                 top = ldexp((double)view_top(view), -PLACE_BITS), cell = 1 / view->pixels;
    Frame frame =
        view->map->tiling->planet ? planet_frame(view, left, top, cell) : flat_frame(view, left, top, cell);
    const LandMethods *land = view->map->land;
    if (frame_is_set(&frame) && (view->side > 0 || view->radius > 0 || land->top))
        frame.top = view_height(view) * (land->top ? land->top(view->map) : 1);
    const Datum sea = { .depth = 0 };
    if (view->datum && frame_is_set(&frame))
        frame.sea = -datum_above(view->datum, &sea) * view_height(view);
    return frame;
}

// --- the zero of a relative window's altitudes -------------------------------------------------------------

// A map knows the altitude of its land exactly. What wide rivers make of it is only drawn, so it is found by
// drawing a pixel.

static bool has_wide_rivers(const View *view) {
    return view->map->constants.rivers && view->line_basin < INFINITY && !view->map->tiling->planet;
}

// What a window of one pixel shows above the datum, in map units.
static Status show_pixel(const View *pixel, bool wide_rivers, double *shown, Error *error) {
    Field fields[3] = { 0 };
    View view = *pixel;
    view.altitude = &fields[0];
    view.river = &fields[1];
    view.flow = &fields[2];
    view.whole_pixels = !wide_rivers;
    view.line_basin = wide_rivers ? view.line_basin : INFINITY;
    const Status status = view_draw(&view, error);
    if (status == STATUS_OK)
        *shown = (double)*field_cells(&fields[0]);
    for (int i = 0; i < 3; i++)
        field_free(&fields[i]);
    return status;
}

// To where a wide river has shaped the land. A float shows 24 bits of how far it has been moved, so that a
// few rounds reach the altitude itself.
static Status raise_datum(const View *pixel, Datum *datum, Error *error) {
    enum { ROUNDS = 8 };
    double bare = 0, shown = 0;
    Status status = show_pixel(pixel, false, &bare, error);
    if (status == STATUS_OK)
        status = show_pixel(pixel, true, &shown, error);
    const bool shaped = shown != bare;
    for (int round = 0; round < ROUNDS && shaped && shown != 0 && status == STATUS_OK; round++) {
        datum->raised += whole_128(ldexp(shown / datum->unit, datum->depth));
        status = show_pixel(pixel, true, &shown, error);
    }
    return status;
}

Status view_datum(const View *view, Datum *datum, Error *error) {
    View centre = *view;
    centre.x = view->centre_x;
    centre.y = view->centre_y;
    centre.width = centre.height = 1;
    centre.altitude = NULL;
    centre.datum = datum;
    const Status status = view->map->land->datum(&centre, datum, error);
    return status == STATUS_OK && has_wide_rivers(view) ? raise_datum(&centre, datum, error) : status;
}

Status check_from(Decimal x, Decimal y, double zoom, Error *error) {
    if (!isnan(zoom) || (isnan(x.number) && isnan(y.number)))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s needs from_zoom, the zoom of the window with this centre",
                isnan(x.number) ? "from_y" : "from_x");
}

static Decimal or_middle(Decimal place) {
    const Decimal middle = { .number = 0.5 };
    return isnan(place.number) ? middle : place;
}

Status view_datum_of(const View *view, const WindowRequest *from, const Call *call, Datum *datum,
                     Error *error) {
    View other = *view;
    WindowRequest asked = *from;
    asked.x = or_middle(from->x);
    asked.y = or_middle(from->y);
    const Status status = view_set_point(&other, call, &asked, error);
    return status == STATUS_OK ? view_datum(&other, datum, error) : status;
}

void view_place_network(const View *view, RiverNetwork *network) {
    network->left = ldexp((double)view_left(view), -PLACE_BITS);
    network->top = ldexp((double)view_top(view), -PLACE_BITS);
    network->cell = 1 / view->pixels;
    network->width = view->width;
    network->height = view->height;
    network->exact_left = view_left(view);
    network->exact_top = view_top(view);
    network->exact_cell = view->pixel;
    network->planet = view->map->tiling->planet;
    network->frame = view_frame(view);
    for (int i = 0; i < network->point_count; i++)
        network->points[i].altitude = (float)((double)network->points[i].altitude * view_height(view));
}
