# One wish in seven runs with the seed of docs/wishes.md and small sizes, and what takes a path runs with a GeoTIFF, too:
# with their defaults tests/golden.sh runs the other examples, tests/long/examples.sh all with many seeds.
. "$ROOT/tests/support/small.sh"
cp -r "$ROOT/examples" .
cat >geotiff.lua <<'LUA'
local land = esker.load("examples/data/ridge.png", { high = 65535 })
local frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631", unit = "m" }
local lowest = land:select{ height = { 0, 500 } }
land:set_gaps(lowest):georeference(frame):save("gaps.tif")
LUA
esker geotiff.lua --trust -q >hashes
number=0
for recipe in examples/*.lua examples/wishes/*.lua; do
    if [ "${recipe%/*}" != examples ]; then
        number=$((number + 1))
        [ $((number % 7)) = 1 ] || continue
    fi
    read_parameters "$recipe"
    settings=$(small_settings)
    ! has_parameter seed || settings="$settings seed=7"
    # shellcheck disable=SC2086 # several words
    [ "${recipe%/*}" = examples ] || esker "$recipe" $settings --hash -q -o . >hashes ||
        echo "failed: $recipe$settings"
    # shellcheck disable=SC2086
    ! has_parameter path || esker "$recipe" $settings path=gaps.tif --hash -q -o . >hashes ||
        echo "failed: $recipe$settings path=gaps.tif"
done
