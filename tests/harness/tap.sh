# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What shell tests share; read by `.' from a script in a folder of tests.
#
# From outside: TR_BIN, folder of the built programs [../tools].  A test begins in a folder of its own,
# $tmp, which is removed at its end; $root is the top of the source, $built the folder it was started in.

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$(pwd)
bin=$(cd "${TR_BIN:-../tools}" 2>/dev/null && pwd)
PATH=$bin:$PATH
LC_ALL=C
export PATH LC_ALL
unset TR_FORMAT TR_PAGER
n_tests=0
n_failed=0

tmp=$(mktemp -d "${TMPDIR:-/tmp}/tr-test.XXXXXX") || exit 99
trap 'cd / && rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$tmp" || exit 99

# ok STATUS WHAT: one TAP line; status 0 is good.
ok()
{
    n_tests=$((n_tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n_tests - $2"
    else
        echo "not ok $n_tests - $2"
        n_failed=$((n_failed + 1))
    fi
}

# is HAVE WANT WHAT: the texts are equal.
is()
{
    if [ "$1" = "$2" ]; then
        ok 0 "$3"
    else
        ok 1 "$3"
        printf '%s\n' "$1" | sed 's/^/# have /'
        printf '%s\n' "$2" | sed 's/^/# want /'
    fi
}

# like TEXT PATTERN WHAT: the text matches the shell pattern.
like()
{
    # shellcheck disable=SC2254 # a pattern is what is wanted
    case $1 in
    $2) ok 0 "$3" ;;
    *)
        ok 1 "$3"
        printf '%s\n' "$1" | sed 's/^/# have /'
        printf '%s\n' "$2" | sed 's/^/# want /'
        ;;
    esac
}

# none FILE WHAT: the file is empty; what it holds is what is wrong.
none()
{
    if [ -s "$1" ]; then
        ok 1 "$2"
        sed 's/^/# /' "$1"
    else
        ok 0 "$2"
    fi
}

skip()
{
    n_tests=$((n_tests + 1))
    echo "ok $n_tests - $1 # SKIP $2"
}

# skip_all WHY: nothing here can run.
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}

finish()
{
    echo "1..$n_tests"
    [ "$n_failed" -eq 0 ]
    exit
}

# use_sanitized: the programs are those built with sanitizers (sanitized.sh) from here on; they end with status
# $sanitizer_status, and say more on standard error, where one of them finds something.
sanitizer_status=86
use_sanitized()
{
    [ ! -f "$built/sanitized/absent" ] || skip_all "$(cat "$built/sanitized/absent")"
    [ -x "$built/sanitized/tr-parse" ] || skip_all "no programs with sanitizers are built (make sanitized)"
    bin=$built/sanitized
    PATH=$bin:$PATH
    ASAN_OPTIONS=exitcode=$sanitizer_status:allocator_may_return_null=1
    UBSAN_OPTIONS=exitcode=$sanitizer_status:print_stacktrace=1
    export PATH ASAN_OPTIONS UBSAN_OPTIONS
}

# The names in tools.list; TR_LIST is another such list.
tools()
{
    awk -F '\t' '!/^#/ && NF { print $1 }' "${TR_LIST:-$root/tools/tools.list}"
}

# Those that are built; nothing to test without any.
all_built_tools()
{
    for t in $(tools); do
        [ -x "$bin/$t" ] && echo "$t"
    done
}

# Those of them that read files: tr-record runs what it is given.
built_tools()
{
    all_built_tools | grep -vx tr-record
}

# operands TOOL: what the tool needs on its command line before the names of inputs.
operands()
{
    awk -F '\t' -v tool="$1" '!/^#/ && $1 == tool { print $2 }' "$root/tests/harness/operands.tsv"
}

# A small trace: two steps, two launches, their kernels, a collective under a kernel, a copy.
make_sample()
{
    cat <<'END'
{"schemaVersion": 1, "baseTimeNanoseconds": 1700000000000000000,
 "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1},
 "traceEvents": [
 {"ph": "M", "name": "process_name", "pid": 100, "tid": 0, "ts": 0, "args": {"name": "python"}},
 {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 100, "tid": 100, "ts": 10.000, "dur": 90.000, "args": {"External id": 1}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 100, "tid": 100, "ts": 12.500, "dur": 20.250, "args": {"External id": 2}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 100, "ts": 15.000, "dur": 5.000, "args": {"External id": 2, "correlation": 7}},
 {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 30.000, "dur": 40.000, "args": {"External id": 2, "correlation": 7, "device": 0, "stream": 7}},
 {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 100, "tid": 100, "ts": 100.000, "dur": 80.000, "args": {"External id": 3}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 100, "ts": 105.000, "dur": 5.000, "args": {"External id": 4, "correlation": 9}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 100, "tid": 100, "ts": 111.000, "dur": 3.000, "args": {"External id": 5, "correlation": 11}},
 {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "pid": 0, "tid": 20, "ts": 115.000, "dur": 30.000, "args": {"External id": 4, "correlation": 9, "device": 0, "stream": 20}},
 {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)", "pid": 0, "tid": 7, "ts": 150.000, "dur": 4.000, "args": {"External id": 5, "correlation": 11, "device": 0, "stream": 7, "bytes": 4096}}
 ]}
END
}

# many_events N: a trace of N kernels, larger than any buffer between programs.
many_events()
{
    awk -v n="$1" 'BEGIN {
        printf "{\"traceEvents\": [\n"
        for (i = 0; i < n; i++)
            printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k%d\", \"pid\": 0, \"tid\": 7, \"ts\": %d.%03d, " \
                   "\"dur\": 2.5, \"args\": {\"device\": 0, \"stream\": 7, \"note\": \"n%d\"}}%s\n",
                   i % 17, 10 + 4 * i, i * 7 % 1000, i * 7919 % 1000003, i < n - 1 ? "," : ""
        printf "]}\n"
    }'
}
