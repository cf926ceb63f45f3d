#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-align finds the clocks of jobs whose collectives have no numbers and are all alike, also where some are lost.
# With TR_LONG=1, as `make check-long' sets it: all cases, 25 jobs of each.  Fewer do not tell how large errors are,
# however many ranks they have: the reference's own noise, half of each variance, is drawn once in a job.
. "$(dirname "$0")/lib.sh"
need tr-align tr-parse tr-filter

# each SEEDS CASE...: see clocks.py.
each()
{
    seeds=$1
    shift
    for case; do
        run "$case" "$python" "$here/clocks.py" "$bin" "$gen" "$tmp/job" "$seeds" "$case"
        sed 's/^/# /' "$tmp/said"
    done
}

if [ "${TR_LONG:-0}" != 0 ]; then
    for numbers in none host seq; do
        for lost in 0 0.05 0.2; do
            each 25 2:short:$lost:$numbers 8:short:$lost:$numbers 64:short:$lost:$numbers 2:long:$lost:$numbers \
                8:long:$lost:$numbers 64:long:$lost:$numbers
        done
    done
    each 25 2:bursts:0:none 2:bursts:0.05:none 8:bursts:0.05:none
else
    each 8 2:short:0:none 2:short:0.2:none 2:long:0.2:none 8:short:0.05:none
    each 4 8:short:0.2:host 8:short:0.05:seq 2:bursts:0.05:none 8:bursts:0.05:none
    each 4 2:short:0.2:none:40000 8:short:0.2:none:20000 8:short:0.2:none:1000000
    each 1 64:short:0.2:none
fi
finish
