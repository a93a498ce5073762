#!/bin/sh
# What the shells complete: bash for real, zsh and fish where they are installed (syntax); every declared option and
# command is in the completions and the manual page. Prints TAP.
. "$(dirname "$0")/support/tap.sh"
cd "$(dirname "$0")/.." || exit 1
export LUA_CPATH="$PWD/${ESKER_BUILD:-build}/?.so;;"
completes() { # WORDS… -- EXPECTED: the last word is being typed
    bash -c '. docs/shell/esker.bash
        expected=${!#}; set -- "${@:1:$#-1}"
        COMP_WORDS=(esker "$@") COMP_CWORD=$#
        _esker
        printf "%s\n" "${COMPREPLY[@]}" | grep -qx -- "$expected"' bash "$@"
}
completes swe sweep
check "bash: a command" $?
completes sweep examples/island.lua --sq --sqlite
check "bash: an option of a command" $?
! completes examples/island.lua --sq --sqlite
check "bash: which others do not have" $?
completes sweep --design la latin
check "bash: an option's choices" $?
completes sweep --design = latin && completes sweep --design = la latin
check "bash: they follow an = too" $?
completes examples/island.lua --format height = geo geojson && completes examples/island.lua --format = height = tif,a tif,asc
check "bash: the formats of a result" $?
! completes examples/island.lua seed = examples/island.lua
check "bash: no file is a parameter's value" $?
completes table out -o READ README.md && ! completes sweep examples/island.lua -o READ README.md
check "bash: a table goes to a file" $?
completes help diamond_s diamond_square
check "bash: an operation" $?
completes examples/isl examples/island.lua
check "bash: a recipe" $?
for shell in bash zsh fish; do
    file=docs/shell/esker.$shell
    [ $shell = zsh ] && file=docs/shell/_esker
    if command -v $shell >/dev/null; then
        $shell -n "$file"
        check "$shell reads its completions" $?
    else
        count=$((count + 1))
        echo "ok $count - $shell reads its completions # SKIP it is not installed"
    fi
done
for file in docs/shell/esker.bash docs/shell/_esker docs/shell/esker.fish docs/esker.1; do
    lua5.4 - "$file" <<'LUA'
        local line = require("esker") and require("esker.command_line")
        local text = io.open(arg[1]):read("a"):gsub("\\%-", "-")
        for _, option in ipairs(line.options) do
            local dashed = arg[1]:match("fish$") and "-l " or "--"
            assert(text:find(dashed .. option.name, 1, true), option.name)
        end
        for _, command in ipairs(line.commands) do
            assert(not command.is_word or text:find(command.name, 1, true), command.name)
        end
LUA
    check "$file has every option and command" $?
done
echo "1..$count"
