-- Measures an elevation model for docs/realism.csv, whose ranges src/analysis/realism_ranges.c has:
--
--     esker --trust scripts/realism.lua path=MODEL.asc cell=30 sea_level=-1000
--
-- in metres, without holes, with square cells; prints one line, in the order of the table's columns.
local p = params{
    path      = "",
    cell      = { 30.0, min = 0.01, max = 1e6, doc = "side of a cell, in the unit of the heights" },
    sea_level = { -1000.0, doc = "lower ground is sea" },
}

local model = esker.load(p.path)
local measures = model:realism{ sea_level = p.sea_level, vertical_scale = 1 / p.cell }
local line = { model.width, model.height, p.cell }
for _, operation in ipairs(esker.operations()) do
    if operation.name == "realism_ranges" then
        for _, output in ipairs(operation.outputs) do
            line[#line + 1] = ("%.4g"):format(measures[output.name])
        end
    end
end
print(table.concat(line, ","))
return { score = measures.score }
