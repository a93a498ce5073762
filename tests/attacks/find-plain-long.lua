-- A plain search in a long text.
return { x = (("a"):rep(8e6) .. "b"):find(("a"):rep(4e6) .. "b" .. "c", 1, true) }
