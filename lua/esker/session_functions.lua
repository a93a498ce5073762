-- What can be called in the session besides what recipes can: name, usage, summary, description.

return {
    {
        name = "compare",
        usage = "compare(a, b)",
        summary = "Shows two pictures side by side",
        description = "Of fields, images, maps or networks; gives an image.",
    },
    {
        name = "sheet",
        usage = "sheet{ a, b, c } or sheet{ make = function(p) … end, seed = { 1, 2, 3 } }",
        summary = "Shows a contact sheet of values or variations",
        description = "make is called for all combinations of the lists, with one value of each by name; columns "
            .. "says how many pictures are in a row. Gives an image.",
    },
    {
        name = "view",
        usage = 'view(x) or view(x, "file.png")',
        summary = "Opens a picture in the desktop's viewer",
        description = "Where there is none, or a file is named, writes it and says where.",
    },
    {
        name = "run",
        usage = 'results = run("island.lua", { seed = 3 })',
        summary = "Runs a recipe and gives its results",
        description = "The table overrides the recipe's parameters.",
    },
    {
        name = "watch",
        usage = 'watch("island.lua", { seed = 3 })',
        summary = "Runs a recipe again whenever its file changes",
        description = "Shows the results, or the errors, without leaving; Ctrl-C ends it.",
    },
    {
        name = "save_session",
        usage = 'save_session("island.lua")',
        summary = "Writes what worked so far as a recipe",
        description = "A name to which a number, a string, true or false was assigned once becomes a parameter; "
            .. "lines that failed, expressions and the session's own commands are left out.",
    },
    {
        name = "record",
        usage = 'record("island.lua")',
        summary = "Begins a recipe of what is typed from now on",
        description = "stop() writes it.",
    },
    {
        name = "stop",
        usage = "stop()",
        summary = "Writes the recipe that record began",
        description = "What was typed before record is not in it.",
    },
    {
        name = "help",
        usage = '?name or help("name")',
        summary = "Tells of an operation or function",
        description = "? alone lists all of them; a misspelt name gets the nearest.",
    },
}
