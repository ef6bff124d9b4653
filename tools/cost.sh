# What parts of a script cost: sourced by ./test.
#   section NAME        begins a part; its cost is that until the next one
#   costs TITLE [KEY]   prints all parts so far and their sum, beside the stored sum of KEY
#   compare TITLE KEY N prints N seconds beside the stored ones, and stores them if asked to
# `last_cpu` is what the last finished part took.
cost_file=tools/cost.txt
cost_names=() cost_walls=() cost_cpus=() cost_open= last_cpu=0

# CPU seconds of all finished children so far, in hundredths.
cpu_now() {
    local file; file=$(mktemp)
    times >"$file"
    cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, p, /[ms]/); s += 60 * p[1] + p[2] } }
        END { printf "%d", 100 * s }' "$file")
    rm -f "$file"
}
close_section() {
    [ "$cost_open" ] || return 0
    cpu_now
    last_cpu=$(((cpu - cost_cpu) / 100))
    cost_names+=("$cost_open") cost_walls+=($((SECONDS - cost_wall))) cost_cpus+=("$last_cpu")
    cost_open=
}
section() {
    close_section
    printf '\n== %s\n' "$1"
    cpu_now
    cost_open=$1 cost_wall=$SECONDS cost_cpu=$cpu
}
compare() {
    local stored
    stored=$(sed -n "s/^$2 //p" "$cost_file")
    printf '%s: %d CPU s, %s when last stored\n' "$1" "$3" "${stored:-nothing}"
    # Machines differ, so this warns only.
    if [ "$stored" ] && [ "$3" -gt $((stored * 5 / 4)) ]; then
        printf 'warning: that is more than a quarter above what was stored in %s\n' "$cost_file" >&2
    fi
    if [ "${store:-}" ]; then
        sed -i "s/^$2 .*/$2 $3/" "$cost_file"
    fi
}
costs() {
    close_section
    local i wall=0 cpu_sum=0
    printf '\n%8s %8s\n' 'wall s' 'CPU s'
    for i in "${!cost_names[@]}"; do
        printf '%8d %8d  %s\n' "${cost_walls[i]}" "${cost_cpus[i]}" "${cost_names[i]}"
        wall=$((wall + cost_walls[i])) cpu_sum=$((cpu_sum + cost_cpus[i]))
    done
    printf '%8d %8d  %s\n' "$wall" "$cpu_sum" "$1"
    if [ "${2:-}" ]; then compare "$1" "$2" "$cpu_sum"; fi
}
