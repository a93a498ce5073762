-- A sweep's contact sheet: every run's picture with its parameters and results.

local esker = require "esker"
local canvas = require "esker.canvas"
local display = require "esker.session.display"
local usage_error = require "esker.usage_error"

local contact = {}

local side, gap, size = 160, 12, 11 -- of a cell's picture, between cells, of letters
local max_cells = 2000

local function short(value)
    return type(value) == "number" and ("%.4g"):format(value) or tostring(value)
end

-- The caption: the varied parameters, and the first two results or the error.
local function captions(whole, varied, record)
    local words, lines = {}, {}
    for i, name in ipairs(varied) do
        words[i] = name .. " " .. short(record.parameters[name])
    end
    lines[1] = table.concat(words, "  ")
    for _, name in ipairs(whole.results) do
        if type(record.results[name]) == "number" and #lines < 3 then
            lines[#lines + 1] = name .. " " .. short(record.results[name])
        end
    end
    lines[2] = lines[2] or record.status
    return lines
end

-- Draws the sheet as an image. `picture(record)` returns a run's picture, or nil; `varied` are the parameters that
-- differ.
function contact.sheet(whole, varied, picture)
    local count = #whole.rows
    if count > max_cells then
        usage_error("a sheet shows at most %d runs, these are %d", max_cells, count)
    end
    local columns = math.ceil(math.sqrt(count))
    local high = side + 4 * size + gap + 6
    local sheet = canvas.new(gap + columns * (side + gap), gap + math.ceil(count / columns) * high)
    for i, record in ipairs(whole.rows) do
        local x = gap + (i - 1) % columns * (side + gap)
        local y = gap + (i - 1) // columns * high
        local shown = picture(record)
        if shown then
            canvas.image(sheet, display.picture_of(shown), x, y, side)
        end
        for line, text in ipairs(captions(whole, varied, record)) do
            canvas.text(sheet, text, x, y + side + line * (size + 2), size, side)
        end
        esker.progress(i, count)
    end
    return canvas.finish(sheet)
end

return contact
