#!/bin/sh
# trgen: equal options give equal bytes, the answers hold, usage errors are refused.
set -u

trgen=${TRGEN:-gen/trgen}
src=${srcdir:-.}/gen
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0
failed=0

check() { # NAME STATUS
    n=$((n + 1))
    if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; failed=1; fi
}

usage() { # ARGUMENT...
    "$trgen" --output "$dir" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && [ ! -s "$dir/out" ]
    check "refused: $*" $?
}

make() { # DIR ARGUMENT...
    mkdir "$dir/$1"
    out=$dir/$1
    shift
    "$trgen" --output "$out" "$@"
    check "trgen $*" $?
}

usage --steps 0
usage --steps 3x
usage --plant nonsense
usage --vendor other
usage --missing 1.5
usage --nonsense
usage --seed

make a --ranks 3 --group-size 2 --collectives 5 --offset-ns 0,150000,-70000 --drift-ppb 0,20000,-9000 --straggler 1 --missing 0.2
make a2 --ranks 3 --group-size 2 --collectives 5 --offset-ns 0,150000,-70000 --drift-ppb 0,20000,-9000 --straggler 1 --missing 0.2
diff -r "$dir/a" "$dir/a2" >/dev/null
check "equal options, equal bytes" $?
rm -r "$dir/a2"
make all --ranks 2 --plant all
make sources --sources 2 --steps 4 --base early --plant dur-null=3
make small --size 2M --vendor amd --layout compact --pid-collision
size=$(wc -c <"$dir/small/rank0.json")
[ "$size" -gt 1700000 ] && [ "$size" -lt 2300000 ]
check "--size 2M gave $size bytes" $?
for vendor in mtia xpu nvidia; do
    make $vendor --vendor $vendor --steps 2 --layers 3 --graphs 2 --counters 2 --streams 3 --shapes 2 --whole-us --order random
done
make cut --steps 1 --layers 1 --truncate-at 12345
[ "$(wc -c <"$dir/cut/rank0.json")" -eq 12345 ]
check "--truncate-at 12345" $?
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    make r$seed --random --seed $seed
done

rm -f "$dir/out" "$dir/err"
if python3 -c '' 2>/dev/null; then
    python3 "$src/check_truth.py" "$dir"/*
    check "the answers agree with the traces" $?
else
    echo "ok $((n = n + 1)) - the answers agree with the traces # SKIP no python3"
fi
echo "1..$n"
exit $failed
