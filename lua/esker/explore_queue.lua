-- Tasks for confined processes. Each process does one at a time; a task waits until one is free, and is dropped when
-- nobody waits for it any more. Light tasks go to any process, all others to the first, which has more memory.

local queue = {}

-- `count` processes, made by `start(number)` when they are needed. A task is { message =, done = function(answer),
-- is_wanted = function(), light = true, note = function(kind, text) }: `done` gets what explore_results.answer gives,
-- or { error = }; `note` what the process tells before.
function queue.new(count, start)
    local work = {}
    local workers = {} -- { process =, task = }
    local waiting = {}

    local function finish(worker, answer)
        local task = worker.task
        worker.task = nil
        if answer.error and task.light and worker ~= workers[1] and answer.error:find("memory", 1, true) then
            task.light = false -- the first has more
            table.insert(waiting, 1, task)
        else
            task.done(answer)
        end
    end

    local function next_task(number)
        local i = 1
        while waiting[i] do
            if number > 1 and not waiting[i].light then
                i = i + 1
            else
                local task = table.remove(waiting, i)
                if not task.is_wanted or task.is_wanted() then
                    return task
                end
            end
        end
    end

    local function give(worker, task, number)
        worker.process = worker.process or start(number)
        worker.task = task
        if not worker.process:send(task.message) then
            worker.process:kill()
            worker.process, worker.task = nil, nil
            table.insert(waiting, 1, task) -- for a new one
        end
    end

    local function hand_out()
        for i = count, 1, -1 do -- the first last: it is free for what only it can do
            workers[i] = workers[i] or {}
            local task = not workers[i].task and next_task(i)
            if task then
                give(workers[i], task, i)
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
            worker.process = nil
            if worker.task and (answer or not is_to_do_again(worker)) then
                finish(worker, { error = answer or "the recipe's process has ended", status = 422 })
            end
        end
    end

    -- `first`: before all others that wait.
    function work.add(task, first)
        table.insert(waiting, first and 1 or #waiting + 1, task)
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
