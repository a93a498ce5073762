-- .* many times.
return { x = ("a"):rep(5000):find((".*"):rep(10) .. "b") }
