-- One land in three climates, in natural colours, from the whole map to a valley (docs/climate.md).
local p = params{
    seed = 7,
    size = { 320, min = 64, max = 4096 },
    climates = { 3, min = 1, max = 3, doc = "how many are drawn" },
}

local climates = { { "tropical", { -8, 18 } }, { "subtropical", { 15, 42 } }, { "boreal", { 44, 70 } } }
local results = {}
for _, climate in ipairs(table.move(climates, 1, p.climates, 1, {})) do
    local name, latitudes = table.unpack(climate)
    local map = esker.river_map{ seed = p.seed, latitudes = latitudes }
    local row
    for _, zoom in ipairs{ 1, 8, 60 } do
        local window = { x = 0.62, y = 0.46, zoom = zoom, size = p.size, inside = true }
        local altitude, river = map:render(window)
        local picture = altitude:relief{ rivers = river, drape = map:cover(window).image, palette = "ground" }
        row = row and row:join(picture) or picture
    end
    local air = map:climate{ size = p.size }
    print(("%s: %.0f °C, %.0f mm of rain"):format(name, air.temperature:statistics().mean, air.rain:statistics().mean))
    results.sheet = results.sheet and results.sheet:join(row, { direction = "below" }) or row
    results[name] = air.koppen:colorize{ palette = "koppen", low = 0, high = 30 }
end
return results
