# Truth: by hand.  On stream 7, mul, add and exp follow each other: 10 + 20 + 5, the longest 20.  gelu and silu, the next
# two, are no chain, because a gemm is between them.  On stream 8, a chain of four of 1 each starts with mul.
k() { printf '{"ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": %s, "ts": %s, "dur": %s, "args": {"device": 0, "stream": %s}},\n' "$1" "$2" "$3" "$4" "$2"; }
e='void at::native::vectorized_elementwise_kernel'
{
    echo '{"traceEvents": ['
    k "$e<4, mul>" 7 10 10; k "$e<4, add>" 7 20 20; k "$e<4, exp>" 7 50 5
    k gemm 7 60 10; k "$e<4, gelu>" 7 70 5; k gemm 7 80 5; k "$e<4, silu>" 7 90 5
    k "$e<4, mul>" 8 11 1; k "$e<4, mul>" 8 21 1; k "$e<4, mul>" 8 51 1; k "$e<4, mul>" 8 71 1
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >t.json
tr-breakdown --by chain -O tsv --columns all t.json
tr-breakdown --by chain --per stream -O tsv --columns stream,chains,kernels,sum,longest t.json
echo '{"traceEvents": []}' >none.json
tr-breakdown --by chain none.json
