-- Pictures side by side, for the session.

local esker = require "esker"
local display = require "esker.session.display"
local screen = require "esker.screen"

local sheets = {}

-- The picture of a value for the function `name`; an error if it has none.
function sheets.picture(name, value)
    local picture = display.picture_of(value)
    if not picture then
        error(("%s: takes fields, images, maps and networks, got %s"):format(name, esker.type(value)), 0)
    end
    return picture
end

function sheets.compare(a, b)
    return sheets.picture("compare", a):join(sheets.picture("compare", b))
end

-- All combinations of { name = { values } }, the last name's values fastest.
local function combinations(lists, names, at, chosen, all)
    local name = names[at]
    if not name then
        local copy = {}
        for key, value in pairs(chosen) do
            copy[key] = value
        end
        all[#all + 1] = copy
        return all
    end
    for _, value in ipairs(lists[name]) do
        chosen[name] = value
        combinations(lists, names, at + 1, chosen, all)
    end
    return all
end

-- sheet{ a, b, c } or sheet{ make = function(p) … end, seed = { 1, 2 }, talus = { 8, 16 } }; columns = 4.
function sheets.sheet(arguments)
    if type(arguments) ~= "table" then
        error("sheet: takes one table, as in sheet{ a, b } or sheet{ make = function(p) … end, seed = { 1, 2 } }", 0)
    end
    local pictures, names = {}, {}
    for name in pairs(arguments) do
        if type(name) == "string" and name ~= "make" and name ~= "columns" then
            if type(arguments[name]) ~= "table" or #arguments[name] == 0 then
                error(("sheet: %s must be a list of values"):format(name), 0)
            end
            names[#names + 1] = name
        end
    end
    table.sort(names)
    for i, value in ipairs(arguments) do
        pictures[i] = sheets.picture("sheet", value)
    end
    if arguments.make then
        for _, chosen in ipairs(combinations(arguments, names, 1, {}, {})) do
            local words = {}
            for i, name in ipairs(names) do
                words[i] = name .. " = " .. tostring(chosen[name])
            end
            pictures[#pictures + 1] = sheets.picture("sheet", arguments.make(chosen))
            screen.write(("%3d  %s\n"):format(#pictures, table.concat(words, ", ")))
        end
    end
    if #pictures == 0 then
        error("sheet: nothing to show; give values, or make and lists of values", 0)
    end
    local columns = arguments.columns or math.ceil(math.sqrt(#pictures))
    local whole
    for first = 1, #pictures, columns do
        local row
        for i = first, math.min(first + columns - 1, #pictures) do
            row = row and row:join(pictures[i]) or pictures[i]
        end
        whole = whole and whole:join(row, { direction = "below" }) or row
    end
    return whole
end

return sheets
