-- A worker of a browser's tab that runs the recipe and answers what the page asks about its results, as the confined
-- processes of `esker explore` do.

require "esker.tab.absent"
local esker = require "esker"
local json = require "esker.file.json"
local late = require "esker.tab.late"
local library = require "esker.recipe.library"
local memo = require "esker.explore.memo"
local results = require "esker.explore.results"
local tab = require "esker.tab"

local compute = {}

-- The bytes that fields and Lua may take.
function compute.begin(bytes)
    tab.limit(bytes)
    memo.max_bytes, results.memory_limit, results.memory_of = bytes // 3, bytes, "in a browser's tab"
    library.seal()
    late.guard()
end

-- --- files that were dropped onto the page --------------------------------------------------------------------------

local dropped = {} -- by name: { width =, height =, place =, system =, unit = }
local load = esker.load

-- There is one more, whose cells JavaScript has.
function compute.file(_, text)
    local facts = json.decode(text)
    dropped[facts.name] = facts
    tab.tell("taken", 0, facts.name)
end

function esker.load(path, ...)
    local facts = dropped[path]
    local field = facts and tab.dropped(path, facts.width, facts.height, facts.place, facts.system, facts.unit)
    if field then
        return field
    elseif type(path) == "string" and path:lower():find("%.tiff?$") then
        error(("load: this page has no '%s': drop the file onto it"):format(path), 2)
    end
    return load(path, ...)
end

-- --- what the front asks -----------------------------------------------------------------------------------------

local postponed -- a message that needs what is not there yet

-- Answers a message of the queue (front.lua).
function compute.answer(_, _, message)
    late.was_missed = false
    local well, value = pcall(results.answer, tab.unpack(message))
    local failed = not well or value.error -- errors say what may have been meant, by the keywords of operations
    if late.was_missed or failed and not late.is_there then
        postponed = message
        tab.tell("late")
    else
        tab.tell("answer", 0, "", tab.pack{ well, value })
    end
end

-- What comes late is there, or `problem` says why not.
function compute.late(_, problem)
    late.come(problem, function()
        local message = postponed
        postponed = nil
        if message then
            compute.answer(0, "", message)
        end
    end)
end

return compute
