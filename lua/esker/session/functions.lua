-- What can be called in the session besides what recipes can: name, usage, summary, description.

return {
    {
        name = "compare",
        usage = "compare(a, b)",
        summary = "Shows two pictures side by side",
        description = "Takes fields, images, maps or networks; returns the image.",
    },
    {
        name = "sheet",
        usage = "sheet{ a, b, c } or sheet{ make = function(p) … end, seed = { 1, 2, 3 } }",
        summary = "Shows a contact sheet of values or variations",
        description = "make is called once for each combination of the lists' values, which it gets by name. "
            .. "columns is the number of pictures per row. Returns the image.",
    },
    {
        name = "view",
        usage = 'view(x) or view(x, "file.png")',
        summary = "Opens a picture in the desktop's viewer",
        description = "If there is no viewer, or a file is named, writes the picture to a file and prints its "
            .. "name.",
    },
    {
        name = "plot",
        keywords = "chart graph curve distribution histogram bars",
        usage = "plot(land) or plot(land:histogram())",
        summary = "Draws a list of numbers, or how a field's heights are distributed, as a chart of text",
        description = "If a list has more numbers than the terminal has columns, columns show means. A list of up to "
            .. "40 numbers, such as a histogram, shows itself with a bar for each.",
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
        description = "Shows the results, or the error, after each run. Ctrl-C stops watching.",
    },
    {
        name = "save_session",
        usage = 'save_session("island.lua")',
        summary = "Writes the statements that worked so far as a recipe",
        description = "A name to which a number, a string, true or false was assigned once becomes a parameter. "
            .. "Lines that failed, expressions and the session's own commands are left out. A file that is there "
            .. "already is replaced only if this session wrote it.",
    },
    {
        name = "record",
        usage = 'record("island.lua")',
        summary = "Starts recording what is typed as a recipe",
        description = "stop() writes the recipe.",
    },
    {
        name = "stop",
        usage = "stop()",
        summary = "Writes the recipe that record started",
        description = "Statements typed before record are not in it.",
    },
    {
        name = "help",
        usage = '?name or help name',
        summary = "Describes an operation or function, or finds some by words",
        description = "? or help alone lists all of them; help river width lists those in which both words occur. "
            .. "For a misspelt name it suggests the nearest.",
    },
    {
        name = "undo",
        usage = "undo",
        summary = "Reverts the last statement that changed a name",
        description = "The names get back the values they had; the last 20 statements can be taken back. Files "
            .. "stay written, and cells changed by field:set stay changed. An undone statement is not saved.",
    },
    {
        name = "clear",
        usage = "clear",
        summary = "Clears the screen",
        description = "Names keep their values.",
    },
    {
        name = "exit",
        usage = "exit or quit",
        summary = "Ends the session",
        description = "So does Ctrl-D.",
    },
}
