-- Esker beside others, interleaved, in processor time on one thread: each round runs all of them, one after the other,
-- and the minimum of the rounds counts, of which there are ROUNDS (5).
--   lua5.4 scripts/bench-compare.lua            beside the peers that are installed (scripts/bench-peers.sh)
--   lua5.4 scripts/bench-compare.lua BUILD [NAME]  beside another build, of which the rows that contain NAME
-- Prints milliseconds, their spread over the rounds (largest / least), and how many times Esker's time the other takes.

package.path = "scripts/?.lua;" .. package.path

local rounds, build = tonumber(os.getenv("ROUNDS")) or 5, os.getenv("ESKER_BUILD") or "build"
local base, wanted = arg[1] ~= "" and arg[1] or nil, arg[2] or ""

local opencv = [[/usr/bin/python3 -c "
import cv2, numpy, time
cv2.setNumThreads(1)
a = cv2.GaussianBlur(numpy.random.rand(SIZE, SIZE).astype(numpy.float32), (0, 0), 2)
b = numpy.random.rand(SIZE, SIZE).astype(numpy.float32)
y, x = numpy.indices((SIZE, SIZE), numpy.float32)
u = (a * 65535).astype(numpy.uint16)
least = 1e9
for i in range(10):
    t = time.process_time(); CALL; least = min(least, time.process_time() - t)
print(least * 1000)"]]

-- SAGA and GDAL are whole programs: their time is the least with a large grid, without the least with one of 32². They
-- read and write files, as bytes as they are in memory; contours are a Shapefile.
local folder = os.tmpname() -- makes a file
os.remove(folder)

local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function make_grids()
    local esker = require "built"
    os.execute("mkdir " .. folder)
    for _, size in ipairs{ 32, 1024 } do
        local path = ("%s/%d"):format(folder, size)
        esker.diamond_square{ size = size, seed = 1 }:multiply(size / 16):save(path .. ".asc")
        os.execute(("gdal_translate -q -a_ullr 0 %d %d 0 -of SAGA %s.asc %s.sdat && " ..
            "gdal_translate -q %s.sdat %s.tif"):format(size, size, path, path, path, path))
    end
end

-- In `call`, IN and OUT are files without their ends, $size is the grid's side. Prints seconds in user and system mode,
-- of the large grid and of the small one; what the program says if it fails.
local function program(call)
    local command = call:gsub("IN", folder .. "/$size"):gsub("OUT", folder .. "/out")
    return "bash -c " .. quoted(([[
        export OMP_NUM_THREADS=1 TIMEFORMAT="%U %S"
        for size in 1024 32; do
            rm -f FOLDER/out*
            times=$({ time COMMAND >FOLDER/said 2>&1; } 2>&1) || { cat FOLDER/said; exit 1; }
            echo $times
        done]]):gsub("%u%u%u%u+", { FOLDER = folder, COMMAND = command }))
end

local peers = {
    OpenCV = function(call, size)
        return (opencv:gsub("%u%u%u%u", { SIZE = tostring(size), CALL = call }))
    end,
    GDAL = program,
    SAGA = function(call) return program("saga_cmd -c=1 " .. call) end,
}

-- Name, Esker's call, peers' calls; of 1024² cells where no other size is given.
local rows = {
    { "clamp 256²", "land:clamp{ low = 0.2 }", size = 256, OpenCV = "cv2.max(a, 0.2)" },
    { "clamp 1024²", "land:clamp{ low = 0.2 }", OpenCV = "cv2.max(a, 0.2)" },
    { "add", "land + land", OpenCV = "cv2.add(a, b)" },
    { "power 1.5", "land ^ 1.5", OpenCV = "cv2.pow(a, 1.5)" },
    { "power 2.2", "land ^ 2.2", OpenCV = "cv2.pow(a, 2.2)" },
    { "lerp", "esker.lerp(land, other, 0.5)", OpenCV = "cv2.addWeighted(a, 0.5, b, 0.5, 0)" },
    { "blend multiply", "land:blend(other, { mode = 'multiply' })", OpenCV = "cv2.multiply(a, b)" },
    { "normalize", "land:normalize{}", OpenCV = "cv2.normalize(a, None, 0, 1, cv2.NORM_MINMAX)" },
    { "statistics", "land:statistics()", OpenCV = "cv2.meanStdDev(a), cv2.minMaxLoc(a)" },
    { "histogram", "land:histogram{}", OpenCV = "cv2.calcHist([a], [0], None, [64], [0, 1])" },
    { "resize to 2048² linear", "land:resize{ size = 2048 }",
        OpenCV = "cv2.resize(a, (2048, 2048), interpolation=cv2.INTER_LINEAR)" },
    { "resize to 2048² cubic", "land:resize{ size = 2048, interpolation = 'cubic' }",
        OpenCV = "cv2.resize(a, (2048, 2048), interpolation=cv2.INTER_CUBIC)" },
    { "resize to 1500² linear", "land:resize{ size = 1500 }",
        OpenCV = "cv2.resize(a, (1500, 1500), interpolation=cv2.INTER_LINEAR)" },
    { "resize to 512²", "land:resize{ size = 512 }",
        OpenCV = "cv2.resize(a, (512, 512), interpolation=cv2.INTER_AREA)" },
    { "resize to 700²", "land:resize{ size = 700 }",
        OpenCV = "cv2.resize(a, (700, 700), interpolation=cv2.INTER_AREA)" },
    { "flip", "land:flip{}", OpenCV = "cv2.flip(a, 1)" },
    { "flip diagonal", "land:flip{ axis = 'diagonal' }", OpenCV = "cv2.transpose(a)" },
    { "transform", "land:transform{ angle = 30, wrap = false }",
        OpenCV = "cv2.warpAffine(a, cv2.getRotationMatrix2D((512, 512), 30, 1), (1024, 1024))" },
    { "warp", "land:warp(other, other)",
        OpenCV = "cv2.remap(a, x + 100 * b, y + 100 * b, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)" },
    { "perturb", "land:perturb{}",
        OpenCV = "cv2.remap(a, x + 100 * b, y + 100 * b, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)" },
    { "blur sigma 2", "land:blur{ sigma = 2 / size }", OpenCV = "cv2.GaussianBlur(a, (0, 0), 2)" },
    { "blur sigma 10", "land:blur{ sigma = 10 / size }", OpenCV = "cv2.GaussianBlur(a, (0, 0), 10)" },
    { "sharpen", "land:sharpen{ sigma = 2 / size }",
        OpenCV = "cv2.addWeighted(a, 2, cv2.GaussianBlur(a, (0, 0), 2), -1, 0)" },
    { "median 3 × 3", "land:median{}", OpenCV = "cv2.medianBlur(a, 3)" },
    { "median 5 × 5", "land:median{ radius = 2 }", OpenCV = "cv2.medianBlur(a, 5)" },
    { "bilateral", "land:bilateral{}", OpenCV = "cv2.bilateralFilter(a, 11, 0.05, 2)" },
    { "laplacian", "land:laplacian{}", OpenCV = "cv2.Laplacian(a, cv2.CV_32F, ksize=3)" },
    { "dilate, disk of 3", "land:morphology{ radius = 3 / size }",
        OpenCV = "cv2.dilate(a, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))" },
    { "dilate, disk of 10", "land:morphology{ radius = 10 / size }",
        OpenCV = "cv2.dilate(a, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (21, 21)))" },
    { "dilate, disk of 30", "land:morphology{ radius = 30 / size }",
        OpenCV = "cv2.dilate(a, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (61, 61)))" },
    { "dilate, disk of 100", "land:morphology{ radius = 100 / size }",
        OpenCV = "cv2.dilate(a, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (201, 201)))" },
    { "dilate, square of 21", "land:morphology{ radius = 10 / size, element = 'square' }",
        OpenCV = "cv2.dilate(a, numpy.ones((21, 21)))" },
    { "distance", "land:distance{ wrap = false }",
        OpenCV = "cv2.distanceTransform((a < 0.5).astype(numpy.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)" },
    { "equalize", "land:equalize{}", OpenCV = "numpy.argsort(a, axis=None)" },
    { "match", "land:match(other)",
        OpenCV = "numpy.interp(a.ravel(), numpy.sort(a.ravel()), numpy.sort(b.ravel()))" },
    { "colorize", "land:colorize{}", OpenCV = "cv2.applyColorMap((a * 255).astype(numpy.uint8), 2)" },
    { "diamond_square gaussian", "esker.diamond_square{ size = size, distribution = 'gaussian' }" },
    { "slope", "land:slope{}" },
    { "gradient_angle", "land:gradient_angle{}", GDAL = "gdaldem slope -q IN.tif OUT.tif" },
    { "aspect", "land:aspect{}", GDAL = "gdaldem aspect -q IN.tif OUT.tif" },
    { "ruggedness", "land:ruggedness{}", GDAL = "gdaldem TRI -q -alg Riley IN.tif OUT.tif" },
    { "relative_height 3 × 3", "land:relative_height{ radius = 1 / size }", GDAL = "gdaldem TPI -q IN.tif OUT.tif" },
    { "hillshade", "land:hillshade{}", GDAL = "gdaldem hillshade -q IN.tif OUT.tif" },
    { "viewshed", "land:viewshed{}",
        GDAL = "gdal_viewshed -q -cc 0 -oz 1 -ox $((size / 2)) -oy $((size / 2)) IN.tif OUT.tif" },
    { "contours", "land:contours{ interval = 0.1 }",
        GDAL = "gdal_contour -q -i 6.4 -f 'ESRI Shapefile' IN.tif OUT.shp" },
    { "curvature", "land:curvature{}", SAGA = "ta_morphometry 0 -ELEVATION IN.sgrd -C_GENE OUT.sgrd -METHOD 3" },
    { "sky_view, 16 directions", "land:sky_view{ wrap = false }",
        SAGA = "ta_lighting 3 -DEM IN.sgrd -SVF OUT.sgrd -RADIUS 10000 -METHOD 1 -NDIRS 16" },
    { "openness, 16 cells", "land:openness{ radius = 16 / size, wrap = false }",
        SAGA = "ta_lighting 5 -DEM IN.sgrd -POS OUT.sgrd -RADIUS 16 -METHOD 1 -NDIRS 8" },
    { "fill", "land:fill{}", SAGA = "ta_preprocessor 4 -ELEV IN.sgrd -FILLED OUT.sgrd" },
    { "flow_accumulation", "land:flow_accumulation{}",
        SAGA = "ta_hydrology 0 -ELEVATION IN.sgrd -FLOW OUT.sgrd -METHOD 0" },
    { "thermal_erosion", "land:thermal_erosion{}" },
    { "hydraulic_erosion", "land:hydraulic_erosion{}" },
    { "olsen_erosion", "land:olsen_erosion{}" },
    { "stream_erosion 512²", "land:stream_erosion{}", size = 512 },
    { "basins", "land:basins{}" },
    { "peaks", "land:peaks{}" },
    { "river_network", "esker.river_network{ size = size }" },
    { "river_network, terrain", "esker.river_network{ size = size }:terrain{}" },
    { "squig_mountain", "esker.squig_mountain{ levels = 10 }" },
    { "squig_mountain, all options", "esker.squig_mountain{ levels = 10, slope = 0.3, symmetry = 1, " ..
        "tributaries = 0.35, smoothness = 1 }" },
    { "mesh, error of 0.01", "land:mesh{ error = 0.01 }" },
    { "raw map, 20 windows of 256²", size = 256, "places(20, function(x, y, i) " ..
        "esker.river_map{ land = 'raw', seed = i }:render{ size = size, x = x, y = y, zoom = 2 ^ i } end)" },
    { "raw map at zoom 1", "esker.river_map{ land = 'raw' }:render{ size = size }" },
    { "raw map, wide", "esker.river_map{ land = 'raw', wide = true }:render{ size = size }" },
    { "raw penrose", "esker.river_map{ land = 'raw', tiling = 'penrose' }:render{ size = size }" },
    { "raw scalene", "esker.river_map{ land = 'raw', tiling = 'scalene' }:render{ size = size }" },
    { "raw sphere 512²", "esker.river_map{ land = 'raw', tiling = 'sphere' }:render{ size = size, zoom = 2 }",
        size = 512 },
    { "raw tetrahedra 512²", "esker.river_map{ land = 'raw', tiling = 'tetrahedra' }:render{ size = size, zoom = 2 }",
        size = 512 },
    { "map, 5 windows of 256²", "places(5, function(x, y, i) " ..
        "esker.river_map{ seed = i }:render{ size = size, x = x, y = y, zoom = 4 ^ i } end)", size = 256 },
    { "save PNG, 16 bits", "land:save(path)", OpenCV = "cv2.imwrite('/tmp/bench.png', u)" },
}

-- Of what is measured and, of a program, of what is taken off that; nil and what the command said if it failed.
local function milliseconds(command)
    local stream = assert(io.popen(command .. " 2>&1"))
    local text = stream:read("a")
    local worked = stream:close()
    local user, system, user_small, system_small = text:match("^([%d.]+) ([%d.]+)\n([%d.]+) ([%d.]+)\n$")
    if worked and user then
        return 1000 * (user + system), 1000 * (user_small + system_small)
    end
    return worked and tonumber(text), worked and tonumber(text) and 0 or text
end

local function esker_command(build_path, row)
    return ("LUA_CPATH=%s lua5.4 scripts/bench-call.lua %s %d"):format(quoted(build_path .. "/?.so;;"), quoted(row[2]),
        row.size or 1024)
end

-- What a row is measured with, Esker first: name and command.
local function sides_of(row)
    local sides = { { name = "Esker", command = esker_command(build, row) } }
    if base then
        sides[2] = { name = "base", command = esker_command(base, row) }
        return sides
    end
    for _, name in ipairs{ "GDAL", "OpenCV", "SAGA" } do
        if row[name] then
            sides[#sides + 1] = { name = name, command = peers[name](row[name], row.size or 1024) }
        end
    end
    return sides
end

local function measure(side)
    local time, other = milliseconds(side.command)
    if not time then
        if not side.problem then -- a base may lack what is new
            side.problem = other
            io.stderr:write(side.name, ": ", other:match("[^\n]+") or "it failed", "\n")
        end
        return
    end
    side.least = math.min(side.least or time, time)
    side.most = math.max(side.most or time, time)
    side.small = math.min(side.small or other, other)
end

-- What the fastest run took, without what a small grid takes.
local function time_of(side)
    return side.least and side.least - side.small
end

local function shown(side)
    local time = time_of(side)
    return time and ("%9.3f %6.2f"):format(time, (side.most - side.small) / time) or "        -       "
end

local matching = {}
for _, row in ipairs(rows) do
    if row[1]:find(wanted, 1, true) then
        matching[#matching + 1] = row
    end
end
if #matching == 0 then
    io.stderr:write(("no row's name contains '%s'\n"):format(wanted))
    os.exit(1)
end
if not base then
    make_grids()
end
print(("%-27s %9s %6s  %-8s %9s %6s %6s"):format("", "Esker ms", "spread", "beside", "ms", "spread", "times"))
for _, row in ipairs(matching) do
    local sides, line = sides_of(row), ("%-27s"):format(row[1])
    for _ = 1, rounds do
        for _, side in ipairs(sides) do
            measure(side)
        end
    end
    for i, side in ipairs(sides) do
        local ratio = side.least and sides[1].least and time_of(side) / time_of(sides[1]) or 0 / 0
        line = i == 1 and line .. " " .. shown(side)
            or ("%s  %-8s %s %6.2f"):format(line, side.name, shown(side), ratio)
    end
    print(line)
end
os.execute("rm -rf " .. folder)
