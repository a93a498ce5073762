-- A replacement that does not return.
("x"):gsub(".", function() while true do end end)
