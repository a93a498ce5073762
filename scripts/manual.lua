-- Writes the reference manual from the declarations: lua5.4 scripts/manual.lua > docs/reference.md

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local help = require "esker.help.command"
local pictured = dofile "scripts/pictured.lua"

-- The text is collected, because the contents and links name headings that come later.
local lines, anchors, uses = {}, {}, {}

local function out(...)
    lines[#lines + 1] = string.format(...)
end

-- A heading; `name` is what link() calls it. Anchors are those of GitHub: repeated headings are numbered.
local function heading(level, title, name)
    local anchor = title:lower():gsub("[^%w_%- ]", ""):gsub(" ", "-")
    uses[anchor] = (uses[anchor] or -1) + 1
    anchors[name] = uses[anchor] == 0 and anchor or anchor .. "-" .. uses[anchor]
    out("\n%s %s\n", ("#"):rep(level), title)
end

local function link(title, name)
    return ("[%s](#\0%s\0)"):format(title, name)
end

local function cell(text)
    return (tostring(text):gsub("|", "\\|"))
end

local function title_case(text)
    return text:sub(1, 1):upper() .. text:sub(2)
end

-- "field or number", each a link to its value type.
local classes = {}
for _, declared in ipairs(esker.values()) do
    classes[declared.kind] = declared.name
end
local function kinds(kind)
    local list = {}
    for each in kind:gmatch("[^|]+") do
        list[#list + 1] = classes[each] and link(each, "value " .. classes[each]) or each
    end
    return table.concat(list, " or ")
end

local function allowed(param)
    local unit = param.unit == "N" and ", in N" or param.unit and ", " .. param.unit or ""
    local text = cell(param.allowed) .. unit
    return param.kind == "palette" and text:gsub("a palette's name", link("a palette's name", "palettes"), 1) or text
end

local function arguments(params)
    out("\n| argument | default | allowed | |\n| --- | --- | --- | --- |")
    for _, param in ipairs(params) do
        local default = help.default_text(param)
        out("| `%s` | %s | %s | %s |", param.name, default and "`" .. cell(default) .. "`" or "", allowed(param),
            cell(param.doc or ""))
    end
end

-- The picture, and the Lua that made it where that is not the example.
local function picture(operation)
    out("\n![What %s does](reference/%s.png)", operation.name, operation.name)
    if operation.picture then
        local one_line = operation.picture:match("^return ([^\n]+)$")
        local details = "\n<details><summary>How the picture is made</summary>\n\n```lua\n%s\n```\n\n</details>"
        out(one_line and "\n*`%s`*" or details, one_line or operation.picture)
    end
end

local function entry(operation)
    heading(3, operation.name, operation.name)
    out("`%s`\n", help.usage(operation))
    out("%s.%s\n", operation.summary, operation.description and " " .. operation.description or "")
    for _, input in ipairs(operation.inputs) do
        out("- takes `%s` (%s): %s", input.name, kinds(input.kind), input.doc or "")
    end
    for _, output in ipairs(operation.outputs) do
        out("- gives `%s` (%s): %s%s", output.name, kinds(output.kind), output.doc or "",
            output.unit and "; in " .. output.unit or "")
    end
    if #operation.params > 0 then
        arguments(operation.params)
    end
    if pictured(operation) then
        picture(operation)
    end
    if operation.example then
        out("\n```lua\n%s\n```", operation.example)
    end
    if operation.source then
        out("\nSource: %s.", operation.source)
    end
    if operation.see_also then
        out("\nSee also: %s.", (operation.see_also:gsub("%S+", function(name) return link(name, name) end)
            :gsub(" ", ", ")))
    end
end

-- A value type: what can be read of it, its methods beside the operations, and its file formats.
local function value_type(declared)
    heading(3, declared.name, "value " .. declared.name)
    out("%s.", title_case(declared.doc))
    if #declared.properties + #declared.methods > 0 then
        out("")
    end
    for _, property in ipairs(declared.properties) do
        out("- `%s.%s` (%s): %s", declared.kind, property.name, property.kind, property.doc)
    end
    for _, method in ipairs(declared.methods) do
        local names = method.arguments:gsub("%s*:%s*%w+", "")
        out("- `%s:%s(%s)`%s: %s", declared.kind, method.name, names,
            method.gives and " → `" .. method.gives .. "`" or "", method.doc)
    end
    if #declared.formats > 0 then
        out("\nFile formats: .%s. Recipe results are saved in the first one by default.",
            table.concat(declared.formats, ", ."))
    end
end

local function functions(title, list)
    heading(2, title, title)
    for _, f in ipairs(list) do
        heading(3, f.name, title .. " " .. f.name)
        out("`%s`\n\n%s. %s", f.usage, f.summary, f.description)
    end
end

local function names_of(list, prefix)
    local links = {}
    for i, each in ipairs(list) do
        links[i] = link(each.name, prefix .. each.name)
    end
    return table.concat(links, " · ")
end

local function contents()
    for _, category in ipairs(help.categories()) do
        local title = link(title_case(category.name), "category " .. category.name)
        out("- %s: %s", title, names_of(category.operations, ""))
    end
    out("- %s: %s", link("Values", "values"), names_of(esker.values(), "value "))
    out("- %s", link("Palettes", "palettes"))
    for _, title in ipairs{ "Functions", "In the session" } do
        local list = require(title == "Functions" and "esker.functions" or "esker.session.functions")
        out("- %s: %s", link(title, title), names_of(list, title .. " "))
    end
end

local function palettes()
    heading(2, "Palettes", "palettes")
    out("Colours for heights from -1 (deepest sea, left) over 0 (shore) to 1 (highest land, right).\n")
    out("| palette | |\n| --- | --- |")
    local names = {}
    for name in pairs(esker.palettes) do
        names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
        out("| `%s` | ![%s](reference/palette-%s.png) |", name, name, name)
    end
end

out("# Reference\n")
out("Generated from the declarations by `make docs`. An argument *per N* is given as its numerator: 16 means 16/N;")
out("N is the longer side of the field. A slope or talus of 16/N is 45 degrees where heights are metres and the")
out("field's frame says so ([exchange](exchange.md)). Lengths on the ground are shares of N (*in N*): 0.01 is a")
out("hundredth of the longer side. So a recipe makes the same land in any number of cells: hills, coasts and large")
out("valleys stay. Fractals get finer, and [stream_erosion](#stream_erosion) adds small valleys, until its")
out("`channel` stops them. These are counted in cells: sizes and corners of fields, the noise of single cells")
out("(`median`, `bilateral`), and the squares of `playability`. Drained areas are, too (`flow_accumulation`, the")
out("flow of `stream_erosion`), and their logarithm in `wetness_index`. Widths in pixels are those of drawings.\n")
out("Pictures show a terrain before and after the operation, or what it makes.\n")
contents()
for _, category in ipairs(help.categories()) do
    heading(2, title_case(category.name), "category " .. category.name)
    for _, operation in ipairs(category.operations) do
        entry(operation)
    end
end
heading(2, "Values", "values")
for _, declared in ipairs(esker.values()) do
    value_type(declared)
end
palettes()
functions("Functions", require "esker.functions")
functions("In the session", require "esker.session.functions")

local text = table.concat(lines, "\n") .. "\n"
io.write((text:gsub("\n\n\n+", "\n\n"):gsub("%z([^%z]+)%z", function(name)
    return assert(anchors[name], "no heading for " .. name)
end)))
