-- Work on strips that processes share over a folder (esker.large.stages). Every text and every strip of rows is a file
-- of its own, written whole or not at all, so that work goes on after any kill. A process runs the recipe from its
-- beginning; what the folder has is not done again. Each file ends in a hash of the run, its name and its content: one
-- that was damaged, or put in the place of another, is refused.

local esker = require "esker"
local files = require "esker.files"
local planes = require "esker.planes"
local stages = require "esker.large.stages"

local hash_size <const> = 8
local piece <const> = 1 << 20 -- bytes that are hashed at a time

local shards = {}

-- The hash at the end of a part. `each_piece()` gives its content in pieces, nil at the end.
local function hash_of(plan, name, each_piece)
    local hash = planes.hash(plan .. "\n" .. name)
    for text in each_piece do
        hash = planes.hash(hash .. text)
    end
    return hash
end

local function pieces_of(text)
    local at = 1 - piece
    return function()
        at = at + piece
        return at <= #text and text:sub(at, at + piece - 1) or nil
    end
end

local function pieces_of_file(file, size)
    file:seek("set", 0)
    return function()
        local text = size > 0 and file:read(math.min(piece, size)) or nil
        size = size - (text and #text or 0)
        return text
    end
end

-- From now on work is shared. `job`: { place = the folder's real path, folder = its name where files are written,
-- have = the set of names in it, plan = a text that is the run's own, mode = "shard" | "merge" | "whole", number =,
-- of = }. Where a process can do no more,
-- job.ended = { status =, text = }, and an error ends the recipe.
function shards.share(job)
    local operations, has_advanced = 0, false

    local function stop(status, text, ...)
        job.ended = job.ended or { status = status, text = text:format(...) }
        error(job.ended.text, 0)
    end

    local checked = {} -- names of parts

    local function write(name, text)
        files.write(job.folder .. "/" .. name, text .. hash_of(job.plan, name, pieces_of(text)))
        job.have[name], checked[name] = true, true
    end

    -- A part, and the bytes of its content. `again`: whether it is made again where it is missing.
    local function open(name, again)
        local file, problem = files.open(job.place .. "/" .. name)
        file = file or error(problem, 0)
        local size = file:seek("end") - hash_size
        if size >= 0 and not checked[name] then
            local hash = hash_of(job.plan, name, pieces_of_file(file, size))
            checked[name] = file:read(hash_size) == hash
        end
        if size < 0 or not checked[name] then
            file:close()
            error(("'%s/%s' is damaged, or another part in its place: %s"):format(job.place, name,
                again and "remove it, and run the shares again" or "remove the folder to begin anew"), 0)
        end
        file:seek("set", 0)
        return file, size
    end

    local function reader(stage)
        return function(strip)
            local file <close>, size = open(stage .. "-" .. strip, not job.have[stage])
            return size > 0 and file:read(size) or ""
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
                for strip = 1, count do
                    local _ <close> = open(name .. "-" .. strip, true) -- which checks it
                end
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
                local file <close> = open(name .. strip, false)
                file:seek("set", (at - start) * row_size)
                parts[#parts + 1], at = file:read(here * row_size), at + here
            end
            local text = #parts == 1 and parts[1] or table.concat(parts)
            return bytes and text or planes.unpack(text, large.width)
        end
        return store
    end

    -- Cells that are computed are stored on the way, by the first operation.
    function work:source(large)
        if large.is_stored or large.is_read then
            return { read = large.window, take = function(strip) return large.window(stages.extent(large, strip)) end }
        end
        local store, window = self:rows("source", large), large.window
        large.window, large.is_read = store.read, true
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
