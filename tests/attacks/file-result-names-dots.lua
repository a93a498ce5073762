-- Names of results made of dots.
return { [".."] = esker.spectral{ size = 16 } }
