-- A link that is exchanged while it is followed.
for _ = 1, 1e5 do
    local well = pcall(esker.load, "recipe/race/secret.png")
    if well then print("LEAK") end
end
