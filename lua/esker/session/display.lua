-- How the session shows a value: a picture, if there is one, and one line of text.

local esker = require "esker"
local host = require "esker.host"
local screen = require "esker.screen"
local terminal = require "esker.terminal"
local usage_error = require "esker.usage_error"
local value_types = require "esker.value_types"

local display = { graphics = "none" } -- until choose is called

-- Pictures are scaled down to this size for the terminal.
local max_pixels = 640

-- "0.02", "1": enough digits to tell heights apart.
local function short(number)
    return math.type(number) == "float" and ("%.4g"):format(number) or tostring(number)
end

function display.seconds(time)
    return time < 1 and ("%.3g ms"):format(time * 1e3) or ("%.1f s"):format(time)
end

local pictures = {} -- by type: the function that its declaration holds

-- The picture of a value, at most `most` pixels (640) along a side, or nil.
function display.picture_of(value, most)
    local name = esker.type(value)
    local declared = value_types[name]
    if not declared or not declared.picture then
        return nil
    end
    pictures[name] = pictures[name] or assert(load(declared.picture, "=" .. name .. ".picture", "t"))
    return pictures[name](value, most or max_pixels)
end

local function describe(value)
    local kind = esker.type(value)
    if kind == "Field" then
        local range = value:statistics()
        return ("%s, %s to %s, mean %s"):format(tostring(value), short(range.min), short(range.max), short(range.mean))
    elseif kind == "string" then
        return (("%q"):format(value):gsub("\\\n", "\\n"))
    elseif kind == "number" then
        return math.type(value) == "float" and ("%.10g"):format(value) or tostring(value)
    end
    return tostring(value)
end

-- --- charts ----------------------------------------------------------------------------------------------------------

local eighths <const> = { "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" }
local levels <const> = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }

-- Whether a table is a list of at least three finite numbers, as a histogram is.
local function is_numbers(value)
    local count = 0
    for key, each in next, value do
        if math.type(key) ~= "integer" or type(each) ~= "number" or each - each ~= 0 then
            return false
        end
        count = count + 1
    end
    return count >= 3 and count == #value
end

local function extremes(list)
    return math.min(table.unpack(list)), math.max(table.unpack(list))
end

