-- A loop in the handler of an error.
xpcall(error, function() while true do end end)
