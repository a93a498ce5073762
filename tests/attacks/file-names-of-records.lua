-- Results named as the program's own files are.
local land, results = esker.spectral{ size = 8 }, {}
for _, name in ipairs{ "record", "output", "journal", "journal.lock", "sweep.txt", "table.csv", "con", "a.png", "-o", "--trust",
    "x..", "n.", "_", "index.html", "unfinished" } do
    if name:match("^[%w_]") then results[name] = land end
end
return results
