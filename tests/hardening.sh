#!/bin/sh
# The program and the module are built as Debian hardens its packages: what readelf sees of it. Prints TAP.
. "$(dirname "$0")/support/tap.sh"
cd "$(dirname "$0")/.." || exit 1
build=${ESKER_BUILD:-build}
for file in "$build/esker" "$build/esker.so"; do
    name=$(basename "$file")
    readelf -hW "$file" | grep -q 'Type: *DYN'
    check "$name: position independent" $?
    readelf -lW "$file" | grep -q GNU_RELRO && readelf -dW "$file" | grep -qE 'BIND_NOW|Flags:.* NOW'
    check "$name: full RELRO" $?
    readelf -lW "$file" | grep GNU_STACK | grep -q ' RW '
    check "$name: no executable stack" $?
    symbols=$(readelf --dyn-syms -W "$file")
    echo "$symbols" | grep -q __stack_chk_fail
    check "$name: stack protector" $?
    echo "$symbols" | grep -qE '__(v?f?printf|v?snprintf|memcpy|read|strcpy)_chk'
    check "$name: _FORTIFY_SOURCE" $?
    if [ "$(uname -m)" = x86_64 ]; then
        # The linker keeps the property only if every object has it, the C library's start files too.
        for function in render luaopen_esker; do
            objdump --disassemble=$function --no-show-raw-insn "$file"
        done | awk '/<render>:$|<luaopen_esker>:$/ { getline; print }' | grep -q endbr64
        check "$name: indirect jumps land on marks (CET)" $?
        objdump -d --no-show-raw-insn "$file" | grep -qE 'or[ql] +\$0x0,\(%rsp\)'
        check "$name: large stack frames are probed (stack clash)" $?
    fi
done
if [ "$(uname -m)" = x86_64 ]; then # -ffp-contract=off does not keep gcc 12 from vfmaddsub
    ! objdump -d --no-show-raw-insn "$build/esker.so" | grep -qE 'vfn?m(add|sub)[0-9]|vfm(addsub|subadd)'
    check "no multiplication shares an addition's rounding (FMA)" $?
fi
echo "1..$count"
