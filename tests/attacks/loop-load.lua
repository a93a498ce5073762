-- Source text without end.
load(function() return " " end)
