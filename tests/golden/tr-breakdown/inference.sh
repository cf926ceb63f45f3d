# Truth: by hand.  Rank 0 has four steps of vLLM, each with two kernels of 30 us; the work of a step ends after the step
# itself.  The step inside the second one has no sums and does not count.  Rank 1 has the steps of other engines.
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 0, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
step() {
    span user_annotation "$1" 1 "$2" 50 ''
    for k in 1 2; do
        span cuda_runtime cudaLaunchKernel 1 $(($2 + 10 * k)) 5 "\"correlation\": $(($2 + k))"
        span kernel k 7 $(($2 + 20 + 30 * k)) 30 "\"correlation\": $(($2 + k)), \"device\": 0, \"stream\": 7"
    done
}
{ echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['
  step 'execute_64_context_1(sq64sk64sqsq4096sqsk4096)_generation_0(sq0sk0sqsq0sqsk0)' 100
  step 'execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk300sqsq2sqsk300)' 200
  span user_annotation 'step[DECODE bs=2 toks=2]' 1 210 20 ''
  step 'execute_66_context_1(sq64sk64sqsq4096sqsk4096)_generation_2(sq2sk302sqsq2sqsk302)' 300
  step 'execute_3_context_0(sq0sk0sqsq0sqsk0)_generation_3(sq3sk370sqsq3sqsk370)' 400
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank0.json
{ echo '{"distributedInfo": {"rank": 1}, "traceEvents": ['
  step 'execute_context_1(32)_generation_1(1)' 100
  step 'step[EXTEND bs=2 toks=50]' 200
  step 'step[DECODE bs=4 toks=4]' 300
  step 'decode_attention' 400
  step 'execute_diffusion_2_1024x768' 500
  step 'execute_model' 600
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank1.json
tr-breakdown -q --by inference -O tsv rank0.json rank1.json
echo
tr-breakdown -q --by phase -O tsv rank0.json rank1.json
echo
tr-breakdown -q --by window --steps 2 -O tsv rank0.json
echo
# The fields of events, also after a stream: work of decode steps, by step.
tr-parse -q -o run.trs rank0.json rank1.json
tr-sum -q --by rank,step,step_phase --where 'activity == kernel && step_phase == decode' --stat count,sum -O tsv run.trs
tr-view -q --step 2 -O tsv --columns rank,step,step_phase,name,ts --where 'activity == kernel' run.trs
tr-filter -q --redact --step 3 run.trs | tr-breakdown -q --by inference --columns rank,step,phase,tokens,g_sk,time -O tsv
# No steps at all; a step that is not there.
echo '[{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2, "args": {"stream": 7}}]' >none.json
tr-breakdown --by phase -O tsv none.json 2>&1
tr-breakdown --by inference --step 9 -O tsv run.trs 2>&1
echo "status $?"
