-- Measures an elevation model, beside the ranges of real land with cells of its size:
--
--     esker --trust scripts/realism.lua path=MODEL.tif cell=30 x=0 y=0 size=400
--
-- The model is in metres, without holes, and has square cells. At the end it prints the measures as
-- docs/realism.csv has them, whose ranges src/analysis/realism.c has.
local p = params{
    path      = "",
    cell      = { 30.0, min = 0.01, max = 1e6, doc = "side of a cell in metres" },
    x         = { 0, min = 0, max = 1e6, doc = "first column of the part that is measured" },
    y         = { 0, min = 0, max = 1e6, doc = "first row" },
    size      = { 0, min = 0, max = 1e6, doc = "its side in cells; 0: all of the model" },
    sea_level = { -1000.0, doc = "lower ground is sea" },
}

local model = esker.load(p.path)
if p.size > 0 then
    model = model:crop{ x = p.x, y = p.y, width = p.size, height = p.size }
end
local measures = model:realism{ sea_level = p.sea_level, cell = p.cell }
local ranges = esker.realism_ranges{ cell = measures.cell }
local line = { model.width, model.height, p.cell }
for _, operation in ipairs(esker.operations()) do
    if operation.name == "realism_ranges" then
        for _, output in ipairs(operation.outputs) do
            local value, low, high, median = measures[output.name], table.unpack(ranges[output.name])
            local where = value == 0 and "none" or value < low and "below" or value > high and "above" or "within"
            print(("%-16s %9.4g  %-6s  %.3g to %.3g, median %.3g"):format(output.name, value, where, low, high, median))
            line[#line + 1] = ("%.4g"):format(value)
        end
    end
end
print(("score %.2f, %d of %d within; %s"):format(measures.score, measures.within, measures.judged,
    measures.cell > 0 and ("cells of %g m"):format(measures.cell) or "land with cells of any size"))
print(table.concat(line, ","))
return { score = measures.score }
