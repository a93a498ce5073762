-- Checks the results in a recipe's text before it runs: a result without a name would otherwise be found only after all
-- the work. Only plain tables at the end of the text are understood; anything else passes.

local trim = require "esker.trim"

local returned = {}

local name_pattern = "^[%w_][%w_.-]*$"

function returned.is_name(name)
    return type(name) == "string" and name:match(name_pattern) ~= nil
end

function returned.wrong_name(path, name)
    return ("%s: a result's name becomes a file's: letters, digits, _ - and dots, the first no - or dot, got '%s'")
        :format(path, name)
end

-- The members of `return { … }` at the end, as texts; nil if the text is not plain enough.
local function members(text)
    local body = text:gsub("%-%-%[%[.-%]%]", ""):gsub("%-%-[^\n]*", ""):match("%f[%w_]return%s*(%b{})[%s;]*$")
    body = body and body:sub(2, -2)
    if not body or body:find("%f[%w_]function%f[^%w_]") or body:find("[[", 1, true) or body:find("\\", 1, true) then
        return nil
    end
    for _, quotes in ipairs{ '%b""', "%b''" } do
        for literal in body:gmatch(quotes) do
            if literal:find("[,;{}()]") then
                return nil
            end
        end
    end
    local list = {}
    for member in body:gsub("%b{}", "{}"):gsub("%b()", "()"):gmatch("[^,;]+") do
        list[#list + 1] = member:match("%S") and member or nil
    end
    return list
end

-- Raises an error if a member of the returned table has no name, or an invalid one.
function returned.check(text, path)
    for _, member in ipairs(members(text) or {}) do
        local literal = select(2, member:match("^%s*%[%s*([\"'])(.-)%1%s*%]%s*="))
        if literal and not returned.is_name(literal) then
            error(returned.wrong_name(path, literal), 0)
        elseif not literal and not member:match("^%s*[%a_][%w_]*%s*=[^=]") and not member:match("^%s*%[") then
            error(("%s: a result needs a name, as in return { height = land }; '%s' has none"):format(path,
                trim(member)), 0)
        end
    end
end

return returned
