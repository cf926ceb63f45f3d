# Truth: by hand.  Kernels of a graph name their modules; others belong to the module of their operator, or to none.
#   layers.0.mlp.w1 10 + 20, layers.1.mlp.w1 30, norm 4; aten::mm inside of nn.Module: Block_0 launches 5; 7 have no module
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
kernel() { span kernel "$1" 0 7 "$2" "$3" "\"device\": 0, \"stream\": 7, \"correlation\": $4${5:+, \"module_fqn\": \"$5\"}"; }
{
    echo '{"traceEvents": ['
    span cuda_runtime cudaGraphLaunch 1 1 0 5 '"correlation": 1'
    kernel a 10 10 1 layers.0.mlp.w1
    kernel b 20 20 1 layers.0.mlp.w1
    kernel a 40 30 1 layers.1.mlp.w1
    kernel c 70 4 1 norm
    kernel d 80 7 1
    span python_function 'nn.Module: Block_0' 1 1 100 30 '"Python id": 1'
    span cpu_op aten::mm 1 1 105 20 '"External id": 9'
    span cuda_runtime cudaLaunchKernel 1 1 110 5 '"correlation": 2'
    kernel e 120 5 2
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >t.json
tr-breakdown --by module -q -O tsv t.json
tr-breakdown --by module,tree -q -O tsv --columns module,instances,device_self,device t.json
