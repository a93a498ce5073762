-- Libraries through require.
for _, name in ipairs{ "io", "os", "debug", "package", "esker.host", "esker.process", "esker.recipe.confined", "esker.recipe.recipe" } do
    if pcall(require, name) then print("LEAK", name) end
end
return { done = true }
