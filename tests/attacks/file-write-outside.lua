-- Writing elsewhere.
local land = esker.spectral{ size = 16 }
for _, path in ipairs{ "../x.png", "/tmp/esker-attack.png", "../secret/secret.png", "./../secret/secret.png",
    "outlink/secret.png", "../recipe/new.png", "../recipe/attack.png", "../../x.png", "inside/../../x.png" } do
    if pcall(land.save, land, path) then print("LEAK", path) end
end
return { done = true }
