-- Writes the annotations for the Lua language server from the declarations: lua5.4 scripts/annotations.lua

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local help = require "esker.help.command"
local value_types = require "esker.value_types"

local function out(...)
    io.write(string.format(...), "\n")
end

local classes = { number = "number", text = "string", numbers = "number[]", labels = "table<string, string>" }
for _, declared in ipairs(esker.values()) do
    classes[declared.kind] = "esker." .. declared.name
end

local function types(kind)
    local list = {}
    for each in kind:gmatch("[^|]+") do
        list[#list + 1] = classes[each]
    end
    return table.concat(list, "|")
end

local function param_type(param)
    if param.choices then
        local list = {}
        for i, choice in ipairs(param.choices) do
            list[i] = '"' .. choice .. '"'
        end
        return table.concat(list, "|")
    elseif param.kind == "numbers" then
        return not param.columns and "number[]" or param.rows_min <= 1 and "number[][]|number[]" or "number[][]"
    elseif param.kind == "palette" then
        return "string|table[]"
    elseif param.kind == "colours" then
        return "string|string[]"
    elseif param.kind == "fields" then
        return classes.field .. "|" .. classes.field .. "[]"
    elseif param.kind == "decimal" then
        return "number|string"
    elseif param.kind == "text" then
        return "string"
    end
    return classes[param.kind] or param.kind -- integer, number, boolean
end

local function class_of(operation)
    return "esker.arguments." .. operation.name
end

local function arguments_class(operation)
    out("\n---@class %s", class_of(operation))
    for _, param in ipairs(operation.params) do
        local default = help.default_text(param)
        out("---@field %s? %s %s%s", param.name, param_type(param), param.doc or "",
            default and " (default " .. default .. ")" or "")
    end
end

local function outputs(operation)
    if operation.record then
        local fields = {}
        for i, output in ipairs(operation.outputs) do
            fields[i] = output.name .. ": " .. types(output.kind)
        end
        out("---@return { %s }", table.concat(fields, ", "))
        return
    elseif operation.one_output then
        local list = {}
        for i, output in ipairs(operation.outputs) do
            list[i] = types(output.kind)
        end
        out("---@return %s", table.concat(list, "|"))
        return
    end
    for _, output in ipairs(operation.outputs) do
        out("---@return %s %s %s", types(output.kind), output.name, output.doc or "")
    end
end

-- One function; `owner` is esker, or the class whose method it is.
local function signature(operation, owner)
    local names = {}
    out("\n---%s", operation.summary)
    for i, input in ipairs(operation.inputs) do
        if owner == "esker" or i > 1 then
            out("---@param %s %s %s", input.name, types(input.kind), input.doc or "")
            names[#names + 1] = input.name
        end
    end
    if #operation.params > 0 then
        out("---@param arguments? %s", class_of(operation))
        names[#names + 1] = "arguments"
    end
    outputs(operation)
    out("function %s%s%s(%s) end", owner, owner == "esker" and "." or ":", operation.name, table.concat(names, ", "))
end

local function value_class(declared)
    local class = "esker." .. declared.name
    out("\n---%s\n---@class %s", declared.doc, class)
    for _, property in ipairs(declared.properties) do
        out("---@field %s %s %s", property.name, property.kind, property.doc)
    end
    for _, method in ipairs(declared.methods) do
        local arguments = method.arguments ~= "" and ", " .. method.arguments or ""
        out("---@field %s fun(self: %s%s)%s %s", method.name, class, arguments,
            method.gives and ": " .. method.gives or "", method.doc)
    end
    if declared.name == "Field" then
        for _, operator in ipairs{ "add", "sub", "mul", "div", "pow" } do
            out("---@operator %s(number|esker.Field): esker.Field", operator)
        end
        out("---@operator unm: esker.Field")
    end
    out("local %s = {}", declared.name)
    for _, operation in ipairs(value_types.operations_on(declared)) do
        signature(operation, declared.name)
    end
end

out("---@meta")
out("-- For editors: the Lua language server reads this. Written from the declarations by `make docs`.")
for _, operation in ipairs(esker.operations()) do
    if #operation.params > 0 then
        arguments_class(operation)
    end
end
for _, declared in ipairs(esker.values()) do
    value_class(declared)
end
out("\n---@class esker")
out("---@field version string\n---@field palettes table<string, table[]>")
out("esker = {}")
for _, operation in ipairs(esker.operations()) do
    signature(operation, "esker")
end
for _, entry in ipairs(require "esker.functions") do
    if entry.usage:find("esker." .. entry.name, 1, true) then
        out("\n---%s. %s", entry.summary, entry.description)
        out("function esker.%s(...) end", entry.name)
    end
end
out("\n---Declares a recipe's parameters with their defaults.")
out("---@param declarations table<string, any>\n---@return table<string, any>\nfunction params(declarations) end")
out("\nreturn esker")
