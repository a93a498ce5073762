-- Writes the reference manual from the declarations: lua5.4 scripts/manual.lua > docs/reference.md

local esker = require "esker"
local help = require "esker.help"

local function out(...)
    io.write(string.format(...), "\n")
end

local function cell(text)
    return (tostring(text):gsub("|", "\\|"))
end

local function entry(operation)
    out("\n### %s\n", operation.name)
    out("`%s`\n", help.usage(operation))
    out("%s.%s\n", operation.summary, operation.description and " " .. operation.description or "")
    for _, input in ipairs(operation.inputs) do
        out("- takes `%s` (%s): %s", input.name, input.kind:gsub("|", " or "), input.doc or "")
    end
    for _, output in ipairs(operation.outputs) do
        out("- gives `%s` (%s): %s", output.name, output.kind, output.doc or "")
    end
    if #operation.params > 0 then
        out("\n| argument | default | allowed | |\n| --- | --- | --- | --- |")
        for _, param in ipairs(operation.params) do
            local default = help.default_text(param)
            local unit = param.unit == "per N" and ", per N" or param.unit and ", " .. param.unit or ""
            out("| `%s` | %s | %s%s | %s |", param.name, default and "`" .. cell(default) .. "`" or "",
                cell(param.allowed), unit, cell(param.doc or ""))
        end
    end
    if operation.example then
        out("\n```lua\n%s\n```", operation.example)
    end
    if operation.source then
        out("\nSource: %s.", operation.source)
    end
end

out("# Reference\n")
out("Written from the declarations by `make docs`. An argument *per N* is written as its numerator: 16 means")
out("16/N, N the field's longer side.")
for _, category in ipairs(help.categories()) do
    out("\n## %s", category.name:sub(1, 1):upper() .. category.name:sub(2))
    for _, operation in ipairs(category.operations) do
        entry(operation)
    end
end
-- A value type: what can be read of it, its methods beside the operations, and its file formats.
local function value_type(declared)
    out("\n### %s\n\n%s.", declared.name, declared.doc:sub(1, 1):upper() .. declared.doc:sub(2))
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
        out("\nFile formats: .%s; a recipe's results get the first unless they ask for another.",
            table.concat(declared.formats, ", ."))
    end
end

out("\n## Values")
for _, declared in ipairs(esker.values()) do
    value_type(declared)
end

local function functions(title, list)
    out("\n## %s", title)
    for _, f in ipairs(list) do
        out("\n### %s\n\n`%s`\n\n%s. %s", f.name, f.usage, f.summary, f.description)
    end
end
functions("Functions", require "esker.functions")
functions("In the session", require "esker.session_functions")
