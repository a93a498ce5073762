-- Work on strips that processes share over a folder (esker.large.stages). Every text and every strip of rows is a file
-- of its own, written whole or not at all, so that work goes on after any kill. A process runs the recipe from its
-- beginning; what the folder has is not done again. Each file ends in hashes of the pieces of its content, and one of
-- the run, its name and these: one that was damaged, or put in the place of another, is refused where it is read.

local esker = require "esker"
local files = require "esker.files"
local planes = require "esker.planes"
local stages = require "esker.large.stages"

local hash_size <const>, cell_size <const> = 8, 4
local piece <const> = 1 << 12 -- bytes that have a hash of their own

local shards = {}

-- The hash at the end of a part.
local function seal_of(plan, name, size, hashes)
    return planes.hash(("%s\n%s\n%d\n%s"):format(plan, name, size, hashes))
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

    local known = {} -- by names of parts: their size, the hashes of their pieces, and which of these were checked

    -- Writes a text, or the cells of a field without gaps, of which no copy is made.
    local function write(name, content)
        local hashes = planes.hashes(content, piece)
        local size = type(content) == "string" and #content or content.width * content.height * cell_size
        files.write(job.folder .. "/" .. name, content, hashes, seal_of(job.plan, name, size, hashes))
        job.have[name] = true
    end

    -- `again`: whether the part is made again where it is missing.
    local function refuse(name, again)
        error(("'%s/%s' is damaged, or another part in its place: %s"):format(job.place, name,
            again and "remove it, and run the shares again" or "remove the folder to begin anew"), 0)
    end

    local function open(name, again)
        local file, problem = files.open(job.place .. "/" .. name)
        return file or error(("%s: %s"):format(problem, again and "run the shares again" or
            "what was made of it is there; remove the folder to begin anew"), 0)
    end

    -- The size of a part's content, and the hashes of its pieces.
    local function examine(file, name, again)
        local all = file:seek("end") - hash_size
        local count = math.max(-(-all // (piece + hash_size)), 0)
        local size = all - count * hash_size
        if size < 0 then
            refuse(name, again)
        end
        file:seek("set", size)
        local hashes = count > 0 and file:read(count * hash_size) or ""
        if file:read(hash_size) ~= seal_of(job.plan, name, size, hashes) then
            refuse(name, again)
        end
        return { size = size, hashes = hashes, is_checked = {} }
    end

    -- Fills rows of a field, from `row` on, with those of a part from byte `from` on, which begin `pitch` bytes apart.
    local function read_rows(name, from, field, row, rows, pitch)
        local file <close> = open(name)
        local part = known[name] or examine(file, name)
        known[name] = part
        if not planes.read_part(field, row, file, from, rows, piece, part.size, part.hashes, pitch) then
            refuse(name)
        end
    end

    -- `count` bytes of a part from `from` on; all by default. Only the pieces that hold them are read and checked.
    local function read(name, again, from, count)
        local file <close> = open(name, again)
        local part = known[name] or examine(file, name, again)
        known[name] = part
        from, count = from or 0, count or part.size
        if count == 0 then
            return ""
        end
        local first, last = from // piece, (from + count - 1) // piece
        local start = first * piece
        file:seek("set", start)
        local text = file:read(math.min((last + 1) * piece, part.size) - start) or ""
        for i = first, last do
            local at = (i - first) * piece
            if at >= #text or not part.is_checked[i] and planes.hash(text, at, math.min(piece, #text - at))
                ~= part.hashes:sub(i * hash_size + 1, (i + 1) * hash_size) then
                refuse(name, again)
            end
            part.is_checked[i] = true
        end
        return from == start and count == #text and text or text:sub(from - start + 1, from - start + count)
    end

    local function reader(stage)
        return function(strip) return read(stage .. "-" .. strip, not job.have[stage]) end
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
                    read(name .. "-" .. strip, true) -- which checks it
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
                stop(0, "all parts are there that %s needs: run --merge", name)
            end
            local made = make()
            for strip = 1, count do
                write(name .. "-" .. strip, stages.text_of(made, strip))
            end
            write(name, "")
            has_advanced = true
        end
        return reader(name)
    end

    function work:rows(rows_name, large, bytes)
        local name = self:name(rows_name) .. "-rows-"
        local row_size = large.width * (bytes and 1 or cell_size)
        local store = { free = function() end }
        function store.put(strip, rows)
            write(name .. strip, not bytes and rows.gaps > 0 and planes.pack(rows) or rows)
        end
        -- Columns of rows, which may be those of several strips.
        function store.part(left, first, width, count)
            local field, parts, at = not bytes and planes.blank(width, count), {}, first
            while at < first + count do
                local strip = at // large.rows + 1
                local start, rows = stages.extent(large, strip)
                local here = math.min(first + count, start + rows) - at
                local from = (at - start) * row_size
                if field then
                    read_rows(name .. strip, from + left * cell_size, field, at - first, here, row_size)
                else
                    local whole = read(name .. strip, false, from, here * row_size)
                    parts[#parts + 1] = width == large.width and whole
                        or planes.columns(whole, large.width, left, width)
                end
                at = at + here
            end
            return field and planes.finish(field) or #parts == 1 and parts[1] or table.concat(parts)
        end
        function store.read(first, count)
            return store.part(0, first, large.width, count)
        end
        return store
    end

    function work:over(name, large)
        return self:rows(name, large)
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
