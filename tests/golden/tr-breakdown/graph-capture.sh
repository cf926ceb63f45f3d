# Truth: by hand.  A graph of gemm, relu, a copy and a kernel that the capture does not know is launched twice.  In the
# capture, a launch before its begin and one of another thread are no nodes, nor is a call inside another launch.
call() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 9, "tid": %s, "ts": %s, "dur": %s%s},\n' "$@"; }
{
    echo '{"distributedInfo": {"rank": 2}, "traceEvents": ['
    for i in 1 2; do
        call cuda_runtime cudaGraphLaunch 9 ${i}00 9 ', "args": {"correlation": '$i'}'
        n=0
        for k in gemm relu 'Memcpy DtoD' other; do
            n=$((n + 1))
            call "$([ "$n" = 3 ] && echo gpu_memcpy || echo kernel)" "$k" 7 $i$((n + 1))0 $((n + i)) ', "args": {"correlation": '$i', "device": 0, "stream": 7}'
        done
    done
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >run.json
capture() { # NAMES OF KERNELS
    kernel() { [ -z "$names" ] || printf ', "args": {"kernel": "%s"}' "$1"; }
    names=$1
    echo '{"distributedInfo": {"rank": 2}, "traceEvents": ['
    call cpu_op aten::fill_ 9 100 20
    call cuda_runtime cudaLaunchKernel 9 105 5 "$(kernel fill)"
    call cuda_runtime cudaStreamBeginCapture_v10000 9 200 5
    call python_function 'nn.Module: Linear_3' 9 210 500
    call cpu_op aten::linear 9 211 90
    call cpu_op aten::mm 9 212 50
    call cuda_runtime cudaLaunchKernel 9 220 10 "$(kernel gemm)"
    call cuda_driver cuLaunchKernel 9 222 5 "$(kernel gemm)"
    call cuda_runtime cudaLaunchKernel 8 230 10 "$(kernel relu)"
    call cpu_op aten::relu 9 310 50
    call cuda_runtime cudaLaunchKernel 9 320 10 "$(kernel relu)"
    call cpu_op aten::copy_ 9 410 50
    call cuda_runtime cudaMemcpyAsync 9 420 10
    call cuda_runtime cudaLaunchKernel 9 720 10 "$(kernel another)"
    call cuda_runtime cudaStreamEndCapture 9 800 5
    call cuda_runtime cudaLaunchKernel 9 900 10 "$(kernel gemm)"
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
}
capture yes >named.json
capture '' >nameless.json
graph() { tr-breakdown --by graph --columns position,name,operator,module,count,sum -O tsv "$@" 2>&1; }
graph --attach-capture named.json run.json
graph --attach-capture nameless.json run.json
mkdir captures
cp named.json captures
graph -q --attach-capture captures run.json | cut -f 3
graph --attach-capture run.json run.json
echo 'not a trace' >bad.json
graph --attach-capture bad.json run.json
echo "status $?"
printf 'name\tmodule\ngemm\tL\n' >names.tsv
graph --attach names.tsv --attach-capture named.json run.json
echo "status $?"
tr-breakdown --by operator --attach-capture named.json run.json 2>&1
echo "status $?"
