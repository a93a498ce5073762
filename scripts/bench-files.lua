-- Weekly jobs from file to file by whole processes: Esker beside GDAL, SAGA and GRASS where they are installed
-- (scripts/bench-peers.sh), interleaved, ROUNDS (3) times, of a model of SIZE² (2000) cells of 30 m; with an argument
-- the jobs whose name contains it. Prints the least
-- seconds of processor time of each, on one thread, how many times Esker's that is, and how far the results agree.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local wanted = arg[1] or "" -- part of a job's name
local rounds, size = tonumber(os.getenv("ROUNDS")) or 3, tonumber(os.getenv("SIZE")) or 2000
local program = os.getenv("PWD") .. "/" .. (os.getenv("ESKER_BUILD") or "build") .. "/esker"

local folder = os.tmpname() -- makes a file
os.remove(folder)
os.execute("mkdir " .. folder)

local function path(name)
    return folder .. "/" .. name
end

local function write(name, text)
    local file <close> = assert(io.open(path(name), "w"))
    file:write(text)
end

local frame = { x = 500000, y = 4100000, cell = 30, system = "EPSG:32613", unit = "m" }
-- Valleys, some with pits, as models of ground have them.
local land = (esker.noise{ size = size, seed = 7, octaves = 10, wrap = false }:stream_erosion{ age = 0.6 } * 2000
    + esker.noise{ size = size, seed = 8, frequency = 200, octaves = 3, wrap = false } * 4):georeference(frame)
