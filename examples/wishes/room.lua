-- Room to build in a strategy game
-- Erosion that flattens what is gentle; the flat ground on which large buildings fit is bright.
local p = params{ seed = 4, size = 200 }
local colours = { { -0.01, "#f4ee9c" }, { 0, "#4e7a4a" }, { 0.4, "#7f9562" }, { 0.7, "#8d8675" }, { 1, "#d9dcdf" } }
local land = esker.spectral{ size = p.size, seed = p.seed }:perturb():olsen_erosion()
local play = land:playability{ building_size = 17 }
local room = play.buildings:blur{ sigma = 1 } * 0.45
return { picture = land:relief{ palette = colours, rivers = room, exaggeration = 1.5 }, score = play.suitability }
