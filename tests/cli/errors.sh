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
run --levelz 3
run --ti=3
run --seed
run help diamond_sqaure
run info good.lua
touch file
run picture.lua -o file
run picture.lua -o file/below
run picture.lua -o /proc

# A file that ends in the middle, one that is not there, and more memory than there is.
head -c 300 "$ROOT/examples/data/ridge.png" > short.png
echo "return { h = esker.load('short.png') }" > truncated.lua
echo "return { h = esker.load('none.png') }" > absent.lua
echo 'return { h = esker.diamond_square{ size = 20000 } }' > huge.lua
run truncated.lua
run absent.lua
(ulimit -v 1000000 && run huge.lua) 2>&1 | sed 's/: [0-9].*/: …/' >&2

# A disk that fills up while the second picture is written: the first is whole, of the second nothing is left.
echo 'return { a = esker.field{ size = 2, values = 0 }, b = esker.spectral{ size = 300 } }' > two.lua
mkdir full
(trap '' XFSZ && ulimit -f 8 && run two.lua -o full)
ls -A full
ls -A

# A result's format, misspelt.
echo 'return { land = { esker.field{ size = 2, values = 0 }, fromat = "png" } }' >fromat.lua
run fromat.lua
