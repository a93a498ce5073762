-- A text in a text.
local s = ("x"):rep(1e7)
return { x = ("%s%s%s%s%s%s%s%s%s%s"):format(s, s, s, s, s, s, s, s, s, s) }
