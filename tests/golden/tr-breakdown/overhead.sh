# Truth: by hand.
o() { printf '{"ph": "X", "cat": "overhead", "name": "%s", "pid": -1, "tid": 0, "ts": %s, "dur": %s},\n' "$@"; }
{
    echo '{"traceEvents": ['
    o 'Activity Buffer Request' 10 100; o 'Activity Buffer Request' 200 50; o Instrumentation 300 20
    echo '{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 5, "dur": 900, "args": {"device": 0, "stream": 7}},'
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >t.json
tr-breakdown --by overhead -O tsv --columns all t.json
tr-breakdown --by overhead --where 'dur > 60us' -O tsv --columns name,count,sum t.json
echo '{"traceEvents": []}' >none.json
tr-breakdown --by overhead none.json
