-- Work on strips that processes share over a folder (esker.large.stages). Every text and every strip of rows is a file
-- of its own, written whole or not at all, so that work goes on after any kill. A process runs the recipe from its
-- beginning; what the folder has is not done again.

local esker = require "esker"
local files = require "esker.files"
local planes = require "esker.planes"
local stages = require "esker.large.stages"

local shards = {}

-- From now on work is shared. `job`: { place = the folder's real path, folder = its name where files are written,
-- have = the set of names in it, mode = "shard" | "merge" | "whole", number =, of = }. Where a process can do no more,
-- job.ended = { status =, text = }, and an error ends the recipe.
function shards.share(job)
    local operations, has_advanced = 0, false

    local function stop(status, text, ...)
        job.ended = job.ended or { status = status, text = text:format(...) }
        error(job.ended.text, 0)
    end

    local function write(name, text)
        files.write(job.folder .. "/" .. name, text)
        job.have[name] = true
    end

    local function open(name)
        local file, problem = files.open(job.place .. "/" .. name)
        return file or error(problem, 0)
    end

    local function read(name)
        local file <close> = open(name)
        return file:read("a") or ""
    end

    local function reader(name)
        return function(strip)
            return read(name .. "-" .. strip)
        end
    end

    local work = {}
    work.__index = work

    function work:name(stage)
        return self.prefix .. "-" .. stage
    end

    function work:each(stage, count, make)
        local name, missing = self:name(stage), {}
        if job.ended then -- the recipe caught the error
            stop(0, "")
        elseif job.have[name] then
            return reader(name)
        end
        for strip = 1, count do
            missing[#missing + 1] = not job.have[name .. "-" .. strip] and strip or nil
        end
        if #missing == 0 then
            if job.mode ~= "shard" then
                write(name, "")
                has_advanced = true
            end
            return reader(name)
        elseif job.mode == "merge" then
            if has_advanced then
                stop(0, "the next round is %s, of %d parts: run all shares, then --merge", name, count)
            end
            stop(1, "%d of %d parts of %s are missing, the first is part %d: run the shares again", #missing, count,
                name, missing[1])
        end
        local own = 0
        for i, strip in ipairs(missing) do
            if (strip - 1) % job.of == job.number - 1 then
                write(name .. "-" .. strip, make(strip))
                own = own + 1
            end
            esker.progress(i, #missing)
        end
        if job.mode == "shard" then
            stop(0, "share %d of %d of %s is done, %d parts", job.number, job.of, name, own)
        end
        write(name, "")
        return reader(name)
    end

    function work:once(stage, count, make)
        local name = self:name(stage)
        if job.ended then
            stop(0, "")
        elseif not job.have[name] then
            if job.mode == "shard" then
                stop(1, "all parts are there that %s needs: run --merge first", name)
            end
            local list = make()
            for strip = 1, count do
                write(name .. "-" .. strip, list[strip])
            end
            write(name, "")
            has_advanced = true
        end
        return reader(name)
    end

    function work:rows(rows_name, large, bytes)
        local name = self:name(rows_name) .. "-rows-"
        local row_size = large.width * (bytes and 1 or 4)
        local store = { free = function() end }
        function store.put(strip, rows)
            write(name .. strip, bytes and rows or planes.pack(rows))
        end
        -- Rows of several strips, as one text.
        function store.read(first, count)
            local parts, at = {}, first
            while at < first + count do
                local strip = at // large.rows + 1
                local start, rows = stages.extent(large, strip)
                local here = math.min(first + count, start + rows) - at
                local file <close> = open(name .. strip)
                file:seek("set", (at - start) * row_size)
                local text = file:read(here * row_size)
                if not text or #text < here * row_size then
                    error(("'%s/%s%d' is too short: remove it, and run its share again"):format(job.place, name, strip),
                        0)
                end
                parts[#parts + 1], at = text, at + here
            end
            local text = #parts == 1 and parts[1] or table.concat(parts)
            return bytes and text or planes.unpack(text, large.width)
        end
        return store
    end

    -- Cells that are computed are stored on the way.
    function work:source(large)
        if large.is_stored or large.is_read then
            return { read = large.window, take = function(strip) return large.window(stages.extent(large, strip)) end }
        end
        local store, window = self:rows("source", large), large.window
        large.window = store.read
        return { read = store.read, take = function(strip)
            local first, rows = stages.extent(large, strip)
            local field = planes.window_of(window(first, rows), large.width, large.height, first, large.frame or nil)
            store.put(strip, field)
            return field
        end }
    end

    function stages.shared(operation)
        operations = operations + 1
        return setmetatable({ prefix = operations .. "-" .. operation }, work)
    end

    -- Whether this process may write results: shares leave that to --merge.
    function stages.saves()
        return job.mode ~= "shard"
    end
end

return shards
