-- A land with climate, rivers, towns and roads, from the whole map to a valley (docs/places-and-roads.md).
local p = params{
    seed = 7,
    size = { 512, min = 64, max = 4096 },
    zooms = { 4, min = 1, max = 4, doc = "how many are drawn of 1, 8, 64 and 512" },
}

local map = esker.river_map{ seed = p.seed, latitudes = { 15, 42 } }

-- The roads of one class.
local function of_class(roads, class)
    local list = {}
    for _, road in ipairs(roads:list()) do
        if road.attributes.class == class then
            list[#list + 1] = road
        end
    end
    return esker.lines{ width = roads.width, height = roads.height, list = list }
end

local results = {}
for i, zoom in ipairs(table.move({ 1, 8, 64, 512 }, 1, p.zooms, 1, {})) do
    local window = { x = 0.605, y = 0.445, zoom = zoom, size = p.size, inside = true }
    local altitude, river = map:render(window)
    local places, roads = map:places(window), map:roads(window)
    window.towns = true
    local picture = altitude:relief{ rivers = river, drape = map:cover(window).image, palette = "ground" }
    for _, class in ipairs{ { "track", 0.8 }, { "road", 1.2 }, { "highway", 2 } } do
        picture = picture:paint(of_class(roads, class[1]), { colour = "#7a2810", line = class[2] })
    end
    picture = picture:paint(places, { colour = "#1c1010", labels = "name" })
    local largest = places:list()[1]
    if largest then
        print(("zoom %d: %d places, the largest %s with %d people; %d stretches of road"):format(zoom, places.count,
            largest.attributes.name, largest.attributes.population, roads.count))
    end
    results["zoom-" .. i] = picture
    results["places-" .. i] = places
end
return results
