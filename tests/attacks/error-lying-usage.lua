-- Errors whose text is a table that answers to everything.
error({ usage = setmetatable({}, { __tostring = function() return {} end, __concat = function() return "LEAK" end,
    __name = "string", __index = string }) }, 0)
