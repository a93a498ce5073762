-- A string of half a gigabyte from string.pack.
local numbers = {}
for i = 1, 2e5 do numbers[i] = i end
return { x = string.pack(("!16 Xi16 i16"):rep(2e5), table.unpack(numbers)) }
