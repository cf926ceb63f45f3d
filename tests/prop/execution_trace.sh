#!/bin/sh
# SPDX-License-Identifier: MIT
# Execution traces of random graphs in each form; the graphs that tr-critpath -O chakra writes, by a reader made from the
# format alone.
. "$(dirname "$0")/lib.sh"
need tr-critpath tr-view

last=30
[ -z "${TR_LONG:-}" ] || last=500
for seed in 1 2; do
    make_traces "t$seed" --seed "$seed" --steps 2 --layers 1 --ranks 1 --collectives 2 --streams "$seed" --python 0
    mv "t$seed/rank0.json" "seed$seed.json"
done
PYTHONPATH=$here $python "$here/execution_trace.py" "$bin" 0 $last seed1.json seed2.json "$root/contrib/sample/rank0.json.gz" >said 2>&1
take said "what is said"
finish
