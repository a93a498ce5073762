-- A text that grows a million times.
return { x = (("x"):rep(1e5):gsub("x", ("y"):rep(1e5))) }
