-- Raises an error of the command line, as opposed to one of the recipe.

return function(...)
    error({ usage = string.format(...) }, 0)
end
