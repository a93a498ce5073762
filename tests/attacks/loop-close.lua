-- A loop in a variable that is closed.
do
    local guard <close> = setmetatable({}, { __close = function() while true do end end })
    error(guard)
end
