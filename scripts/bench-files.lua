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
local eye = { x = frame.x + (size // 2 + 0.5) * 30, y = frame.y - (size // 2 + 0.5) * 30 }

-- --- what is run -----------------------------------------------------------------------------------------------------

-- A recipe whose result is saved as out/esker.tif, or another format.
local function recipe(name, call, format)
    write(name .. ".lua", ("return { esker = esker.load(%q)%s }\n"):format(path("in.tif"), call))
    return ("%s %s.lua -q -j 1 -o out --format esker=%s"):format(program, name, format or "tif")
end

-- A recipe that saves its result itself.
local function saving(name, call)
    write(name .. ".lua", ("esker.load(%q)%s\nreturn {}\n"):format(path("in.tif"), call))
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
    for y = 2, size - 3 do
        for x = 2, size - 3 do
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
