-- The figures that documents print are those that their commands print: lua5.4 scripts/figures.lua [PAGE …] compares
-- them, as TAP: `--write` writes them into the pages, `--quick` leaves out what takes long. Each entry of `blocks` is
-- the first table or block of code below a line of a page, which is known by a part of it. JACKSBORO is the path of the
-- elevation model that some need (docs/exchange.md says whose it is), as a picture of 16 bits; without it they are
-- skipped.

local build = os.getenv("ESKER_BUILD") or "build"

local blocks = {
    { page = "docs/exchange.md", above = "rivers drawn by their attribute",
        command = 'scripts/fault-figures.sh "$JACKSBORO"', slow = true },
    { page = "docs/exchange.md", above = "`scripts/round-trips.sh` prints", command = "scripts/round-trips.sh" },
    { page = "docs/river-networks.md", above = "scripts/river-realism.lua",
        command = 'lua5.4 scripts/river-realism.lua "$JACKSBORO"', slow = true },
    { page = "docs/squig-mountains.md", above = "scripts/squig-valleys.lua", slow = true,
        command = "lua5.4 scripts/squig-valleys.lua" },
    { page = "docs/olsen-tables.md", above = "examples/olsen-tables.lua` prints", slow = true,
        command = build .. "/esker examples/olsen-tables.lua -q | grep -v '^rows = \\|^seeds = '" },
}

local options, pages = {}, {}
for _, word in ipairs(arg) do
    if word:find("^%-%-") then
        options[word] = true
    else
        pages[word] = true
    end
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

local function lines_of(text)
    local lines = {}
    for line in text:gmatch("([^\n]*)\n") do
        lines[#lines + 1] = line
    end
    return lines
end

-- The first and last line of the block below the paragraph in which the text occurs; nil if there is none.
local function place(lines, above)
    local at, fenced = nil, false
    for i, line in ipairs(lines) do
        at = at or line:find(above, 1, true) and i
        if at and i > at and line:find("^|") then
            local last = i
            while lines[last + 1] and lines[last + 1]:find("^|") do
                last = last + 1
            end
            return i, last
        elseif at and i > at and line == "```" then
            if fenced then
                return fenced + 1, i - 1
            end
            fenced = i
        end
    end
    return nil
end

-- The lines that a command prints; nil if it fails.
local function printed(command)
    local pipe = assert(io.popen(command))
    local text = pipe:read("a")
    return pipe:close() and lines_of((text:gsub("\n+$", "\n"))) or nil
end

-- What differs: lines of a report.
local function differences(expected, got)
    local list = {}
    for i = 1, math.max(#expected, #got) do
        if expected[i] ~= got[i] then
            list[#list + 1] = "# - " .. (expected[i] or "")
            list[#list + 1] = "# + " .. (got[i] or "")
        end
    end
    return list
end

local function write(page, lines, first, last, got)
    local whole = table.move(lines, 1, first - 1, 1, {})
    table.move(got, 1, #got, #whole + 1, whole)
    table.move(lines, last + 1, #lines, #whole + 1, whole)
    local file <close> = assert(io.open(page, "wb"))
    assert(file:write(table.concat(whole, "\n"), "\n"))
end

-- Compares one block, or writes it; gives the line of TAP and what differs.
local function treat(block)
    local title = (" %s: %s"):format(block.page, block.command)
    if block.command:find("$JACKSBORO", 1, true) and (os.getenv("JACKSBORO") or "") == "" then
        return "ok", title .. " # SKIP JACKSBORO names no elevation model", {}
    end
    local lines = lines_of(read(block.page))
    local first, last = place(lines, block.above)
    local got = first and printed(block.command)
    if not got then
        return "not ok", title, { first and "# the command fails" or "# the page has no such block" }
    elseif options["--write"] then
        write(block.page, lines, first, last, got)
        return "ok", title, {}
    end
    local differing = differences(table.move(lines, first, last, 1, {}), got)
    return #differing == 0 and "ok" or "not ok", title, differing
end

local count, failed = 0, false
for _, block in ipairs(blocks) do
    if (next(pages) == nil or pages[block.page]) and not (options["--quick"] and block.slow) then
        count = count + 1
        local result, title, differing = treat(block)
        failed = failed or result ~= "ok"
        print(("%s %d -%s"):format(result, count, title))
        io.write(table.concat(differing, "\n"), #differing > 0 and "\n" or "")
        io.stdout:flush()
    end
end
print("1.." .. count)
os.exit(not failed)
