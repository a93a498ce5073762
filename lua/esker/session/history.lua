-- The history of typed lines, kept between sessions in $XDG_STATE_HOME/esker/history.

local files = require "esker.files"
local recipe = require "esker.recipe.recipe"
local terminal = require "esker.terminal"

local history = {}

local path -- of the file; nil when none is kept
local max_history = 10000

-- The history file, after creating its folder; a session works without one.
function history.open(complain)
    local state = os.getenv("XDG_STATE_HOME")
    local home = os.getenv("HOME")
    if not state or state == "" then
        state = home and home .. "/.local/state"
    end
    if not state then
        return
    end
    local well, problem = pcall(files.make_folder, state .. "/esker")
    if not well then
        complain(problem)
        return
    end
    path = state .. "/esker/history"
    local lines = {}
    for line in (recipe.read_file(path) or ""):gmatch("[^\n]+") do
        lines[#lines + 1] = line
    end
    local first = math.max(1, #lines - max_history + 1)
    for i = first, #lines do
        terminal.remember(lines[i])
    end
    if first > max_history // 10 then -- now and then
        pcall(files.write, path, table.concat(lines, "\n", first) .. "\n")
    end
end

function history.remember(line, complain)
    if not line:match("%S") then
        return
    end
    terminal.remember(line)
    if path then
        local well, problem = files.append(path, line)
        if not well then
            complain(problem)
            path = nil
        end
    end
end

return history
