# A picture of a deep window whose altitudes have too few digits for its slopes says so; from zoom 200,000 or so on, at this size.
cat >deep.lua <<'LUA'
local map = esker.river_map{ seed = 7 }
local function picture(zoom, relative)
    local altitude = map:render{ x = 0.6, y = 0.4, zoom = zoom, size = 512, relative = relative }
    return altitude:relief{}
end
return { near = picture(1000), deep = picture(1e6, true), woven = picture(1e6) }
LUA
esker deep.lua -o out
