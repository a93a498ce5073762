-- Room to build in a strategy game
-- Erosion that flattens what is gentle; the flat ground on which large buildings fit is bright, with houses.
local p = params{ seed = 4, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:perturb():olsen_erosion()
local play = land:playability{ building_size = p.size // 30 }
local room = play.buildings:morphology{ kind = "open", radius = 0.016 }
local houses = land:scatter{ distances = { 0.022 }, density = room, seed = p.seed }
local ground = land:texture{ snow = {}, exaggeration = 1.5, shade = land:hillshade{ exaggeration = 1.5 } * 1.3 }
local bright = ground:paint(room:blur{ sigma = 0.005 }, { colour = "#f4ee9c", opacity = 0.5 })
return { picture = bright:paint(houses, { colour = "#8c4a32", thickness = 0.5 }), score = play.suitability }
