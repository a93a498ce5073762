-- A pipe that nobody writes to.
print(pcall(esker.load, "recipe/pipe.png"))
return { done = true }
