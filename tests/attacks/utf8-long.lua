-- Utf8.len over a long text, again and again.
local text = ("a"):rep(1e7)
while true do utf8.len(text) end
