-- A picture larger than allowed.
return { h = esker.load("recipe/huge.png") }
