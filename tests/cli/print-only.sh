# A recipe that only prints needs no results; words of zoomable maps and their rivers lead to them.
echo 'print("hi")' >says.lua
esker says.lua
echo 'print("hi") return {}' >says.lua
esker says.lua
for word in landscape reaches place; do
    esker help $word | grep -oE '^  (river_map|rivers) '
done
