-- The streams of server-sent events: what is told to all pages that are open.

local json = require "esker.file.json"

local events = {}

local look_every = 10 -- seconds between two looks for clients that have gone
local max_streams = 16

function events.new()
    local own, streams = {}, {}
    local last = os.time()

    local function send(text)
        for i = #streams, 1, -1 do
            if not streams[i]:send(text) then
                table.remove(streams, i)
            end
        end
    end

    function own.add(stream)
        stream:stream()
        stream:send(": welcome\n\n")
        streams[#streams + 1] = stream
        if #streams > max_streams then -- the oldest makes room
            table.remove(streams, 1):close()
        end
    end

    function own.tell(name, value)
        send(("event: %s\ndata: %s\n\n"):format(name, json.encode(value)))
    end

    -- Finds streams whose clients have gone.
    function own.look()
        if os.time() - last >= look_every then
            last = os.time()
            send(": still here\n\n")
        end
    end

    return own
end

return events
