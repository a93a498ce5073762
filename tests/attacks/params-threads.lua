-- Threads before the parameters are declared, and while they are.
esker.threads(256)
local land = esker.spectral{ size = 1024 }
local p = params(setmetatable({ seed = 1 }, { __index = function() esker.threads(256) end }))
return { n = p.seed, land = land:blur{ radius = 3 }, threads = esker.threads() }
