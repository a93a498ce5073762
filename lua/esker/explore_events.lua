-- The streams of server-sent events: what is told to all pages that are open.

local json = require "esker.json"

local events = {}

local look_every = 10 -- seconds between two looks for clients that have gone

function events.new()
    local own, streams = {}, {}
    local last = os.time()

    local function send(text)
        for stream in pairs(streams) do
            if not stream:send(text) then
                streams[stream] = nil
            end
        end
    end

    function own.add(stream)
        stream:stream()
        stream:send(": welcome\n\n")
        streams[stream] = true
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
