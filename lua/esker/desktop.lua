-- Programs of the user's desktop.

local desktop = {}

function desktop.is_there()
    return (os.getenv("DISPLAY") or os.getenv("WAYLAND_DISPLAY")) ~= nil
end

-- Opens a file in the program that the user has chosen for it; false where there is no desktop or no such
-- program. With `later` it does not wait for that.
function desktop.open(target, later)
    return desktop.is_there() and os.execute(
        ("xdg-open '%s' >/dev/null 2>&1%s"):format(target:gsub("'", "'\\''"), later and " &" or "")) or false
end

return desktop
