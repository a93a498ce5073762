rockspec_format = "3.0"
package = "esker"
version = "0.1.0-1"
-- What `make source` writes; `luarocks make` in its folder, or in a checkout, does not look for it.
source = { url = "file://esker-0.1.0.tar.gz" }
description = {
    summary = "A terrain toolkit: base terrain, erosion, rivers and playability, fast and reproducible",
    detailed = [[
        A C engine for fractal terrain, endless maps with rivers, river networks, erosion and pictures. The same seed
        gives the same bytes on every machine. The rock has the module; the program `esker` comes with `make install`.]],
    license = "MIT",
}
supported_platforms = { "linux" }
dependencies = { "lua >= 5.4, < 5.5" }
external_dependencies = {
    PNG = { header = "png.h", library = "png" },
    ZLIB = { header = "zlib.h", library = "z" },
}
build = {
    type = "make",
    build_target = "module",
    install_target = "install-module",
    -- The same for both targets, because other flags build everything again.
    variables = {
        CFLAGS = "$(CFLAGS)",
        LUA = "$(LUA)",
        LUA_FLAGS = "-I$(LUA_INCDIR)",
        LUA_CDIR = "$(LIBDIR)",
        PNG_FLAGS = "-I$(PNG_INCDIR) -I$(ZLIB_INCDIR)",
        PNG_LIBS = "-L$(PNG_LIBDIR) -L$(ZLIB_LIBDIR) -lpng -lz",
    },
}
