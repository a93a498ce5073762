-- A hundred million digits.
while true do pcall(string.format, "%99.99f", 1e308) end
