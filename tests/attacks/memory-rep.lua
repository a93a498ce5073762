-- One text of many gigabytes.
return { x = ("x"):rep(1 << 40) }
