-- Answers to requests of the explorer's page: JSON, bytes of a kind, refusals; and what a handler reads from a query.

local file_formats = require "esker.file.formats"
local json = require "esker.file.json"

local answers = {}

local kinds = {
    html = "text/html; charset=utf-8",
    js = "text/javascript; charset=utf-8",
    css = "text/css; charset=utf-8",
    woff2 = "font/woff2",
    json = "application/json",
}

-- Ends a handler with a status and a message, formatted.
function answers.refuse(status, ...)
    error({ status = status, message = string.format(...) }, 0)
end

-- A number in a query, or the default.
function answers.number_in(query, name, default, low, high)
    local value = query[name] == nil and default or math.tointeger(tonumber(query[name]))
    if not value or value < low or value > high then
        answers.refuse(400, "%s must be a whole number from %d to %d", name, low, high)
    end
    return value
end

function answers.give(request, status, value)
    request.request:answer(status, kinds.json, json.encode(value))
end

-- Answers with the error of a task that failed in a process.
function answers.fail(request, made)
    answers.give(request, made.status or 500, { error = made.error, line = made.line })
end

-- `extension` is one of the kinds above or of a file format, `name` that of a file to be saved.
function answers.give_bytes(request, bytes, extension, name)
    local format = file_formats.of(extension or "")[1]
    local kind = kinds[extension] or format and format.media_type or "application/octet-stream"
    request.request:answer(200, kind, bytes, name)
end

return answers
