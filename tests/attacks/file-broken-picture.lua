-- Pictures that are not what they say.
for _, name in ipairs{ "broken.png", "huge.png", "text.png", "empty.png" } do print(pcall(esker.load, "recipe/" .. name)) end
return { done = true }
