# The modules of a model as a tree: layers of one kind are one row, with how many they are; work of a module itself, and
# with the modules inside it; the rest is outside.  Names come from Python frames, or from annotations of layers.
# Truth: by hand.  Each Block of rank 0 has an Attention of 10 us and works 1 us itself; the Head works 30 us, and 7 us
# are of no module.  The layers of rank 1 are named by annotations: each has an mlp of 20 us, and the first one an attn.
n=0
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 0, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
op() { # start dur
    n=$((n + 1))
    span cpu_op aten::mm 1 "$1" 4 ''
    span cuda_runtime cudaLaunchKernel 1 $(($1 + 1)) 2 "\"correlation\": $n"
    span kernel k 7 $(($1 + 1000 * n)) "$2" "\"correlation\": $n, \"device\": 0, \"stream\": 7"
}
module() { span python_function "nn.Module: $1" 1 "$2" "$3" ''; }
{ echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['
  module Model_0 100 400
  for block in 0 1 2; do
      at=$((110 + 100 * block))
      module Block_$block $at 90
      op $at 1
      module Attention_$block $((at + 20)) 20
      op $((at + 22)) 10
  done
  module Head_0 450 20
  op 452 30
  op 600 7
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank0.json
{ echo '{"distributedInfo": {"rank": 1}, "traceEvents": ['
  for layer in 0 1; do
      at=$((100 + 100 * layer))
      span user_annotation model.layers.$layer.mlp 1 $at 40 ''
      op $((at + 5)) 20
  done
  span user_annotation model.layers.0.attn 1 400 40 ''
  span user_annotation not.a.layer 1 401 30 ''
  op 405 2
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank1.json
tr-breakdown -q --by module,tree -O tsv --columns all rank0.json rank1.json
echo
tr-breakdown -q --by module -O tsv --columns rank,module,device_self rank0.json rank1.json
for r in 0 1; do tr-breakdown -q --by module,tree --save-partial $r.part rank$r.json; done
tr-breakdown -q --by module,tree -O tsv 1.part 0.part | cksum
tr-breakdown -q --by module,tree -O tsv rank0.json rank1.json | cksum
# A trace without modules says so.
printf '[%s{"ph": "M", "name": "x", "pid": 0}]' "$(op 1 5)" >none.json
tr-breakdown --by module,tree -O tsv none.json
tr-breakdown --by module,depth -O tsv none.json
echo "status $?"
