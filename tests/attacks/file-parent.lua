-- A file above by ...
for _, path in ipairs{ "../secret/secret.png", "./../secret/secret.png", "recipe/../secret/secret.png",
    "secret/secret.png", "recipe/../recipe/../secret/secret.png" } do
    if pcall(esker.load, path) then print("LEAK", path) end
    if pcall(esker.info, path) then print("LEAK", path) end
end
return { done = true }
