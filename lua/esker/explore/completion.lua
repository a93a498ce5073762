-- Completion in the explorer's editor: as in the session, but nothing is known of a recipe's own values, so that after
-- `land:` every method of every type is offered, with the types that have it.

local completion = require "esker.help.completion"
local esker = require "esker"
local value_types = require "esker.value_types"

local explore_completion = {}

-- The types of each method, by its name.
local function all_methods()
    local types = {}
    local function add(name, kind)
        types[name] = types[name] and types[name] .. ", " .. kind or kind
    end
    for _, declared in ipairs(esker.values()) do
        if declared.name then
            for _, method in ipairs(declared.methods) do
                add(method.name, declared.kind)
            end
            for _, operation in ipairs(value_types.operations_on(declared)) do
                add(operation.name, declared.kind)
            end
        end
    end
    return types
end

local methods

-- A list of { label =, detail = }.
function explore_completion.complete(line, globals)
    local list = {}
    for i, each in ipairs((completion.candidates(line, globals))) do
        list[i] = type(each) == "table" and { label = each.insert, detail = each.show } or { label = each }
    end
    local start = #list == 0 and line:match("[%w_]:([%w_]*)$")
    if start then
        methods = methods or all_methods()
        for name, kinds in pairs(methods) do
            if name:sub(1, #start) == start then
                list[#list + 1] = { label = name, detail = kinds }
            end
        end
        table.sort(list, function(a, b) return a.label < b.label end)
    end
    return list
end

return explore_completion
