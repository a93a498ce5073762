-- A picture larger than the memory, and the cap on pixels is lifted.
return { h = esker.load("recipe/huge.png", { max_pixels = 4294967296 }) }
