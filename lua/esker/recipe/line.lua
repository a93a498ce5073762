-- "hills.lua:3: ", the innermost line outside Esker's own code that is being run; "" if there is none.

return function()
    for level = 2, math.huge do
        local caller = debug.getinfo(level, "Sl")
        if not caller then
            return ""
        elseif caller.currentline > 0 and not caller.source:find("^@lua/esker/") then
            return ("%s:%d: "):format(caller.short_src, caller.currentline)
        end
    end
end
