#!/bin/sh
# SPDX-License-Identifier: MIT
# Rows and events by the Arrow C data interface, read in Python, against what the programs print: each cell is equal.
# pyarrow imports them if it is there; ctypes reads the structs in any case.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-breakdown tr-launch tr-sum tr-diff
lib=${TR_SHARED:-$built/../libcore/.libs/libtrcore.so}
[ -f "$lib" ] || skip_all "the shared library is not built"
nm -D "$lib" 2>/dev/null | grep -qE 'asan|tsan|ubsan' && skip_all "Python cannot load a library with sanitizers"

make_traces made --ranks 2 --steps 3
"$python" "$here/arrow.py" "$lib" made/rank0.json made/rank1.json >said 2>why
code=$?
sed 's/^/# /' why
while read -r result what; do
    [ "$result" = yes ]
    ok $? "$what"
done <said
ok "$code" "the script came to its end"
finish
