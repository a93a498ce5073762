# What a reader tries first is land that water has shaped: README's recipe, the tutorial's first one and its last steps,
# the session's first line. Noise alone has a lower score.
score() { # NAME [SETTING]…: of the recipe in recipe.lua, which makes `land`
    name=$1
    shift
    { sed '/^return/,$d' recipe.lua && echo 'return { score = land:realism{}.score }'; } >scored.lua
    esker scored.lua "$@" -q | sed -n 's/^score = //p' | awk -v name="$name" '{ print name, ($1 > 0.9 ? "well" : "plain") }'
}
sed -n '/^-- hills.lua/,/^```/p' "$ROOT/README.md" | sed '$d' >recipe.lua
score README size=160
sed -n 's/^return { relief = \(.*:stream_erosion{[^}]*}\):normalize.*/local land = \1/p' "$ROOT/docs/tutorial.md" | sed 1q >recipe.lua
score tutorial
cp "$ROOT/docs/tutorial/step4.lua" recipe.lua
score "step 4"
cp "$ROOT/docs/tutorial/step5.lua" recipe.lua
score "step 5" size=160 sea=0
sed -n 's/^Try: /local /p' "$ROOT/lua/esker/session/command.lua" >recipe.lua
score session
echo 'local land = esker.noise{ size = 256, seed = 3 }' >recipe.lua
score noise
