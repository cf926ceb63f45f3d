# Truth: by hand.  Traces whose steps no engine named: the window has as many steps as asked for, and its phases and
# requests are not known; without steps, or with fewer than a window has, there is nothing, and the reason is said.
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 0, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
{ echo '{"traceEvents": ['
  for i in 0 1 2 3; do
      span user_annotation "ProfilerStep#$i" 1 $((i * 100)) 90 ''
      span cuda_runtime cudaLaunchKernel 1 $((i * 100 + 10)) 5 "\"correlation\": $((i + 1))"
      span kernel k 7 $((i * 100 + 20)) $((40 + 10 * i)) "\"correlation\": $((i + 1)), \"device\": 0, \"stream\": 7"
  done
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >train.json
cp "$GOLDEN/../vendors/no-steps.json" .
exec 2>&1
for options in '--steps 2' '--steps 4' '--steps 5' '' '--steps 2 --step 2..3'; do
    echo "== $options"
    # shellcheck disable=SC2086
    tr-breakdown --by window $options -O tsv train.json
    echo "status $?"
done
for view in window phase inference; do
    echo "== $view, no annotation"
    tr-breakdown --by $view -O tsv no-steps.json
    echo "status $?"
done
tr-breakdown --by window --steps 0 train.json
echo "status $?"
