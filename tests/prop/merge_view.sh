#!/bin/sh
# SPDX-License-Identifier: MIT
# All ranks in one viewer: pids and ids are unique, processes are named and sorted by rank.
. "$(dirname "$0")/lib.sh"
need tr-merge tr-parse tr-view

check=$here/merge_view.py
run "the checking program sees what is wrong" $python "$check" --self-test

# processes, devices, correlations and flows with the same numbers on every rank
make_traces job --ranks 3 --steps 2 --layers 2 --pid-collision --counters 3 \
    --base-ns 1711964646000000000,1711964646000001000,1711964645999000000
tr-merge -q --ranks 3,11,4 job/rank0.json job/rank1.json job/rank2.json | tr-view -q -O chrome -o merged.json
ok $? "three ranks for a viewer"
run "ranks are kept apart" $python "$check" merged.json 3=job/rank0.json 11=job/rank1.json 4=job/rank2.json

# ranks beyond those that pids can show, and more of them
i=0
parts=
set --
while [ $i -lt 12 ]; do
    rank=$((i * 61))
    set -- "$@" "job/rank$((i % 3)).json"
    parts="$parts $rank=job/rank$((i % 3)).json"
    ranks=$ranks${ranks:+,}$rank
    i=$((i + 1))
done
tr-merge -q --ranks "$ranks" "$@" | tr-view -q -O chrome -o merged.json
# shellcheck disable=SC2086 # a list
run "twelve ranks up to 671 are kept apart" $python "$check" merged.json $parts
finish
