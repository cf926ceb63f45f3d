#!/bin/sh
# SPDX-License-Identifier: MIT
# trgen: equal options give equal bytes, the answers hold, usage errors are refused.
. "$(dirname "$0")/../harness/tap.sh"
trgen=${TR_GEN:-gen/trgen}
case $trgen in /*) ;; *) trgen=$built/$trgen ;; esac
[ -x "$trgen" ] || skip_all "the generator is not built"
mkdir traces

# refused ARGUMENT...
refused()
{
    "$trgen" --output traces "$@" >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ]
    ok $? "refused: $*"
}

# make DIR ARGUMENT...
make()
{
    out=traces/$1
    shift
    mkdir "$out" && "$trgen" --output "$out" "$@"
    ok $? "trgen $*"
}

refused --steps 0
refused --steps 3x
refused --plant nonsense
refused --vendor other
refused --missing 1.5
refused --nonsense
refused --seed

make a --ranks 3 --group-size 2 --collectives 5 --offset-ns 0,150000,-70000 --drift-ppb 0,20000,-9000 --straggler 1 --missing 0.2
make a2 --ranks 3 --group-size 2 --collectives 5 --offset-ns 0,150000,-70000 --drift-ppb 0,20000,-9000 --straggler 1 --missing 0.2
diff -r traces/a traces/a2 >/dev/null
ok $? "equal options, equal bytes"
rm -r traces/a2
make all --ranks 2 --plant all
make sources --sources 2 --steps 4 --base early --plant dur-null=3
make small --size 2M --vendor amd --layout compact --pid-collision
size=$(wc -c <traces/small/rank0.json)
[ "$size" -gt 1700000 ] && [ "$size" -lt 2300000 ]
ok $? "--size 2M gave $size bytes"
for vendor in mtia xpu nvidia; do
    make $vendor --vendor $vendor --steps 2 --layers 3 --graphs 2 --counters 2 --streams 3 --shapes 2 --whole-us --order random
done
make coarse --grid-ns 10000 --stretch 10 --epoch-ns -20000000 --base absent --halves --ranks 2 --steps 2 --layers 2 --plant all
make cut --steps 1 --layers 1 --truncate-at 12345
[ "$(wc -c <traces/cut/rank0.json)" -eq 12345 ]
ok $? "--truncate-at 12345"
seed=1
while [ $seed -le 30 ]; do
    make r$seed --random --seed $seed
    seed=$((seed + 1))
done

if python3 -c '' 2>/dev/null; then
    python3 "$here/check_truth.py" traces/* >said 2>&1
    ok $? "the answers agree with the traces"
    sed 's/^/# /' said
else
    skip "the answers agree with the traces" "no python3"
fi
finish
