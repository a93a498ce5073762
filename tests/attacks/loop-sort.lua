-- An order that does not return.
table.sort({ 3, 1, 2 }, function() while true do end end)
