# Truth: by hand.  The same work as PyTorch wrote it before 2026 and since: waits for a stream stand on a row of their
# own, annotations of the device are 1 ns longer on either side, work of a graph is drawn on lanes beside its stream,
# counters have a pid that is a text and one key that is empty.  What the programs find is the same.
span()
{
    printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"
}
work()
{
    span cuda_runtime cudaLaunchKernel 9 9 $((4 * $4)) 2 "\"correlation\": $4"
    span kernel $1 0 $5 $2 $3 "\"device\": 0, $6, \"correlation\": $4"
}
host()
{
    span user_annotation 'ProfilerStep#1' 9 9 0 400 ''
    span cuda_runtime cudaStreamSynchronize 9 9 60 250 '"correlation": 20'
}
old()
{
    host
    span gpu_user_annotation 'ProfilerStep#1' 0 7 100 200 ''
    span gpu_user_annotation forward 0 7 100 100 ''
    span gpu_user_annotation attn 0 7 100 50 ''
    span gpu_user_annotation mlp 0 7 150 50 ''
    span gpu_user_annotation backward 0 7 200 100 ''
    work k0 100 50 1 7 '"stream": 7'
    work k1 150 50 2 7 '"stream": 7'
    work k2 200 60 3 7 '"stream": 7'
    work k3 260 40 4 7 '"stream": 7'
    span cuda_sync 'Stream Sync' 0 7 62 240 '"stream": 7, "correlation": 20, "device": 0'
    span cuda_sync 'Stream Sync' 0 7 310 5 '"correlation": 21, "device": 0'
}
new()
{
    host
    span gpu_user_annotation 'ProfilerStep#1' 0 7 99.999 200.002 ''
    span gpu_user_annotation forward 0 7 99.999 100.002 ''
    span gpu_user_annotation attn 0 7 99.999 50.002 ''
    span gpu_user_annotation mlp 0 7 149.999 50.002 ''
    span gpu_user_annotation backward 0 7 199.999 100.002 ''
    work k0 100 50 1 7 '"stream": 7'
    work k1 150 50 2 7 '"stream": 7'
    work k2 200 60 3 7 '"stream": 7'
    work k3 260 40 4 7 '"stream": 7'
    span cuda_sync 'Stream Sync' 0 1000007 62 240 '"stream": 7, "correlation": 20, "device": 0'
    span cuda_sync 'Stream Sync' 0 1000007 310 5 '"correlation": 21, "device": 0'
}
end='{"ph": "M", "name": "thread_name", "pid": 9, "tid": 9, "args": {"name": "main"}}'
for form in old new; do
    (echo '{"traceEvents": ['; $form; echo "$end]}") >$form.json
    {
        for view in time idle stream-idle gap operator kernel; do
            tr-breakdown -q --by $view -O tsv $form.json
        done
        tr-breakdown -q --per stream -O tsv $form.json
        tr-counters -q --by queue -O tsv $form.json
        tr-critpath -q --by path -O tsv $form.json
        tr-view -q -O tsv --columns stream,name $form.json | sort
        grep -v 'Stream Sync' $form.json >nested.json # which stood on the rows of kernels, around them
        for depth in 0 1 2 3; do
            echo "== depth $depth"
            tr-filter -q "depth == $depth && device == 0" nested.json | tr-view -O tsv --columns name - | sort
        done
        for name in attn mlp forward backward k0 k1 k2; do
            for option in --parents --children --closure; do
                echo "== $option $name"
                tr-filter -q $option "name == \"$name\"" nested.json | tr-view -O tsv --columns name - | sort
            done
            echo "== within $name"
            tr-filter -q --within "name == \"$name\"" 'activity == kernel' nested.json | tr-view -O tsv --columns name -
        done
    } >$form.found
    tr-view -O chrome $form.json | tr-view -q -O tsv --columns tid,ts,dur,name - >again
    tr-view -q -O tsv --columns tid,ts,dur,name $form.json | cmp - again
done
cmp old.found new.found && grep -c . new.found
sed -n '/== depth 3/,/== --parents/p; /== within mlp/,/== --p/p' new.found
tr-view -q -O tsv --columns tid,stream,name new.json | grep Sync
echo "== lanes of a graph"
{
    echo '{"traceEvents": ['
    work a 100 20 1 20 '"stream": 20, "original_stream": 7'
    work b 120 20 2 21 '"stream": 21, "original_stream": 7'
    work c 125 20 3 8 '"stream": 8'
    echo "$end]}"
} >graph.json
tr-breakdown -q --per stream -O tsv graph.json | cut -f 1-5
tr-view -O chrome graph.json | grep -o '"tid":20.*original_stream":7'
echo "== counters"
cat >counters.json <<'END'
{"traceEvents": [
{"ph": "C", "cat": "hardware_counters", "name": "SM Active (%)", "pid": "GPU 0 Counters", "ts": 1, "args": {"": 12.5}},
{"ph": "C", "name": "NVLink RX", "pid": "GPU 0 Counters", "tid": 0, "ts": 2, "args": {"": 50}}
]}
END
tr-view -O tsv --columns 'pid,name,args.""' counters.json
tr-filter -c 'args."" > 20' counters.json
tr-view -O chrome counters.json | grep -c '"args":{"":'
tr-view -O perfetto counters.json | grep -a -c -E '(SM Active \(%\)|NVLink RX): '
exit 0
