-- Errors that are coroutines and fields.
local _, problem = pcall(error, esker.spectral{ size = 16 })
error(coroutine.wrap(function() error(problem) end), 0)
