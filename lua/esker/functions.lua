-- What recipes can call besides the operations, for help and manual: name, usage, summary, description.

local esker = require "esker"
local file_formats = require "esker.file.formats"
local names_of = require "esker.names"
local value_types = require "esker.value_types"

local function endings_of(declared)
    return "." .. table.concat(declared.formats, ", .")
end

return {
    {
        name = "params",
        keywords = "sliders options settings variables",
        usage = "local p = params{ seed = 1, talus = { 16, min = 0, max = 64, doc = \"…\" } }",
        summary = "Declares a recipe's parameters with their defaults",
        description = "Parameters are numbers, strings and booleans. min, max, choices and integer = true "
            .. "(whole numbers only) are checked; doc describes the parameter in `esker help RECIPE.lua`. "
            .. "NAME=VALUE on the command line overrides a default. The table returned is strict: reading an "
            .. "unknown name is an error. A parameter called seed also seeds math.random.",
    },
    {
        name = "return",
        usage = 'return { height = land, ground = { land, format = { "png", "asc" } }, mean = 0.5 }',
        summary = "Ends a recipe with its results, each under a name",
        description = "By default " .. value_types.usual_files() .. "; format lists the extensions of other "
            .. "formats. Numbers, strings and booleans are printed. The members of a table of results, such as "
            .. "playability returns, are results too. A result may be a function that gives it, as in { ground = "
            .. "function() return land:relief{} end }: all are called, but the explorer and its previews call "
            .. "only the one that is shown.",
    },
    {
        name = "field",
        keywords = "heightfield heightmap array ndarray constant zeros ones full meshgrid vectorize wrangle "
            .. "attribute procedural fromfunction mgrid dtype float32 create",
        usage = "esker.field{ size = 64, values = function(x, y) return x / 64 end }",
        summary = "Makes a field from a number, a function or a table",
        description = "values is a number for all cells, a function of the cell's x and y (from 0), or a list "
            .. "of rows. Give size, or width and height; a list of rows needs neither. The field wraps only "
            .. "with wrap = true.",
    },
    {
        name = "points",
        usage = "esker.points{ size = 64, list = { { x = 10, y = 20, species = 2 }, { 40, 30, 0.7 } } }",
        summary = "Makes points from a list of tables",
        description = "Each has x and y in cells from the upper left corner of the window, and may have altitude, "
            .. "radius, species and variation, as points:list() gives them; { x, y, altitude } is short for these "
            .. "three. Give size, or width and height, of the window; with wrap = true its opposite edges meet. "
            .. "For paint, draw, distance, flatten and from_points.",
    },
    {
        name = "lines",
        keywords = "polyline linestring roads vector",
        usage = "esker.lines{ size = 64, list = { { { 4, 8 }, { 30, 40 } } } }",
        summary = "Makes lines from a list of tables",
        description = "Each is a list of positions, { x, y } or { x, y, altitude }, in cells from the upper left "
            .. "corner of the window. A table with `parts`, a list of such lists, and `attributes` does as well, as "
            .. "lines:list() gives it. Give size, or width and height, of the window.",
    },
    {
        name = "polygons",
        keywords = "polygon area parcel ring outline vector",
        usage = "esker.polygons{ size = 64, list = { { { 4, 8 }, { 30, 40 }, { 50, 9 } } } }",
        summary = "Makes polygons from a list of tables",
        description = "As for lines; a part is an outline, which is closed where it is not. A part with hole = true is "
            .. "cut out of the outline before it. An outline may touch, but not cross, itself.",
    },
    {
        name = "large",
        keywords = "streaming stream chunks blocks overviews memmap dask out of core windows",
        usage = "esker.large{ size = 65536, window = function(x, y, width, height) return field end }",
        summary = "Makes a field larger than memory, from a function of windows, a file or a field",
        description = "The function `window` gives the field of width × height cells whose first is at (x, y) of "
            .. "the whole. It is called with up to 2048 × 2048. Instead there may be `file` ("
            .. endings_of(value_types.LargeField) .. ", with width and height where the file does not say them, or "
            .. "another raster that GDAL reads), `mosaic`, a list as esker.mosaic takes it, or `field`. Such a field "
            .. "has the operations that read only cells nearby, those of water (fill, breach, flow, basins, "
            .. "catchments, orders, rivers, heights above them), contours, pictures, statistics, save, export and "
            .. "mesh. Its crop, overview and resize give fields in memory, and keep stores the cells. `rows` is the "
            .. "number of rows that are in memory at once. A recipe may return such a field: it is saved, and tiles "
            .. "are drawn of it.",
    },
    {
        name = "mosaic",
        keywords = "tile-splice gdal_merge gdalbuildvrt vrt virtual merge join r.patch tiles",
        usage = "esker.mosaic{ \"west.tif\", \"east.tif\" }",
        summary = "Joins rasters that lie beside each other or overlap, files or fields, into one field",
        description = "All lie in one coordinate system, on cells that fit: align or gdalwarp -tap brings others onto "
            .. "them. Where several have data, the last in the list counts; where none has, cells have no data. "
            .. "A .vrt stands for the files that it joins, with its own extent. "
            .. "esker.large{ mosaic = { … } } is the same for a whole larger than memory.",
    },
    {
        name = "get",
        keywords = "sample pixel value cell gdallocationinfo what",
        usage = "field:get(x, y)",
        summary = "Gives the height of one cell",
        description = "x is 0 to field.width - 1, y is 0 to field.height - 1; cell (0, 0) is at the top left. "
            .. "A third argument says what a place is given in. It is \"degrees\", \"map\", \"shares\" or \"cells\", "
            .. "as in operations on places: field:get(-118.27, 34.3, \"degrees\").",
    },
    {
        name = "set",
        usage = "field:set(x, y, height)",
        summary = "Changes the height of one cell, in place",
        description = "This is the only way to change a field: operations never change their inputs.",
    },
    {
        name = "wraps",
        usage = "field.wraps",
        summary = "Whether a field's opposite edges meet, so that it tiles; can be set to true or false",
        description = "Operations that look at neighbours (slope, blur, erosion, …) look across the edges of a "
            .. "field that wraps; their argument wrap overrides this. "
            .. "stream_erosion, which drains, does so only with wrap = true. Base terrain wraps. Fields that are "
            .. "loaded, made from Lua or cut out do not, unless requested. The result of a cell-by-cell "
            .. "operation wraps if all its fields do.",
    },
    {
        name = "hash",
        usage = "value:hash()",
        summary = "Gives a 64-bit hash of " .. value_types.with_method("hash") .. " as 16 hex digits",
        description = "The hash is the same on every machine. Values with equal hashes are identical.",
    },
    {
        name = "show",
        keywords = "imshow plot view display matplotlib",
        usage = "value:show()",
        summary = "Shows " .. value_types.with_method("show") .. " in the terminal",
        description = "Prints its size and range too, and only these if the terminal cannot show pictures.",
    },
    {
        name = "operators",
        keywords = "calc mapcalc calculator arithmetic invert math expression sqrt root",
        usage = "a + b, a - b, a * b, a / b, a ^ b, -a",
        summary = "Field arithmetic, cell by cell",
        description = "Either operand may be a field or a number. a == b compares all cells of two fields.",
    },
    {
        name = "threads",
        keywords = "multithreading parallel cores processors",
        usage = "esker.threads(count)",
        summary = "Sets the number of threads that operations use, and returns it",
        description = "0 means one thread per processor. The number is limited by -j and by the number of "
            .. "processors; runs of a sweep use one. Results do not depend on it.",
    },
    {
        name = "memory",
        usage = "local now, peak = esker.memory(reset)",
        summary = "Gives the bytes that fields and images use now, and their peak",
        description = "esker.memory(true) also resets the peak.",
    },
    {
        name = "progress",
        usage = "esker.progress(done, total)",
        summary = "Reports the progress of a loop in a recipe",
        description = "A terminal shows it, with the time left, after the first second of work.",
    },
    {
        name = "seconds",
        usage = "local start = esker.seconds()",
        summary = "Gives the time of a monotonic clock, in seconds",
        description = "Use it to measure durations.",
    },
    {
        name = "operations",
        usage = "esker.operations()",
        summary = "Gives the declarations of all operations as a table",
        description = "Name, category, inputs, outputs, and parameters with kind, default and range.",
    },
    {
        name = "values",
        usage = "esker.values()",
        summary = "Gives the declarations of all value types as a table",
        description = "Name, kind, properties, methods, file formats, and the Lua text that makes a picture of "
            .. "one.",
    },
    {
        name = "formats",
        usage = "esker.formats()",
        summary = "Gives the declarations of all file formats as a table",
        description = "Name, endings, what they hold and keep, and the arguments of load and save that they take. "
            .. file_formats.listed() .. ".",
    },
    {
        name = "palettes",
        keywords = "colours colors",
        usage = "esker.palettes.alpine",
        summary = "The palettes by name, each a list of { height, \"#rrggbb\" }",
        description = table.concat(names_of(esker.palettes), ", ") .. ". Arguments that take a palette also take "
            .. "such a list: { { 0, \"#202020\" }, { 1, \"#ffffff\" } }, which is an even grey ramp. Colours "
            .. "between two stops are blended in linear light.",
    },
    {
        name = "sweep",
        keywords = "batch grid search monte carlo",
        usage = 'local rows = esker.sweep{ recipe = "island.lua", grid = { seed = { 1, 2 }, talus = { 8, 16 } } }',
        summary = "Runs a recipe over parameters and gives the table of runs as a list of rows",
        description = "Available in the session and in trusted recipes. Further arguments, as in esker sweep: "
            .. "draw = { name = { low, high } } with samples, design, where, output, workers, time_limit, "
            .. "memory_limit, pictures = false. A row has parameters, results, status, seconds, memory "
            .. "(bytes), message and key. The list has all runs of the output folder.",
    },
}
