-- Palettes by name: colours by height, from the deepest sea at -1 over the shore at 0 to the highest land at 1.
-- Colours between two stops blend in linear light. Two stops a hair apart make a sharp change, as at a shore.
-- A list of your own works wherever a palette is taken: relief{ palette = { { 0, "#202020" }, { 1, "#ffffff" } } }.

local sea = {
    { -1, "#16344f" }, { -0.5, "#24557a" }, { -0.15, "#3f7fa3" }, { -0.02, "#79b0c4" }, { -0.0001, "#a3cdd3" },
}

local function with_sea(land)
    local stops = { table.unpack(sea) }
    for _, stop in ipairs(land) do
        stops[#stops + 1] = stop
    end
    return stops
end

return {
    hypsometric = with_sea{
        { 0, "#6f9a69" }, { 0.12, "#8fae72" }, { 0.28, "#b9c285" }, { 0.42, "#d8cd96" }, { 0.56, "#cfae7c" },
        { 0.7, "#ae8560" }, { 0.82, "#94705a" }, { 0.91, "#c2b6ac" }, { 1, "#f7f5f2" },
    },
    alpine = with_sea{
        { 0, "#4e7a4a" }, { 0.25, "#6b8f56" }, { 0.45, "#8c9a6b" }, { 0.6, "#8d8675" }, { 0.72, "#9b968f" },
        { 0.8, "#d9dcdf" }, { 1, "#ffffff" },
    },
    desert = with_sea{
        { 0, "#e5d3a1" }, { 0.3, "#dcb777" }, { 0.55, "#c98f55" }, { 0.75, "#a7673f" }, { 0.9, "#8a5138" },
        { 1, "#d8b596" },
    },
    arctic = with_sea{
        { 0, "#8a9a8c" }, { 0.15, "#a9b5ad" }, { 0.35, "#cfd8da" }, { 0.7, "#e9f0f4" }, { 1, "#ffffff" },
    },
    volcanic = with_sea{
        { 0, "#3b4a34" }, { 0.2, "#4d4a41" }, { 0.5, "#423b3a" }, { 0.75, "#5b4640" }, { 0.9, "#7d4a39" },
        { 1, "#c96a3a" },
    },
    mars = { { -1, "#4a2a20" }, { 0, "#7d4630" }, { 0.35, "#b0643f" }, { 0.65, "#cf8a5b" }, { 1, "#f0cfa8" } },
    grey = { { -1, "#202428" }, { -0.0001, "#4a5056" }, { 0, "#8a8a8a" }, { 1, "#fafafa" } },
    heights = { { -1, "#000000" }, { 0, "#000000" }, { 1, "#ffffff" } },
}
