-- Esker beside others, interleaved, in processor time on one thread: each round runs all of them, one after the other,
-- and the minimum of the rounds counts.
--   lua5.4 scripts/bench-compare.lua            beside the peers that are installed (scripts/bench-peers.sh)
--   lua5.4 scripts/bench-compare.lua BUILD [NAME]  beside another build, of which the rows that contain NAME
-- Prints milliseconds, their spread over the rounds (largest / least), and how many times Esker's time the other takes.

local rounds, build = tonumber(os.getenv("ROUNDS")) or 5, os.getenv("ESKER_BUILD") or "build"
local base, wanted = arg[1] ~= "" and arg[1] or nil, arg[2] or ""

local opencv = [[/usr/bin/python3 -c "
import cv2, numpy, time
cv2.setNumThreads(1)
a = numpy.random.rand(SIZE, SIZE).astype(numpy.float32)
u = (a * 65535).astype(numpy.uint16)
b = 1e9
for i in range(30):
    t = time.process_time(); CALL; b = min(b, time.process_time() - t)
print(b * 1000)"]]

local rows = {
    { "clamp 256²", "land:clamp{ low = 0.2 }", 256, { OpenCV = "cv2.max(a, 0.2)" } },
    { "clamp 1024²", "land:clamp{ low = 0.2 }", 1024, { OpenCV = "cv2.max(a, 0.2)" } },
    { "resize to 2048² linear", "land:resize{ size = 2048 }", 1024,
        { OpenCV = "cv2.resize(a, (2048, 2048), interpolation=cv2.INTER_LINEAR)" } },
    { "resize to 2048² cubic", "land:resize{ size = 2048, interpolation = 'cubic' }", 1024,
        { OpenCV = "cv2.resize(a, (2048, 2048), interpolation=cv2.INTER_CUBIC)" } },
    { "resize to 1500² linear", "land:resize{ size = 1500 }", 1024,
        { OpenCV = "cv2.resize(a, (1500, 1500), interpolation=cv2.INTER_LINEAR)" } },
    { "resize to 512²", "land:resize{ size = 512 }", 1024,
        { OpenCV = "cv2.resize(a, (512, 512), interpolation=cv2.INTER_AREA)" } },
    { "resize to 700²", "land:resize{ size = 700 }", 1024,
        { OpenCV = "cv2.resize(a, (700, 700), interpolation=cv2.INTER_AREA)" } },
    { "power 1.5", "land ^ 1.5", 1024, { OpenCV = "cv2.pow(a, 1.5)" } },
    { "blur sigma 2", "land:blur{}", 1024, { OpenCV = "cv2.GaussianBlur(a, (0, 0), 2)" } },
    { "blur sigma 10", "land:blur{ sigma = 10 }", 1024, { OpenCV = "cv2.GaussianBlur(a, (0, 0), 10)" } },
    { "diamond_square gaussian", "esker.diamond_square{ size = size, distribution = 'gaussian' }", 1024, {} },
    { "perturb", "land:perturb{}", 1024,
        { OpenCV = "cv2.remap(a, a * 1000, a * 1000, cv2.INTER_LINEAR)" } },
    { "lerp", "esker.lerp(land, 0.5, land)", 1024, {} },
    { "slope", "land:slope{}", 1024, {} },
    { "fill", "land:fill{}", 1024, {} },
    { "save PNG, 16 bits", "land:save(path)", 1024,
        { OpenCV = "cv2.imwrite('/tmp/bench.png', u)" } },
}

local function milliseconds(command)
    local stream = assert(io.popen(command .. " 2>&1"))
    local number = tonumber(stream:read("a"))
    stream:close()
    return number
end

local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function esker_command(folder, row)
    return ("LUA_CPATH=%s lua5.4 scripts/bench-call.lua %s %d"):format(quoted(folder .. "/?.so;;"), quoted(row[2]),
        row[3])
end

local function others_of(row)
    if base then
        return { base = esker_command(base, row) }
    end
    local others = {}
    for peer, call in pairs(row[4]) do
        local replaced = { SIZE = tostring(row[3]), CALL = call }
        others[peer] = opencv:gsub("%u%u%u%u", replaced)
    end
    return others
end

local function note(times, command)
    local time = milliseconds(command)
    if time then
        times.least = math.min(times.least or time, time)
        times.most = math.max(times.most or time, time)
    end
end

local function shown(times)
    return times.least and ("%9.3f %6.2f"):format(times.least, times.most / times.least) or "        - "
end

print(("%-26s %9s %6s  %-8s %9s %6s %6s"):format("", "Esker ms", "spread", "beside", "ms", "spread", "times"))
for _, row in ipairs(rows) do
    if row[1]:find(wanted, 1, true) then
        local others, own, theirs = others_of(row), {}, {}
        for _ = 1, rounds do
            note(own, esker_command(build, row))
            for name, command in pairs(others) do
                theirs[name] = theirs[name] or {}
                note(theirs[name], command)
            end
        end
        local line = ("%-26s %s"):format(row[1], shown(own))
        local names = {}
        for name in pairs(theirs) do
            names[#names + 1] = name
        end
        table.sort(names)
        for _, name in ipairs(names) do
            local ratio = own.least and theirs[name].least and theirs[name].least / own.least or 0 / 0
            line = ("%s  %-8s %s %6.2f"):format(line, name, shown(theirs[name]), ratio)
        end
        print(line)
    end
end
