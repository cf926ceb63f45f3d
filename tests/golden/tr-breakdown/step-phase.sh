# What operators cost in each phase of a step.  Rank 0 trains: mm runs forward, its gradient on the thread of the
# backward pass, which has no steps of its own, and add_ in the optimizer; a checkpoint runs mm again in the backward
# pass.  Rank 1 serves: mm runs in a prefill, and twice in decodes.  mm after the last step has no phase.
# Truth: by hand.
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 0, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
op() { # name thread start number
    span cpu_op "$1" "$2" "$3" 8 ''
    span cuda_runtime cudaLaunchKernel "$2" $(($3 + 2)) 3 "\"correlation\": $4"
    span kernel k 7 $(($3 + 5)) "$4" "\"correlation\": $4, \"device\": 0, \"stream\": 7"
}
{ echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['
  span user_annotation 'ProfilerStep#3' 1 100 200 ''
  op aten::mm 1 110 11
  op aten::mm 1 130 12
  span cpu_op 'autograd::engine::evaluate_function: MmBackward0' 2 150 40 ''
  op aten::mm 2 152 13
  op aten::mul 2 170 14
  span user_annotation 'Optimizer.step#SGD.step' 1 220 40 ''
  op aten::add_ 1 230 15
  op aten::mm 1 310 16
  span kernel alone 7 400 5 '"device": 0, "stream": 7'
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank0.json
{ echo '{"distributedInfo": {"rank": 1}, "traceEvents": ['
  span user_annotation 'step[EXTEND bs=2 toks=50]' 1 100 50 ''
  op aten::mm 1 110 21
  span user_annotation 'step[DECODE bs=4 toks=4]' 1 200 50 ''
  op aten::mm 1 210 5
  op aten::mm 1 230 6
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank1.json
tr-breakdown -q --by operator,step_phase -O tsv rank0.json rank1.json
echo
# Keys go together, and the rows are those of one run when they are saved.
tr-breakdown -q --by operator,step_phase,kernel -O tsv --columns rank,name,step_phase,kernel,count,sum rank0.json
tr-breakdown -q --by operator,step_phase --save-partial 0.part rank0.json
tr-breakdown -q --by operator,step_phase --save-partial 1.part rank1.json
tr-breakdown -q --by operator,step_phase -O tsv 1.part 0.part | cksum
tr-breakdown -q --by operator,step_phase -O tsv rank0.json rank1.json | cksum
