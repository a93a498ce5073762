rockspec_format = "3.0"
package = "esker"
version = "0.1.0-1"
source = { url = "." }
description = {
    summary = "A terrain toolkit: base terrain, erosion and playability scoring, fast and reproducible",
    license = "MIT",
}
dependencies = { "lua >= 5.4, < 5.5" }
external_dependencies = { PNG = { header = "png.h" } }
build = {
    type = "make",
    build_target = "all",
    install_target = "install-module",
    install_variables = { LUA_CDIR = "$(LIBDIR)" },
}
