-- A table that passes for a number, a mesh, a picture, where the program asks for types by a function of this table.
local real = esker.type
for _, kind in ipairs{ "Mesh", "Field", "Image", "number" } do
    esker.type = function(value) return type(value) == "table" and rawget(value, "mark") and kind or real(value) end
end
local forged = setmetatable({ mark = true, save = function() print("LEAK") end, width = 1, height = 1 },
    { __tostring = function() return "x\tr{LEAKED}=n2\nforged\27]0;LEAKED\7" end })
return { x = forged }
