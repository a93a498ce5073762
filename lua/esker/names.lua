-- The string keys of a table in alphabetical order, for loops that must be the same in every run.

return function(set)
    local names = {}
    for name in next, set or {} do
        if type(name) == "string" then
            names[#names + 1] = name
        end
    end
    table.sort(names)
    return names
end
