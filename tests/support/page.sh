# For tests of the explorer's page, which source this file: test_page SCRIPT PROGRAM [ARGUMENT]... runs a script of node, which
# drives headless Chromium; it gets the program, Playwright and the arguments.
test_page() {
    for tool in chromium node; do
        command -v $tool >/dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
    done
    [ -d build/vendor/playwright-core ] || { echo "1..0 # SKIP npm did not bring playwright-core"; exit 0; }
    script=$1 program=$PWD/$2
    shift 2
    exec node "$script" "$program" "$PWD/build/vendor/playwright-core/index.mjs" "$@"
}
