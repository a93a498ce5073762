#!/bin/sh
# Models of the Khronos validator's liking, where npm got it (scripts/vendor.sh). Prints TAP.
set -u
. "$(dirname "$0")/support/scratch.sh"
reason() { head -5 message; }

cat >models.lua <<'LUA'
local land = esker.noise{ size = 48, seed = 2 }
local bare = land:mesh{ error = 0.01 }
return { bare = { bare, format = "glb" }, closed = { land:mesh{ side = 100, base = 2 }, format = "glb" },
    draped = { bare:drape(land:relief{}), format = "glb" },
    forest = { bare:drape(land:relief{}):plant(land:scatter{ distances = { 0.1, 0.2 } }), format = "glb" } }
LUA
esker models.lua -q 2>message
check "four models" $?
validator=$(find "$ROOT/build/vendor/gltf-validator" "$ROOT/src/web/vendor/gltf-validator" -name index.js 2>/dev/null | head -1)
if [ -n "$validator" ] && command -v node >/dev/null; then
    cat >validate.cjs <<'JS'
const validator = require(process.argv[2]), fs = require("fs");
(async () => {
    for (const name of ["bare", "closed", "draped", "forest"]) {
        const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(name + ".glb")));
        if (issues.numErrors + issues.numWarnings > 0)
            console.log(name, JSON.stringify(issues.messages));
    }
})();
JS
    node validate.cjs "$validator" >message 2>&1 && [ ! -s message ]
    check "the Khronos validator finds no error and gives no warning" $?
else
    check "the Khronos validator finds no error and gives no warning # SKIP without node or the validator" 0
fi
echo "1..$count"
