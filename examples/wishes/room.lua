-- Room to build in a strategy game
-- Erosion that flattens what is gentle; the flat ground on which large buildings fit is bright.
local p = params{ seed = 4, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:perturb():olsen_erosion()
local play = land:playability{ building_size = 17 }
local room = play.buildings:blur{ sigma = 1 }
local ground = land:texture{ exaggeration = 1.5, shade = land:hillshade{ exaggeration = 1.5 } * 1.3 }
return { picture = ground:paint(room, { colour = "#f4ee9c", opacity = 0.6 }), score = play.suitability }
