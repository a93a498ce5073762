-- Squig curves: the levels 0 to 7 of one river, and rivers with branches (Prusinkiewicz and Hammel 1993, figures 8
-- and 12).
local p = params{
    seed        = 3,
    size        = { 240, min = 32, max = 4096 },
    tributaries = { 0.5, min = 0, max = 1, doc = "how likely a triangle gets one, in the lower row" },
}

local function row(images, direction)
    local whole = images[1]
    for i = 2, #images do
        whole = whole:join(images[i], { direction = direction })
    end
    return whole
end

local function drawn(arguments)
    arguments.size = p.size
    return esker.squig_curve(arguments):draw{ line = 1.2 }
end

local levels, branches = { {}, {} }, {}
for level = 0, 7 do
    table.insert(levels[level // 4 + 1], drawn{ levels = level, seed = p.seed, entry = "bottom", river_width = 0 })
end
for i = 1, 4 do
    branches[i] = drawn{ levels = 6, seed = p.seed + i, entry = "bottom", tributaries = p.tributaries }
end

return {
    levels   = row({ row(levels[1]), row(levels[2]) }, "below"),
    branches = row(branches),
    sheet    = row({ row(levels[1]), row(levels[2]), row(branches) }, "below"),
}
