-- Writes the shells' completions and the manual page from what `esker --help` says and the declarations:
-- lua5.4 scripts/command-line.lua bash|zsh|fish|man ESKER

local esker = require "esker"

local format, program = arg[1], arg[2]
local pipe = assert(io.popen("'" .. program .. "' --help"))
local usage = pipe:read("a")
pipe:close()

local function out(...)
    io.write(string.format(...), "\n")
end

-- { short =, long =, value =, doc = }
local options = {}
for line in usage:gmatch("[^\n]+") do
    local short, long, rest = line:match("^  %-?(%a?),?%s*%-%-([%a-]+)(.*)$")
    if long then
        local value, doc = rest:match("^ (%u+)%s+(.*)$")
        options[#options + 1] = { short = short ~= "" and short or nil, long = long, value = value,
            doc = doc or rest:match("^%s+(.*)$") }
    end
end
assert(#options > 5, "the usage is not as expected")

local names = require("esker.help").names()
local graphics = "auto none blocks sixel kitty iterm2"

local function bash()
    local words = {}
    for _, option in ipairs(options) do
        words[#words + 1] = option.short and "-" .. option.short or nil
        words[#words + 1] = "--" .. option.long
    end
    out("# bash completion for esker. Written by `make docs`.")
    out("_esker() {")
    out("    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}")
    out("    case $before in")
    out("    help) COMPREPLY=($(compgen -W '%s' -- \"$word\")) ;;", table.concat(names, " "))
    out("    info) COMPREPLY=($(compgen -f -X '!*.png' -- \"$word\")) ;;")
    out("    -o | --output) COMPREPLY=($(compgen -d -- \"$word\")) ;;")
    out("    --graphics) COMPREPLY=($(compgen -W '%s' -- \"$word\")) ;;", graphics)
    out("    *)")
    out("        case $word in")
    out("        -*) COMPREPLY=($(compgen -W '%s' -- \"$word\")) ;;", table.concat(words, " "))
    out("        *) COMPREPLY=($(compgen -f -X '!*.lua' -- \"$word\") $(compgen -d -- \"$word\"))")
    out("            [ \"$COMP_CWORD\" = 1 ] && COMPREPLY+=($(compgen -W 'help info' -- \"$word\")) ;;")
    out("        esac ;;")
    out("    esac")
    out("}")
    out("complete -o filenames -F _esker esker")
end

local function zsh_quote(text)
    return (text:gsub("'", "'\\''"):gsub("[%[%]:]", "\\%0"))
end

local function zsh()
    out("#compdef esker")
    out("# zsh completion for esker. Written by `make docs`.")
    out("local -a names")
    out("names=(%s)", table.concat(names, " "))
    out("if [[ ${words[2]} == help && CURRENT -eq 3 ]]; then")
    out("    compadd -a names")
    out("    return")
    out("fi")
    out("_arguments -s \\")
    for _, option in ipairs(options) do
        local action = option.long == "output" and ":folder:_files -/" or option.long == "graphics"
            and ":mode:(" .. graphics .. ")" or option.value and ":" .. option.value:lower() .. ":" or ""
        local both = { option.short, option.long, option.short, option.long }
        local forms = option.short and ("'(-%s --%s)'{-%s,--%s}"):format(table.unpack(both)) or "--" .. option.long
        out("    %s'[%s]%s' \\", forms, zsh_quote(option.doc), action)
    end
    out("    '1: :_alternative \"files:recipe:_files -g *.lua\" \"words:command:(help info)\"' \\")
    out("    '*:file:_files'")
end

local function fish()
    out("# fish completion for esker. Written by `make docs`.")
    out("complete -c esker -n __fish_use_subcommand -a 'help info'")
    out("complete -c esker -n '__fish_seen_subcommand_from help' -f -a '%s'", table.concat(names, " "))
    for _, option in ipairs(options) do
        out("complete -c esker%s -l %s%s%s -d '%s'", option.short and " -s " .. option.short or "", option.long,
            option.value and " -r" or "", option.long == "graphics" and " -f -a '" .. graphics .. "'" or "",
            (option.doc:gsub("'", "\\'")))
    end
end

local function roff(text)
    return (text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("^([.'])", "\\&%1"))
end

local function man()
    out(".\\\" Written by `make docs`.")
    out('.TH ESKER 1 "" "Esker %s" "User commands"', esker.version)
    out(".SH NAME\nesker \\- terrain by recipe: base terrain, rivers, erosion, playability")
    out(".SH SYNOPSIS")
    for line in usage:gmatch("[^\n]+") do
        local form, doc = line:match("^usage: (esker .-)   +(.*)$")
        if not form then
            form, doc = line:match("^       (esker .-)   +(.*)$")
        end
        if form then
            out(".TP\n.B %s\n%s", roff(form), roff(doc))
        end
    end
    out(".SH OPTIONS")
    for _, option in ipairs(options) do
        local forms = (option.short and "-" .. option.short .. ", " or "") .. "--" .. option.long
        out(".TP\n.B %s%s\n%s", roff(forms), option.value and " \\fI" .. option.value .. "\\fR" or "", roff(option.doc))
    end
    out(".SH EXIT STATUS\n%s", roff(usage:match("Exit status: ([^\n]+)")))
    out(".SH OPERATIONS\n.nf")
    for _, operation in ipairs(esker.operations()) do
        out("%s", roff(("%-20s %s"):format(operation.name, operation.summary)))
    end
    out(".fi\n.SH FILES\n.TP\n.I $XDG_STATE_HOME/esker/history")
    out("what was typed in sessions (or ~/.local/state/esker/history)")
    out(".SH ENVIRONMENT\n.TP\n.B ESKER_GRAPHICS\nas \\-\\-graphics, which goes before it")
end

local writers = { bash = bash, zsh = zsh, fish = fish, man = man }
local write = writers[format]
if not write then
    error("usage: lua5.4 scripts/command-line.lua bash|zsh|fish|man ESKER", 0)
end
write()
