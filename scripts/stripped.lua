-- Gives a function that reads a file of a page as it is served: without comments on lines of their own, and without
-- indentation. Minified and binary ones stay as they are. Nil where the file is missing.

local stripped_kinds = { js = true, css = true, html = true }

return function(path)
    local file = io.open(path, "rb")
    local text = file and file:read("a")
    if file then
        file:close()
    end
    if not text or path:find("%.min%.js$") or not stripped_kinds[path:match("%.(%l+)$")] then
        return text
    end
    return (("\n" .. text):gsub("\n%s*//[^\n]*", ""):gsub("\n%s+", "\n"):sub(2))
end
