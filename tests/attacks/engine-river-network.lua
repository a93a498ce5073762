-- A network of very many points.
return { n = esker.river_network{ size = 4096, points = 1000000 } }
