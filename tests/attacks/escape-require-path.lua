-- Files through require.
for _, name in ipairs{ "../secret/secret", "/etc/passwd", "..secret.secret", "linkdir.secret", "link" } do
    local well, value = pcall(require, name)
    if well then print("LEAK", name, value) end
    print(value)
end
return { done = true }
