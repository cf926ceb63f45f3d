#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands of tr-migrate(7) about nsys, HTA, TraceLens and Perfetto that show no output run as they stand, on traces of the kind that they name.
# Those that write a picture have something to draw.  Those that show their output are run by harness/run-examples.
. "$(dirname "$0")/../harness/tap.sh"
for program in tr-breakdown tr-filter tr-roofline tr-sum tr-view tr-comm tr-categorize tr-launch tr-util tr-stalls; do
    [ -x "$bin/$program" ] || skip_all "$program is not built"
done

# Stand-ins: a step of an inference engine in each 100 us with two kernels; its graph with a capture; a trace for
# Perfetto; one of rocprofv3; XPlane from the corpus of a fuzz target.
serving()
{
    awk 'BEGIN {
        span = "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": 9, \"tid\": %d, \"ts\": %d, \"dur\": %d, \"args\": {%s}},\n"
        print "{\"traceEvents\": ["
        for (i = 0; i < 130; i++) {
            at = 100 * i
            printf span, "user_annotation", "execute_context_0(0)_generation_" i % 4 + 1 "(" i % 4 + 1 ")", 9, at, 50, ""
            printf span, "cuda_runtime", i % 2 ? "cudaGraphLaunch" : "cudaLaunchKernel", 9, at + 5, 5, "\"correlation\": " i + 1
            printf span, "kernel", "gemm", 7, at + 20, 30, "\"device\": 0, \"stream\": 7, \"correlation\": " i + 1
        }
        print "{}]}"
    }'
}
captured()
{
    cat <<'END'
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "capture_4_FULL", "pid": 9, "tid": 9, "ts": 0, "dur": 900},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamBeginCapture", "pid": 9, "tid": 9, "ts": 10, "dur": 5},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 20, "dur": 50, "args": {"Input Dims": [[4, 8], [8, 8]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 30, "dur": 5, "args": {"kernel": "gemm"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamEndCapture", "pid": 9, "tid": 9, "ts": 500, "dur": 5}]}
END
}
mkdir captures
captured >captures/4.json
serving | gzip >serve.json.gz
cp "$root/contrib/sample/rank0.json.gz" t.json
cp t.json base.json
cp "$root/contrib/sample/rank1.json.gz" test.json
cp "$root"/contrib/sample/rank?.json.gz .
cat >ranges.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 20, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 30, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 40, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "gemm", "pid": 0, "tid": 0, "ts": 40, "dur": 10, "args": {"smsp__cycles_active.avg": 700}}]}
END
cat >flops.csv <<'END'
Kernel,GlobalInstanceId,GpuTime[ns],XVE_INST_EXECUTED_FP32[events],XVE_STALL[%]
"a",1,170,400,30.5

"b",2,41,100,12.5

END
sed 's/XVE_INST_EXECUTED_FP32\[events\]/GPU_MEMORY_BYTE_READ[bytes]/' flops.csv >bytes.csv
cp flops.csv metrics_0.csv
printf 'Kernel, IP[Address], Active[Events], SbidStall[Events], ControlStall[Events]\n"a", 16, 3, 40, 7\n"a", 32, 3, 2, 9\n' >stalls.csv
printf 'PlatformName,"toy"\nFP32_GFLOPS,100\nGPU_MEMORY_BW_in_GB_per_sec,10\n' >device.csv
tr-view -q -O perfetto -o app.pftrace t.json
cp "$here/../golden/vendors/rocprof.json" app.json
for name in t host0; do
    cp "$here/../fuzz/corpus/xplane/gpus" $name.xplane.pb
done
gzip -c host0.xplane.pb >host1.xplane.pb # not a copy, which would be refused
cp "$root/contrib/recipes/hip.rules" .

# A line for each command: those of .Dl, and of blocks without a prompt; a backslash joins lines.
awk '
    /^\.Ss / { inside = /TraceLens|Holistic|nsys|Perfetto|Pictures/ && !/Faults/ }
    !inside { next }
    /^\.Bd -literal/ { block = 1; next }
    /^\.Ed/ { block = 0 }
    block && /^[$>]/ { shown = 1 }
    !block { shown = 0 }
    /^\.Dl / || (block && !shown && /^(tr-|[a-z]+=)/) {
        sub(/^\.Dl /, "")
        gsub(/\\\(dq/, "\"")
        joined = sub(/\\e$/, "")
        if (/^[a-z]+=/) { # a variable of the commands that follow
            set = $0 "; "
            next
        }
        printf "%s%s%s", going ? "" : set, $0, joined ? " " : "\n"
        going = joined
    }' "$root/man/tr-migrate.7" >commands
ok "$([ "$(wc -l <commands)" -gt 25 ]; echo $?)" "the page has commands: $(wc -l <commands)"
while IFS= read -r command <&3; do
    rm -f step-*.trs window.trs ./*.svg
    sh -c "$command" <t.json >out 2>said
    status=$?
    [ "$status" -eq 0 ] || { echo "status $status"; cat said; } >said.now
    [ "$status" -eq 0 ] && : >said.now
    case $command in
    *.svg*)
        cat ./*.svg >drawn 2>&1
        grep -q '<title>.*</title></\(rect\|circle\|path\)>\|<path class="k-' drawn && ! grep -q 'Nothing to draw' drawn ||
            { echo "no picture with marks"; grep -o 'Nothing to draw[^<]*' drawn; } >>said.now
        ;;
    esac
    none said.now "$command"
done 3<commands
finish
