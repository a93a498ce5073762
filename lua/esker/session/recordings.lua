-- What a session has done, as recipes: its own journal for save_session, and that of record() … stop().

local files = require "esker.files"
local journal = require "esker.session.journal"
local output_folders = require "esker.recipe.output_folders"
local screen = require "esker.screen"

local recordings = {}

local log = journal.new() -- of the whole session
local recording           -- { path =, log = } since record()
local written = {}        -- paths of the recipes that this session has written

local function check_path(path, command)
    if type(path) ~= "string" then
        error(('%s: takes the file\'s name, as in %s("island.lua")'):format(command, command), 0)
    end
    if not written[path] and output_folders.is_taken(path) then
        error(("%s is there already, and this session did not write it; choose another name"):format(path), 0)
    end
end

local function write(path, from, globals)
    check_path(path, "save_session")
    local text, count, left_out = journal.recipe(from, globals)
    if count == 0 then
        error("there is nothing to save yet: assign a field or an image to a name, as in land = esker.spectral{}", 0)
    end
    files.write(path, text)
    written[path] = true
    screen.write(("%s  %d lines%s; try: esker %s -o out\n"):format(path, select(2, text:gsub("\n", "")),
        left_out > 0 and (", without %d assignments that only a session can make"):format(left_out) or "", path))
end

function recordings.save(path, globals)
    write(path, log, globals)
end

function recordings.start(path)
    check_path(path, "record")
    recording = { path = path, log = journal.new() }
    screen.write(("recording for %s until stop()\n"):format(path))
end

function recordings.stop(globals)
    if not recording then
        error('nothing is being recorded; record("island.lua") starts a recording', 0)
    end
    local done = recording
    recording = nil
    write(done.path, done.log, globals)
    local borrowed = journal.borrowed(done.log, log)
    if #borrowed > 0 then
        screen.write(("it needs %s, made before record(): add what made them, or save_session(%q)\n"):format(
            table.concat(borrowed, ", "), done.path))
    end
end

-- The session began with a recipe (journal.begin_with).
function recordings.begin_with(...)
    journal.begin_with(log, ...)
end

-- A statement, or an expression with a value.
function recordings.add(typed, is_value)
    journal.add(log, typed, is_value)
    if recording then
        journal.add(recording.log, typed, is_value)
    end
end

-- How far the journals are, to be reverted to.
function recordings.counts()
    return { log = journal.length(log), recording = recording, recorded = recording and journal.length(recording.log) }
end

function recordings.revert(counts)
    journal.shorten(log, counts.log)
    if recording and recording == counts.recording then
        journal.shorten(recording.log, counts.recorded)
    end
end

return recordings
