#!/bin/sh
# SPDX-License-Identifier: MIT
# What the generator says about its traces is what the programs find.
# TR_SEEDS: how many traces drawn at random are tried, besides those named here [100].
. "$(dirname "$0")/lib.sh"
need tr-view

make_traces plain --ranks 2 --steps 3 --layers 4
make_traces graphs --steps 2 --layers 2 --graphs 2 --graph-kernels 40 --streams 3
make_traces amd --vendor amd --steps 2 --layers 2 --order random
make_traces early --base early --steps 2 --layers 2 --device-skew-ns -200000 --layout compact
make_traces array --container array --steps 2 --layers 2
make_traces defects --plant all --steps 3 --layers 2
make_traces again --plant all --steps 3 --layers 2 --seed 5 --order random --base absent
seed=1
while [ $seed -le "${TR_SEEDS:-100}" ]; do
    make_traces seed$seed --random --seed $seed
    seed=$((seed + 1))
done
$python "$here/truth.py" "$bin" ./*/rank?.json
