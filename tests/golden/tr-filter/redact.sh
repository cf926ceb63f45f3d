# Truth: by hand, but for the tokens: x and the first 16 digits of HMAC-SHA-256 of the text under the key
# (printf %s TEXT | openssl dgst -sha256 -hmac 'sixteen bytes of key').
printf '%s' 'sixteen bytes of key' >key
cat >t.json <<END
{"distributedInfo": {"rank": 3, "backend": "mine"}, "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "my program"}},
{"ph": "X", "cat": "cpu_op", "name": "my::op", "pid": 1, "tid": 140234567890123, "ts": 1, "dur": 9, "args": {"Input Dims": [[2, 3], []], "Sequence number": 5, "my key": 7, "Process Group Name": "10.0.0.1", "Process Group Ranks": "[0, 1]"}},
{"ph": "X", "cat": "kernel", "name": "my_kernel", "pid": 0, "tid": 7, "ts": 2, "dur": 3, "args": {"device": 0, "stream": 7, "correlation": 9, "Rank": "555-0100"}},
{"ph": "my phase", "cat": "mine", "name": "ProfilerStep#4", "pid": "10.0.0.2", "ts": 3},
{"ph": "i", "cat": "cpu_op", "name": "ProfilerStep#4", "pid": 1, "tid": 1, "ts": 4, "s": "t", "args": {"Process Group Name": "12"}}
]}
END
tr-filter --redact --redact-key key true t.json | tr-view -O chrome
# without an expression, all events
tr-filter -z none --redact --redact-key key true t.json >all.trs
tr-filter -z none --redact --redact-key key t.json | cmp - all.trs && echo "same without an expression"
