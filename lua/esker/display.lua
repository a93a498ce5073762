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

local max_entries = 40

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
