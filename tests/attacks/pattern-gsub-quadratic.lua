-- A square of the length.
return { x = (("a"):rep(1e6):gsub("a*b", "")) }
