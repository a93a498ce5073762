// Contact sheets with captions: require "esker.canvas". Uses cairo, optional at build time.

#include "cli/modules.h"

#include "core/dynamic_library.h"
#include "core/math.h"
#include "lua/binding.h"

#include <string.h>

#ifdef ESKER_CAIRO

#include <cairo.h>

#define CAIRO(function)                                                                                      \
    function(cairo_, clip) function(cairo_, create) function(cairo_, destroy) function(cairo_, get_source)   \
        function(cairo_, image_surface_create) function(cairo_, image_surface_get_data)                      \
            function(cairo_, image_surface_get_height) function(cairo_, image_surface_get_stride)            \
                function(cairo_, image_surface_get_width) function(cairo_, move_to) function(cairo_, paint)  \
                    function(cairo_, pattern_set_filter) function(cairo_, rectangle) function(cairo_, scale) \
                        function(cairo_, select_font_face) function(cairo_, set_font_size)                   \
                            function(cairo_, set_source_rgb) function(cairo_, set_source_surface)            \
                                function(cairo_, show_text) function(cairo_, status_to_string)               \
                                    function(cairo_, surface_destroy) function(cairo_, surface_flush)        \
                                        function(cairo_, surface_mark_dirty)                                 \
                                            function(cairo_, surface_status) function(cairo_, translate)
OPTIONAL_LIBRARY(cairo, "libcairo.so.2", CAIRO)

static const char canvas_type[] = "esker.canvas";

static cairo_surface_t **to_canvas(lua_State *L) {
    cairo_surface_t **canvas = luaL_checkudata(L, 1, canvas_type);
    if (!*canvas)
        luaL_error(L, "canvas: it is finished");
    return canvas;
}

static int collect(lua_State *L) {
    cairo_surface_t **canvas = luaL_checkudata(L, 1, canvas_type);
    if (*canvas)
        cairo.surface_destroy(*canvas);
    *canvas = NULL;
    return 0;
}

// canvas.new(width, height): white.
static int new_canvas(lua_State *L) {
    if (!open_cairo())
        return luaL_error(L, "libcairo.so.2, which draws captions, is not installed");
    const int width = (int)luaL_checkinteger(L, 1), height = (int)luaL_checkinteger(L, 2);
    cairo_surface_t **canvas = lua_newuserdatauv(L, sizeof(cairo_surface_t *), 0);
    *canvas = NULL;
    define_class(L, canvas_type, NULL, collect);
    luaL_setmetatable(L, canvas_type);
    *canvas = cairo.image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    if (cairo.surface_status(*canvas) != CAIRO_STATUS_SUCCESS)
        return luaL_error(L, "a sheet of %d × %d: %s", width, height,
                          cairo.status_to_string(cairo.surface_status(*canvas)));
    cairo_t *context = cairo.create(*canvas);
    cairo.set_source_rgb(context, 1, 1, 1);
    cairo.paint(context);
    cairo.destroy(context);
    return 1;
}

static cairo_surface_t *surface_of(const Image *image) {
    cairo_surface_t *surface = cairo.image_surface_create(CAIRO_FORMAT_ARGB32, image->width, image->height);
    if (cairo.surface_status(surface) != CAIRO_STATUS_SUCCESS)
        return surface;
    unsigned char *bytes = cairo.image_surface_get_data(surface);
    const int stride = cairo.image_surface_get_stride(surface);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const Pixel pixel = image_row(image, y)[x];
            const uint32_t alpha = pixel.alpha; // cairo's colours are premultiplied by it
            const uint32_t word = alpha << 24 | pixel.red * alpha / 255 << 16 |
                                  pixel.green * alpha / 255 << 8 | pixel.blue * alpha / 255;
            memcpy(bytes + (size_t)y * (size_t)stride + (size_t)x * 4, &word, 4);
        }
    cairo.surface_mark_dirty(surface);
    return surface;
}

// canvas.image(canvas, image, x, y, side): fitted into a square.
static int draw_image(lua_State *L) {
    cairo_surface_t **canvas = to_canvas(L);
    const Image *image = to_image(L, 2);
    if (!image)
        return luaL_error(L, "canvas: image must be an image, got %s", type_name(L, 2));
    const double x = luaL_checknumber(L, 3), y = luaL_checknumber(L, 4), side = luaL_checknumber(L, 5);
    const double longer = max(image->width, image->height), scale = side / longer;
    cairo_surface_t *surface = surface_of(image);
    cairo_t *context = cairo.create(*canvas);
    cairo.translate(context, x + 0.5 * (side - scale * image->width),
                    y + 0.5 * (side - scale * image->height));
    cairo.scale(context, scale, scale);
    cairo.set_source_surface(context, surface, 0, 0);
    cairo.pattern_set_filter(cairo.get_source(context), CAIRO_FILTER_GOOD);
    cairo.paint(context);
    cairo.destroy(context);
    cairo.surface_destroy(surface);
    return 0;
}

// canvas.text(canvas, text, x, y, size, width): at its base line; clipped to width.
static int draw_text(lua_State *L) {
    cairo_surface_t **canvas = to_canvas(L);
    const char *text = luaL_checkstring(L, 2);
    const double x = luaL_checknumber(L, 3), y = luaL_checknumber(L, 4), size = luaL_checknumber(L, 5);
    cairo_t *context = cairo.create(*canvas);
    cairo.rectangle(context, x, y - 2 * size, luaL_checknumber(L, 6), 3 * size);
    cairo.clip(context);
    cairo.select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo.set_font_size(context, size);
    cairo.set_source_rgb(context, 0.14, 0.16, 0.17);
    cairo.move_to(context, x, y);
    cairo.show_text(context, text);
    cairo.destroy(context);
    return 0;
}

// canvas.finish(canvas): as an image.
static int finish(lua_State *L) {
    cairo_surface_t **canvas = to_canvas(L);
    cairo.surface_flush(*canvas);
    const unsigned char *bytes = cairo.image_surface_get_data(*canvas);
    const int stride = cairo.image_surface_get_stride(*canvas);
    Image *image = push_image(L);
    Error error;
    if (image_create(image, cairo.image_surface_get_width(*canvas), cairo.image_surface_get_height(*canvas),
                     &error) != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            uint32_t word;
            memcpy(&word, bytes + (size_t)y * (size_t)stride + (size_t)x * 4, 4);
            image_row(image, y)[x] =
                (Pixel){ (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word, 255 };
        }
    cairo.surface_destroy(*canvas);
    *canvas = NULL;
    return 1;
}

static const luaL_Reg functions[] = { { "new", new_canvas },
                                      { "image", draw_image },
                                      { "text", draw_text },
                                      { "finish", finish },
                                      { NULL, NULL } };

#else

static int new_canvas(lua_State *L) {
    return luaL_error(L, "this program was built without cairo, which draws captions");
}

static const luaL_Reg functions[] = { { "new", new_canvas }, { NULL, NULL } };

#endif

static int open_canvas(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_canvas(lua_State *L) {
    luaL_requiref(L, "esker.canvas", open_canvas, 0);
    lua_pop(L, 1);
}
