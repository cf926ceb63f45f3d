# Truth: by hand.  Two processes of an application under unitrace, with a result folder each: a kernel of 30 us and one
# of 10 us of each.  The first one's folder has a report and a timeline beside the trace, and both are of this process;
# the second one's is found by a link, too, and a link leads back.
tr-parse --version | grep -q libarchive || exit 77 # cannot read archives
trace() # PID START
{
    cat <<END
{ "traceEvents":[
{"ph": "M", "name": "process_name", "pid": $1, "ts": 1.000000, "args": {"name": "HOST<n0>"}},
{"ph": "X", "tid": $1, "pid": $1, "name": "zeCommandListAppendLaunchKernel", "cat": "cpu_op", "ts": $2.000000, "dur": 2.000000, "id": 0},
{"ph": "X", "tid": 42$1, "pid": 43$1, "name": "mul[SIMD32 {64; 1; 1} {16; 1; 1}]", "cat": "gpu_op", "ts": 100.000000, "dur": 30.000000, "args": {"id": "1"}},
{"ph": "X", "tid": 42$1, "pid": 43$1, "name": "add[SIMD32 {64; 1; 1} {16; 1; 1}]", "cat": "gpu_op", "ts": 150.000000, "dur": 10.000000, "args": {"id": "2"}}
]
}
END
}
report()
{
    cat <<END
=== Device Timing Summary ===

                Total Execution Time (ns):               60000
    Total Device Time for L0 backend (ns):               40000

== L0 Backend ==

  Kernel,  Calls,  Time (ns),  Time (%), Average (ns),  Min (ns),  Max (ns)
   "mul",      1,      30000,     75.00,        30000,     30000,     30000
   "add",      1,      10000,     25.00,        10000,     10000,     10000
END
}
for first in rank_1. ''; do
    rm -rf results
    mkdir -p results/.cache "results/${first}heat.71/metrics" "results/${first:+rank_0.}heat.72"
    trace 71 50 >"results/${first}heat.71/chrome_trace.json"
    report >"results/${first}heat.71/device_timing.txt"
    echo "Device Timeline (queue: 0x5f0, context: 0x61): mul<1.1> [ns] 1 (append) 2 (submit) 100000 (start) 130000 (end)" >"results/${first}heat.71/device_timeline.txt"
    trace 72 60 >"results/${first:+rank_0.}heat.72/chrome_trace.json"
    trace 73 60 >results/.cache/chrome_trace.json
    ln -s "${first:+rank_0.}heat.72" results/again
    ln -s .. "results/${first}heat.71/up"
    echo '{"app": "heat"}' >"results/${first}heat.71/run_config.json"
    tr-breakdown -O tsv --columns rank,span,busy results
    tr-info -q -O json results | jq -c '.sources[] | [.rank, .rank_from, .job, .name]'
done
echo "== depth"
tr-breakdown --depth 1 results || echo $?
mkdir -p deep/a/b
trace 74 50 >deep/a/b/t.json
tr-breakdown deep || echo $?
tr-breakdown -q -O tsv --depth 3 --columns rank,busy deep
echo "== archives"
cp results/heat.72/chrome_trace.json .
mkdir __MACOSX
echo x >__MACOSX/._chrome_trace.json
echo hello >README
echo '{}' >run_config.json
tar cf job.tar README __MACOSX chrome_trace.json run_config.json
tr-breakdown -O tsv --columns rank,busy job.tar
tar cf none.tar README run_config.json
tr-breakdown -q none.tar || echo $?
tar cf results.tar results/heat.71/chrome_trace.json results/heat.71/device_timing.txt results/heat.72/chrome_trace.json
tr-breakdown -q -O tsv --columns rank,busy results.tar
echo "== empty files"
: >empty.json
tr-merge chrome_trace.json empty.json | tr-breakdown -q -O tsv --columns rank,busy
tr-merge --strict chrome_trace.json empty.json >/dev/null || echo $?
tr-merge empty.json empty.json || echo $?
