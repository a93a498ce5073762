-- Results that contain themselves.
local results = { n = 1 }
results.again = results
results.inner = { results = results }
return results
