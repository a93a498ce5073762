# The command that a file tells makes the same bytes again.
cat > my\ island.lua <<'X'
local p = params{ seed = 1, size = 32, rough = 0.1, title = "x" }
local land = esker.diamond_square{ size = p.size, seed = p.seed, persistence = p.rough }
return { height = land, low = land * 3 - 1, relief = land:relief{} }
X
esker "my island.lua" --seed 7 rough=0.3333333333333333 "title=it's" -q -o first
for name in height low relief; do
    command=$(esker info first/$name.png | sed -n 's/^make again *//p')
    mkdir -p again
    eval "$command -q -o again"
    cmp first/$name.png again/$name.png
done
echo "$command"
esker info first/height.png | sed -n 's/^seed */seed /p; s/^parameters */parameters /p'
