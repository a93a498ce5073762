-- Every loop of a KERNEL becomes vectors of 16 bytes (SSE2) and of 32 (AVX2): the compiler says which, and what is not
-- is listed here with its reason. Prints TAP.

-- Functions with a loop that does not, by reason.
local reasons = {
    ["a few cells beyond an edge"] = { "fill_lattice", "step_max_load", "level_edge" },
    ["a few lines or channels, whose cells are another loop"] = { "combine", "cover_lines" },
    ["rows, whose cells are another loop"] = { "cut_all" },
    ["the rows and triangles of a mesh, whose cells are another loop"] =
        { "search_rows", "rows_are_far", "refine_sides", "refine_squares" },
    ["each round waits for the one before, or goes on for as long as cells agree"] =
        { "sum_rows", "bound_cells", "interpolate_unevenly", "level_step", "level_row", "beginnings" },
    ["four by four pixels: vectors of 16 bytes"] = { "cover_rows", "cover_pixels" },
    ["SSE2 has no such instruction"] =
        { "set_areas", "bend_row", "cut_sphere_lanes", "cut_tetrahedron_lanes" },
    ["the rest of a row, or one vector"] = { "range_of_rows" },
    ["16 moves from cells that lie apart"] = { "price_moves", "price_inside" },
}

local exceptions = {}
for _, names in pairs(reasons) do
    for _, name in ipairs(names) do
        exceptions[name] = true
    end
end

local build = os.getenv("ESKER_BUILD") or "build"

local function lines_of(path)
    local list = {}
    for line in io.lines(path) do
        list[#list + 1] = line
    end
    return list
end

-- The functions of a file that are kernels, or parts of them: name, first and last line.
local function kernels(lines)
    local list, inside = {}, nil
    for number, line in ipairs(lines) do
        if line:match("^KERNEL[ _]") then
            inside = { first = number, text = "" }
        end
        if inside then
            if not inside.name then
                inside.text = inside.text .. line
                inside.name = inside.text:match("([%w_]+)%(")
            end
            if line:match("^}") then
                inside.last = number
                list[#list + 1], inside = inside, nil
            elseif line:match(";$") and not line:match("^%s") and line:match("^KERNEL") then
                inside = nil -- a declaration
            end
        end
    end
    return list
end

local function indentation(line)
    return #line:match("^ *")
end

-- Few rounds, of a number that is written there.
local function is_unrolled(lines, at)
    local bound = lines[at]:match("<=? (%d+);")
    return bound and tonumber(bound) <= 8 or lines[at - 1]:match("^#pragma GCC unroll") ~= nil
end

-- Whether the loop at `at` has no loop within it but such as are unrolled.
local function is_innermost(lines, at, last)
    for number = at + 1, last do
        local line = lines[number]
        if line:match("%S") and not line:match("^#") and indentation(line) <= indentation(lines[at])
            and not line:match("^%s*[%)&|?:]") then
            return true
        end
        if line:match("^%s*for %(") and not is_unrolled(lines, number) then
            return false
        end
    end
    return true
end

-- Lines of loops that are vectorized, with the vectors' size in bytes: "path:line:bytes".
local function report(paths)
    local flags = assert(io.open(build .. "/flags")):read("l")
    local vectors = {}
    for _, path in ipairs(paths) do
        local command = ("%s -w -fopt-info-vec-optimized -c %s -o /dev/null 2>&1"):format(flags, path)
        for line in assert(io.popen(command)):lines() do
            local where, number, bytes = line:match("^([^:]+):(%d+):%d+: optimized: loop vectorized using (%d+) byte")
            if where then
                vectors[("%s:%s:%s"):format(where, number, bytes)] = true
            end
        end
    end
    return vectors
end

local function list(command)
    local paths = {}
    for path in assert(io.popen(command)):lines() do
        paths[#paths + 1] = path
    end
    return paths
end

local wanted = arg[1] and arg[1]:match("^src") and arg[1] or "src" -- a part, while one works on it
local vectors = report(list(("grep -rlE '^KERNEL[ _]' --include=*.c %s | sort"):format(wanted)))
local count, used = 0, {}
for _, path in ipairs(list(("grep -rlE '^KERNEL[ _]' --include=*.[ch] %s | sort"):format(wanted))) do
    local lines = lines_of(path)
    for _, kernel in ipairs(kernels(lines)) do
        for number = kernel.first, kernel.last do
            local is_loop = lines[number]:match("^%s*for %(") and not is_unrolled(lines, number)
            if is_loop and is_innermost(lines, number, kernel.last) then
                local missing = {}
                for _, bytes in ipairs{ 16, 32 } do
                    if not vectors[("%s:%d:%d"):format(path, number, bytes)] then
                        missing[#missing + 1] = bytes
                    end
                end
                local excepted = exceptions[kernel.name]
                used[kernel.name] = used[kernel.name] or #missing > 0
                count = count + 1
                local lacks = #missing > 0 and ", not " .. table.concat(missing, " and ") .. " bytes" or ""
                print(("%s %d - %s:%d: %s%s"):format((#missing == 0 or excepted) and "ok" or "not ok", count, path,
                    number, kernel.name, lacks))
            end
        end
    end
end
for name in pairs(exceptions) do
    if wanted == "src" then
        count = count + 1
        print(("%s %d - %s is an exception that is needed"):format(used[name] and "ok" or "not ok", count,
            name))
    end
end
print(("1..%d"):format(count))
