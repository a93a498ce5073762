-- The name of a file that does not exist: temporary(ending). os.tmpname makes a file, which would stay.
return function(ending)
    local name = os.tmpname()
    os.remove(name)
    return name .. ending
end
