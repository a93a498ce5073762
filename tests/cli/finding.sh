# Finding one's way: entries by words, what was meant by a misspelt name, and the words that everybody tries in a session.
esker help zither gamelan && echo "found what is not there"
esker help plasma gully
for text in %d '' ' ' '%s%s%n' "a
b" "$(printf 'x%.0s' $(seq 3000))" "$(printf 'é%.0s' $(seq 99))"; do
    esker help "$text" && echo "found '$text'"
done
esker help erosion %d | sed -n 1p
esker help Mandelbrot mountains
for word in beaches sand dunes glacier wind fog contou; do
    esker help "$word" | sed 1d | cut -c1-56
done
for word in AO dilation opening closing compositing sunshine placement colormap tiling 'histogram matching'; do
    esker help "$word" | sed -n 2p | cut -c1-56
done
esker help --json | lua5.4 -e 'local text = io.read "a"
    print(select(2, text:gsub("\n  {\"name\": \"", "")) > 40, text:sub(1, 11) == "{\"recipe\": ",
        text:find("\"keywords\": \"fractal noise plasma", 1, true) ~= nil)'
esker help --json >all.json
cat >model.lua <<'LUA' # what a model needs to write a recipe: names, and defaults that are allowed
local json = require "esker.file.json"
local all, names, wrong = json.decode(io.open("all.json"):read "a"), {}, 0
for _, list in ipairs{ all.operations, all.functions, all.types } do
    for _, entry in ipairs(list) do
        names[entry.name] = entry
        for _, param in ipairs(entry.params or {}) do
            local default = math.type(param.default) and param.min and param.default or nil
            wrong = wrong + (default and (default < param.min or default > param.max) and 1 or 0)
        end
    end
end
for name in ("noise params return field points large operators get set wraps Field Image"):gmatch "%a+" do
    assert(names[name], name)
end
assert(all.palettes.alpine and names.Field.methods[1].name and names.Field.properties[1].name)
local file = io.open("written.lua", "w")
file:write(all.recipe.example)
file:close()
return { wrong = wrong }
LUA
esker model.lua --trust
esker written.lua size=64
esker help noise --json | cut -c1-60 | head -2
esker help erosion --json | cut -c1-26 | grep '^\[*{"name'
esker help zither gamelan --json && echo "found what is not there"
cat >misspelt.lua <<'LUA'
local land = esker.spectral{ size = 16 }
print(pcall(function() return land:olsen_erosoin{} end))
print(pcall(function() return land.widht end))
print(pcall(function() return esker.plasma{} end))
print(pcall(function() return esker.perlin{} end))
print(pcall(function() return esker.spectrall{} end))
print(pcall(function() return esker.params{} end))
print(rawget(esker, "plasma"))
return { n = 1 }
LUA
esker misspelt.lua
(esker <<'LUA' || echo "exit $?") | sed 's/, [0-9.e-]* m*s$//' # the time it took
land = esker.spectral{ size = 16 }
first = land:hash()
n = 3
land = land:blur{}
land:hash() == first
undo
land:hash() == first
undo
n
clear
land:save("land.png")
help = "mine"
help
save_session("kept.lua")
undo()
exit
print("after the end")
LUA
cat kept.lua
echo 'quit()
print("after the end")' | esker
printf 'help noise\nhelp esker.blur\nhelp histogram matching\nhelp = 3\nhelp\n' | esker | grep '^esker.noise{\|^height:blur{\|^  match\|^3'
for name in esker.noise land:blur; do # as recipes write them
    esker help "$name" | sed -n 1p
done
