-- Writes docs/exchange.md with the table of file formats from their declarations: lua5.4 scripts/formats.lua FILE

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local plurals = {}
for _, declared in ipairs(esker.values()) do
    plurals[declared.kind] = declared.plural
end

local function held(format)
    local list = {}
    for i, kind in ipairs(format.holds) do
        list[i] = plurals[kind]
    end
    return table.concat(list, ", ")
end

local function endings(format)
    local needs = format.library and " (needs " .. format.library .. ")" or ""
    return "`." .. table.concat(format.endings, "`, `.") .. "`" .. needs
end

local function system(keeps)
    return keeps.project and "in a `.prj` beside it (needs GDAL)" or keeps.system and "EPSG or WKT"
        or keeps.epsg and "EPSG, of the ground" or "no"
end

local function yes(flag)
    return flag and "yes" or "no"
end

local rows = {
    "| ending | format | holds | numbers | place | turned or mirrored cells | system | unit | gaps | the rest |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
}
for _, format in ipairs(esker.formats()) do
    local keeps = format.keeps
    rows[#rows + 1] = ("| %s |"):format(table.concat({ endings(format), format.name,
        held(format) .. (not format.reads and " (only written)" or not format.writes and " (only read)" or ""),
        format.numbers, yes(keeps.place), yes(keeps.turn), system(keeps), yes(keeps.unit), format.gaps or "no",
        keeps.beside and "in a `.json`" or "" }, " | "))
end

local file = assert(io.open("docs/exchange.md"))
local text = file:read("a")
file:close()
local first, last = text:match("()| ending | [^\n]*\n| %-%-%- [^\n]*\n()")
while text:match("^|[^\n]*\n", last) do
    last = text:match("^|[^\n]*\n()", last)
end
file = assert(io.open(arg[1], "w"))
file:write(text:sub(1, first - 1), table.concat(rows, "\n"), "\n", text:sub(last))
file:close()
