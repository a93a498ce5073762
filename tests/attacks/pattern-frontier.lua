-- %f over and over.
return { x = ("a"):rep(4e5):find((".-"):rep(4) .. "%f[%d]b") }
