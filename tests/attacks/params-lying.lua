-- Declarations with metatables, ranges that are no numbers, choices that answer when asked, a default that is none.
local lying = setmetatable({}, { __lt = function() return false end, __le = function() return false end,
    __tostring = function() while true do end end, __index = function() while true do end end,
    __pairs = function() while true do end end, __len = function() return 1e9 end })
for _, declarations in ipairs{ { a = lying }, { a = { 1, min = lying } }, { a = { 1, choices = lying } },
    { a = { 1, doc = lying } }, { a = { 0 / 0 } }, { a = { 1, min = 0 / 0, max = 0 / 0 } }, { [lying] = 1 }, lying } do
    print(pcall(params, declarations))
end
return { n = 1 }
