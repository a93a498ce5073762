-- One string under a thousand names: a gigabyte for the process that receives all of them.
local text, results = ("x"):rep(2 ^ 20), {}
for i = 1, 1000 do results["n" .. i] = text end
return results
