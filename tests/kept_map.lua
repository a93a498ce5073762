-- A zoomable map that the tests of a file share: it keeps what one of them has drawn for the next.
local maps = {}

return function(arguments)
    local words = {}
    for name, value in pairs(arguments) do
        words[#words + 1] = name .. "=" .. tostring(value)
    end
    table.sort(words)
    local key = table.concat(words, " ")
    maps[key] = maps[key] or require("esker").river_map(arguments)
    return maps[key]
end
