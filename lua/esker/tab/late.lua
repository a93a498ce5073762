-- What comes into a page after its first picture (scripts/late.lua): modules, and the texts of declarations. Until then
-- there are zeros in their place.

local esker = require "esker"
local late = {
    is_there = false,
    was_missed = false, -- something needed it
}

-- Raises an error as long as it is not there.
local function need()
    if not late.is_there then
        late.was_missed = true
        error("this comes after the first picture", 0)
    elseif late.problem then
        error("a part of the page cannot be loaded: " .. late.problem, 0)
    end
end

-- It is there, or `problem` says why it cannot be had: then so do all that go_on() does without it, and what needs it
-- next asks again.
function late.come(problem, go_on)
    late.is_there, late.problem = true, problem ~= "" and problem or nil
    go_on()
    late.is_there = not late.problem
end

for _, name in ipairs(require "esker.tab.late_modules") do
    local load = package.preload[name]
    package.preload[name] = function(...)
        need()
        return load(...)
    end
end

-- Makes recipes, and all that is loaded after this, see whole declarations.
function late.guard()
    for _, name in ipairs{ "operations", "values", "formats", "operations_json" } do
        local list = esker[name]
        esker[name] = function(...)
            need()
            return list(...)
        end
    end
end

return late