-- A bar from the left, `share` of `width` characters.
local function bar(share, width)
    local steps = math.floor(share * width * 8 + 0.5)
    return ("█"):rep(steps // 8) .. (eighths[steps % 8] or "")
end

-- At most `most` means of runs of a list's numbers.
local function gathered(list, most)
    local columns, count = {}, math.min(#list, most)
    for i = 1, count do
        local first, last = (i - 1) * #list // count + 1, i * #list // count
        local sum = 0
        for k = first, last do
            sum = sum + list[k]
        end
        columns[i] = sum / (last - first + 1)
    end
    return columns
end

-- A chart of a list of numbers, from 0 or the lowest to the highest: a column for each, or for several that stand side
-- by side in a list of more numbers than the terminal has columns. `first` and `last`: what stands below its ends.
local function chart(list, first, last)
    local rows <const> = 10
    local columns = gathered(list, math.max(10, math.min(select(1, terminal.size()) - 14, 100)))
    local low, high = extremes(columns)
    low = math.min(low, 0)
    local lines = {}
    for row = rows, 1, -1 do
        local cells = {}
        for i, value in ipairs(columns) do
            local filled = high > low and (value - low) / (high - low) * rows * 8 - (row - 1) * 8 or 0
            cells[i] = filled >= 8 and "█" or levels[math.floor(filled + 0.5)] or " "
        end
        local label = row == rows and short(high) or row == 1 and short(low) or ""
        lines[#lines + 1] = ("%10s │%s"):format(label, table.concat(cells)):match("^.*%S")
    end
    local gap = math.max(1, #columns - #first - #last)
    lines[#lines + 1] = (" "):rep(12) .. first .. (" "):rep(gap) .. last
    return table.concat(lines, "\n")
end

-- Draws a list of numbers, or how a field's heights are distributed, as a chart of text.
function display.plot(value)
    if esker.type(value) == "Field" then
        local range = value:statistics()
        screen.write(chart(value:histogram(), short(range.min), short(range.max)), "\n")
    elseif type(value) == "table" and is_numbers(value) then
        screen.write(chart(value, "1", tostring(#value)), "\n")
    else
        error(("plot: takes a field, or a list of at least three numbers, got %s"):format(esker.type(value)), 0)
    end
end

local max_entries = 40

-- The lines of a list of numbers with a bar for each, or a chart of a longer list.
local function listed_numbers(list, lines)
    if #list > max_entries then
        return chart(list, "1", tostring(#list)) .. ("\n%d numbers"):format(#list)
    end
    local low, high = extremes(list)
    local widest = 0
    for _, line in ipairs(lines) do
        widest = math.max(widest, #line)
    end
    for i, line in ipairs(lines) do
        local share = low >= 0 and high > 0 and list[i] / high or 0
        lines[i] = (line .. (" "):rep(widest - #line + 2) .. bar(share, 40)):match("^.*%S") or ""
    end
    return table.concat(lines, "\n")
end

local function describe_table(value)
    local lines, names = {}, {}
    for name in pairs(value) do
        names[#names + 1] = name
    end
    table.sort(names, function(a, b)
        if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then
            return a < b
        end
        return tostring(a) < tostring(b)
    end)
    for i, name in ipairs(names) do
        if i > max_entries then
            lines[#lines + 1] = ("  … and %d more"):format(#names - max_entries)
            break
        end
        local entry = value[name]
        local text = type(entry) == "table" and ("table of %d"):format(#entry) or describe(entry)
        lines[#lines + 1] = ("  %s = %s"):format(tostring(name), text)
    end
    if is_numbers(value) then
        return listed_numbers(value, lines)
    end
    return #lines > 0 and table.concat(lines, "\n") or "{}"
end

-- Writes a picture to the terminal if it can show pictures.
function display.draw(image)
    if display.graphics == "none" then
        return
    end
    local columns, rows = terminal.size()
    local text = terminal.picture(image, display.graphics, math.max(1, math.min(columns - 1, 100)),
        math.max(4, rows * 2 // 3))
    if text then
        screen.raw(text, "\n")
    else
        display.graphics = "none"
        screen.note("esker: no pictures are shown here: they need libchafa, which there is not on Windows\n")
    end
end

-- Shows one value, with its time if given.
function display.show(value, took)
    if type(value) == "table" and not getmetatable(value) then
        screen.write(describe_table(value), "\n")
        return
    end
    if display.graphics ~= "none" then
        local picture = display.picture_of(value)
        if picture then
            display.draw(picture)
        end
    end
    local timed = took and value_types[esker.type(value)]
    screen.write(describe(value), timed and (", " .. display.seconds(took)) or "", "\n")
end

local graphics_names = { none = true, blocks = true, sixel = true, kitty = true, iterm2 = true }

-- Chooses how pictures are shown: as `wanted` or ESKER_GRAPHICS say, or by the terminal's abilities.
function display.choose(wanted)
    wanted = wanted or os.getenv("ESKER_GRAPHICS") or "auto"
    if wanted ~= "auto" and not graphics_names[wanted] then
        usage_error("graphics must be auto, none, blocks, sixel, kitty or iterm2, got '%s'", wanted)
    end
    local _, output = terminal.is_terminal()
    display.graphics = not output and "none" or wanted == "auto" and terminal.detect() or wanted
end

-- Makes value:show() work, in recipes too.
function display.serve(wanted)
    local chosen = false
    host.show_by(function(value)
        if not chosen then
            display.choose(wanted)
            chosen = true
        end
        display.show(value)
    end)
end

return display
