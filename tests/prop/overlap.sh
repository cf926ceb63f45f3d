#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-view --overlap: random spans that overlap in part get lanes, are dropped, shifted or made async as a plain reading
# of the manual says.
# TR_SEEDS: how many sets of spans drawn at random are tried [40].
. "$(dirname "$0")/lib.sh"
need tr-view

n=${TR_SEEDS:-40}
seed=1
: >differ
while [ $seed -le "$n" ]; do
    $python "$here/overlap.py" "$bin/tr-view" $seed >>differ 2>&1 || echo "seed $seed" >>differ
    seed=$((seed + 1))
done
none differ "lanes, dropped, shifted and async spans, of $n seeds"

# One that leaves spans as they are must be found out.
cat >keeps <<END
#!/bin/sh
exec "$bin/tr-view" "\$@" --overlap keep
END
chmod +x keeps
$python "$here/overlap.py" ./keeps 4 >said 2>&1
[ $? -ne 0 ]
ok $? "spans that are left as they are fail"
finish
