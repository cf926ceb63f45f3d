# Truth: by hand.  d on stream 9 names a and b on stream 7, of which b is the last, itself, and numbers of no work before
# it: 99, e, which begins later, and what is no number.  c has the number 1 by its correlation.  So there are edges of kind
# sync from b to d, and from c to e.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1, "event id": 11}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 26, "dur": 14, "args": {"device": 0, "stream": 7, "correlation": 1, "event id": 12, "event wait ids": [11]}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 8, "ts": 21, "dur": 17, "args": {"device": 0, "stream": 8, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 9, "ts": 42, "dur": 8, "args": {"device": 0, "stream": 9, "correlation": 1, "event id": 14, "event wait ids": [12, 11, 14, 99, 15, "12"]}},
{"ph": "X", "cat": "kernel", "name": "e", "pid": 0, "tid": 7, "ts": 44, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 1, "event id": 15, "event wait ids": [1]}}
]}
END
tr-critpath -q --by edge -O tsv t.json | awk -F '\t' 'NR == 1 || $7 == "sync"' | cut -f 2,3,5-10
echo "== path"
tr-critpath -q --by path -O tsv t.json | cut -f 5,7,8
echo "== counts"
tr-critpath -q --by count -O tsv t.json | grep -E '	(sync|lost_waits|negative|cut)	'
