-- Commands to the terminal as the names of results, hidden from pairs.
return setmetatable({ ["\27]0;LEAKED\7"] = 1, good = 2 },
    { __pairs = function(t) return function(_, key) if not key then return "good", 2 end end, t end })
