# A world of Azgaar's Fantasy Map Generator, read by a recipe that is not trusted; a river along which the ground rises.
mkdir world
cat >world/map.json <<'X'
{"info":{"version":"1.100.00","mapName":"Strip","width":4,"height":1},
"settings":{"distanceUnit":"km","distanceScale":10,"heightExponent":"2"},
"pack":{"vertices":[{"i":0,"p":[0,0]},{"i":1,"p":[1,0]},{"i":2,"p":[2,0]},{"i":3,"p":[3,0]},{"i":4,"p":[4,0]},
{"i":5,"p":[0,1]},{"i":6,"p":[1,1]},{"i":7,"p":[2,1]},{"i":8,"p":[3,1]},{"i":9,"p":[4,1]}],
"cells":[{"i":0,"p":[0.5,0.5],"v":[0,1,6,5],"h":9},{"i":1,"p":[1.5,0.5],"v":[1,2,7,6],"h":60},
{"i":2,"p":[2.5,0.5],"v":[2,3,8,7],"h":40},{"i":3,"p":[3.5,0.5],"v":[3,4,9,8],"h":9}],
"features":[0,{"i":1,"type":"ocean"}],
"burgs":[{},{"i":1,"name":"Ford","x":1.4,"y":0.5,"cell":1,"population":2}],
"rivers":[{"i":1,"name":"Upward","cells":[2,1,0],"discharge":7},{"i":2,"name":"Eastern","cells":[2,3]}]}}
X
cp world/map.json other.json
sed 's/"x":1.4/"x":"west"/' world/map.json >world/broken.json
cat >world/grow.lua <<'X'
local world = esker.load_world("map.json")
local map = esker.river_map{ seed = 1, guide = world.guide }:set_rivers(world.rivers)
return { side = map.side, towns = world.places.count, broken = select(2, pcall(esker.load_world, "broken.json")),
    outside = select(2, pcall(esker.load_world, "../other.json")):match("a recipe may read only below its own folder") }
X
cd world
esker grow.lua
esker info map.json
esker info broken.json || true
