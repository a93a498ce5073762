-- A loop that asks for progress and hides the answer.
while true do pcall(esker.progress, 1, 2) end
