-- A link that leads out.
for _, path in ipairs{ "recipe/link.png", "recipe/linkdir/secret.png", "out/outlink/secret.png", "recipe/linkdir/../secret/secret.png" } do
    if pcall(esker.load, path) then print("LEAK", path) end
end
return { done = true }
