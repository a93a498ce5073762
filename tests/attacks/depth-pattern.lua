-- Captures in captures.
return { x = ("a"):find(("("):rep(1e5)) }
