# Truth: by hand, but for the token: x and the first 16 digits of HMAC-SHA-256 of the text under the key
# (printf %s '{"path":"/home"}' | openssl dgst -sha256 -hmac 'sixteen bytes of key').  It is a string of JSON where the
# text was an object.
printf '%s' 'sixteen bytes of key' >key
printf '%s\n' '{"traceEvents": [{"ph": "X", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 1, "dur": 1,' \
    '"args": {"Input Dims": {"path": "/home"}, "Concrete Inputs": ["/home", "", "1.5"]}}]}' >t.json
tr-filter --redact --redact-key key true t.json | tr-view -O chrome
