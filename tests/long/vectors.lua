-- Every loop of a KERNEL becomes vectors of 16 bytes (SSE2) and of 32 (AVX2): the compiler says which, and what is not
-- is listed here with its reason. Prints TAP.

-- Functions with a loop that does not, by reason.
local reasons = {
    ["fetches alone"] = { "fetch_to_read", "fetch_to_write" },
    ["a few lines or channels, whose cells are another loop"] = { "combine" },
    ["the rows and triangles of a mesh, whose cells are another loop"] = { "refine_sides", "refine_squares" },
    ["each round waits for the one before, or goes on for as long as cells agree"] =
        { "sum_rows", "bound_cells", "interpolate_unevenly", "level_step", "level_row", "beginnings", "line_solve" },
    ["four at a time: vectors of 16 bytes"] = { "cover_rows", "cover_pixels", "add_splines" },
    ["SSE2 has no such instruction"] =
        { "set_areas", "cut_sphere_lanes", "cut_tetrahedron_lanes", "set_place_bits", "raise_altitudes" },
    ["the rest of a row, or one vector"] = { "range_of_rows" },
    ["16 moves from cells that lie apart"] = { "price_inside" },
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

-- The last line of the loop at `at`.
local function end_of_loop(lines, at, last)
    for number = at + 1, last do
        local line = lines[number]
        if line:match("%S") and not line:match("^#") and indentation(line) <= indentation(lines[at])
            and not line:match("^%s*[%)&|?:]") then
            return line:match("^%s*}") and number or number - 1
        end
    end
    return last
end

-- Few rounds, of a number that is written there, and what the compiler says that it has unrolled.
local function is_unrolled(made, path, lines, at)
    local bound = lines[at]:match("<=? (%d+);")
    return made[("%s:%d:unrolled"):format(path, at)] or bound and tonumber(bound) <= 8
        or lines[at - 1]:match("^#pragma GCC unroll %d+") and not lines[at - 1]:match("unroll 1%f[%D]")
end

local function is_vector(made, path, at, bytes)
    return made[("%s:%d:%d"):format(path, at, bytes)]
end

-- Whether the loop has another within it, here or in a function with loops that is inlined.
local function has_inner_loop(made, path, lines, at, last, looping)
    for number = at + 1, last do
        local line = lines[number]
        if line:match("^%s*for %(") and not is_unrolled(made, path, lines, number) then
            return true
        end
        for name in line:gmatch("([%w_]+)%(") do
            if looping[name] then
                return true
            end
        end
    end
    return false
end

-- A loop that becomes vectors has an unrolled rest as well.
local function read_report(pipe, made)
    local unrolled = {}
    for line in pipe:lines() do
        local where, number, what = line:match("^([^:]+):(%d+):%d+: optimized: +(.*)")
        if what then
            local bytes = what:match("^loop vectorized using (%d+) byte")
            if bytes then
                made[("%s:%s:%s"):format(where, number, bytes)] = true
                made[("%s:%s:vector"):format(where, number)] = true
            elseif what:match("^loop with %d+ iterations completely unrolled") then
                unrolled[#unrolled + 1] = ("%s:%s"):format(where, number)
            end
        end
    end
    for _, where in ipairs(unrolled) do
        made[where .. ":unrolled"] = not made[where .. ":vector"]
    end
end

-- What the compiler makes of loops, of the two versions that are looked at: sets of "path:line:bytes" and
-- "path:line:unrolled". As many compilers run as there are processors, the longest files first.
local function report(paths)
    local flags = assert(io.open(build .. "/flags")):read("l")
    local compile = flags .. [[ -w -DKERNEL_VERSIONS='"arch=x86-64-v3","default"' -fopt-info-vec-loop-optimized]]
    local command = ([[scratch=$(mktemp -d) && cat >"$scratch/sh" <<'END' && ls -S %s |
%s -S "$2" -o /dev/null >"$1/$$" 2>&1
END
    xargs -P "$(nproc)" -n 1 sh "$scratch/sh" "$scratch"; rm "$scratch/sh"; cat "$scratch"/*; rm -r "$scratch"]])
        :format(table.concat(paths, " "), compile)
    local made = {}
    local pipe <close> = assert(io.popen(command))
    read_report(pipe, made)
    return made
end

local function list(command)
    local paths = {}
    for path in assert(io.popen(command)):lines() do
        paths[#paths + 1] = path
    end
    return paths
end

local wanted = arg[1] and arg[1]:match("^src") and arg[1] or "src" -- a part, while one works on it
local made = report(list(("grep -rlE '^KERNEL[ _]' --include=*.c %s | sort"):format(wanted)))
local files = list(("grep -rlE '^KERNEL[ _]' --include=*.[ch] %s | sort"):format(wanted))
local looping = {} -- the helpers that have loops
for _, path in ipairs(files) do
    local lines = lines_of(path)
    for _, kernel in ipairs(kernels(lines)) do
        for number = kernel.first, kernel.last do
            if lines[kernel.first]:match("^KERNEL_INLINE") and lines[number]:match("^%s*for %(")
                and not is_unrolled(made, path, lines, number) then
                looping[kernel.name] = true
            end
        end
    end
end

local count, used = 0, {}
local function check(passed, text)
    count = count + 1
    print(("%s %d - %s"):format(passed and "ok" or "not ok", count, text))
end
for _, path in ipairs(files) do
    local lines = lines_of(path)
    for _, kernel in ipairs(kernels(lines)) do
        local outer = {} -- the last lines of loops that are vectors with all within them
        for number = kernel.first, kernel.last do
            if lines[number]:match("^%s*for %(") and not is_unrolled(made, path, lines, number) then
                local last, missing = end_of_loop(lines, number, kernel.last), {}
                for _, bytes in ipairs{ 16, 32 } do
                    if is_vector(made, path, number, bytes) then
                        outer[bytes] = math.max(outer[bytes] or 0, last)
                    elseif last > (outer[bytes] or 0) then
                        missing[#missing + 1] = bytes
                    end
                end
                if #missing == 0 or not has_inner_loop(made, path, lines, number, last, looping) then
                    local excepted = exceptions[kernel.name]
                    used[kernel.name] = used[kernel.name] or #missing > 0
                    local lacks = #missing > 0 and ", not " .. table.concat(missing, " and ") .. " bytes" or ""
                    check(#missing == 0 or excepted, ("%s:%d: %s%s"):format(path, number, kernel.name, lacks))
                end
            end
        end
    end
end
for name in pairs(exceptions) do
    if wanted == "src" then
        check(used[name], name .. " is an exception that is needed")
    end
end
print(("1..%d"):format(count))
