# Truth: by hand.  Which idle time can overhead have caused?  Each trace: a copy from 1000 to 2000 us, launched before it
# by thread 1, a kernel from 5000 us on, launched by a call from 4980 to 4990 us, and overhead.
x() { printf '{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":{%s}},\n' "$@"; }
work() {
    x cuda_runtime cudaMemcpyAsync 9 1 980 10 '"correlation":1'
    x gpu_memcpy 'Memcpy HtoD' 0 7 1000 1000 '"device":0,"stream":7,"correlation":1'
    x cuda_runtime cudaLaunchKernel 9 1 4980 10 '"correlation":2'
    x kernel gemm 0 7 5000 500 '"device":0,"stream":7,"correlation":2'
}
trace() { # the overhead is on standard input
    { echo '{"traceEvents": ['; work; cat; echo '{"ph":"M","name":"x","pid":9}]}'; } >t.json
}
show() {
    echo "$1:"
    tr-breakdown --by overhead -O tsv --columns name,sum,idle t.json
    tr-report --sections findings -O tsv t.json | cut -f 1,3 | sed -n '/^profiler/p'
}
x overhead Instrumentation -1 0 100 800 '' | trace
show 'before the first work'
x overhead Flush -1 0 5400 3000 '' | trace
show 'at the last work and after it'
x overhead Flush -1 0 2500 1000 '' | trace
show 'in the gap'
x overhead Flush 9 1 2500 1000 '' | trace
show 'in the gap, on the thread that launches'
x overhead Flush 9 2 2500 1000 '' | trace
show 'in the gap, on another thread'
x overhead Request -1 0 1100 700 '' | trace
show 'while the device works: the host is less far ahead of it'
{ x overhead Request -1 0 1100 700 ''; x cuda_runtime cudaDeviceSynchronize 9 1 1900 110 ''; } | trace
show 'the same, then the host waits for the device'
{ x overhead Request -1 0 1100 700 ''; x cuda_runtime cudaDeviceSynchronize 9 1 2300 5 ''; } | trace
show 'the same, the device is idle since 2000 when it waits'
{ x overhead Flush -1 0 1800 9000 ''; x overhead Request -1 0 2500 1000 ''; } | trace
show 'one in the other, from before the gap until after the end: until the launch call ends'
{ x overhead Request -1 0 600 500 ''; x overhead Flush -1 0 4985 10 ''; } | trace
show 'over the start of the first work, and over the end of the call'
{ x overhead Flush -1 0 2500 1000 ''; x overhead Flush 9 1 3000 1000 ''; } | trace
show 'on two tracks at one time: both count, up to the gap'
