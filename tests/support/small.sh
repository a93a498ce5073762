# small_settings RECIPE: prints the parameters that make a recipe of examples quick, of those that it has.
small_settings() {
    small_help=$(esker "$1" --help)
    for small_setting in size=64 width=96 seeds=1 steps=4 levels=4; do
        case $small_help in *"  ${small_setting%=*}="*) printf ' %s' "$small_setting" ;; esac
    done
}

# has_parameter RECIPE NAME
has_parameter() {
    esker "$1" --help | grep -q "^  $2="
}
