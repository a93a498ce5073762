-- A loop that does nothing.
while true do end
