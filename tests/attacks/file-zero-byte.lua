-- A path with a zero in it.
local land = esker.spectral{ size = 16 }
for _, path in ipairs{ "a\0/../../secret/secret.png", "recipe/x\0.png" } do
    if pcall(land.save, land, path) then print("LEAK") end
end
return { done = true }
