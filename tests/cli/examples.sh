# Every example runs with the seed of docs/wishes.md and small sizes, and those that take a path with a GeoTIFF, too.
. "$ROOT/tests/support/small.sh"
cp -r "$ROOT/examples" .
cat >geotiff.lua <<'LUA'
local land = esker.load("examples/data/ridge.png", { high = 65535 })
local frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631", unit = "m" }
local lowest = land:select{ height = { 0, 500 } }
land:set_gaps(lowest):georeference(frame):save("gaps.tif")
LUA
esker geotiff.lua --trust -q >hashes
for recipe in examples/*.lua examples/wishes/*.lua; do
    settings=$(small_settings "$recipe")
    ! has_parameter "$recipe" seed || settings="$settings seed=7"
    # shellcheck disable=SC2086 # several words
    esker "$recipe" $settings --hash -q -o . >hashes || echo "failed: $recipe$settings"
    # shellcheck disable=SC2086
    ! has_parameter "$recipe" path || esker "$recipe" $settings path=gaps.tif --hash -q -o . >hashes ||
        echo "failed: $recipe$settings path=gaps.tif"
done
