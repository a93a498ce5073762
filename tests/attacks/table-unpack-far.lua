-- Table.unpack over 10^7 places, again and again.
while true do pcall(table.unpack, {}, 1, 1e7) end
