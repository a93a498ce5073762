-- A field filled by a function that does not return.
esker.field{ size = 64, values = function() while true do end end }
