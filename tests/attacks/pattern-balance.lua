-- %b over and over.
return { x = ("("):rep(1e6):find("%b()") }
