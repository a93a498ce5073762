-- Errors of functions that Esker has in Lua begin with the recipe's line that called them, as those of operations do.

-- "hills.lua:3: ", the innermost line outside Esker's own code; "" if there is none.
local function line()
    for level = 3, math.huge do
        local caller = debug.getinfo(level, "Sl")
        if not caller then
            return ""
        elseif caller.currentline > 0 and not caller.source:find("^@lua/esker/") then
            return ("%s:%d: "):format(caller.short_src, caller.currentline)
        end
    end
end

-- The same function, whose errors begin with that line instead of one of Esker's, or of none.
return function(call)
    local function finish(well, problem, ...)
        if well then
            return problem, ...
        elseif type(problem) == "string" then
            local text = problem:gsub("^lua/esker/[%w_]+%.lua:%d+: ", "")
            if text ~= "not enough memory" and not text:find("^[^\n]-:%d+: ") then
                problem = line() .. text
            end
        end
        error(problem, 0)
    end
    return function(...)
        return finish(pcall(call, ...))
    end
end
