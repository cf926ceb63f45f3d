# Truth: by hand.  k: 10, 20, 30, 40 us, in the order 20, 10, 40, 30; two start at 5: the longer one is first.  Mean 25, deviation
# sqrt(500/3) = 12.910, p25 17.5.  Histogram: 7.5 us and a bit each, or powers of two of nanoseconds.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 20, "args": {"stream": 7, "bytes": 9000000000000000000}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 10, "args": {"stream": 7, "bytes": 9000000000000000000}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 50, "dur": 40, "args": {"stream": 7, "bytes": -1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100, "dur": 30, "args": {"stream": 7, "bytes": 0.1234565}},
{"ph": "X", "cat": "kernel", "name": "l", "pid": 0, "tid": 7, "ts": 200, "dur": 0, "args": {"stream": 7, "bytes": 18446744073709551615}},
{"ph": "X", "cat": "kernel", "name": "odd", "pid": 0, "tid": 7, "ts": 300, "dur": -3, "args": {"stream": 7}}
]}
END
tr-sum --stat count,sum,share,mean,std,min,p25,p50,p99.9,max,first,last -O tsv t.json
tr-sum --hist=4 -O tsv t.json
tr-sum --hist=log --unit ns -O tsv t.json
echo "== whole numbers that add up to more than 64 bits"
tr-sum --value args.bytes --where 'args.bytes != 0.1234565 && name == k' --stat count,sum,mean,min,max -O tsv t.json
echo "== millionths, of which these numbers have too many"
tr-sum --value args.bytes --stat count,sum,min,p50,max -O tsv t.json
echo "== other values"
tr-sum --value ts --stat min,max -O tsv t.json
tr-sum --value stream --stat sum,min -O tsv t.json
tr-sum --suspect include --by name --stat count,min -O tsv t.json
tr-sum --value queue -O tsv t.json
