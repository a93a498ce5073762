# For tests of WebAssembly in node, which source this file after tap.sh: they are skipped where a tool is missing.
build=${ESKER_BUILD:-build}
log=$build/wasm.log
reason() { tail -20 "$log" | cut -c1-160; }
skip() {
    echo "1..0 # SKIP $1"
    exit
}
for tool in emcc clang node; do
    command -v $tool >/dev/null || skip "no $tool (scripts/setup.sh web)"
done
make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
run() { node --no-experimental-fetch "$@"; } # emscripten takes node for a browser if it has fetch
