# read_parameters RECIPE: what the next two look at.
read_parameters() {
    small_help=$(esker "$1" --help)
}

# small_settings: prints the parameters that make a recipe of examples quick, of those that it has.
small_settings() {
    for small_setting in size=64 width=96 seeds=1 steps=4 levels=4; do
        ! has_parameter "${small_setting%=*}" || printf ' %s' "$small_setting"
    done
}

# has_parameter NAME
has_parameter() {
    case $small_help in *"  $1="*) ;; *) false ;; esac
}
