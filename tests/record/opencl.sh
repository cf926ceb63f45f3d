#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-record, with programs of OpenCL on whatever device is there: calls, work of the device with its launches, sizes and
# times, in programs that wait, that never wait, and that are killed.  OPENCL_LIBS: how to link with the loader.
. "$(dirname "$0")/../harness/tap.sh"
library=$bin/../contrib/.libs/libtrcapture.so
[ -x "$bin/tr-record" ] || skip_all "not built: tr-record"
[ -r "$library" ] || skip_all "the recorder is not built"
[ "$(getconf LONG_BIT)" = 64 ] || skip_all "the programs load a library of 64 bits"
unset PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID RANK LD_PRELOAD OPENCL_LAYERS
cc=${CC:-cc}
POCL_CACHE_DIR=$tmp/cache # of PoCL, a driver for processors
export POCL_CACHE_DIR
mkdir cache
echo '#include <CL/cl_layer.h>' >probe.c
$cc -fsyntax-only -DCL_TARGET_OPENCL_VERSION=300 probe.c 2>log || skip_all "no headers of OpenCL with layers: CL/cl_layer.h"

# ---- numbers ----
sed -n 's/^ *AT_\(cl[A-Za-z0-9]*\) = .*/AT(\1);/p' "$root/contrib/capture/capture_opencl.h" >functions.h
$cc -o numbers -I. -I"$root/contrib/capture" -I"$root/libcore" "$root/tests/record/opencl_numbers.c" && ./numbers >have
is "$(cat have)" "$(($(wc -l <functions.h) + 22))" "functions and properties have the numbers of the headers"

# shellcheck disable=SC2086 # several words
$cc -o program "$root/tests/record/opencl_program.c" ${OPENCL_LIBS:--l:libOpenCL.so.1} -lpthread 2>log ||
    skip_all "no loader of OpenCL: ${OPENCL_LIBS:-libOpenCL.so.1}"
./program order >log 2>&1 || skip_all "no device of OpenCL that works"

# record NAME OPTION... ./program WHAT: to NAME.trs; what is said to NAME.said
record()
{
    name=$1
    shift
    tr-record -o "$name.trs" "$@" >"$name.out" 2>"$name.said"
}

# counts FILE ACTIVITY: how often there is which name
counts()
{
    tr-view -q -O tsv --columns name "$1" --where "activity == $2" | sed 1d | sort | uniq -c | awk '{ print $2, $1 }'
}

record order ./program order
is "$? $(cat order.said)" "0 " "a program ends as it does alone, and nothing is said"
tr-info -q order.trs >info
if ! grep -q '^devices' info; then
    skip "work of devices" "the loader of OpenCL has no layers"
    finish
fi

# ---- one queue ----
tr-view -q -O tsv --columns activity,name,stream,bytes,grid,block,args.grid_size order.trs --where 'stream > 0 && activity != sync' |
    sed 1d >have
tr '|' '\t' >want <<'END'
memcpy|clEnqueueWriteBuffer|1|16384|||
memset|clEnqueueFillBuffer|1|16384|||
kernel|add|1||[64,1,1]|[64,1,1]|[4096,1,1]
kernel|add|1||[64,1,1]|[64,1,1]|[4096,1,1]
memcpy|clEnqueueReadBuffer|1|16384|||
kernel|set|1||[64,1,1]|[64,1,1]|[4096,1,1]
memcpy|clEnqueueCopyBuffer|1|8192|||
kernel|plane|1||||[64,16,1]
memcpy|clEnqueueReadBufferRect|1|512|||
memcpy|clEnqueueMapBuffer|1|1024|||
memcpy|clEnqueueUnmapMemObject|1|1024|||
END
diff want have >wrong
none wrong "work of a queue in its order, with bytes, and sizes of kernels"
counts order.trs runtime_api >have
cat >want <<'END'
clBuildProgram 1
clCreateBuffer 2
clCreateCommandQueueWithProperties 1
clCreateContext 1
clCreateKernel 3
clCreateProgramWithSource 1
clEnqueueBarrierWithWaitList 1
clEnqueueCopyBuffer 1
clEnqueueFillBuffer 1
clEnqueueMapBuffer 1
clEnqueueNDRangeKernel 4
clEnqueueReadBuffer 2
clEnqueueReadBufferRect 1
clEnqueueUnmapMemObject 1
clEnqueueWriteBuffer 1
clFinish 2
clReleaseCommandQueue 1
clReleaseKernel 3
clSetKernelArg 5
END
diff want have >wrong
none wrong "all calls"
is "$(awk '$1 == "linked_pct" { print $2 }' info)" 100.00 "each work has its launch"
tr-sum -q --by direction --value bytes -O tsv order.trs | sed 1d | cut -f 1-3 | sort >have
printf '%s\n' 'Memcpy DtoD	1	8192' 'Memcpy DtoH	3	17920' 'Memcpy HtoD	2	17408' 'Memset	1	16384' >want
diff want have >wrong
none wrong "directions of copies"
is "$(tr-view -q -O tsv --columns name,stream,api order.trs --where 'activity == sync' | sed 1d | sort | uniq -c | sed 's/^ *//')" \
    "1 Stream Sync	1	clEnqueueMapBuffer
