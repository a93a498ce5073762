# bash completion for esker. Written by `make docs`.
_esker() {
    local word=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD equals command=${COMP_WORDS[1]} options
    if [ "$word" = = ]; then
        equals=yes word=
    elif [ "${COMP_WORDS[at-1]}" = = ]; then
        equals=yes at=$((at - 1))
    fi
    case ${COMP_WORDS[at-1]} in
    -o | --output) COMPREPLY=($(compgen $([[ " table tiles " = *" $command "* ]] && echo -f || echo -d) -- "$word")); return ;;
    -j | --threads) return ;;
    --graphics) COMPREPLY=($(compgen -W 'auto none blocks sixel kitty iterm2' -- "$word")); return ;;
    --seed) return ;;
    --format) return ;;
    --time-limit) return ;;
    --memory-limit) return ;;
    --port) return ;;
    --site) COMPREPLY=($(compgen $([[ "  " = *" $command "* ]] && echo -f || echo -d) -- "$word")); return ;;
    --samples) return ;;
    --design) COMPREPLY=($(compgen -W 'sobol latin' -- "$word")); return ;;
    --design-seed) return ;;
    --from) COMPREPLY=($(compgen -f -X '!*.csv' -- "$word")); return ;;
    --where) return ;;
    --sheet) COMPREPLY=($(compgen -f -X '!*.png' -- "$word")); return ;;
    --kinds) return ;;
    --levels) return ;;
    --area) return ;;
    --world-level) return ;;
    --tile-size) return ;;
    --engine) COMPREPLY=($(compgen -W 'unreal unity godot' -- "$word")); return ;;
    --overlap) return ;;
    --cell) return ;;
    --range) return ;;
    --masks) return ;;
    --palette) return ;;
    --metres) return ;;
    --shard) return ;;
    --maximize) return ;;
    --minimize) return ;;
    --budget) return ;;
    --group) return ;;
    --share) return ;;
    esac
    if [ "$equals" ]; then
        [[ " ${COMP_WORDS[*]} " = *' --format '* ]] &&
            COMPREPLY=($(compgen -P "${word%"${word##*,}"}" -W 'asc csv exr geojson glb gpkg npy obj pgm ply png r16 r32 raw stl svg tif tiff' -- "${word##*,}"))
        return
    fi
    case $command in
    sweep) options='-o --output -j --threads -q --quiet --time-limit --memory-limit --trust --site --samples --design --design-seed --from --where --dry-run --yes --fail-fast --no-pictures --sqlite --sheet --shard --merge --version -h --help' ;;
    search) options='-o --output -j --threads -q --quiet --time-limit --memory-limit --trust --site --design-seed --no-pictures --sqlite --sheet --maximize --minimize --budget --version -h --help' ;;
    explore) options='-o --output -j --threads --seed -q --quiet --time-limit --memory-limit --trust --port --no-open --static --site --levels --version -h --help' ;;
    tiles) options='-o --output -j --threads --seed -q --quiet --time-limit --memory-limit --trust --yes --kinds --levels --area --world-level --tile-size --engine --overlap --cell --range --masks --palette --metres --shard --merge --version -h --help' ;;
    large) options='-o --output -j --threads --seed --json --format -q --quiet --time-limit --memory-limit --trust --shard --merge --version -h --help' ;;
    table) options='-o --output --json -q --quiet --where --group --share --version -h --help' ;;
    help) options='--json -q --quiet --time-limit --memory-limit --trust --version -h --help' ;;
    info) options='--json -q --quiet --version -h --help' ;;
    *) options='-o --output -j --threads -i --interactive --graphics --seed --json --format --hash -q --quiet --time-limit --memory-limit --trust --version -h --help' ;;
    esac
    case $command:$word in
    *:-*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    help:*) COMPREPLY=($(compgen -W 'abs add add_places add_rivers align altitude_at amplify argmax aspect basins bilateral blend blur breach burn carve catchment catchments clamp clear climate clip coast colorize compare contour_map contours cover crater crop curvature curve diamond_square distance distance_to_river divide drape draw equalize erosion_score exit export field fill find_gaps flatten flip flow_accumulation flow_direction formats from_points from_terrain_rgb geomorphons georeference get grade gradient_angle hash height_above_river help hillshade histogram hydraulic_erosion identify image imprint info inpaint insolation join lake lake_outlines lakes laplacian large lerp level lines load load_map load_world longest_flow_path match max median memory mesh min morphology mosaic multiply negate network_statistics noise normal_map normalize olsen_erosion openness operations operators paint palettes params path peaks perspective perturb places plant playability plot points polygon polygonize polygons position_index power profile progress raise rasterize realism realism_ranges record relative_height relief remap render reproject resize return ridge_line ridges river_map river_network river_profiles rivers rivers_from_flow roads ruggedness run save save_map save_session scatter seamless seconds select set set_gaps set_places set_rivers shape sharpen sheet show sites sky_view slope snap spectral squig_curve squig_mountain stamp statistics stop stream_erosion stream_order stream_power subtract sweep terrace terrain terrain_rgb texture thermal_erosion threads transform undo valleys values view viewshed voronoi warp watch wetness_index wraps zonal_statistics' -- "$word") $(compgen -f -X '!*.lua' -- "$word")) ;;
    info:*) COMPREPLY=($(compgen -f -- "$word")) ;;
    table:*) COMPREPLY=($(compgen -d -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -X '!*.lua' -- "$word") $(compgen -d -- "$word"))
        [ "$COMP_CWORD" = 1 ] && COMPREPLY+=($(compgen -W 'sweep search explore tiles large table help info' -- "$word")) ;;
    esac
}
complete -o filenames -F _esker esker
