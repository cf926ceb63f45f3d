#!/bin/sh
# SPDX-License-Identifier: MIT
# A program with oneTBB, which has the static part of ITT as its makers give it.  TBB_FLAGS: how to compile with it.
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/tr-record" ] || skip_all "not built: tr-record"
[ -r "$bin/../contrib/.libs/libtrcapture.so" ] || skip_all "the recorder is not built"
[ -n "$CXX" ] || skip_all "no compiler of C++"
# shellcheck disable=SC2086 # several words
$CXX -std=c++17 -o tbb_program "$root/tests/record/tbb_program.cc" ${TBB_FLAGS:--ltbb} 2>log || skip_all "oneTBB is not installed"
unset INTEL_ITTNOTIFY_GROUPS
tr-record -q -o tbb.trs ./tbb_program 2>said
is "$? $(grep -v warning said)" "0 " "the program ends as it does alone"
is "$(tr-view -O tsv --columns name tbb.trs --where 'args.domain == "tbb.flow" && name == "body"' 2>/dev/null | sed 1d | wc -l | tr -d ' ')" 20 \
    "tasks of a flow graph: one for each message and node"
tr-view -O tsv --columns name tbb.trs | grep -qx tbb_flow_graph
ok $? "and the graph itself"
finish
