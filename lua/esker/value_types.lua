-- The engine's value types by their names, from their declarations (esker.values).

local esker = require "esker"
local file_formats = require "esker.file.formats"
local large_kind = require "esker.large.kind"

local value_types = {}

for _, declared in ipairs(esker.values()) do
    value_types[declared.name] = declared
end

-- Fields larger than memory, which are no type of the engine.
value_types.LargeField = { name = "LargeField",
    singular = "a field larger than memory", plural = "fields larger than memory",
    formats = file_formats.of_large_fields() }

value_types.LargeImage = { name = "LargeImage",
    singular = "an image larger than memory", plural = "images larger than memory", formats = { "png", "tif", "tiff" } }

-- The name of a value's type.
function value_types.of(value)
    return large_kind.is(value) and "LargeField" or large_kind.is_picture(value) and "LargeImage" or esker.type(value)
end

-- The operations that are methods of a type, in the order of the manual.
function value_types.operations_on(declared)
    local list = {}
    for _, operation in ipairs(esker.operations()) do
        local first = operation.inputs[1]
        if first and ("|" .. first.kind .. "|"):find("|" .. declared.kind .. "|", 1, true) then
            list[#list + 1] = operation
        end
    end
    return list
end

function value_types.has_method(declared, name)
    for _, method in ipairs(declared.methods) do
        if method.name == name then
            return true
        end
    end
    return false
end

-- "a field, an image or a network": the types that have a method.
function value_types.with_method(name)
    local list = {}
    for _, declared in ipairs(esker.values()) do
        if value_types.has_method(declared, name) then
            list[#list + 1] = declared.singular
        end
    end
    return table.concat(list, ", ", 1, #list - 1) .. " or " .. list[#list]
end

-- Whether values of a type are saved in a format.
function value_types.saves_as(name, format)
    local own = " " .. table.concat(value_types[name].formats, " ") .. " "
    return own:find(" " .. format:lower() .. " ", 1, true) ~= nil
end

-- The file extension of results of this type, without the dot; nil if it cannot be saved.
function value_types.usual_format(name)
    return value_types[name] and value_types[name].formats[1]
end

-- "fields, images, …": the types that can be saved.
function value_types.saved()
    local list = {}
    for _, declared in ipairs(esker.values()) do
        if declared.formats[1] then
            list[#list + 1] = declared.plural
        end
    end
    return table.concat(list, ", ")
end

-- "fields are saved as NAME.png, …": their default formats.
function value_types.usual_files()
    local list = {}
    for _, declared in ipairs(esker.values()) do
        local format = declared.formats[1]
        if format then
            list[#list + 1] = ("%s %s NAME.%s"):format(declared.plural, #list == 0 and "are saved as" or "as", format)
        end
    end
    return table.concat(list, ", ")
end

return value_types