1 Stream Sync	1	clEnqueueReadBuffer
2 Stream Sync	1	clFinish" "calls that wait are waits of the queue"

# ---- times ----
# in_calls FILE: work that begins before its call, or ends after a call that waits for it; two of one queue at once
in_calls()
{
    tr-view -q -O tsv --unit ns --columns stream,ts,dur,launch_ts,launch_dur,activity,name,api "$1" --where 'stream > 0' |
        sed 1d | sort -t '	' -k 1,1n -k 2,2n | awk -F '\t' '
        $6 == "sync" { next }
        $2 < $4 { print "before its call:", $0 }
        ($8 == "clEnqueueMapBuffer" || $8 == "clEnqueueReadBuffer") && $2 + $3 > $4 + $5 { print "after its call:", $0 }
        $1 == last && $2 < end { print "at once:", $0 }
        { last = $1; end = $2 + $3 }'
}
in_calls order.trs >wrong
none wrong "work is after its call, and before the end of a call that waits for it"
$cc -shared -fPIC -o clock.so "$root/tests/record/opencl_clock.c"
for how in "" timer; do
    OPENCL_LAYERS=$tmp/clock.so OPENCL_CLOCK=$how
    export OPENCL_LAYERS OPENCL_CLOCK
    [ "$how" ] || unset OPENCL_CLOCK
    record clock ./program order
    is "$? $(counts clock.trs kernel | tr '\n' ' ')" "0 add 2 plane 1 set 1 " "a clock an hour ahead${how:+, with a timer}"
    in_calls clock.trs >wrong
    none wrong "and all times fit${how:+, with a timer}"
done
OPENCL_LAYERS=$tmp/clock.so record change ./program change
is "$? $(cat change.said) $(counts change.trs kernel)" "0  plane 2" "times are turned on and off"
unset OPENCL_LAYERS OPENCL_CLOCK

# ---- shared virtual memory ----
if ./program shared >log 2>&1; then
    record shared ./program shared
    tr-view -q -O tsv --columns activity,name,bytes,direction shared.trs --where 'stream > 0 && activity != sync' | sed 1d >have
    tr '|' '\t' >want <<'END'
memset|clEnqueueSVMMemFill|256|Memset
memcpy|clEnqueueSVMMemcpy|128|Memcpy Unknown
memcpy|clEnqueueSVMMap|64|Memcpy DtoH
memcpy|clEnqueueSVMUnmap|64|Memcpy HtoD
END
    diff want have >wrong
    none wrong "shared virtual memory"
else
    skip "shared virtual memory" "the device has none"
fi

# ---- events ----
record events ./program events
is "$? $(cat events.said)" "0 " "events over two queues, one of them out of order"
tr-view -q -O tsv --columns 'stream,name,correlation,args.event wait ids' events.trs --where 'stream > 0 && activity != sync' |
    sed 1d | awk -F '\t' '
    { id[$2] = $3; waits[$2] = $4; at[$2] = $1 }
    END {
        print "work:", waits["work"]
        print "add:", waits["add"] == "[" id["work"] "]"
        print "write:", waits["clEnqueueWriteBuffer"] == "[" id["work"] "]", at["clEnqueueWriteBuffer"] - at["work"]
        print "plane:", waits["plane"]
        print "set:", waits["set"] == "[" id["add"] "," id["clEnqueueWriteBuffer"] "]"
    }' >have
