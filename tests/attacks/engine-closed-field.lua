-- A field that was closed.
local outer
do
    local land <close> = esker.spectral{ size = 64 }
    outer = land
end
pcall(outer.blur, outer, {})
pcall(outer.get, outer, 0, 0)
pcall(outer.save, outer, "closed.png")
pcall(function() return outer + outer, outer == outer, tostring(outer), outer.width end)
return { closed = outer }
