-- Names of results that lead out.
return { ["../secret/x"] = esker.spectral{ size = 16 } }
