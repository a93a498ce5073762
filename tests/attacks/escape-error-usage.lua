-- An error that looks like the program's own.
error({ usage = ("x"):rep(1e6) })
