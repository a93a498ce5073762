#!/bin/sh
# The wheel for Python, installed into a fresh virtual environment: what tests/support/python_package.py tries there, the
# programs of docs/python.md, and the types, by mypy. Prints TAP.
. "$(dirname "$0")/support/tap.sh"
cd "$(dirname "$0")/.." || exit 1
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import setuptools, numpy, pip, venv, wheel' 2>/dev/null || {
    echo "1..0 # SKIP python3 with numpy, pip, setuptools, venv and wheel is not installed"
    exit 0
}
tests=$PWD/tests
build=$(cd "${ESKER_BUILD:-build}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { tail -12 "$scratch/log"; }
make -s BUILD="$build" PYTHON="$python" wheel >"$scratch/log" 2>&1
check "make wheel" $?
# Without a pip of its own, which takes seconds: it sees the system's.
"$python" -m venv --system-site-packages --without-pip "$scratch/venv" >"$scratch/log" 2>&1 &&
    "$scratch/venv/bin/python" -m pip install --quiet --no-index --no-deps "$build"/esker-*.whl >"$scratch/log" 2>&1
check "pip installs it" $?
unset ESKER_LIBRARY ESKER_PROGRAM
awk -v folder="$scratch" '/^```/ { file = "" }
    file { print >file }
    /^```python$/ { getline; file = folder "/" $2; sub(":$", "", file); print >file }' docs/python.md
cd "$scratch" || exit 1
"$scratch/venv/bin/python" "$tests/support/python_package.py" "$build" >"$scratch/tried" 2>"$scratch/log"
check "the tests of the package run to their end" $?
while read -r word number rest; do
    case $word in ok | not) ;; *) continue ;; esac
    [ "$word" = ok ]
    check "${rest#- }" $?
done <<TRIED
$(sed 's/^not ok/not/' "$scratch/tried")
TRIED
# In one process, which loads numpy once.
programs="first.py shapes.py arrays.py elevation.py recipe.py map.py"
# shellcheck disable=SC2086
"$scratch/venv/bin/python" -c 'import runpy, sys, traceback
for program in sys.argv[1:]:
    try:
        runpy.run_path(program, run_name="__main__")
        print("ran", program)
    except BaseException:
        traceback.print_exc()' $programs >"$scratch/out" 2>"$scratch/log"
for program in $programs; do
    [ -s "$program" ] && grep -qx "ran $program" "$scratch/out"
    check "docs/python.md: $program" $?
done
# What Debian has beside numpy, where it is installed: `scripts/setup.sh long`.
if [ -z "${NOTEBOOKS:-}" ]; then
    check "blocks of dask # SKIP tests/long/notebook.sh tries them" 0
elif "$python" -c 'import dask.array' 2>/dev/null; then
    "$scratch/venv/bin/python" "$tests/support/blocks.py" "$tests/../examples/python" >"$scratch/log" 2>&1
    check "examples/python/blocks.py: blocks of dask have the bytes of the whole" $?
else
    check "blocks of dask # SKIP dask is not installed" 0
fi
"$scratch/venv/bin/python" "$tests/support/notebook.py" "$tests/../examples/python/land.ipynb" >"$scratch/log" 2>&1
check "examples/python/land.ipynb: the notebook runs" $?
if [ -z "${NOTEBOOKS:-}" ]; then
    check "the notebook in Jupyter # SKIP tests/long/notebook.sh runs it" 0
elif "$python" -c 'import nbclient, ipykernel' 2>/dev/null; then
    # The kernel is the system's Python, not that of the virtual environment.
    PYTHONPATH=$(echo "$scratch"/venv/lib/python3*/site-packages) \
        "$python" "$tests/support/notebook.py" "$tests/../examples/python/land.ipynb" --kernel >"$scratch/log" 2>&1
    check "the notebook in Jupyter" $?
else
    check "the notebook in Jupyter # SKIP nbclient and ipykernel are not installed" 0
fi
if [ -z "${NOTEBOOKS:-}" ]; then
    check "mypy # SKIP tests/long/notebook.sh asks it, which takes seconds" 0
elif command -v mypy >/dev/null; then
    printf 'import esker\nesker.noise(size="large").erode()\nesker.noise().flow_accumulation(method="d9")\n' >wrong.py
    # What it knows of numpy, which takes it five seconds, is kept in the build's folder.
    mypy --strict --no-error-summary --cache-dir "$build/mypy" --python-executable "$scratch/venv/bin/python" "$tests/support/python_types.py" wrong.py \
        >"$scratch/log" 2>&1
    [ $? = 1 ] && ! grep -qv '^wrong.py:' "$scratch/log"
    check "mypy knows the types of operations" $?
    grep -q '^wrong.py:2: error: .*"noise"' "$scratch/log" && grep -q '^wrong.py:2: error: .*"erode"' "$scratch/log" &&
        grep -q '^wrong.py:3: error: .*"method"' "$scratch/log"
    check "and finds wrong ones" $?
else
    check "mypy # SKIP not installed" 0
fi
echo "1..$count"
