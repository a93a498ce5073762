-- What answers the page in a browser's tab: the server's own functions (api.lua), with workers of the tab (compute.lua)
-- in place of processes.

require "esker.tab.absent"
local explore_api = require "esker.explore.api"
local json = require "esker.file.json"
local late = require "esker.tab.late"
local queue = require "esker.explore.queue"
local tab = require "esker.tab"

local front = {}

local memory, cache_bytes = 48 << 20, 12 << 20 -- of all here, and of tiles
local started = {} -- workers by number
local gone = {} -- requests that nobody waits for any more, by number
local work, explorer
local needs_late = { ["/api/edits"] = true, ["/api/export"] = true, ["/api/help"] = true, ["/api/save"] = true,
    ["/api/text"] = true }
local postponed = {} -- such requests: { number, text, body }

-- A worker, as queue.lua knows processes.
local function start(number)
    local worker, inbox, open = {}, {}, true
    tab.tell("start", number)

    function worker.send(_, message)
        tab.tell("send", number, "", tab.pack(message))
        return true
    end

    -- What has come: a note, an answer, or how it ended.
    function worker.receive()
        local come = table.remove(inbox, 1)
        if come and come.ended then
            open = false
            return nil, come.ended ~= "" and come.ended or nil
        elseif come then
            return table.unpack(come, 1, 3)
        end
    end

    function worker.stop()
        tab.tell("stop", number)
    end

    function worker.kill()
        open = false
        tab.tell("end", number)
    end

    function worker.descriptor()
        return open and number or -1
    end

    function worker.take(kind, bytes)
        if kind == "answer" then
            inbox[#inbox + 1] = tab.unpack(bytes)
        elseif kind == "ended" then
            inbox[#inbox + 1] = { ended = bytes }
        else
            inbox[#inbox + 1] = { "note", kind, bytes }
        end
        work.go_on{ [number] = true }
    end

    started[number] = worker
    return worker
end

-- Opens a recipe in `workers` workers: its name and its text, and the values of the address as texts.
function front.begin(workers, name, bytes)
    local given = json.decode(bytes)
    tab.limit(memory)
    work = queue.new(workers, start)
    explorer = explore_api.new({ target = name, overrides = given.values }, given.text, work, cache_bytes)
end

-- A worker has answered, told something, or ended.
function front.take(number, kind, bytes)
    started[number].take(kind, bytes)
end

-- The page asks: `text` is a request, { method =, path =, query = }.
function front.ask(id, text, body)
    local asked, request = json.decode(text), {}
    if needs_late[asked.path] and not late.is_there then
        postponed[#postponed + 1] = { id, text, body }
        return tab.tell("late")
    end
    function request.is_gone() return gone[id] end
    function request.answer(_, status, kind, bytes)
        gone[id] = nil
        tab.tell("answer", id, status .. " " .. kind, bytes)
    end
    function request.stream() end
    function request.send(_, event)
        tab.tell("event", id, "", event)
        return true
    end
    function request.close() end
    explorer.take{ method = asked.method, path = asked.path, query = asked.query, body = body, request = request }
end

-- What comes late is there, or `problem` says why not.
function front.late(_, problem)
    late.come(problem, function()
        local list = postponed
        postponed = {}
        for _, each in ipairs(list) do
            front.ask(table.unpack(each))
        end
    end)
end

-- Nobody waits for the answer any more.
function front.forget(id)
    gone[id] = true
    explorer.look()
end

return front
