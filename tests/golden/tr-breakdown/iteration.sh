# Truth: by hand.  Rank 0 has a kernel w, then a b c d e three times, 100, 100 and, after an x between, 140 us apart, then
# one more, 100 us apart, then a half: three intervals of 100 us.  Two jobs of rank 1 have six times f g together, 10 us
# apart: of the first ten kernels the last eight are twice f g f g.  Rank 2 has no repetition, rank 3 copies alone.
k() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 0, "tid": 7, "ts": %s, "dur": 1, "args": {"device": 0, "stream": 7}},\n' "${3:-kernel}" "$1" "$2"; }
five() { for n in a b c d e; do k $n $(($1 + i)); i=$((i + 1)); done; i=0; }
i=0
{ echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['; k w 0; five 100; five 200; five 300; k x 310; five 440; five 540; k a 640; k b 641
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank0.json
for job in 0 1; do
    { echo '{"distributedInfo": {"rank": 1}, "traceEvents": ['
      for n in 0 1 2; do k f $((1000 + job * 30 + n * 10)); k g $((1001 + job * 30 + n * 10)); done
      echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank1-job$job.json
done
{ echo '{"distributedInfo": {"rank": 2}, "traceEvents": ['; for n in a b c d e f g h i j k l m n o p q; do k $n $((i = i + 3)); done
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank2.json
{ echo '{"distributedInfo": {"rank": 3}, "traceEvents": ['; for n in a a a a a a a a a a a a; do k $n $((i = i + 3)) gpu_memcpy; done
  echo '{"ph": "M", "name": "x", "pid": 0}]}'; } >rank3.json
tr-breakdown -q --by iteration -O tsv rank0.json rank1-job0.json rank1-job1.json rank2.json rank3.json
tr-breakdown -q --by iteration --where 'name != "w" && name != "x"' -O tsv rank0.json
