-- A text that fills what memory there is.
local text = "\27[31m"
while true do
    local well, longer = pcall(string.rep, text, 2)
    if not well then break end
    text = longer
end
error(text, 0)
