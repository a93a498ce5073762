-- Fails unless the same cells of two windows are equal; the second window begins at (left, top) of the first.

local unit = require "luaunit"

return function(first, second, left, top, name)
    for y = 0, second.height - 1 do
        for x = 0, second.width - 1 do
            if first:get(left + x, top + y) ~= second:get(x, y) then
                unit.fail(("%s differs at (%d, %d)"):format(name, x, y))
            end
        end
    end
end
