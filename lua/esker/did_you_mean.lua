-- The end of a message about an unknown name: the nearest known one, or nothing if that is nil.

return function(nearest)
    return nearest and (", did you mean '%s'?"):format(nearest) or ""
end
