# Truth: by hand.  A graph of mm (2 x 3 by 3 x 5, floats) and relu (2 x 3) was captured, and is launched twice.  A call of
# mm needs 2 * 2 * 3 * 5 = 60 operations and (6 + 15 + 10) * 4 = 124 bytes; its kernels take 10 and 30 us, those of relu
# 2 us each.  Without the capture, work has no operator.
call() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 9, "tid": %s, "ts": %s, "dur": %s%s},\n' "$@"; }
args() { printf ', "args": {"Input Dims": %s, "Input type": %s}' "$1" "$2"; }
trace()
{
    echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['
    cat
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
}
{
    call cuda_runtime cudaStreamBeginCapture 9 1 1
    call cpu_op aten::mm 9 10 20 "$(args '[[2, 3], [3, 5]]' '["float", "float"]')"
    call cuda_runtime cudaLaunchKernel 9 15 5 ', "args": {"kernel": "gemm"}'
    call cpu_op aten::relu 9 40 20 "$(args '[[2, 3]]' '["float"]')"
    call cuda_runtime cudaLaunchKernel 9 45 5 ', "args": {"kernel": "relu"}'
    call cuda_runtime cudaStreamEndCapture 9 90 1
} | trace >capture.json
launch() { # NUMBER BEGIN DURATION
    call cuda_runtime cudaGraphLaunch 9 "$2" 5 ', "args": {"correlation": '"$1"'}'
    call kernel gemm 7 "$(($2 + 10))" "$3" ', "args": {"device": 0, "stream": 7, "correlation": '"$1"'}'
    call kernel relu 7 "$(($2 + 50))" 2 ', "args": {"device": 0, "stream": 7, "correlation": '"$1"'}'
}
{
    launch 1 100 10
    launch 2 200 30
} | trace >run.json
shown=name,family,calls,device,flop,bytes,host
tr-roofline --attach-capture capture.json --columns $shown -O tsv run.json
tr-roofline --attach-capture capture.json --by operator,params --op mm --columns name,params,calls,mean,tflops -q -O tsv run.json
tr-roofline --attach-capture capture.json --by family --columns family,calls,device -q -O tsv run.json
tr-roofline --columns $shown -q -O tsv run.json
tr-roofline --attach-capture run.json --columns $shown -O tsv run.json
tr-roofline --attach-capture capture.json --by kernel run.json
echo "status $?"
tr-roofline --attach-capture absent.json run.json
echo "status $?"
