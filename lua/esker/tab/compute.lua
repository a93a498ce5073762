-- A worker of a browser's tab that runs the recipe and answers what the page asks about its results, as the confined
-- processes of `esker explore` do.

require "esker.tab.absent"
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
end

-- Answers a message of the queue (front.lua).
function compute.answer(_, _, message)
    local well, value = pcall(results.answer, tab.unpack(message))
    tab.tell("answer", 0, "", tab.pack{ well, value })
end

return compute
