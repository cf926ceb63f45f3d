#!/bin/sh
# SPDX-License-Identifier: MIT
# A report whose rows are as many as the names of a trace stays within -M, and is the same as in much memory.
#
# Each name, and each shape, is used once.  What it may take is what -M of tr-options(7) says, for 64 MiB: as
# much, as much again for strings, and 48 MiB for tables; sorting takes some 100 bytes for each row, a thread 6 MiB.
. "$(dirname "$0")/lib.sh"
need tr-report
[ -x "$built/bench/measure" ] || skip_all "not built: bench/measure"
grep -q __asan_init "$bin/tr-report" "$bin/.libs/tr-report" 2>/dev/null &&
    skip_all "sanitizers take memory of their own"

cat >names.awk <<'END_OF_AWK'
BEGIN {
    print "{\"traceEvents\": ["
    for (i = 0; i < n; i++) {
        op = i % 2 ? "my::operator_" i : "aten::mm"
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,", op, i * 10
        printf "\"args\":{\"Input Dims\":[[%d,7],[7,9]],\"Input type\":[\"float\",\"float\"]}},\n", i + 1
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"
        printf "\"ts\":%d,\"dur\":1,\"args\":{\"correlation\":%d}},\n", i * 10 + 1, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"void kernel_%d<float>(float*)\",\"pid\":0,\"tid\":7,", i
        printf "\"ts\":%d,\"dur\":%d,", i * 10 + 4, 1 + i % 7
        printf "\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}}%s\n", i + 1, i < n - 1 ? "," : "]}"
    }
}
END_OF_AWK
n=60000
awk -v n=$n -f names.awk >names.json
most=$(((64 + 64 + 48 + 2 * 6) * 1024 + n * 100 / 1024)) # KiB

while read -r command <&3; do
    # shellcheck disable=SC2086 # several words
    $command -q -M 4G -o whole names.json
    ok $? "$command: done in much memory"
    rm -f used
    # shellcheck disable=SC2086
    said=$("$built/bench/measure" used $command -q -j 2 -M 64M -T . -o parts names.json 2>&1)
    is "$said" "" "$command: done in little memory"
    peak=$(cut -f 4 used)
    [ "$peak" -lt $most ]
    ok $? "$command -M 64M: less than $most KiB: $peak KiB"
    same whole parts "$command: the same output"
done 3<<'END'
tr-report --sections kernels,next --top 0
tr-report --sections all
END
finish
