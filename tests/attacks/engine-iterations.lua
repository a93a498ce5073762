-- A million passes over a large field.
return { h = esker.diamond_square{ size = 1024 }:olsen_erosion{ iterations = 1000000 } }
