-- Errors of functions that Esker has in Lua begin with the recipe's line that called them, as those of operations do.

local recipe_line = require "esker.recipe.line"

-- Wraps a function: its errors begin with the recipe's line instead of one of Esker's, or of none.
return function(call)
    local function finish(well, problem, ...)
        if well then
            return problem, ...
        elseif type(problem) == "string" then
            local text = problem:gsub("^lua/esker/[%w_/]+%.lua:%d+: ", "")
            if text ~= "not enough memory" and not text:find("^[^\n]-:%d+: ") then
                problem = recipe_line() .. text
            end
        end
        error(problem, 0)
    end
    return function(...)
        return finish(pcall(call, ...))
    end
end
