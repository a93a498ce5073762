-- Writes the shells' completions and the manual page from the declarations: lua5.4 scripts/command-line.lua
-- bash|zsh|fish|man

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local command_line = require "esker.command_line"

local function out(...)
    io.write(string.format(...), "\n")
end

local names = table.concat(require("esker.help.command").names(), " ")

-- The commands that are words, and the options that each allows; those of a run last.
local words, options_of = {}, {}
for _, command in ipairs(command_line.commands) do
    words[#words + 1] = command.is_word and command.name or nil
    options_of[command.name] = {}
    for _, option in ipairs(command_line.options) do
        table.insert(options_of[command.name], command_line.allows(option, command.name) and option or nil)
    end
end
local all_words = table.concat(words, " ")

-- --- bash ------------------------------------------------------------------------------------------------------------

local function bash_spellings(name)
    local list = {}
    for _, option in ipairs(options_of[name]) do
        list[#list + 1] = option.short and "-" .. option.short or nil
        list[#list + 1] = "--" .. option.name
    end
    return table.concat(list, " ")
end

local formats = table.concat(require("esker.recipe.result_formats").endings(), " ")

local bash_kinds = { folder = function(option)
    return ("$([[ \" %s \" = *\" $command \"* ]] && echo -f || echo -d)"):format(option.files_of)
end, choice = function(option)
    return "-W '" .. table.concat(option.choices, " ") .. "'"
end, file = function(option) return "-f -X '!" .. option.pattern .. "'" end }

local function bash()
    out("# bash completion for esker. Written by `make docs`.")
    out("_esker() {")
    out("    local word=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD equals command=${COMP_WORDS[1]} options")
    out("    if [ \"$word\" = = ]; then") -- bash divides --design=latin into three words
    out("        equals=yes word=")
    out("    elif [ \"${COMP_WORDS[at-1]}\" = = ]; then")
    out("        equals=yes at=$((at - 1))")
    out("    fi")
    out("    case ${COMP_WORDS[at-1]} in")
    for _, option in ipairs(command_line.options) do
        if option.value then
            local complete = bash_kinds[option.kind]
            out("    %s--%s) %sreturn ;;", option.short and "-" .. option.short .. " | " or "", option.name,
                complete and ("COMPREPLY=($(compgen %s -- \"$word\")); "):format(complete(option)) or "")
        end
    end
    out("    esac")
    out("    if [ \"$equals\" ]; then")
    out("        [[ \" ${COMP_WORDS[*]} \" = *' --format '* ]] &&")
    out("            COMPREPLY=($(compgen -P \"${word%%\"${word##*,}\"}\" -W '%s' -- \"${word##*,}\"))", formats)
    out("        return")
    out("    fi")
    out("    case $command in")
    for _, name in ipairs(words) do
        out("    %s) options='%s' ;;", name, bash_spellings(name))
    end
    out("    *) options='%s' ;;", bash_spellings("run"))
    out("    esac")
    out("    case $command:$word in")
    out("    *:-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;")
    out("    help:*) COMPREPLY=($(compgen -W '%s' -- \"$word\") $(compgen -f -X '!*.lua' -- \"$word\")) ;;", names)
    out("    info:*) COMPREPLY=($(compgen -f -- \"$word\")) ;;")
    out("    table:*) COMPREPLY=($(compgen -d -- \"$word\")) ;;")
    out("    *) COMPREPLY=($(compgen -f -X '!*.lua' -- \"$word\") $(compgen -d -- \"$word\"))")
    out("        [ \"$COMP_CWORD\" = 1 ] && COMPREPLY+=($(compgen -W '%s' -- \"$word\")) ;;", all_words)
    out("    esac")
    out("}")
    out("complete -o filenames -F _esker esker")
end

-- --- zsh -------------------------------------------------------------------------------------------------------------

local function zsh_quote(text)
    return (text:gsub("'", "'\\''"):gsub("[%[%]:]", "\\%0"))
end

local zsh_kinds = { folder = function(option, command)
    return option.files_of:find(command, 1, true) and ":file:_files" or ":folder:_files -/"
end, choice = function(option)
    return (":%s:(%s)"):format(option.value:lower(), table.concat(option.choices, " "))
end, file = function(option) return ":file:_files -g \"" .. option.pattern .. "\"" end }

local function zsh_options(name)
    for _, option in ipairs(options_of[name]) do
        local complete = zsh_kinds[option.kind]
        local action = complete and complete(option, name) or option.value and ":" .. option.value:lower() .. ":" or ""
        local short, long = option.short, "--" .. option.name
        local forms = short and ("'(-%s %s)'{-%s%s,%s%s}"):format(short, long, short, option.value and "+" or "", long,
            option.value and "=" or "") or long .. (option.value and "=" or "") -- the value after = too
        out("        %s'[%s]%s'", forms, zsh_quote(option.doc), action)
    end
end

local zsh_takes = { recipe = "recipe:_files -g \"*.lua\"", folder = "folder:_files -/",
    file = "file:_files",
    operation = "operation:(" .. names .. ")" }

local function zsh()
    out("#compdef esker")
    out("# zsh completion for esker. Written by `make docs`.")
    out("local -a options")
    out("case ${words[2]} in")
    for _, command in ipairs(command_line.commands) do
        if command.is_word then
            out("%s)\n    options=(", command.name)
            zsh_options(command.name)
            out("        '1: :(%s)' '2:%s' '*: :_files'\n    ) ;;", all_words, zsh_takes[command.takes])
        end
    end
    out("*)\n    options=(")
    zsh_options("run")
    out("        '1: :_alternative \"files:recipe:_files -g *.lua\" \"words:command:(%s)\"' '*: :_files'", all_words)
    out("    ) ;;")
    out("esac")
    out("_arguments -s $options")
end

-- --- fish ------------------------------------------------------------------------------------------------------------

local function fish_quote(text)
    return (text:gsub("\\", "\\\\"):gsub("'", "\\'"))
end

local function fish()
    out("# fish completion for esker. Written by `make docs`.")
    for _, command in ipairs(command_line.commands) do
        if command.is_word then
            out("complete -c esker -n __fish_use_subcommand -a %s -d '%s'", command.name, fish_quote(command.summary))
        end
    end
    out("complete -c esker -n '__fish_seen_subcommand_from help' -f -a '%s'", names)
    for _, option in ipairs(command_line.options) do
        local list = {}
        for _, name in ipairs(words) do
            list[#list + 1] = command_line.allows(option, name) and name or nil
        end
        local conditions = {}
        if not option.commands then
            conditions[1] = ""
        else
            conditions[#conditions + 1] = command_line.allows(option, "run")
                and " -n 'not __fish_seen_subcommand_from " .. all_words .. "'" or nil
            conditions[#conditions + 1] = #list > 0
                and " -n '__fish_seen_subcommand_from " .. table.concat(list, " ") .. "'" or nil
        end
        for _, condition in ipairs(conditions) do
            out("complete -c esker%s%s -l %s%s%s -d '%s'", condition, option.short and " -s " .. option.short or "",
                option.name, option.value and " -r" or "",
                option.choices and " -f -a '" .. table.concat(option.choices, " ") .. "'" or "", fish_quote(option.doc))
        end
    end
end

-- --- the manual page -------------------------------------------------------------------------------------------------

local function roff(text)
    return (text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("^([.'])", "\\&%1"))
end

local function man()
    out(".\\\" Written by `make docs`.")
    out('.TH ESKER 1 "" "Esker %s" "User commands"', esker.version)
    out(".SH NAME\nesker \\- terrain by recipe: base terrain, rivers, erosion, playability")
    out(".SH SYNOPSIS")
    for _, command in ipairs(command_line.commands) do
        out(".TP\n.B esker %s\n%s.%s", roff(command.form), roff((command.summary:gsub("^%l", string.upper))),
            command.description and "\n" .. roff(command.description) or "")
    end
    out(".SH OPTIONS")
    for _, option in ipairs(command_line.options) do
        local forms = (option.short and "-" .. option.short .. ", " or "") .. "--" .. option.name
        local where = option.commands and not command_line.allows(option, "run")
            and " (" .. option.commands:gsub(" ", ", ") .. ")" or ""
        out(".TP\n.B %s%s\n%s%s", roff(forms), option.value and " \\fI" .. roff(option.value) .. "\\fR" or "",
            roff(option.doc), where)
    end
    out(".SH EXIT STATUS\n%s.", roff(command_line.exit_status))
    out(".SH OPERATIONS\n.nf")
    for _, operation in ipairs(esker.operations()) do
        out("%s", roff(("%-20s %s"):format(operation.name, operation.summary)))
    end
    out(".fi\n.SH FILES\n.TP\n.I $XDG_STATE_HOME/esker/history")
    out("what was typed in sessions (or ~/.local/state/esker/history)")
    out(".SH ENVIRONMENT\n.TP\n.B ESKER_GRAPHICS\nas \\-\\-graphics, which goes before it")
end

local writers = { bash = bash, zsh = zsh, fish = fish, man = man }
local write = writers[arg[1]]
if not write then
    error("usage: lua5.4 scripts/command-line.lua bash|zsh|fish|man", 0)
end
write()
