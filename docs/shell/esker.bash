# bash completion for esker. Written by `make docs`.
_esker() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    case $before in
    help) COMPREPLY=($(compgen -W 'abs add blur clamp compare crop curve diamond_square divide draw erosion_score field fill flow_accumulation get hash help histogram hydraulic_erosion info join lerp load max measure memory mesh min multiply negate normalize olsen_erosion operations operators palettes params perspective perturb playability power progress record relative_height relief render resize river_map river_network rivers rivers_from_flow run save save_session seconds set sheet show slope spectral squig_curve squig_mountain statistics stop subtract sweep terrain thermal_erosion threads view voronoi watch wraps' -- "$word")) ;;
    info) COMPREPLY=($(compgen -f -X '!*.png' -- "$word")) ;;
    -o | --output) COMPREPLY=($(compgen -d -- "$word")) ;;
    --graphics) COMPREPLY=($(compgen -W 'auto none blocks sixel kitty iterm2' -- "$word")) ;;
    *)
        case $word in
        -*) COMPREPLY=($(compgen -W '-o --output -j --threads -i --interactive --graphics --seed --json --hash -q --quiet --time-limit --memory-limit --trust --version -h --help --samples --from --where --dry-run --yes --fail-fast --no-pictures --sqlite --sheet --shard --maximize --budget --group --share' -- "$word")) ;;
        *) COMPREPLY=($(compgen -f -X '!*.lua' -- "$word") $(compgen -d -- "$word"))
            [ "$COMP_CWORD" = 1 ] && COMPREPLY+=($(compgen -W 'help info' -- "$word")) ;;
        esac ;;
    esac
}
complete -o filenames -F _esker esker
