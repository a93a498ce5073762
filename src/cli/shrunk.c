// Small pictures of large ones: require "esker.shrunk".

#include "cli/modules.h"

#include "core/math.h"
#include "lua/binding.h"

#include <lauxlib.h>

// The mean of a block of pixels, each weighed by its alpha.
static Pixel mean_of(const Image *image, int x1, int y1, int x2, int y2) {
    uint64_t red = 0, green = 0, blue = 0, alpha = 0;
    for (int y = y1; y < y2; y++)
        for (int x = x1; x < x2; x++) {
            const Pixel pixel = image_row(image, y)[x];
            red += (uint64_t)pixel.red * pixel.alpha;
            green += (uint64_t)pixel.green * pixel.alpha;
            blue += (uint64_t)pixel.blue * pixel.alpha;
            alpha += pixel.alpha;
        }
    const uint64_t count = (uint64_t)(x2 - x1) * (uint64_t)(y2 - y1), half = alpha / 2;
    if (alpha == 0)
        return (Pixel){ 0 };
    return (Pixel){ (uint8_t)((red + half) / alpha), (uint8_t)((green + half) / alpha),
                    (uint8_t)((blue + half) / alpha), (uint8_t)((alpha + count / 2) / count) };
}

// shrunk.image(image, side): reduced by a whole factor to at most `side` pixels along a side; blocks at its
// right and lower edge may be smaller.
static int shrink(lua_State *L) {
    const Image *image = to_image(L, 1);
    const int side = (int)luaL_checkinteger(L, 2);
    if (!image || side < 1)
        return luaL_error(L, "shrunk.image takes an image and a positive number");
    const int factor = (max(image->width, image->height) + side - 1) / side;
    Image *small = push_image(L);
    Error error;
    if (image_create(small, (image->width + factor - 1) / factor, (image->height + factor - 1) / factor,
                     &error) != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    for (int y = 0; y < small->height; y++)
        for (int x = 0; x < small->width; x++)
            image_row(small, y)[x] =
                mean_of(image, x * factor, y * factor, min((x + 1) * factor, image->width),
                        min((y + 1) * factor, image->height));
    return 1;
}

static const luaL_Reg functions[] = { { "image", shrink }, { NULL, NULL } };

static int open_shrunk(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_shrunk(lua_State *L) {
    luaL_requiref(L, "esker.shrunk", open_shrunk, 0);
    lua_pop(L, 1);
}
