-- Reads the text of open files, which may be untrusted: always with a limit, whatever size the file reports.

local reading = {}

local block = 65536

-- The whole text of a file; nil and the reason if reading fails. A file of more than `most` bytes is not read.
function reading.whole(file, most)
    local parts, size = {}, 0
    while true do
        local part, problem = file:read(block)
        if not part then
            return not problem and table.concat(parts) or nil, problem
        end
        parts[#parts + 1], size = part, size + #part
        if size > most then
            return nil, ("it is larger than %d KiB"):format(most // 1024)
        end
    end
end

-- The first `most` bytes of the file `name` in an open folder; nil where there is none. A file that is there and cannot
-- be read is an error.
function reading.beginning(folder, name, most)
    local file <close> = folder:open(name)
    if not file then
        return nil
    end
    local text, problem = file:read(most)
    return text or problem and error(("cannot read '%s': %s"):format(folder:path(name), problem), 0) or ""
end

-- Iterates over the lines of a file that end with a newline: each without it, and the position after it. Raises
-- `fail(why)` if reading fails or a line is longer than `most` bytes.
function reading.lines(file, most, fail)
    local parts, waiting, place = {}, 0, 0 -- of a line that continues in the next block
    local part, at = "", 1
    return function()
        while true do
            local stop = part:find("\n", at, true)
            parts[#parts + 1] = part:sub(at, (stop or 0) - 1)
            waiting = waiting + #parts[#parts]
            if waiting > most then
                fail(("a line is longer than %d KiB"):format(most // 1024))
            elseif stop then
                local line = table.concat(parts)
                parts, waiting, place, at = {}, 0, place + waiting + 1, stop + 1
                return line, place
            end
            local problem
            part, problem = file:read(block)
            at = 1
            if problem then
                fail(problem)
            elseif not part then
                return nil
            end
        end
    end
end

return reading
