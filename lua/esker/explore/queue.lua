-- Tasks for confined processes. Each process does one at a time; a task waits until one is free, and is dropped when
-- nobody waits for it any more. Light tasks go to any process, all others to the first, which has more memory.
--
-- A tile of eroded land needs the coarser land around it, which each process keeps for itself. So such a task names the
-- regions of tiles (`near`) in which it and those above it lie. It goes to a process that has worked there, and waits
-- for one that is at work there now, unless many tasks wait: to make the coarser land twice takes as long as two tiles.
-- It tells which of its neighbours wait, so that the land of all is made at once, with one margin.

local places = require "esker.places"
local screen = require "esker.screen"

local queue = {}

local max_known = 64 -- regions that a process has worked in lately
local many = 8 -- tasks that wait
local max_passed = 8 -- later tasks that are given first, at most

-- `count` processes, made by `start(number, libraries)` when they are needed. A task is { message =,
-- done = function(answer), is_wanted = function(), dropped = function(), light = true, patient = true,
-- libraries = { … }, near = { level =, … }, note = function(kind, text) }: `done` gets what explore_results.answer
-- gives, or { error = }; `note` what the process tells before; libraries are a set of those that it needs, as in
-- confined.limits.
function queue.new(count, start)
    local work = {}
    local workers = {} -- all of them: { process =, task =, known = what it has worked near, in order, and as a set }
    local waiting = {}
    for i = 1, count do
        workers[i] = {}
    end

    local function finish(worker, answer)
        local task = worker.task
        worker.task = nil
        if answer.error and task.light and worker ~= workers[1] and answer.error:find("memory", 1, true) then
            task.light = false -- the first has more
            table.insert(waiting, 1, task)
        else
            local well, problem = pcall(task.done, answer)
            if not well then -- a mistake of ours: of this one task only
                screen.note("esker: ", tostring(problem), "\n")
            end
        end
    end

    local function learn(worker, region)
        local known = worker.known or { first = 1, last = 0, list = {}, set = {} }
        worker.known = known
        if known.set[region] then
            return
        end
        known.last = known.last + 1
        known.list[known.last], known.set[region] = region, true
        if known.last - known.first >= max_known then
            known.set[known.list[known.first]] = nil
            known.list[known.first] = nil
            known.first = known.first + 1
        end
    end

    -- How many levels above a task's own region lies the nearest one that the process has worked in; all levels if
    -- there is none.
    local function levels_to(task, worker)
        for i, region in ipairs(task.near) do
            if worker.known and worker.known.set[region] then
                return i - 1
            end
        end
        return #task.near
    end

    -- How well a task suits a process: nil where another had better do it.
    local function fitness(task, number)
        if (task.passed or 0) >= max_passed then
            return math.huge
        elseif not task.near then
            return 1
        end
        local own, nearest = levels_to(task, workers[number]), #task.near
        for i, other in ipairs(workers) do
            local levels = i == number and own or levels_to(task, other)
            if levels < own and other.task and other.task.near and #waiting < many then
                return nil
            end
            nearest = math.min(nearest, levels)
        end
        return nearest < own and -1 or -own / #task.near
    end

    -- The first of those tasks that suit the process best, or one that had to let many pass. Tasks that nobody waits
    -- for any more are forgotten.
    local function next_task(number)
        local i, best, best_fitness = 1, nil, -2
        while waiting[i] do
            local task = waiting[i]
            if task.is_wanted and not task.is_wanted() then
                table.remove(waiting, i)
                if task.dropped then
                    task.dropped()
                end
            else
                local well = (number == 1 or task.light) and fitness(task, number)
                if well and well > best_fitness then
                    best, best_fitness = i, well
                end
                i = i + 1
            end
        end
        for k, task in ipairs(best and waiting or {}) do
            task.passed = (task.passed or 0) + ((k < best or task.patient) and 1 or 0)
        end
        return best and table.remove(waiting, best)
    end

    -- A library is opened before a process is confined.
    local function lacks(worker, task)
        for name in pairs(task.libraries or {}) do
            if not worker.libraries[name] then
                return true
            end
        end
        return false
    end

    -- How many columns and rows of waiting tiles lie to each side of that of a task; nil where they did for one before.
    local function neighbours(own)
        local beside = { left = 0, top = 0, right = 0, bottom = 0 }
        if own.near.made then
            return nil
        end
        for _, task in ipairs(waiting) do
            local at = task.near and task.near.level == own.near.level and task.message
            local x = at and places.between(own.message.x, at.x)
            local y = at and places.between(own.message.y, at.y)
            if x and y and math.abs(x) <= 1 and math.abs(y) <= 1 then
                task.near.made = true
                beside.left, beside.right = math.max(beside.left, -x), math.max(beside.right, x)
                beside.top, beside.bottom = math.max(beside.top, -y), math.max(beside.bottom, y)
            end
        end
        return beside
    end

    local function give(worker, task, number)
        if worker.process and lacks(worker, task) then
            worker.process:kill()
            worker.process = nil
        end
        if not worker.process then
            worker.libraries, worker.known = task.libraries or {}, nil
            worker.process = start(number, worker.libraries)
        end
        worker.task = task
        if task.near then
            learn(worker, task.near[1])
        end
        if task.near and task.near.level then
            task.message.beside = neighbours(task)
            task.message.alone = #waiting == 0
            for _, other in ipairs(workers) do
                task.message.alone = task.message.alone and (other == worker or not other.task)
            end
        end
        if not worker.process:send(task.message) then
            worker.process:kill()
            worker.process, worker.task, worker.known = nil, nil, nil
            table.insert(waiting, 1, task) -- for a new one
        end
    end

    -- Running processes come before those that would have to start and run the recipe: so the one that has just run it
    -- draws the first tile. Among them the first comes last, to be free for what only it can do.
    local function hand_out()
        for _, runs in ipairs{ true, false } do
            for i = count, 1, -1 do
                local worker = workers[i]
                local task = not worker.task and (worker.process ~= nil) == runs and next_task(i)
                if task then
                    give(worker, task, i)
                end
            end
        end
    end

    -- A task that ended with its process, or was stopped, though it was another that should: done once more.
    local function is_to_do_again(worker)
        local task = worker.task
        if not task or task.cancelled or task.again then
            return false
        end
        worker.task, task.again = nil, true
        table.insert(waiting, 1, task)
        return true
    end

    local function receive(worker)
        local state, answer, text = worker.process:receive()
        while state == "note" do
            if worker.task and worker.task.note then
                worker.task.note(answer, text)
            end
            state, answer, text = worker.process:receive()
        end
        if state then
            finish(worker, answer)
        elseif state == false and not (answer == "superseded" and is_to_do_again(worker)) then
            finish(worker, { error = tostring(answer), status = 422 })
        elseif state == nil and worker.process:descriptor() < 0 then
            worker.process, worker.known = nil, nil
            if worker.task and (answer or not is_to_do_again(worker)) then
                finish(worker, { error = answer or "the recipe's process has ended", status = 422 })
            end
        end
    end

    -- `first`: before all others that wait; a task that is patient waits behind those that are not.
    function work.add(task, first)
        local place = first and 1 or #waiting + 1
        while not task.patient and place > 1 and waiting[place - 1].patient do
            place = place - 1
        end
        table.insert(waiting, place, task)
        hand_out()
    end

    -- Stops a task: it ends with an error, soon, or is forgotten if it has not begun.
    function work.cancel(task)
        for i, each in ipairs(waiting) do
            if each == task then
                table.remove(waiting, i)
                task.done({ error = "superseded", status = 409 })
                return
            end
        end
        for _, worker in ipairs(workers) do
            if worker.task == task then
                task.cancelled = true
                worker.process:stop()
            end
        end
    end

    function work.descriptors()
        local list = {}
        for _, worker in ipairs(workers) do
            list[#list + 1] = worker.process and worker.process:descriptor() or nil
        end
        return list
    end

    -- Takes the answers of processes whose descriptors can be read.
    function work.go_on(ready)
        for _, worker in ipairs(workers) do
            if worker.process and ready[worker.process:descriptor()] then
                receive(worker)
            end
        end
        hand_out()
    end

    return work
end

return queue