land:save(path("in.tif"))
land:crop{ width = size // 2, height = size }:save(path("west.tif"))
land:crop{ x = size // 2, width = size - size // 2, height = size }:save(path("east.tif"))
land:resize{ size = size * 3 // 5 }:save(path("other.tif"))
do -- a few hundred zones with holes
    local coarse = esker.noise{ size = 100, seed = 9, frequency = 3, octaves = 4, wrap = false }:normalize()
    esker.field{ size = 100, values = function(x, y) return 1 + coarse:get(x, y) * 6 // 1 end }
        :georeference{ x = frame.x, y = frame.y, cell = frame.cell * size / 100, system = frame.system }
        :polygonize():save(path("zones.gpkg"))
end
local gauge = { cells = 0 } -- where a large river passes, away from the edges
do
    local flow = land:flow_accumulation{}
    for y = size // 5, size - size // 5, 3 do
        for x = size // 5, size - size // 5, 3 do
            if flow:get(x, y) > gauge.cells then
                gauge = { cells = flow:get(x, y), x = frame.x + (x + 0.5) * 30, y = frame.y - (y + 0.5) * 30 }
            end
        end
    end
end
local eye = { x = frame.x + (size // 2 + 0.5) * 30, y = frame.y - (size // 2 + 0.5) * 30 }

-- --- what is run -----------------------------------------------------------------------------------------------------

-- A recipe whose result is saved as out/esker.tif, or another format.
local function recipe(name, call, format)
    write(name .. ".lua", ("return { esker = esker.load(%q)%s }\n"):format(path("in.tif"), call))
    return ("%s %s.lua -q -j 1 -o out --format esker=%s"):format(program, name, format or "tif")
end

-- A recipe that saves its result itself: `call` on the model, or a whole text.
local function saving(name, call)
    local text = call:find("^:") and "esker.load(%q)%s\nreturn {}\n" or "local land = %q\n%s\nreturn {}\n"
    write(name .. ".lua", text:format(path("in.tif"), call))
    return ("%s %s.lua -q -j 1 -o out"):format(program, name)
end

local function grass(call)
    return "grass --tmp-location in.tif --exec sh -c '" .. [[r.external --q -o input="$PWD/in.tif" output=in && ]]
        .. "g.region raster=in && " .. call .. "'"
end

local function to_tif(name)
    return " && r.out.gdal --q -c -f input=" .. name .. " output=out/grass.tif createopt=COMPRESS=NONE"
end

local function read(name)
    return function() return esker.load(path(name)) end
end

local function saga_result()
    os.execute("gdal_translate -q " .. path("out/saga.sdat") .. " " .. path("out/saga.tif"))
    return esker.load(path("out/saga.tif"))
end

-- --- how far results agree -------------------------------------------------------------------------------------------

-- Visits all cells that have data in both, away from the edges.
local function each_cell(one, other, visit)
    local cells = 0
    for y = 2, one.height - 3 do
        for x = 2, one.width - 3 do
            local a, b = one:get(x, y), other:get(x, y)
            if a and b then
                cells = cells + 1
                visit(a, b)
            end
        end
    end
    return cells
end

local function farthest(unit)
    return function(one, other)
        local most, sum = 0, 0
        local cells = each_cell(one, other, function(a, b)
            most, sum = math.max(most, math.abs(a - b)), sum + math.abs(a - b)
        end)
        return ("%.2g %s apart in the mean, %.2g at most"):format(sum / cells, unit, most)
    end
end

local function same(are_same)
    return function(one, other)
        local equal = 0
        local cells = each_cell(one, other, function(a, b) equal = equal + (are_same(a, b) and 1 or 0) end)
        return ("%.2f %% of cells are the same"):format(100 * equal / cells)
    end
end

local function both_seen(one, other)
    return (one > 0.5) == (other > 0.5)
end

-- Large flows: ways over level ground, which are found otherwise, matter less there.
local function near(one, other)
    local all, close = 0, 0
    each_cell(one, other, function(a, b)
        if a > 1000 then
            all, close = all + 1, close + (math.abs(b) > 0.9 * a and math.abs(b) < 1.1 * a and 1 or 0)
        end
    end)
    return ("%.1f %% of cells that more than 1000 drain through are within a tenth"):format(100 * close / all)
end

local function lengths(one, other)
    return ("%.5g km of lines, %.5g"):format(one / 1000, other / 1000)
end

local function length_of(name)
    return function()
        local stream = assert(io.popen(("ogrinfo -q -dialect sqlite -sql 'select sum(st_length(geom)) as all_of "
            .. "from \"%s\"' %s"):format(name:match("layer=(.*)"), path(name:match("^[^,]*")))))
        local text = stream:read("a")
        stream:close()
        return tonumber(text:match("= ([%d.e+]+)")) or 0
    end
end

local jobs = {
    { "slope, degrees", agree = farthest("°"), tools = {
        { "Esker", recipe("slope", ":gradient_angle{}"), read "out/esker.tif" },
        { "GDAL", "gdaldem slope -q -of COG -co COMPRESS=DEFLATE -co LEVEL=1 -co PREDICTOR=YES in.tif out/gdal.tif",
            read "out/gdal.tif" }, -- as Esker writes it
        { "SAGA", "saga_cmd -f=s ta_morphometry 0 -ELEVATION in.tif -SLOPE out/saga.sgrd -METHOD 2 -UNIT_SLOPE 1",
            saga_result },
        { "GRASS", grass("r.slope.aspect --q elevation=in slope=slope" .. to_tif "slope"), read "out/grass.tif" },
    } },
    { "contours of 100 m to a GeoPackage", agree = lengths, tools = {
        { "Esker", recipe("contours", ":contours{ interval = 100, index = 0 }", "gpkg"),
            length_of "out/esker.gpkg,layer=esker" },
        { "GDAL", "gdal_contour -q -i 100 -a height -f GPKG in.tif out/gdal.gpkg",
            length_of "out/gdal.gpkg,layer=contour" },
        { "SAGA", "saga_cmd -f=s shapes_grid 5 -GRID in.tif -CONTOUR out/saga.gpkg -ZSTEP 100 -ZMIN 0 -ZMAX 2000",
            length_of "out/saga.gpkg,layer=saga" },
        { "GRASS", grass("r.contour --q input=in output=lines step=100 && v.out.ogr --q input=lines "
            .. "output=out/grass.gpkg format=GPKG"), length_of "out/grass.gpkg,layer=lines" },
    } },
    { "viewshed, eye 10 m above the middle", agree = same(both_seen), tools = {
        { "Esker", saving("viewshed", (":viewshed{ x = %.1f, y = %.1f, coordinates = 'map', eye = 10, curvature = 0 }"
            .. ":select{ height = { 0, 0 } }:save('esker.tif', { type = 'uint8' })"):format(eye.x, eye.y)),
            read "out/esker.tif" },
        { "GDAL", ("gdal_viewshed -q -cc 0 -oz 10 -ox %.1f -oy %.1f in.tif out/gdal.tif"):format(eye.x, eye.y),
            read "out/gdal.tif" },
        { "GRASS", grass(("r.viewshed --q -b input=in output=seen coordinates=%.1f,%.1f observer_elevation=10")
            :format(eye.x, eye.y) .. to_tif "seen"), read "out/grass.tif" },
    } },
    { "fill", agree = same(function(a, b) return a == b end), tools = {
        { "Esker", recipe("fill", ":fill{}"), read "out/esker.tif" },
        { "SAGA", "saga_cmd -f=s ta_preprocessor 4 -ELEV in.tif -FILLED out/saga.sgrd -MINSLOPE 0", saga_result },
        { "GRASS", grass("r.terraflow --q -s elevation=in filled=filled direction=d swatershed=w accumulation=a tci=t "
            .. "directory=$PWD/out" .. to_tif "filled"), read "out/grass.tif" },
    } },
    { "flow accumulation, D8", agree = near, tools = {
        { "Esker", recipe("flow", ":flow_accumulation{}"), read "out/esker.tif" },
        { "SAGA", "saga_cmd -f=s ta_preprocessor 4 -ELEV in.tif -FILLED out/filled.sgrd -MINSLOPE 0.0001 && "
            .. "saga_cmd -f=s ta_hydrology 0 -ELEVATION out/filled.sgrd -FLOW out/saga.sgrd -METHOD 0 -FLOW_UNIT 0",
            saga_result },
        { "GRASS", grass("r.watershed --q -s elevation=in accumulation=flow" .. to_tif "flow"), read "out/grass.tif" },
    } },
}

-- --- more of a week's jobs -------------------------------------------------------------------------------------------

local as_esker = "-of COG -co COMPRESS=DEFLATE -co LEVEL=1 -co PREDICTOR=YES " -- as Esker writes files
local ours, of_gdal, of_grass = read "out/esker.tif", read "out/gdal.tif", read "out/grass.tif"

local function add(name, agree, ...)
    jobs[#jobs + 1] = { name, agree = agree, tools = { ... } }
end

local function within(most)
    return same(function(a, b) return math.abs(a - b) <= most end)
end

add("aspect", within(0.01), { "Esker", recipe("aspect", ":aspect{}"), ours },
    { "GDAL", "gdaldem aspect -q " .. as_esker .. "in.tif out/gdal.tif", of_gdal })

add("geomorphons, radius 300 m", same(function(a, b) return a == b end),
    { "Esker", saving("forms", ":geomorphons{ radius = 300 }:save('esker.tif', { type = 'uint8' })"), ours },
    { "GRASS", grass("r.geomorphon --q elevation=in forms=forms search=10 skip=0 flat=1" .. to_tif "forms"), of_grass })

add("catchment of a gauge", same(both_seen),
    { "Esker", saving("above", (":catchment{ at = { { %.1f, %.1f } }, coordinates = 'map', snap = 100 }"
        .. ":save('esker.tif', { type = 'uint8' })"):format(gauge.x, gauge.y)), ours },
    { "GRASS", grass("r.watershed --q -s elevation=in drainage=ways && r.water.outlet --q input=ways output=above "
        .. ("coordinates=%.1f,%.1f && r.null --q map=above null=0"):format(gauge.x, gauge.y) .. to_tif "above"),
        of_grass })

add("rivers from 1,000 cells on to a GeoPackage", lengths,
    { "Esker", recipe("rivers", ":rivers_from_flow{ cells = 1000 }", "gpkg"), length_of "out/esker.gpkg,layer=esker" },
    { "GRASS", grass("r.stream.extract --q elevation=in threshold=1000 stream_vector=rivers && v.out.ogr --q "
        .. "input=rivers type=line output=out/grass.gpkg format=GPKG"), length_of "out/grass.gpkg,layer=rivers" })

-- The numbers in lines of this form, from the least.
local function numbers(pattern)
    return function()
        local file <close> = assert(io.open(path("said")))
        local list = {}
        for line in file:lines() do
            list[#list + 1] = tonumber(line:match(pattern))
        end
        table.sort(list)
        return list
    end
end

add("heights of the zones of a GeoPackage", function(one, other)
    local most = #one == #other and 0 or math.huge
    for i = 1, math.min(#one, #other) do
        most = math.max(most, math.abs(one[i] - other[i]))
    end
    return ("%d and %d zones, means at most %.2g m apart"):format(#one, #other, most)
end, { "Esker", saving("zones", ("local zones = esker.load(%q)\n"
        .. "for _, mean in ipairs(esker.load(land):zonal_statistics(zones).mean) do print(mean) end")
        :format(path("zones.gpkg"))), numbers "^([-%d.e+]+)$" },
    { "GRASS", grass("v.in.ogr --q input=$PWD/zones.gpkg output=zones && v.to.rast --q input=zones output=zones "
        .. "use=cat && r.univar -t --q map=in zones=zones separator=comma"),
        numbers("^%d+," .. ("[^,]*,"):rep(6) .. "([-%d.e+]+),") })

local part = { frame.x + size * 6, frame.y - size * 24, frame.x + size * 24, frame.y - size * 6 }
add("part of a model", within(0),
    { "Esker", recipe("part", (":crop{ box = { %d, %d, %d, %d }, coordinates = 'map' }"):format(table.unpack(part))),
        ours },
    { "GDAL", ("gdal_translate -q %s -projwin %d %d %d %d in.tif out/gdal.tif")
        :format(as_esker, part[1], part[4], part[3], part[2]), of_gdal })

local all = ("-te %d %d %d %d"):format(frame.x, frame.y - size * 30, frame.x + size * 30, frame.y)
add("another model's cells, cubic", farthest "m",
    { "Esker", recipe("aligned", (":align{ like = esker.load(%q), method = 'cubic' }"):format(path("other.tif"))),
        ours },
    { "GDAL", ("gdalwarp -q %s -r cubic %s -tr 50 50 in.tif out/gdal.tif"):format(as_esker, all), of_gdal },
    { "GRASS", grass("g.region res=50 && r.resamp.interp --q method=bicubic input=in output=aligned"
        .. to_tif "aligned"), of_grass })

write("mosaic.lua", ("return { esker = esker.mosaic{ %q, %q } }\n"):format(path("west.tif"), path("east.tif")))
add("one model of two", within(0), { "Esker", program .. " mosaic.lua -q -j 1 -o out --format esker=tif", ours },
    { "GDAL", "gdalwarp -q " .. as_esker .. "west.tif east.tif out/gdal.tif", of_gdal })

add("polygons to cells", within(0),
    { "Esker", saving("cells", ("esker.load(%q):rasterize{ like = esker.load(land), attribute = 'value' }"
        .. ":save('esker.tif')"):format(path("zones.gpkg"))), ours },
    { "GDAL", ("gdal_rasterize -q -a value -ot Float32 %s -tr 30 30 zones.gpkg out/raw.tif && "
        .. "gdal_translate -q %s out/raw.tif out/gdal.tif"):format(all, as_esker), of_gdal })

-- --- measuring -------------------------------------------------------------------------------------------------------

-- Seconds of processor time, or nil and what the tool said.
local function seconds(command)
    write("command.sh", command)
    local stream = assert(io.popen(([[cd %s && rm -rf out && mkdir out && { bash -c ']]
        .. [[export OMP_NUM_THREADS=1 TIMEFORMAT="%%U %%S"; time bash command.sh >said 2>&1 || echo failed'; } 2>&1]])
        :format(folder)))
    local text = stream:read("a")
    stream:close()
    if text:find("failed", 1, true) then
        local said <close> = assert(io.open(path("said")))
        return nil, said:read("a")
    end
    local user, system = text:match("([%d.]+) ([%d.]+)")
    return user + system
end

local function is_there(tool)
    local names = { Esker = "true", GDAL = "gdaldem", SAGA = "saga_cmd", GRASS = "grass" }
    return os.execute("command -v " .. names[tool] .. " >/dev/null")
end

print(("| %d² cells, file to file | | s | of Esker's | agreement with Esker |\n| --- | --- | --- | --- | --- |")
    :format(size))
for _, job in ipairs(jobs) do
    local is_wanted = job[1]:find(wanted, 1, true)
    local least, problems, results = {}, {}, {}
    for round = 1, is_wanted and rounds or 0 do
        for _, tool in ipairs(job.tools) do
            local name = tool[1]
            if is_there(name) then
                local time, problem = seconds(tool[2])
                problems[name] = problem or problems[name]
                least[name] = time and math.min(time, least[name] or math.huge) or least[name]
                if time and round == rounds then
                    results[name] = tool[3]()
                end
            end
        end
    end
    for _, tool in ipairs(job.tools) do
        local name = tool[1]
        local agreement = name ~= "Esker" and results[name] and results.Esker
            and job.agree(results.Esker, results[name]) or ""
        if least[name] then
            print(("| %s | %s | %.2f | %.2f | %s |"):format(job[1], name, least[name], least[name] / least.Esker,
                agreement))
        elseif problems[name] then
            print(("| %s | %s | fails: %s"):format(job[1], name, problems[name]:sub(1, 300)))
        end
    end
end
os.execute("rm -r " .. folder)
