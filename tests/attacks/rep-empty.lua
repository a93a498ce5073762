-- Nothing, 2^60 times.
return { x = (""):rep(1 << 60) }
