-- A loop that catches every error.
while true do pcall(error) end