printf '%s\n' "work: " "add: 1" "write: 1 1" "plane: " "set: 1" >want
diff want have >wrong
none wrong "what work waited for is said"
tr-critpath -q --gaps --by path -O tsv events.trs | cut -f 3,4 | sed -n '/^kernel	work/,$p' |
    sed 's/^kernel	add$/ADD OR WRITE/; s/^memcpy	clEnqueueWriteBuffer$/ADD OR WRITE/' | uniq >have
printf '%s\n' "kernel	work" "ADD OR WRITE" "kernel	set" "runtime_api	clWaitForEvents" >want
head -n 4 have | diff want - >wrong
none wrong "tr-critpath leads through all of them to the call that waited"

# ---- what a program can ask ----
record ask ./program ask
is "$? $(cat ask.said) $(counts ask.trs kernel)" "0  work 4" "a queue is as the program made it, and has times"
record paused --switch SWITCH ./program ask
is "$? $(tr-view -q -O tsv --columns name paused.trs 2>&1 | sed 1d)" "0 " "so it is while nothing is recorded"

# ---- waits that never come ----
record never ./program never
is "$? $(counts never.trs kernel)" "0 work 501" "a program that never waits, and releases its events: all its work"
record killed ./program killed
is "$? $(counts killed.trs kernel)" "137 work 500" "a program that is killed: the work that it has waited for"
is "$(counts killed.trs runtime_api | grep NDRange)" "clEnqueueNDRangeKernel 501" "and all calls"
record lose ./program lose
is "$? $(counts lose.trs kernel)" "0 plane 1" "work that fails, or is not done at the exit, is not recorded"
is "$(tr-view -q -O tsv --columns name,args.value lose.trs --where 'phase == counter' | sed 1d)" \
    "work not recorded	1
work not recorded	2" "and counted"
record threads ./program threads
is "$? $(counts threads.trs kernel)" "0 work 1600" "threads with a queue each, and one for all"
tr-sum -q --by stream -O tsv threads.trs --where 'activity == kernel' | sed 1d | cut -f 1,2 | sort >have
is "$(cut -f 2 have | sort | uniq -c | sed 's/^ *//' | tr '\n' ' ')" "4 200 1 800 " "each queue is a stream"

# ---- a loader that is loaded later ----
loader=$(ldd ./program | sed -n 's/.* => \(.*libOpenCL[^ ]*\) .*/\1/p')
if $cc -o loaded "$root/tests/record/opencl_loaded.c" -ldl && [ "$loader" ]; then
    record loaded ./loaded "$loader"
    is "$? $(cat loaded.said) $(counts loaded.trs memset)" "0  clEnqueueFillBuffer 1" "a program that unloads it, twice"
else
    skip "a program that loads it" "no loader of OpenCL is found"
fi

# ---- what is chosen ----
record some --include add --include plane ./program order
is "$(tr-sum -q --by name -O tsv some.trs | sed 1d | cut -f 1,2 | sort | tr '\t\n' '  ')" "add 2 plane 1 " "kernels by name"
record some --exclude 'cl*' --exclude 'Stream*' ./program order
is "$(tr-sum -q --by name -O tsv some.trs | sed 1d | cut -f 1,2 | sort | tr '\t\n' '  ')" "add 2 plane 1 set 1 " "without calls"
RANK=3 tr-record -q -o rank.trs --ranks 3 ./program order
is "$(tr-view -q -O tsv --columns rank rank.trs | sed 1d | sort -u)" 3 "the rank is that of the launcher"
RANK=4 tr-record -q -o rank.trs --ranks 3 ./program ask 2>said
is "$?" 3 "a rank that is not chosen is not recorded"
record twice tr-record -q -o inner.trs ./program order
is "$(counts inner.trs kernel | tr '\n' ' ')" "add 2 plane 1 set 1 " "a tr-record within another"
tr-report -q -O html -o page.html order.trs && grep -q 'clEnqueueReadBuffer\|plane' page.html
ok $? "tr-report has a page of it"

# ---- what a call costs ----
bare=$(./program measure)
record measure ./program measure
echo "# a call takes $bare ns, $(cat measure.out) ns when it is recorded"
[ "$(cat measure.out)" -lt $((bare + 20000)) ]
ok $? "a call takes less than 20 us more"
finish
