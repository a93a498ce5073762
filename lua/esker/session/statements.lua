-- What is typed in a session as Lua chunks, and Lua's messages as the session tells them.

local esker = require "esker"
local trim = require "esker.trim"

local statements = {}

-- Without the position, which is always the line above.
function statements.message(problem)
    if type(problem) ~= "string" then
        local usage = type(problem) == "table" and rawget(problem, "usage")
        return type(usage) == "string" and usage or "an error that is not a string, but a " .. esker.type(problem)
    end
    return (problem:gsub("^lua/esker/[%w_/]+%.lua:%d+: ", ""):gsub('^%[string "[^\n]-"%]:(%d+): ', "")
        :gsub("line:%d+: ", ""):gsub("[\r\n].*$", ""))
end

-- Lines are separate chunks, so a local would be lost after its line.
function statements.without_local(source)
    return (source:gsub("^%s*local%s+function%s+", "function "):gsub("^%s*local%s+([%a_])", "%1"))
end

-- The function for a line, and whether it is an expression; nil and the reason; "more" if it is incomplete.
function statements.compile(source, globals)
    local chunk = load("return " .. source:gsub("^%s*=", ""), "=line", "t", globals)
    if chunk then
        return chunk, source:match("%S") and true or false
    end
    local statement, problem = load(statements.without_local(source), "=line", "t", globals)
    if not statement and problem:match("<eof>$") and not problem:match("unfinished string") then
        return nil, "more"
    end
    return statement, statement and false or problem
end

-- Whether a line computes something: it has a call or an operator, and does not only name what is there.
function statements.computes(source)
    local bare = source:gsub("^%s*=", ""):gsub("%-%-[^\n]*", "")
    return bare:find("[%({\"'%+%*/%^%-]") ~= nil
end

-- The words after ? or, where that is the session's, after help as in the shell; nil if it is another statement.
function statements.question(source, is_help)
    local words = is_help and trim(source):match("^help%s+(%a[%w_ .:-]*)$")
    local asked = source:match("^%s*%?(.*)$")
    return asked and trim(asked) or words and not load("return " .. source) and words or nil
end

return statements
