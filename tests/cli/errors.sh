run() {
    status=0
    esker "$@" || status=$?
    echo "exit $status" >&2
}
echo 'return {' > syntax.lua
echo 'local x = 1' > nothing.lua
echo 'return esker.field{ size = 2, values = 0 }' > field.lua
echo 'return { [1] = 2 }' > unnamed.lua
printf '\nreturn { h = esker.diamond_square{ size = -3 } }\n' > size.lua
echo 'return { h = espker.field{} }' > global.lua
echo 'local p = params{ talus = 16 } return { t = p.tallus }' > strict.lua
echo 'local p = params{ talus = 16 } return { t = p.talus }' > good.lua
echo 'return { x = io }' > sandbox.lua
echo 'return { h = esker.field{ size = 2, values = 0 } }' > picture.lua
run syntax.lua
run nothing.lua
run field.lua
run unnamed.lua
run size.lua
run global.lua
run strict.lua
run sandbox.lua
run good.lua tallus=3
run good.lua talus=x
run good.lua talus
run missing.lua
run --wrong
run help diamond_squar
run info good.lua
touch file
run picture.lua -o file
run picture.lua -o file/below
ls -A
