-- A store of answers by name, of at most `max_bytes` bytes; the least recently used go first.

local cache = {}

function cache.new(max_bytes)
    local own, bytes, clock = {}, 0, 0
    local entries = {}

    function own.get(name)
        local entry = entries[name]
        clock = clock + 1
        if entry then
            entry.used = clock
        end
        return entry and entry.value
    end

    function own.put(name, value)
        if entries[name] then
            return
        end
        entries[name] = { value = value, used = clock }
        bytes = bytes + #value
        while bytes > max_bytes do
            local oldest
            for each, entry in pairs(entries) do
                oldest = (not oldest or entry.used < entries[oldest].used) and each or oldest
            end
            bytes = bytes - #entries[oldest].value
            entries[oldest] = nil
        end
    end

    return own
end

return cache
