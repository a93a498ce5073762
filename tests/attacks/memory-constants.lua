-- A table of ten million constants.
load("return {" .. ("1.5,"):rep(1e7) .. "}")
