-- A sweep as a page that opens from disk: a contact sheet that sorts and filters, and plots.

local host = require "esker.host"
local parameters = require "esker.parameters"
local recipe = require "esker.recipe"
local terminal = require "esker.terminal"

local gallery = {}

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["<"] = "\\u003c" }

local function json(value)
    if value == nil or value ~= value or value == math.huge or value == -math.huge then
        return "null"
    elseif type(value) == "string" then
        return '"' .. value:gsub('[%c"\\<]', function(c)
            return escapes[c] or ("\\u%04x"):format(c:byte())
        end) .. '"'
    end
    return parameters.exact_text(value)
end

local function json_list(values, count)
    local items = {}
    for i = 1, count or #values do
        items[i] = type(values[i]) == "table" and json_list(values[i]) or json(values[i])
    end
    return "[" .. table.concat(items, ",") .. "]"
end

-- Parameters that have more than one value.
function gallery.varied(whole)
    local names = {}
    for _, name in ipairs(whole.parameters) do
        local first = whole.rows[1] and whole.rows[1].parameters[name]
        for _, record in ipairs(whole.rows) do
            if record.parameters[name] ~= first then
                names[#names + 1] = name
                break
            end
        end
    end
    return names
end

-- The pictures of each run, and all their names, in alphabetical order.
function gallery.pictures(whole, folder)
    local files, all, names = {}, {}, {}
    for _, record in ipairs(whole.rows) do
        local list = {}
        for _, name in ipairs(terminal.names_in(folder .. "/runs/" .. record.key)) do
            if name:match("%.png$") then
                list[#list + 1] = name
                if not all[name] then
                    all[name] = true
                    names[#names + 1] = name
                end
            end
        end
        table.sort(list)
        files[record.key] = list
    end
    table.sort(names, function(a, b) -- a relief says more than heights
        local x, y = a ~= "relief.png", b ~= "relief.png"
        if x ~= y then
            return y
        end
        return a < b
    end)
    return files, names
end

-- Writes index.html, and the plotting library beside it. `columns` and `cells` are the table's.
function gallery.write(whole, columns, cells, folder)
    local files, names = gallery.pictures(whole, folder)
    local rows, items = {}, {}
    for i, record in ipairs(whole.rows) do
        rows[i] = json_list(cells(whole, record), #columns)
    end
    for key, list in pairs(files) do
        if #list > 0 then
            items[#items + 1] = json(key) .. ":" .. json_list(list)
        end
    end
    table.sort(items)
    local manifest = recipe.read_file(folder .. "/sweep.txt") or ""
    local parts = {
        '"recipe":' .. json(manifest:match("recipe\t([^\n]*)")), '"columns":' .. json_list(columns),
        '"parameters":' .. json_list(whole.parameters), '"varied":' .. json_list(gallery.varied(whole)),
        '"results":' .. json_list(whole.results), '"pictures":' .. json_list(names),
        '"files":{' .. table.concat(items, ",") .. "}", '"rows":[' .. table.concat(rows, ",\n") .. "]",
    }
    local data = "{" .. table.concat(parts, ",") .. "}"
    local page = require "esker.gallery_page"
    local from, to = page:find("DATA;", 1, true)
    host.write_file(folder .. "/index.html", page:sub(1, from - 1) .. data .. page:sub(to))
    host.write_file(folder .. "/echarts.min.js", require "esker.echarts" or "")
end

return gallery
