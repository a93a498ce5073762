# Every example runs with another seed and small sizes.
cp -r "$ROOT/examples" .
for recipe in examples/*.lua examples/wishes/*.lua; do
    parameters=$(esker "$recipe" --help)
    settings=
    for setting in size=64 width=96 seeds=1 steps=4 levels=4; do
        case $parameters in *"  ${setting%=*}="*) settings="$settings $setting" ;; esac
    done
    case $parameters in *"  seed="*) settings="$settings seed=2" ;; esac
    # shellcheck disable=SC2086 # several words
    esker "$recipe" $settings --hash -q -o . >hashes || echo "failed: $recipe$settings"
done
