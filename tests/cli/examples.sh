# Every example runs with other seeds and small sizes.
cp -r "$ROOT/examples" .
for recipe in examples/*.lua; do
    parameters=$(esker "$recipe" --help)
    settings=
    for setting in size=64 width=96 seeds=1 steps=4 levels=4; do
        case $parameters in *"  ${setting%=*}="*) settings="$settings $setting" ;; esac
    done
    for seed in 1 2 3; do
        case $parameters in *"  seed="*) seeded=seed=$seed ;; *) seeded= ;; esac
        # shellcheck disable=SC2086 # several words
        esker "$recipe" $settings $seeded --hash -q -o . >hashes || echo "failed: $recipe$settings $seeded"
        [ -n "$seeded" ] || break
    done
done
