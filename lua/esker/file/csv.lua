-- Comma-separated values (RFC 4180). Spreadsheets take a cell that begins with = + - or @ for a formula: such text is
-- written with a leading apostrophe, which is removed when the cell is read. Numbers are written unchanged.

local parameters = require "esker.recipe.parameters"
local trim = require "esker.trim"

local csv = {}

local formula = "^'*[=+%-@\t\r]"

local function cell_of(value)
    if type(value) ~= "string" then
        return parameters.exact_text(value)
    elseif value:find(formula) and not tonumber(value) then
        value = "'" .. value
    end
    return value:find('[",;\t\r\n]') and '"' .. value:gsub('"', '""') .. '"' or value
end

-- A list of strings, numbers and booleans as a line, without its end.
function csv.line(values)
    local cells = {}
    for i, value in ipairs(values) do
        cells[i] = cell_of(value)
    end
    return table.concat(cells, ",")
end

-- Reads one cell from `at`: its text, and the position after its comma or line end; nil if quotes are not closed.
local function read_cell(text, at)
    if text:sub(at, at) ~= '"' then
        local from, to = text:find("[,\r\n]", at)
        from = from or #text + 1
        return trim(text:sub(at, from - 1)), to or #text + 1
    end
    local parts, from = {}, at + 1
    while true do
        local close = text:find('"', from, true)
        if not close then
            return nil
        end
        parts[#parts + 1] = text:sub(from, close - 1)
        if text:sub(close + 1, close + 1) ~= '"' then
            return table.concat(parts, '"'), text:find("[,\r\n]", close + 1) or #text + 1
        end
        from = close + 2
    end
end

-- The rows of a text as lists of strings, without empty lines; nil and the row's number if quotes are not closed.
function csv.rows(text)
    local rows, row, at = {}, {}, 1
    while at <= #text do
        local cell, stop = read_cell(text, at)
        if not cell then
            return nil, #rows + 1
        end
        row[#row + 1] = cell:find("^'+[=+%-@\t\r]") and cell:sub(2) or cell
        if text:sub(stop, stop) ~= "," then
            if #row > 1 or row[1] ~= "" then
                rows[#rows + 1] = row
            end
            row = {}
        elseif stop == #text then
            row[#row + 1] = ""
        end
        at = stop + 1
    end
    if #row > 0 then
        rows[#rows + 1] = row
    end
    return rows
end

return csv
