-- `esker help RECIPE.lua`: the recipe's leading comment and its declared parameters.

local command_line = require "esker.command_line"
local names_of = require "esker.names"
local parameters = require "esker.recipe.parameters"
local plans = require "esker.sweep.plans"
local recipe = require "esker.recipe.recipe"
local texts = require "esker.texts"

local recipe_help = {}

-- The comment at the beginning of a recipe, without its dashes.
local function first_comment(text)
    local lines = {}
    for line in text:gsub("^#[^\n]*\n", ""):gmatch("[^\n]*") do
        local comment = line:gsub("\r$", ""):match("^%-%-%s?(.*)$")
        if not comment or comment:match("^%[=*%[") then
            break
        end
        lines[#lines + 1] = comment
    end
    return table.concat(lines, "\n")
end

-- The help text of a recipe, options.target. It runs, confined according to the options, until its parameters are
-- declared.
function recipe_help.describe(options)
    local path = options.target
    local comment = first_comment(recipe.text(path))
    local declared = plans.declarations(options)
    local lines = { ("usage: esker %s [NAME=VALUE ...] [OPTION ...]"):format(path) }
    if comment:match("%S") then
        lines[#lines + 1] = "\n" .. comment
    end
    local names = names_of(declared)
    lines[#lines + 1] = #names > 0 and "\nParameters:" or "\nIt takes no parameters."
    for _, name in ipairs(names) do
        local spec = declared[name]
        lines[#lines + 1] = command_line.entry(
            texts.visible(("  %s=%s"):format(name, parameters.exact_text(spec.default))),
            texts.visible((spec.doc and spec.doc .. "; " or "") .. parameters.allowed(spec)))
    end
    return table.concat(lines, "\n") .. "\n"
end

return recipe_help
