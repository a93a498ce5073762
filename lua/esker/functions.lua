-- What recipes can call besides the operations, for help and manual: name, usage, summary, description.

return {
    {
        name = "params",
        usage = "local p = params{ seed = 1, talus = { 16, min = 0, max = 64, doc = \"…\" } }",
        summary = "Declares a recipe's parameters with their defaults",
        description = "Numbers, strings and booleans; min, max, choices and integer = true (whole numbers only) are "
            .. "checked; doc says what the parameter does, for `esker help RECIPE.lua`. NAME=VALUE on the "
            .. "command line overrides a default by name. The table that comes back is strict: an unknown "
            .. "name is an error. A parameter called seed also seeds math.random.",
    },
    {
        name = "return",
        usage = 'return { height = land, ground = { land, format = { "png", "asc" } }, mean = 0.5 }',
        summary = "Ends a recipe with its results, each under a name",
        description = "Fields and images are saved as NAME.png, river networks as NAME.geojson, meshes as NAME.obj, "
            .. "in other formats where format names their file endings; numbers, strings and booleans are printed. A "
            .. "table of results, such as playability gives, counts with its members.",
    },
    {
        name = "field",
        usage = "esker.field{ size = 64, values = function(x, y) return x / 64 end }",
        summary = "Makes a field from a number, a function or a table",
        description = "values is a number for all cells, a function of the cell's x and y (from 0), or a "
            .. "list of rows. size, or width and height; a list of rows needs neither. The field does not wrap, "
            .. "unless wrap = true says that its opposite edges meet.",
    },
    {
        name = "get",
        usage = "field:get(x, y)",
        summary = "Gives the height of one cell",
        description = "x is 0 to field.width - 1, y is 0 to field.height - 1; cell (0, 0) is at the top left.",
    },
    {
        name = "set",
        usage = "field:set(x, y, height)",
        summary = "Changes the height of one cell, in place",
        description = "The only way to change a field: every operation leaves its inputs as they are.",
    },
    {
        name = "wraps",
        usage = "field.wraps",
        summary = "Tells whether a field's opposite edges meet: whether it tiles",
        description = "What looks at neighbours (slope, blur, erosion, …) looks across the edges of a field that "
            .. "wraps, and not beyond those of one that does not; its argument wrap says otherwise. Base terrain "
            .. "wraps; what is loaded, made from Lua or cut out does not, unless asked to. What is computed cell by "
            .. "cell wraps where all its fields do. To change it: field.wraps = true or false.",
    },
    {
        name = "hash",
        usage = "value:hash()",
        summary = "Gives a 64-bit hash of a field, image, network or mesh as 16 hex digits",
        description = "The same on every machine; two fields with one hash are the same terrain.",
    },
    {
        name = "show",
        usage = "value:show()",
        summary = "Shows a field, an image, a map or a network in the terminal",
        description = "With its size and range; as text alone where the terminal shows no pictures.",
    },
    {
        name = "operators",
        usage = "a + b, a - b, a * b, a / b, a ^ b, -a",
        summary = "Field arithmetic, cell by cell",
        description = "With fields and numbers on either side. a == b tells whether two fields are the same.",
    },
    {
        name = "threads",
        usage = "esker.threads(count)",
        summary = "Sets how many threads operations use, and gives the number",
        description = "0 is one for each processor. At most as many as -j says, or as there are processors; one in the "
            .. "runs of a sweep. Results "
            .. "do not depend on it.",
    },
    {
        name = "memory",
        usage = "local now, most = esker.memory(reset)",
        summary = "Gives the bytes that fields and images use, now and at most",
        description = "With true, the most is counted afresh.",
    },
    {
        name = "progress",
        usage = "esker.progress(done, total)",
        summary = "Tells the terminal how far a loop in a recipe has come",
        description = "Shown with the time left once the work has taken a second, on a terminal only.",
    },
    {
        name = "seconds",
        usage = "local start = esker.seconds()",
        summary = "Gives the seconds of a clock that only goes forward",
        description = "For measuring how long something takes.",
    },
    {
        name = "operations",
        usage = "esker.operations()",
        summary = "Gives every operation's declaration as a table",
        description = "Name, category, inputs, outputs, and parameters with kind, default and range.",
    },
    {
        name = "values",
        usage = "esker.values()",
        summary = "Gives every value type's declaration as a table",
        description = "Name, kind, properties, methods, file formats, and the Lua text that makes a picture of one.",
    },
    {
        name = "palettes",
        usage = "esker.palettes.alpine",
        summary = "The palettes by name, each a list of { height, \"#rrggbb\" }",
        description = "hypsometric, alpine, desert, arctic, volcanic, mars, grey and heights. Wherever an operation "
            .. "takes a palette it takes a list of your own, too: { { 0, \"#202020\" }, { 1, \"#ffffff\" } }; "
            .. "colours between two stops blend in linear light.",
    },
    {
        name = "sweep",
        usage = 'local rows = esker.sweep{ recipe = "island.lua", grid = { seed = { 1, 2 }, talus = { 8, 16 } } }',
        summary = "Runs a recipe over parameters and gives its table as a list of rows",
        description = "In the session and in trusted recipes. Also draw = { name = { low, high } } with samples, "
            .. "design, where, output, workers, time_limit, memory_limit, pictures = false, as in esker sweep. A row "
            .. "has parameters, results, status, seconds, memory (bytes), message and key. All of the folder's runs "
            .. "are in the list.",
    },
}
