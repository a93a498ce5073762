# What a file does not keep is told, unless -q asks for silence; and recipes cannot warn in the program's name.
printf 'ncols 2\nnrows 2\nxllcorner 10.5\nyllcorner 47.25\ncellsize 30\nNODATA_value -9999\n1 2\n-9999 4\n' >dem.asc
echo 'local f = esker.load("dem.asc") esker.load("dem.asc") f:save("flat.asc") return { n = f.width }' >load.lua
esker load.lua
esker load.lua -q
esker load.lua --trust
cat flat.asc
printf 'ncols 3\nnrows 2\nxllcenter 1\nyllcenter 2\ndx 30\ndy 10\n1 2 3\n4 5 6\n' >oblong.asc
echo 'return { n = esker.load("oblong.asc").width }' >oblong.lua
esker oblong.lua
echo 'return { n = warn and 1 or 0 }' >warns.lua
esker warns.lua || true
