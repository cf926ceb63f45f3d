#!/bin/sh
# SPDX-License-Identifier: MIT
# A file that is replaced or written anew while a program reads it twice: the program says so, or what it makes is
# that of one of the two files; never of half of each.
# TR_SEEDS: runs of each program [25].
. "$(dirname "$0")/../prop/lib.sh"
need tr-parse tr-filter
for seed in 1 2; do
    make_traces t$seed --steps 12 --layers 6 --seed $seed
    tr-parse -q -z none -o $seed.trs t$seed/rank0.json
    ok $? "trace $seed"
done

# Two files take turns under one name until stop is there.
exchange()
{
    while [ ! -f stop ]; do
        for seed in 2 1; do
            ln -f $seed.trs next && mv -f next x.trs
        done
    done
}

while read -r program arguments <&3; do
    have "$program" || continue
    command="$program --no-provenance $arguments"
    for seed in 1 2; do
        eval "$command $seed.trs" >want$seed 2>err
        ok $? "$program $arguments: file $seed"
    done
    rm -f stop x.trs
    ln 1.trs x.trs
    exchange &
    n=0
    n_said=0
    : >wrong
    while [ $n -lt "${TR_SEEDS:-25}" ]; do
        n=$((n + 1))
        eval "$command x.trs" >have 2>err
        status=$?
        if [ $status -eq 3 ] && grep -q 'x.trs: .*changed while it was read' err; then
            n_said=$((n_said + 1))
        elif [ $status -ne 0 ]; then
            cat err >>wrong
        elif ! cmp -s have want1 && ! cmp -s have want2; then
            echo "neither of the two files" >>wrong
        fi
    done
    : >stop
    wait
    none wrong "$program $arguments: $n runs, $n_said refused"
done 3<<'END'
tr-filter --closure 'activity == kernel'
tr-filter --linked --parents 'activity == kernel'
tr-align --min-anchors 1
tr-counters
tr-critpath --mark
tr-patterns --mark --op '^aten::'
END

# Once more, but after the last opening: the program waits for its key there.
mkfifo key
late()
{
    rm -f x.trs
    cp 1.trs x.trs
    tr-filter --closure --redact --redact-key key 'activity == kernel' x.trs >have 2>err &
    exec 4>key
    "$@"
    echo 'sixteen bytes of key' >&4
    exec 4>&-
    wait $!
    status=$?
}
late :
is "$status" 0 "left alone after the last opening: status 0"
cp have want
late cp 2.trs x.trs
is "$status" 3 "written over after the last opening: status 3"
like "$(cat err)" "tr-filter: x.trs: *changed while it was read" "written over after the last opening: what is said"
late mv t1/rank0.json x.trs
is "$status" 0 "replaced after the last opening: status 0"
same have want "replaced after the last opening: what was opened is read"
finish
