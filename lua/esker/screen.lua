-- All output of the program's Lua goes through here. Text may come from a recipe, a picture or a foreign folder:
-- characters that a terminal would take as commands, or that hide or reorder text, are shown as '?'.

local texts = require "esker.texts"

local screen = {}

local function print_to(stream, ...)
    return stream:write(texts.visible(table.concat{ ... }))
end

-- Writes to standard output; nil and the reason on failure.
function screen.write(...)
    return print_to(io.stdout, ...)
end

-- To standard error.
function screen.note(...)
    return print_to(io.stderr, ...)
end

-- Unescaped: a picture that Esker drew for this terminal, output of a trusted recipe.
function screen.raw(...)
    return io.stdout:write(...)
end

-- A line that the next one replaces; none clears it.
function screen.progress(text)
    io.stderr:write("\r", text and texts.visible(text) or "", "\27[K")
end

function screen.flush()
    return io.stdout:flush()
end

return screen
