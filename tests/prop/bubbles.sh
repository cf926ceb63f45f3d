#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-comm --by bubble on pipelines of several shapes: each figure is what a script computes from the traces.
. "$(dirname "$0")/lib.sh"
need tr-comm
for shape in "--pp 2" "--pp 3 --microbatches 4" "--pp 4 --tp 2" "--pp 2 --dp 2 --drift"; do
    # shellcheck disable=SC2086 # several words
    run "a job with $shape" $python "$here/../gen/mesh.py" $shape --steps 3 --layers 2 --seed 5 --output "$tmp/job"
    $python "$here/bubbles.py" "$tmp"/job/rank*.json >said
    take said bubbles.py
    rm -r "$tmp/job"
done
finish
